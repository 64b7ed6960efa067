//! Orientations that do not follow: nothing else is different.
#![expect(clippy::unwrap_used, reason = "functions that tests share fail as tests do")]

use dem_core::DQuat;
use dem_io::checkpoint::CheckpointReader;
use dem_sim::run::frame;
use dem_sim::simulation::Simulation;
use dem_sim::{builder, checkpoint};
use dem_testkit::schemes::all_schemes;

/// Two spheres that hit each other off their centres.
const SCENE: &str = r#"
[time]
step = "10 us"
integrator = INTEGRATOR
[fields]
gravity = [0, 0, 0]
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
[[particles]]
name = "left"
material = "glass"
sizes = { type = "single", radius = 0.01 }
region = { type = "box", min = [0, 0, 0], max = [0.02, 0.02, 0.02] }
fill = { type = "lattice", count = 1 }
velocity = [1, 0, 0]
[[particles]]
name = "right"
material = "glass"
sizes = { type = "single", radius = 0.01 }
region = { type = "box", min = [0.0201, 0.004, 0], max = [0.0401, 0.024, 0.02] }
fill = { type = "lattice", count = 1 }
angular_velocity = [0, 20, 0]
[[stages]]
name = "run"
until = { steps = 1000000 }
"#;

fn scene(integrator: &str, output: &str) -> String {
    format!("{}{output}", SCENE.replace("INTEGRATOR", integrator))
}

const WITHOUT: &str = "[output]\norientations = false\n";

fn built(scene: &str) -> Simulation {
    let loaded = builder::parse_scene("pair", scene, &[]).unwrap();
    builder::build(&loaded).unwrap()
}

fn advanced(scene: &str) -> Simulation {
    let mut simulation = built(scene);
    simulation.initialise().unwrap();
    for _ in 0..60 {
        simulation.advance().unwrap();
    }
    simulation
}

#[test]
fn spheres_move_to_the_same_bits_without_orientations_under_every_integrator() {
    for scheme in all_schemes() {
        let [with, without] = ["", WITHOUT].map(|output| advanced(&scene(&scheme.toml(), output)));
        let bits = |simulation: &Simulation| {
            let p = &simulation.world.particles;
            let columns = [&p.position, &p.velocity, &p.angular_velocity, &p.rotation_increment, &p.force, &p.torque];
            columns.map(|column| column.iter().map(|v| v.to_array().map(f64::to_bits)).collect::<Vec<_>>())
        };
        assert_eq!(bits(&with), bits(&without), "{}", scheme.toml());
        let turned = |simulation: &Simulation| {
            simulation.world.particles.orientation.iter().filter(|&&q| q != DQuat::IDENTITY).count()
        };
        assert_eq!((turned(&with), turned(&without)), (2, 0), "{}", scheme.toml());
    }
}

#[test]
fn frames_have_orientations_only_where_these_follow() {
    let integrator = "\"velocity-verlet\"";
    for (output, expected) in [("", true), (WITHOUT, false)] {
        let frame = frame(&advanced(&scene(integrator, output)).world, true);
        assert_eq!(frame.point_data.iter().any(|column| column.spec.name == "orientation"), expected);
    }
}

#[test]
fn orientations_go_on_from_where_a_run_without_them_left_them() {
    let integrator = "\"velocity-verlet\"";
    let first = advanced(&scene(integrator, WITHOUT));
    let bytes = checkpoint::save(&first, "scene").unwrap();
    let reader = CheckpointReader::from_bytes(bytes).unwrap();
    let loaded = builder::parse_scene("pair", &scene(integrator, ""), &[]).unwrap();
    let mut continued = builder::build_empty(&loaded).unwrap();
    checkpoint::restore(&mut continued, &reader, "scene").unwrap();
    continued.advance().unwrap();
    let p = &continued.world.particles;
    for (q, turn) in p.orientation.iter().zip(&p.rotation_increment) {
        // the turn of one step, 2 tan(θ/2), of which half is the vector of the quaternion, sin(θ/2), but for 5·10⁻⁹
        assert!((2.0 * q.xyz() - *turn).length() < 1e-8 * turn.length() && turn.length() > 0.0, "{q} {turn}");
    }
}

#[test]
fn pictures_are_coloured_by_what_frames_will_have() {
    let picture = |colour: &str| format!("picture = {{ colour = \"{colour}\" }}\n");
    let refused = |output: &str| {
        let loaded = builder::parse_scene("pair", &scene("\"velocity-verlet\"", output), &[]).unwrap();
        builder::build(&loaded).err().map(|error| error.to_string())
    };
    assert_eq!(refused(&format!("[output]\n{}", picture("orientation"))), None);
    let message = refused(&format!("{WITHOUT}{}", picture("orientation"))).unwrap();
    assert!(message.contains("colour is \"orientation\" (known: height, speed, id, radius, velocity"), "{message}");
    assert_eq!(refused(&format!("[output]\ntotal_rotation = true\n{}", picture("total_rotation"))), None);
    assert!(refused(&format!("[output]\n{}", picture("total_rotation"))).is_some());
}
