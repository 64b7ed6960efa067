//! A sphere pressed on a wall and moved along it by hand, through the same evaluation of contacts as a run.

use dem_contact::Mode;
use dem_contact::kernel::Acceptance;
use dem_core::DVec3;
use dem_core::history::FurtherWork;
use dem_report::ReportError;
use dem_sim::forces::ForceEvaluation;
use dem_sim::simulation::{Simulation, SimulationError};

use super::histories::{Load, Point};
use crate::error::StudyError;
use crate::sphere_and_partner::{Approach, SphereAndPartner};

/// The contact at a point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Overlap \[m\].
    pub overlap: f64,
    /// Slip since the start \[m\].
    pub slip: [f64; 2],
    /// Normal force \[N\].
    pub normal_force: f64,
    /// Tangential force against positive slip \[N\].
    pub tangential_force: [f64; 2],
    /// State of the tangential contact.
    pub mode: Mode,
    /// Stored in the tangential spring \[J\].
    pub elastic_tangential: f64,
    /// Dissipated by friction \[J\].
    pub friction_work: f64,
    /// Dissipated by dashpots \[J\].
    pub viscous_work: f64,
    /// Taken by changes of the tangential stiffness, negative for what they added \[J\].
    pub stiffness_work: f64,
    /// Lost where surfaces snapped together and apart \[J\].
    pub adhesion_work: f64,
    /// Taken by plastic deformation \[J\].
    pub plastic_work: f64,
}

/// A sphere over a wall.
pub struct DrivenContact {
    simulation: Simulation,
    evaluation: ForceEvaluation,
    slip: [f64; 2],
}

impl DrivenContact {
    /// A sphere that just touches; every point of its path takes `time_step` \[s\].
    ///
    /// # Errors
    /// What the builder refuses.
    pub fn new(bodies: &SphereAndPartner, time_step: f64) -> Result<Self, StudyError> {
        let still = Approach { normal_speed: 0.0, tangential_velocity: 0.0, spin: 0.0 };
        let simulation = bodies.pressed(still, 0.0, time_step)?;
        Ok(Self { simulation, evaluation: ForceEvaluation::default(), slip: [0.0; 2] })
    }

    /// Tangential stiffness of the law at an overlap \[N/m\].
    pub fn stiffness(&self, overlap: f64) -> f64 {
        let world = &self.simulation.world;
        let partner = world.walls.first().map_or(0, |wall| wall.material);
        let particles = &world.particles;
        world.kernels.first().map_or(f64::NAN, |kernel| {
            kernel.stiffness(particles.material[0], partner, particles.radius[0], overlap).tangential
        })
    }

    /// Goes to a point in one step.
    ///
    /// # Errors
    /// A step that fails, a normal force that the law does not reach within half the radius.
    pub fn step(&mut self, point: Point) -> Result<Answer, StudyError> {
        let start = self.simulation.world.particles.position[0];
        let overlap = match point.load {
            Load::Overlap(overlap) => overlap,
            Load::NormalForce(force) => self.overlap_at(start, force, point.slip)?,
        };
        self.evaluate(start, overlap, point.slip, Acceptance::Final)?;
        let world = &mut self.simulation.world;
        self.evaluation.commit(world);
        world.time += world.time_step;
        self.slip = point.slip;
        Ok(self.answer(overlap))
    }

    /// Goes through points.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn follow(&mut self, points: &[Point]) -> Result<Vec<Answer>, StudyError> {
        points.iter().map(|&point| self.step(point)).collect()
    }

    fn evaluate(
        &mut self,
        start: DVec3,
        overlap: f64,
        slip: [f64; 2],
        acceptance: Acceptance,
    ) -> Result<(), StudyError> {
        let world = &mut self.simulation.world;
        let (time_step, p) = (world.time_step, &mut world.particles);
        let end = DVec3::new(slip[0], slip[1], p.radius[0] - overlap);
        p.previous_position[0] = start;
        p.position[0] = end;
        p.velocity[0] = (end - start) / time_step;
        p.rotation_increment[0] = DVec3::ZERO;
        self.evaluation.evaluate(world, time_step, acceptance).map_err(SimulationError::from)?;
        Ok(())
    }

    /// Force on the sphere in the last evaluation \[N\].
    fn force(&self) -> DVec3 {
        let world = &self.simulation.world;
        let wrench = (0..world.list.first.len()).find_map(|candidate| world.forces.get(candidate));
        wrench.map_or(DVec3::ZERO, |wrench| DVec3::from_array(wrench.force))
    }

    /// Overlap at which a step ends with a normal force, by bisection of trial steps.
    fn overlap_at(&mut self, start: DVec3, force: f64, slip: [f64; 2]) -> Result<f64, StudyError> {
        let most = 0.5 * self.simulation.world.particles.radius[0];
        let (mut low, mut high) = (0.0, 1e-6 * most);
        let reaches = |contact: &mut Self, overlap: f64| -> Result<bool, StudyError> {
            contact.evaluate(start, overlap, slip, Acceptance::Trial)?;
            Ok(contact.force().z >= force)
        };
        let touching = 1e-12 * most;
        if force <= 0.0 && reaches(self, touching)? {
            // beyond the pull at touch a contact may have two overlaps of one force, or none
            return if force == 0.0 { Ok(low) } else { Err(too_strong_a_pull(force, self.force().z)) };
        }
        while !reaches(self, high)? {
            low = high;
            high *= 2.0;
            if high > most {
                let detail = format!("{force} N is not reached at half the radius, {most} m");
                return Err(StudyError::Convergence { method: "overlap of a normal force", detail });
            }
        }
        while high - low > 1e-15 * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if reaches(self, middle)? { high = middle } else { low = middle }
        }
        Ok(high)
    }

    fn answer(&self, overlap: f64) -> Answer {
        let world = &self.simulation.world;
        let force = self.force();
        let mode = (0..world.list.first.len()).find_map(|candidate| world.forces.mode(candidate));
        let ledger = world.energy();
        Answer {
            overlap,
            slip: self.slip,
            normal_force: force.z,
            tangential_force: [-force.x, -force.y],
            mode: mode.unwrap_or_default(),
            elastic_tangential: ledger.elastic_tangential,
            friction_work: ledger.friction,
            viscous_work: ledger.viscous,
            stiffness_work: ledger.stiffness,
            adhesion_work: ledger.further[FurtherWork::Adhesion.place()],
            plastic_work: ledger.further[FurtherWork::Plastic.place()],
        }
    }
}

fn too_strong_a_pull(force: f64, at_touch: f64) -> StudyError {
    StudyError::from(ReportError::Option {
        option: "--file",
        value: format!("normal_force_N = {force}"),
        allowed: format!(
            "at least {at_touch} N, the force at touch; give overlap_m, zero or less, for stronger pulls and surfaces apart"
        ),
    })
}
