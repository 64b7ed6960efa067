//! Liquid bridges and van der Waals attraction between two bodies: energy over approach, touch and separation.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::law::Mode;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::history::FurtherWork;
use dem_core::wall::{Motion, Shape, Wall};
use dem_sim::measure;
use dem_sim::world::World;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;
const TENSION: f64 = 0.07;
/// V* = 10⁻³
const VOLUME: f64 = 1e-9;
const FORMS: [&str; 5] = ["willett", "willett-closed", "lambert", "rabinovich", "soulie"];

fn wet(law: &str, form: &str, restitution: f64) -> BTreeMap<String, ParameterValue> {
    let mut all = worlds::common_parameters(law, 0.4, restitution);
    all.extend(worlds::words(&[("near_field", "liquid-bridge"), ("bridge_form", form)]));
    let liquid = [("surface_tension", TENSION), ("contact_angle", 0.3), ("bridge_volume", VOLUME)];
    all.extend(worlds::parameters(&liquid, &[]));
    all
}

/// Two spheres with a gap that approach each other.
fn two(law: &str, given: &BTreeMap<String, ParameterValue>, gap: f64, approach: f64) -> World {
    let mut world = worlds::world_of(law, given, Cell::unbounded(), 1e7);
    for side in [-1.0, 1.0] {
        let mut sphere = worlds::sphere(DVec3::X * (side * (RADIUS + 0.5 * gap)), RADIUS);
        sphere.velocity = DVec3::X * (-0.5 * side * approach);
        world.insert(sphere);
    }
    world
}

fn run(world: &mut World, duration: f64, time_step: f64, mut watch: impl FnMut(&World)) {
    world.time_step = time_step;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(world).unwrap();
    for _ in 0..(duration / time_step) as u64 {
        pipeline.step(world).unwrap();
        watch(world);
    }
}

fn gap(world: &World) -> f64 {
    (world.particles.position[1] - world.particles.position[0]).length() - 2.0 * RADIUS
}

fn relative_speed(world: &World) -> f64 {
    (world.particles.velocity[1] - world.particles.velocity[0]).x
}

fn adhesion(world: &World) -> f64 {
    world.energy().further[FurtherWork::Adhesion.place()]
}

/// What a bridge costs: the energy that it holds at contact.
fn cost(form: &str) -> f64 {
    let mut world = two("hertz-mindlin", &wet("hertz-mindlin", form, 1.0), -1e-12, 0.0);
    run(&mut world, 1e-6, 1e-6, |_| ());
    -world.energy().near_field
}

/// A pair that touches at the right speed comes apart with the energy that the bridge has left it, and no bridge pulls before the touch.
#[test]
fn a_bridge_costs_its_work_and_the_ledger_closes_to_first_order() {
    for form in FORMS {
        let cost = cost(form);
        let given = wet("hertz-mindlin", form, 1.0);
        let mass = 0.5 * two("hertz-mindlin", &given, 1e-5, 0.0).particles.mass[0];
        let escape = (2.0 * cost / mass).sqrt();
        for factor in [0.9, 1.5] {
            let mut errors = Vec::new();
            for time_step in [4e-6, 2e-6] {
                let mut world = two("hertz-mindlin", &given, 1e-5, factor * escape);
                let (mut start, mut before, mut farthest) = (None, true, 0.0f64);
                run(&mut world, 0.12 / factor, time_step, |world| {
                    start.get_or_insert(world.energy().balance());
                    if before && gap(world) > 0.0 {
                        assert_eq!((world.energy().near_field, adhesion(world)), (0.0, 0.0), "{form}");
                    } else {
                        before = false;
                    }
                    farthest = farthest.max(gap(world));
                });
                let ledger = world.energy();
                errors.push((ledger.balance() - start.unwrap()).abs() / cost);
                if factor > 1.0 {
                    let expected = escape * (factor * factor - 1.0).sqrt();
                    assert!(
                        (relative_speed(&world) / expected - 1.0).abs() < 1e-3,
                        "{form}: {}",
                        relative_speed(&world)
                    );
                    assert_eq!(ledger.near_field, 0.0);
                    assert!((adhesion(&world) / cost - 1.0).abs() < 1e-6);
                } else {
                    assert!(ledger.near_field < 0.0 && farthest < 1.2e-3, "{form}: {farthest}");
                }
            }
            println!("{form}, {factor} of the escape speed: W {cost:.3e} J, ledger off by {errors:?}");
            // the step in which the force jumps at the touch has an error of up to half its work
            let jump = std::f64::consts::TAU * RADIUS * TENSION * factor * escape / cost;
            assert!(errors[0] < 4e-6 * jump + 1e-4 && errors[1] < 2e-6 * jump + 1e-4, "{form} {factor}: {errors:?}");
        }
    }
}

/// Bodies that only a bridge connects are no contact.
#[test]
fn a_bridge_holds_without_a_contact() {
    let mut world = two("hertz-mindlin", &wet("hertz-mindlin", "willett", 1.0), 1e-6, 0.03);
    let mut bridged = 0;
    run(&mut world, 0.06, 5e-6, |world| {
        if gap(world) > 0.0 && world.energy().near_field < 0.0 {
            bridged += 1;
            assert_eq!((world.contact_count().pairs, measure::coordination(world, 1).all), (0, 0.0));
            let mut modes = Vec::new();
            world.visit_contacts(&mut |c| modes.push(world.forces.mode(c.candidate)));
            assert_eq!(modes, [Some(Mode::Apart)]);
        }
    });
    assert!(bridged > 100, "{bridged}");
}

/// What viscosity takes is booked, under all laws that take a bridge, with friction and rolling.
#[test]
fn the_ledger_closes_with_a_viscous_liquid_under_all_laws() {
    for law in worlds::all_laws() {
        let mut given = wet(law, "willett", 0.8);
        given.extend(worlds::parameters(
            &[("liquid_viscosity", 0.1), ("separation_minimum", 2e-5), ("rolling_friction", 0.1)],
            &[],
        ));
        given.extend(worlds::words(&[("rolling", "elastic-plastic")]));
        if !worlds::accepts(law, &given) {
            continue;
        }
        let mut world = two(law, &given, 1e-5, 0.08);
        world.particles.angular_velocity[1] = DVec3::new(0.3, 2.0, 1.0);
        let mut start = None;
        run(&mut world, 0.05, 1e-6, |world| {
            start.get_or_insert(world.energy().balance());
        });
        let ledger = world.energy();
        let residual = (ledger.balance() - start.unwrap()).abs() / ledger.dissipated_at_contacts();
        println!(
            "{law}: viscous {:.2e} J, adhesion {:.2e} J, residual {residual:.1e}",
            ledger.viscous,
            adhesion(&world)
        );
        assert!(ledger.viscous > 0.0 && adhesion(&world) > 0.0, "{law}");
        assert!(residual < 3e-3, "{law}: {residual}");
    }
}

#[test]
fn a_wall_takes_part_only_if_it_is_asked_to() {
    for takes_part in [false, true] {
        let mut world =
            worlds::world_of("hertz-mindlin", &wet("hertz-mindlin", "willett", 1.0), Cell::unbounded(), 1e7);
        let shape = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Z };
        let mut wall = Wall::new("plate", shape, DVec3::ZERO, 0, Motion::default());
        wall.near_field = takes_part;
        world.walls.push(wall);
        let mut sphere = worlds::sphere(DVec3::Z * (RADIUS + 1e-5), RADIUS);
        sphere.velocity = DVec3::Z * -0.01;
        world.insert(sphere);
        run(&mut world, 0.2, 5e-6, |_| ());
        let height = world.particles.position[0].z - RADIUS;
        // R = 2 r: the bridge is held up to 1.15 mm, and this speed is below that of escape
        assert_eq!(height < 1.2e-3, takes_part, "{height}");
        assert_eq!(world.energy().near_field < 0.0, takes_part);
    }
}

/// A pair falls together from rest under van der Waals attraction with the energy of the potential, and swings.
#[test]
fn van_der_waals_attraction_conserves_energy_across_contact() {
    let mut given = worlds::common_parameters("hertz-mindlin", 0.4, 1.0);
    given.extend(worlds::words(&[("near_field", "van-der-waals")]));
    let (hamaker, smallest, cutoff) = (1e-11, 2e-6, 2e-4);
    let numbers = [("hamaker_constant", hamaker), ("separation_minimum", smallest), ("van_der_waals_cutoff", cutoff)];
    given.extend(worlds::parameters(&numbers, &[]));
    let strength = hamaker * 0.5 * RADIUS / 6.0;
    let mut world = two("hertz-mindlin", &given, 2e-5, 0.0);
    let mass = 0.5 * world.particles.mass[0];
    let (mut start, mut worst, mut deepest, mut errors) = (None, 0.0f64, 0.0f64, 0.0f64);
    run(&mut world, 3.0, 1e-5, |world| {
        let balance = world.energy().balance();
        worst = worst.max((balance - *start.get_or_insert(balance)).abs());
        let h = gap(world);
        deepest = deepest.max(-h);
        if h > smallest {
            let expected = strength * (1.0 / h - 1.0 / 2e-5);
            let kinetic = 0.5 * mass * relative_speed(world).powi(2);
            errors = errors.max((kinetic - expected).abs() * smallest / strength);
        }
    });
    println!(
        "deepest {deepest:.1e} m, balance off by {:.1e}, closed form by {errors:.1e}",
        worst * smallest / strength
    );
    assert!(deepest > 0.0, "they should meet");
    assert!(worst * smallest / strength < 1e-3 && errors < 1e-3);
    // what starts beyond the cutoff does not notice
    let mut far = two("hertz-mindlin", &given, 1.01 * cutoff, 0.0);
    run(&mut far, 1e-3, 1e-5, |_| ());
    assert_eq!((far.energy().near_field, relative_speed(&far)), (0.0, 0.0));
}

const SCENE: &str = r#"
[time]
step = "1 us"
end = "1 s"
[materials.glass]
density = 2500
young_modulus = "20 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 1
near_field = "liquid-bridge"
surface_tension = "73 mN/m"
contact_angle = "20 deg"
bridge_volume = "1e-9 m^3"
[fields]
gravity = [0, 0, 0]
[domain]
min = [0, 0, 0]
max = ["41 mm", "41 mm", "41 mm"]
x = "periodic"
[[particles]]
name = "there"
material = "glass"
sizes = { type = "single", radius = 0.01 }
region = { type = "box", min = [0.005, 0.005, 0.005], max = [0.035, 0.035, 0.035] }
fill = { type = "random", count = 1 }
"#;

#[test]
fn scenes_refuse_what_bridges_do_not_fit() {
    let message = |text: &str| {
        let loaded = dem_sim::builder::parse_scene("wet", text, &[]).unwrap();
        dem_sim::builder::build(&loaded).map(|_| ()).unwrap_err().to_string()
    };
    let wide = SCENE.replace("41 mm", "50 mm");
    dem_sim::builder::build(&dem_sim::builder::parse_scene("wet", &wide, &[]).unwrap()).unwrap();
    let narrow = message(SCENE);
    assert!(narrow.contains("periodic cell") && narrow.contains("beyond the surfaces"), "{narrow}");
    let adhesive = wide.replace("20 deg", "70 deg");
    assert!(message(&adhesive).contains("contact_angle"), "{}", message(&adhesive));
    let both = wide.replace("bridge_volume", "mie_cutoff = 1e-3\nbridge_volume");
    assert!(message(&both).contains("mie_cutoff"), "{}", message(&both));
}
