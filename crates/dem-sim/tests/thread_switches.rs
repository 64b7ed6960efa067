//! Who steps a small scene from any thread does not pay for handing work over. Alone in its process: other tests have threads of their own.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;

use dem_sim::builder;

const SCENE: &str = r#"
[materials.glass]
density = 2500
young_modulus = 1e8
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "block"
material = "glass"
sizes = { type = "single", radius = "5 mm" }
region = { type = "box", min = [0, 0, 0], max = ["10 cm", "10 cm", "5 cm"] }
fill = { type = "lattice" }
[time]
end = "10 s"
"#;

const STEPS: u64 = 2000;

/// How often threads of this process have given their processor away because they had nothing to do.
fn switches() -> u64 {
    let of = |status: String| {
        let line =
            status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap().trim().to_owned();
        line.parse::<u64>().unwrap()
    };
    let tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path().join("status"));
    tasks.filter_map(|path| fs::read_to_string(path).ok()).map(of).sum()
}

/// Switches per step of a new simulation.
fn switches_per_step() -> f64 {
    let scene = builder::parse_scene("block", SCENE, &[]).unwrap();
    let mut simulation = builder::build(&scene).unwrap();
    simulation.initialise().unwrap();
    for _ in 0..10 {
        simulation.advance().unwrap();
    }
    let before = switches();
    for _ in 0..STEPS {
        simulation.advance().unwrap();
    }
    (switches() - before) as f64 / STEPS as f64
}

#[test]
fn steps_of_a_small_scene_hand_nothing_over_from_any_thread() {
    for caller in ["the thread of the test", "another thread"] {
        let found = if caller == "another thread" {
            std::thread::spawn(switches_per_step).join().unwrap()
        } else {
            switches_per_step()
        };
        println!("{caller}: {found} switches a step");
        assert!(found < 0.1, "{caller}: {found} switches a step");
    }
}
