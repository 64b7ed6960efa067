//! One impact, and the scales of its dimensionless groups.

use dem_reference::hertz_impact::NormalImpact;
use dem_reference::oblique_impact::ObliqueImpact;

use super::collision::Collision;
use crate::error::StudyError;
use crate::sphere_and_partner::{Approach, SphereAndPartner};

/// What is run once.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The bodies and their contact.
    pub bodies: SphereAndPartner,
    /// Angle of incidence from the normal \[degrees\].
    pub angle: f64,
    /// Velocities before.
    pub approach: Approach,
    /// Time steps per duration of the impact.
    pub steps: f64,
}

/// Scales of the dimensionless groups of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Largest force of Hertz's impact \[N\].
    pub normal_force: f64,
    /// Largest overlap of Hertz's impact \[m\].
    pub overlap: f64,
    /// `μ` times the largest force \[N\].
    pub tangential_force: f64,
    /// Speed of approach \[m/s\].
    pub normal_speed: f64,
    /// Contact velocity with ψ = 1 \[m/s\].
    pub velocity: f64,
    /// Slip with the value 1, `μ δ_max/κ` \[m\].
    pub displacement: f64,
    /// χ.
    pub chi: f64,
    /// ψ at touch.
    pub psi: f64,
}

impl Case {
    /// The impact for the reference solutions.
    ///
    /// # Errors
    /// Constants out of range, no friction among them.
    pub fn oblique(&self) -> Result<ObliqueImpact, StudyError> {
        Ok(ObliqueImpact {
            pair: self.bodies.pair()?,
            normal_speed: self.approach.normal_speed,
            tangential_velocity: self.approach.tangential_velocity,
            surface_speed: self.bodies.spheres() * self.bodies.radius * self.approach.spin,
        })
    }

    /// Scales of the groups.
    ///
    /// # Errors
    /// As [`Self::oblique`].
    pub fn scales(&self) -> Result<Scales, StudyError> {
        let oblique = self.oblique()?;
        let largest = NormalImpact::new(&oblique.pair, oblique.normal_speed);
        Ok(Scales {
            normal_force: largest.force,
            overlap: largest.overlap,
            tangential_force: oblique.pair.friction * largest.force,
            normal_speed: oblique.normal_speed,
            velocity: oblique.velocity_scale(),
            displacement: oblique.pair.friction * largest.overlap / oblique.pair.stiffness_ratio(),
            chi: oblique.pair.chi(),
            psi: oblique.psi(),
        })
    }

    /// Runs it.
    ///
    /// # Errors
    /// As [`Collision::run`].
    pub fn run(&self) -> Result<Collision, StudyError> {
        Collision::run(&self.bodies, self.approach, self.steps)
    }
}
