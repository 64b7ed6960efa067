//! One time step, in order. The pipeline holds scratch and policy; the world holds the state.

use dem_contact::contact_forces::ContactForces;
use dem_contact::geometry::SlipForm;
use dem_core::DVec3;
use dem_core::particles::Particles;
use dem_core::rotation::carried::{self, Carried};

use super::faces::{Clearance, Crossings};
use super::{bridge_exchange, cell_deformation, overlap_check, tunnelling, wall_servo};
use crate::environment::awake::Wakefulness;
use crate::environment::threads;
use crate::environment::timing::Phase;
use crate::error::StepError;
use crate::fields::body_forces::Fields;
use crate::fields::motion::Motion;
use crate::fields::porosity::Porosity;
use crate::forces::body_loads::load_on;
use crate::forces::components::{ForceEvaluation, StepFusionLimits};
use crate::forces::particle_loads::Loads;
use crate::guides::guide::Guides;
use crate::integrators::integrator::Integrator;
use crate::state::movers::Mover;
use crate::state::other_loads::OtherLoads;
use crate::state::whole::Candidate;
use crate::state::world::World;

/// Limits that stop a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Largest overlap in proportion to the smaller radius \[-\].
    pub overlap_ratio: f64,
    /// Largest fraction of the energy held and dissipated that may have been created \[-\]; 1 never stops a run.
    pub created_energy: f64,
}

impl Default for Limits {
    /// Beyond a tenth of the radius neither Hertz nor the time step can be trusted; errors of the time step make up some thousandths of
    /// the energy, an unstable one soon all of it.
    fn default() -> Self {
        Self { overlap_ratio: 0.1, created_energy: 0.5 }
    }
}

/// Advances worlds.
pub struct Pipeline {
    /// Time integrator.
    pub integrator: Box<dyn Integrator>,
    /// Force evaluation with its scratch.
    pub forces: ForceEvaluation,
    /// When to stop.
    pub limits: Limits,
    /// Whether another step as long follows at once, and before it the world is neither read nor changed by anything
    /// but the pipeline.
    pub(crate) is_followed: bool,
    clearance: Clearance,
    /// Whether an overlap may grow too large in the next step in any part; none if not all parts have been asked.
    overlap_ahead: Option<bool>,
    wakefulness: Wakefulness,
}

/// What all parts have come to in a step.
struct Outcome {
    /// Largest overlap in proportion to the smaller radius \[-\].
    overlap_ratio: f64,
    /// Whether there is an error in any part, or a particle outside the domain.
    is_remarkable: bool,
}

/// Where a step is known to have come to its end without an error.
enum Ended {
    Everywhere,
    /// In this part; the others may have failed.
    Here,
}

impl Pipeline {
    /// A pipeline with the default limits.
    pub fn new(integrator: Box<dyn Integrator>, forces: ForceEvaluation) -> Self {
        Self {
            integrator,
            forces,
            limits: Limits::default(),
            is_followed: false,
            clearance: Clearance::default(),
            overlap_ahead: None,
            wakefulness: Wakefulness::default(),
        }
    }

    /// Evaluates the forces of the present state, so that the first step starts from them. Contacts that exist already start
    /// without history.
    ///
    /// # Errors
    /// A periodic cell that is too narrow.
    pub fn initialise(&mut self, world: &mut World) -> Result<(), StepError> {
        threads::join_pool();
        carried::fit_column(&mut world.particles, world.rotation.carried);
        let p = &mut world.particles;
        p.previous_position.clone_from(&p.position);
        p.rotation_increment.fill(DVec3::ZERO);
        for wall in &mut world.walls {
            wall.previous_pose = wall.pose;
            wall.rotation_increment = DVec3::ZERO;
        }
        world.cell.motion = None;
        self.forces.invalidate();
        // nothing has moved: a slip taken from velocities would be one step ahead
        let slip = std::mem::replace(&mut world.contact_geometry.slip, SlipForm::Finite);
        let started = self.forces.start(world);
        world.contact_geometry.slip = slip;
        started?;
        self.forces.book_works_of_step(world, &mut []);
        self.overlap_ahead = None;
        cell_deformation::end_step(world);
        let World { particles, guides, forces, fields, porosity, time, .. } = world;
        guides.note_reactions(particles, unguided(forces, fields, porosity, *time));
        world.share_guides();
        Ok(())
    }

    /// Rebuilds scratch after a restart without touching the state: the forces are those of the checkpoint.
    ///
    /// # Errors
    /// A periodic cell that is too narrow.
    pub fn resume(&mut self, world: &mut World) -> Result<(), StepError> {
        threads::join_pool();
        carried::fit_column(&mut world.particles, world.rotation.carried);
        self.forces.invalidate();
        self.forces.rebuild(world)
    }

    /// Advances the world by one step.
    ///
    /// # Errors
    /// See [`StepError`].
    pub fn step(&mut self, world: &mut World) -> Result<(), StepError> {
        threads::join_pool();
        if world.forces.is_shared() {
            self.wakefulness.prolong();
        }
        let stepped = self.step_of_part(world);
        if world.whole.is_alone() {
            return stepped.map(drop);
        }
        match stepped {
            Err(error) => {
                world.whole.fail(&error);
                return Err(error);
            }
            Ok(Ended::Everywhere) => {}
            Ok(Ended::Here) => {
                // all parts have come to the end of the step, or one of them has failed
                world.whole.any(false);
                if let Some(message) = world.whole.failure() {
                    return Err(StepError::Elsewhere(message));
                }
            }
        }
        if !self.is_followed {
            world.whole.share(&mut world.particles, &world.cell);
        }
        Ok(())
    }

    fn step_of_part(&mut self, world: &mut World) -> Result<Ended, StepError> {
        self.overlap_ahead = None;
        if let Some(clock) = &mut self.forces.clock {
            clock.begin_step();
        }
        if world.particles.bodies.are_out_of_order() {
            self.forces.rebuild(world)?;
        }
        self.forces.renew_ghosts_before_step(world)?;
        wall_servo::begin_step(world)?;
        // an integrator may take the step in parts
        world.clock = world.clock.going_on(world.step, world.time, world.time_step);
        let end = world.clock.at(world.step + 1);
        world.measure_porosity_at_start();
        for wall in &mut world.walls {
            wall.advance(end);
        }
        if !world.walls.is_empty() {
            self.forces.lap(Phase::Walls);
        }
        cell_deformation::begin_step(world, &mut self.forces)?;
        // films are exchanged between steps, and ghosts are told of positions that a deformation has changed
        let is_interrupted = world.shares_films() || self.forces.ranks.is_some() && world.deformation.is_some();
        let may_fuse = self.is_followed && !is_interrupted;
        self.forces.fusion_limits = may_fuse.then(|| self.fusion_limits(world));
        self.integrator.advance(world, &mut self.forces)?;
        if world.deformation.is_some() || world.shares_films() {
            // integrators may have corrected positions since forces were evaluated, and stress and films have to do with both ends of a contact
            world.whole.share(&mut world.particles, &world.cell);
        }
        cell_deformation::end_step(world);
        self.forces.lap(Phase::Motion);
        world.time = end;
        self.settle_guides(world);
        world.step += 1;
        let found = self.look_for_errors(world);
        let moved = self.forces.take_displacement();
        let (mut outside, mut tunnelled) = (Vec::new(), Ok(()));
        // an infinite position must not count as having left
        if found.is_ok() {
            outside = self.clearance.outside(world, self.forces.rebuilds, moved);
            let approach = self.forces.farthest_approach(world, moved);
            tunnelled = tunnelling::check(world, approach, self.forces.smallest_radius());
        }
        let is_remarkable = found.is_err() || tunnelled.is_err() || !outside.is_empty();
        let Outcome { overlap_ratio, is_remarkable } = self.ask_all_parts(world, is_remarkable);
        found?;
        // nor must an overlap count as gone because one of the two has left in the same step
        overlap_check::check(world, overlap_ratio, self.limits.overlap_ratio)?;
        tunnelled?;
        bridge_exchange::exchange(world);
        if is_remarkable {
            self.apply_faces(world, outside)?;
        }
        self.forces.lap(Phase::Checks);
        Ok(if is_remarkable { Ended::Here } else { Ended::Everywhere })
    }

    /// What the integrator has come across in this part.
    fn look_for_errors(&mut self, world: &World) -> Result<(), StepError> {
        if !self.forces.is_finite {
            name_non_finite(world)?;
        }
        let at_half_turn = self.forces.at_half_turn.take();
        at_half_turn.map_or(Ok(()), |particle| Err(StepError::HalfTurn { step: world.step, particle }))
    }

    /// Puts together, in one question, what all parts have come to in a step.
    fn ask_all_parts(&mut self, world: &mut World, is_remarkable: bool) -> Outcome {
        // that of the last evaluation: what an integrator or a guide has put elsewhere since may overlap by less now
        let overlap_ratio = world.forces.largest_overlap_ratio;
        if world.whole.is_alone() {
            return Outcome { overlap_ratio, is_remarkable };
        }
        let flag = |holds: bool| Candidate::of(-f64::from(u8::from(holds)));
        let mut candidates =
            [Candidate::of(-overlap_ratio), flag(is_remarkable), flag(self.may_overlap_too_far_here(world))];
        let is_answered = self.forces.book_works_of_step(world, &mut candidates);
        let [overlap_ratio, remarkable, ahead] = candidates.map(|candidate| -candidate.number);
        self.overlap_ahead = is_answered.then_some(ahead > 0.0);
        let is_remarkable = remarkable > 0.0 || overlap_ratio > self.limits.overlap_ratio || !is_answered;
        Outcome { overlap_ratio, is_remarkable }
    }

    /// Whether an overlap may grow too large in the next step, unless particles become more than twice as fast in it.
    pub(crate) fn may_overlap_too_far(&self, world: &World) -> bool {
        // all parts have been asked at the end of the last step
        self.overlap_ahead.unwrap_or_else(|| world.whole.any(self.may_overlap_too_far_here(world)))
    }

    fn may_overlap_too_far_here(&self, world: &World) -> bool {
        let bound = self.forces.bound_overlap_ratio(world, 2.0);
        // before the first step it is not known how far particles move
        let bound = if bound.is_finite() { bound } else { 2.0 * world.forces.largest_overlap_ratio };
        bound > self.limits.overlap_ratio
    }

    /// Applies the policies of the faces of the domain to what has crossed them.
    fn apply_faces(&mut self, world: &mut World, outside: Vec<Mover>) -> Result<(), StepError> {
        let Crossings { reflected, leaving, escaped } = Crossings::of(world, outside);
        let are_any = world.whole.any_of([!reflected.is_empty(), !leaving.is_empty()]);
        if are_any[0] {
            let [reflected] = world.whole.sums([reflected]);
            world.accumulated.exchanged += reflected;
        }
        if let Some(error) = escaped {
            return Err(error);
        }
        if are_any[1] {
            self.remove(world, &leaving);
        }
        Ok(())
    }

    /// What a step must not reach for the next one to be fused with it, unobserved: faces, whose clearance needs no
    /// check then, and overlaps that stop a run.
    fn fusion_limits(&self, world: &World) -> StepFusionLimits {
        let rebuilds = self.forces.rebuilds;
        let clearance = self.clearance.at(rebuilds, &world.cell);
        StepFusionLimits { rebuilds, clearance, overlap_ratio: self.limits.overlap_ratio }
    }

    /// Puts guided particles back on their paths.
    fn settle_guides(&mut self, world: &mut World) {
        if world.guides.is_idle() {
            return;
        }
        let World { particles, guides, forces, fields, porosity, time, time_step, .. } = &mut *world;
        let settled = guides.settle(particles, *time, *time_step, unguided(forces, fields, porosity, *time));
        let [driven] = world.whole.sums([settled.driven]);
        world.accumulated.walls += driven;
        self.forces.bound_displacement(world.whole.largest(settled.longest));
        world.share_guides();
        if world.rotation.carried != Carried::Quaternion {
            // bodies that are turned have been given their orientations
            let turned: Vec<_> = world.guides.turned_members(&world.particles).collect();
            let note = |members| carried::note_orientations(&mut world.particles, world.rotation.carried, members);
            turned.into_iter().for_each(note);
        }
    }
}

/// Force \[N\] and torque \[N m\] at a time on the particle in a slot, or on the body of a member, from everything but guides.
fn unguided<'a>(
    forces: &'a ContactForces,
    fields: &'a Fields,
    porosity: &'a Porosity,
    time: f64,
) -> impl Fn(&Particles, usize) -> (DVec3, DVec3) + 'a {
    let none = Guides::default();
    move |p, slot| {
        let others = OtherLoads::new(&p.external, fields.over_step(porosity, time, 0.0), &none);
        let load = match p.body_of(slot) {
            None => Loads::of(forces.columns(), others).on(slot, p.mass[slot], || Motion::of(p, slot)),
            // members hold the sums of their contacts
            Some(body) => load_on(p, body, &p.force, &p.torque, &others),
        };
        (load.force, load.torque)
    }
}

/// Finds the particle with the lowest id whose force or velocity is not finite.
fn name_non_finite(world: &World) -> Result<(), StepError> {
    let p = &world.particles;
    let finite = |slot: usize| {
        [p.position[slot], p.velocity[slot], p.force[slot], p.angular_velocity[slot], p.torque[slot]]
            .into_iter()
            .all(DVec3::is_finite)
    };
    let worst = (0..p.owned()).filter(|&slot| !finite(slot)).map(|slot| p.id[slot]).min();
    worst.map_or(Ok(()), |particle| Err(StepError::NonFinite { step: world.step, particle }))
}
