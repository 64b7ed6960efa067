//! Dashpots of the linear law given as a rate of decay.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by it")]

use dem_core::DVec3;
use dem_sim::builder;
use dem_sim::simulation::Simulation;

const STIFFNESS: f64 = 1e5;
const SPEED: f64 = 0.5;

/// Two spheres of radii \[m\] that meet head-on, with lines of `[contact]` and whatever comes after.
fn scene(radii: [f64; 2], contact: &str, more: &str) -> String {
    let sources: String = radii
        .iter()
        .enumerate()
        .map(|(k, radius)| {
            format!(
                "[[particles]]\nname = \"sphere {k}\"\nmaterial = \"grain\"\nsizes = {{ type = \"single\", radius = {radius} }}\n\
                 region = {{ type = \"box\", min = [{k}, 0, 0], max = [{k}.9, 1, 1] }}\nfill = {{ type = \"random\", count = 1 }}\n"
            )
        })
        .collect();
    format!(
        "[fields]\ngravity = [0, 0, 0]\n[time]\nend = \"1 s\"\nstep = 1e-7\n[materials.grain]\ndensity = 2500\nyoung_modulus = 1e7\n\
         poisson_ratio = 0.25\n[contact]\nlaw = \"linear\"\nnormal_stiffness = {STIFFNESS}\nfriction = 0\n{contact}\n{more}\n{sources}"
    )
}

fn built(text: &str) -> Result<Simulation, String> {
    let scene = builder::parse_scene("spheres", text, &[]).map_err(|error| error.to_string())?;
    builder::build(&scene).map_err(|error| error.to_string())
}

/// Duration of half a damped period and restitution of spheres that may pull: `δ'' + γ δ' + k/m* δ = 0`.
fn oscillator(rate: f64, mass: f64) -> (f64, f64) {
    let duration = std::f64::consts::PI / (STIFFNESS / mass - 0.25 * rate * rate).sqrt();
    (duration, (-0.5 * rate * duration).exp())
}

#[test]
fn restitution_follows_the_decay_over_the_contact_of_each_mass() {
    let rate = 2000.0;
    let mut found = Vec::new();
    for radii in [[5e-3, 5e-3], [5e-3, 2e-3], [1e-3, 2e-3]] {
        let mut simulation = built(&scene(radii, &format!("damping_rate = {rate}\nno_tension = false"), "")).unwrap();
        let p = &mut simulation.world.particles;
        let mass = p.mass[0] * p.mass[1] / (p.mass[0] + p.mass[1]);
        let (duration, expected) = oscillator(rate, mass);
        let gap = 1e-3 * (radii[0] + radii[1]);
        for slot in 0..2 {
            let away = DVec3::X * (0.5 * (radii[0] + radii[1] + gap));
            let along = if slot == 0 { -1.0 } else { 1.0 };
            p.position[slot] = away * along;
            p.velocity[slot] = DVec3::X * (-0.5 * SPEED * along);
        }
        simulation.world.time_step = duration / 2000.0;
        simulation.initialise().unwrap();
        while simulation.world.time < gap / SPEED + 1.5 * duration {
            simulation.pipeline.step(&mut simulation.world).unwrap();
        }
        let v = &simulation.world.particles.velocity;
        let restitution = (v[1].x - v[0].x) / SPEED;
        println!("m* {mass:.3e} kg: {restitution:.6}, expected {expected:.6}");
        assert!((restitution - expected).abs() < 2e-4, "{restitution} {expected}");
        found.push(restitution);
    }
    assert!(found[0] + 0.05 < found[1] && found[1] + 0.03 < found[2], "lighter bodies lose less: {found:?}");
}

/// The rate stands for the restitution of the surroundings, and the other way round.
#[test]
fn the_more_specific_of_the_three_ways_replaces_the_others() {
    let pair = |line: &str| format!("[[pairs]]\nmaterials = [\"grain\", \"grain\"]\n{line}\n");
    let viscosity = |contact: &str, more: &str| {
        let simulation = built(&scene([1e-3; 2], contact, more)).unwrap();
        simulation.world.kernels[0].dashpots(0, 0, 5e-4, 1e-5, 1e-6).normal
    };
    let expected = |line: &str| viscosity(line, "");
    assert!((expected("damping_rate = 300") / (300.0 * 1e-5) - 1.0).abs() < 1e-12);
    let ways = ["restitution = 0.5", "damping_ratio = 0.3", "damping_rate = 300"];
    for general in ways {
        for special in ways {
            assert_eq!(viscosity(general, &pair(special)), expected(special), "{general}, then {special}");
        }
    }
}

/// The same of tangential dashpots.
#[test]
fn the_more_specific_of_the_three_tangential_ways_replaces_the_others() {
    let pair = |line: &str| format!("[[pairs]]\nmaterials = [\"grain\", \"grain\"]\n{line}\n");
    let viscosity = |contact: &str, more: &str| {
        let simulation = built(&scene([1e-3; 2], &format!("damping_rate = 300\n{contact}"), more)).unwrap();
        simulation.world.kernels[0].dashpots(0, 0, 5e-4, 1e-5, 1e-6).tangential
    };
    let expected = |line: &str| viscosity(line, "");
    let ways = ["tangential_damping_ratio = 0.1", "tangential_damping_rate = 100", "tangential_damping_share = 0.5"];
    assert!((expected(ways[2]) / (150.0 * 1e-5) - 1.0).abs() < 1e-12);
    for general in ways {
        for special in ways {
            assert_eq!(viscosity(general, &pair(special)), expected(special), "{general}, then {special}");
        }
    }
}

#[test]
fn two_ways_in_one_place_are_refused_at_the_second() {
    for other in ["restitution = 0.5", "damping_ratio = 0.3"] {
        let error = built(&scene([1e-3; 2], &format!("{other}\ndamping_rate = 300"), "")).err().unwrap();
        assert!(error.contains("damping_rate") && error.contains("give one of the two"), "{error}");
    }
    let error = built(&scene([1e-3; 2], "", "")).err().unwrap();
    assert!(error.contains("give restitution or damping_ratio or damping_rate"), "{error}");
}

#[test]
fn dashpots_with_which_no_run_would_get_anywhere_are_refused() {
    for (line, allowed) in [
        ("damping_ratio = 1.1e4", "damping_ratio = 1.1e4 [-], expected 0 <= value <= 1e4"),
        ("damping_rate = 1e99", "damping_rate = 1e99 [1/s], expected 0 <= value <= 1e12"),
        (
            "damping_ratio = 0.1\ntangential_damping_ratio = 1e5",
            "tangential_damping_ratio = 1e5 [-], expected 0 <= value <= 1e4",
        ),
        (
            "damping_ratio = 0.1\ntangential_damping_rate = \"2e9 1/ms\"",
            "tangential_damping_rate = \"2e9 1/ms\", expected 0 <= value <= 1e12 [1/s]",
        ),
        (
            "damping_ratio = 0.1\ntangential_damping_share = 101",
            "tangential_damping_share = 101 [-], expected 0 <= value <= 1e2",
        ),
    ] {
        let error = built(&scene([1e-3; 2], line, "")).err().unwrap();
        assert!(error.contains(allowed), "{error}");
    }
    assert!(built(&scene([1e-3; 2], "damping_rate = 1e12", "")).is_ok());
}
