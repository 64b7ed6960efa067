//! Steps that are taken in one go, of which one begins together with the end of the one before, change no bit.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::gas::{GAS, HERTZ, LINEAR, ROLLING, mixture, scene};
use dem_contact::contact_forces::SweepPolicy;
use dem_core::DVec3;
use dem_core::particles::ExternalLoad;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::forces::StepFusionLimits;
use dem_sim::guides::{Drive, Guide, Path};
use dem_sim::measure;
use dem_sim::simulation::Simulation;
use dem_testkit::schemes::all_schemes;
use rayon::ThreadPoolBuilder;

fn begun(scene: &LoadedScene) -> Simulation {
    begun_with(scene, SweepPolicy::NEVER)
}

/// With sums taken within the pass over contacts from some size on.
fn begun_with(scene: &LoadedScene, from: SweepPolicy) -> Simulation {
    let mut simulation = builder::build(scene).unwrap();
    simulation.pipeline.forces.sweep_policy = from;
    simulation.pipeline.forces.invalidate();
    simulation.initialise().unwrap();
    simulation
}

/// How many steps go together at most, and from which size on sums stream: none and never, some, some of which trail.
const WAYS: [(u64, SweepPolicy); 3] = [(1, SweepPolicy::NEVER), (16, SweepPolicy::NEVER), (16, SweepPolicy::ALWAYS)];

/// All of the state.
fn bytes(simulation: &Simulation) -> Vec<u8> {
    checkpoint::save(simulation, "scene").unwrap()
}

/// Takes `steps` steps, up to `most` in one go, unless the simulation stops before; returns why it could not go on.
fn advance(simulation: &mut Simulation, mut steps: u64, most: u64) -> Option<String> {
    while steps > 0 && simulation.state.stopped.is_none() {
        let before = simulation.world.step;
        match simulation.advance_unseen(f64::INFINITY, most.min(steps)) {
            Ok(taken) => {
                assert!((1..=most.min(steps)).contains(&taken) && simulation.world.step == before + taken);
                steps -= taken;
            }
            Err(error) => return Some(error.to_string()),
        }
    }
    None
}

#[test]
fn neither_threads_nor_how_many_steps_go_together_change_a_bit() {
    for (law, scene) in
        [HERTZ, LINEAR, ROLLING].map(|law| (law.0, scene(law))).into_iter().chain([("mixture", mixture())])
    {
        let mut expected = begun(&scene);
        assert_eq!(advance(&mut expected, 400, 1), None);
        assert_eq!(expected.pipeline.forces.begun_early, 0);
        assert!(expected.world.removed > 0, "none has left");
        for (most, threads, least, from) in [
            (2, 1, 150, SweepPolicy::NEVER),
            (16, 3, 250, SweepPolicy::NEVER),
            (1000, 1, 300, SweepPolicy::NEVER),
            (2, 2, 150, SweepPolicy::ALWAYS),
            (16, 1, 250, SweepPolicy::ALWAYS),
            (1000, 5, 300, SweepPolicy::ALWAYS),
        ] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut found = begun_with(&scene, from);
            assert_eq!(pool.install(|| advance(&mut found, 400, most)), None);
            let early = found.pipeline.forces.begun_early;
            println!("{law}: up to {most} in one go, {early} of 400 steps begun early");
            assert!(early >= least, "{law}, {most}: only {early} steps were begun early");
            assert!(bytes(&found) == bytes(&expected), "{law}, {most}, {threads} threads: another state");
        }
    }
}

/// Forces and torques that the caller has set act in the middle of steps that go together, too.
#[test]
fn external_loads_go_along() {
    let scene = scene(HERTZ);
    let [expected, found, streamed] = WAYS.map(|(most, from)| {
        let mut simulation = begun_with(&scene, from);
        let p = &mut simulation.world.particles;
        let load = |&id: &u64| ExternalLoad {
            force: DVec3::new(1e-4, 0.0, 2e-4 * (id % 3) as f64),
            torque: DVec3::new(0.0, 1e-8 * (id % 5) as f64, 0.0),
        };
        p.external = p.id.iter().map(load).collect();
        simulation.initialise().unwrap();
        assert_eq!(advance(&mut simulation, 200, most), None);
        assert_eq!(simulation.pipeline.forces.begun_early > 100, most > 1);
        bytes(&simulation)
    });
    assert!(found == expected && streamed == expected, "another state");
}

/// Beads on a wire are held on it while their contacts are computed, those of others too.
#[test]
fn guides_hold_their_particles_where_sums_stream() {
    let scene = scene(HERTZ);
    let [expected, found, streamed] = WAYS.map(|(most, from)| {
        let mut simulation = begun_with(&scene, from);
        let world = &mut simulation.world;
        let slots: Vec<usize> =
            (0..world.particles.len()).filter(|&slot| world.particles.id[slot].is_multiple_of(40)).collect();
        for slot in slots {
            let path = Path::Line { point: world.particles.position[slot], direction: DVec3::X };
            let mut guide = Guide::new("wire", path, Drive::Free);
            guide.friction = 0.1;
            guide.attach(&mut world.particles, slot, 0.5, 0.0);
            world.guides.push(guide);
        }
        simulation.initialise().unwrap();
        assert_eq!(advance(&mut simulation, 150, most), None);
        assert!(simulation.world.forces.is_streaming() == (from == SweepPolicy::ALWAYS));
        bytes(&simulation)
    });
    assert!(found == expected && streamed == expected, "another state");
}

/// The porosity at the start of a step is that of the particles where they are then: such steps go one by one.
#[test]
fn a_local_porosity_is_measured_between_steps() {
    let text = GAS.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1);
    let drag =
        "[fields]\ndrag = \"wen-yu\"\nporosity_cell = \"5 mm\"\nfluid_viscosity = 1e-3\nfluid_density = 1000\n[limits]";
    let scene = builder::parse_scene("gas", &text.replace("[limits]", drag), &[]).unwrap();
    let [expected, found, streamed] = WAYS.map(|(most, from)| {
        let mut simulation = begun_with(&scene, from);
        assert_eq!(advance(&mut simulation, 200, most), None);
        bytes(&simulation)
    });
    assert!(found == expected && streamed == expected, "another state");
}

#[test]
fn every_integrator_ends_in_the_same_state() {
    for scheme in all_schemes() {
        let text = GAS.replace("[domain]", &format!("integrator = {}\n[domain]", scheme.toml()));
        let text = text.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1);
        let loaded = builder::parse_scene("gas", &text, &[]).unwrap();
        let [expected, found, streamed] = WAYS.map(|(most, from)| {
            let mut simulation = begun_with(&loaded, from);
            assert_eq!(advance(&mut simulation, 40, most), None, "{scheme}");
            bytes(&simulation)
        });
        assert!(found == expected && streamed == expected, "{scheme}: another state");
    }
}

/// Scenes with all that may happen between two steps: sources that pour, walls that press, guides, probes, stages, cells that deform.
#[test]
fn scenes_of_every_kind_go_the_same_way() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes/good");
    let (mut together, mut scenes) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let scene = builder::load_scene(&path, &[]).unwrap();
        let [expected, found, streamed] = WAYS.map(|(most, from)| {
            let mut simulation = begun_with(&scene, from);
            let refused = advance(&mut simulation, 1200, most);
            (refused, bytes(&simulation), simulation.world.step, simulation.pipeline.forces.begun_early)
        });
        println!("{}: {} of {} steps begun early, {:?}", path.display(), found.3, found.2, found.0);
        assert_eq!((&found.0, found.2), (&expected.0, expected.2), "{}", path.display());
        assert!(found.1 == expected.1, "{}: another state", path.display());
        assert!(streamed.0 == expected.0 && streamed.1 == expected.1, "{}: another state with sums", path.display());
        together += usize::from(found.3 > 0);
        scenes += 1;
    }
    assert!(scenes >= 7 && together >= 3, "{together} of {scenes}");
}

/// Looks at the energy and at the time step come every thousand steps, at an adaptive step every 32.
#[test]
fn what_is_looked_at_now_and_then_is_the_same() {
    for step in ["step = \"5 us\"", "step = \"auto\"", "step = \"adaptive\""] {
        let text = GAS.replace("step = \"5 us\"", step).replace("count = 1200", "count = 60");
        // stiff, so that an adaptive step follows the impacts
        let text = text
            .replace("young_modulus = 1e7", "young_modulus = 1e9")
            .replace("steps = 250", "steps = 1300")
            .replace("[0, 0, \"-3 m/s\"]", "[0, 0, \"-1 m/s\"]");
        let loaded = builder::parse_scene("gas", &text.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1), &[]);
        let loaded = loaded.unwrap();
        let [expected, found] = [1, 64].map(|most| {
            let mut simulation = begun(&loaded);
            let refused = advance(&mut simulation, 2200, most);
            assert!(most == 1 || simulation.pipeline.forces.begun_early > 1000, "{step}");
            let [shortest, longest] = simulation.state.steps_taken;
            assert_eq!(shortest < longest, step.contains("adaptive"), "{step}");
            (refused, simulation.world.step, bytes(&simulation))
        });
        assert!(found == expected, "{step}: {:?} {:?}", (&found.0, found.1), (&expected.0, expected.1));
    }
}

#[test]
fn a_run_that_must_stop_stops_in_the_same_state() {
    // soft, so that overlaps become large in proportion to what particles move by in a step
    let text = GAS.replace("overlap = 0.5", "overlap = 0.1").replace("young_modulus = 1e7", "young_modulus = 1e5");
    let text = text.replace("count = 1200", "count = 20");
    let text = text.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1);
    let loaded = builder::parse_scene("gas", &text, &[]).unwrap();
    let [expected, found, streamed] = WAYS.map(|(most, from)| {
        let mut simulation = begun_with(&loaded, from);
        let refused = advance(&mut simulation, 400, most).unwrap();
        assert!(refused.contains("overlap"), "{refused}");
        assert!(most == 1 || simulation.pipeline.forces.begun_early > 20);
        (refused, bytes(&simulation))
    });
    assert!(found == expected && streamed == expected, "{} {} {}", found.0, streamed.0, expected.0);
}

/// What decides before a step whether an overlap may stop the run at its end: no overlap grows by more than what is said to bound it, though
/// some by nearly as much, and no step begins early beyond the bound.
#[test]
fn overlaps_are_bounded_by_what_particles_and_walls_move() {
    let text = GAS
        .replace("young_modulus = 1e7", "young_modulus = 1e6")
        .replace("until = { steps = 250 }", "until = { steps = 80 }");
    // two clouds that meet head-on
    let text = text.replace(r#"["2 m/s", "1 m/s", "-1.5 m/s"]"#, r#"[0, 0, "2 m/s"]"#);
    let text = text.replace(r#"["-0.1 m/s", 0, 0]"#, r#"[0, 0, "-2 m/s"]"#);
    let text = text.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1);
    let mut simulation = begun(&builder::parse_scene("gas", &text, &[]).unwrap());
    assert_eq!(advance(&mut simulation, 2, 1), None);
    let largest = |simulation: &Simulation| simulation.world.forces.largest_overlap_ratio;
    let (mut before, mut closest) = (largest(&simulation), 0.0f64);
    for _ in 0..150 {
        assert_eq!(advance(&mut simulation, 1, 1), None);
        let now = largest(&simulation);
        let forces = &mut simulation.pipeline.forces;
        let allowed = forces.bound_overlap_ratio(&simulation.world, 1.0) - now;
        assert!(now - before <= allowed * (1.0 + 1e-9), "{before} became {now}, {allowed} more were allowed");
        closest = closest.max((now - before) / allowed);
        before = now;
        for (limit, may_begin) in [(1.01, true), (0.99, false)] {
            let overlap_ratio = now + limit * allowed;
            forces.fusion_limits =
                Some(StepFusionLimits { rebuilds: forces.rebuilds, clearance: f64::INFINITY, overlap_ratio });
            assert_eq!(forces.may_begin_next(&simulation.world, true), may_begin, "{limit}");
        }
        forces.fusion_limits = None;
    }
    assert!(closest > 0.3, "{closest}");
    simulation.pipeline.forces.invalidate();
    assert!(simulation.pipeline.forces.bound_overlap_ratio(&simulation.world, 1.0) == f64::INFINITY);
}

/// Averages on walls, which checkpoints hold, conditions that look at particles, and a wall that finds out what it presses on.
#[test]
fn probes_conditions_and_servos_see_the_end_of_steps() {
    let text = GAS.replace("LAW", HERTZ.0).replace("PARAMETERS", HERTZ.1);
    let probes = "[[output.wall_probes]]\nwall = \"floor\"\nbins = 9\n[[output.wall_probes]]\nwall = \"back\"\nbins = 2\nto = \"20 mm\"\n";
    let loses_energy = "[at_rest]\nduration = \"1 ms\"\n[[stages]]\nname = \"lose\"\nuntil = { measure = { quantity = \"kinetic_energy\", below = LIMIT } }\n";
    let measured = {
        let stages = text.find("[[stages]]").unwrap();
        let mut simulation = begun(&builder::parse_scene("gas", &text, &[]).unwrap());
        assert_eq!(advance(&mut simulation, 155, 1), None);
        let energy = measure::value(&simulation, "kinetic_energy").unwrap();
        format!("{}{}", &text[..stages], loses_energy.replace("LIMIT", &format!("{energy:e}")))
    };
    let presses = text.replace(
        "motion = { velocity = [0, 0, \"-3 m/s\"] }",
        "motion = { servo = { force = \"5 N\", max_speed = \"3 m/s\" } }",
    );
    assert_ne!(presses, text);
    for (scene, step) in [
        (presses, 400),
        (text.replace("[[stages]]\nname = \"fly\"", &format!("{probes}[[stages]]\nname = \"fly\"")), 400),
        (measured, 160),
    ] {
        let scene = builder::parse_scene("gas", &scene, &[]).unwrap();
        let [expected, found] = [1, 16].map(|most| {
            let mut simulation = begun(&scene);
            assert_eq!(advance(&mut simulation, 400, most), None);
            assert_eq!(simulation.world.step, step);
            bytes(&simulation)
        });
        assert!(found == expected, "{step} steps: another state");
    }
}
