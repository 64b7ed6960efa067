//! Carrying tangential vectors with a contact that moves and turns in space.
//!
//! From one step to the next the contact normal goes from n₀ to n₁ and the bodies turn about it. The exact transport is the
//! minimal rotation that maps n₀ to n₁, followed by a turn about n₁ by the mean twist of the two bodies. Both parts use only
//! `+ − × ÷ √`. For a rigid motion of the pair it is the rotation itself, to round-off.
//!
//! The other kinds exist for comparison with published codes: `projection-twirl` projects on the tangent plane and adds the
//! first-order turn about the normal (M. R. Kuhn, contact rotations of DEM-PM/OVAL), `projection` leaves the turn out, and
//! `none` keeps the vector as it is in space, less its part along the new normal.

use dem_core::lanes::{Mask, Real, Vector};

/// How vectors are carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportKind {
    /// Minimal rotation of the normal and mean twist: exact for rigid motions.
    #[default]
    Exact,
    /// Projection on the tangent plane, then the first-order twirl.
    ProjectionTwirl,
    /// Projection on the tangent plane; shortens the vector in every rotation and ignores twist.
    Projection,
    /// Projection that keeps the length of the vector; ignores twist.
    ScaledProjection,
    /// Nothing is done: the vector may leave the tangent plane.
    None,
}

impl TransportKind {
    /// Names in scenes, the default first.
    pub const NAMES: &'static [&'static str] =
        &["exact", "projection-twirl", "projection", "scaled-projection", "none"];

    /// Kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "projection-twirl" => Some(Self::ProjectionTwirl),
            "projection" => Some(Self::Projection),
            "scaled-projection" => Some(Self::ScaledProjection),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// The rotation of a contact's tangent plane over a step.
#[derive(Clone, Copy, Debug)]
pub struct Transport<R: Real = f64> {
    kind: TransportKind,
    /// `n₀ × n₁`
    axis: Vector<R>,
    /// `1/(1 + n₀·n₁)`
    factor: R,
    /// Where the normal did not flip; after a flip nothing is carried.
    regular: R::Mask,
    normal1: Vector<R>,
    cosine: R,
    /// Sine of the twist; its angle for [`TransportKind::ProjectionTwirl`].
    sine: R,
}

impl<R: Real> Transport<R> {
    /// Transport from `normal0` to `normal1` of a contact whose bodies turn by the rescaled Rodrigues vectors `turn_i`, `turn_j`.
    #[inline(always)]
    pub fn new(
        kind: TransportKind,
        normal0: Vector<R>,
        normal1: Vector<R>,
        turn_i: Vector<R>,
        turn_j: Vector<R>,
    ) -> Self {
        let one = R::splat(1.0);
        let half = R::splat(0.5);
        let cosine = normal0.dot(normal1);
        let regular = R::splat(-0.999).at_most(cosine);
        // the twist of each body about the normal is arg(1 + i a·n/2) doubled; their mean is the argument of the product
        let (a, b) = (half * turn_i.dot(normal0), half * turn_j.dot(normal0));
        let (re, im) = (one - a * b, a + b);
        // two reciprocals with a single division
        let (size, sum) = ((re * re + im * im).sqrt(), one + cosine);
        let inverse = one / (size * sum);
        let (scale, factor) = (sum * inverse, size * inverse);
        let sine = if kind == TransportKind::Exact { im * scale } else { im };
        Self { kind, axis: normal0.cross(normal1), factor, regular, normal1, cosine: re * scale, sine }
    }

    /// Transport of one contact of several.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Transport {
        Transport {
            kind: self.kind,
            axis: self.axis.lane(lane).into(),
            factor: self.factor.lane(lane),
            regular: self.regular.lane(lane),
            normal1: self.normal1.lane(lane).into(),
            cosine: self.cosine.lane(lane),
            sine: self.sine.lane(lane),
        }
    }

    /// Carries a vector of the tangent plane at the start into the tangent plane at the end.
    #[inline(always)]
    pub fn carry(&self, f: Vector<R>) -> Vector<R> {
        let carried = match self.kind {
            TransportKind::Exact => {
                let turned = self.axis.cross(f);
                let swung = f + turned + self.axis.cross(turned) * self.factor;
                swung * self.cosine + self.normal1.cross(swung) * self.sine
            }
            TransportKind::ProjectionTwirl => {
                let projected = f.reject(self.normal1);
                projected - projected.cross(self.normal1) * self.sine
            }
            TransportKind::Projection => f.reject(self.normal1),
            TransportKind::ScaledProjection => {
                let projected = f.reject(self.normal1);
                let (before, after) = (f.length(), projected.length());
                projected * R::select(after.greater(R::zero()), before / after, R::zero())
            }
            TransportKind::None => f,
        };
        if self.regular.all() { carried } else { Vector::select(self.regular, carried, Vector::zero()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::rotation::{quaternion_from_rodrigues, rodrigues_from_rotation_vector};
    use dem_core::{DQuat, DVec3};

    fn carry(n0: DVec3, n1: DVec3, turn_i: DVec3, turn_j: DVec3, f: DVec3) -> DVec3 {
        let transport = Transport::new(TransportKind::Exact, n0.into(), n1.into(), turn_i.into(), turn_j.into());
        transport.carry(f.into()).into()
    }

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
                f = carry(n, next, a, a, f);
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
        let opposite = carry(DVec3::X, DVec3::X, a, -a, f);
        assert!((opposite - f).length() < 1e-15);
        let single = carry(DVec3::X, DVec3::X, a, DVec3::ZERO, f);
        assert!((single - DVec3::new(0.0, 0.2f64.cos(), 0.2f64.sin())).length() < 1e-15);
    }

    #[test]
    fn a_flip_of_the_normal_forgets_the_vector() {
        assert_eq!(carry(DVec3::X, -DVec3::X, DVec3::ZERO, DVec3::ZERO, DVec3::Y), DVec3::ZERO);
    }

    #[test]
    fn every_name_has_a_kind() {
        assert_eq!(TransportKind::from_name(TransportKind::NAMES[0]), Some(TransportKind::default()));
        assert!(TransportKind::NAMES.iter().all(|name| TransportKind::from_name(name).is_some()));
    }
}
