//! When the stages of a simulation end, and after which steps the state is read.

use dem_core::DVec3;

use super::components::Simulation;
use super::stage::{Condition, StrainBound};
use crate::deformation::sampled_body;
use crate::measure;

/// Checks of the state of rest within the duration it must last.
const REST_LOOKS: f64 = 20.0;

/// Most steps between two checks of conditions while the cell deforms or a wall holds a force.
const LOOK_AT_LOADS_EVERY: u64 = 50;

impl Simulation {
    /// Whether conditions that are costly to evaluate are evaluated after the next step.
    pub(crate) fn looks_after_step(&self) -> bool {
        let mut every = (self.rest.duration / (REST_LOOKS * self.world.time_step)).floor().max(1.0) as u64;
        let holds = self.world.wall_servos.iter().any(|servo| servo.hold().is_some());
        if holds || self.stages[self.state.stage].deform.is_some() {
            every = every.min(LOOK_AT_LOADS_EVERY);
        }
        (self.world.step + 1).is_multiple_of(every)
    }

    /// Whether forces of contacts are read after the next step: by the control of the cell, by conditions of the stage,
    /// if these are evaluated (`looks`), or as the step may be the last one, for an overlap that grows too large, too.
    pub(crate) fn is_seen(&self, looks: bool) -> bool {
        let Self { world, state, .. } = self;
        let condition = &self.stages[state.stage].until;
        let measures = condition.at_rest || condition.stress_reached.is_some() || condition.measure.is_some();
        let nearly = world.time + 2.0 * world.time_step;
        world.deformation.is_some()
            || self.pipeline.may_overlap_too_far(world)
            || looks && measures
            || condition.time.is_some_and(|time| nearly - state.stage_time >= time)
            || condition.steps.is_some_and(|limit| world.step + 1 - state.stage_step >= limit)
            || condition.poured && self.is_poured()
            || self.end.is_some_and(|end| nearly >= end)
    }

    /// Whether a condition holds after the present step; if so, whether it is that of rest.
    pub(crate) fn condition_holds(&mut self, condition: &Condition, looks: bool) -> Option<bool> {
        let steps = self.world.step - self.state.stage_step;
        if condition.time.is_some_and(|time| self.world.has_reached(self.state.stage_time + time))
            || condition.steps.is_some_and(|limit| steps >= limit)
            || condition.poured && self.is_poured()
            || condition.strain.iter().any(|bound| self.reaches(bound))
        {
            return Some(false);
        }
        if !looks {
            return None;
        }
        if condition.at_rest {
            self.look_for_rest();
            let rested = self.state.rest_since.is_some_and(|since| self.world.has_reached(since + self.rest.duration));
            if rested && (self.is_poured() || self.is_blocked()) {
                self.warn_of_what_is_missing();
                return Some(true);
            }
        }
        if let Some(reached) = &condition.stress_reached {
            let world = &self.world;
            let of_cell = world
                .deformation
                .as_ref()
                .map_or(0.0, |cell| cell.stress_error(sampled_body::volume(&world.cell, &world.walls)));
            let error =
                world.wall_servos.iter().map(|servo| servo.error(&world.cell, &world.walls)).fold(of_cell, f64::max);
            if error < reached.tolerance && measure::unbalanced_force(&self.world) < reached.unbalanced_force {
                return Some(false);
            }
        }
        if let Some(bound) = &condition.measure {
            let value = self.value_of_all(&bound.quantity)?;
            if bound.below.is_some_and(|x| value < x) || bound.above.is_some_and(|x| value > x) {
                return Some(false);
            }
        }
        None
    }

    /// Whether the cell has been strained so far in this stage.
    fn reaches(&self, bound: &StrainBound) -> bool {
        let Some(deformation) = &self.world.deformation else { return false };
        let strain = deformation.stage_strain();
        let strain = match bound.component {
            Some((row, column)) => strain.col(column)[row],
            None => strain.x_axis.x + strain.y_axis.y + strain.z_axis.z,
        };
        if bound.value > 0.0 { strain >= bound.value } else { strain <= bound.value }
    }

    /// Says what a stage that ends at rest has not come to.
    fn warn_of_what_is_missing(&self) {
        if self.world.particle_count() == 0 {
            tracing::warn!("no particles are left: {} were inserted and all have left", self.world.inserted);
        }
        for source in self.sources.iter().filter(|source| source.active && !source.pouring.is_finished()) {
            tracing::warn!(
                "source \"{}\" has poured {} particles and finds no place for more: what it poured has filled its region",
                source.name,
                source.pouring.count()
            );
        }
    }

    /// Notes since when the assembly has been at rest, and sums the wall forces meanwhile.
    fn look_for_rest(&mut self) {
        let at_rest = self.is_at_rest();
        let world = &self.world;
        if !at_rest {
            self.state.rest_since = None;
            return;
        }
        if self.state.rest_since.is_none() {
            self.state.rest_since = Some(world.time);
            self.state.rest_wall_force = vec![DVec3::ZERO; world.walls.len()];
            self.state.rest_looks = 0;
        }
        for (sum, wall) in self.state.rest_wall_force.iter_mut().zip(&world.walls) {
            *sum += wall.force;
        }
        self.state.rest_looks += 1;
    }
}
