//! How fast a scene runs on this machine: its own first steps, timed, or where its particles are still to come a packing under its law.

use std::time::{Duration, Instant};

use dem_sim::memory::BYTES_PER_PARTICLE;
use dem_sim::simulation::Simulation;
use dem_workloads::benchmark;
use tracing::subscriber::{NoSubscriber, with_default};

/// How long steps are timed.
const BUDGET: Duration = Duration::from_millis(300);
/// How long steps are taken before: lists are built, caches filled.
const WARM_UP: Duration = Duration::from_millis(60);
/// Steps between two clock readings.
const STRIDE: u64 = 16;
/// Steps of the packing before it is timed, and those that are timed.
const PACKING_STEPS: [u64; 2] = [10, 60];

/// What a run will take.
pub struct Estimate {
    /// Memory \[byte\].
    pub memory: f64,
    /// Particles that it is for.
    pub particles: f64,
    /// End of time \[s\].
    pub end: Option<f64>,
    /// Steps to it, or in a second.
    pub steps: f64,
    /// What was timed; none if no step could be.
    pub pace: Option<Pace>,
    /// Why the first steps fail.
    pub failure: Option<String>,
}

/// How fast steps are.
pub struct Pace {
    /// A step of all particles \[s\].
    pub seconds_per_step: f64,
    /// Particle-steps per second.
    pub rate: f64,
    /// What was timed, and how.
    pub timed: String,
}

/// Estimates what a run of a simulation takes, of which `particles` will be there in the end, in the pool of threads that it is called in, of
/// `threads` threads.
pub fn measure(mut simulation: Simulation, particles: f64, threads: Option<u16>) -> Estimate {
    let world = &simulation.world;
    let mut estimate = Estimate {
        memory: BYTES_PER_PARTICLE as f64 * particles,
        particles,
        end: simulation.end,
        steps: simulation.end.unwrap_or(1.0) / world.time_step,
        pace: None,
        failure: None,
    };
    let pours = simulation.sources.iter().any(|source| !source.pouring.is_finished());
    let law = simulation.contact.pairs().first().map(|pair| pair.law);
    // what steps say belongs to a run
    with_default(NoSubscriber::default(), || {
        if pours {
            estimate.pace = law.and_then(|law| of_packing(law, particles, threads));
        } else {
            match of_first_steps(&mut simulation) {
                Ok(pace) => estimate.pace = pace,
                Err(failure) => estimate.failure = Some(failure),
            }
        }
    });
    estimate
}

/// The steps that a simulation begins with.
fn of_first_steps(simulation: &mut Simulation) -> Result<Option<Pace>, String> {
    let mut take = |duration: Duration| {
        let (begin, mut steps, mut particle_steps) = (Instant::now(), 0, 0.0);
        while simulation.state.stopped.is_none() && begin.elapsed() < duration {
            let taken = simulation.advance_unseen(f64::INFINITY, STRIDE).map_err(|error| error.to_string())?;
            steps += taken;
            particle_steps += taken as f64 * simulation.world.particles.len() as f64;
        }
        Ok::<_, String>((begin.elapsed().as_secs_f64(), steps, particle_steps))
    };
    let mut found = take(WARM_UP)?;
    let longer = take(BUDGET)?;
    // a run may be over before
    if longer.1 >= STRIDE {
        found = longer;
    }
    let (seconds, steps, particle_steps) = found;
    Ok((steps > 0 && particle_steps > 0.0).then(|| Pace {
        seconds_per_step: seconds / steps as f64,
        rate: particle_steps / seconds,
        timed: format!("its first {steps} steps, timed on this machine"),
    }))
}

/// The packing of `dem bench settled` under a law.
fn of_packing(law: &str, particles: f64, threads: Option<u16>) -> Option<Pace> {
    let [warm_up, steps] = PACKING_STEPS;
    let options = benchmark::Options {
        case: "settled".to_owned(),
        size: None,
        particles: None,
        period: Vec::new(),
        ranks: None,
        forecast: false,
        threads: threads.map(usize::from),
        warm_up: Some(warm_up),
        steps: Some(steps),
        law: Some(law.to_owned()),
        works: true,
        orientations: true,
        broadphase: None,
        lanes: None,
        facets: None,
    };
    let found = benchmark::run(&options, || {}).ok()?;
    let (spheres, threads) = (found.particles, found.threads);
    Some(Pace {
        seconds_per_step: particles / found.rate(),
        rate: found.rate(),
        timed: format!(
            "{steps} steps of {spheres} settled spheres under {law}, timed on this machine with threads: {threads}"
        ),
    })
}
