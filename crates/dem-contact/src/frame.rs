//! Carrying tangential vectors with a contact that moves and turns in space.
//!
//! From one step to the next the contact normal goes from n₀ to n₁ and the bodies turn about it. The exact transport is the
//! minimal rotation that maps n₀ to n₁, `f − (n₀ + n₁)(n₁·f)/(1 + n₀·n₁)` for a vector f across n₀, followed by a turn about n₁ by the
//! mean twist of the two bodies. Both parts use only `+ − × ÷ √`. For a rigid motion of the pair it is the rotation itself, to round-off.
//!
//! The other kinds exist for comparison with published codes: `averaged-spin` turns about n₁ by the mean rotation vector of the bodies
//! along the mean normal `(n₀ + n₁)/(1 + n₀·n₁)`, `projection-twirl` projects on the tangent plane and adds the first-order turn about the
//! normal (M. R. Kuhn, contact rotations of DEM-PM/OVAL), `projection` leaves the turn out, `scaled-projection` then restores
//! the length, and `none` keeps the vector as it is in space.

use dem_core::DVec3;
use dem_core::lanes::functions::alone;
use dem_core::lanes::{
    LaneMask, Lanes, MOST_LANES, Mask, Real, Vector, array, inverse_near_one, inverse_root_near_one,
};

/// How vectors are carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransportKind {
    /// Minimal rotation of the normal and mean twist: exact for rigid motions.
    #[default]
    Exact,
    /// Minimal rotation of the normal, then a turn by the mean rotation vector along the mean normal.
    AveragedSpin,
    /// Projection on the tangent plane, then the first-order twirl.
    ProjectionTwirl,
    /// Projection on the tangent plane; shortens the vector in every rotation and ignores twist.
    Projection,
    /// Projection that keeps the length of the vector; ignores twist.
    ScaledProjection,
    /// No transport: the vector may leave the tangent plane.
    None,
}

impl TransportKind {
    /// Names in scenes, the default first.
    pub const NAMES: &'static [&'static str] =
        &["exact", "averaged-spin", "projection-twirl", "projection", "scaled-projection", "none"];

    /// Kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "averaged-spin" => Some(Self::AveragedSpin),
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
    /// `(n₀ + n₁)/(1 + n₀·n₁)`
    mean_normal: Vector<R>,
    /// Where the normal did not flip; after a flip nothing is carried.
    regular: R::Mask,
    normal1: Vector<R>,
    cosine: R,
    /// Sine of the twist; its angle for [`TransportKind::ProjectionTwirl`].
    sine: R,
}

impl<R: Lanes> Transport<R> {
    /// Transport from `normal0` to `normal1` of a contact whose bodies turn by the rescaled Rodrigues vectors `turn_i`, `turn_j`.
    #[inline(always)]
    pub fn new(
        kind: TransportKind,
        normal0: Vector<R>,
        normal1: Vector<R>,
        turn_i: Vector<R>,
        turn_j: Vector<R>,
    ) -> Self {
        let one = R::constant(1.0);
        let half = R::constant(0.5);
        let cosine = normal0.dot(normal1);
        let regular = R::constant(-0.999).at_most(cosine);
        // the twist of each body about the normal is arg(1 + i a·n/2) doubled; their mean is the argument of the product
        let (a, b) = (half * turn_i.dot(normal0), half * turn_j.dot(normal0));
        let (re, im) = (one.minus_product(a, b), a + b);
        let scale = inverse_root_near_one((re * re).plus_product(im, im));
        let mean_normal = (normal0 + normal1) * (half * inverse_near_one(half * (one + cosine)));
        let (cosine, sine) = match kind {
            TransportKind::Exact => (re * scale, im * scale),
            TransportKind::AveragedSpin => averaged_twists(turn_i, turn_j, mean_normal),
            _ => (one, im),
        };
        Self { kind, mean_normal, regular, normal1, cosine, sine }
    }

    /// The contacts one by one.
    #[inline(always)]
    pub fn split(&self) -> [Transport; MOST_LANES] {
        let (mean_normal, normal1) = (self.mean_normal.to_lanes(), self.normal1.to_lanes());
        let (cosine, sine) = (self.cosine.to_lanes(), self.sine.to_lanes());
        let regular = self.regular.bits();
        array(|lane| Transport {
            kind: self.kind,
            mean_normal: mean_normal[lane],
            regular: regular >> lane & 1 == 1,
            normal1: normal1[lane],
            cosine: cosine[lane],
            sine: sine[lane],
        })
    }
}

impl<R: Real> Transport<R> {
    /// Carries a vector of the tangent plane at the start into the tangent plane at the end.
    #[inline(always)]
    pub fn carry(&self, f: Vector<R>) -> Vector<R> {
        let carried = match self.kind {
            TransportKind::Exact | TransportKind::AveragedSpin => {
                // the minimal rotation of a vector across n₀
                let swung = f.minus_scaled(self.mean_normal, self.normal1.dot(f));
                (swung * self.cosine).plus_scaled(self.normal1.cross(swung), self.sine)
            }
            TransportKind::ProjectionTwirl => {
                let projected = f.reject(self.normal1);
                projected.minus_scaled(projected.cross(self.normal1), self.sine)
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

    /// [`Transport::carry`] of several vectors, by one matrix for all of them.
    #[inline(always)]
    pub fn carry_all<const N: usize>(&self, vectors: [Vector<R>; N]) -> [Vector<R>; N] {
        let mut carried = vectors;
        if !matches!(self.kind, TransportKind::Exact | TransportKind::AveragedSpin) {
            for v in &mut carried {
                *v = self.carry(*v);
            }
            return carried;
        }
        let Self { normal1: n, mean_normal: m, cosine: c, sine: s, .. } = *self;
        // c (v − m (n₁·v)) + s n₁ × (v − m (n₁·v))
        let p = (m * c).plus_scaled(n.cross(m), s);
        let sn = n * s;
        let rows = [
            Vector::new(c, -sn.z, sn.y).minus_scaled(n, p.x),
            Vector::new(sn.z, c, -sn.x).minus_scaled(n, p.y),
            Vector::new(-sn.y, sn.x, c).minus_scaled(n, p.z),
        ];
        for v in &mut carried {
            *v = Vector::new(rows[0].dot(*v), rows[1].dot(*v), rows[2].dot(*v));
        }
        if !self.regular.all() {
            for v in &mut carried {
                *v = Vector::select(self.regular, *v, Vector::zero());
            }
        }
        carried
    }
}

/// Cosine and sine of the mean of the rotation vectors of the rescaled Rodrigues vectors `turn_i`, `turn_j` along a direction. Out of line,
/// one contact at a time and with copies: a comparison must not cost the default its registers.
#[cold]
#[inline(never)]
fn averaged_twists<R: Lanes>(turn_i: Vector<R>, turn_j: Vector<R>, direction: Vector<R>) -> (R, R) {
    let rotation_vector = |a: DVec3| {
        let size = a.length();
        if size > 0.0 { a * (2.0 * alone::atan(0.5 * size) / size) } else { a }
    };
    let twist = |lane| {
        0.5 * (rotation_vector(turn_i.lane(lane)) + rotation_vector(turn_j.lane(lane))).dot(direction.lane(lane))
    };
    (R::from_lanes(|lane| alone::cos(twist(lane))), R::from_lanes(|lane| alone::sin(twist(lane))))
}

#[cfg(test)]
impl Transport {
    /// The transport in numbers of which nothing is known.
    pub fn with_pessimism(&self) -> Transport<crate::pessimist::Pessimist> {
        use crate::pessimist::{Doubt, Pessimist};
        let vector = |v: Vector| Vector::new(Pessimist(v.x), Pessimist(v.y), Pessimist(v.z));
        Transport {
            kind: self.kind,
            mean_normal: vector(self.mean_normal),
            regular: Doubt(self.regular),
            normal1: vector(self.normal1),
            cosine: Pessimist(self.cosine),
            sine: Pessimist(self.sine),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dem_core::DQuat;
    use dem_core::rotation::{quaternion_from_rodrigues, rodrigues_from_rotation_vector};

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

    /// Error of a unit vector that a kind carried through a turn of 90° in equal steps about the unit vector `axis`.
    fn error_after_a_quarter(kind: TransportKind, axis: DVec3, steps: u32) -> f64 {
        let angle = std::f64::consts::FRAC_PI_2;
        let turned = |k: u32| DQuat::from_axis_angle(axis, angle * f64::from(k) / f64::from(steps));
        let a = rodrigues_from_rotation_vector(axis * (angle / f64::from(steps))).into();
        let mut f = Vector::from(DVec3::Y);
        for k in 0..steps {
            f = Transport::new(kind, (turned(k) * DVec3::X).into(), (turned(k + 1) * DVec3::X).into(), a, a).carry(f);
        }
        (DVec3::from(f) - turned(steps) * DVec3::Y).length()
    }

    /// Quarter turns about the normal, about an axis across it and about one at 55° to it, in 10 and in 1,000 steps. A projection shortens
    /// the vector by `1 − θ²/2` per step if it turns with the plane, 11.7 % and 0.123 % in all; the first-order twirl lengthens it by
    /// `1 + θ²/2`, 13.0 % and 0.123 %; the averaged spin errs by 0.064 θ³; kinds without twist err by 2 sin(90°/2).
    #[test]
    fn kinds_for_comparison_err_by_the_known_amount() {
        let (along, across) = (DVec3::X, DVec3::Z);
        let inclined = DVec3::new(1.0, 0.0, 2.0f64.sqrt()).normalize();
        let exact = [0.0, 0.0];
        let opposite = [2.0f64.sqrt(); 2];
        let expected = [
            (TransportKind::Exact, [exact, exact, exact]),
            (TransportKind::AveragedSpin, [exact, exact, [2.49e-3, 2.49e-7]]),
            (TransportKind::ProjectionTwirl, [[0.1305, 1.233e-3], [0.1167, 1.233e-3], [0.0407, 4.11e-4]]),
            (TransportKind::Projection, [opposite, [0.1167, 1.233e-3], [0.877, 0.876]]),
            (TransportKind::ScaledProjection, [opposite, exact, [0.903, 0.876]]),
            (TransportKind::None, [opposite, opposite, opposite]),
        ];
        for (kind, errors) in expected {
            for (axis, expected) in [along, across, inclined].into_iter().zip(errors) {
                let found = [10, 1000].map(|steps| error_after_a_quarter(kind, axis, steps));
                println!("{kind:?} about {axis:.2}: {:.3e} in 10 steps, {:.3e} in 1,000", found[0], found[1]);
                for (found, expected) in found.into_iter().zip(expected) {
                    // round-off of 1,000 steps, three digits of the figures above
                    assert!((found - expected).abs() <= 1e-12 + 5e-3 * expected, "{kind:?} {axis}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn every_name_has_a_kind() {
        assert_eq!(TransportKind::from_name(TransportKind::NAMES[0]), Some(TransportKind::default()));
        assert!(TransportKind::NAMES.iter().all(|name| TransportKind::from_name(name).is_some()));
    }
}
