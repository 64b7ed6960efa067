//! What a run came to.

use std::collections::BTreeMap;

use dem_core::energy::EnergyLedger;
use dem_io::series::Series;
use serde::Serialize;

use super::body_summary::BodySummary;
use super::bounds::Ended;
use super::course_summary::{DrivenSummary, OutflowSummary};
use super::gaps::Gap;
use super::pouring_summary::PouringSummary;
use super::sample_summary::{CellSummary, PistonSummary, UNKNOWN_FORCES};
use super::time_by_phase::{Measured, TimeByPhase};
use crate::environment::machine::{self, Machine};
use crate::environment::threads;
use crate::measure;
use crate::measure::packing::NoBulk;
use crate::simulation::components::Simulation;
use crate::simulation::events::Event;
use crate::simulation::run_state::StopReason;
use crate::state::world::World;

/// Force on a wall averaged over the final rest, or the present one if the run did not end at rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WallSummary {
    /// Name.
    pub name: String,
    /// Force \[N\].
    pub force: [f64; 3],
    /// Work done on the particles \[J\].
    pub work: f64,
    /// Only of a wall that moves as prescribed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driven: Option<DrivenSummary>,
}

/// Contents of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Title of the scene.
    pub title: String,
    /// Version of the engine, and the commit if it is known.
    pub engine: String,
    /// Seed of the scene.
    pub seed: u64,
    /// What it was computed on.
    pub machine: Machine,
    /// Particles present.
    pub particles: usize,
    /// Particles inserted.
    pub inserted: u64,
    /// Particles that left.
    pub removed: u64,
    /// Mass that left \[kg\].
    pub removed_mass: f64,
    /// Particles that stages removed.
    pub removed_by_stages: u64,
    /// Steps.
    pub steps: u64,
    /// Time \[s\].
    pub time: f64,
    /// Last time step \[s\].
    pub time_step: f64,
    /// Criterion that set it.
    pub time_step_criterion: String,
    /// Shortest step taken \[s\].
    pub shortest_time_step: f64,
    /// Longest step taken \[s\].
    pub longest_time_step: f64,
    /// Mean number of iterations per step of this call; null unless the integrator iterates.
    pub iterations_per_step: Option<f64>,
    /// Halvings of the time step of this call because an iteration did not converge; null unless the integrator iterates.
    pub halvings: Option<u64>,
    /// Wall time of this call \[s\].
    pub wall_seconds: f64,
    /// Wall time of this call that steps and the start waited for rows, frames and checkpoints \[s\].
    pub output_seconds: f64,
    /// Particle-steps per second of this call.
    pub particle_steps_per_second: f64,
    /// Where the wall time of this call has gone.
    pub time_by_phase: TimeByPhase,
    /// Threads used.
    pub threads: usize,
    /// Touching pairs of particles.
    pub contacts: usize,
    /// Touching pairs of particle and wall.
    pub wall_contacts: usize,
    /// Rigid bodies; only of a run that has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bodies: Option<BodySummary>,
    /// Coordination number.
    pub coordination: f64,
    /// Coordination number without rattlers.
    pub coordination_without_rattlers: f64,
    /// Packing fraction of the bulk, more than three diameters from walls, free surface and places that the bed does not fill; null if there
    /// is none.
    pub packing_fraction: Option<f64>,
    /// Height of the bed \[m\]; null without gravity that says which way is up, or a bed.
    pub bed_height: Option<f64>,
    /// Why quantities that every run might have are null, by their keys.
    pub not_measured: BTreeMap<&'static str, String>,
    /// Stress, strain and porosity of the cell; only of a cell that deforms or that is periodic along every edge and holds no wall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellSummary>,
    /// Walls that press with a force, and what they press on; only with such walls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pistons: Vec<PistonSummary>,
    /// What sources have poured; only with sources that pour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pouring: Vec<PouringSummary>,
    /// What left through open faces; only if something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outflow: Option<OutflowSummary>,
    /// Largest overlap in proportion to the radius now.
    pub max_overlap_ratio_final: f64,
    /// Largest overlap in proportion to the radius at any step.
    pub max_overlap_ratio_peak: f64,
    /// Energy ledger \[J\].
    pub energies: EnergyLedger,
    /// Weight of all particles that can move \[N\]; null without gravity.
    pub weight: Option<f64>,
    /// Sum of the forces on all walls along gravity, averaged over the final rest, in proportion to the weight.
    pub wall_force_over_weight: Option<f64>,
    /// Walls.
    pub walls: Vec<WallSummary>,
    /// Why it stopped.
    pub stop_reason: String,
    /// Stage it stopped in.
    pub stage: String,
    /// Fingerprint of the scene.
    pub scene_fingerprint: String,
    /// What stages did; only if they did anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Rows and frames that were missing at a restart; only if any were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
}

impl Summary {
    /// Summary of a simulation. A state that was read and has not been stepped has no forces of contacts, see
    /// `knows_forces`.
    pub(super) fn of(
        simulation: &Simulation,
        title: &str,
        seed: u64,
        ended: Ended,
        measured: Measured,
        fingerprint: &str,
        series: &Series,
        knows_forces: bool,
    ) -> Self {
        let world = &simulation.world;
        let knows_forces = knows_forces && world.forces.are_known();
        let iterations = simulation.pipeline.integrator.iterations();
        let count = world.contact_count();
        let threshold = if simulation.contact.has_friction() { 2 } else { 4 };
        let coordination = measure::coordination(world, threshold);
        let gravity = world.fields.gravity;
        let movable_mass = |mover| [if world.can_move(mover) { world.mass_of(mover) } else { 0.0 }];
        let [movable] = world.sums_of_movers(movable_mass);
        let weight = gravity.length() * movable;
        let looks = simulation.state.rest_looks as f64;
        let averaged = simulation.state.rest_since.is_some() && looks > 0.0;
        let walls: Vec<WallSummary> = world
            .walls
            .iter()
            .enumerate()
            .map(|(k, wall)| WallSummary {
                name: wall.name.clone(),
                force: if averaged { simulation.state.rest_wall_force[k] / looks } else { wall.force }.to_array(),
                work: wall.work,
                driven: DrivenSummary::of(world, k, series),
            })
            .collect();
        let carried: f64 =
            walls.iter().map(|wall| glam::DVec3::from_array(wall.force).dot(gravity) / gravity.length()).sum();
        let stop_reason = match (ended, &simulation.state.stopped) {
            (Ended::Interrupted, _) => "interrupted",
            (Ended::Failed, _) => "failed",
            (_, Some(reason)) => reason.describe(),
            (_, None) => "limit of this call reached",
        };
        let at_rest = simulation.state.stopped == Some(StopReason::AtRest);
        let mut not_measured = BTreeMap::new();
        // spheres in flight are no packing; a cell has a porosity in any case
        let is_packing = coordination.all >= 1.0 || measure::cell_is_sample(world);
        let bulk = if is_packing { measure::bulk_packing_fraction(world) } else { Err(NoBulk::InFlight) };
        let packing_fraction = bulk.map_err(|why| not_measured.insert("packing_fraction", why.to_string())).ok();
        if measure::cell_is_sample(world) && !knows_forces {
            not_measured.insert("cell", UNKNOWN_FORCES.to_owned());
        }
        let height = bed_height(world);
        let bed_height = height.map_err(|why| not_measured.insert("bed_height", why.to_owned())).ok();
        Self {
            title: title.to_owned(),
            engine: machine::engine(),
            seed,
            machine: Machine::here(simulation.pipeline.forces.width.name()),
            particles: world.particles.len(),
            inserted: world.inserted,
            removed: world.removed,
            removed_mass: world.removed_mass,
            removed_by_stages: world.removed_by_stages,
            steps: world.step,
            time: world.time,
            time_step: world.time_step,
            time_step_criterion: simulation.state.time_step_criterion.clone(),
            shortest_time_step: simulation.state.steps_taken[0],
            longest_time_step: simulation.state.steps_taken[1],
            iterations_per_step: iterations.map(|count| count.mean()),
            halvings: iterations.map(|count| count.halvings),
            wall_seconds: measured.all.as_secs_f64(),
            output_seconds: measured.output.as_secs_f64(),
            particle_steps_per_second: measured.particle_steps / measured.all.as_secs_f64().max(1e-9),
            time_by_phase: TimeByPhase::of(&simulation.pipeline.forces, measured),
            threads: threads::count(),
            contacts: count.pairs,
            wall_contacts: count.walls,
            bodies: BodySummary::of(world, &coordination),
            coordination: coordination.all,
            coordination_without_rattlers: coordination.without_rattlers,
            packing_fraction,
            bed_height,
            not_measured,
            cell: if knows_forces { CellSummary::of(world) } else { None },
            pistons: PistonSummary::all(world, knows_forces),
            pouring: simulation.sources.iter().map(PouringSummary::of).collect(),
            outflow: OutflowSummary::of(world, series),
            max_overlap_ratio_final: measure::largest_overlap_ratio(world),
            max_overlap_ratio_peak: world.peak_overlap_ratio,
            energies: world.known_energy(),
            weight: (gravity.length() > 0.0).then_some(weight),
            wall_force_over_weight: (at_rest && averaged && weight > 0.0 && !world.fields.gravity_turns())
                .then(|| carried / weight),
            walls,
            stop_reason: stop_reason.to_owned(),
            stage: simulation.stage_name().to_owned(),
            scene_fingerprint: fingerprint.to_owned(),
            events: simulation.state.events.clone(),
            gaps: Vec::new(),
        }
    }

    /// As JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// Height of the bed, where there is an up and a bed.
fn bed_height(world: &World) -> Result<f64, &'static str> {
    if world.fields.gravity.length() == 0.0 {
        return Err("without gravity the vertical is undefined");
    }
    if world.fields.gravity_turns() {
        return Err("gravity turns");
    }
    let up = measure::up(world);
    if (0..3).any(|k| world.cell.periodic[k] && up[k].abs() > 1e-9) {
        return Err("the cell is periodic along gravity");
    }
    let height = measure::bed_height(world);
    if height > 0.0 { Ok(height) } else { Err("there are no contacts") }
}
