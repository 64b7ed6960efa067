//! Rotations as numbers, whichever these are.

use glam::DQuat;

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
