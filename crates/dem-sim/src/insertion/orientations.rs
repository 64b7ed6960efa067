//! Orientations of bodies that are inserted.
//!
//! The orientation of a body is a function of the source's stream of random numbers and of its number in the source. So it is the same however often
//! a place is tried: bodies that find no place at once do not try another orientation, which would leave those out that need more room. And nothing
//! has to be kept for a restart.
//!
//! Uniform orientations: K. Shoemake, Uniform random rotations, Graphics Gems III (1992) 124. Sine and cosine are those of the engine, for the same
//! bits on every machine.

use std::f64::consts::TAU;

use dem_core::lanes::functions::alone::{cos, sin};
use glam::{DQuat, DVec3};
use rand_pcg::Pcg64Mcg;

use super::random_stream::numbered;
use super::uniform;

/// How bodies are turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OrientationLaw {
    /// Uniform over all orientations.
    Random,
    /// All alike.
    Fixed(DQuat),
    /// An axis of the body evenly in a cone about a direction, and the rotation about it uniform.
    Cone {
        /// The axis in the frame of the body.
        own: DVec3,
        /// The direction in space, of length one.
        axis: DVec3,
        /// Cosine of the largest angle between them.
        cosine: f64,
    },
}

/// The orientations of the bodies of a source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orientations {
    /// How they are turned.
    pub law: OrientationLaw,
    /// Stream of random numbers of the source.
    pub stream: u128,
}

impl Orientations {
    /// Orientation of the body of a number: from the frame in which the body is written to space.
    pub fn of(&self, number: u64) -> DQuat {
        let mut rng = Pcg64Mcg::new(numbered(self.stream, number));
        match self.law {
            OrientationLaw::Fixed(orientation) => orientation,
            OrientationLaw::Random => uniform_rotation(&mut rng),
            OrientationLaw::Cone { own, axis, cosine } => {
                // a zone of the sphere is as large as it is high
                let height = uniform::between(&mut rng, cosine, 1.0);
                let around = TAU * uniform::unit(&mut rng);
                let across = (1.0 - height * height).max(0.0).sqrt();
                let (u, v) = axis.any_orthonormal_pair();
                let target = (height * axis + across * (cos(around) * u + sin(around) * v)).normalize();
                let half = 0.5 * TAU * uniform::unit(&mut rng);
                let about = sin(half) * target;
                DQuat::from_xyzw(about.x, about.y, about.z, cos(half)) * shortest_turn(own, target)
            }
        }
    }
}

/// A rotation uniform over all rotations.
fn uniform_rotation(rng: &mut Pcg64Mcg) -> DQuat {
    let [share, first, second] = [0; 3].map(|_| uniform::unit(rng));
    let (first, second) = (TAU * first, TAU * second);
    let [a, b] = [(1.0 - share).sqrt(), share.sqrt()];
    DQuat::from_xyzw(a * sin(first), a * cos(first), b * sin(second), b * cos(second))
}

/// The shortest rotation from one unit vector to another.
fn shortest_turn(from: DVec3, to: DVec3) -> DQuat {
    let cosine = from.dot(to);
    if cosine < -1.0 + 1e-12 {
        // half a turn about any axis across
        let axis = from.any_orthonormal_vector();
        return DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let axis = from.cross(to);
    let q = DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine);
    q * (1.0 / q.length())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: u64 = 40_000;

    fn all(law: OrientationLaw) -> impl Iterator<Item = DQuat> {
        let orientations = Orientations { law, stream: 0x1234_5678_9abc };
        (0..MANY).map(move |number| orientations.of(number))
    }

    #[test]
    fn random_orientations_are_uniform() {
        let (mut angle, mut squares, mut products) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for q in all(OrientationLaw::Random) {
            assert!((q.length() - 1.0).abs() < 1e-14);
            angle += 2.0 * q.w.abs().min(1.0).acos() / MANY as f64;
            let n = q * DVec3::X;
            squares += n * n / MANY as f64;
            products += DVec3::new(n.y * n.z, n.z * n.x, n.x * n.y) / MANY as f64;
        }
        // standard deviations of one: of the angle 0.65, of a square (4/45)^½, of a product (1/15)^½; four times those of the mean
        let of_mean = 4.0 / (MANY as f64).sqrt();
        assert!((angle - (std::f64::consts::FRAC_PI_2 + 2.0 / std::f64::consts::PI)).abs() < 0.65 * of_mean, "{angle}");
        assert!((squares - 1.0 / 3.0).abs().max_element() < 0.3 * of_mean, "{squares}");
        assert!(products.abs().max_element() < 0.26 * of_mean, "{products}");
    }

    #[test]
    fn axes_fill_their_cone_evenly_and_bodies_turn_about_them() {
        let (axis, cosine) = (DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.6);
        let own = DVec3::new(0.0, 0.6, 0.8);
        let (mut mean, mut across) = (0.0, DVec3::ZERO);
        for q in all(OrientationLaw::Cone { own, axis, cosine }) {
            let height = (q * own).dot(axis);
            assert!((0.6 - 1e-12..=1.0 + 1e-12).contains(&height));
            mean += height / MANY as f64;
            across += q * DVec3::X / MANY as f64;
        }
        assert!((mean - 0.8).abs() < 4.0 * 0.4 / (12.0 * MANY as f64).sqrt(), "{mean}");
        assert!(across.length() < 0.02, "{across}");
    }

    #[test]
    fn a_cone_of_no_angle_is_the_axis_even_against_that_of_the_body() {
        for axis in [DVec3::Z, DVec3::NEG_Z, DVec3::X] {
            for q in all(OrientationLaw::Cone { own: DVec3::Z, axis, cosine: 1.0 }).take(10) {
                assert!((q * DVec3::Z - axis).length() < 1e-14, "{axis}");
            }
        }
    }
}
