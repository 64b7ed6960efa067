//! Finite rotations: the unit quaternion is the state, the rescaled Rodrigues vector is the increment of a step.
//!
//! For a rotation by the angle θ about the unit axis e the rescaled Rodrigues vector is `a = 2 tan(θ/2) e`
//! (Campello, Comput. Part. Mech. 2, 2015, Eq. 6). It turns the mean of a start and an end vector into their
//! difference, `R r − r = a × (r + R r)/2`, which is why contact slip is exact in terms of `a`, and it gives the
//! incremental quaternion `(1, a/2)/√(1 + a²/4)` without a trigonometric function.
//!
//! Other ways to store an orientation are here to be compared: see [`parameterization`].

mod as_numbers;
pub mod carried;
pub mod euler_angles;
mod increment;
pub mod matrix;
pub mod parameterization;
pub mod quaternion;
pub mod rodrigues_vector;
pub mod rotation_vector;
pub mod total;

#[cfg(test)]
mod tests;

pub use euler_angles::EulerAngles;
pub use increment::{
    quaternion_from_rodrigues, rodrigues_between, rodrigues_from_rotation_vector, rodrigues_in_lanes, rotate_in_lanes,
    rotate_orientation,
};
pub use matrix::RotationMatrix;
pub use parameterization::{IncrementMap, Parameterization, ParameterizationVisitor, convert, visit_parameterizations};
pub use quaternion::{UnitQuaternion, axes_of};
pub use rodrigues_vector::{RodriguesVector, compose_rodrigues};
pub use rotation_vector::RotationVector;
pub use total::{TotalRotation, rotation_vector_from_rodrigues};
