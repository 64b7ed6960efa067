//! Cells that drive a sample at its boundary.

use dem_core::affine::AffineStep;
use dem_core::{DMat3, DVec3};
use dem_sim::deformation::displacement::Displacement;
use dem_sim::world::World;
use dem_testkit::worlds;

use super::gases::{gas, gradient};
use super::{drive, lattice};

fn centre(world: &World) -> DVec3 {
    world.cell.origin + world.cell.matrix() * DVec3::splat(0.5)
}

#[test]
fn a_free_sphere_flies_straight_on_whatever_the_cell_does() {
    let (mut world, mut pipeline) = lattice(
        &[("normal_stiffness", 1.0), ("friction", 0.0), ("restitution", 1.0)],
        DVec3::splat(5.0),
        &[DVec3::splat(0.4)],
        [1; 3],
        1.0,
    );
    world.deformation.as_mut().unwrap().displacement = Displacement::Boundary;
    world.time_step = 1e-4;
    let velocity = DVec3::new(11.0, -7.0, 5.0);
    let spin = DVec3::new(1.0, 2.0, -3.0);
    (world.particles.velocity[0], world.particles.angular_velocity[0]) = (velocity, spin);
    pipeline.initialise(&mut world).unwrap();
    let from_centre = |world: &World| world.particles.position[0] - centre(world);
    let start = from_centre(&world);
    let held = world.energy().balance();
    let shear = DMat3::from_cols(DVec3::new(-2.0, 0.0, 1.0), DVec3::new(4.0, 1.0, 0.0), DVec3::new(0.0, 3.0, 1.5));
    // still, faster and faster, the other way round and still again, while the sphere is in its first cell
    let gradients = [DMat3::ZERO, shear, shear * 3.0, shear * -2.0, DMat3::ZERO];
    let mut flown = 0.0;
    for l in gradients {
        drive(&mut world, l);
        for _ in 0..20 {
            pipeline.step(&mut world).unwrap();
            flown += world.time_step;
            let away = (from_centre(&world) - start - velocity * flown).length();
            assert!(world.particles.image[0] == [0; 3] && away < 1e-12, "{away:e} m after {flown} s");
            let turning = world.cell.motion.map_or(DVec3::ZERO, |step| step.spin);
            let turned = world.particles.angular_velocity[0] + turning;
            assert!((turned - spin).length() < 1e-13, "{turned}");
        }
    }
    assert!((world.particles.velocity[0] - velocity).length() < 1e-12, "{}", world.particles.velocity[0]);
    let residual = (world.energy().balance() - held).abs() / world.energy().kinetic();
    assert!(residual < 1e-12, "the change of kinetic energy is work of the cell: {residual:e}");
}

/// Between a sphere and its image there is the motion of the cell: one that crosses a face of a sheared cell gains its velocity.
#[test]
fn a_sphere_that_crosses_a_face_takes_the_velocity_of_the_cell_there() {
    let (mut world, mut pipeline) = lattice(
        &[("normal_stiffness", 1.0), ("friction", 0.0), ("restitution", 1.0)],
        DVec3::splat(5.0),
        &[DVec3::splat(0.9)],
        [1; 3],
        1.0,
    );
    world.deformation.as_mut().unwrap().displacement = Displacement::Boundary;
    world.time_step = 1e-4;
    world.particles.velocity[0] = DVec3::Y * 100.0;
    pipeline.initialise(&mut world).unwrap();
    let rate = 8.0;
    drive(&mut world, DMat3::from_cols(DVec3::ZERO, DVec3::X * rate, DVec3::ZERO));
    for _ in 0..100 {
        pipeline.step(&mut world).unwrap();
    }
    assert_eq!(world.particles.image[0][1], 1);
    // the next step begins with the peculiar velocity turned with the cell
    let turned = world.cell.motion.unwrap().inverse * world.particles.velocity[0];
    let own = turned.x + rate * (world.particles.position[0] - centre(&world)).y;
    assert!((own + rate * 5.0).abs() < 1e-11, "{own}");
}

/// In steady simple shear nothing is left out by affine displacement: from the same motion both go the same way, collisions and all.
#[test]
fn steady_simple_shear_is_the_same_motion_at_the_boundary_and_affine() {
    let shear = DMat3::from_cols(DVec3::ZERO, DVec3::X * 60.0, DVec3::ZERO);
    let [affine, boundary] = [Displacement::Affine, Displacement::Boundary].map(|displacement| {
        let mut world = gas(0.4, 0.8, 0.49);
        world.deformation.as_mut().unwrap().displacement = displacement;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        if displacement == Displacement::Boundary {
            // the motion of the cell, in which particles of the other are from the first step
            let step = AffineStep::new(shear, world.time_step).unwrap();
            let (rate, centre) = ((step.gradient - DMat3::IDENTITY) * (1.0 / world.time_step), centre(&world));
            for k in 0..world.particles.len() {
                let own = step.inverse * world.particles.velocity[k];
                world.particles.velocity[k] = own + rate * (world.particles.position[k] - centre);
                world.particles.angular_velocity[k] += step.spin;
            }
        }
        drive(&mut world, shear);
        for _ in 0..1000 {
            pipeline.step(&mut world).unwrap();
        }
        world
    });
    assert!(affine.energy().friction > 0.0 && affine.contact_count().pairs > 20, "{:?}", affine.contact_count());
    let [a, b] = [&affine, &boundary].map(|world| world.particles.slots_by_id());
    for (&i, &j) in a.iter().zip(&b) {
        let (p, q) = (&affine.particles, &boundary.particles);
        let (i, j) = (i as usize, j as usize);
        assert_eq!(p.image[i], q.image[j]);
        // round-off grows from collision to collision
        assert!((p.position[i] - q.position[j]).length() < 1e-11, "{} {}", p.position[i], q.position[j]);
        assert!((p.velocity[i] - q.velocity[j]).length() < 1e-8, "{} {}", p.velocity[i], q.velocity[j]);
        assert!((p.angular_velocity[i] - q.angular_velocity[j]).length() < 1e-5);
    }
}

/// What affine displacement leaves out: a sample at rest stays behind at first when its cell begins to shrink.
#[test]
fn a_sample_at_rest_stays_where_it_is_until_the_boundary_reaches_it() {
    let mut world = gas(0.0, 1.0, 0.3);
    world.deformation.as_mut().unwrap().displacement = Displacement::Boundary;
    world.particles.velocity.fill(DVec3::ZERO);
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    let from_centre = |world: &World| {
        let p = &world.particles;
        p.slots_by_id().iter().map(|&slot| p.position[slot as usize] - centre(world)).collect::<Vec<_>>()
    };
    let start = from_centre(&world);
    drive(&mut world, gradient());
    for _ in 0..50 {
        pipeline.step(&mut world).unwrap();
    }
    assert_eq!(world.contact_count().pairs, 0);
    for (now, start) in from_centre(&world).iter().zip(&start) {
        assert!((*now - *start).length() < 1e-12, "{now} {start}");
    }
}
