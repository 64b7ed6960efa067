//! One time step, in order. The pipeline holds scratch and policy; the world holds the state.

use std::collections::BTreeSet;

use dem_contact::contact_forces::{ContactForces, ContactView};
use dem_contact::geometry::SlipForm;
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::contact_list::PartnerKind;
use dem_core::exact_sum::ExactSum;
use dem_core::history::FieldRole;
use dem_core::particles::{HigherDerivatives, Particles};
use dem_core::rotation::carried::{self, Carried};
use rayon::prelude::*;

use super::{bridge_exchange, cell_deformation, overlap_diagnosis, tunnelling, wall_servo};
use crate::environment::awake::Wakefulness;
use crate::environment::threads;
use crate::environment::timing::Phase;
use crate::error::{FACES, StepError};
use crate::fields::body_forces::Fields;
use crate::fields::motion::Motion;
use crate::fields::porosity::Porosity;
use crate::forces::body_loads::load_on;
use crate::forces::components::{ForceEvaluation, StepFusionLimits};
use crate::forces::particle_loads::Loads;
use crate::guides::guide::Guides;
use crate::integrators::integrator::Integrator;
use crate::overlap_cause::OverlapCause;
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
    wakefulness: Wakefulness,
}

/// How far every centre is from the faces of the domain.
#[derive(Clone, Copy, Debug, Default)]
struct Clearance {
    /// The rebuild of the contact list after which it was measured.
    rebuild: u64,
    /// Less than the smallest distance \[m\].
    distance: f64,
}

/// Particles that have crossed faces in a step.
#[derive(Default)]
struct Crossings {
    /// Energy that reflections have brought in \[J\].
    reflected: ExactSum,
    /// Those that leave.
    leaving: Vec<Mover>,
    /// The one with the lowest id that was not to cross a face.
    escaped: Option<StepError>,
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
            return stepped;
        }
        if let Err(error) = &stepped {
            world.whole.fail(error);
            return stepped;
        }
        // all parts have come to the end of the step, or one of them has failed
        world.whole.any(false);
        if let Some(message) = world.whole.failure() {
            return Err(StepError::Elsewhere(message));
        }
        if !self.is_followed {
            world.whole.share(&mut world.particles, &world.cell);
        }
        Ok(())
    }

    fn step_of_part(&mut self, world: &mut World) -> Result<(), StepError> {
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
        // before the faces: an infinite position must not count as having left
        if !self.forces.is_finite {
            name_non_finite(world)?;
        }
        if let Some(particle) = self.forces.at_half_turn.take() {
            return Err(StepError::HalfTurn { step: world.step, particle });
        }
        // nor must an overlap count as gone because one of the two has left in the same step
        self.check_overlap(world)?;
        let moved = self.forces.take_displacement();
        tunnelling::check(world, self.forces.farthest_approach(world, moved), self.forces.smallest_radius())?;
        bridge_exchange::exchange(world);
        self.apply_faces(world, moved)?;
        self.forces.lap(Phase::Checks);
        Ok(())
    }

    /// What a step must not reach for the next one to be fused with it, unobserved: faces, whose clearance needs no
    /// check then, and overlaps that stop a run.
    fn fusion_limits(&self, world: &World) -> StepFusionLimits {
        let rebuilds = self.forces.rebuilds;
        let clearance = if world.cell.periodic == [true; 3] {
            f64::INFINITY
        } else if self.clearance.rebuild == rebuilds {
            self.clearance.distance
        } else {
            0.0
        };
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

    /// Applies the policies of the faces of the domain to the centres that have crossed them.
    /// None has moved by more than `moved` \[m\] in the step.
    fn apply_faces(&mut self, world: &mut World, moved: f64) -> Result<(), StepError> {
        if world.cell.periodic == [true; 3] {
            return Ok(());
        }
        let Crossings { reflected, leaving, escaped } = self.cross_faces(world, moved);
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

    /// Reflects particles that have crossed a face, and finds which leave or have escaped.
    fn cross_faces(&mut self, world: &mut World, moved: f64) -> Crossings {
        let cell = world.cell;
        let low = cell.origin;
        let high = cell.origin + cell.matrix() * DVec3::ONE;
        if self.clearance.rebuild == self.forces.rebuilds {
            self.clearance.distance -= moved;
            if self.clearance.distance > 0.0 {
                return Crossings::default();
            }
        }
        let distance = distance_of_movers(world);
        self.clearance = Clearance { rebuild: self.forces.rebuilds, distance };
        if distance >= 0.0 {
            return Crossings::default();
        }
        let inside = |x: DVec3| x.cmpge(low).all() && x.cmple(high).all();
        let outside: Vec<Mover> = world.movers().filter(|&mover| !inside(world.centre_of(mover))).collect();
        let mut escaped: Option<(u64, Mover, usize, usize)> = None;
        let mut leaving = Vec::new();
        let mut reflected = ExactSum::ZERO;
        for mover in outside {
            let x = world.centre_of(mover);
            for k in 0..3 {
                let side = usize::from(x[k] > high[k]);
                if cell.periodic[k] || !(x[k] < low[k] || x[k] > high[k]) {
                    continue;
                }
                match cell.faces[k][side] {
                    FacePolicy::Open => leaving.push(mover),
                    FacePolicy::Reflect => {
                        let face = if side == 0 { low[k] } else { high[k] };
                        let gravity = world.fields.potential_gravity()[k];
                        let before = gravity * x[k];
                        reflect(world, mover, k, face, if side == 0 { 1.0 } else { -1.0 });
                        reflected.add(world.mass_of(mover) * (before - gravity * world.centre_of(mover)[k]));
                    }
                    FacePolicy::Error => {
                        let particle = world.id_of(mover);
                        if escaped.is_none_or(|(id, ..)| particle < id) {
                            escaped = Some((particle, mover, k, side));
                        }
                    }
                }
            }
        }
        let escaped = escaped.map(|(particle, mover, k, side)| {
            let position = world.centre_of(mover).to_array();
            StepError::Escaped { step: world.step, particle, face: FACES[k][side], position }
        });
        leaving.dedup();
        Crossings { reflected, leaving, escaped }
    }

    /// Removes what has left the domain.
    pub fn remove(&mut self, world: &mut World, leaving: &[Mover]) {
        let [mass] = world.sums_over(leaving.len(), |at| [world.mass_of(leaving[at])]);
        world.removed_mass += mass;
        world.removed += world.whole.count(leaving.len()) as u64;
        for at in 0..world.material_flows.len() {
            let material = world.material_flows[at].material;
            let own: Vec<Mover> =
                leaving.iter().copied().filter(|&mover| world.material_of(mover) == material).collect();
            let [mass] = world.sums_over(own.len(), |k| [world.mass_of(own[k])]);
            world.material_flows[at].mass += mass;
            world.material_flows[at].particles += world.whole.count(own.len()) as u64;
        }
        self.take_out(world, leaving);
    }

    /// Takes spheres and bodies out of the world, books their energy as taken out, and keeps everybody else's contacts.
    pub(crate) fn take_out(&mut self, world: &mut World, leaving: &[Mover]) {
        let [mechanical, of_fields] = world.sums_over(leaving.len(), |at| {
            [world.mechanical_energy_of(leaving[at]), world.field_dissipation_of(leaving[at])]
        });
        world.accumulated.exchanged -= mechanical;
        world.accumulated.fields_of_removed += of_fields;
        let mut leaving: Vec<u32> = leaving.iter().flat_map(|&mover| world.slots_of(mover)).collect();
        // ghosts leave, too, and with them contacts that count here
        if !world.whole.is_alone() {
            // integrators may have moved them since they were last told of
            world.whole.share(&mut world.particles, &world.cell);
            let p = &world.particles;
            let ids: BTreeSet<u64> =
                world.whole.gather(leaving.iter().map(|&slot| p.id[slot as usize]).collect()).into_iter().collect();
            self.forces.forget_ghosts(&ids);
            world.guides.forget(&ids);
            leaving = (0..p.len() as u32).filter(|&slot| ids.contains(&p.id[slot as usize])).collect();
        }
        // not computed from forces, which are not known after a restart
        let [elastic] = world.whole.sums([elastic_energy_of(world, &leaving)]);
        world.accumulated.exchanged -= elastic;
        leaving.sort_unstable();
        bridge_exchange::take_along(world, &leaving);
        let kept: Vec<u32> =
            (0..world.particles.len() as u32).filter(|slot| leaving.binary_search(slot).is_err()).collect();
        self.forces.remove_particles(world, &kept);
    }

    fn check_overlap(&self, world: &World) -> Result<(), StepError> {
        // that of the last evaluation: what an integrator or a guide has put elsewhere since may overlap by less now
        let own = world.forces.largest_overlap_ratio;
        let ratio = world.whole.largest(own);
        if ratio <= self.limits.overlap_ratio {
            return Ok(());
        }
        let p = &world.particles;
        let mut worst = None;
        let context = world.context();
        for kernel in &world.kernels {
            kernel.visit(&world.list, &context, &mut |c| {
                let radius = match c.key.kind {
                    PartnerKind::Particle => p.radius[c.first].min(p.radius[c.second]),
                    PartnerKind::Wall => p.radius[c.first],
                };
                let ratio = c.overlap / radius;
                let worse = |&(r, than): &(f64, ContactView)| ratio > r || ratio == r && c.key < than.key;
                if worst.as_ref().is_none_or(worse) {
                    worst = Some((ratio, *c));
                }
            });
        }
        if !world.whole.is_alone() {
            // the part with the worst one tells the others
            let candidate = worst.as_ref().map_or(Candidate::NONE, |&(ratio, ContactView { key, .. })| Candidate {
                number: -ratio,
                who: [key.first, u64::from(key.kind == PartnerKind::Wall), key.second, u64::from(key.feature)],
            });
            let first = world.whole.first_of(candidate);
            let is_told = world.whole.failure().is_some();
            if is_told || candidate != first || first == Candidate::NONE && own < ratio {
                return Ok(());
            }
        }
        let (step, limit) = (world.step, self.limits.overlap_ratio);
        let Some((_, worst)) = worst else {
            let (first, second) = ("a particle".to_owned(), "a particle or wall that is no longer near it".to_owned());
            // what has come apart again within the step was not resolved
            let cause = Box::new(OverlapCause::LongStep { per_step: ratio });
            return Err(StepError::Overlap { step, first, second, wall: None, ratio, limit, cause });
        };
        let (second, wall) = match worst.key.kind {
            PartnerKind::Particle => (format!("particle {}", worst.key.second), None),
            PartnerKind::Wall => (format!("wall \"{}\"", world.walls[worst.second].name), Some(worst.second)),
        };
        let (first, cause) = (format!("particle {}", worst.key.first), Box::new(overlap_diagnosis::of(world, &worst)));
        Err(StepError::Overlap { step, first, second, wall, ratio, limit, cause })
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

/// Mirrors what has crossed a face along an axis back, and turns its velocity inwards.
fn reflect(world: &mut World, mover: Mover, axis: usize, face: f64, inwards: f64) {
    let World { particles: p, cell, .. } = world;
    match mover {
        Mover::Sphere(slot) => {
            p.position[slot][axis] = 2.0 * face - p.position[slot][axis];
            p.velocity[slot][axis] = inwards * p.velocity[slot][axis].abs();
            if let Some(derivatives) = p.higher_derivatives.get_mut(slot) {
                *derivatives = HigherDerivatives::default();
            }
        }
        Mover::Body(at) => {
            let body = &mut p.bodies.all[at];
            body.position[axis] = 2.0 * face - body.position[axis];
            body.velocity[axis] = inwards * body.velocity[axis].abs();
            p.place_members(at, cell);
        }
    }
}

/// Smallest distance of any centre, of a body that of its mass, from the faces that are not periodic \[m\]; negative outside.
fn distance_of_movers(world: &World) -> f64 {
    let (p, cell) = (&world.particles, &world.cell);
    let spheres = distance_to_faces(cell, &p.position[..p.independent()]);
    let bodies: Vec<DVec3> = p.bodies.all.iter().map(|body| body.position).collect();
    spheres.min(distance_to_faces(cell, &bodies))
}

/// Smallest distance of any centre from the faces that are not periodic \[m\]; negative outside.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a minimum")]
fn distance_to_faces(cell: &Cell, positions: &[DVec3]) -> f64 {
    let (low, high) = (cell.origin, cell.origin + cell.matrix() * DVec3::ONE);
    let smallest = |block: &[DVec3]| {
        let gaps = block.iter().fold(DVec3::INFINITY, |least, &x| least.min((x - low).min(high - x)));
        (0..3).filter(|&k| !cell.periodic[k]).map(|k| gaps[k]).fold(f64::INFINITY, f64::min)
    };
    positions.par_chunks(4096).map(smallest).reduce(|| f64::INFINITY, f64::min)
}

/// Elastic energy of the contacts of some particles that no work field keeps \[J\].
fn elastic_energy_of(world: &World, slots: &[u32]) -> ExactSum {
    let (list, context) = (&world.list, world.context());
    let rows = slots.iter().filter_map(|&slot| list.incidence_row.get(slot as usize..slot as usize + 2));
    let entries = rows.flat_map(|bounds| &list.incidence[bounds[0] as usize..bounds[1] as usize]);
    let mut candidates: Vec<u32> = entries.map(|entry| entry >> 1).collect();
    // both bodies of a contact may leave
    candidates.sort_unstable();
    candidates.dedup();
    let (mut sum, mut record) = (ExactSum::ZERO, Vec::new());
    for candidate in candidates {
        let Some(segment) = list.segment_of(candidate as usize) else { continue };
        if list.first[candidate as usize] as usize >= world.particles.owned() {
            continue;
        }
        let kernel = &world.kernels[segment.law];
        let Some(c) = kernel.view(list, segment, candidate as usize, &context, &mut record) else { continue };
        let keeps = |role| kernel.fields().iter().any(|field| field.role == role);
        let tangential = if keeps(FieldRole::ElasticTangentialWork) { 0.0 } else { c.energy.tangential };
        let rolling = if keeps(FieldRole::ElasticRollingWork) { 0.0 } else { c.energy.rolling };
        sum.add(c.energy.normal + c.energy.near_field + tangential + rolling);
    }
    sum
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
