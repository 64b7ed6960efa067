//! Periodic cells that deform, some between walls: lattices with known answers, rotations, re-boxing, lists that are never too late, the ledger, stress control.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod between_walls;
mod boundary;
mod control;
mod gases;
mod lattices;

use dem_core::affine::AffineStep;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::{DMat3, DVec3};
use dem_sim::deformation::Deformation;
use dem_sim::deformation::control::{Component, Constraint, Control};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::worlds;

/// A control of rates alone \[1/s\].
pub fn rates(velocity_gradient: DMat3) -> Control {
    let component = [0, 1, 2].map(|i| [0, 1, 2].map(|j| Component::Rate(velocity_gradient.col(j)[i])));
    Control::new(component, Constraint::None, None).unwrap()
}

/// An orthogonal cell, periodic in all directions.
pub fn periodic(size: DVec3) -> Cell {
    Cell::orthogonal(DVec3::ZERO, size, [true; 3], [[FacePolicy::Error; 2]; 3])
}

/// Spheres on the sites `cells × sites` of a lattice of rectangular unit cells.
pub fn lattice(
    law: &[(&str, f64)],
    edges: DVec3,
    sites: &[DVec3],
    cells: [usize; 3],
    diameter: f64,
) -> (World, Pipeline) {
    let size = DVec3::from_array(cells.map(|n| n as f64)) * edges;
    let mut world = worlds::world("linear", &worlds::parameters(law, &[]), periodic(size));
    for k in 0..cells.iter().product() {
        let place = [k % cells[0], k / cells[0] % cells[1], k / (cells[0] * cells[1])];
        for &site in sites {
            let x = (DVec3::from_array(place.map(|n| n as f64)) + site) * edges;
            world.insert(worlds::sphere(x, 0.5 * diameter));
        }
    }
    world.deformation = Some(Deformation::default());
    world.time_step = 1e-9;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    (world, pipeline)
}

/// Asks for a velocity gradient \[1/s\] from now on.
pub fn drive(world: &mut World, velocity_gradient: DMat3) {
    world.deformation.as_mut().unwrap().begin_stage(Some(rates(velocity_gradient)));
}

/// Stress of contacts and motion \[Pa\].
pub fn stress(world: &World) -> DMat3 {
    world.deformation.as_ref().unwrap().stress(world.cell.volume())
}

/// Largest component.
pub fn largest(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |largest, x| f64::max(largest, x.abs()))
}

/// `a ⊗ b`
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[test]
fn a_single_sphere_is_carried_along_with_its_images() {
    let (mut world, mut pipeline) = lattice(
        &[("normal_stiffness", 1.0), ("friction", 0.0), ("restitution", 1.0)],
        DVec3::splat(5.0),
        &[DVec3::splat(0.9)],
        [1; 3],
        1.0,
    );
    let l = DMat3::from_cols(DVec3::new(-20.0, 0.0, 5.0), DVec3::new(40.0, 10.0, 0.0), DVec3::new(0.0, 3.0, 15.0));
    world.time_step = 1e-4;
    world.particles.velocity[0] = DVec3::new(0.0, 300.0, -200.0);
    pipeline.initialise(&mut world).unwrap();
    let held = world.energy().balance();
    drive(&mut world, l);
    let start = world.particles.position[0];
    let (mut x, mut v) = (start, world.particles.velocity[0]);
    for _ in 0..500 {
        pipeline.step(&mut world).unwrap();
        let step = AffineStep::new(l, world.time_step).unwrap();
        v = step.inverse * v;
        x = step.gradient * x + v * world.time_step;
    }
    let p = &world.particles;
    assert!(p.image[0] != [0; 3]);
    assert!((world.cell.unwrap(p.position[0], p.image[0]) - x).length() < 1e-11 * x.length());
    assert!((p.velocity[0] - v).length() < 1e-12 * v.length());
    let residual = (world.energy().balance() - held) / world.energy().kinetic();
    assert!(residual.abs() < 1e-12, "the change of kinetic energy is work of the cell: {residual:e}");
}
