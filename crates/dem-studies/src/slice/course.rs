//! Runs of the slice.

use std::time::Instant;

use dem_analysis::order::{LocalOrder, MeanOrder, local_order, mean_order};
use dem_core::wall::Wall;
use dem_io::snapshot::Frame;
use dem_sim::integrators::Scheme;
use dem_sim::run::frame;
use dem_sim::simulation::StopReason;
use dem_workloads::scenes::CONTAINER_SLICE;

use crate::error::StudyError;

/// Time between two looks at the energy \[s\].
const LOOK: f64 = 0.02;
/// Times of the snapshots \[s\]; the last state follows.
pub const SNAPSHOTS: [f64; 5] = [0.5, 1.0, 2.0, 3.0, 4.0];
/// Share of its largest value below which the kinetic energy is as good as gone to the eye.
const QUIET: f64 = 1e-3;

/// A look at the energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Time \[s\].
    pub time: f64,
    /// Kinetic energy of translation \[J\].
    pub translation: f64,
    /// Kinetic energy of rotation \[J\].
    pub rotation: f64,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Course {
    /// The energy over time.
    pub looks: Vec<Look>,
    /// Since when it has been at rest \[s\]; not a number if it never was.
    pub rest: f64,
    /// Order about every disc of the final packing, by id.
    pub local: Vec<LocalOrder>,
    /// Order of the final packing.
    pub order: MeanOrder,
    /// Steps.
    pub steps: u64,
    /// Time of the machine \[s\].
    pub elapsed: f64,
    /// States at [`SNAPSHOTS`] and the last one.
    pub frames: Vec<Frame>,
    /// The container.
    pub walls: Vec<Wall>,
}

impl Course {
    fn run(scheme: &Scheme, seed: u64, particles: u64, with_rotation: bool) -> Result<Self, StudyError> {
        let frozen = if with_rotation { r#"["z", "rotation_x", "rotation_y"]"# } else { r#"["z", "rotation"]"# };
        let mut simulation = CONTAINER_SLICE.simulation(&[
            format!("seed={seed}"),
            format!("particles.0.fill.count={particles}"),
            format!("groups.slice.frozen={frozen}"),
            format!("time.integrator={}", scheme.toml()),
        ])?;
        let (mut looks, mut frames) = (Vec::new(), Vec::new());
        let start = Instant::now();
        while simulation.state.stopped.is_none() {
            let world = &simulation.world;
            if world.time >= LOOK * looks.len() as f64 {
                let energy = world.energy();
                let (translation, rotation) = (energy.kinetic_translation, energy.kinetic_rotation);
                looks.push(Look { time: world.time, translation, rotation });
            }
            if SNAPSHOTS.get(frames.len()).is_some_and(|&time| world.time >= time) {
                frames.push(frame(world, false));
            }
            simulation.advance()?;
        }
        let elapsed = start.elapsed().as_secs_f64();
        let last = frame(&simulation.world, false);
        let radius = simulation.world.particles.radius.first().copied().unwrap_or(f64::NAN);
        let centres: Vec<[f64; 2]> = last.positions.iter().map(|x| [x.x, x.y]).collect();
        let local = local_order(&centres, 2.0 * radius);
        frames.push(last);
        let at_rest = simulation.state.stopped == Some(StopReason::AtRest);
        Ok(Self {
            looks,
            rest: simulation.state.rest_since.filter(|_| at_rest).unwrap_or(f64::NAN),
            order: mean_order(&local),
            local,
            steps: simulation.world.step,
            elapsed,
            frames,
            walls: simulation.world.walls,
        })
    }

    /// From when on the kinetic energy stays below a thousandth of its largest value \[s\].
    pub fn quiet(&self) -> f64 {
        let total = |look: &Look| look.translation + look.rotation;
        let largest = self.looks.iter().map(total).fold(0.0, f64::max);
        let loud = self.looks.iter().rposition(|look| total(look) > QUIET * largest);
        loud.and_then(|at| self.looks.get(at + 1)).map_or(f64::NAN, |look| look.time)
    }

    /// Largest rotational energy in proportion to the largest translational one \[-\].
    pub fn rotation_peak_share(&self) -> f64 {
        let largest = |of: fn(&Look) -> f64| self.looks.iter().map(of).fold(0.0, f64::max);
        largest(|look| look.rotation) / largest(|look| look.translation)
    }

    /// Largest ratio of rotational to translational energy at any look before it is quiet \[-\].
    pub fn rotation_largest_ratio(&self) -> f64 {
        let quiet = Some(self.quiet()).filter(|time| !time.is_nan()).unwrap_or(f64::INFINITY);
        let before = self.looks.iter().filter(|look| look.translation > 0.0 && look.time < quiet);
        before.map(|look| look.rotation / look.translation).fold(0.0, f64::max)
    }

    /// Microseconds of the machine per step.
    pub fn step_cost(&self) -> f64 {
        1e6 * self.elapsed / self.steps.max(1) as f64
    }
}

/// A start with and without rotation, one after the other on the same core.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Scheme.
    pub scheme: Scheme,
    /// Seed.
    pub seed: u64,
    /// With rotation.
    pub with: Course,
    /// Without.
    pub without: Course,
}

impl Pair {
    /// Runs both.
    ///
    /// # Errors
    /// A scene that cannot be built, a step that fails.
    pub fn run(scheme: &Scheme, seed: u64, particles: u64) -> Result<Self, StudyError> {
        let course = |with_rotation| Course::run(scheme, seed, particles, with_rotation);
        // in turns, so that neither is always the first on a warm core
        let (with, without) = if seed.is_multiple_of(2) {
            let with = course(true)?;
            (with, course(false)?)
        } else {
            let without = course(false)?;
            (course(true)?, without)
        };
        Ok(Self { scheme: scheme.clone(), seed, with, without })
    }

    /// Both, with their names.
    pub fn both(&self) -> [(&'static str, &Course); 2] {
        [("with rotation", &self.with), ("without rotation", &self.without)]
    }
}
