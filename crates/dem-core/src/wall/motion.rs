//! Prescribed motions of a wall: the pose is a closed-form function of time, so that restarts and step sizes do not alter it.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Position of the reference point and orientation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Reference point \[m\].
    pub position: DVec3,
    /// Orientation, body frame to space frame.
    pub orientation: DQuat,
}

/// How a wall moves: a constant velocity, an oscillation and a rotation about its reference point, superposed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Velocity of the reference point \[m/s\].
    pub velocity: DVec3,
    /// Amplitude of the oscillation \[m\].
    pub amplitude: DVec3,
    /// Frequency of the oscillation \[Hz\].
    pub frequency: f64,
    /// Phase of the oscillation \[rad\]; the displacement is `A (sin(2πft + φ) − sin φ)`.
    pub phase: f64,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
}

impl Motion {
    /// Whether the wall stays where it is.
    pub fn is_fixed(&self) -> bool {
        self.velocity == DVec3::ZERO
            && (self.amplitude == DVec3::ZERO || self.frequency == 0.0)
            && self.angular_velocity == DVec3::ZERO
    }

    /// Pose after the time `elapsed` \[s\] since the motion started from `origin`.
    pub fn pose(&self, origin: &Pose, elapsed: f64) -> Pose {
        let angle = std::f64::consts::TAU * self.frequency * elapsed + self.phase;
        let swing = libm::sin(angle) - libm::sin(self.phase);
        let spin = self.angular_velocity.length();
        let orientation = if spin > 0.0 {
            let half = 0.5 * spin * elapsed;
            let v = self.angular_velocity * (libm::sin(half) / spin);
            (DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(half)) * origin.orientation).normalize()
        } else {
            origin.orientation
        };
        Pose { position: origin.position + self.velocity * elapsed + self.amplitude * swing, orientation }
    }

    /// Velocity of the reference point after the time `elapsed` \[s\] \[m/s\].
    pub fn velocity_at(&self, elapsed: f64) -> DVec3 {
        let rate = std::f64::consts::TAU * self.frequency;
        self.velocity + self.amplitude * (rate * libm::cos(rate * elapsed + self.phase))
    }

    /// Angular velocity \[rad/s\].
    pub fn angular_velocity(&self) -> DVec3 {
        self.angular_velocity
    }

    /// Largest speed of a point within `reach` of the reference point \[m/s\].
    pub fn speed_bound(&self, reach: f64) -> f64 {
        let spinning = if self.angular_velocity == DVec3::ZERO { 0.0 } else { self.angular_velocity.length() * reach };
        self.velocity.length() + std::f64::consts::TAU * self.frequency * self.amplitude.length() + spinning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Pose = Pose { position: DVec3::new(1.0, 2.0, 3.0), orientation: DQuat::IDENTITY };

    #[test]
    fn oscillation_starts_at_rest_position_and_returns_after_a_period() {
        let motion = Motion { amplitude: DVec3::Z, frequency: 5.0, phase: 0.7, ..Motion::default() };
        assert_eq!(motion.pose(&ORIGIN, 0.0), ORIGIN);
        let later = motion.pose(&ORIGIN, 0.2);
        assert!((later.position - ORIGIN.position).length() < 1e-14);
    }

    #[test]
    fn velocity_is_the_derivative_of_the_position() {
        let motion =
            Motion { velocity: DVec3::X, amplitude: DVec3::Z, frequency: 5.0, phase: 0.7, ..Motion::default() };
        let (t, h) = (0.123, 1e-5);
        let slope = (motion.pose(&ORIGIN, t + h).position - motion.pose(&ORIGIN, t - h).position) / (2.0 * h);
        assert!((slope - motion.velocity_at(t)).length() < 1e-6);
    }

    #[test]
    fn rotation_turns_by_rate_times_time() {
        let motion = Motion { angular_velocity: DVec3::new(0.0, 0.0, 2.0), ..Motion::default() };
        let q = motion.pose(&ORIGIN, 0.4).orientation;
        assert!(q.abs_diff_eq(DQuat::from_rotation_z(0.8), 1e-15));
    }
}
