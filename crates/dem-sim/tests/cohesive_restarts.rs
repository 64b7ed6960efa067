//! Runs of particles that stick and yield, cut by a checkpoint while contacts load, pull and slide, end with the bytes of runs that were not.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder;
use dem_sim::checkpoint;
use dem_sim::simulation::Simulation;

/// Two blocks that hit each other aslant over a floor.
const SCENE: &str = r#"
[time]
step = "4 us"
end = "1 s"
[materials.m]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[limits]
overlap = 0.5
[fields]
gravity = [0, 0, -50]
[[walls]]
name = "floor"
material = "m"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "left"
material = "m"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["4.1 mm", "4.1 mm", "4.1 mm"] }
fill = { type = "lattice", gap = 0.01, jitter = 1 }
velocity = ["0.4 m/s", "0.1 m/s", "-0.1 m/s"]
[[particles]]
name = "right"
material = "m"
sizes = { type = "single", radius = "1 mm" }
region = { type = "box", min = ["4.3 mm", 0, 0], max = ["8.4 mm", "4.1 mm", "4.1 mm"] }
fill = { type = "lattice", gap = 0.01, jitter = 1 }
velocity = ["-0.4 m/s", "-0.1 m/s", 0]
angular_velocity = ["100 rad/s", 0, "60 rad/s"]
"#;

const LAWS: [(&str, &str); 9] = [
    ("jkr", "law = \"jkr\"\nsurface_energy = 8\nrestitution = 0.9"),
    ("jkr, to the peak", "law = \"jkr\"\nsurface_energy = 8\nrestitution = 1\nseparation = \"peak\""),
    ("dmt", "law = \"dmt\"\nsurface_energy = 5\nrestitution = 0.6"),
    ("thornton-ning", "law = \"thornton-ning\"\nyield_pressure = 5e5\nsurface_energy = 4"),
    (
        "luding",
        "law = \"luding\"\nloading_stiffness = 2e3\nunloading_stiffness_limit = 1e4\ncohesive_stiffness = 4e3\nplasticity_depth = 0.05",
    ),
    (
        "luding, literal",
        "law = \"luding\"\nmemory = \"literal\"\nloading_stiffness = 2e3\nunloading_stiffness_limit = 1e4\ncohesive_stiffness = 4e3\nplasticity_depth = 0.05",
    ),
    ("edinburgh", "law = \"edinburgh\"\nplasticity_ratio = 0.7\nsurface_energy = 40\nconstant_pull = 5e-3"),
    ("sjkr", "law = \"hertz-mindlin\"\nrestitution = 0.6\nadhesion = \"sjkr\"\ncohesion_energy_density = 4e5"),
    ("constant pull", "law = \"hertz-mindlin\"\nrestitution = 0.6\nadhesion = \"constant\"\npull = 0.05"),
];

/// Contacts that press, and that pull.
fn pressed_and_pulled(simulation: &Simulation) -> [usize; 2] {
    let mut counts = [0; 2];
    simulation.world.visit_contacts(&mut |contact| {
        counts[usize::from(contact.elastic_force < 0.0)] += 1;
    });
    counts
}

#[test]
fn runs_that_are_cut_while_contacts_pull_end_with_the_same_bytes() {
    const CUTS: [u64; 5] = [40, 90, 160, 240, 330];
    const END: u64 = 400;
    for (name, law) in LAWS {
        let text = format!("{SCENE}\n[contact]\n{law}\nfriction = 0.3\n");
        let loaded = builder::parse_scene("blocks", &text, &[]).unwrap();
        let mut straight = builder::build(&loaded).unwrap();
        straight.initialise().unwrap();
        let mut saved = Vec::new();
        let mut seen = [0; 2];
        while straight.world.step < END {
            straight.advance().unwrap();
            if CUTS.contains(&straight.world.step) {
                let [pressed, pulled] = pressed_and_pulled(&straight);
                seen = [seen[0] + pressed, seen[1] + pulled];
                saved.push(checkpoint::save(&straight, "blocks").unwrap());
            }
        }
        println!(
            "{name}: at the cuts {} contacts press and {} pull; sliding has taken {:.1e} J",
            seen[0],
            seen[1],
            straight.world.energy().friction
        );
        // the elastic force of a law is without what is laid over it
        let is_overlaid = law.contains("adhesion =");
        assert!(
            seen[0] > 5 && (is_overlaid || seen[1] > 5) && straight.world.energy().friction > 0.0,
            "{name}: {seen:?}"
        );
        let expected = checkpoint::save(&straight, "blocks").unwrap();
        for bytes in saved {
            let mut again = builder::build_empty(&loaded).unwrap();
            checkpoint::restore(&mut again, &CheckpointReader::from_bytes(bytes.clone()).unwrap(), "blocks").unwrap();
            assert!(
                checkpoint::save(&again, "blocks").unwrap() == bytes,
                "{name}: a state that was read is another one"
            );
            let from = again.world.step;
            while again.world.step < END {
                again.advance().unwrap();
            }
            assert!(
                checkpoint::save(&again, "blocks").unwrap() == expected,
                "{name}: other bytes after a cut at step {from}"
            );
        }
    }
}
