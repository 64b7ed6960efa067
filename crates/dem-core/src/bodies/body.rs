//! One rigid body.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};

use crate::frozen;
use crate::rotation::axes_of;
use crate::twist::Twist;

/// Marks a particle that belongs to no rigid body.
pub const NO_BODY: u32 = u32::MAX;

/// State of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Body {
    /// Centre of mass, inside the cell at the start of a step \[m\].
    pub position: DVec3,
    /// Centre at the start of the present step \[m\].
    pub previous_position: DVec3,
    /// Velocity of the centre \[m/s\]; during the evaluation of forces the prediction for the end of the step.
    pub velocity: DVec3,
    /// Angular momentum about the centre in the space frame \[kg m²/s\], predicted like the velocity.
    pub angular_momentum: DVec3,
    /// Rotation of the present step as a rescaled Rodrigues vector.
    pub rotation_increment: DVec3,
    /// Force of the last accepted evaluation \[N\].
    pub force: DVec3,
    /// Torque about the centre of the last accepted evaluation \[N m\].
    pub torque: DVec3,
    /// Principal moments of inertia, ascending \[kg m²\].
    pub moments: DVec3,
    /// Orientation, principal frame to space frame: x, y, z, w.
    pub orientation: [f64; 4],
    /// Mass \[kg\].
    pub mass: f64,
    /// Size in proportion to the template \[-\].
    pub scale: f64,
    /// Radius of the sphere of equal volume \[m\].
    pub equivalent_radius: f64,
    /// Energy taken so far by drag and by local and global damping \[J\].
    pub field_dissipation: f64,
    /// Stable identity, which its members name.
    pub id: u32,
    /// Index of the template.
    pub template: u32,
    /// Slot of the first member.
    pub first: u32,
    /// Number of members.
    pub count: u32,
    /// Periodic cells crossed so far.
    pub image: [i32; 3],
    /// Suppressed degrees of freedom, and given motions, see [`frozen`].
    pub frozen: u32,
}

impl Body {
    /// Orientation, principal frame to space frame.
    #[inline(always)]
    pub fn orientation(&self) -> DQuat {
        DQuat::from_array(self.orientation)
    }

    /// Slots of the members.
    pub fn members(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + self.count as usize
    }

    /// The principal axes in space: columns of the rotation matrix.
    pub fn axes(&self) -> [DVec3; 3] {
        axes_of::<f64>(self.orientation).map(Into::into)
    }

    /// A vector of the principal frame in space.
    pub fn to_space(&self, v: DVec3) -> DVec3 {
        let [a, b, c] = self.axes();
        a * v.x + b * v.y + c * v.z
    }

    /// A vector of space in the principal frame.
    pub fn to_principal(&self, v: DVec3) -> DVec3 {
        let [a, b, c] = self.axes();
        DVec3::new(a.dot(v), b.dot(v), c.dot(v))
    }

    /// Angular velocity in the space frame that an angular momentum gives in the present orientation \[rad/s\].
    pub fn spin_of(&self, angular_momentum: DVec3) -> DVec3 {
        if self.is_isotropic() {
            return angular_momentum / self.moments.y;
        }
        self.to_space(self.to_principal(angular_momentum) / self.moments)
    }

    /// Angular velocity in the space frame \[rad/s\].
    pub fn angular_velocity(&self) -> DVec3 {
        self.spin_of(self.angular_momentum)
    }

    /// Angular momentum in the present orientation of an angular velocity \[kg m²/s\].
    pub fn angular_momentum_of(&self, angular_velocity: DVec3) -> DVec3 {
        self.to_space(self.to_principal(angular_velocity) * self.moments)
    }

    /// Whether every axis is a principal one.
    #[inline(always)]
    pub fn is_isotropic(&self) -> bool {
        self.moments.x == self.moments.z
    }

    /// Whether any rotation is free, and not given.
    pub fn can_turn(&self) -> bool {
        let is_given = self.frozen & frozen::GIVEN_ROTATION != 0;
        !is_given && frozen::ROTATION.iter().any(|&bit| self.frozen as u8 & bit == 0)
    }

    /// Inverse of the mass as contacts see it \[1/kg\]: zero where no translation is free, or it is given.
    pub fn inverse_mass(&self) -> f64 {
        let is_given = self.frozen & frozen::GIVEN_TRANSLATION != 0;
        if is_given || self.frozen as u8 & frozen::ALL_TRANSLATIONS == frozen::ALL_TRANSLATIONS {
            0.0
        } else {
            1.0 / self.mass
        }
    }

    /// Kinetic energy of translation and of rotation \[J\].
    pub fn kinetic_energy(&self) -> [f64; 2] {
        let [linear, angular] = [self.velocity, self.angular_velocity()];
        [0.5 * self.mass * linear.length_squared(), 0.5 * angular.dot(self.angular_momentum)]
    }

    /// Velocity and angular momentum of the degrees of freedom that are not frozen.
    #[inline(always)]
    pub fn released(&self, twist: Twist) -> Twist {
        if self.frozen == 0 {
            return twist;
        }
        let frozen = self.frozen as u8;
        Twist::new(
            frozen::without(frozen, frozen::TRANSLATION, twist.linear),
            frozen::without(frozen, frozen::ROTATION, twist.angular),
        )
    }
}
