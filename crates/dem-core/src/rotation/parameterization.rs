//! What the parameterizations of a rotation have in common, so that they can be converted and compared.
//!
//! A state of N numbers per particle is turned by the increment of each step, which contact laws need as a rescaled Rodrigues vector
//! anyway. Adding a parameterization is one file and one line in [`visit_parameterizations`].

pub use super::as_numbers::{Parameterization, ParameterizationVisitor, convert};
use super::euler_angles::EulerAngles;
use super::increment::rodrigues_in_lanes;
use super::matrix::RotationMatrix;
use super::quaternion::UnitQuaternion;
use super::rodrigues_vector::RodriguesVector;
use super::rotation_vector::RotationVector;
use crate::lanes::{Lanes, Vector};

/// Visits all parameterizations, that of the engine first.
pub fn visit_parameterizations(visitor: &mut impl ParameterizationVisitor) {
    visitor.visit::<UnitQuaternion, 4>();
    visitor.visit::<RodriguesVector, 3>();
    visitor.visit::<RotationVector, 3>();
    visitor.visit::<EulerAngles, 3>();
    visitor.visit::<RotationMatrix, 9>();
}

/// How the increment of a step follows from its rotation vector Θ, the spin times the time step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IncrementMap {
    /// `2 tan(|Θ|/2) Θ/|Θ|`: a turn by |Θ|.
    #[default]
    Exact,
    /// `Θ` itself, as in Campello, Comput. Part. Mech. 2, 2015, Eqs. 43 and 45: a turn by `2 atan(|Θ|/2) = |Θ| − |Θ|³/12 + …`.
    Literal,
}

impl IncrementMap {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Exact, Self::Literal];

    /// Name.
    pub fn key(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Literal => "literal",
        }
    }

    /// Rescaled Rodrigues vector of a step.
    #[inline(always)]
    pub fn increment<R: Lanes>(self, rotation_vector: Vector<R>) -> Vector<R> {
        match self {
            Self::Exact => rodrigues_in_lanes(rotation_vector),
            Self::Literal => rotation_vector,
        }
    }
}
