//! Gear's predictor-corrector of fifth order (six values).
//!
//! With the scaled derivatives `r_k = dtᵏ/k! x⁽ᵏ⁾`, k = 0 … 5: predict by the Taylor series `r_i = Σ_{j≥i} C(j, i) r_j`, evaluate the
//! acceleration a there, correct `r_k += c_k ΔR`, `ΔR = dt²/2 a − r₂`, with
//! `c = {3/20 or 3/16, 251/360, 1, 11/18, 1/6, 1/60}`. The coefficient 3/20 is for forces that depend on positions only, 3/16 for those
//! that depend on velocities too (damping, friction). Rotations are integrated likewise, with the rotation vector of the step,
//! to which `dt²/12 ω₁ × ω₀` is added for an axis that turns (the second term of Magnus' series, which leaves a local error of dt⁵).
//!
//! Third to fifth derivatives and the last correction are a column of the particles; the second is the force. Contacts live on the path
//! of the predicted positions, their slip is taken from one predicted state to the next. Order 5 needs derivatives from the start: three
//! Picard iterations over trial evaluations at a third, two thirds and the end of the first step determine them, from the contact state
//! of its start. Where a force is not smooth (contacts that begin or end, stick and slip) the order is that of the force, at most two.
//! Symplectic it is not, and stable only where ω dt is well below one.
//!
//! Sources: C. W. Gear, Numerical Initial Value Problems in Ordinary Differential Equations (1971), Chapter 9; M. P. Allen,
//! D. J. Tildesley, Computer Simulation of Liquids (1987), Appendix E.

use dem_contact::kernel::Acceptance;
use dem_contact::time_step::Fractions;
use dem_contact::{ParameterKind, ParameterSet, ParameterSpec};
use dem_core::particles::HigherDerivatives;
use dem_core::twist::Twist;

use super::integrator::Integrator;
use super::mobile::Mobile;
use super::passes::{self, move_walls_again};
use super::spheres;
use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::state::world::World;

/// Velocity coefficient and those of the third to fifth derivative.
const CORRECTION_OF_VELOCITY: f64 = 251.0 / 360.0;
const CORRECTIONS: [f64; 3] = [11.0 / 18.0, 1.0 / 6.0, 1.0 / 60.0];
/// Factorials of 3, 4 and 5.
const FACTORIALS: [f64; 3] = [6.0, 24.0, 120.0];
/// The scheme is stable up to `ω dt` of 0.33 (0.25 with the coefficient 3/20) without damping, which damping ratios of 0.05 to 0.2 raise, and up to
/// `γ dt = 0.163` for motion that is only damped: the spectral radius of its companion matrix.
const FRACTIONS: Fractions = Fractions { contact: 0.075, particle: 0.1, damping: 0.146, duration: 0.04, rayleigh: 0.2 };
/// Each gains an order until that of the fit is reached.
const PICARD_ITERATIONS: usize = 3;

/// The scheme.
#[derive(Clone, Copy, Debug)]
pub struct Gear {
    /// Coefficient of the position: 3/20 or 3/16.
    pub coefficient: f64,
}

impl Gear {
    /// Name in scenes.
    pub const KEY: &'static str = "gear";
    /// One sentence.
    pub const SUMMARY: &'static str = "Gear predictor-corrector with six values, fifth order where forces are smooth";
    /// Whether it moves rigid bodies.
    pub const MOVES_BODIES: bool = false;
    /// Options in scenes.
    pub const OPTIONS: &'static [ParameterSpec] = &[ParameterSpec {
        name: "coefficient",
        unit: "-",
        meaning: "coefficient of the position: \"3/16\" for forces that depend on velocities, \"3/20\" for those that do not",
        kind: ParameterKind::Choice(&["3/16", "3/20"]),
    }];

    /// From its options.
    pub fn new(options: &ParameterSet) -> Self {
        Self { coefficient: if options.choice("coefficient") == "3/20" { 3.0 / 20.0 } else { 3.0 / 16.0 } }
    }
}

/// Scaled derivatives from the first on.
#[derive(Clone, Copy)]
struct Scaled([Twist; 5]);

impl Scaled {
    fn new(velocity: Twist, acceleration: Twist, higher: &HigherDerivatives, dt: f64) -> Self {
        let [third, fourth, fifth] = higher.derivative;
        let (d2, d3) = (dt * dt, dt * dt * dt);
        let [f3, f4, f5] = FACTORIALS;
        Self([
            velocity * dt,
            acceleration * (0.5 * d2),
            third * (d3 / f3),
            fourth * (d2 * d2 / f4),
            fifth * (d2 * d3 / f5),
        ])
    }

    /// Displacement and derivatives a step on, by Taylor's series.
    fn predict(self) -> (Twist, Self) {
        let [r1, r2, r3, r4, r5] = self.0;
        let displacement = r1 + r2 + r3 + r4 + r5;
        let predicted = [
            r1 + r2 * 2.0 + r3 * 3.0 + r4 * 4.0 + r5 * 5.0,
            r2 + r3 * 3.0 + r4 * 6.0 + r5 * 10.0,
            r3 + r4 * 4.0 + r5 * 10.0,
            r4 + r5 * 5.0,
            r5,
        ];
        (displacement, Self(predicted))
    }
}

impl Integrator for Gear {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn fractions(&self) -> Fractions {
        FRACTIONS
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        if world.particles.higher_derivatives.len() != world.particles.len() {
            start(world, forces)?;
        }
        let (dt, coefficient) = (world.time_step, self.coefficient);
        let moved = with_derivatives(world, |world, derivatives| {
            spheres::each_with(world, derivatives, |body, higher| {
                let v0 = body.velocity();
                let (mut displacement, predicted) = Scaled::new(v0, body.acceleration(), higher, dt).predict();
                let v1 = predicted.0[0] * (1.0 / dt);
                displacement.angular += v1.angular.cross(v0.angular) * (dt * dt / 12.0);
                body.begin_behind(higher.offset);
                body.shift(displacement);
                // the derivatives are corrected as they are predicted, from the velocity at the start
                higher.offset = v0;
                body.set_velocity(v1);
            })
        });
        passes::evaluate(world, forces, moved, Acceptance::Final)?;
        let (force, torque) = (&forces.force, &forces.torque);
        let corrected = with_derivatives(world, |world, derivatives| {
            spheres::each_with(world, derivatives, |body, higher| {
                let v0 = higher.offset;
                let (_, Scaled([r1, r2, r3, r4, r5])) = Scaled::new(v0, body.acceleration(), higher, dt).predict();
                let a = body.acceleration_by(force[body.slot], torque[body.slot]);
                let error = a * (0.5 * dt * dt) - r2;
                body.set_velocity((r1 + error * CORRECTION_OF_VELOCITY) * (1.0 / dt));
                higher.offset = error * coefficient;
                body.shift(higher.offset);
                let mut power = dt * dt;
                for (k, predicted) in [r3, r4, r5].into_iter().enumerate() {
                    power *= dt;
                    higher.derivative[k] = (predicted + error * CORRECTIONS[k]) * (FACTORIALS[k] / power);
                }
            })
        });
        corrected.tell(forces);
        forces.commit(world);
        Ok(())
    }
}

/// Lends the column of higher derivatives out of the particles.
fn with_derivatives<T>(world: &mut World, act: impl FnOnce(&mut World, &mut [HigherDerivatives]) -> T) -> T {
    let mut derivatives = std::mem::take(&mut world.particles.higher_derivatives);
    let result = act(world, &mut derivatives);
    world.particles.higher_derivatives = derivatives;
    result
}

/// What the start needs of one particle.
#[derive(Clone, Copy, Default)]
struct Starting {
    velocity: Twist,
    higher: HigherDerivatives,
    /// Changes of the acceleration up to a third, two thirds and the end of the step.
    change: [Twist; 3],
}

/// Determines the higher derivatives from trial evaluations within the step to come; nothing else changes.
fn start(world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
    forces.hold_slots(world)?;
    let starting = starting_derivatives(world, forces);
    forces.release_slots();
    world.particles.higher_derivatives = starting?.into_iter().map(|starting| starting.higher).collect();
    Ok(())
}

fn starting_derivatives(world: &mut World, forces: &mut ForceEvaluation) -> Result<Vec<Starting>, StepError> {
    let (time, dt) = (world.time, world.time_step);
    let mut all = vec![Starting::default(); world.particles.len()];
    spheres::each_with(world, &mut all, |body, starting| {
        body.begin();
        starting.velocity = body.velocity();
    });
    let third = dt / 3.0;
    for _ in 0..PICARD_ITERATIONS {
        for k in 0..3 {
            let part = if k == 2 { dt } else { third * (k + 1) as f64 };
            move_walls_again(world, time + part);
            let moved = spheres::each_with(world, &mut all, |body, starting| {
                let scaled = Scaled::new(starting.velocity, body.acceleration(), &starting.higher, part);
                let (displacement, predicted) = scaled.predict();
                body.place(displacement);
                body.set_velocity(predicted.0[0] * (1.0 / part));
            });
            forces.bound_displacement(moved.longest());
            forces.evaluate_at(world, part, time + part, Acceptance::Trial)?;
            let (force, torque) = (&forces.force, &forces.torque);
            spheres::each_with(world, &mut all, |body, starting| {
                let a = body.acceleration_by(force[body.slot], torque[body.slot]);
                starting.change[k] = a - body.acceleration();
            });
        }
        for starting in &mut all {
            // Newton's polynomial through the three changes and zero
            let [y1, y2, y3] = starting.change;
            let (d2, d3) = (y2 - y1 * 2.0, y3 - y2 * 3.0 + y1 * 3.0);
            let derivative = [
                (y1 - d2 * 0.5 + d3 * (1.0 / 3.0)) * (1.0 / third),
                (d2 - d3) * (1.0 / (third * third)),
                d3 * (1.0 / (third * third * third)),
            ];
            if derivative.iter().all(|d| d.is_finite()) {
                starting.higher.derivative = derivative;
            }
        }
    }
    move_walls_again(world, time + dt);
    let restored = spheres::each_with(world, &mut all, |body, starting| {
        body.place(Twist::ZERO);
        body.set_velocity(starting.velocity);
    });
    forces.bound_displacement(restored.longest());
    Ok(all)
}
