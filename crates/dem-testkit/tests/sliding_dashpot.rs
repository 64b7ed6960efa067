//! An oblique impact of two spheres with a tangential dashpot as strong as the normal one.
#![expect(clippy::unwrap_used, reason = "functions that tests share fail as tests do")]

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_testkit::worlds;

/// Spin of the first sphere after the impact \[rad/s\].
fn spin(time_step: f64, sliding: &str) -> DVec3 {
    let mut given = worlds::parameters(
        &[("friction", 0.3), ("restitution", 0.9), ("tangential_damping_share", 1.0)],
        &[("no_tension", false)],
    );
    given.extend(worlds::words(&[("unloading", "none"), ("sliding_dashpot", sliding)]));
    let mut world = worlds::world_of("hertz-mindlin", &given, Cell::unbounded(), 4e6);
    world.time_step = time_step;
    let mut first = worlds::sphere(DVec3::ZERO, 0.0014);
    first.velocity = DVec3::new(-1.0, 0.3, -0.5);
    first.angular_velocity = DVec3::new(-70.0, -120.0, -440.0);
    let place = DVec3::new(-0.001_653_614_100_470_870_9, -0.001_022_234_171_200_174_6, -0.002_284_994_029_741_566_7);
    let mut second = worlds::sphere(place, 0.0016);
    second.velocity = DVec3::new(-0.2, -0.1, 0.0);
    second.angular_velocity = DVec3::new(-210.0, 490.0, 200.0);
    world.insert(first);
    world.insert(second);
    let mut pipeline = worlds::pipeline();
    pipeline.limits.overlap_ratio = 0.5;
    pipeline.initialise(&mut world).unwrap();
    while world.time < 0.98e-3 {
        pipeline.step(&mut world).unwrap();
    }
    world.particles.angular_velocity[0]
}

/// Reference: the same impact as `T_el' = −k_t s'`, `T = T_el − c s'`, `|T| ≤ μN` by an independent integration of the differential equations.
#[test]
fn an_oblique_impact_converges_to_the_solution_of_the_differential_equations() {
    let expected = DVec3::new(-123.3909, -440.0449, -240.0203);
    let errors = [200e-9, 100e-9, 50e-9, 25e-9].map(|step| (spin(step, "kelvin") - expected).length());
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.6 * pair[0], "{errors:?}");
    }
    // in proportion to the change of spin of 200 rad/s
    assert!(errors[3] < 0.01, "{errors:?}");
}

/// What other codes do has a limit, too, and another one.
#[test]
fn the_rules_of_other_codes_differ() {
    let kelvin = spin(50e-9, "kelvin");
    for sliding in ["lammps", "dropped", "outside"] {
        let (coarse, fine) = (spin(100e-9, sliding), spin(50e-9, sliding));
        assert!((coarse - fine).length() < 0.05, "{sliding}: {coarse} {fine}");
        assert!((fine - kelvin).length() > 0.2, "{sliding}: {fine} {kelvin}");
    }
}
