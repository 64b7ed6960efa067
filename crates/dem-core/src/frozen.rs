//! Suppressed degrees of freedom: bits of [`Particles::frozen`](crate::particles::Particles::frozen).

use glam::{BVec3, DVec3};

/// Translation along x, y, z.
pub const TRANSLATION: [u8; 3] = [1, 2, 4];
/// Rotation about x, y, z.
pub const ROTATION: [u8; 3] = [8, 16, 32];
/// All translations.
pub const ALL_TRANSLATIONS: u8 = 7;
/// Of [bodies](crate::bodies::body::Body::frozen) only: something gives them their translation, whatever acts on them.
pub const GIVEN_TRANSLATION: u32 = 1 << 8;
/// The same of their rotation.
pub const GIVEN_ROTATION: u32 = 1 << 9;

/// A vector without the components that `frozen` suppresses, given the bits of its components.
pub fn without(frozen: u8, bits: [u8; 3], vector: DVec3) -> DVec3 {
    let [x, y, z] = bits.map(|bit| frozen & bit == 0);
    DVec3::select(BVec3::new(x, y, z), vector, DVec3::ZERO)
}
