//! Forces at a distance, between spheres and with walls, against the closed forms of two bodies.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use dem_broadphase::CellList;
use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::wall::{Motion, Shape, Wall};
use dem_sim::forces::ForceEvaluation;
use dem_sim::integrators::VelocityVerlet;
use dem_sim::measure;
use dem_sim::pipeline::Pipeline;
use dem_sim::run::frame;
use dem_sim::world::World;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;
/// Distance of the centres in equilibrium, half a radius between the surfaces \[m\].
const BALANCE: f64 = 2.5 * RADIUS;
const EXPONENTS: (f64, f64) = (3.0, 7.5);
const CUTOFF: f64 = 3.0 * RADIUS;
/// Attraction and repulsion at the equilibrium \[N\].
const STRENGTH: f64 = 1e-3;

fn given(law: &str) -> BTreeMap<String, ParameterValue> {
    let mut all = worlds::common_parameters(law, 0.5, 0.7);
    all.extend(worlds::words(&[("near_field", "mie")]));
    all.extend(worlds::parameters(
        &[
            ("mie_attraction", STRENGTH * BALANCE.powf(EXPONENTS.0)),
            ("mie_attraction_exponent", EXPONENTS.0),
            ("mie_repulsion", STRENGTH * BALANCE.powf(EXPONENTS.1)),
            ("mie_repulsion_exponent", EXPONENTS.1),
            ("mie_cutoff", CUTOFF),
        ],
        &[],
    ));
    all
}

/// Laws that take a force at a distance; those whose bodies hold on to each other refuse it.
fn laws() -> impl Iterator<Item = &'static str> {
    worlds::all_laws().into_iter().filter(|law| worlds::accepts(law, &given(law)))
}

/// Potential energy of a pair at a distance of the centres, zero at infinity.
fn potential(d: f64) -> f64 {
    let x = d / BALANCE;
    STRENGTH
        * BALANCE
        * (x.powf(1.0 - EXPONENTS.1) / (EXPONENTS.1 - 1.0) - x.powf(1.0 - EXPONENTS.0) / (EXPONENTS.0 - 1.0))
}

/// Two spheres `distance` apart along a skew direction.
fn pair(law: &str, distance: f64, margin: Option<f64>) -> (World, Pipeline) {
    let mut world = worlds::world(law, &given(law), Cell::unbounded());
    world.insert(worlds::sphere(DVec3::ZERO, RADIUS));
    world.insert(worlds::sphere(distance * direction(), RADIUS));
    world.time_step = 2e-5;
    let evaluation = ForceEvaluation::new(Box::new(CellList::default()), margin);
    let mut pipeline = Pipeline::new(Box::new(VelocityVerlet::default()), evaluation);
    pipeline.initialise(&mut world).unwrap();
    (world, pipeline)
}

fn direction() -> DVec3 {
    DVec3::new(2.0, -1.0, 2.0) / 3.0
}

fn separation(world: &World) -> f64 {
    (world.particles.position[1] - world.particles.position[0]).length()
}

#[test]
fn a_damped_pair_comes_to_rest_at_the_closed_form_distance_without_contact() {
    for law in laws() {
        let (mut world, mut pipeline) = pair(law, 3.0 * RADIUS, None);
        // below critical by a little: the swing has gone after a few periods
        world.fields.mass_damping = 8.0;
        world.time_step = 5e-5;
        for _ in 0..200_000 {
            pipeline.step(&mut world).unwrap();
        }
        let error = separation(&world) / BALANCE - 1.0;
        println!("{law}: relative error of the equilibrium distance {error:.1e}");
        assert!(error.abs() < 1e-9, "{law}: {error}");
    }
    // neighbours within range are no contacts
    let (world, _) = pair("linear", BALANCE, None);
    assert_eq!(world.kernels[0].within_range(dem_core::contact_list::PartnerKind::Particle), 1);
    assert_eq!((world.contact_count().pairs, measure::coordination(&world, 2).all), (0, 0.0));
    assert_eq!((measure::contact_numbers(&world)[0], measure::bed_height(&world)), ((0, 0), 0.0));
    let contacts = frame(&world, true).tables.into_iter().find(|table| table.name == "contacts").unwrap();
    assert_eq!(contacts.rows, 0);
}

#[test]
fn a_pair_that_swings_in_the_potential_conserves_energy_momentum_and_spin() {
    let start = 2.3 * RADIUS;
    let (mut world, mut pipeline) = pair("hertz-mindlin", start, None);
    for slot in 0..2 {
        world.particles.angular_velocity[slot] = DVec3::new(3.0, -2.0, 1.0);
    }
    let mass = world.particles.mass[0];
    let balance = world.energy().balance();
    let mut worst = 0.0f64;
    let (mut farthest, mut speed_error) = (0.0f64, 0.0f64);
    for _ in 0..100_000 {
        pipeline.step(&mut world).unwrap();
        worst = worst.max((world.energy().balance() - balance).abs());
        farthest = farthest.max(separation(&world));
        // each has half of the energy: m v² = U(start) − U(d)
        let expected = potential(start) - potential(separation(&world));
        speed_error = speed_error.max((mass * world.particles.velocity[0].length_squared() - expected).abs());
    }
    let scale = potential(start) - potential(BALANCE);
    println!(
        "farthest {:.3} r, energy error {:.1e}, closed form {:.1e}",
        farthest / RADIUS,
        worst / scale,
        speed_error / scale
    );
    assert!(farthest > 1.1 * BALANCE, "it should swing");
    assert!(worst < 1e-6 * scale && speed_error < 1e-6 * scale, "{worst} {speed_error} of {scale}");
    assert!(world.momentum().0.length() < 1e-15 * mass);
    assert_eq!(world.particles.angular_velocity[0], DVec3::new(3.0, -2.0, 1.0));
}

/// From rest within the cutoff a fast pair escapes with the energy that the potential has there.
#[test]
fn the_energy_of_a_pair_is_zero_beyond_the_cutoff() {
    let (mut world, mut pipeline) = pair("linear", BALANCE, None);
    let speed = 0.1;
    world.particles.velocity[1] = speed * direction();
    let start = world.energy();
    assert!(start.near_field < 0.0);
    let edge = 2.0 * RADIUS + CUTOFF;
    assert!((start.near_field - (potential(BALANCE) - potential(edge))).abs() < 1e-12 * start.near_field.abs());
    while separation(&world) < 1.5 * edge {
        pipeline.step(&mut world).unwrap();
    }
    let end = world.energy();
    assert_eq!(end.near_field, 0.0);
    let error = (end.balance() - start.balance()).abs() / start.near_field.abs();
    // the force ends with 4 % of its size within one of a thousand steps
    println!("energy error across the cutoff {error:.1e}");
    assert!(error < 1e-3, "{error}");
}

/// A pair that attracts and collides with friction, again and again: every contact starts afresh and the ledger closes.
#[test]
fn the_ledger_closes_over_contacts_within_range() {
    for law in laws() {
        let mut given = given(law);
        given.extend(worlds::parameters(
            &[("mie_repulsion", 0.0), ("mie_attraction", 0.02 * BALANCE.powf(EXPONENTS.0)), ("rolling_friction", 0.1)],
            &[],
        ));
        given.extend(worlds::words(&[("rolling", "elastic-plastic")]));
        let mut world = worlds::world(law, &given, Cell::unbounded());
        world.insert(worlds::sphere(DVec3::ZERO, RADIUS));
        let mut other = worlds::sphere(2.2 * RADIUS * direction(), RADIUS);
        other.angular_velocity = DVec3::new(3.0, 4.0, 1.0);
        world.insert(other);
        world.time_step = 2e-6;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        let start = world.energy().balance();
        let (mut touched, mut parted) = (false, 0);
        for _ in 0..150_000 {
            pipeline.step(&mut world).unwrap();
            let touches = world.contact_count().pairs > 0;
            parted += u32::from(touched && !touches);
            touched = touches;
        }
        let ledger = world.energy();
        let residual = (ledger.balance() - start).abs() / ledger.dissipated_at_contacts();
        println!(
            "{law}: parted {parted} times, friction {:.1e} J, released {:.1e} J, residual {residual:.1e}",
            ledger.friction, ledger.released
        );
        assert!(parted >= 2, "{law}: parted {parted} times");
        assert!(residual < 2e-3, "{law}: {residual}");
    }
}

#[test]
fn the_skin_of_the_list_changes_no_bit_of_a_force_at_a_distance() {
    let run = |margin| {
        let (mut world, mut pipeline) = pair("linear", 4.9 * RADIUS, margin);
        world.particles.velocity[1] = -0.3 * direction() + DVec3::new(0.0, 0.02, 0.0);
        for _ in 0..10_000 {
            pipeline.step(&mut world).unwrap();
        }
        let slot = world.particles.id.iter().position(|&id| id == 1).unwrap();
        world.particles.position[slot].to_array().map(f64::to_bits)
    };
    let reference = run(None);
    for margin in [1e-5, 1e-3, 2e-2] {
        assert_eq!(run(Some(margin)), reference, "margin {margin}");
    }
}

/// A pair along x in a periodic cell: the virial and the stress of a region that is the whole cell hold its force once, whether it touches or not.
#[test]
fn virial_and_stress_of_regions_hold_all_forces_of_pairs() {
    let edge = 0.16;
    for law in laws() {
        for distance in [BALANCE - 0.1 * RADIUS, BALANCE + 0.4 * RADIUS, 1.99 * RADIUS] {
            let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(edge), [true; 3], [[FacePolicy::Open; 2]; 3]);
            let mut world = worlds::world(law, &given(law), cell);
            world.insert(worlds::sphere(DVec3::new(0.01, 0.05, 0.05), RADIUS));
            // across a face
            world.insert(worlds::sphere(DVec3::new(0.01 - distance + edge, 0.05, 0.05), RADIUS));
            world.time_step = 1e-6;
            let region = dem_sim::insertion::Region::Box { min: DVec3::ZERO, max: DVec3::splat(edge) };
            world.regions = vec![measure::MeasuredRegion { name: "all".to_owned(), region }];
            let mut pipeline = worlds::pipeline();
            pipeline.initialise(&mut world).unwrap();
            let x = distance / BALANCE;
            let attraction = STRENGTH * (x.powf(-EXPONENTS.0) - x.powf(-EXPONENTS.1));
            // force on the first, towards negative x if it is attracted across the face, and the way there
            let force = -attraction;
            let mut contact = 0.0;
            world.visit_contacts(&mut |c| contact = if c.overlap > 0.0 { c.elastic_force } else { 0.0 });
            assert_eq!(contact > 0.0, distance < 2.0 * RADIUS, "{law}");
            let expected = (force + contact) * -distance;
            let fabric = measure::fabric(&world);
            assert!((fabric.virial[0] / expected - 1.0).abs() < 1e-12, "{law}: {} {expected}", fabric.virial[0]);
            let stress = measure::region_values(&world)[2] * edge.powi(3);
            assert!((stress / expected - 1.0).abs() < 1e-9, "{law}: {stress} {expected}");
            let trace = fabric.tensor[0] + fabric.tensor[1] + fabric.tensor[2];
            assert_eq!(trace, if contact > 0.0 { 1.0 } else { 0.0 }, "{law}: only what touches is fabric");
            // the table of contacts has forces of contacts
            let contacts = frame(&world, true).tables.into_iter().find(|table| table.name == "contacts").unwrap();
            if contact > 0.0 {
                let column = contacts.columns.iter().find(|column| column.spec.name == "normal_force").unwrap();
                let dem_io::snapshot::ColumnData::F64(values) = &column.data else { unreachable!("a number") };
                assert!((values[0] / contact - 1.0).abs() < 1e-9, "{law}: {values:?} {contact}");
            }
        }
    }
}

/// What a source pours into the range of a sphere that attracts it brings the energy of the attraction.
#[test]
fn a_poured_sphere_brings_its_energy_in_the_range_of_others() {
    let text = r#"
[time]
step = "1 us"
end = "1 s"
[materials.g]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 2e4
friction = 0.4
restitution = 1
near_field = "mie"
mie_attraction = 1e-4
mie_attraction_exponent = 2
mie_repulsion = 0
mie_repulsion_exponent = 3
mie_cutoff = 0.004
[fields]
gravity = [0, 0, 0]
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[[particles]]
name = "there"
material = "g"
sizes = { type = "single", radius = 0.005 }
region = { type = "box", min = [0, 0, 0], max = [0.0101, 0.0101, 0.0101] }
fill = { type = "lattice" }
[[particles]]
name = "poured"
material = "g"
sizes = { type = "single", radius = 0.005 }
region = { type = "box", min = [0.0115, 0, 0], max = [0.0216, 0.0101, 0.0101] }
fill = { type = "pour", rate = 1e5, count = 1 }
"#;
    let mut simulation = dem_sim::builder::build(&dem_sim::builder::parse_scene("pour", text, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    while simulation.world.particles.len() < 2 {
        assert_eq!(simulation.world.energy().exchanged, 0.0);
        simulation.advance().unwrap();
    }
    let d = separation(&simulation.world);
    let expected = 1e-4 * (1.0 / 0.014 - 1.0 / d);
    let exchanged = simulation.world.energy().exchanged;
    println!("{d} m apart: {exchanged:e} J, expected {expected:e}");
    assert!((exchanged / expected - 1.0).abs() < 1e-5 && expected < 0.0, "{exchanged:e} {expected:e}");
    for _ in 0..200 {
        simulation.advance().unwrap();
    }
    let balance = simulation.world.energy().balance();
    assert!(balance.abs() < 1e-4 * expected.abs(), "{balance:e}");
}

/// A sphere at some distance of its centre from a wall.
fn at_wall(shape: Shape, centre: DVec3, near_field: bool) -> (World, Pipeline) {
    let mut world = worlds::world("hertz-mindlin", &given("hertz-mindlin"), Cell::unbounded());
    let mut wall = Wall::new("plate", shape, DVec3::ZERO, 0, Motion::default());
    wall.near_field = near_field;
    world.walls.push(wall);
    world.insert(worlds::sphere(centre, RADIUS));
    world.time_step = 2e-5;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    (world, pipeline)
}

fn floor() -> Shape {
    Shape::Plane { point: DVec3::ZERO, normal: DVec3::Z }
}

/// Attraction minus repulsion at a distance \[N\].
fn pull(d: f64) -> f64 {
    let x = d / BALANCE;
    STRENGTH * (x.powf(-EXPONENTS.0) - x.powf(-EXPONENTS.1))
}

#[test]
fn a_wall_pulls_over_the_distance_of_the_centre_and_only_if_it_is_asked_to() {
    for height in [1.2, 2.0, 2.5, 3.9] {
        let (world, _) = at_wall(floor(), height * RADIUS * DVec3::Z, true);
        let force = world.particles.force[0];
        let expected = -pull(height * RADIUS);
        assert!(
            (force.z / expected - 1.0).abs() < 1e-12 || height == 2.5 && force.z.abs() < 1e-15,
            "{height}: {force}"
        );
        assert!(force.truncate().length() < 1e-18, "{force}");
        assert!((world.walls[0].force + force).length() < 1e-18, "the wall is pulled as much");
        let energy = potential(height * RADIUS) - potential(RADIUS + CUTOFF);
        assert!((world.energy().near_field / energy - 1.0).abs() < 1e-12, "{height}");
        assert_eq!(world.contact_count().walls, 0, "nothing touches");
        let (other, _) = at_wall(floor(), height * RADIUS * DVec3::Z, false);
        assert_eq!((other.particles.force[0], other.energy().near_field), (DVec3::ZERO, 0.0));
    }
    // beyond the cutoff
    let (world, _) = at_wall(floor(), 1.001 * (RADIUS + CUTOFF) * DVec3::Z, true);
    assert_eq!(world.particles.force[0], DVec3::ZERO);
}

/// Beside the edge of a plate the nearest point is on the edge.
#[test]
fn the_nearest_point_of_a_finite_wall_may_be_on_its_edge() {
    let (half_u, half_v) = (0.05 * DVec3::X, 0.05 * DVec3::Y);
    let shape = Shape::Rectangle { centre: DVec3::ZERO, half_u, half_v };
    let away = DVec3::new(1.2, 0.0, 0.9) * RADIUS;
    let (world, _) = at_wall(shape, half_u + away, true);
    let expected = -pull(away.length()) * away.normalize();
    assert!((world.particles.force[0] - expected).length() < 1e-12 * expected.length());
}

/// From the balance the wall draws away slowly and takes the sphere along: what the wall does is in the ledger.
#[test]
fn the_work_of_a_wall_that_draws_a_sphere_along_is_booked() {
    let (mut world, mut pipeline) = at_wall(floor(), BALANCE * DVec3::Z, true);
    world.walls[0].set_motion(Motion { velocity: -0.01 * DVec3::Z, ..Motion::default() }, 0.0);
    let start = world.energy().balance();
    let mut worst = 0.0f64;
    // a period of the swing, v/omega = 0.1 of the balance wide, is 1.5 s
    for _ in 0..100_000 {
        pipeline.step(&mut world).unwrap();
        worst = worst.max((world.energy().balance() - start).abs());
    }
    let scale = potential(RADIUS + CUTOFF) - potential(BALANCE);
    let height = world.particles.position[0].z - world.walls[0].pose.position.z;
    println!(
        "{:.3} from the wall over the balance, work {:.1e} J, error {:.1e}",
        height / BALANCE,
        world.walls[0].work,
        worst / scale
    );
    assert!(world.particles.position[0].z < BALANCE - 0.015 && (height / BALANCE - 1.0).abs() < 0.2, "it follows");
    assert!(worst < 1e-5 * scale, "{worst}");
}
