//! Motions of a spinning body whose orientation is known in closed form. They share no code with the rotations of the engine.

use dem_core::{DQuat, DVec3};

/// Rotation by a vector \[rad\], from its sine and cosine.
pub fn turn(vector: DVec3) -> DQuat {
    let angle = vector.length();
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let v = vector * (sine / angle);
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// Angle from one orientation to another, 0 to π \[rad\].
pub fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let difference = a * b.conjugate();
    2.0 * libm::atan2(difference.xyz().length(), difference.w.abs())
}

/// A spin that precesses at a constant rate about a fixed axis: `ω(t) = exp(t Ω) ω₀`. From no rotation at t = 0 it leads to
/// `exp(t Ω) exp(t (ω₀ − Ω))`, a body turning steadily in a frame that turns steadily. Constant if Ω = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecessingSpin {
    /// Spin at t = 0 \[rad/s\].
    pub spin: DVec3,
    /// Rate of precession Ω \[rad/s\].
    pub precession: DVec3,
}

impl PrecessingSpin {
    /// Spin \[rad/s\] at a time \[s\].
    pub fn spin(&self, time: f64) -> DVec3 {
        turn(self.precession * time) * self.spin
    }

    /// Orientation at a time \[s\].
    pub fn orientation(&self, time: f64) -> DQuat {
        turn(self.precession * time) * turn((self.spin - self.precession) * time)
    }
}

/// Directions spread over the sphere, the first along z.
pub fn directions(count: usize) -> Vec<DVec3> {
    // golden angle
    let azimuth = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let direction = |k: usize| {
        let z = 1.0 - 2.0 * k as f64 / count as f64;
        let (sine, cosine) = libm::sincos(k as f64 * azimuth);
        let across = (1.0 - z * z).max(0.0).sqrt();
        DVec3::new(across * cosine, across * sine, z)
    };
    (0..count).map(direction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_of_the_precessing_body_turns_with_its_spin() {
        let motion = PrecessingSpin { spin: DVec3::new(0.8, 0.1, -0.5), precession: DVec3::new(0.2, 0.0, 0.7) };
        let (time, h) = (1.7, 1e-4);
        let difference = motion.orientation(time + h) * motion.orientation(time - h).conjugate();
        // the angle of a small rotation is twice its vector part; the error of the central difference is of second order
        let spin = difference.xyz() * (2.0 / (2.0 * h));
        assert!((spin - motion.spin(time)).length() < 1e-8);
        assert_eq!(motion.orientation(0.0), DQuat::IDENTITY);
    }

    #[test]
    fn directions_are_unit_vectors_and_differ() {
        let all = directions(7);
        assert_eq!(all[0], DVec3::Z);
        for (k, a) in all.iter().enumerate() {
            assert!((a.length() - 1.0).abs() < 1e-15);
            assert!(all[..k].iter().all(|b| a.dot(*b) < 0.9));
        }
    }
}
