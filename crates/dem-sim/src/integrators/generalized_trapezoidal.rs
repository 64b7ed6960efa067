//! Generalised trapezoidal rule, solved by fixed-point iteration.
//!
//! `v₁ = v₀ + dt [φ a₁ + (1 − φ) a₀]`, `x₁ = x₀ + dt [φ v₁ + (1 − φ) v₀]`, spins and rotation vectors likewise, with the accelerations a₁
//! at the end of the step: φ = 1/2 is the trapezoidal rule (second order), 1 backward and 0 forward Euler. From `x₁ = x₀ + dt v₀` forces
//! are evaluated and the state is improved until it stays. The sweep says which states of the others a particle's force is taken from:
//!
//! - `jacobi`: those of the iteration before. All contacts are computed at once, in parallel, each once.
//! - `gauss-seidel`: the newest, particle by particle in order of ids, on one thread. Each contact is computed twice per
//!   iteration. Momentum is kept to the tolerance only.
//!
//! The iteration has converged when for each of a ∈ {x, v, ω, Θ} `Σ|aᴷ⁺¹ − aᴷ| ≤ tolerance Σ|aᴷ⁺¹ − a(t)|` (Θ of the step starts from
//! zero; where nothing has changed since t the second sum is that of |aᴷ⁺¹|). Changes that move a particle by less than the round-off of
//! its coordinates do not count. If that takes more than `most_iterations`, or a particle strays from its predicted place by more than a
//! quarter of the longest predicted move and 0.005 r, the step is cut in halves, which are taken one after the other and may be cut
//! again, ten times in all; the parts grow again as the iteration converges. Contacts always answer from their state at the start of
//! the part. It is accepted with one more evaluation, at the converged state, whose forces are those of the start of the next part.
//!
//! The iteration contracts by about `φ² dt² k/m + φ dt c/m`, hence converges only for steps that explicit schemes can take as well:
//! about three iterations at a twentieth of the duration of an impact.
//!
//! Source: E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109, Algorithm 1 and Section 4. There one evaluation less is made, so that the
//! forces kept are those of the iterate before.

use dem_contact::geometry::StepContext;
use dem_contact::kernel::Acceptance;
use dem_contact::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use dem_core::DVec3;
use dem_core::lanes::Width;
use dem_core::twist::Twist;
use rayon::prelude::*;

use super::extent::Extent;
use super::id_order::IdOrder;
use super::integrator::{Integrator, Iterations};
use super::mobile::Mobile;
use super::passes::move_walls_again;
use super::spheres::{self, Sphere};
use crate::error::StepError;
use crate::fields::motion::Motion;
use crate::forces::components::{BLOCK, ForceEvaluation};
use crate::forces::particle_contacts::RowForces;
use crate::state::other_loads::OtherLoads;
use crate::state::world::World;

/// A step is cut into at most 2 to this power parts.
const MOST_HALVINGS: u32 = 10;
/// Relative to coordinates and radius: some roundings.
const ROUND_OFF: f64 = 2e-15;
/// How far iterates may stray from the predicted place, in proportion to the longest predicted move.
const STRAY_OF_MOVE: f64 = 0.25;
/// And in proportion to the smallest radius. Together well within the margin of contact lists at common steps.
const STRAY_OF_RADIUS: f64 = 0.005;

/// From which states of the others the force on a particle is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// Those of the iteration before.
    Jacobi,
    /// The newest.
    GaussSeidel,
}

/// The scheme.
#[derive(Debug)]
pub struct GeneralizedTrapezoidal {
    rule: Rule,
    sweep: Sweep,
    tolerance: f64,
    most_iterations: u32,
    iterates: Vec<Iterate>,
    order: IdOrder,
    row: RowForces,
    count: Iterations,
}

/// What improves an iterate.
#[derive(Clone, Copy, Debug)]
struct Rule {
    phi: f64,
    /// Length of the part of the step \[s\].
    dt: f64,
}

/// What an iteration must know of a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Iterate {
    /// Velocity at the start.
    velocity: Twist,
    /// Rotation vector of the present iterate \[rad\].
    rotation: DVec3,
    change: Change,
}

/// Changes of x, v, ω, Θ.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// By the last iteration.
    last: [f64; 4],
    /// Since the start.
    whole: [f64; 4],
    /// Distance from the predicted place \[m\].
    stray: f64,
}

/// Why a part of a step was not accepted: the error that was left.
struct NotConverged(f64);

impl GeneralizedTrapezoidal {
    /// Name in scenes.
    pub const KEY: &'static str = "generalized-trapezoidal";
    /// One sentence.
    pub const SUMMARY: &'static str =
        "generalised trapezoidal rule by fixed-point iteration, implicit, second order at phi = 0.5";
    /// Whether it moves rigid bodies.
    pub const MOVES_BODIES: bool = false;
    /// Options in scenes.
    pub const OPTIONS: &'static [ParameterSpec] = &[
        ParameterSpec {
            name: "phi",
            unit: "-",
            meaning: "weight of the end of the step: 0.5 trapezoidal rule, 1 backward Euler, 0 forward Euler",
            kind: ParameterKind::Default(
                0.5,
                Interval { low: 0.0, includes_low: true, high: 1.0, includes_high: true },
            ),
        },
        ParameterSpec {
            name: "sweep",
            unit: "-",
            meaning: "\"jacobi\" takes forces from the iterate before, in parallel, \"gauss-seidel\" from the newest, one by one",
            kind: ParameterKind::Choice(&["jacobi", "gauss-seidel"]),
        },
        ParameterSpec {
            name: "tolerance",
            unit: "-",
            meaning: "largest change by an iteration in proportion to the change by the step",
            kind: ParameterKind::Default(
                1e-4,
                Interval { low: 0.0, includes_low: false, high: 1.0, includes_high: false },
            ),
        },
        ParameterSpec {
            name: "most_iterations",
            unit: "-",
            meaning: "iterations after which the step is halved, a whole number",
            kind: ParameterKind::Default(
                20.0,
                Interval { low: 1.0, includes_low: true, high: 1000.0, includes_high: true },
            ),
        },
    ];

    /// From its options.
    ///
    /// # Errors
    /// A number of iterations that is not whole.
    pub fn new(options: &ParameterSet) -> Result<Self, LawError> {
        let most_iterations = options.number("most_iterations");
        if most_iterations.fract() != 0.0 {
            let message = format!("= {most_iterations} [-], expected a whole number");
            return Err(LawError::new("most_iterations", message));
        }
        Ok(Self {
            rule: Rule { phi: options.number("phi"), dt: 0.0 },
            sweep: if options.choice("sweep") == "gauss-seidel" { Sweep::GaussSeidel } else { Sweep::Jacobi },
            tolerance: options.number("tolerance"),
            most_iterations: most_iterations as u32,
            iterates: Vec::new(),
            order: IdOrder::default(),
            row: RowForces::default(),
            count: Iterations::default(),
        })
    }

    /// Notes the start of a part; returns the largest speed \[m/s\].
    #[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum")]
    fn begin(&mut self, world: &mut World) -> f64 {
        self.iterates.resize(world.particles.len(), Iterate::default());
        self.order.follow(&world.particles.id);
        spheres::each_with(world, &mut self.iterates, |body, iterate| {
            body.begin();
            iterate.velocity = body.velocity();
        });
        let speeds = self.iterates.par_iter().map(|iterate| iterate.velocity.linear.length());
        speeds.reduce(|| 0.0, f64::max)
    }

    /// Takes a part of a step to `end` \[s\], if the iteration converges.
    fn try_part(
        &mut self,
        world: &mut World,
        forces: &mut ForceEvaluation,
        end: f64,
        speed: f64,
    ) -> Result<Result<(), NotConverged>, StepError> {
        let Rule { dt, .. } = self.rule;
        let predicted = spheres::each_with(world, &mut self.iterates, |body, iterate| {
            let displacement = iterate.velocity * dt;
            body.place(displacement);
            body.set_velocity(iterate.velocity);
            iterate.rotation = displacement.angular;
        });
        forces.bound_displacement(predicted.longest());
        let allowed = STRAY_OF_MOVE * speed * dt + STRAY_OF_RADIUS * smallest_radius(world);
        forces.prepare_list(world, allowed)?;
        let mut error = f64::INFINITY;
        for _ in 0..self.most_iterations {
            self.count.iterations += 1;
            let moved = match self.sweep {
                Sweep::Jacobi => self.improve_together(world, forces, end)?,
                Sweep::GaussSeidel => self.improve_in_turn(world, end),
            };
            forces.bound_displacement(moved.longest());
            let change = self.sum_of_changes(world);
            error = self.error(world, &change);
            if !moved.finite || !error.is_finite() || change.stray > allowed {
                break;
            }
            if error <= self.tolerance {
                forces.evaluate_at(world, dt, end, Acceptance::Final)?;
                let turned = spheres::each(world, |body| body.turn());
                forces.is_finite &= turned.finite;
                forces.commit(world);
                return Ok(Ok(()));
            }
        }
        Ok(Err(NotConverged(error)))
    }

    /// One Jacobi iteration.
    fn improve_together(
        &mut self,
        world: &mut World,
        forces: &mut ForceEvaluation,
        end: f64,
    ) -> Result<Extent, StepError> {
        let rule = self.rule;
        forces.evaluate_at(world, rule.dt, end, Acceptance::Trial)?;
        let (force, torque) = (&forces.force, &forces.torque);
        Ok(spheres::each_with(world, &mut self.iterates, |body, iterate| {
            rule.improve(body, iterate, force[body.slot], torque[body.slot]);
        }))
    }

    /// One Gauss-Seidel iteration.
    fn improve_in_turn(&mut self, world: &mut World, end: f64) -> Extent {
        let Self { rule, iterates, order, row, .. } = self;
        let (follow, map) = (world.quaternions_follow(), world.rotation.increment);
        let World { particles, cell, walls, kernels, list, fields, porosity, guides, contact_geometry, time, .. } =
            world;
        let fields = fields.over_step(porosity, *time, rule.dt);
        let mut all = Extent::NOTHING;
        for &slot in order.slots() {
            let slot = slot as usize;
            let context = StepContext::new(particles, cell, walls, rule.dt, end, *contact_geometry, Width::fastest());
            let (force, torque) = row.on(kernels, list, &context, slot);
            let others = OtherLoads::new(&particles.external, fields, guides);
            let load = others.complete(slot, particles.mass[slot], force, torque, || Motion::of(particles, slot));
            let mut body = Sphere::at(particles, follow, map, cell, slot);
            rule.improve(&mut body, &mut iterates[slot], load.force, load.torque);
            all = all.and(body.extent());
        }
        all
    }

    /// Sums over particles, and the largest distance of any.
    fn sum_of_changes(&self, world: &World) -> Change {
        let [x, v, w, r, whole_x, whole_v, whole_w, whole_r] = world.sums_over_particles(|slot| {
            let Change { last: [x, v, w, r], whole: [whole_x, whole_v, whole_w, whole_r], .. } =
                self.iterates[slot].change;
            [x, v, w, r, whole_x, whole_v, whole_w, whole_r]
        });
        let own = &self.iterates[..world.particles.owned()];
        let stray = world.whole.largest(own.iter().map(|iterate| iterate.change.stray).fold(0.0, f64::max));
        Change { last: [x, v, w, r], whole: [whole_x, whole_v, whole_w, whole_r], stray }
    }

    /// The largest of the errors of x, v, ω and Θ.
    fn error(&self, world: &World, change: &Change) -> f64 {
        let p = &world.particles;
        let mut worst = 0.0f64;
        for k in 0..4 {
            if change.last[k] == 0.0 {
                continue;
            }
            let size = |slot: usize| match k {
                0 => p.position[slot].length(),
                1 => p.velocity[slot].length(),
                2 => p.angular_velocity[slot].length(),
                _ => 0.0,
            };
            let whole = if change.whole[k] > 0.0 { change.whole[k] } else { world.sum_over_particles(size) };
            // what came back to nothing may stay there next time; a NaN must not get lost in a maximum
            let error = if whole == 0.0 { 1.0 } else { change.last[k] / whole };
            worst = if error > worst || error.is_nan() { error } else { worst };
        }
        worst
    }

    /// Back to the start of the part.
    fn give_up(&mut self, world: &mut World, forces: &mut ForceEvaluation) {
        let moved = spheres::each_with(world, &mut self.iterates, |body, iterate| {
            body.place(Twist::ZERO);
            body.set_velocity(iterate.velocity);
        });
        forces.bound_displacement(moved.longest());
    }

    /// Takes the step in one part or in halves of halves.
    fn take_parts(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        let (start, step) = (world.time, world.time_step);
        let end = world.end_of_step(step);
        let whole = 1u32 << MOST_HALVINGS;
        let time_at = |done: u32| if done == whole { end } else { start + step * (f64::from(done) / f64::from(whole)) };
        let (mut done, mut part) = (0, whole);
        while done < whole {
            let speed = self.begin(world);
            loop {
                let end = time_at(done + part);
                self.rule.dt = step * (f64::from(part) / f64::from(whole));
                if part < whole {
                    move_walls_again(world, end);
                }
                let Err(NotConverged(error)) = self.try_part(world, forces, end, speed)? else { break };
                if part == 1 {
                    self.give_up(world, forces);
                    let time_step = self.rule.dt;
                    return Err(StepError::NotConverged {
                        step: world.step,
                        time_step,
                        error,
                        tolerance: self.tolerance,
                    });
                }
                part /= 2;
                self.count.halvings += 1;
            }
            self.count.parts += 1;
            done += part;
            world.time = time_at(done);
            if done < whole {
                // the next part starts where this one ends
                for wall in &mut world.walls {
                    wall.advance(world.time);
                }
                if done.is_multiple_of(2 * part) {
                    part *= 2;
                }
            }
        }
        Ok(())
    }
}

impl Rule {
    /// The next iterate of a particle, from the load at the present one.
    #[inline(always)]
    fn improve(&self, body: &mut Sphere, iterate: &mut Iterate, force: DVec3, torque: DVec3) {
        let Self { phi, dt } = *self;
        let (v0, v) = (iterate.velocity, body.velocity());
        let a = body.acceleration_by(force, torque) * phi + body.acceleration() * (1.0 - phi);
        let improved = v0 + a * dt;
        let displacement = (improved * phi + v0 * (1.0 - phi)) * dt;
        let x = body.position();
        body.place(displacement);
        body.set_velocity(improved);
        let turned = displacement.angular - iterate.rotation;
        iterate.rotation = displacement.angular;

        let (by_last, by_step) = (improved - v, improved - v0);
        let round_off = ROUND_OFF * x.length().max(body.radius);
        // `lever` turns a change into a move
        let counted = |change: DVec3, lever: f64| {
            let length = change.length();
            if length * lever <= round_off { 0.0 } else { length }
        };
        iterate.change = Change {
            last: [
                counted(body.position() - x, 1.0),
                counted(by_last.linear, dt),
                counted(by_last.angular, dt * body.radius),
                counted(turned, body.radius),
            ],
            whole: [
                displacement.linear.length(),
                by_step.linear.length(),
                by_step.angular.length(),
                displacement.angular.length(),
            ],
            stray: (displacement.linear - v0.linear * dt).length(),
        };
    }
}

impl Integrator for GeneralizedTrapezoidal {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        forces.hold_slots(world)?;
        let taken = self.take_parts(world, forces);
        forces.release_slots();
        taken
    }

    fn acts_in_parallel(&self) -> bool {
        self.sweep == Sweep::Jacobi
    }

    fn iterations(&self) -> Option<Iterations> {
        Some(self.count)
    }
}

#[expect(clippy::disallowed_methods, reason = "the order does not matter to a minimum")]
fn smallest_radius(world: &World) -> f64 {
    let smallest = |block: &[f64]| block.iter().copied().fold(f64::INFINITY, f64::min);
    world.particles.radius.par_chunks(BLOCK).map(smallest).reduce(|| f64::INFINITY, f64::min)
}
