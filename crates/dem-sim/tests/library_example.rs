//! The example of the library in `examples/library`.
#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "../../../examples/library/falling_spheres.rs"]
mod falling_spheres;

/// Restitution 0.9 at every bounce: flights and heights in closed form, contacts of some 10⁻⁴ s left out.
#[test]
fn the_spheres_are_where_bouncing_balls_are() {
    let world = falling_spheres::fall().unwrap();
    for (k, position) in world.particles.position.iter().enumerate() {
        let (gravity, mut time, mut height) = (9.81, 0.5, 0.04 + 0.01 * k as f64);
        let mut fall = (2.0 * height / gravity).sqrt();
        let mut upwards = 0.0;
        while time > fall {
            time -= fall;
            upwards = 0.9 * (if upwards > 0.0 { upwards } else { gravity * fall });
            (height, fall) = (0.0, 2.0 * upwards / gravity);
        }
        let expected = height + upwards * time - 0.5 * gravity * time * time;
        let found = position.z - 0.01;
        println!("{found} for {expected}");
        assert!((found - expected).abs() < 1.5e-3, "sphere {k}: {found} m, expected {expected} m");
    }
    falling_spheres::main().unwrap();
}
