//! Two spheres that slide back and forth over each other on a path: finite sliding with hysteresis after reversals, event by event.
//!
//! The centre moves by `m s'' = N sin β + T cos β` along the path of [`FiniteSliding`], σ the sign of its velocity. Until the first reversal
//! `T = −σ μ N`. At a reversal at `s_A`, with the *new* direction σ, the friction changes over the length
//!
//! `δ_u = c μ (2−ν)/(2(1−ν)) h_A (½ + d_A/4R)`, `x = |s − s_A|/δ_u`
//!
//! by the amplitude `σ (μ N_A + μ N_B)`, `N_A` the load there and `N_B` that at `s_A + σ δ_u`:
//!
//! | form | for x ≤ 1 |
//! |---|---|
//! | incremental | `T = T_now − σ (μ N_A + μ N_B) x^p`, from the friction `T_now` that there is |
//! | non-incremental | `T = σ μ N_A − σ (μ N_A + μ N_B) x^p` |
//! | Coulomb | no transition: `T = −σ μ N`, and at rest what holds |
//!
//! never more than μN; for x > 1 it is `−σ μ N`. A reversal within a transition begins another.
//!
//! Between reversals everything is a function of s: the motion is integrated by Runge and Kutta's method in steps that grow from the
//! reversal, at which the power has an infinite slope, and the next reversal is found by bisection of the step.
//!
//! Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres under displacement and force control, part II: dynamic
//! analysis, Acta Mech. (2013, published online on 17 November), equations 2 and 3, with these corrections: `T_A` is the friction *before* the reversal, `+σ μ N_A`; distances are those of
//! the centres, so that the factor of δ_u is `½ + d_A/4R`; the powers themselves stand for their derivative, which is infinite at `s_A`.

use crate::error::{ReferenceError, positive};
use crate::finite_sliding::FiniteSliding;
use crate::runge_kutta::advance;

/// How friction changes at a reversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// From the friction that there is.
    Incremental,
    /// From full friction.
    NonIncremental,
    /// At once.
    Coulomb,
}

/// What a transition is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As in the source: by the path coordinate, and with the load at the place at which the transition will end.
    Path,
    /// As a contact law can, which knows nothing of a path: by the slip in the plane of the contact, `∫ cos β ds`, and with the load at
    /// the reversal at both ends.
    Contact,
}

impl Reading {
    /// Both, with their words on the command line.
    pub const ALL: [(&'static str, Self); 2] = [("contact", Self::Contact), ("published", Self::Path)];
}

/// The hysteresis of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hysteresis {
    /// How friction changes.
    pub form: Form,
    /// Power p of a transition, in (0, 1].
    pub power: f64,
    /// Poisson's ratio.
    pub poisson_ratio: f64,
    /// Factor c of the length of a transition.
    pub length_factor: f64,
    /// What a transition is measured by.
    pub reading: Reading,
}

/// One instant of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// Time \[s\].
    pub time: f64,
    /// Path coordinate \[m\].
    pub position: f64,
    /// Velocity along the path \[m/s\].
    pub velocity: f64,
    /// Force along the path \[N\].
    pub along: f64,
    /// Force across the path, away from the fixed sphere \[N\].
    pub across: f64,
}

/// A contact that slides back and forth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HystereticSliding {
    sliding: FiniteSliding,
    hysteresis: Hysteresis,
}

/// Motion in one direction.
#[derive(Clone, Copy, Debug)]
struct Branch {
    direction: f64,
    start: f64,
    /// Length of the transition \[m\]; zero before the first reversal.
    length: f64,
    /// Friction at its start \[N\].
    friction: f64,
    /// Change of the friction over it \[N\].
    amplitude: f64,
}

/// Kinetic energy of a swing, in proportion to that at the start, below which the sphere is at rest.
const REST: f64 = 1e-14;
/// Steps from one reversal to the next at least.
const STEPS_OF_A_SWING: f64 = 200.0;

impl HystereticSliding {
    /// A contact with hysteresis.
    ///
    /// # Errors
    /// A power outside (0, 1], a Poisson's ratio outside (−1, 0.5], a factor that is not positive.
    pub fn new(sliding: FiniteSliding, hysteresis: Hysteresis) -> Result<Self, ReferenceError> {
        positive("length factor", hysteresis.length_factor)?;
        let refuse = |argument, value: f64, allowed: &str| {
            Err(ReferenceError::Argument { argument, value: value.to_string(), allowed: allowed.to_owned() })
        };
        if !(hysteresis.power > 0.0 && hysteresis.power <= 1.0) {
            return refuse("power", hysteresis.power, "0 < value <= 1");
        }
        if !(hysteresis.poisson_ratio > -1.0 && hysteresis.poisson_ratio <= 0.5) {
            return refuse("poisson ratio", hysteresis.poisson_ratio, "-1 < value <= 0.5");
        }
        Ok(Self { sliding, hysteresis })
    }

    fn limit(&self, s: f64) -> f64 {
        self.sliding.friction_coefficient() * self.sliding.normal_force(s)
    }

    /// Length of the transition that begins at a reversal \[m\].
    pub fn transition(&self, s: f64) -> f64 {
        let nu = self.hysteresis.poisson_ratio;
        let slip = self.sliding.friction_coefficient() * (2.0 - nu) / (2.0 * (1.0 - nu)) * self.sliding.overlap(s);
        self.hysteresis.length_factor * slip * (1.0 - 0.25 * self.sliding.overlap(s) / self.sliding.radius())
    }

    fn reverse(&self, s: f64, friction: f64, direction: f64) -> Branch {
        let length = self.transition(s);
        let far = match self.hysteresis.reading {
            Reading::Path => self.limit(s + direction * length),
            Reading::Contact => self.limit(s),
        };
        let friction = if self.hysteresis.form == Form::NonIncremental { direction * self.limit(s) } else { friction };
        let length = if self.hysteresis.form == Form::Coulomb { 0.0 } else { length };
        Branch { direction, start: s, length, friction, amplitude: -direction * (self.limit(s) + far) }
    }

    /// Friction along the contact on the moving sphere \[N\].
    fn friction(&self, branch: &Branch, s: f64) -> f64 {
        let limit = self.limit(s);
        let travelled = match self.hysteresis.reading {
            Reading::Path => (s - branch.start).abs(),
            Reading::Contact => (self.sliding.slip(s) - self.sliding.slip(branch.start)).abs(),
        };
        if travelled >= branch.length {
            return -branch.direction * limit;
        }
        let gone = (travelled / branch.length).powf(self.hysteresis.power);
        (branch.friction + branch.amplitude * gone).clamp(-limit, limit)
    }

    fn forces(&self, branch: &Branch, s: f64) -> [f64; 2] {
        self.sliding.path_forces_with(s, self.friction(branch, s))
    }

    /// The motion of a sphere that comes with a velocity \[m/s\], until it parts or `end` \[s\], with at least one instant every `step` \[s\]. At
    /// each of `impulses` \[s\], ascending, the velocity is reversed at once.
    pub fn motion(&self, velocity: f64, end: f64, step: f64, impulses: &[f64]) -> Vec<Instant> {
        let mut branch = self.reverse(-self.sliding.end(), 0.0, 1.0);
        branch.length = 0.0;
        let mut state = [-self.sliding.end(), velocity];
        let (mut time, mut dt, mut swing_began, mut longest) = (0.0, 1e-4 * step, 0.0, step);
        let mut impulses = impulses.iter().copied().peekable();
        let mut fastest: f64 = velocity;
        let mut all = Vec::new();
        let note = |all: &mut Vec<Instant>, time: f64, state: [f64; 2], forces: [f64; 2]| {
            let [along, across] = forces;
            all.push(Instant { time, position: state[0], velocity: state[1], along, across });
        };
        note(&mut all, time, state, self.forces(&branch, state[0]));
        while time < end && state[0].abs() <= self.sliding.end() {
            dt = (2.0 * dt).min(longest).min(end - time);
            let impulse = impulses.peek().copied().filter(|&at| at <= time + dt);
            if let Some(at) = impulse {
                dt = at - time;
            }
            let acceleration = |y: &[f64; 2]| [y[1], self.forces(&branch, y[0])[0] / self.sliding.mass()];
            let mut next = advance(acceleration, &state, dt);
            let turns = next[1] * branch.direction <= 0.0;
            if turns {
                // where the velocity vanishes
                let (mut low, mut high) = (0.0, dt);
                for _ in 0..60 {
                    dt = 0.5 * (low + high);
                    next = advance(acceleration, &state, dt);
                    if next[1] * branch.direction > 0.0 { low = dt } else { high = dt }
                }
                next[1] = 0.0;
            } else if impulse.is_some() {
                impulses.next();
                next[1] = -next[1];
            }
            time += dt;
            state = next;
            fastest = fastest.max(state[1].abs());
            if turns || impulse.is_some() {
                let friction = self.friction(&branch, state[0]);
                let kept = branch;
                branch = self.reverse(state[0], friction, -branch.direction);
                // the next swing is about as long as this one
                longest = step.min((time - swing_began) / STEPS_OF_A_SWING);
                let slow = fastest * fastest < REST * velocity * velocity;
                let holds = self.hysteresis.form == Form::Coulomb && self.holds(state[0]);
                if turns && (slow || holds) {
                    let [along, across] = self.sliding.path_forces_with(state[0], self.holding_friction(state[0]));
                    let rest = [along, across];
                    note(&mut all, time, state, self.forces(&kept, state[0]));
                    note(&mut all, time, state, rest);
                    note(&mut all, end, state, rest);
                    return all;
                }
                (swing_began, dt, fastest) = (time, 1e-6 * longest, 0.0);
            }
            note(&mut all, time, state, self.forces(&branch, state[0]));
        }
        all
    }

    /// Friction that balances the load along the path \[N\].
    fn holding_friction(&self, s: f64) -> f64 {
        let [thrust, _] = self.sliding.path_forces_with(s, 0.0);
        let [per_newton, _] = self.sliding.path_forces_with(s, 1.0);
        -thrust / (per_newton - thrust)
    }

    fn holds(&self, s: f64) -> bool {
        self.holding_friction(s).abs() <= self.limit(s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finite_sliding::Path;

    fn published(form: Form, power: f64) -> HystereticSliding {
        let sliding = FiniteSliding::new(1.0, 1.0, 0.6, 1.0, 0.28, Path::Line).unwrap();
        let hysteresis = Hysteresis { form, power, poisson_ratio: 0.3, length_factor: 1.0, reading: Reading::Path };
        HystereticSliding::new(sliding, hysteresis).unwrap()
    }

    #[test]
    fn a_sphere_that_passes_does_so_as_without_hysteresis() {
        let contact = published(Form::Incremental, 0.5);
        let velocity = 1.5 * contact.sliding.critical_velocity();
        let motion = contact.motion(velocity, 100.0, 1e-3, &[]);
        let last = motion.last().unwrap();
        let exact = contact.sliding.velocity(contact.sliding.end(), velocity);
        assert!((last.velocity / exact - 1.0).abs() < 1e-6, "{last:?} {exact}");
        let time = last.time - (last.position - contact.sliding.end()) / last.velocity;
        assert!((time / contact.sliding.contact_time(velocity).unwrap() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_slow_sphere_comes_to_rest_without_force_along_the_path_before_thirty_seconds() {
        let velocity = 0.7 * published(Form::Incremental, 0.5).sliding.critical_velocity();
        let speed_after = |form, power: f64, time: f64| {
            let motion = published(form, power).motion(velocity, 40.0, 1e-2, &[]);
            let late = motion.iter().filter(|instant| instant.time >= time);
            late.map(|instant| instant.velocity.abs()).fold(0.0, f64::max)
        };
        assert!(speed_after(Form::Incremental, 0.5, 30.0) < 1e-3 * velocity);
        assert!(speed_after(Form::Incremental, 0.25, 10.0) < speed_after(Form::Incremental, 0.5, 10.0));
        assert!(speed_after(Form::NonIncremental, 0.5, 20.0) > 0.1 * velocity);
        let rest = *published(Form::Incremental, 0.25).motion(velocity, 1000.0, 1e-2, &[]).last().unwrap();
        assert!(rest.along.abs() < 1e-6 && rest.across > 0.1, "{rest:?}");
    }

    /// Energy that is not there any more is that of the loops.
    #[test]
    fn the_work_of_the_force_is_the_change_of_the_kinetic_energy() {
        let contact = published(Form::Incremental, 0.5);
        let velocity = 1.05 * contact.sliding.critical_velocity();
        let motion = contact.motion(velocity, 40.0, 1e-3, &[3.0, 5.0]);
        let (mut work, mut worst) = (0.0, 0.0f64);
        for pair in motion.windows(2) {
            // a reversal by an impulse keeps the energy
            work += 0.5 * (pair[0].along + pair[1].along) * (pair[1].position - pair[0].position);
            worst = worst.max((0.5 * (pair[1].velocity.powi(2) - velocity * velocity) - work).abs());
        }
        assert!(worst < 1e-4 * velocity * velocity, "{worst:e}");
        assert!(motion.last().unwrap().velocity.abs() < 1e-2 * velocity);
    }

    #[test]
    fn constants_out_of_range_are_refused() {
        let contact = published(Form::Coulomb, 0.5);
        let with = |change: fn(&mut Hysteresis)| {
            let mut hysteresis = contact.hysteresis;
            change(&mut hysteresis);
            HystereticSliding::new(contact.sliding, hysteresis).is_err()
        };
        assert!(with(|h| h.power = 0.0) && with(|h| h.power = f64::NAN) && with(|h| h.poisson_ratio = 0.6));
        assert!(with(|h| h.length_factor = -1.0));
    }
}
