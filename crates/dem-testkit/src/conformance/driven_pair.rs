//! Two spheres that are moved by hand and asked for their forces, through the same machinery as a run.
#![expect(clippy::expect_used, reason = "a test that cannot build its world must stop")]

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::kernel::Acceptance;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::history::SavedRecord;
use dem_sim::forces::ForceEvaluation;
use dem_sim::world::World;

use super::path::{Pose, RADII, TIME_STEP};
use crate::worlds;

/// Forces and torques on the two spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loads {
    /// Forces \[N\].
    pub force: [DVec3; 2],
    /// Torques about the centres \[N m\].
    pub torque: [DVec3; 2],
}

impl Loads {
    /// Normal force, positive when it pushes the spheres apart \[N\].
    pub fn normal_force(&self, pose: &Pose) -> f64 {
        -self.force[0].dot(pose.normal())
    }

    /// Tangential force on the first sphere \[N\].
    pub fn tangential_force(&self, pose: &Pose) -> DVec3 {
        self.force[0] - pose.normal() * self.force[0].dot(pose.normal())
    }
}

/// Two spheres whose motion is prescribed.
pub struct DrivenPair {
    /// Everything.
    pub world: World,
    evaluation: ForceEvaluation,
    /// Slots of the two spheres.
    slot: [usize; 2],
}

impl DrivenPair {
    /// Spheres in their first pose; `exchanged` gives the second one the lower id.
    ///
    /// # Panics
    /// If the law refuses its parameters.
    pub fn new(law: &str, given: &BTreeMap<String, ParameterValue>, pose: &Pose, exchanged: bool) -> Self {
        let mut world = worlds::world(law, given, Cell::unbounded());
        world.time_step = TIME_STEP;
        let slot = if exchanged { [1, 0] } else { [0, 1] };
        for k in slot {
            world.insert(worlds::sphere(pose.position[k], RADII[k]));
        }
        Self { world, evaluation: ForceEvaluation::default(), slot }
    }

    /// The law with friction 0.4 and a restitution, in its first pose.
    pub fn common(law: &str, restitution: f64, pose: &Pose) -> Self {
        Self::new(law, &worlds::common_parameters(law, 0.4, restitution), pose, false)
    }

    /// Goes to a pose in one step.
    ///
    /// # Panics
    /// If the evaluation fails, which only a periodic cell can cause.
    pub fn step(&mut self, pose: &Pose) -> Loads {
        let start = self.start();
        self.evaluate(start, pose, Acceptance::Final);
        self.accept()
    }

    /// The same, after a look at other poses that is taken back.
    ///
    /// # Panics
    /// As [`Self::step`].
    pub fn step_after_trials(&mut self, others: &[Pose], pose: &Pose) -> Loads {
        let start = self.start();
        for trial in others.iter().chain([pose]) {
            self.evaluate(start, trial, Acceptance::Trial);
        }
        self.accept()
    }

    /// Centres at the start of a step.
    fn start(&self) -> [DVec3; 2] {
        self.slot.map(|slot| self.world.particles.position[slot])
    }

    fn evaluate(&mut self, start: [DVec3; 2], pose: &Pose, acceptance: Acceptance) {
        let (p, time_step) = (&mut self.world.particles, self.world.time_step);
        for (k, slot) in self.slot.into_iter().enumerate() {
            p.previous_position[slot] = start[k];
            p.velocity[slot] = (pose.position[k] - start[k]) / time_step;
            p.position[slot] = pose.position[k];
            p.rotation_increment[slot] = pose.rotation[k];
            p.angular_velocity[slot] = pose.rotation[k] / time_step;
        }
        let evaluated = self.evaluation.evaluate(&mut self.world, time_step, acceptance);
        evaluated.expect("an unbounded cell is never too narrow");
    }

    fn accept(&mut self) -> Loads {
        self.evaluation.commit(&mut self.world);
        self.world.time += self.world.time_step;
        let p = &self.world.particles;
        Loads { force: self.slot.map(|slot| p.force[slot]), torque: self.slot.map(|slot| p.torque[slot]) }
    }

    /// Goes through poses.
    pub fn follow(&mut self, poses: &[Pose]) -> Vec<Loads> {
        poses.iter().map(|pose| self.step(pose)).collect()
    }

    /// The histories.
    pub fn save(&self) -> Vec<SavedRecord> {
        self.world.kernels[0].save(&self.world.list, &self.world.particles.id)
    }

    /// Takes over histories.
    ///
    /// # Panics
    /// If a history belongs to no pair of spheres that are near.
    pub fn restore(&mut self, saved: &[SavedRecord]) {
        self.evaluation.invalidate();
        self.evaluation.rebuild(&mut self.world).expect("an unbounded cell is never too narrow");
        let World { kernels, list, particles, .. } = &mut self.world;
        let unknown = kernels[0].restore(list, 0, &particles.id, saved);
        assert!(unknown.is_empty(), "histories of no candidate: {unknown:?}");
    }
}
