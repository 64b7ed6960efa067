//! Forces on free particles against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_sim::fields::{Drag, DragLaw, Fields, Fluid, Magnus};
use dem_sim::world::World;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;

fn free_sphere(fields: Fields, velocity: DVec3, spin: DVec3) -> World {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), Cell::unbounded());
    world.fields = fields;
    let mut sphere = worlds::sphere(DVec3::ZERO, RADIUS);
    sphere.velocity = velocity;
    sphere.angular_velocity = spin;
    world.insert(sphere);
    world
}

fn run(world: &mut World, steps: u32) {
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(world).unwrap();
    for _ in 0..steps {
        pipeline.step(world).unwrap();
    }
}

/// With a constant spin across the velocity the path through the fluid is a circle, run through at the rate S ω/m.
#[test]
fn the_magnus_force_bends_the_path_through_the_fluid_into_a_circle() {
    for wind in [DVec3::ZERO, DVec3::new(0.3, -0.2, 0.1)] {
        let (speed, spin) = (2.0, DVec3::new(0.0, 0.0, 50.0));
        let coefficient = 1e-3;
        let fields = Fields { magnus: Some(Magnus { coefficient, fluid_velocity: wind }), ..Fields::default() };
        let mut world = free_sphere(fields, wind + DVec3::new(speed, 0.0, 0.0), spin);
        let rate = coefficient * spin.z / world.particles.mass[0];
        let steps = 20_000;
        let time = 0.75 * std::f64::consts::TAU / rate;
        world.time_step = time / f64::from(steps);
        let kinetic = world.energy().kinetic();
        let balance = world.energy().balance();
        run(&mut world, steps);
        // three quarters of a turn
        let velocity = world.particles.velocity[0] - wind;
        let position = world.particles.position[0] - wind * time;
        let radius = speed / rate;
        assert!((velocity - DVec3::new(0.0, -speed, 0.0)).length() < 1e-6 * speed, "{velocity}");
        assert!((position - DVec3::new(-radius, radius, 0.0)).length() < 1e-6 * radius, "{position}");
        let ledger = world.energy();
        let residual = (ledger.balance() - balance).abs() / kinetic;
        println!("wind {wind}: work of the fluid {:.2e} of {kinetic:.2e} J, residual {residual:.1e}", -ledger.fields);
        assert_eq!(ledger.fields == 0.0, wind == DVec3::ZERO);
        assert!(residual < 1e-7, "{residual}");
    }
}

/// `g(t) = g (−sin Ωt, 0, −cos Ωt)` integrates to a velocity on a circle and a position on a trochoid.
#[test]
fn turning_gravity_moves_a_free_sphere_along_a_trochoid() {
    let (gravity, rate) = (9.81, 3.0);
    let fields = Fields {
        gravity: DVec3::new(0.0, 0.0, -gravity),
        gravity_rotation: DVec3::new(0.0, rate, 0.0),
        ..Fields::default()
    };
    let mut world = free_sphere(fields, DVec3::ZERO, DVec3::ZERO);
    let (steps, time) = (20_000, 1.7);
    world.time_step = time / f64::from(steps);
    let balance = world.energy().balance();
    run(&mut world, steps);
    let (sine, cosine) = (rate * time).sin_cos();
    let velocity = gravity / rate * DVec3::new(cosine - 1.0, 0.0, -sine);
    let position = gravity / rate * DVec3::new(sine / rate - time, 0.0, (cosine - 1.0) / rate);
    let p = &world.particles;
    assert!((p.velocity[0] - velocity).length() < 1e-7 * gravity / rate, "{} {velocity}", p.velocity[0]);
    assert!((p.position[0] - position).length() < 1e-7 * position.length(), "{} {position}", p.position[0]);
    let ledger = world.energy();
    assert_eq!(ledger.gravity, 0.0);
    let residual = (ledger.balance() - balance).abs() / ledger.kinetic();
    println!("work of turning gravity {:.3e} J, residual {residual:.1e}", -ledger.fields);
    assert!(ledger.fields < 0.0 && residual < 1e-9, "{residual}");
}

/// What one step books for the fields beside the change of the other energies, over a time, in proportion to the first kinetic energy.
fn residual(fields: Fields, steps: u32, time: f64) -> f64 {
    let mut world = free_sphere(fields, DVec3::new(2.0, 0.3, -0.1), DVec3::new(5.0, -20.0, 50.0));
    world.time_step = time / f64::from(steps);
    let (kinetic, balance) = (world.energy().kinetic(), world.energy().balance());
    run(&mut world, steps);
    assert!((world.energy().fields / kinetic).abs() > 0.01, "{fields:?} do nothing");
    (world.energy().balance() - balance).abs() / kinetic
}

/// Every field without a potential, through a resting and a moving fluid.
fn fields_that_work() -> Vec<(&'static str, Fields, f64)> {
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let mass = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * worlds::DENSITY;
    let wind = DVec3::new(0.3, -0.2, 0.1);
    let drag = |law| Some(Drag { law, fluid_velocity: wind });
    let linear = DragLaw::Linear { coefficient: mass / 0.2 };
    let fluid = Fluid { density: 1000.0, viscosity: 0.05 };
    let all = Fields { gravity, ..Fields::default() };
    vec![
        ("linear drag", Fields { drag: drag(linear), ..all }, 0.2),
        ("Schiller-Naumann", Fields { drag: drag(DragLaw::SchillerNaumann { fluid }), ..all }, 0.05),
        ("Wen-Yu", Fields { drag: drag(DragLaw::WenYu { fluid, cell: 0.05 }), ..all }, 0.05),
        ("mass damping", Fields { mass_damping: 5.0, ..all }, 0.2),
        ("Magnus", Fields { magnus: Some(Magnus { coefficient: 1e-2, fluid_velocity: wind }), ..all }, 0.2),
        ("local damping", Fields { local_damping: 0.7, drag: drag(linear), ..all }, 0.05),
    ]
}

/// With steps half as long a fourth is left.
#[test]
fn work_of_every_field_is_booked_to_second_order() {
    for (name, fields, time) in fields_that_work() {
        let residuals = [250, 500, 1000].map(|steps| residual(fields, steps, time));
        println!("{name}: {residuals:?}");
        for pair in residuals.windows(2) {
            assert!(pair[1] < 0.3 * pair[0], "{name}: {residuals:?}");
        }
    }
}

/// ∫ c v² dt of `v = v₀ e^(−t/τ)` over a relaxation time.
#[test]
fn work_of_linear_drag_is_that_of_its_closed_form() {
    let mut world = free_sphere(Fields::default(), DVec3::X, DVec3::ZERO);
    let (mass, relaxation) = (world.particles.mass[0], 0.1);
    world.fields.drag = Some(Drag::linear(mass / relaxation, DVec3::ZERO));
    world.time_step = relaxation / 600.0;
    run(&mut world, 600);
    let expected = 0.5 * mass * (1.0 - (-2.0f64).exp());
    let error = (world.energy().fields / expected - 1.0).abs();
    println!("work of drag at a 600th of the relaxation time: off by {error:.1e}");
    assert!(error < 1e-6, "{error}");
}

/// Speed at which the drag of Schiller and Naumann carries a weight, by bisection of the formula as it stands in print.
fn terminal_speed(fluid: Fluid, d: f64, weight: f64) -> f64 {
    let force = |u: f64| {
        let re = fluid.density * u * d / fluid.viscosity;
        let coefficient = if re < 980.0 { 24.0 / re * (1.0 + 0.15 * re.powf(0.687)) } else { 0.44 };
        std::f64::consts::PI / 8.0 * coefficient * fluid.density * d * d * u * u
    };
    let (mut low, mut high) = (1e-12, 1e3);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if force(middle) < weight { low = middle } else { high = middle }
    }
    low
}

#[test]
fn spheres_fall_at_the_terminal_speed_of_their_drag() {
    let gravity = 9.81;
    // from creeping flow to fully turbulent
    for (viscosity, relaxations) in [(200.0, 30), (5.0, 30), (0.1, 60), (1e-4, 80)] {
        let fluid = Fluid { density: 1000.0, viscosity };
        let laws = [DragLaw::Stokes { viscosity }, DragLaw::SchillerNaumann { fluid }];
        for law in laws {
            let drag = Drag { law, fluid_velocity: DVec3::ZERO };
            let fields = Fields { gravity: DVec3::new(0.0, 0.0, -gravity), drag: Some(drag), ..Fields::default() };
            let mut world = free_sphere(fields, DVec3::ZERO, DVec3::ZERO);
            let weight = world.particles.mass[0] * gravity;
            let expected = match law {
                DragLaw::Stokes { .. } => weight / (6.0 * std::f64::consts::PI * viscosity * RADIUS),
                _ => terminal_speed(fluid, 2.0 * RADIUS, weight),
            };
            let rate = drag.slope(RADIUS, expected, || 1.0) / world.particles.mass[0];
            world.time_step = 0.1 / rate;
            run(&mut world, 10 * relaxations);
            let speed = -world.particles.velocity[0].z;
            assert!((speed / expected - 1.0).abs() < 1e-6, "{law:?}: {speed} m/s, expected {expected} m/s");
        }
    }
}

/// Spheres on a lattice that fall side by side: the fluid, whose own motion is given, hinders them by ε^2.65 in creeping flow. (With a fluid that
/// flows back at ε times less, and the buoyancy of the mixture, that is the ε^4.65 of Richardson and Zaki.)
#[test]
fn settling_among_others_is_hindered_by_the_porosity() {
    let (gravity, fluid) = (9.81, Fluid { density: 1e-6, viscosity: 10.0 });
    let settle = |spacing: f64, law: DragLaw| {
        let length = 6.0 * spacing;
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(length), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), cell);
        world.fields = Fields {
            gravity: DVec3::new(0.0, 0.0, -gravity),
            drag: Some(Drag { law, fluid_velocity: DVec3::ZERO }),
            ..Fields::default()
        };
        for k in 0..216 {
            let place = DVec3::new(f64::from(k % 6), f64::from(k / 6 % 6), f64::from(k / 36)) + 0.5;
            world.insert(worlds::sphere(place * spacing, RADIUS));
        }
        let mass = world.particles.mass[0];
        let rate = 6.0 * std::f64::consts::PI * fluid.viscosity * RADIUS / mass;
        world.time_step = 0.02 / rate;
        run(&mut world, 2000);
        let porosity = 1.0 - 216.0 * mass / worlds::DENSITY / length.powi(3);
        (porosity, -world.particles.velocity[100].z)
    };
    for spacing in [4.0 * RADIUS, 2.4 * RADIUS] {
        let (_, alone) = settle(spacing, DragLaw::Stokes { viscosity: fluid.viscosity });
        let (porosity, hindered) = settle(spacing, DragLaw::WenYu { fluid, cell: 2.0 * spacing });
        let expected = porosity.powf(2.65);
        println!("porosity {porosity:.4}: hindered to {:.6}, expected {expected:.6}", hindered / alone);
        assert!((hindered / alone / expected - 1.0).abs() < 1e-6, "{}, {expected}", hindered / alone);
    }
}

#[test]
fn drag_takes_a_sphere_along_with_the_fluid_exponentially() {
    let (coefficient, wind) = (0.01, DVec3::new(0.5, 0.0, -1.0));
    let fields = Fields { drag: Some(Drag::linear(coefficient, wind)), ..Fields::default() };
    let mut world = free_sphere(fields, DVec3::ZERO, DVec3::ZERO);
    let relaxation = world.particles.mass[0] / coefficient;
    world.time_step = relaxation / 5_000.0;
    let balance = world.energy().balance();
    run(&mut world, 10_000);
    let expected = wind * (1.0 - (-2.0f64).exp());
    assert!((world.particles.velocity[0] - expected).length() < 1e-7, "{} {expected}", world.particles.velocity[0]);
    let ledger = world.energy();
    assert!((ledger.balance() - balance).abs() < 1e-7 * ledger.kinetic());
}
