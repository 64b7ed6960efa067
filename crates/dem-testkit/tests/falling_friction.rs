//! A block that slides to a stop under friction that falls with the speed, in the engine.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::frozen;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;

/// From v₀ = 1 m/s with μ_s = 0.6, μ_d = 0.3 and v_c = 0.05 m/s it stops after `(v_c/(g μ_d)) ln[(μ_d e^(v₀/v_c) + μ_s − μ_d)/μ_s]` = 0.3280131 s
/// and 0.1691960 m.
#[test]
fn a_block_stops_in_the_right_time_and_place() {
    let young_modulus = 1e8;
    for law in ["linear", "hertz-mindlin", "mindlin", "mindlin-total"] {
        let numbers = [("friction", 0.6), ("dynamic_friction", 0.3), ("decay_speed", 0.05), ("restitution", 1.0)];
        let mut given = worlds::parameters(&numbers, &[]);
        given.extend(worlds::words(&[("friction_law", "exponential")]));
        if law == "linear" {
            given.extend(worlds::parameters(&[("normal_stiffness", 1e5)], &[]));
        }
        let mut world = worlds::world_of(law, &given, Cell::unbounded(), young_modulus);
        worlds::add_floor(&mut world);
        let mut block = worlds::sphere(DVec3::Z * RADIUS, RADIUS);
        block.velocity = DVec3::X;
        block.frozen = frozen::ROTATION.iter().fold(0, |all, bit| all | bit);
        world.insert(block);
        world.fields.gravity = DVec3::Z * -GRAVITY;
        // the floor carries its weight
        let weight = world.particles.mass[0] * GRAVITY;
        let modulus = young_modulus * dem_testkit::floor_impact::OF_YOUNG_MODULUS;
        let sunk = match law {
            "linear" => weight / 1e5,
            _ => (0.75 * weight / (modulus * RADIUS.sqrt())).powf(2.0 / 3.0),
        };
        world.particles.position[0].z -= sunk;
        world.time_step = 1e-5;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        while world.particles.velocity[0].x > 0.0 && world.time < 1.0 {
            pipeline.step(&mut world).unwrap();
        }
        let (time, distance) = (world.time, world.particles.position[0].x);
        println!("{law}: stops after {time:.6} s and {distance:.6} m");
        assert!((time / 0.328_013_1 - 1.0).abs() < 1e-3, "{law}: {time}");
        assert!((distance / 0.169_196_0 - 1.0).abs() < 1e-3, "{law}: {distance}");
    }
}
