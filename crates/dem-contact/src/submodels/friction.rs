//! The friction limit: one coefficient, or a static and a dynamic one.
//!
//! A contact that sticks slides once its trial force exceeds `μ_s N` and then carries `μ_d N`; it sticks again when the trial force falls
//! below `μ_d N`. Which of the two limits holds is one number of history, kept only by laws whose limit is [`StaticDynamic`].
//!
//! Source: E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 32–36. As printed there is no memory: every step is tested against
//! the static limit, so the force of a sliding contact climbs from `μ_d N` to `μ_s N` and falls back every few steps, the fewer the longer
//! the steps (`sliding_flag = false`). With the flag the force of a sliding contact does not depend on the step.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;

use crate::law::Record;
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

/// A friction limit.
pub trait Friction: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// What it remembers of a contact, placed at the end of the record.
    type Memory<R: Real>: Record<R> + Copy;

    /// Parameters.
    fn parameters() -> Vec<ParameterSpec> {
        vec![FRICTION, DYNAMIC_FRICTION, SLIDING_FLAG]
    }

    /// Validates parameters.
    ///
    /// # Errors
    /// Combinations that the declarations cannot exclude.
    fn new(parameters: &ParameterSet) -> Result<Self, LawError>;

    /// Fields of the memory.
    fn fields() -> Vec<FieldSpec>;

    /// Limits under a normal force \[N\]; a pull counts as none.
    fn bounds<R: Real>(&self, normal_force: R, memory: &Self::Memory<R>) -> Bounds<R>;

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
    fn bounds<R: Real>(&self, normal_force: R, _memory: &[R; 0]) -> Bounds<R> {
        let limit = R::parameter(self.coefficient) * normal_force.maximum(R::zero());
        Bounds { stick: limit, slide: limit }
    }

    #[inline(always)]
    fn remember<R: Real>(&self, memory: &[R; 0], _bounds: &Bounds<R>, _limited: &Limited<R>) -> [R; 0] {
        *memory
    }
}

/// A static and a dynamic coefficient, equal unless both are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticDynamic {
    static_coefficient: f64,
    dynamic_coefficient: f64,
    remembers: bool,
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
        Ok(Self { static_coefficient, dynamic_coefficient, remembers: parameters.flag(SLIDING_FLAG.name) })
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
    fn bounds<R: Real>(&self, normal_force: R, memory: &[R; 1]) -> Bounds<R> {
        let force = normal_force.maximum(R::zero());
        let slide = R::parameter(self.dynamic_coefficient) * force;
        let stick = R::parameter(self.static_coefficient) * force;
        Bounds { stick: R::select(memory[0].greater(R::zero()), slide, stick), slide }
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
