//! A loaded assembly that stands still, and its turns.

use std::f64::consts::FRAC_PI_2;

use dem_contact::kernel::Acceptance;
use dem_core::affine::AffineStep;
use dem_core::rotation::{rodrigues_from_rotation_vector, rotate_orientation};
use dem_core::{DMat3, DVec3};
use dem_io::checkpoint::CheckpointReader;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::measure::{self, StressMeasure};
use dem_sim::simulation::Simulation;
use dem_workloads::scenes::{Example, triaxial_with_spheres};

use super::results::Outcome;
use super::turns::Turn;
use crate::error::StudyError;

/// Mark of the state within this study.
const FINGERPRINT: &str = "loaded assembly";

/// A sample under load, at rest by decree.
pub struct Loaded {
    scene: LoadedScene,
    state: Vec<u8>,
    /// Spheres.
    pub particles: usize,
    /// Rigid bodies that they are members of.
    pub bodies: usize,
    /// Deviator over mean stress \[-\].
    pub q_over_p: f64,
    /// Mean overlap of a contact over the mean diameter \[-\].
    pub overlap: f64,
    /// Stress of the contacts, positive in tension \[Pa\].
    pub stress: DMat3,
}

impl Loaded {
    /// Compresses the spheres or clusters of a triaxial example to its mean stress and shears them along x up to a ratio of deviator to mean stress, or a
    /// strain of 10 %.
    ///
    /// # Errors
    /// A step that fails.
    pub fn new(example: &Example, particles: u64, q_over_p: f64, seed: u64) -> Result<Self, StudyError> {
        let mut changes = triaxial_with_spheres(particles, seed);
        changes.push("stages.shear.deform={ mean_stress = \"100 kPa\", xx = { rate = \"0.5 1/s\" } }".to_owned());
        changes.push(format!(
            "stages.shear.until={{ measure = {{ quantity = \"q_over_p\", above = {q_over_p} }}, strain = {{ xx = 0.1 }} }}"
        ));
        let scene = example.load(&changes)?;
        let mut simulation = builder::build(&scene)?;
        simulation.initialise()?;
        while simulation.state.stopped.is_none() {
            simulation.advance()?;
        }
        let world = &mut simulation.world;
        world.particles.velocity.fill(DVec3::ZERO);
        world.particles.angular_velocity.fill(DVec3::ZERO);
        for body in &mut world.particles.bodies.all {
            (body.velocity, body.angular_momentum) = (DVec3::ZERO, DVec3::ZERO);
        }
        world.cell.motion = None;
        let q_over_p = measure::value(&simulation, "q_over_p").unwrap_or(f64::NAN);
        let state = checkpoint::save(&simulation, FINGERPRINT)?;
        let mut loaded =
            Self { scene, state, particles: 0, bodies: 0, q_over_p, overlap: f64::NAN, stress: DMat3::ZERO };
        let simulation = loaded.standing()?;
        loaded.particles = simulation.world.particles.len();
        loaded.bodies = simulation.world.particles.bodies.len();
        loaded.overlap = mean_overlap(&simulation);
        loaded.stress = stress(&simulation);
        Ok(loaded)
    }

    /// The assembly with the forces of its histories, without those of dashpots.
    fn standing(&self) -> Result<Simulation, StudyError> {
        let mut simulation = builder::build_empty(&self.scene)?;
        let reader = CheckpointReader::from_bytes(self.state.clone())?;
        checkpoint::restore(&mut simulation, &reader, FINGERPRINT)?;
        evaluate(&mut simulation)?;
        Ok(simulation)
    }

    /// Turns the assembly by a right angle.
    ///
    /// # Errors
    /// A step that fails.
    pub fn turn(&self, turn: &Turn) -> Result<Outcome, StudyError> {
        let &Turn { choice, axis, increments } = turn;
        let mut simulation = self.standing()?;
        simulation.world.contact_geometry = choice.geometry;
        let time_step = simulation.world.time_step;
        let increment = rodrigues_from_rotation_vector(axis.direction * (FRAC_PI_2 / increments as f64));
        // the affine step of a spin is the rotation whose rescaled Rodrigues vector is spin times step
        let spin = increment / time_step;
        let gradient = DMat3::from_cols(spin.cross(DVec3::X), spin.cross(DVec3::Y), spin.cross(DVec3::Z));
        let step = AffineStep::new(gradient, time_step).ok_or(StudyError::Convergence {
            method: "rigid turn",
            detail: format!("an increment of 90 degrees / {increments}"),
        })?;
        let mut total = DMat3::IDENTITY;
        for _ in 0..increments {
            let Simulation { world, pipeline, .. } = &mut simulation;
            world.cell.deform(step);
            let origin = world.cell.origin;
            let p = &mut world.particles;
            for slot in 0..p.len() {
                p.position[slot] = origin + step.gradient * (p.position[slot] - origin);
                p.orientation[slot] = rotate_orientation(p.orientation[slot], step.rotation);
            }
            for body in &mut p.bodies.all {
                body.position = origin + step.gradient * (body.position - origin);
                body.orientation = rotate_orientation(body.orientation(), step.rotation).to_array();
            }
            for arm in &mut p.bodies.arm {
                *arm = step.gradient * *arm;
            }
            pipeline.forces.deform(&step);
            evaluate(&mut simulation)?;
            total = step.gradient * total;
        }
        let found = total.transpose() * stress(&simulation) * total;
        let error = norm(found - self.stress) / norm(self.stress);
        Ok(Outcome { choice, axis, increments, stress: found, error })
    }
}

/// Evaluates the contacts of particles that have no motion of their own, and accepts what they remember.
fn evaluate(simulation: &mut Simulation) -> Result<(), StudyError> {
    let Simulation { world, pipeline, .. } = simulation;
    let time_step = world.time_step;
    let p = &mut world.particles;
    p.previous_position.clone_from(&p.position);
    p.rotation_increment.fill(DVec3::ZERO);
    for body in &mut p.bodies.all {
        (body.previous_position, body.rotation_increment) = (body.position, DVec3::ZERO);
    }
    pipeline.forces.evaluate(world, time_step, Acceptance::Trial)?;
    pipeline.forces.commit(world);
    Ok(())
}

/// Stress of contacts, skew part included \[Pa\].
fn stress(simulation: &Simulation) -> DMat3 {
    let measure = StressMeasure::of(&simulation.world);
    measure.contacts + measure.skew
}

/// Frobenius norm.
pub fn norm(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn mean_overlap(simulation: &Simulation) -> f64 {
    let world = &simulation.world;
    let (mut sum, mut count) = (0.0, 0.0);
    for kernel in &world.kernels {
        kernel.visit(&world.list, &world.context(), &mut |c| {
            if c.overlap > 0.0 {
                sum += c.overlap;
                count += 1.0;
            }
        });
    }
    let p = &world.particles;
    let diameter = 2.0 * p.sum(|slot| p.radius[slot]) / p.len() as f64;
    sum / count / diameter
}
