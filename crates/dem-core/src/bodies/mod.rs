//! Rigid bodies made of spheres.
//!
//! A body is a mass with a centre, an orientation, a velocity and an angular momentum; its spheres are its *members*. Integrators move
//! bodies, contacts act between members, and where members are is a function of the state of their body alone. A sphere that belongs to no
//! body is moved by itself and knows nothing of this.

pub mod body;
pub mod free_rotation;
pub mod new_body;
pub mod placing;
pub mod table;
pub mod template;
