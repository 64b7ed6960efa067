//! Sums that are taken within the pass over contacts change no bit, on any number of threads and however the pass is cut, and runs write what they
//! would without.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::atomic::AtomicBool;

use crate::gas::{GAS, HERTZ, LINEAR, ROLLING, mixture, scene};
use dem_contact::contact_forces::SweepPolicy;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::measure;
use dem_sim::run::{Ended, Origin, Run, RunBounds};
use dem_sim::simulation::Simulation;
use dem_testkit::schemes::all_schemes;
use rayon::ThreadPoolBuilder;

const STEPS: u32 = 400;

/// Sums are taken within the pass.
fn stream(simulation: &mut Simulation) {
    cut(simulation, SweepPolicy::ALWAYS);
}

fn cut(simulation: &mut Simulation, policy: SweepPolicy) {
    simulation.pipeline.forces.sweep_policy = policy;
    simulation.pipeline.forces.invalidate();
}

/// Everything that particles and contacts have, by ids.
fn state(simulation: &Simulation) -> Vec<(u64, u64, Vec<u64>)> {
    let world = &simulation.world;
    let p = &world.particles;
    let bits = |columns: &[dem_core::DVec3]| columns.iter().flat_map(|v| v.to_array()).map(f64::to_bits).collect();
    let mut all: Vec<_> = (0..p.len())
        .map(|slot| {
            let columns = [p.position[slot], p.velocity[slot], p.angular_velocity[slot], p.force[slot], p.torque[slot]];
            (p.id[slot], u64::MAX, bits(&columns))
        })
        .collect();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &world.context(), &mut |c| {
            let force = world.forces.get(c.candidate).unwrap().force_on_first();
            let couple = world.forces.couple(c.candidate);
            all.push((c.key.first, c.key.second, bits(&[force, couple, c.normal, c.elastic_slip])));
        });
    }
    all.sort_unstable();
    all
}

/// A run in which every 50th step is seen, and rows then.
fn run(scene: &LoadedScene, policy: SweepPolicy) -> (Simulation, Vec<u64>) {
    let mut simulation = builder::build(scene).unwrap();
    cut(&mut simulation, policy);
    let streams = policy.particles == 0;
    simulation.initialise().unwrap();
    let mut rows = Vec::new();
    for step in 1..=STEPS {
        if step % 50 != 0 {
            simulation.advance_unseen(f64::INFINITY, 1).unwrap();
            // the last step of a stage is seen in any case
            assert_eq!(simulation.world.forces.are_known(), !streams || step == 250, "{step}");
            continue;
        }
        simulation.advance().unwrap();
        rows.extend(measure::series_row(&simulation).into_iter().map(f64::to_bits));
    }
    (simulation, rows)
}

#[test]
fn neither_streaming_nor_the_cut_of_the_pass_changes_a_bit() {
    let ways = [
        SweepPolicy::ALWAYS,
        SweepPolicy { chunks_per_block: Some(1), ..SweepPolicy::ALWAYS },
        SweepPolicy { chunks_per_block: Some(usize::MAX), ..SweepPolicy::ALWAYS },
        SweepPolicy { chunks_per_block: Some(1), random_order: Some(7), ..SweepPolicy::ALWAYS },
        SweepPolicy { chunks_per_block: Some(1), random_order: Some(8), ..SweepPolicy::NEVER },
    ];
    for (law, scene) in
        [HERTZ, LINEAR, ROLLING].map(|law| (law.0, scene(law))).into_iter().chain([("mixture", mixture())])
    {
        let (expected, rows) = run(&scene, SweepPolicy::NEVER);
        assert!(expected.world.removed > 0, "none has left");
        let contacts = state(&expected).len() - expected.world.particles.len();
        assert!(contacts > 200, "{contacts} contacts");
        let all_threads = [1, 2, 3, 8, 64];
        for (way, policy) in ways.into_iter().enumerate() {
            // every way on two threads, the first two on any number
            for threads in
                all_threads.into_iter().filter(|&threads| threads == 2 || way < 2 && law == "mixture" || way == 0)
            {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (found, other_rows) = pool.install(|| run(&scene, policy));
                assert!(state(&found) == state(&expected), "{law:?}, {threads} threads, {policy:?}: another state");
                assert!(other_rows == rows, "{law:?}, {threads} threads, {policy:?}: other rows");
            }
        }
    }
}

#[test]
fn every_integrator_ends_in_the_same_state() {
    let mut streamed = Vec::new();
    for scheme in all_schemes() {
        let text = GAS.replace("[domain]", &format!("integrator = {}\n[domain]", scheme.toml()));
        let loaded = builder::parse_scene("gas", &text.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1), &[]);
        let loaded = loaded.unwrap();
        let [expected, found] = [false, true].map(|streams| {
            let mut simulation = builder::build(&loaded).unwrap();
            if streams {
                stream(&mut simulation);
            }
            simulation.initialise().unwrap();
            for _ in 0..25 {
                simulation.advance_unseen(f64::INFINITY, 1).unwrap();
            }
            simulation.advance().unwrap();
            simulation
        });
        assert!(state(&found) == state(&expected), "{scheme}: another state");
        if found.world.forces.is_streaming() {
            streamed.push(scheme.to_string());
        }
    }
    assert!(streamed.iter().any(|scheme| scheme.contains("velocity-verlet")), "{streamed:?}");
    assert!(streamed.len() > 3 && streamed.len() < all_schemes().len(), "{streamed:?}");
}

#[test]
fn forces_that_were_not_kept_are_no_numbers() {
    let mut simulation = builder::build(&scene(HERTZ)).unwrap();
    stream(&mut simulation);
    simulation.initialise().unwrap();
    for _ in 0..100 {
        simulation.advance_unseen(f64::INFINITY, 1).unwrap();
    }
    let world = &simulation.world;
    let (mut pairs, mut walls) = (0, 0);
    for (candidate, &second) in world.list.second.iter().enumerate() {
        let Some(wrench) = world.forces.get(candidate) else { continue };
        if candidate < world.list.first_wall() {
            assert!(wrench.force_on_first().is_nan());
            pairs += 1;
        } else {
            assert!(wrench.force_on_first().is_finite() && (second as usize) < world.walls.len());
            walls += 1;
        }
    }
    assert!(pairs > 100 && walls > 10, "{pairs} pairs, {walls} contacts with walls");
    assert!(world.particles.force.iter().all(|force| force.is_finite()));
}

#[test]
fn runs_write_the_same_files() {
    let scene = scene(HERTZ);
    let files = |name: &str, streams: bool, interrupted: bool| {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join(name);
        let mut run = Run::begin(&scene, &directory, &Origin::Scene, false).unwrap();
        if streams {
            stream(&mut run.simulation);
        }
        let bounds = RunBounds { step: Some(if interrupted { 277 } else { u64::MAX }), time: None };
        let ended = run.execute(&bounds, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(ended, if interrupted { Ended::Bound } else { Ended::Finished });
        assert_eq!(run.simulation.world.forces.is_streaming(), streams);
        drop(run);
        ["series.csv", "snapshots.vtkhdf"].map(|file| std::fs::read(directory.join(file)).unwrap())
    };
    for interrupted in [false, true] {
        let [series, frames] = files("run", false, interrupted);
        let [other_series, other_frames] = files("run", true, interrupted);
        assert!(series.len() > 2000 && frames.len() > 100_000, "{} and {} bytes", series.len(), frames.len());
        assert!(other_series == series, "{}", String::from_utf8_lossy(&other_series));
        assert!(other_frames == frames);
    }
}
