//! Carrying tangential vectors with a contact that moves and turns in space.
//!
//! From one step to the next the contact normal goes from n₀ to n₁ and the bodies turn about it. The exact transport is the
//! minimal rotation that maps n₀ to n₁, followed by a turn about n₁ by the mean twist of the two bodies. Both parts use only
//! `+ − × ÷ √`. For a rigid motion of the pair it is the rotation itself, to round-off.

use dem_core::DVec3;

/// The rotation of a contact's tangent plane over a step.
#[derive(Clone, Copy, Debug)]
pub struct Transport {
    /// `n₀ × n₁`
    axis: DVec3,
    /// `1/(1 + n₀·n₁)`; zero marks a flip of the normal, after which nothing is carried.
    factor: f64,
    normal1: DVec3,
    cosine: f64,
    sine: f64,
}

impl Transport {
    /// Transport from `normal0` to `normal1` of a contact whose bodies turn by the rescaled Rodrigues vectors `turn_i`, `turn_j`.
    #[inline(always)]
    pub fn exact(normal0: DVec3, normal1: DVec3, turn_i: DVec3, turn_j: DVec3) -> Self {
        let cosine = normal0.dot(normal1);
        let factor = if cosine < -0.999 { 0.0 } else { 1.0 / (1.0 + cosine) };
        // the twist of each body about the normal is arg(1 + i a·n/2) doubled; their mean is the argument of the product
        let (a, b) = (0.5 * turn_i.dot(normal0), 0.5 * turn_j.dot(normal0));
        let (re, im) = (1.0 - a * b, a + b);
        let scale = 1.0 / (re * re + im * im).sqrt();
        Self { axis: normal0.cross(normal1), factor, normal1, cosine: re * scale, sine: im * scale }
    }

    /// Carries a vector of the tangent plane at the start into the tangent plane at the end.
    #[inline(always)]
    pub fn carry(&self, f: DVec3) -> DVec3 {
        if self.factor == 0.0 {
            return DVec3::ZERO;
        }
        let turned = self.axis.cross(f);
        let swung = f + turned + self.axis.cross(turned) * self.factor;
        swung * self.cosine + self.normal1.cross(swung) * self.sine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::DQuat;
    use dem_core::rotation::{quaternion_from_rodrigues, rodrigues_from_rotation_vector};

    /// A rigid motion carries a tangential force as the rotation does; 1e-12 per turn over 1,000 turns in large and small steps.
    #[test]
    fn a_rigid_turn_carries_a_vector_exactly() {
        for (axis, per_turn) in
            [(DVec3::new(0.3, -0.5, 0.8), 7u32), (DVec3::new(1.0, 0.1, 0.0), 360), (DVec3::Z, 12), (DVec3::X, 3)]
        {
            let theta = axis.normalize() * (std::f64::consts::TAU / f64::from(per_turn));
            let a = rodrigues_from_rotation_vector(theta);
            let q = quaternion_from_rodrigues(a);
            let (mut n, mut f, mut total) = (DVec3::X, DVec3::new(0.0, 0.6, -0.8), DQuat::IDENTITY);
            let start = f;
            let turns = if per_turn > 100 { 20 } else { 1000 };
            for _ in 0..turns * per_turn {
                total = (q * total).normalize();
                let next = total * DVec3::X;
                f = Transport::exact(n, next, a, a).carry(f);
                n = next;
            }
            let error = (f - total * start).length();
            assert!(error < 1e-12 * f64::from(turns), "{axis}: {error}");
        }
    }

    #[test]
    fn only_the_mean_twist_of_the_bodies_turns_the_vector() {
        let f = DVec3::Y;
        let a = rodrigues_from_rotation_vector(DVec3::X * 0.4);
        let opposite = Transport::exact(DVec3::X, DVec3::X, a, -a).carry(f);
        assert!((opposite - f).length() < 1e-15);
        let single = Transport::exact(DVec3::X, DVec3::X, a, DVec3::ZERO).carry(f);
        assert!((single - DVec3::new(0.0, 0.2f64.cos(), 0.2f64.sin())).length() < 1e-15);
    }

    #[test]
    fn a_flip_of_the_normal_forgets_the_vector() {
        let t = Transport::exact(DVec3::X, -DVec3::X, DVec3::ZERO, DVec3::ZERO);
        assert_eq!(t.carry(DVec3::Y), DVec3::ZERO);
    }
}
