//! Particles on prescribed paths against the motion of a point on a wire.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder;
use dem_sim::checkpoint;
use dem_sim::fields::Fields;
use dem_sim::guides::{Drive, Guide, Path};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::schemes::all_schemes;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;

fn ring(radius: f64) -> Path {
    Path::Circle { centre: DVec3::new(0.1, 0.0, 0.2), normal: DVec3::Y, radius }
}

/// One sphere under gravity on a path from the point nearest to `from`.
fn guided(path: Path, from: DVec3, drive: Drive, velocity: f64, time_step: f64) -> World {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), Cell::unbounded());
    world.fields = Fields { gravity: -GRAVITY * DVec3::Z, ..Fields::default() };
    world.time_step = time_step;
    let mut sphere = worlds::sphere(path.nearest(from).point, RADIUS);
    sphere.velocity = path.nearest(from).tangent * velocity;
    world.insert(sphere);
    let mut guide = Guide::new("wire", path, drive);
    guide.attach(&mut world.particles, 0, velocity, 0.0);
    world.guides.push(guide);
    world
}

fn run(world: &mut World, pipeline: &mut Pipeline, steps: u32) {
    pipeline.initialise(world).unwrap();
    for _ in 0..steps {
        pipeline.step(world).unwrap();
    }
}

/// Coordinate and velocity of a pendulum of a length after a time, from its lowest point, by the method of
/// Runge and Kutta.
fn pendulum(length: f64, velocity: f64, time: f64) -> [f64; 2] {
    let rate = |y: [f64; 2]| [y[1], -GRAVITY * (y[0] / length).sin()];
    let steps = 4000;
    let dt = time / f64::from(steps);
    let mut y = [0.0, velocity];
    for _ in 0..steps {
        let on = |k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = rate(y);
        let k2 = rate(on(k1, 0.5 * dt));
        let k3 = rate(on(k2, 0.5 * dt));
        let k4 = rate(on(k3, dt));
        y = std::array::from_fn(|i| y[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

#[test]
fn a_bead_on_a_ring_swings_like_a_pendulum_with_every_integrator() {
    let (length, velocity, time) = (0.5, 2.0, 1.0);
    let exact = pendulum(length, velocity, time);
    for scheme in all_schemes() {
        let error = |steps: u32| {
            let mut world =
                guided(ring(length), DVec3::new(0.1, 0.0, -1.0), Drive::Free, velocity, time / f64::from(steps));
            run(&mut world, &mut worlds::pipeline_of(&scheme), steps);
            let follower = world.guides.list()[0].followers[0];
            let position = world.particles.position[0];
            assert!((ring(length).nearest(position).point - position).length() < 1e-15, "{scheme}: off the path");
            // the positive direction is about +y: from the lowest point towards −x, in which the pendulum counts just as well
            (follower.coordinate - exact[0]).abs().max((follower.velocity - exact[1]).abs())
        };
        let (coarse, fine) = (error(400), error(800));
        // a scheme of first order reaches a few hundredths, all others their second order or better
        let first_order = scheme.integrator == "semi-implicit-euler";
        let (most, gain) = if first_order { (0.03, 1.8) } else { (3e-4, 3.5) };
        assert!(coarse < most && (fine < coarse / gain || fine < 1e-8), "{scheme}: {coarse:e} {fine:e}");
    }
}

#[test]
fn the_ring_does_no_work_and_a_prescribed_motion_does_that_of_gravity() {
    let start = DVec3::new(0.1, 0.0, -1.0);
    let mut free = guided(ring(0.5), start, Drive::Free, 2.0, 1e-4);
    let before = free.energy().balance();
    run(&mut free, &mut worlds::pipeline(), 10_000);
    // to the square of the step
    assert!((free.energy().balance() - before).abs() < 1e-6 * free.energy().kinetic(), "{:?}", free.energy());
    assert_eq!(free.energy().walls, 0.0);

    let mut driven = guided(ring(0.5), start, Drive::Prescribed(-0.3), 0.0, 1e-4);
    let before = driven.energy();
    run(&mut driven, &mut worlds::pipeline(), 10_000);
    let after = driven.energy();
    let follower = driven.guides.list()[0].followers[0];
    assert!((follower.coordinate + 0.3 * driven.time).abs() < 1e-12, "{follower:?}");
    assert_eq!(follower.velocity, -0.3);
    let risen = after.gravity - before.gravity;
    assert!(risen > 0.0 && (after.walls / risen - 1.0).abs() < 1e-6, "{} {risen}", after.walls);
}

/// On an incline of 30 degrees friction holds with a coefficient above tan 30 = 0.577.
#[test]
fn friction_brakes_and_holds_a_bead_on_an_inclined_line() {
    let (sine, cosine) = (0.5f64, 0.75f64.sqrt());
    let incline = Path::Line { point: DVec3::ZERO, direction: DVec3::new(cosine, 0.0, -sine) };
    let slide = |friction: f64, velocity: f64| {
        let mut world = guided(incline, DVec3::ZERO, Drive::Free, velocity, 1e-4);
        let mut list = world.guides.list().to_vec();
        list[0].friction = friction;
        world.guides.replace(list);
        let before = world.energy().balance();
        run(&mut world, &mut worlds::pipeline(), 5000);
        let drift = (world.energy().balance() - before).abs();
        assert!(drift < 1e-4 * world.energy().fields.abs().max(1e-9), "{friction} {velocity}: {drift:e}");
        world.guides.list()[0].followers[0]
    };
    let down = GRAVITY * (sine - 0.2 * cosine);
    assert!((slide(0.2, 0.0).coordinate / (0.5 * down * 0.25) - 1.0).abs() < 1e-9);
    assert_eq!(slide(0.7, 0.0).coordinate, 0.0);
    // brought to rest on the way up, and held there
    let up = GRAVITY * (sine + 0.7 * cosine);
    let stopped = slide(0.7, -1.0);
    assert_eq!(stopped.velocity, 0.0);
    assert!((stopped.coordinate / (-0.5 / up) - 1.0).abs() < 1e-3, "{stopped:?}");
}

/// A point that slides off a sphere without friction leaves it where the height over the centre is two thirds of the radius.
#[test]
fn a_one_sided_ring_lets_go_where_it_would_have_to_pull() {
    let velocity = 1e-3;
    let mut world = guided(ring(0.5), DVec3::new(0.1, 0.0, 1.0), Drive::Free, velocity, 1e-4);
    let mut list = world.guides.list().to_vec();
    list[0].one_sided = true;
    world.guides.replace(list);
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    while !world.guides.list()[0].followers[0].released {
        pipeline.step(&mut world).unwrap();
    }
    let height = (world.particles.position[0].z - 0.2) / 0.5;
    // g(1 − c) 2 R + v² = g R c; a step is 1e-4 of the path
    let expected = 2.0 / 3.0 + velocity * velocity / (3.0 * GRAVITY * 0.5);
    assert!((height - expected).abs() < 3e-4, "{height} {expected}");
    let falling = world.particles.velocity[0];
    pipeline.step(&mut world).unwrap();
    let change = world.particles.velocity[0] - falling;
    assert!((change + GRAVITY * world.time_step * DVec3::Z).length() < 1e-12, "{change}");
}

const SCENE: &str = r#"
[time]
step = "1e-5 s"
end = "1 s"
integrator = INTEGRATOR

[materials.glass]
density = 2500
young_modulus = "50 MPa"
poisson_ratio = 0.25

[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.9

[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", point = [0, 0, "-1 um"], normal = [0, 0, 1] }

[[particles]]
name = "bead"
material = "glass"
sizes = { type = "single", radius = "10 mm" }
region = { type = "box", min = ["-10 mm", "-10 mm", 0], max = ["10 mm", "10 mm", "20 mm"] }
fill = { type = "lattice", count = 1 }

[[particles]]
name = "free"
material = "glass"
sizes = { type = "single", radius = "10 mm" }
region = { type = "box", min = ["11 mm", "-10 mm", 0], max = ["31 mm", "10 mm", "20 mm"] }
fill = { type = "lattice", count = 1 }

[[guides]]
name = "ring"
particles = "bead"
path = { type = "circle", centre = [0, 0, "110 mm"], normal = [0, -1, 0], radius = "100 mm" }
motion = { type = "free", velocity = "0.5 m/s" }
friction = 0.1

[[stages]]
name = "there"
until = { steps = 300 }

[[stages]]
name = "back"
actions = [{ type = "drive_guide", guide = "ring", velocity = "-0.4 m/s" }]
until = { steps = 1000000 }
"#;

#[test]
fn a_guided_run_continues_from_a_checkpoint_bit_for_bit_with_every_integrator() {
    for scheme in all_schemes() {
        let text = SCENE.replace("INTEGRATOR", &scheme.toml());
        let loaded = builder::parse_scene("ring", &text, &[]).unwrap();
        let mut whole = builder::build(&loaded).unwrap();
        whole.initialise().unwrap();
        for _ in 0..200 {
            whole.advance().unwrap();
        }
        let middle = checkpoint::save(&whole, "ring").unwrap();
        for _ in 0..200 {
            whole.advance().unwrap();
        }
        assert!(whole.world.guides.list()[0].followers[0].velocity < 0.0, "{scheme}: not sent back");
        let mut continued = builder::build_empty(&loaded).unwrap();
        let reader = CheckpointReader::from_bytes(middle).unwrap();
        checkpoint::restore(&mut continued, &reader, "ring").unwrap();
        for _ in 0..200 {
            continued.advance().unwrap();
        }
        let same = checkpoint::save(&whole, "ring").unwrap() == checkpoint::save(&continued, "ring").unwrap();
        assert!(same, "{scheme}");
    }
}

#[test]
fn a_branch_takes_over_the_guided_particles() {
    let text = SCENE.replace("INTEGRATOR", "\"velocity-verlet\"");
    let loaded = builder::parse_scene("ring", &text, &[]).unwrap();
    let mut first = builder::build(&loaded).unwrap();
    first.initialise().unwrap();
    for _ in 0..50 {
        first.advance().unwrap();
    }
    let reader = CheckpointReader::from_bytes(checkpoint::save(&first, "ring").unwrap()).unwrap();
    let mut branch = builder::build_empty(&loaded).unwrap();
    checkpoint::branch(&mut branch, &loaded, &reader).unwrap();
    let (old, new) = (first.world.guides.list()[0].followers[0], branch.world.guides.list()[0].followers[0]);
    assert_eq!((new.particle, new.velocity, new.coordinate), (old.particle, old.velocity, 0.0));
    let other = builder::parse_scene("other", &text.replace("name = \"ring\"", "name = \"rail\""), &[]);
    // the stage names the guide too
    let other = other.unwrap();
    assert!(builder::build_empty(&other).err().unwrap().to_string().contains("expected the name of a guide: rail"));
}

#[test]
fn guides_that_cannot_be_are_refused_by_name_and_place() {
    let refused = |from: &str, to: &str| {
        let text = SCENE.replace("INTEGRATOR", "\"velocity-verlet\"").replace(from, to);
        let loaded = builder::parse_scene("scene", &text, &[]);
        loaded.and_then(|loaded| builder::build(&loaded)).err().unwrap().to_string()
    };
    let free = "motion = { type = \"free\", velocity = \"0.5 m/s\" }";
    let cases = [
        ("particles = \"bead\"", "particles = \"beads\"", "expected the name of a source: bead, free"),
        ("radius = \"100 mm\" }", "radius = \"90 mm\" }", "centres on it"),
        ("radius = \"100 mm\" }", "radius = \"-1 mm\" }", "value > 0"),
        ("normal = [0, -1, 0]", "normal = [0, 0, 0]", "not zero"),
        ("friction = 0.1", "friction = -0.1", "value >= 0"),
        (free, "motion = { type = \"prescribed\", velocity = 1 }", "expected none together with a prescribed motion"),
        (
            "path = { type = \"circle\", centre = [0, 0, \"110 mm\"], normal = [0, -1, 0], radius = \"100 mm\" }",
            "path = { type = \"line\", point = [0, 0, 0.01], direction = [1, 0, 0] }\none_sided = true",
            "a line has no outside",
        ),
        ("[[walls]]", "[domain]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\nx = \"periodic\"\n[[walls]]", "periodic along x"),
        ("name = \"ring\"\n", "name = \"\"\n", "every other guide"),
    ];
    for (from, to, expected) in cases {
        let message = refused(from, to);
        assert!(message.contains(expected), "{to}: {message}");
    }
}
