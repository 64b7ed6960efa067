//! Single contacts, as callers read them.

use dem_core::DVec3;
use dem_core::contact_list::ContactKey;
use dem_core::history::ContactWork;

use crate::force_loop::kinematics::geometry::Levers;
use crate::law::{Dashpots, ElasticEnergy, Response, Stiffness};

/// Load of one contact on its two bodies.
#[derive(Clone, Copy, Debug)]
pub struct PairLoad {
    force: DVec3,
    moment: DVec3,
    couple: DVec3,
    lever: [f64; 2],
}

impl PairLoad {
    pub(crate) fn new(normal: DVec3, levers: &Levers, response: Response) -> Self {
        let tangential = DVec3::from(response.tangential_force);
        Self {
            force: tangential - normal * response.normal_force,
            moment: normal.cross(tangential),
            couple: response.couple.into(),
            lever: [levers.first_length, levers.second_length],
        }
    }

    /// Force \[N\] and torque about the centre \[N m\] on the first body (side 0) or, if it is a particle, on the second (side 1).
    pub fn on(&self, side: usize) -> (DVec3, DVec3) {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        (self.force * sign, self.moment * self.lever[side] + self.couple * sign)
    }
}

/// A contact as read by outputs, energy sums and the time-step bound: it touches, or is within the range of its law.
#[derive(Clone, Copy, Debug)]
pub struct ContactView {
    /// Identity.
    pub key: ContactKey,
    /// Index in the contact list.
    pub candidate: usize,
    /// Slot of the first particle.
    pub first: usize,
    /// Slot of the second particle, or number of the wall.
    pub second: usize,
    /// Unit normal from the first body to the second.
    pub normal: DVec3,
    /// Overlap \[m\]; negative within the range of a law that acts at a distance.
    pub overlap: f64,
    /// Whether its liquid is that of films.
    pub shares_films: bool,
    /// Whether it counts as a contact: the surfaces touch, or bodies that have touched still adhere.
    pub touches: bool,
    /// From the centre of the first body to that of the second, or to the contact point on a wall \[m\].
    pub branch: DVec3,
    /// Lever arms of the contact point \[m\].
    pub levers: Levers,
    /// Damping part of the normal force, if the law keeps it \[N\].
    pub(crate) kept_dashpot_force: Option<f64>,
    /// Tangential force on the first body without what dashpots add to it, if that differs from the whole \[N\].
    pub(crate) kept_tangential_force: Option<DVec3>,
    /// Normal force without dashpots and the viscosity of a liquid \[N\].
    pub(crate) undamped_force: f64,
    /// Whether a viscous liquid acts beside the dashpots.
    pub(crate) lubricates: bool,
    /// Elastic part of the normal force \[N\].
    pub elastic_force: f64,
    /// Tangent stiffness.
    pub stiffness: Stiffness,
    /// Viscosities of its dashpots.
    pub dashpots: Dashpots,
    /// Elastic energy.
    pub energy: ElasticEnergy,
    /// Elastic slip \[m\].
    pub elastic_slip: DVec3,
    /// Work so far.
    pub work: ContactWork,
}

impl ContactView {
    /// Damping part of the normal force \[N\], given the force on the first body.
    pub fn dashpot_force(&self, force: DVec3) -> f64 {
        self.kept_dashpot_force.unwrap_or_else(|| self.damped_force(force))
    }

    /// What of the normal force is not elastic and no pull \[N\].
    fn damped_force(&self, force: DVec3) -> f64 {
        -force.dot(self.normal) - self.undamped_force
    }

    /// Damping part of the whole force on the first body, of normal and tangential dashpots, contact damping and viscous liquid \[N\], given that force.
    pub fn viscous_force(&self, force: DVec3) -> DVec3 {
        let tangential = self.kept_tangential_force.map_or(DVec3::ZERO, |rest| force.reject_from(self.normal) - rest);
        let normal = if self.lubricates { self.damped_force(force) } else { self.dashpot_force(force) };
        tangential - self.normal * normal
    }
}
