//! Rigid bodies that something holds, leads, turns or pushes: frozen ones, guides, loads of groups, changes of fields.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::cell::Cell;
use dem_core::{DQuat, DVec3};
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder::{build, build_empty, parse_scene};
use dem_sim::checkpoint;
use dem_sim::guides::{Drive, Guide, Path};
use dem_sim::measure;
use dem_sim::simulation::Simulation;
use dem_sim::world::World;
use dem_testkit::bodies::{body, dimer, jack, set_templates};
use dem_testkit::schemes::scheme;
use dem_testkit::worlds;

const RADIUS: f64 = 1e-3;
const SCHEMES: [&str; 4] = ["velocity-verlet", "semi-implicit-euler", "newmark", "newmark mode=\"pece\""];

fn world(restitution: f64) -> World {
    worlds::world("linear", &worlds::common_parameters("linear", 0.0, restitution), Cell::unbounded())
}

fn lead(world: &mut World, guide: Guide, slot: usize, velocity: f64) {
    let mut guide = guide;
    guide.attach(&mut world.particles, slot, velocity, world.time);
    world.guides.push(guide);
}

/// A body on a ring swings as the bead of its mass does, and turns as if it were free.
#[test]
fn a_guide_leads_a_body_by_its_centre() {
    let ring = Path::Circle { centre: DVec3::new(0.1, 0.0, 0.2), normal: DVec3::Y, radius: 0.5 };
    let spin = DVec3::new(30.0, 20.0, 60.0);
    for name in SCHEMES {
        let swung = |is_body: bool| {
            let mut world = world(1.0);
            world.fields.gravity = -9.81 * DVec3::Z;
            world.time_step = 1e-4;
            set_templates(&mut world, vec![jack(RADIUS)]);
            if is_body {
                let mut new = body(DVec3::new(0.1, 0.0, -0.3), DQuat::from_rotation_x(0.3));
                new.angular_velocity = spin;
                world.insert_body(new);
            } else {
                world.insert(worlds::sphere(DVec3::new(0.1, 0.0, -0.3), RADIUS));
            }
            lead(&mut world, Guide::new("wire", ring, Drive::Free), 0, 2.0);
            let mut pipeline = worlds::pipeline_of(&scheme(name));
            pipeline.initialise(&mut world).unwrap();
            let before = world.energy().balance();
            for _ in 0..5000 {
                pipeline.step(&mut world).unwrap();
            }
            let drift = (world.energy().balance() - before) / world.energy().kinetic();
            (world, drift)
        };
        let ((bead, _), (led, drift)) = (swung(false), swung(true));
        let [of_bead, of_body] = [&bead, &led].map(|world| world.guides.list()[0].followers[0]);
        assert!((of_bead.coordinate - of_body.coordinate).abs() < 1e-12, "{name}: {of_bead:?} {of_body:?}");
        let body = &led.particles.bodies.all[0];
        assert!((ring.nearest(body.position).point - body.position).length() < 1e-15, "{name}");
        assert!((body.angular_momentum - body.angular_momentum_of(body.angular_velocity())).length() < 1e-20);
        let start = {
            let mut world = world(1.0);
            set_templates(&mut world, vec![jack(RADIUS)]);
            let mut new = self::body(DVec3::ZERO, DQuat::from_rotation_x(0.3));
            new.angular_velocity = spin;
            world.insert_body(new);
            world.particles.bodies.all[0].angular_momentum
        };
        assert_eq!(body.angular_momentum, start, "{name}: the guide has turned it");
        // members are where their body is
        let arm = led.particles.position[0] - body.position;
        assert!((arm.length() - 3.0 * RADIUS).abs() < 1e-15, "{name}: {arm}");
        let allowed = if name == "semi-implicit-euler" { 0.05 } else { 1e-5 };
        assert!(drift.abs() < allowed, "{name}: {drift:e}");
    }
}

/// A steady turn about an axis that is no principal one takes a torque, but no work.
#[test]
fn a_body_that_is_turned_has_exactly_the_orientation_of_a_steady_turn() {
    let spin = DVec3::new(7.0, -3.0, 5.0);
    for name in SCHEMES {
        let mut world = world(1.0);
        world.time_step = 1e-4;
        set_templates(&mut world, vec![jack(RADIUS)]);
        let start = DQuat::from_rotation_x(0.3);
        world.insert_body(body(DVec3::ZERO, start));
        let line = Path::Line { point: DVec3::ZERO, direction: DVec3::X };
        let guide = Guide { spin: Some(spin), ..Guide::new("shaft", line, Drive::Prescribed(0.25)) };
        lead(&mut world, guide, 0, 0.0);
        let mut pipeline = worlds::pipeline_of(&scheme(name));
        pipeline.initialise(&mut world).unwrap();
        let kinetic = world.energy().kinetic();
        let mut torque = DVec3::ZERO;
        for _ in 0..4000 {
            pipeline.step(&mut world).unwrap();
            torque = torque.max(world.guides.list()[0].followers[0].turn.reaction.abs());
        }
        let body = &world.particles.bodies.all[0];
        let turned = DQuat::from_scaled_axis(spin * world.time) * start;
        let off = 2.0 * (body.orientation() * turned.conjugate()).xyz().length();
        assert!(off < 1e-12, "{name}: {off:e} rad off");
        assert!((body.position - DVec3::X * (0.25 * world.time)).length() < 1e-13, "{name}");
        assert!((body.angular_velocity() - spin).length() < 1e-12, "{name}");
        let of_axes = spin.cross(body.angular_momentum);
        assert!(torque.length() > 0.5 * of_axes.length() && of_axes.length() > 0.0, "{name}: {torque}");
        let energy = world.energy();
        assert!((energy.kinetic() / kinetic - 1.0).abs() < 1e-12, "{name}");
        assert!(energy.walls.abs() < 1e-12 * kinetic, "{name}: {:e}", energy.walls);
    }
}

/// A body with a given motion is a wall: a sphere leaves it with the asked restitution relative to the surface that it hits, and what the sphere gains is the work
/// of the guide.
#[test]
fn a_body_that_is_driven_hits_as_a_moving_wall() {
    for (velocity, turn) in [(0.05, 0.0), (0.0, 40.0), (0.03, 40.0)] {
        for asked in [0.3, 0.9] {
            let mut world = world(asked);
            set_templates(&mut world, vec![dimer(RADIUS, 1.5 * RADIUS)]);
            world.insert(worlds::sphere(DVec3::new(0.75 * RADIUS, 0.0, 2.0 * RADIUS * (1.0 + 1e-6)), RADIUS));
            world.insert_body(body(DVec3::ZERO, DQuat::IDENTITY));
            let line = Path::Line { point: DVec3::ZERO, direction: DVec3::Z };
            let guide = Guide { spin: Some(-DVec3::Y * turn), ..Guide::new("ram", line, Drive::Prescribed(velocity)) };
            lead(&mut world, guide, 1, 0.0);
            let mass = world.particles.mass[0];
            let of_surface = velocity + turn * 0.75 * RADIUS;
            world.time_step = world.kernels[0].contact_duration(0, 0, 0.5 * RADIUS, mass, of_surface) / 500.0;
            let mut pipeline = worlds::pipeline();
            pipeline.initialise(&mut world).unwrap();
            let before = world.energy();
            let mut has_touched = false;
            loop {
                pipeline.step(&mut world).unwrap();
                let touches = world.contact_count().pairs > 0;
                if has_touched && !touches {
                    break;
                }
                has_touched |= touches;
            }
            let reached = world.particles.velocity[0].z / of_surface - 1.0;
            println!("{velocity} m/s, {turn} rad/s, asked {asked}: {reached:.4}");
            assert!((reached - asked).abs() < 4e-3, "{velocity} {turn} {asked}: {reached}");
            let after = world.energy();
            assert!(after.walls > before.walls);
            let residual = after.balance() - before.balance();
            assert!(
                residual.abs() < 1e-4 * after.walls,
                "{velocity} {turn} {asked}: {residual:e} of {:e}",
                after.walls
            );
        }
    }
}

/// Fields that change meet bodies as they do spheres: from the very step on.
#[test]
fn a_change_of_gravity_acts_on_bodies_at_once() {
    let scene = format!(
        "{MATERIALS}[time]\nstep = \"1 us\"\nend = \"1 s\"\n[clumps.rod]\nspheres = [{{ position = [0, 0, 0], radius = 0.001 }}, {{ position = [0, 0.0015, 0], radius = 0.001 }}]\n\
         [[particles]]\nname = \"rods\"\nmaterial = \"glass\"\nclump = \"rod\"\nregion = {{ type = \"box\", min = [0, 0, 0], max = [0.01, 0.01, 0.01] }}\n\
         fill = {{ type = \"lattice\", count = 2 }}\n\
         [[particles]]\nname = \"balls\"\nmaterial = \"glass\"\nsizes = {{ type = \"single\", radius = 0.001 }}\nregion = {{ type = \"box\", min = [0.02, 0, 0], max = [0.03, 0.01, 0.01] }}\n\
         fill = {{ type = \"lattice\", count = 2 }}\n\
         [[stages]]\nname = \"down\"\nuntil = {{ steps = 100 }}\n\
         [[stages]]\nname = \"aside\"\nactions = [{{ type = \"set_fields\", fields = {{ gravity = [5, 0, 0] }} }}]\nuntil = {{ steps = 100 }}\n"
    );
    let mut simulation = build(&parse_scene("scene", &scene, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
    }
    let world = &simulation.world;
    let expected = DVec3::new(5e-4, 0.0, -9.81e-4);
    for body in &world.particles.bodies.all {
        assert!((body.velocity - expected).length() < 1e-15, "{}", body.velocity);
        assert!((body.velocity - world.particles.velocity[0]).length() < 1e-18);
    }
}

const MATERIALS: &str = r#"
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.3
[fields]
gravity = [0, 0, -9.81]
"#;

/// A plate of 25 spheres that is frozen, and a bed on it.
#[test]
fn a_bed_rests_on_a_frozen_body() {
    let plate: String = (0..25)
        .map(|k| {
            format!(
                "{{ position = [{}, {}, 0], radius = 0.0012 }}, ",
                0.002 * f64::from(k % 5),
                0.002 * f64::from(k / 5)
            )
        })
        .collect();
    let scene = format!(
        r#"
seed = 4
{MATERIALS}
[clumps.plate]
spheres = [{plate}]
[groups.base]
frozen = ["translation", "rotation"]
[[walls]]
name = "box"
material = "glass"
shape = {{ type = "box", min = [-0.007, -0.007, -0.007], max = [0.007, 0.007, 0.03], open = ["z_max"] }}
[[particles]]
name = "base"
material = "glass"
clump = "plate"
orientation = "fixed"
group = "base"
region = {{ type = "box", min = [-0.006863, -0.006863, -0.0069], max = [0.0069, 0.0069, 0.0069] }}
fill = {{ type = "lattice", count = 1 }}
velocity = [0.3, -0.2, 0.1]
angular_velocity = [50, 0, 20]
[[particles]]
name = "bed"
material = "glass"
sizes = {{ type = "uniform", min = 0.0017, max = 0.0019 }}
region = {{ type = "box", min = [-0.005, -0.005, 0.0015], max = [0.005, 0.005, 0.03] }}
fill = {{ type = "random", count = 25 }}
[[stages]]
name = "settle"
until = {{ at_rest = true, time = 3 }}
"#
    );
    let mut simulation = build(&parse_scene("bed", &scene, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    let plate = |simulation: &Simulation| simulation.world.particles.bodies.all[0];
    let start = plate(&simulation);
    assert_eq!((start.velocity, start.angular_momentum), (DVec3::ZERO, DVec3::ZERO));
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
    }
    let world = &simulation.world;
    assert!(world.time < 2.9 && simulation.state.rest_since.is_some(), "t = {} s", world.time);
    assert!(measure::unbalanced_force(world) < 1e-3);
    let (p, end) = (&world.particles, plate(&simulation));
    assert_eq!((end.position, end.orientation()), (start.position, start.orientation()));
    assert!((0..p.independent()).all(|slot| p.position[slot].z > 0.0), "none has fallen past the plate");
    // the walls bear some of the weight by friction, and the plate the rest
    let weight: f64 = 9.81 * (0..p.independent()).map(|slot| p.mass[slot]).sum::<f64>();
    let borne = -end.force.z - 9.81 * end.mass - world.walls[0].force.z;
    println!("the plate bears {:.3} of the weight", (-end.force.z - 9.81 * end.mass) / weight);
    assert!((borne / weight - 1.0).abs() < 1e-2, "{borne} {weight}");
}

/// A paddle of five spheres that turns in a bed of balls and rods, and that a stage drives the other way round.
const PADDLE: &str = r#"
seed = 2
[time]
step = "2e-6 s"
end = "1 s"
integrator = INTEGRATOR
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.3
[fields]
gravity = [0, 0, -9.81]
[groups.light]
force = [0, 0, "20 uN"]
torque = [0, "1e-9 N m", 0]
[clumps.paddle]
spheres = [
  { position = ["-4 mm", 0, 0], radius = "1.5 mm" },
  { position = ["-2 mm", 0, 0], radius = "1.5 mm" },
  { position = [0, 0, 0], radius = "1.5 mm" },
  { position = ["2 mm", 0, 0], radius = "1.5 mm" },
  { position = ["4 mm", 0, 0], radius = "1.5 mm" },
]
[clumps.rod]
spheres = [
  { position = [0, "-1 mm", 0], radius = "0.8 mm" },
  { position = [0, "1 mm", 0], radius = "0.8 mm" },
]
[[walls]]
name = "box"
material = "glass"
shape = { type = "box", min = ["-10 mm", "-10 mm", "-3 mm"], max = ["10 mm", "10 mm", "30 mm"] }
[[particles]]
name = "paddle"
material = "glass"
clump = "paddle"
orientation = "fixed"
region = { type = "box", min = ["-5.5 mm", "-5.5 mm", "-3 mm"], max = ["5.6 mm", "5.6 mm", "9 mm"] }
fill = { type = "lattice", count = 1 }
[[particles]]
name = "rods"
material = "glass"
clump = "rod"
group = "light"
region = { type = "box", min = ["-10 mm", "-10 mm", "-3 mm"], max = ["10 mm", "10 mm", "15 mm"] }
fill = { type = "random", count = 150 }
[[particles]]
name = "rain"
material = "glass"
clump = "rod"
group = "light"
region = { type = "box", min = ["-10 mm", "-10 mm", "20 mm"], max = ["10 mm", "10 mm", "30 mm"] }
fill = { type = "pour", rate = 1000, count = 10 }
[[guides]]
name = "shaft"
particles = "paddle"
path = { type = "line", point = [0, 0, "3 mm"], direction = [0, 0, 1] }
motion = { type = "prescribed", velocity = 0 }
angular_velocity = [0, 0, "1200 rpm"]
[[stages]]
name = "there"
until = { time = "4 ms" }
[[stages]]
name = "back"
actions = [{ type = "drive_guide", guide = "shaft", velocity = "0.01 m/s", angular_velocity = [0, 0, "-300 rpm"] }]
until = { time = "1 s" }
"#;

fn paddle(integrator: &str) -> Simulation {
    let text = PADDLE.replace("INTEGRATOR", &scheme(integrator).toml());
    let mut simulation = build(&parse_scene("paddle", &text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

#[test]
fn a_paddle_stirs_and_goes_on_from_a_checkpoint_bit_for_bit() {
    for name in SCHEMES {
        let text = PADDLE.replace("INTEGRATOR", &scheme(name).toml());
        let loaded = parse_scene("paddle", &text, &[]).unwrap();
        let mut whole = paddle(name);
        let start = whole.world.particles.bodies.all.iter().find(|body| body.count == 5).unwrap().orientation();
        for _ in 0..1900 {
            whole.advance().unwrap();
        }
        let driven = whole.world.particles.bodies.all.iter().find(|body| body.count == 5).unwrap();
        let angle = 1200.0 / 60.0 * std::f64::consts::TAU * whole.world.time;
        let off = (driven.orientation() * (DQuat::from_rotation_z(angle) * start).conjugate()).xyz().length();
        assert!(off < 1e-12, "{name}: {off}");
        let columns = measure::series_columns(&whole.world);
        assert!(columns.iter().any(|column| column.name == "guide_shaft_torque_z"));
        assert!(whole.world.energy().walls > 0.0, "{name}: it has met nothing");
        let middle = checkpoint::save(&whole, "paddle").unwrap();
        let mut continued = build_empty(&loaded).unwrap();
        checkpoint::restore(&mut continued, &CheckpointReader::from_bytes(middle).unwrap(), "paddle").unwrap();
        for simulation in [&mut whole, &mut continued] {
            for _ in 0..400 {
                simulation.advance().unwrap();
            }
        }
        let same = checkpoint::save(&whole, "paddle").unwrap() == checkpoint::save(&continued, "paddle").unwrap();
        assert!(same, "{name}");
        let driven = whole.world.particles.bodies.all.iter().find(|body| body.count == 5).unwrap();
        let spin = -300.0 / 60.0 * std::f64::consts::TAU;
        assert!((driven.angular_velocity().z - spin).abs() < 1e-10, "{name}: {}", driven.angular_velocity());
        assert!((driven.velocity - DVec3::Z * 0.01).length() < 1e-15, "{name}: {}", driven.velocity);
    }
}

#[test]
fn a_branch_without_the_guide_lets_the_paddle_go() {
    let mut first = paddle("velocity-verlet");
    for _ in 0..50 {
        first.advance().unwrap();
    }
    let saved = checkpoint::save(&first, "paddle").unwrap();
    let text = PADDLE.replace("INTEGRATOR", "\"velocity-verlet\"");
    let branched = |text: &str| {
        let loaded = parse_scene("paddle", text, &[]).unwrap();
        let mut branch = build_empty(&loaded).unwrap();
        checkpoint::branch(&mut branch, &loaded, &CheckpointReader::from_bytes(saved.clone()).unwrap()).unwrap();
        for _ in 0..10 {
            branch.advance().unwrap();
        }
        branch
    };
    let inverse_mass = |simulation: &Simulation| {
        let p = &simulation.world.particles;
        let at = p.bodies.all.iter().find(|body| body.count == 5).unwrap();
        p.inverse_mass[at.first as usize]
    };
    assert_eq!(inverse_mass(&branched(&text)), 0.0, "it is a wall to contacts");
    let (start, rest) = text.split_once("[[guides]]").unwrap();
    let free = format!("{start}[[stages]]\nname = \"on\"\nuntil = {{ time = \"1 s\" }}\n");
    assert!(rest.contains("drive_guide"));
    assert!(inverse_mass(&branched(&free)) > 0.0);
}

#[test]
fn loads_of_groups_act_on_bodies_at_their_centres_and_on_spheres() {
    let scene = r#"
[time]
step = "1 us"
end = "1 ms"
[fields]
gravity = [0, 0, 0]
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.3
restitution = 0.5
[groups.pulled]
force = ["1 mN", 0, 0]
torque = [0, "2e-7 N m", 0]
[clumps.rod]
spheres = [{ position = [0, 0, 0], radius = 0.001 }, { position = [0, 0.0015, 0], radius = 0.0007 }]
[[particles]]
name = "rods"
material = "glass"
clump = "rod"
group = "pulled"
orientation = "fixed"
region = { type = "box", min = [0, 0, 0], max = [0.01, 0.01, 0.01] }
fill = { type = "lattice", count = 2 }
[[particles]]
name = "balls"
material = "glass"
group = "pulled"
sizes = { type = "single", radius = 0.001 }
region = { type = "box", min = [0.02, 0, 0], max = [0.03, 0.01, 0.01] }
fill = { type = "lattice", count = 2 }
[[particles]]
name = "others"
material = "glass"
clump = "rod"
region = { type = "box", min = [0, 0.02, 0], max = [0.01, 0.03, 0.01] }
fill = { type = "lattice", count = 2 }
[[particles]]
name = "rain"
material = "glass"
group = "pulled"
clump = "rod"
orientation = "fixed"
region = { type = "box", min = [0.02, 0.02, 0], max = [0.03, 0.03, 0.01] }
fill = { type = "pour", rate = 1e6, count = 2 }
"#;
    let mut simulation = build(&parse_scene("scene", scene, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    while simulation.state.stopped.is_none() && simulation.world.step < 1000 {
        simulation.advance().unwrap();
    }
    let (p, time) = (&simulation.world.particles, simulation.world.time);
    let source = |slot: usize| {
        let provenance = &simulation.world.provenance;
        provenance.names()[provenance.of(p.id[slot]) as usize].clone()
    };
    for slot in 0..p.independent() {
        assert!((p.velocity[slot].x / (1e-3 / p.mass[slot] * time) - 1.0).abs() < 1e-9);
        assert!((p.angular_velocity[slot].y / (2e-7 / p.inertia(slot) * time) - 1.0).abs() < 1e-9);
    }
    let mut poured = 0;
    for body in &p.bodies.all {
        match source(body.first as usize).as_str() {
            "others" => assert_eq!((body.velocity, body.angular_momentum), (DVec3::ZERO, DVec3::ZERO)),
            "rods" => {
                assert!((body.velocity.x / (1e-3 / body.mass * time) - 1.0).abs() < 1e-9, "{}", body.velocity);
                assert!((body.angular_momentum - DVec3::Y * (2e-7 * time)).length() < 1e-9 * 2e-7 * time);
            }
            _ => {
                poured += 1;
                assert!(body.velocity.x > 0.0 && body.angular_momentum.y > 0.0);
                let ratio = body.angular_momentum.y / (body.velocity.x * body.mass);
                assert!((ratio / 2e-4 - 1.0).abs() < 1e-9, "{ratio}");
            }
        }
    }
    assert_eq!(poured, 2);
}

#[test]
fn what_guides_cannot_do_to_bodies_is_refused_by_name() {
    let refused = |from: &str, to: &str| {
        let text = PADDLE.replace("INTEGRATOR", "\"velocity-verlet\"").replacen(from, to, 1);
        let loaded = parse_scene("scene", &text, &[]);
        loaded.and_then(|loaded| build(&loaded).map(drop)).err().unwrap().to_string()
    };
    let spin = "angular_velocity = [0, 0, \"1200 rpm\"]\n";
    let held = "[groups.held]\nfrozen = [\"rotation_x\"]\n[clumps.paddle]";
    let cases = [
        (
            "clump = \"paddle\"\n",
            "clump = \"paddle\"\nangular_velocity = [0, 0, 1]\n",
            "expected none for particles of a guide",
        ),
        (spin, "", "expected none: the guide \"shaft\" has no angular_velocity"),
        ("point = [0, 0, \"3 mm\"]", "point = [0, \"0.1 mm\", 0]", "body 0 is"),
        (
            "force = [0, 0, \"20 uN\"]\ntorque = [0, \"1e-9 N m\", 0]\n",
            "",
            "expected at least one of the keys frozen, force, torque",
        ),
    ];
    for (from, to, expected) in cases {
        let message = refused(from, to);
        assert!(message.contains(expected), "{message}\nexpected: {expected}");
    }
    let text = PADDLE.replace("INTEGRATOR", "\"velocity-verlet\"").replace("[clumps.paddle]", held);
    let text = text.replace("clump = \"paddle\"\n", "clump = \"paddle\"\ngroup = \"held\"\n");
    let message =
        parse_scene("scene", &text, &[]).and_then(|loaded| build(&loaded).map(drop)).err().unwrap().to_string();
    assert!(message.contains("guides.shaft.angular_velocity") && message.contains("frozen rotation"), "{message}");
}
