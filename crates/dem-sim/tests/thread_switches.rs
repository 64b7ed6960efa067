//! Who steps a scene from any thread does not pay for handing work over. Alone in its process: other tests have threads of their own.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs;

use dem_sim::builder;

/// Grains that fall into a bed and come to rest: contacts form, and the list is built again.
const SCENE: &str = r#"
seed = 1
[domain]
min = ["0 mm", "0 mm", "-5 mm"]
max = ["40 mm", "40 mm", "120 mm"]
x = "periodic"
y = "periodic"
[fields]
gravity = [0, 0, -40]
[materials.glass]
density = 2500
young_modulus = 2e7
poisson_ratio = 0.25
[materials.steel]
density = 7800
young_modulus = 1e8
poisson_ratio = 0.3
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[walls]]
name = "floor"
material = "steel"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "grains"
material = "glass"
sizes = { type = "uniform", min = "2.1 mm", max = "2.9 mm" }
region = { type = "box", min = [0, 0, 0], max = ["40 mm", "40 mm", "50 mm"] }
fill = { type = "random", count = 380 }
[[stages]]
name = "settle"
until = { at_rest = true }
[time]
end = "10 s"
"#;

const STEPS: u64 = 20_000;

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

/// A caller who hands every piece over has 2.3 a step on two cores, and 0.9 where a thread is woken for
/// a thousand contacts.
#[test]
fn steps_from_any_thread_hand_hardly_anything_over() {
    let pool = rayon::ThreadPoolBuilder::new().build().unwrap();
    let another = || std::thread::spawn(switches_per_step).join().unwrap();
    let callers = [
        ("a thread of a pool", pool.install(switches_per_step)),
        ("the thread of the test", switches_per_step()),
        ("another thread", another()),
    ];
    for (caller, found) in callers {
        println!("{caller}: {found} switches a step");
        assert!(found < 0.1, "{caller}: {found} switches a step");
    }
}
