//! What the parameterizations of a rotation have in common, so that they can be converted and compared.
//!
//! A state of N numbers per particle is turned by the increment of each step, which contact laws need as a rescaled Rodrigues vector
//! anyway. Adding a parameterization is one file and one line in [`visit_parameterizations`].

use glam::DQuat;

use super::{EulerAngles, RodriguesVector, RotationMatrix, RotationVector, UnitQuaternion, rodrigues_in_lanes};
use crate::lanes::{Lanes, Vector};

/// A rotation as N numbers.
///
/// Every rotation has numbers, those by π included, and they are finite: what a parameterization cannot hold exactly it holds to within
/// the rounding of `f64`.
pub trait Parameterization<const N: usize> {
    /// Name in tables and on the command line.
    const KEY: &'static str;
    /// One sentence.
    const SUMMARY: &'static str;

    /// Numbers of the rotation of a unit quaternion.
    fn from_quaternion(rotation: DQuat) -> [f64; N];

    /// Unit quaternion of the rotation; one of the two.
    fn quaternion(numbers: [f64; N]) -> DQuat;

    /// Numbers of the rotation followed by an increment, a rescaled Rodrigues vector in the space frame.
    fn compose<R: Lanes>(numbers: [R; N], increment: Vector<R>) -> [R; N];

    /// The vector in the space frame that is `v` in the body frame.
    fn rotate<R: Lanes>(numbers: [R; N], v: Vector<R>) -> Vector<R>;

    /// How far the numbers are from satisfying the constraints among them \[-\]; zero where there are none.
    fn defect(_numbers: [f64; N]) -> f64 {
        0.0
    }
}

/// Numbers of the same rotation in another parameterization.
pub fn convert<From, To, const N: usize, const M: usize>(numbers: [f64; N]) -> [f64; M]
where
    From: Parameterization<N>,
    To: Parameterization<M>,
{
    To::from_quaternion(From::quaternion(numbers))
}

/// Something to do with every parameterization.
pub trait ParameterizationVisitor {
    /// Does it with one.
    fn visit<P: Parameterization<N> + Send + Sync + 'static, const N: usize>(&mut self);
}

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
