//! Volumes that a sphere has in common with slabs, cylinders and boxes.

mod cap;
mod cylinder;
mod integral;
mod prism;

pub use cap::{cap, sphere};
pub use cylinder::{cap_in_cylinder, part_in_cylinder};
pub use prism::part_in_prism;
