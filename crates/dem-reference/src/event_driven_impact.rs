//! The oblique impact of a sphere on a wall with a tangential spring and slider, resolved from event to event.
//!
//! The spring follows the slip of the contact at a stiffness in a fixed proportion κ to that of the normal, `dT = κ N'(h) ds`; the
//! slider lets go at `|T| = μN`. Between events the motion is smooth and integrated by fixed steps of fourth order; an event is
//! where one of these signs changes, found by bisection to round-off:
//!
//! | in | event | then |
//! |---|---|---|
//! | slip along `σ = ±1` | `σ κ v_c < μ ḣ`: the spring takes less than the limit gains | stick |
//! | elastic loading | `v_c = 0` | elastic unloading |
//! | elastic unloading | `T = 0` | reverse loading |
//! | any stick | `\|T\| = μN` | slip |
//!
//! The overlap `h` enters as its root `a`, the independent variable is `ξ` with `dt = a dξ`, so that `da/dξ = ḣ/2`: loads and
//! stiffnesses of a linear spring (`N = k a²`) and of Hertz (`N = k a³`) are then polynomials and the steps lose no order at touch.
//!
//! Two elongations of the spring go along, because with a varying stiffness there is no unique one: `continuous` grows by `dT/k_t` all the
//! time (method II of the source); `secant` is `T/k_t` while the contact slips and follows the slip while it sticks (method I),
//! so it jumps where slip begins. Neither acts on the force.
//!
//! Source: D. Zabulionis, R. Kačianauskas, D. Markauskas, J. Rojek, Bull. Pol. Acad. Sci. Tech. 60 (2012) 265, sections 3 to 5, with the
//! torque `r × F`, the direction of the trial force in slip, and the comparison of norms in its equation 18.

use crate::error::{ReferenceError, positive};
use crate::runge_kutta;

/// Steps of the integration from touch to the largest overlap, about.
const STEPS: f64 = 2000.0;
/// Events that an impact cannot have.
const MOST_INTERVALS: usize = 200;

/// Law along the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalSpring {
    /// `N = k h`, `k` \[N/m\].
    Linear(f64),
    /// `N = k h^(3/2)`, `k` [N/m^(3/2)].
    Hertz(f64),
}

impl NormalSpring {
    /// Force \[N\] at the root of the overlap.
    fn force(self, root: f64) -> f64 {
        match self {
            Self::Linear(k) => k * root * root,
            Self::Hertz(k) => k * root * root * root,
        }
    }

    /// dN/dh \[N/m\].
    fn stiffness(self, root: f64) -> f64 {
        match self {
            Self::Linear(k) => k,
            Self::Hertz(k) => 1.5 * k * root,
        }
    }
}

/// Distance from the centre of the sphere to the point at which the tangential force acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lever {
    /// The radius.
    Radius,
    /// The radius less half the overlap.
    MiddleOfOverlap,
    /// The radius less the overlap: the surface of the wall.
    Wall,
}

/// A sphere and its contact. Two equal spheres are one with half their mass and inertia and with the sum of their spins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringSlider {
    /// Law along the normal.
    pub normal: NormalSpring,
    /// Tangential over normal stiffness κ.
    pub stiffness_ratio: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Moment of inertia \[kg m²\].
    pub inertia: f64,
    /// Radius \[m\].
    pub radius: f64,
    /// Where the tangential force acts.
    pub lever: Lever,
    /// Acceleration towards the wall \[m/s²\].
    pub gravity: f64,
}

/// What the contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The slider gives way.
    Slip,
    /// The spring is being stretched.
    ElasticLoading,
    /// The spring gives back.
    ElasticUnloading,
    /// The spring is stretched the other way.
    ReverseLoading,
}

/// A part of an impact in one mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mode.
    pub mode: Mode,
    /// Its beginning after touch \[s\].
    pub start: f64,
    /// Its end after touch \[s\].
    pub end: f64,
    /// Jump of the secant elongation where a slip begins \[m\]; zero for other modes.
    pub secant_jump: f64,
}

/// A moment of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time after touch \[s\].
    pub time: f64,
    /// Overlap \[m\].
    pub overlap: f64,
    /// Normal velocity, positive in approach \[m/s\].
    pub normal_velocity: f64,
    /// Tangential velocity of the centre \[m/s\].
    pub tangential_velocity: f64,
    /// Spin \[rad/s\], positive if it adds to the slip.
    pub spin: f64,
    /// Tangential velocity of the contact point \[m/s\].
    pub contact_velocity: f64,
    /// Normal force \[N\].
    pub normal_force: f64,
    /// Tangential force against positive slip \[N\].
    pub tangential_force: f64,
    /// Elongation that grows by `dT/k_t` \[m\].
    pub continuous_elongation: f64,
    /// Elongation that is `T/k_t` in slip \[m\].
    pub secant_elongation: f64,
    /// Slip of the contact point, elastic and sliding \[m\].
    pub slip: f64,
}

/// An impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Modes in their order.
    pub intervals: Vec<Interval>,
    /// Times at which the contact velocity passes zero while the contact slips \[s\].
    pub reversals_in_slip: Vec<f64>,
    /// All steps, touch and separation included.
    pub history: Vec<Moment>,
}

impl Impact {
    /// Duration of the contact \[s\].
    pub fn duration(&self) -> f64 {
        self.history.last().map_or(0.0, |moment| moment.time)
    }
}

/// Time, root of the overlap, ḣ, velocity, spin, tangential force, continuous elongation, slip.
type State = [f64; 8];

/// A mode with its sign: of the tangential force in slip and unloading, of the contact velocity in loading.
#[derive(Clone, Copy)]
struct Stage {
    mode: Mode,
    sign: f64,
}

impl SpringSlider {
    /// The impact of the sphere at a normal speed, a tangential velocity \[m/s\] and a spin \[rad/s\].
    ///
    /// # Errors
    /// A constant or speed out of range; an impact that does not end.
    pub fn impact(&self, normal_speed: f64, tangential_velocity: f64, spin: f64) -> Result<Impact, ReferenceError> {
        let (stiffness, half_energy) = match self.normal {
            NormalSpring::Linear(k) => (k, (self.mass / k).sqrt() * normal_speed),
            NormalSpring::Hertz(k) => (k, (1.25 * self.mass * normal_speed * normal_speed / k).powf(0.4)),
        };
        let constants = [
            ("stiffness", stiffness),
            ("stiffness_ratio", self.stiffness_ratio),
            ("friction", self.friction),
            ("mass", self.mass),
            ("inertia", self.inertia),
            ("radius", self.radius),
            ("normal_speed", normal_speed),
        ];
        for (name, value) in constants {
            positive(name, value)?;
        }
        let step = half_energy.sqrt() / normal_speed / STEPS;
        let mut state = [0.0, 0.0, normal_speed, tangential_velocity, spin, 0.0, 0.0, 0.0];
        let contact_velocity = self.contact_velocity(&state);
        let slips = self.stiffness_ratio * contact_velocity.abs() > self.friction * normal_speed;
        let mode = if slips { Mode::Slip } else { Mode::ElasticLoading };
        let mut stage = Stage { mode, sign: 1.0_f64.copysign(contact_velocity) };
        let mut secant = (0.0, 0.0);
        let mut open = Interval { mode, start: 0.0, end: 0.0, secant_jump: 0.0 };
        let mut impact = Impact { intervals: Vec::new(), reversals_in_slip: Vec::new(), history: Vec::new() };
        impact.history.push(self.moment(stage, &state, secant));
        for _ in 0..100 * STEPS as usize {
            let (fraction, event) = self.fraction_to_event(stage, &state, step);
            let next = self.step(stage, &state, fraction * step);
            self.note_reversal(stage, &state, &next, &mut impact.reversals_in_slip);
            state = next;
            impact.history.push(self.moment(stage, &state, secant));
            let Some(after) = event else { continue };
            open.end = state[0];
            impact.intervals.push(open);
            let Some(after) = after else { return Ok(impact) };
            open = Interval { mode: after.mode, start: state[0], end: 0.0, secant_jump: 0.0 };
            let elongation = state[5] / (self.stiffness_ratio * self.normal.stiffness(state[1]));
            if stage.mode == Mode::Slip {
                secant = (elongation, state[7]);
            }
            if after.mode == Mode::Slip {
                open.secant_jump = elongation - (secant.0 + state[7] - secant.1);
            }
            stage = after;
            if impact.intervals.len() > MOST_INTERVALS {
                break;
            }
        }
        let detail = format!("{} intervals until {} s and no separation", impact.intervals.len(), state[0]);
        Err(ReferenceError::Convergence { method: "event-driven impact", detail })
    }

    fn lever_length(&self, root: f64) -> f64 {
        let overlap = root * root;
        match self.lever {
            Lever::Radius => self.radius,
            Lever::MiddleOfOverlap => self.radius - 0.5 * overlap,
            Lever::Wall => self.radius - overlap,
        }
    }

    fn contact_velocity(&self, state: &State) -> f64 {
        state[3] + self.lever_length(state[1]) * state[4]
    }

    fn rate(&self, stage: Stage, state: &State) -> State {
        let [_, root, approach, _, _, stick_force, _, _] = *state;
        let normal = self.normal.force(root);
        let stiffness = self.stiffness_ratio * self.normal.stiffness(root);
        let contact_velocity = self.contact_velocity(state);
        let (force, force_rate, elongation_rate) = if stage.mode == Mode::Slip {
            let elongation_rate = stage.sign * self.friction * approach / self.stiffness_ratio;
            (stage.sign * self.friction * normal, stiffness * elongation_rate, elongation_rate)
        } else {
            (stick_force, stiffness * contact_velocity, contact_velocity)
        };
        let torque = self.lever_length(root) * force;
        [
            root,
            0.5 * approach,
            root * (self.gravity - normal / self.mass),
            -root * force / self.mass,
            -root * torque / self.inertia,
            root * force_rate,
            root * elongation_rate,
            root * contact_velocity,
        ]
    }

    fn step(&self, stage: Stage, state: &State, step: f64) -> State {
        let mut next = runge_kutta::advance(|y| self.rate(stage, y), state, step);
        if stage.mode == Mode::Slip {
            next[5] = stage.sign * self.friction * self.normal.force(next[1]);
        }
        next
    }

    /// What follows if the state lies beyond an event of the stage; `Some(None)` is separation.
    fn event(&self, stage: Stage, state: &State) -> Option<Option<Stage>> {
        let [_, root, approach, .., force, _, _] = *state;
        let contact_velocity = self.contact_velocity(state);
        let along = |mode, value: f64| Some(Some(Stage { mode, sign: 1.0_f64.copysign(value) }));
        if root < 0.0 {
            return Some(None);
        }
        if stage.mode == Mode::Slip {
            if stage.sign * self.stiffness_ratio * contact_velocity >= self.friction * approach {
                return None;
            }
            return if stage.sign * contact_velocity > 0.0 {
                along(Mode::ElasticLoading, contact_velocity)
            } else {
                along(Mode::ElasticUnloading, force)
            };
        }
        // the contact that has just stopped to slip lies on the limit but for round-off
        let limit = self.friction * self.normal.force(root);
        if force.abs() > limit * (1.0 + 1e-12) && stage.outward(force, contact_velocity) {
            return along(Mode::Slip, force);
        }
        match stage.mode {
            Mode::ElasticUnloading if stage.sign * force < 0.0 => along(Mode::ReverseLoading, contact_velocity),
            Mode::ElasticLoading | Mode::ReverseLoading if stage.sign * contact_velocity < 0.0 => {
                along(Mode::ElasticUnloading, force)
            }
            _ => None,
        }
    }

    /// Share of a step up to the first event and what follows it.
    fn fraction_to_event(&self, stage: Stage, state: &State, step: f64) -> (f64, Option<Option<Stage>>) {
        let after = |fraction: f64| self.event(stage, &self.step(stage, state, fraction * step));
        let event = after(1.0);
        if event.is_none() {
            return (1.0, None);
        }
        let (mut before, mut beyond, mut found) = (0.0, 1.0, event);
        while beyond - before > 4.0 * f64::EPSILON {
            let middle = 0.5 * (before + beyond);
            match after(middle) {
                None => before = middle,
                event => (beyond, found) = (middle, event),
            }
        }
        (beyond, found)
    }

    fn note_reversal(&self, stage: Stage, before: &State, after: &State, times: &mut Vec<f64>) {
        let (first, second) = (self.contact_velocity(before), self.contact_velocity(after));
        if stage.mode == Mode::Slip && first * second < 0.0 {
            times.push(before[0] + (after[0] - before[0]) * first / (first - second));
        }
    }

    fn moment(&self, stage: Stage, state: &State, secant: (f64, f64)) -> Moment {
        let [time, root, normal_velocity, tangential_velocity, spin, tangential_force, continuous, slip] = *state;
        let secant_elongation = if stage.mode == Mode::Slip {
            // T/k_t with the common factor taken out, since both vanish at touch
            let share = match self.normal {
                NormalSpring::Linear(_) => 1.0,
                NormalSpring::Hertz(_) => 1.5,
            };
            stage.sign * self.friction * root * root / (share * self.stiffness_ratio)
        } else {
            secant.0 + slip - secant.1
        };
        Moment {
            time,
            overlap: root * root,
            normal_velocity,
            tangential_velocity,
            spin,
            contact_velocity: self.contact_velocity(state),
            normal_force: self.normal.force(root),
            tangential_force,
            continuous_elongation: continuous,
            secant_elongation,
            slip,
        }
    }
}

impl Stage {
    /// Whether the spring can reach the limit: while it is stretched, or while it gives back more slowly than the load falls.
    fn outward(self, force: f64, contact_velocity: f64) -> bool {
        self.mode == Mode::ElasticUnloading || force * contact_velocity >= 0.0
    }
}

#[cfg(test)]
mod tests;
