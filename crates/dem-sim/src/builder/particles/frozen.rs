//! Frozen degrees of freedom.

use dem_core::particles::frozen;

use crate::scene::group::DegreeOfFreedom;

/// Bits of a list of frozen degrees of freedom.
pub(crate) fn frozen_bits(list: &[DegreeOfFreedom]) -> u8 {
    use DegreeOfFreedom as D;
    let all = |bits: [u8; 3]| bits.iter().fold(0, |a, b| a | b);
    list.iter()
        .map(|freedom| match freedom {
            D::X => frozen::TRANSLATION[0],
            D::Y => frozen::TRANSLATION[1],
            D::Z => frozen::TRANSLATION[2],
            D::RotationX => frozen::ROTATION[0],
            D::RotationY => frozen::ROTATION[1],
            D::RotationZ => frozen::ROTATION[2],
            D::Rotation => all(frozen::ROTATION),
            D::Translation => all(frozen::TRANSLATION),
        })
        .fold(0, |a, b| a | b)
}
