//! Rigid bodies made of spheres.
//!
//! A body is a mass with a centre, an orientation, a velocity and an angular momentum; its spheres are its *members*. Integrators move
//! bodies, contacts act between members, and where members are is a function of the state of their body alone. A sphere that belongs to no
//! body is moved by itself and knows nothing of this.
//!
//! What a kind of bodies is made of is computed once: [`mass_properties`] of the spheres in full or of their union, [`principal_axes`], numbers of the
//! [`shape`], and the [`shares`] of the members.

pub mod body;
pub mod free_rotation;
pub mod in_lanes;
pub mod mass_properties;
mod member_sphere;
pub mod new_body;
mod packing;
pub mod placing;
pub mod principal_axes;
pub mod shape;
pub mod shares;
pub mod table;
pub mod template;
mod union;

pub use member_sphere::MemberSphere;
