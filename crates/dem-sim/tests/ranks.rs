//! Ranks in threads: every row and the bytes of the checkpoint are those of one process, whatever the number of ranks, while space is cut anew
//! and particles change their owners all the time, and contacts slide across the borders.

use std::sync::Arc;

use dem_contact::contact_forces::SweepPolicy;
use dem_core::DVec3;
use dem_ranks::{Transport, threads};
use dem_sim::run::{Origin, Run, Team, follow};
use dem_sim::simulation::Simulation;
use dem_sim::{builder, checkpoint};
use dem_testkit::schemes::all_schemes;

use crate::gas;
use crate::rank_runs::{
    SIZES, TABLE, build, compare, crowded_machine, on_ranks, parse, resume_on_other_numbers, run, wet,
};
use crate::split_runs::{self, MATERIALS, contacts, scene_under};
use crate::sums_without_order::{CELL, MATERIAL, WALLS};

#[test]
fn a_cell_under_stress_control_on_ranks() {
    compare("cell", &format!("{CELL}{MATERIAL}"), &SIZES, 400, 50);
}

#[test]
fn a_pressed_bed_with_probes_on_ranks() {
    compare("pressed bed", &format!("{WALLS}{MATERIAL}"), &SIZES, 300, 50);
}

#[test]
fn a_heap_that_loses_particles_on_ranks() {
    compare("heap", &format!("{TABLE}{MATERIAL}"), &[2, 3, 8], 800, 100);
}

/// Two spheres that fly towards each other, each on a rank of its own: an adaptive step, long while they fly, reckons with their impact before either
/// rank would otherwise know of the other sphere.
#[test]
fn a_step_that_adapts_to_an_impact_across_a_border() {
    let source = |name: &str, x: f64| {
        format!(
            "[[particles]]\nname = \"{name}\"\nmaterial = \"steel\"\nsizes = {{ type = \"single\", radius = 0.01 }}\n\
             region = {{ type = \"box\", min = [{x}, 0, 0], max = [{}, 0.03, 0.03] }}\nfill = {{ type = \"random\", count = 1 }}\n",
            x + 0.05
        )
    };
    let loaded = parse(&format!(
        "[fields]\ngravity = [0, 0, 0]\n[time]\nend = 0.015\nstep = \"adaptive\"\nexpected_speed = 10\n[domain]\nmin = [-1, -1, -1]\nmax = [2, 2, 2]\n\
         [materials.steel]\ndensity = 2500\nyoung_modulus = 1e10\npoisson_ratio = 0.25\n\
         [contact]\nlaw = \"hertz-mindlin\"\nfriction = 0\ndamping_ratio = 0\n{}{}",
        source("left", 0.0),
        source("right", 1.0)
    ));
    let begin = |distance: f64| {
        let mut simulation = builder::build(&loaded).unwrap();
        let p = &mut simulation.world.particles;
        for (slot, side) in [-1.0, 1.0].into_iter().enumerate() {
            p.position[slot] = DVec3::X * distance * side;
            p.velocity[slot] = DVec3::X * -5.0 * side;
        }
        simulation.initialise().unwrap();
        simulation
    };
    let steps = |simulation: &mut Simulation| {
        let mut steps = Vec::new();
        while simulation.state.stopped.is_none() {
            simulation.advance().unwrap();
            steps.push(simulation.world.time_step);
        }
        steps
    };
    // so that ghosts are renewed at other instants before the impact
    for distance in (0..12).map(|k| 0.05 + 0.0005 * f64::from(k)) {
        let alone = steps(&mut begin(distance));
        let [shortest, longest] = [f64::min, f64::max].map(|of| alone.iter().copied().reduce(of).unwrap());
        assert!(longest > 5.0 * shortest, "{shortest} to {longest} s");
        for (rank, found) in on_ranks(2, &loaded, || begin(distance), steps).into_iter().enumerate() {
            assert!(found == alone, "{distance} m: rank {rank} takes {} steps, not {}", found.len(), alone.len());
        }
    }
}

/// Steps go together on ranks, too, with sums that are taken within the pass over contacts or after it.
#[test]
fn steps_in_one_go_on_ranks() {
    let loaded = gas::scene(gas::HERTZ);
    let advance = |simulation: &mut Simulation, most: u64| {
        let mut left = 400;
        while left > 0 {
            left -= simulation.advance_unseen(f64::INFINITY, most.min(left)).unwrap();
        }
        simulation.with_all(|all| checkpoint::save(all, "scene").unwrap()).unwrap()
    };
    let mut alone = build(&loaded);
    let expected = advance(&mut alone, 1).unwrap();
    assert!(alone.world.removed > 0, "none has left");
    for (size, policy) in [(2, SweepPolicy::ALWAYS), (3, SweepPolicy::NEVER), (5, SweepPolicy::ALWAYS)] {
        let outcomes = on_ranks(
            size,
            &loaded,
            || build(&loaded),
            |simulation| {
                simulation.pipeline.forces.sweep_policy = policy;
                simulation.pipeline.forces.invalidate();
                let state = advance(simulation, 20);
                let forces = &simulation.pipeline.forces;
                (state, forces.begun_early, forces.rank_counts().unwrap())
            },
        );
        println!("{size} ranks: {:?}", outcomes.iter().map(|(_, early, counts)| (early, counts)).collect::<Vec<_>>());
        let (state, begun_early, counts) = &outcomes[0];
        assert!(*begun_early >= 100 && counts.renewals > 5, "{begun_early} steps begun early, {counts:?}");
        assert!(outcomes.iter().all(|(_, early, _)| early == begun_early), "ranks go together");
        assert!(state.as_ref() == Some(&expected), "{size} ranks: another state");
    }
}

#[test]
fn wet_grains_on_ranks() {
    compare("wet heap", &format!("{}{MATERIAL}", wet(TABLE)), &[2, 3, 5], 800, 100);
}

/// A stage that waits for a quantity that only the whole assembly has.
#[test]
fn a_stage_that_ends_with_a_measure_on_ranks() {
    let stage = "[[stages]]\nname = \"settle\"\nuntil = { measure = { quantity = \"coordination_without_rattlers\", above = 2.5 } }\n\
                 [[stages]]\nname = \"smoother\"\nactions = [{ type = \"set_contact\", parameters = { friction = 0.1 } }]\nuntil = { steps = 100000 }\n";
    let scene = format!("{WALLS}{stage}{MATERIAL}");
    let mut simulation = build(&parse(&scene));
    run(&mut simulation, 400, 100).unwrap();
    assert_eq!(simulation.state.stage, 1, "the measure is reached");
    compare("measured", &scene, &[3], 400, 100);
}

/// How much of a matrix is run.
#[derive(Clone, Copy, PartialEq)]
enum Cover {
    /// Every law with every integrator in one of the two scenes, each with a number of ranks.
    Pairwise,
    /// In both scenes with all numbers.
    Full,
}

/// Laws with integrators in a scene.
fn matrix(name: &str, scene: &str, cover: Cover) {
    for (k, (law, contact)) in contacts().into_iter().enumerate() {
        let scene = scene_under(scene, &contact);
        // so that contacts slide
        let contact = contact.replace("friction = 0.4\n", "friction = 0.05\n");
        for (at, scheme) in all_schemes().into_iter().enumerate() {
            let moves_cells = !["gear", "generalized-trapezoidal"].contains(&scheme.integrator);
            if scheme.to_string().contains("gauss-seidel") || name == "cell" && !moves_cells {
                continue;
            }
            let is_elsewhere = moves_cells && ((k + at) % 2 == 1) == (name == "machine");
            if cover == Cover::Pairwise && is_elsewhere {
                continue;
            }
            let text = format!("{scene}{MATERIALS}{contact}[time]\nstep = \"8 us\"\nintegrator = {}\n", scheme.toml());
            let sizes = if cover == Cover::Full { &SIZES[..] } else { &SIZES[(k + 2 * at) % SIZES.len()..][..1] };
            compare(&format!("{name}, {law}, {scheme}"), &text, sizes, 200, 100);
        }
    }
}

#[test]
fn laws_with_integrators_in_a_machine_on_ranks() {
    matrix("machine", &crowded_machine(), Cover::Pairwise);
}

#[test]
fn laws_with_integrators_in_a_cell_on_ranks() {
    matrix("cell", split_runs::CELL, Cover::Pairwise);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p dem-sim --test all on_every_number_of_ranks -- --ignored"]
fn every_law_with_every_integrator_on_every_number_of_ranks() {
    matrix("machine", &crowded_machine(), Cover::Full);
    matrix("cell", split_runs::CELL, Cover::Full);
}

#[test]
fn a_run_that_is_resumed_on_other_numbers_of_ranks() {
    resume_on_other_numbers(&parse(&format!("{TABLE}{MATERIAL}")));
}

/// A rank that reads another scene is told of before anything is written.
#[test]
fn ranks_with_different_scenes_do_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = format!("{CELL}{MATERIAL}");
    // the second with a limit that a restart may change, but no rank
    for other in [scene.replace("seed = 4", "seed = 5"), scene.replace("overlap = 0.5", "overlap = 0.4")] {
        assert_ne!(scene, other);
        let scenes = [parse(&scene), parse(&other)];
        let ranks: Vec<Arc<dyn Transport>> =
            threads::ranks(2, false).into_iter().map(|rank| Arc::new(rank) as _).collect();
        let [leader, other] = ranks.try_into().unwrap();
        let (begun, followed) = std::thread::scope(|scope| {
            let follower = scope.spawn(|| follow(&scenes[1], &other));
            let begun = Run::begin_on(&scenes[0], &out, &Origin::Scene, false, Some(Team::new(leader)));
            (begun.map(drop), follower.join().unwrap())
        });
        for error in [begun.unwrap_err(), followed.unwrap_err()] {
            assert!(error.to_string().contains("rank 1 reads another scene than rank 0"), "{error}");
        }
        assert!(!out.exists());
    }
}

/// A guard that trips on one rank stops all, and all say why; what there is then can be brought together.
#[test]
fn one_rank_that_fails_stops_all() {
    let loaded = parse(&format!("{WALLS}{MATERIAL}"));
    let fail = |simulation: &mut Simulation| {
        simulation.pipeline.limits.overlap_ratio = 5e-3;
        run(simulation, 500, 50).unwrap_err().to_string()
    };
    let mut alone = build(&loaded);
    let expected = fail(&mut alone);
    assert!(expected.contains("overlap of particle"), "{expected}");
    let outcomes = on_ranks(
        4,
        &loaded,
        || build(&loaded),
        |simulation| {
            let error = fail(simulation);
            simulation.recover_ranks();
            (error, simulation.with_all(|all| all.world.particles.len()).unwrap())
        },
    );
    for (rank, (error, particles)) in outcomes.into_iter().enumerate() {
        assert_eq!(error, expected);
        assert_eq!(particles, (rank == 0).then_some(alone.world.particles.len()));
    }
}
