//! Spheres that surfaces surround: a ball that falls along the axis of a cone.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::fmt::Write;

use dem_core::DVec3;
use dem_sim::builder;
use dem_sim::simulation::Simulation;
use tempfile::TempDir;

/// Radius of the ball \[m\].
const RADIUS: f64 = 0.01;
/// Its weight \[N\].
const WEIGHT: f64 = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS * 9.81;

const FRUSTUM: &str =
    r#"shape = { type = "frustum", base = [0, 0, 0], base_radius = 0.004, top_radius = 0.05, height = 0.046 }"#;
const FLOOR: &str = r#"shape = { type = "plane", point = [0, 0, 0.01], normal = [0, 0, 1] }"#;
const MESH: &str = r#"shape = { type = "mesh", file = "cone.stl", unit = "1 m" }"#;

/// Writes a cone of 45 degrees with so many sides around the frustum, in single precision.
fn write_cone(folder: &TempDir, sides: usize) {
    let widened = 1.0 / libm::cos(std::f64::consts::PI / sides as f64);
    let at = |k: usize, r: f64, z: f64| {
        let angle = std::f64::consts::TAU * (k % sides) as f64 / sides as f64;
        DVec3::new(r * widened * libm::cos(angle), r * widened * libm::sin(angle), z).as_vec3()
    };
    let mut text = "solid cone\n".to_owned();
    for k in 0..sides {
        let [a, b, c, d] = [at(k, 0.004, 0.0), at(k + 1, 0.004, 0.0), at(k + 1, 0.05, 0.046), at(k, 0.05, 0.046)];
        for corners in [[a, b, c], [a, c, d]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for x in corners {
                writeln!(text, "vertex {:e} {:e} {:e}", x.x, x.y, x.z).unwrap();
            }
            text += "endloop\nendfacet\n";
        }
    }
    std::fs::write(folder.path().join("cone.stl"), text + "endsolid cone\n").unwrap();
}

/// A ball that falls along the axis, or beside it, into a wall.
fn start(folder: &TempDir, wall: &str, aside: f64, contact: &str) -> Simulation {
    std::fs::write(folder.path().join("ball.csv"), format!("x,y,z,r\n{aside:e},0,0.03,{RADIUS}\n")).unwrap();
    let text = format!(
        r#"
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
restitution = 0.3
{contact}
[time]
step = "5 us"
[[walls]]
name = "wall"
material = "a"
{wall}
[[particles]]
name = "ball"
material = "a"
fill = {{ type = "file", path = "ball.csv" }}
[[stages]]
name = "fall"
until = {{ at_rest = true, time = "1 s" }}
"#
    );
    let loaded = builder::parse_scene_in(folder.path(), "test", &text, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    simulation
}

/// What a fall came to.
struct Fall {
    /// Largest departure of the energy balance in proportion to the energy of the fall.
    imbalance: f64,
    /// Horizontal force on the wall in proportion to the weight.
    aside: f64,
    /// Largest overlap in the end \[m\].
    overlap: f64,
    contacts: usize,
    is_at_rest: bool,
}

/// Lets it fall; viscous work may fall by a part `loss` of the energy in a step.
fn fall(simulation: &mut Simulation, name: &str, loss: f64) -> Fall {
    let energy = WEIGHT * 0.02;
    let before = simulation.world.energy().balance();
    let (mut viscous, mut imbalance) = (0.0, 0.0f64);
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        let now = simulation.world.energy();
        assert!(
            now.viscous >= viscous - loss * energy,
            "{name}: viscous work falls from {viscous:e} to {:e}",
            now.viscous
        );
        viscous = now.viscous;
        imbalance = imbalance.max((now.balance() - before).abs() / energy);
    }
    let world = &simulation.world;
    let force = world.walls[0].force;
    let (mut overlap, mut contacts) = (0.0f64, 0);
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            overlap = overlap.max(c.overlap);
            contacts += 1;
        });
    }
    let found = Fall {
        imbalance,
        aside: force.truncate().length() / WEIGHT,
        overlap,
        contacts,
        is_at_rest: simulation.state.stopped == Some(dem_sim::simulation::StopReason::AtRest),
    };
    println!(
        "{name}: energy off by {:.1e}, {} contacts, overlap {:.4e} m, horizontal force {:.1e} of the weight, at rest: {}",
        found.imbalance, found.contacts, found.overlap, found.aside, found.is_at_rest
    );
    found
}

#[test]
fn a_ball_comes_to_rest_in_cones_of_any_number_of_sides_alike() {
    let folder = tempfile::tempdir().unwrap();
    let on_floor = fall(&mut start(&folder, FLOOR, 0.0, "friction = 0"), "floor", 0.0);
    let expected = fall(&mut start(&folder, FRUSTUM, 0.0, "friction = 0"), "frustum", 0.0).overlap;
    // N = 4/3 E* sqrt(R) overlap^(3/2) each, twelve at 45 degrees carry the weight
    let modulus = 1e7 / (2.0 * (1.0 - 0.25 * 0.25));
    let each = WEIGHT / (12.0 * 0.5f64.sqrt());
    let exact = (each / (4.0 / 3.0 * modulus * RADIUS.sqrt())).powf(2.0 / 3.0);
    assert!((expected / exact - 1.0).abs() < 1e-3, "{expected:e} {exact:e}");
    for sides in [12, 24, 60, 240] {
        write_cone(&folder, sides);
        for aside in [0.0, 1e-5] {
            let found =
                fall(&mut start(&folder, MESH, aside, "friction = 0"), &format!("{sides} sides, {aside} m aside"), 0.0);
            assert!(found.is_at_rest || aside > 0.0, "{sides} {aside}");
            assert!(found.aside < 0.01 || !found.is_at_rest, "{sides} {aside}: {:e}", found.aside);
            // twelve contacts at 45 degrees are six times as stiff as the floor, and the error goes with the square of the step
            assert!(found.imbalance < 12.0 * on_floor.imbalance.max(1e-5), "{sides} {aside}: {:e}", found.imbalance);
            if found.is_at_rest {
                assert_eq!(found.contacts, 12);
                assert!((found.overlap / expected - 1.0).abs() < 0.01, "{sides}: {:e} {expected:e}", found.overlap);
            }
        }
    }
}

#[test]
fn a_ball_with_friction_comes_to_rest_in_a_cone() {
    let folder = tempfile::tempdir().unwrap();
    write_cone(&folder, 60);
    let friction =
        "friction = 0.5\ntangential_damping_ratio = 0.2\nrolling = \"elastic-plastic\"\nrolling_friction = 0.05";
    // a contact goes on with the dashpot force of the face beside it when the nearest face changes
    for (name, wall) in [("frustum", FRUSTUM), ("60 sides", MESH)] {
        for aside in [0.0, 1e-4] {
            let found = fall(
                &mut start(&folder, wall, aside, friction),
                &format!("{name} with friction, {aside} m aside"),
                1e-4,
            );
            assert!(found.is_at_rest, "{name} {aside}");
            assert!(found.aside < 0.01, "{name} {aside}: {:e}", found.aside);
            assert!(found.imbalance < 0.05, "{name} {aside}: {:e}", found.imbalance);
        }
    }
}
