//! Runs of the engine, and the orientations in them.

use dem_core::rotation::carried::{COLUMN, Carried};
use dem_core::rotation::{Parameterization, RodriguesVector, RotationMatrix, RotationVector, UnitQuaternion};
use dem_core::{DQuat, DVec3};
use dem_sim::builder;
use dem_sim::simulation::Simulation;
use dem_sim::world::World;

use super::super::motions::angle_between;
use crate::error::StudyError;

/// A simulation of a scene, with forces not evaluated yet.
pub fn build(scene: &str) -> Result<Simulation, StudyError> {
    Ok(builder::build(&builder::parse_scene("rotation study", scene, &[])?)?)
}

/// Takes steps of the length that the world has, without what a simulation does between steps.
pub fn take_steps(simulation: &mut Simulation, steps: u64) -> Result<(), StudyError> {
    let Simulation { world, pipeline, .. } = simulation;
    for _ in 0..steps {
        pipeline.step(world)?;
    }
    Ok(())
}

/// Gives bodies, or spheres where there are no bodies, spins by their number \[rad/s\].
pub fn set_spins(world: &mut World, spin: impl Fn(usize) -> DVec3) {
    for body in &mut world.particles.bodies.all {
        body.angular_momentum = body.angular_momentum_of(spin(body.id as usize));
    }
    if world.particles.bodies.is_empty() {
        for (k, angular_velocity) in world.particles.angular_velocity.iter_mut().enumerate() {
            *angular_velocity = spin(k);
        }
    }
}

/// Orientations of bodies, or of spheres where there are no bodies, in the order of their ids.
pub fn orientations(world: &World) -> Vec<DQuat> {
    let p = &world.particles;
    if p.bodies.is_empty() {
        return p.slots_by_id().iter().map(|&slot| p.orientation[slot as usize]).collect();
    }
    let mut by_id: Vec<_> = p.bodies.all.iter().map(|body| (body.id, body.orientation())).collect();
    by_id.sort_unstable_by_key(|&(id, _)| id);
    by_id.into_iter().map(|(_, orientation)| orientation).collect()
}

/// Largest and root mean square angle between orientations \[rad\].
pub fn apart(some: &[DQuat], others: &[DQuat]) -> [f64; 2] {
    let angles = || some.iter().zip(others).map(|(&a, &b)| angle_between(a, b));
    let squares: f64 = angles().map(|angle| angle * angle).sum();
    [angles().fold(0.0, f64::max), (squares / some.len().max(1) as f64).sqrt()]
}

/// Share of orientations whose angle between them is below one \[rad\].
pub fn share_below(angle: f64, some: &[DQuat], others: &[DQuat]) -> f64 {
    let below = some.iter().zip(others).filter(|&(&a, &b)| angle_between(a, b) < angle);
    below.count() as f64 / some.len().max(1) as f64
}

/// Largest departure of what is carried from its constraints, and its largest number.
pub fn defect_and_size(world: &World, carried: Carried) -> [f64; 2] {
    let p = &world.particles;
    let column = p.user.iter().find(|column| column.name == COLUMN);
    let numbers: Vec<f64> = match column {
        Some(column) => column.values.clone(),
        None => p.orientation.iter().flat_map(|q| q.to_array()).collect(),
    };
    let defect = match carried {
        Carried::Quaternion => worst_defect::<UnitQuaternion, 4>(&numbers),
        Carried::Rodrigues => worst_defect::<RodriguesVector, 3>(&numbers),
        Carried::RotationVector => worst_defect::<RotationVector, 3>(&numbers),
        Carried::Matrix => worst_defect::<RotationMatrix, 9>(&numbers),
    };
    [defect, numbers.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))]
}

fn worst_defect<P: Parameterization<N>, const N: usize>(numbers: &[f64]) -> f64 {
    let of = |chunk: &[f64]| P::defect(std::array::from_fn(|k| chunk[k]));
    numbers.chunks_exact(N).map(of).fold(0.0, f64::max)
}
