//! Prescribed motions of a wall: the pose is a closed-form function of time, so that restarts and step sizes do not alter it.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::Course;

/// Position of the reference point and orientation, and how far the surface has slid along itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Reference point \[m\].
    pub position: DVec3,
    /// Orientation, body frame to space frame.
    pub orientation: DQuat,
    /// Displacement of the surface of a belt along itself, which leaves the shape where it is \[m\].
    pub slid: DVec3,
}

impl Pose {
    /// A pose whose surface has not slid.
    pub const fn new(position: DVec3, orientation: DQuat) -> Self {
        Self { position, orientation, slid: DVec3::ZERO }
    }
}

/// How a wall moves: a constant velocity, an oscillation, a rotation about its reference point and the motion of a table, superposed; and how its
/// surface moves along itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Velocity of the surface of a belt, which leaves the shape where it is; its part along the surface counts \[m/s\].
    pub surface_velocity: DVec3,
    /// Motion given by a table.
    pub course: Option<Box<Course>>,
}

impl Motion {
    /// Whether the wall stays where it is.
    pub fn is_fixed(&self) -> bool {
        self.velocity == DVec3::ZERO
            && (self.amplitude == DVec3::ZERO || self.frequency == 0.0)
            && self.angular_velocity == DVec3::ZERO
            && self.course.is_none()
    }

    /// Whether the wall or its surface moves, and so may do work.
    pub fn does_work(&self) -> bool {
        !self.is_fixed() || self.surface_velocity != DVec3::ZERO
    }

    /// Pose after the time `elapsed` \[s\] since the motion started from `origin`.
    pub fn pose(&self, origin: &Pose, elapsed: f64) -> Pose {
        let angle = std::f64::consts::TAU * self.frequency * elapsed + self.phase;
        let swing = libm::sin(angle) - libm::sin(self.phase);
        let spin = self.angular_velocity.length();
        let mut orientation = if spin > 0.0 {
            let half = 0.5 * spin * elapsed;
            let v = self.angular_velocity * (libm::sin(half) / spin);
            (DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(half)) * origin.orientation).normalize()
        } else {
            origin.orientation
        };
        let mut position = origin.position + self.velocity * elapsed + self.amplitude * swing;
        if let Some(course) = &self.course {
            let point = course.at(elapsed);
            position += point.displacement;
            if point.angle != 0.0 {
                let v = course.axis() * libm::sin(0.5 * point.angle);
                let turn = DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(0.5 * point.angle));
                orientation = (turn * orientation).normalize();
            }
        }
        let slid = origin.slid + self.surface_velocity * elapsed;
        Pose { position, orientation, slid }
    }

    /// Velocity of the reference point after the time `elapsed` \[s\] \[m/s\].
    pub fn velocity_at(&self, elapsed: f64) -> DVec3 {
        let rate = std::f64::consts::TAU * self.frequency;
        let closed = self.velocity + self.amplitude * (rate * libm::cos(rate * elapsed + self.phase));
        self.course.as_ref().map_or(closed, |course| closed + course.at(elapsed).velocity)
    }

    /// Angular velocity after the time `elapsed` \[s\] \[rad/s\].
    pub fn angular_velocity_at(&self, elapsed: f64) -> DVec3 {
        let turned = |course: &Course| self.angular_velocity + course.axis() * course.at(elapsed).spin;
        self.course.as_ref().map_or(self.angular_velocity, |course| turned(course))
    }

    /// Largest angular velocity \[rad/s\].
    pub fn spin_bound(&self) -> f64 {
        let of_course = self.course.as_ref().map_or(0.0, |course| course.fastest_spin());
        self.angular_velocity.length() + of_course
    }

    /// Largest speed of a point within `reach` of the reference point \[m/s\].
    pub fn speed_bound(&self, reach: f64) -> f64 {
        let spin = self.spin_bound();
        // reach may be infinite
        let spinning = if spin == 0.0 { 0.0 } else { spin * reach };
        let swinging = std::f64::consts::TAU * self.frequency * self.amplitude.length();
        let of_course = self.course.as_ref().map_or(0.0, |course| course.fastest());
        self.velocity.length() + swinging + spinning + of_course
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Pose = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::IDENTITY);

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
    #[test]
    fn a_course_moves_and_turns_the_wall_as_its_table_says() {
        use crate::wall::{CourseEnds, CourseRow};
        let row = |time, angle| CourseRow { time, position: DVec3::X * time, angle };
        let course = Course::new(&[row(0.0, 0.0), row(1.0, 0.3), row(2.0, 0.9)], DVec3::Z, CourseEnds::Stay).unwrap();
        let motion = Motion { course: Some(Box::new(course)), ..Motion::default() };
        assert!(!motion.is_fixed());
        let pose = motion.pose(&ORIGIN, 5.0);
        assert!((pose.position - ORIGIN.position - 2.0 * DVec3::X).length() < 1e-15);
        assert!(pose.orientation.abs_diff_eq(DQuat::from_rotation_z(0.9), 1e-15));
        let (t, h) = (0.6, 1e-6);
        let turned = motion.pose(&ORIGIN, t + h).orientation * motion.pose(&ORIGIN, t - h).orientation.conjugate();
        let rate = motion.angular_velocity_at(t);
        assert!((DVec3::new(turned.x, turned.y, turned.z) / h - rate).length() < 1e-6 && rate.z > 0.1);
        assert!(rate.z <= motion.spin_bound() && motion.velocity_at(t).length() <= motion.speed_bound(0.0));
    }

    #[test]
    fn a_surface_that_slides_leaves_the_wall_in_place() {
        let motion = Motion { surface_velocity: DVec3::X, ..Motion::default() };
        assert!(motion.is_fixed() && motion.does_work());
        let pose = motion.pose(&ORIGIN, 2.0);
        assert_eq!((pose.position, pose.orientation, pose.slid), (ORIGIN.position, ORIGIN.orientation, 2.0 * DVec3::X));
        assert_eq!((motion.velocity_at(2.0), motion.speed_bound(1.0)), (DVec3::ZERO, 0.0));
    }
}
