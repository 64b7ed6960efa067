//! The friction limit: one coefficient, a static and a dynamic one, or one that falls with the speed of sliding.
//!
//! A contact that sticks slides once its trial force exceeds `μ_s N` and then carries `μ_d N`; it sticks again when the trial force falls
//! below `μ_d N`. Which of the two limits holds is one number of history, kept only by laws whose limit is [`StaticDynamic`].
//!
//! Source: E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 32–36. As printed there is no memory: every step is tested against
//! the static limit, so the force of a sliding contact climbs from `μ_d N` to `μ_s N` and falls back every few steps, the fewer the longer
//! the steps (`sliding_flag = false`). With the flag the force of a sliding contact does not depend on the step.
//!
//! With `friction_law = "exponential"` the coefficient is `μ(v) = μ_d + (μ_s − μ_d) exp(−v/v_c)`, v the size of the tangential velocity at
//! the end of the step, and limits sticking and sliding alike: there is nothing to remember. It falls with v: a contact that is driven slides
//! unstably, at a rate of up to `(μ_s − μ_d)N/(v_c m_t)` with the inertia m_t of its tangential motion, which the time step resolves.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Real, functions};

use crate::law::{Kinematics, Record};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{Bounds, Limited};

/// Friction coefficient.
pub const FRICTION: ParameterSpec = ParameterSpec {
    name: "friction",
    unit: "-",
    meaning: "Coulomb friction coefficient μ; the static one μ_s if dynamic_friction is given",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};

/// Dynamic friction coefficient.
pub const DYNAMIC_FRICTION: ParameterSpec = ParameterSpec {
    name: "dynamic_friction",
    unit: "-",
    meaning: "friction coefficient μ_d of a sliding contact, at most `friction`, which it equals if left out",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// Memory of sliding.
pub const SLIDING_FLAG: ParameterSpec = ParameterSpec {
    name: "sliding_flag",
    unit: "-",
    meaning: "with dynamic_friction: true keeps the dynamic limit until the trial force falls below it; false tests the static limit \
              in every step, as published, which makes the force of a sliding contact oscillate between both limits",
    kind: ParameterKind::Flag(true),
};

/// How the limit depends on the motion.
pub const FRICTION_LAW: ParameterSpec = ParameterSpec {
    name: "friction_law",
    unit: "-",
    meaning: "coulomb: a sliding contact has dynamic_friction, whatever its speed; exponential: friction falls from `friction` at rest to \
              dynamic_friction at high speed, over decay_speed",
    kind: ParameterKind::Choice(&["coulomb", EXPONENTIAL]),
};

/// Speed of the exponential law.
pub const DECAY_SPEED: ParameterSpec = ParameterSpec {
    name: "decay_speed",
    unit: "m/s",
    meaning: "speed v_c in μ_d + (μ_s − μ_d) exp(−v/v_c), with friction_law = \"exponential\"",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

/// The word for friction that falls with the speed.
const EXPONENTIAL: &str = "exponential";

/// A friction limit.
pub trait Friction: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// What it remembers of a contact, placed at the end of the record.
    type Memory<R: Real>: Record<R> + Copy;

    /// Parameters.
    fn parameters() -> Vec<ParameterSpec> {
        vec![FRICTION, DYNAMIC_FRICTION, SLIDING_FLAG, FRICTION_LAW, DECAY_SPEED]
    }

    /// Validates parameters.
    ///
    /// # Errors
    /// Combinations that the declarations cannot exclude.
    fn new(parameters: &ParameterSet) -> Result<Self, LawError>;

    /// Fields of the memory.
    fn fields() -> Vec<FieldSpec>;

    /// Limits under a normal force \[N\]; a pull counts as none.
    fn bounds<R: Real>(&self, normal_force: R, k: &Kinematics<R>, memory: &Self::Memory<R>) -> Bounds<R>;

    /// Largest fall of the coefficient with the speed \[s/m\].
    fn weakening(&self) -> f64 {
        0.0
    }

    /// Memory after a step.
    fn remember<R: Real>(&self, memory: &Self::Memory<R>, bounds: &Bounds<R>, limited: &Limited<R>) -> Self::Memory<R>;
}

/// One coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    coefficient: f64,
}

impl Friction for Coulomb {
    type Memory<R: Real> = [R; 0];

    fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        decay_speed(parameters)?;
        match parameters.optional(DYNAMIC_FRICTION.name) {
            // the registry builds the other variant of the law; nothing may drop the parameter silently
            Some(x) => Err(LawError::new(
                DYNAMIC_FRICTION.name,
                format!("= {x} [-], expected with a law that remembers sliding"),
            )),
            None => Ok(Self { coefficient: parameters.number(FRICTION.name) }),
        }
    }

    fn fields() -> Vec<FieldSpec> {
        Vec::new()
    }

    #[inline(always)]
    fn bounds<R: Real>(&self, normal_force: R, _k: &Kinematics<R>, _memory: &[R; 0]) -> Bounds<R> {
        let limit = R::parameter(self.coefficient) * normal_force.maximum(R::zero());
        Bounds { stick: limit, slide: limit }
    }

    #[inline(always)]
    fn remember<R: Real>(&self, memory: &[R; 0], _bounds: &Bounds<R>, _limited: &Limited<R>) -> [R; 0] {
        *memory
    }
}

/// The speed over which friction falls \[m/s\], if it does.
fn decay_speed(parameters: &ParameterSet) -> Result<Option<f64>, LawError> {
    let (is_asked, speed) =
        (parameters.choice(FRICTION_LAW.name) == EXPONENTIAL, parameters.optional(DECAY_SPEED.name));
    let missing = |name| LawError::new(name, format!("missing: needed with {} = \"{EXPONENTIAL}\"", FRICTION_LAW.name));
    match (is_asked, speed) {
        (true, None) => Err(missing(DECAY_SPEED.name)),
        (true, Some(_)) if parameters.optional(DYNAMIC_FRICTION.name).is_none() => Err(missing(DYNAMIC_FRICTION.name)),
        (false, Some(speed)) => {
            let message = format!("= {speed} [m/s], expected only with {} = \"{EXPONENTIAL}\"", FRICTION_LAW.name);
            Err(LawError::new(DECAY_SPEED.name, message))
        }
        _ => Ok(speed),
    }
}

/// A static and a dynamic coefficient, equal unless both are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticDynamic {
    static_coefficient: f64,
    dynamic_coefficient: f64,
    remembers: bool,
    /// v_c \[m/s\].
    decay_speed: Option<f64>,
}

/// A sliding contact whose squared trial force is this close to the squared limit still slides: round-off does not make it stick.
const REARM_SHARE: f64 = 1.0 - 1e-9;

impl Friction for StaticDynamic {
    type Memory<R: Real> = [R; 1];

    fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        let static_coefficient = parameters.number(FRICTION.name);
        let dynamic_coefficient = parameters.optional(DYNAMIC_FRICTION.name).unwrap_or(static_coefficient);
        if dynamic_coefficient > static_coefficient {
            return Err(LawError::new(
                DYNAMIC_FRICTION.name,
                format!("= {dynamic_coefficient} [-], expected 0 <= value <= friction = {static_coefficient}"),
            ));
        }
        let decay_speed = decay_speed(parameters)?;
        let remembers = parameters.flag(SLIDING_FLAG.name) && decay_speed.is_none();
        Ok(Self { static_coefficient, dynamic_coefficient, remembers, decay_speed })
    }

    fn fields() -> Vec<FieldSpec> {
        vec![FieldSpec {
            name: "sliding",
            unit: "-",
            meaning: "1 while the dynamic limit holds, 0 while the static one does",
            width: 1,
            role: FieldRole::State,
        }]
    }

    #[inline(always)]
    fn bounds<R: Real>(&self, normal_force: R, k: &Kinematics<R>, memory: &[R; 1]) -> Bounds<R> {
        let force = normal_force.maximum(R::zero());
        if let Some(decay_speed) = self.decay_speed {
            let fall = R::parameter(self.static_coefficient - self.dynamic_coefficient);
            let share = functions::exp(k.tangential_velocity.length() * R::parameter(-1.0 / decay_speed));
            let limit = R::parameter(self.dynamic_coefficient).plus_product(fall, share) * force;
            return Bounds { stick: limit, slide: limit };
        }
        let slide = R::parameter(self.dynamic_coefficient) * force;
        let stick = R::parameter(self.static_coefficient) * force;
        Bounds { stick: R::select(memory[0].greater(R::zero()), slide, stick), slide }
    }

    fn weakening(&self) -> f64 {
        self.decay_speed.map_or(0.0, |speed| (self.static_coefficient - self.dynamic_coefficient) / speed)
    }

    #[inline(always)]
    fn remember<R: Real>(&self, memory: &[R; 1], bounds: &Bounds<R>, limited: &Limited<R>) -> [R; 1] {
        if !self.remembers {
            return [R::zero()];
        }
        let near_limit = (bounds.slide * bounds.slide * R::constant(REARM_SHARE)).at_most(limited.size_squared);
        let slides_on = memory[0].greater(R::zero()) & near_limit;
        [R::select(limited.response.slides | slides_on, R::constant(1.0), R::zero())]
    }
}
