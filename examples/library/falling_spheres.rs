//! A scene built in Rust: spheres fall on a floor and bounce. `cargo run --release -p dem-sim --example falling_spheres`

use std::error::Error;

use dem_contact::ParameterValue;
use dem_contact::registry::{self, PairParameters};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::contact_list::LawSelection;
use dem_core::material::{Material, PairMaterial};
use dem_core::particles::NewParticle;
use dem_core::wall::{Motion, Shape, Wall};
use dem_sim::forces::ForceEvaluation;
use dem_sim::integrators::VelocityVerlet;
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;

/// Five spheres, let fall from different heights and followed for half a second.
pub fn fall() -> Result<World, Box<dyn Error>> {
    let glass = Material { name: "glass".into(), density: 2500.0, young_modulus: 1e8, poisson_ratio: 0.25 };
    let law = registry::find("hertz-mindlin").ok_or("no such law")?;
    let parameters =
        [("friction", 0.4), ("restitution", 0.9)].map(|(name, x)| (name.into(), ParameterValue::Number(x)));
    let pair = (PairMaterial::new(&glass, &glass), parameters.into());
    let kernel = (law.build)(&PairParameters { materials: 1, pairs: vec![Some(pair)] })?;

    let time_step = 1e-5;
    let mut world = World::new(Cell::unbounded(), vec![glass], LawSelection::uniform(1), vec![kernel], time_step);
    world.fields.gravity = DVec3::new(0.0, 0.0, -9.81);
    let floor = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Z };
    world.walls.push(Wall::new("floor", floor, DVec3::ZERO, 0, Motion::default()));
    for k in 0..5 {
        let position = DVec3::new(0.03 * f64::from(k), 0.0, 0.05 + 0.01 * f64::from(k));
        world.insert(NewParticle::at_rest(position, 0.01, 2500.0));
    }

    let mut pipeline = Pipeline::new(Box::new(VelocityVerlet::default()), ForceEvaluation::default());
    pipeline.initialise(&mut world)?;
    while world.time < 0.5 {
        pipeline.step(&mut world)?;
    }
    Ok(world)
}

/// Prints where they are.
#[expect(clippy::print_stdout, reason = "an example prints")]
pub fn main() -> Result<(), Box<dyn Error>> {
    let world = fall()?;
    for (id, position) in world.particles.id.iter().zip(&world.particles.position) {
        println!("sphere {id}: {:.4} m above the floor", position.z - 0.01);
    }
    Ok(())
}
