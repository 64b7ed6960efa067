//! Periodic cells that deform, under control of strain and stress.
//!
//! Before a step the servo turns what is prescribed for the cell into a velocity gradient L, and the cell carries all
//! particles along by the affine step F of it. Their velocities are peculiar, measured against `L (x − origin)`, and go
//! to `F⁻¹ v`: with the forces of the step this is `dv/dt = f/m − L v`, the motion between images that move with the
//! cell, without the body force that a change of L and `L² x` would need and that acts at the boundary of a real
//! sample. After the step the work of the cell is booked, `V σ : D Δt` with the mean of the contact stress at both ends
//! and the exact change of kinetic energy.
//!
//! Along directions that are not periodic the cell keeps its shape, and walls move instead. Planes across them stretch with the cell: what
//! touches them slips by its peculiar motion only, since the motion of the cell is another one for every periodic image. Their
//! work is that of walls; the strain between them and the stress of their contacts are those of the sample.
//!
//! Stress and strain are positive in tension in all that is stored here; [`Sense`] is a matter of what is read and written.

pub mod control;
pub mod controller;
pub(crate) mod deforming_cell;
pub mod displacement;
pub mod sampled_body;
pub mod servo;
pub mod stress;

pub use deforming_cell::{Deformation, DeformationState, Sense};
