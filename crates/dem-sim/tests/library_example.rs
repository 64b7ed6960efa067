//! The example of the library in `examples/library`.

#[path = "../../../examples/library/falling_spheres.rs"]
mod falling_spheres;

/// Restitution 0.9 at every bounce: flights in closed form, and the durations of impacts on a plane between them.
#[test]
fn the_spheres_are_where_bouncing_balls_are() {
    let world = falling_spheres::fall().unwrap();
    let p = &world.particles;
    for (k, position) in p.position.iter().enumerate() {
        let duration = |speed: f64| world.kernels[0].contact_duration(0, 0, p.radius[k], p.mass[k], speed);
        let (gravity, mut time, mut height) = (9.81, world.time, 0.04 + 0.01 * k as f64);
        let (mut flight, mut upwards) = ((2.0 * height / gravity).sqrt(), 0.0);
        let mut down = gravity * flight;
        while time > flight + duration(down) {
            time -= flight + duration(down);
            (height, upwards) = (0.0, 0.9 * down);
            (flight, down) = (2.0 * upwards / gravity, upwards);
        }
        let expected = height + upwards * time - 0.5 * gravity * time * time;
        let found = position.z - p.radius[k];
        println!("{found} for {expected}");
        assert!((found - expected).abs() < 3e-4, "sphere {k}: {found} m, expected {expected} m");
    }
    falling_spheres::main().unwrap();
}
