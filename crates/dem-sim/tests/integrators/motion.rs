//! Free rotation, frozen degrees of freedom, moving walls, periodic cells.

use dem_core::cell::{Cell, FacePolicy};
use dem_core::particles::frozen;
use dem_core::wall::{Motion, Shape, Wall};
use dem_core::{DQuat, DVec3};
use dem_testkit::schemes::all_schemes;
use dem_testkit::worlds;

use super::{alone, take_steps};

#[test]
fn a_free_sphere_turns_by_its_spin() {
    let spin = DVec3::new(30.0, -50.0, 20.0);
    alone(|| {
        for scheme in all_schemes() {
            let given = worlds::common_parameters("hertz-mindlin", 0.5, 0.5);
            let mut world = worlds::world("hertz-mindlin", &given, Cell::unbounded());
            let mut sphere = worlds::sphere(DVec3::ZERO, 0.01);
            sphere.angular_velocity = spin;
            world.insert(sphere);
            world.time_step = 1e-3;
            let mut pipeline = worlds::pipeline_of(&scheme);
            pipeline.initialise(&mut world).unwrap();
            take_steps(&mut pipeline, &mut world, 1000);
            let exact = DQuat::from_scaled_axis(spin);
            let found = world.particles.orientation[0];
            // round-off of a thousand turns of the quaternion
            assert!((found.dot(exact).abs() - 1.0).abs() < 1e-13, "{scheme}");
            assert!((found * exact.conjugate()).xyz().length() < 1e-12, "{scheme}");
            assert_eq!(world.particles.angular_velocity[0], spin, "{scheme}");
        }
    });
}

#[test]
fn frozen_degrees_of_freedom_stay_as_they_are() {
    alone(|| {
        for scheme in all_schemes() {
            let given = worlds::common_parameters("hertz-mindlin", 0.5, 0.5);
            let mut world = worlds::world_of("hertz-mindlin", &given, Cell::unbounded(), 1e7);
            worlds::add_floor(&mut world);
            world.fields.gravity = DVec3::new(3.0, 2.0, -9.0);
            let mut sphere = worlds::sphere(DVec3::new(0.5, 0.25, 0.0099), 0.01);
            sphere.velocity = DVec3::new(0.1, 0.0, 0.0);
            sphere.frozen = frozen::TRANSLATION[1] | frozen::ROTATION[0] | frozen::ROTATION[2];
            world.insert(sphere);
            world.time_step = 1e-5;
            let mut pipeline = worlds::pipeline_of(&scheme);
            pipeline.initialise(&mut world).unwrap();
            take_steps(&mut pipeline, &mut world, 500);
            let p = &world.particles;
            assert_eq!(p.position[0].y, 0.25, "{scheme}");
            assert_eq!(
                (p.velocity[0].y, p.angular_velocity[0].x, p.angular_velocity[0].z),
                (0.0, 0.0, 0.0),
                "{scheme}"
            );
            // the others move
            assert!(p.position[0].x > 0.5 && p.angular_velocity[0].y > 1.0, "{scheme}");
        }
    });
}

/// A sphere on a belt that also shakes, in a periodic cell that it crosses: all schemes end near each other, and the ledger closes.
#[test]
fn a_moving_wall_carries_a_sphere_through_a_periodic_cell() {
    let mut ends = Vec::new();
    alone(|| {
        for scheme in all_schemes() {
            let high = DVec3::new(0.1, 0.1, 0.5);
            let cell = Cell::orthogonal(-high, high, [true, true, false], [[FacePolicy::Open; 2]; 3]);
            let given = worlds::common_parameters("hertz-mindlin", 0.5, 0.5);
            let mut world = worlds::world_of("hertz-mindlin", &given, cell, 1e7);
            world.fields.gravity = -9.81 * DVec3::Z;
            let motion =
                Motion { velocity: DVec3::X, amplitude: DVec3::Z * 1e-5, frequency: 50.0, ..Motion::default() };
            let shape = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Z };
            world.walls.push(Wall::new("belt", shape, DVec3::ZERO, 0, motion));
            world.insert(worlds::sphere(DVec3::new(0.0, 0.0, 0.00999), 0.01));
            world.time_step = 2e-5;
            let mut pipeline = worlds::pipeline_of(&scheme);
            pipeline.initialise(&mut world).unwrap();
            let start = world.energy().balance();
            take_steps(&mut pipeline, &mut world, 30_000);
            let p = &world.particles;
            assert!(p.image[0][0] > 0, "{scheme}");
            let end = world.energy();
            let residual = (end.balance() - start).abs() / end.walls.abs();
            println!(
                "{scheme}: x {:?}, v {:?}, residual {residual:.1e}",
                world.cell.unwrap(p.position[0], p.image[0]),
                p.velocity[0]
            );
            // work of the wall and dissipation are booked to first order at worst
            assert!(residual < 5e-3, "{scheme}: {residual}");
            ends.push((scheme.to_string(), world.cell.unwrap(p.position[0], p.image[0]).x, p.velocity[0].x));
        }
    });
    // sliding makes 2/7 of the belt's speed, then it rolls on it
    for (scheme, x, v) in &ends {
        assert!((x - ends[0].1).abs() < 0.01 * ends[0].1, "{scheme}: {x} {}", ends[0].1);
        assert!((v - 2.0 / 7.0).abs() < 0.01, "{scheme}: {v}");
    }
}
