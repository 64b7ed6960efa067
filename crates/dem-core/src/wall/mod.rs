//! Walls: rigid bodies with a shape, a pose that may follow a prescribed motion, and the loads they feel.

mod course;
mod lanes;
pub mod mesh;
mod motion;
mod revolution;
mod ring;
mod shape;
mod surface_point;
#[cfg(test)]
mod tests;

pub use course::{Course, CourseEnds, CourseError, CoursePoint, CourseRow, MOST_ROWS};
pub use lanes::SurfacePoints;
pub use mesh::{Mesh, MeshError};
pub use motion::{Motion, Pose};
pub use shape::{BoxFaces, Shape};
pub use surface_point::SurfacePoint;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::rotation;

/// A wall. Its shape is given in the body frame, which coincides with the space frame shifted by `pose.position` at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Name, unique in a scene.
    pub name: String,
    /// Shape in the body frame.
    pub shape: Shape,
    /// Index of the material.
    pub material: u16,
    /// Whether the curvature of the surface enters the effective radius of a contact.
    pub curved_contact: bool,
    /// Whether forces at a distance act between particles and it, as the scene says.
    #[serde(skip)]
    pub near_field: bool,
    /// How it moves.
    pub motion: Motion,
    /// Time at which the present motion started \[s\].
    pub motion_start: f64,
    /// Pose at which the present motion started.
    pub motion_origin: Pose,
    /// Whether particles touch it.
    pub active: bool,
    /// Pose at the end of the present step.
    pub pose: Pose,
    /// Pose at the start of the present step.
    pub previous_pose: Pose,
    /// Rotation of the present step as a rescaled Rodrigues vector.
    pub rotation_increment: DVec3,
    /// Velocity of the reference point \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
    /// Force of the particles on the wall \[N\].
    pub force: DVec3,
    /// Torque of the particles on the wall about its reference point \[N m\].
    pub torque: DVec3,
    /// Force of the particles along the surface, which is what a surface that slides works against; known while it does \[N\].
    pub surface_force: DVec3,
    /// Work done by the wall on the particles so far \[J\].
    pub work: f64,
}

impl Wall {
    /// A wall whose motion begins, and whose reference point is `reference` \[m\]; `shape` is given in the space frame.
    pub fn new(name: &str, shape: Shape, reference: DVec3, material: u16, motion: Motion) -> Self {
        let pose = Pose::new(reference, DQuat::IDENTITY);
        Self {
            name: name.to_owned(),
            shape: shape.shifted(-reference),
            material,
            curved_contact: false,
            near_field: false,
            motion,
            motion_start: 0.0,
            motion_origin: pose,
            active: true,
            pose,
            previous_pose: pose,
            rotation_increment: DVec3::ZERO,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            surface_force: DVec3::ZERO,
            work: 0.0,
        }
        .moving(0.0)
    }

    /// The wall with the velocities that its motion has after the time `elapsed` \[s\].
    fn moving(mut self, elapsed: f64) -> Self {
        self.velocity = self.motion.velocity_at(elapsed);
        self.angular_velocity = self.motion.angular_velocity_at(elapsed);
        self
    }

    /// Moves the wall along its prescribed motion over the step that ends at `time` \[s\].
    pub fn advance(&mut self, time: f64) {
        self.previous_pose = self.pose;
        let elapsed = time - self.motion_start;
        if self.motion.is_fixed() {
            self.velocity = DVec3::ZERO;
            self.angular_velocity = DVec3::ZERO;
            self.rotation_increment = DVec3::ZERO;
            self.pose.slid = self.motion_origin.slid + self.motion.surface_velocity * elapsed;
            return;
        }
        self.pose = self.motion.pose(&self.motion_origin, elapsed);
        self.rotation_increment = rotation::rodrigues_between(self.previous_pose.orientation, self.pose.orientation);
        self.velocity = self.motion.velocity_at(elapsed);
        self.angular_velocity = self.motion.angular_velocity_at(elapsed);
    }

    /// Starts a new motion from the present pose at `time` \[s\]; the wall has its velocities from now on.
    pub fn set_motion(&mut self, motion: Motion, time: f64) {
        self.motion = motion;
        self.motion_start = time;
        self.motion_origin = self.pose;
        self.velocity = self.motion.velocity_at(0.0);
        self.angular_velocity = self.motion.angular_velocity_at(0.0);
    }

    /// Nearest surface point of a feature to a point, for a pose of the wall, in the space frame.
    #[inline]
    pub fn surface_point(&self, pose: &Pose, feature: u32, point: DVec3) -> SurfacePoint {
        self.surface_point_within(pose, feature, point, f64::INFINITY)
    }

    /// The same; whether it is [nearest](SurfacePoint::is_nearest) is not needed where it is not nearer than `reach` \[m\].
    #[inline]
    pub fn surface_point_within(&self, pose: &Pose, feature: u32, point: DVec3, reach: f64) -> SurfacePoint {
        let mut surface = self.shape.surface_point_within(feature, Self::local(pose, point), reach);
        if pose.orientation != DQuat::IDENTITY {
            surface.normal = pose.orientation * surface.normal;
        }
        surface
    }

    /// How far a point may move against the wall before the answer may change whether a feature can be touched there, see [`Shape::certainty`].
    pub fn certainty(&self, feature: u32, point: DVec3) -> f64 {
        self.shape.certainty(feature, Self::local(&self.pose, point))
    }

    /// A point of the space frame in the body frame of a pose.
    #[inline]
    fn local(pose: &Pose, point: DVec3) -> DVec3 {
        let offset = point - pose.position;
        if pose.orientation == DQuat::IDENTITY { offset } else { pose.orientation.conjugate() * offset }
    }

    /// Facet of a mesh that a contact of a sphere around a point of the space frame with a feature belongs to, see [`Mesh::facet_at`]; none of walls of
    /// other shapes.
    pub fn facet_at(&self, feature: u32, point: DVec3) -> Option<u32> {
        match &self.shape {
            Shape::Mesh { mesh, at } => mesh.facet_at(feature, Self::local(&self.pose, point) - *at),
            _ => None,
        }
    }

    /// Calls `visit` for every feature that can be touched over a distance of `reach` from some place within `margin` of a point of the space
    /// frame \[m\], for some more than once.
    pub fn visit_near(&self, point: DVec3, reach: f64, margin: f64, visit: &mut dyn FnMut(u32)) {
        self.shape.visit_near(Self::local(&self.pose, point), reach, margin, visit);
    }

    /// Distance from a point to the nearest feature \[m\]; negative inside a half-space.
    pub fn distance(&self, point: DVec3) -> f64 {
        self.shape.distance(Self::local(&self.pose, point))
    }

    /// Upper bound of how far the surface has moved since the wall had the pose `since`, within `reach` of the reference point \[m\].
    ///
    /// A rotation that maps the shape onto itself moves nothing.
    pub fn surface_displacement(&self, since: &Pose, reach: f64) -> f64 {
        let translation = (self.pose.position - since.position).length();
        let turned = self.pose.orientation * since.orientation.conjugate();
        let axis = DVec3::new(turned.x, turned.y, turned.z);
        if axis == DVec3::ZERO || self.shape.is_invariant_about(self.pose.orientation.conjugate() * axis) {
            translation
        } else {
            translation + 2.0 * axis.length().min(1.0) * reach
        }
    }

    /// Largest speed of any material point within `reach` of the reference point \[m/s\].
    pub fn speed_bound(&self, reach: f64) -> f64 {
        self.motion.speed_bound(reach)
    }
}
