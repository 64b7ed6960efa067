//! A spring that yields, unloads stiffly and pulls on the way out, after Luding.
//!
//! | symbol | parameter | meaning |
//! |---|---|---|
//! | k₁ | `loading_stiffness` | first loading |
//! | k_p | `unloading_stiffness_limit` | unloading after the deepest load |
//! | k_c | `cohesive_stiffness` | strongest pull, `−k_c δ` |
//! | φ | `plasticity_depth` | depth at which k_p is reached, `d_l = k_p/(k_p − k₁) 2φ r*` |
//! | d | largest overlap so far, at most d_l | |
//!
//! On first loading `N = k₁ δ`; else `N = k₂ (δ − d) + k₁ d` with `k₂ = k₁ + (k_p − k₁) d/d_l`, but not below `−k_c δ`. Beyond d_l loading is elastic, too.
//!
//! On the way out along `−k_c δ` the memory d shrinks, so that a return does not pull again: in the consistent form to the d whose line of unloading goes
//! through the present point, `d = ½ (δ + √(δ² + 4 (k₁ + k_c) δ d_l/(k_p − k₁)))`, without a jump of the force where the motion turns.
//! `memory = "literal"` is `d = (k₂ + k_c) δ/(k₂ − k₁)` with the k₂ of the step before, as codes have it: it lags by an error of first order
//! in the step.
//!
//! The elastic energy is N²/2k₂ on all branches. What else was put in is plastic work, in closed form by branches, so that it does not depend on steps.
//! Without pull the restitution is `√(k₁/k₂(d))`, `d = v √(m*/k₁)`; with it `e² = k₁/k₂ − (k_c/k₁) k₂/(k₂ + k_c) (1 − k₁/k₂)²`, and bodies stick where that is
//! negative.
//!
//! Friction is limited by `N + k_c δ`. Source: S. Luding, Granular Matter 10 (2008) 235; the consistent memory is derived from its Eq. 1. A dashpot of k₁ may be
//! added.

use dem_core::history::FieldSpec;
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use super::memory::{largest_overlap, plastic_work};
use super::plastic_spring::{LOADING_STIFFNESS, PLASTIC_DAMPING_RATIO, PlasticSpring};
use crate::law::{Derived, Kinematics};
use crate::normal::{NormalModel, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::RESTITUTION_AT_SPEED;
use crate::submodels::damping::NO_TENSION;
use crate::submodels::dashpot::Dashpot;

const UNLOADING_LIMIT: ParameterSpec = ParameterSpec {
    name: "unloading_stiffness_limit",
    unit: "N/m",
    meaning: "stiffness kp of unloading after the deepest load, more than that of loading",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

const COHESIVE_STIFFNESS: ParameterSpec = ParameterSpec {
    name: "cohesive_stiffness",
    unit: "N/m",
    meaning: "kc of the strongest pull, which is kc times the overlap",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

const PLASTICITY_DEPTH: ParameterSpec = ParameterSpec {
    name: "plasticity_depth",
    unit: "-",
    meaning: "overlap up to which the contact deforms plastically, in effective diameters 2 r* (as the published depth, before the factor kp/(kp - k1))",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

const MEMORY: ParameterSpec = ParameterSpec {
    name: "memory",
    unit: "-",
    meaning: "how the largest overlap shrinks under a pull: consistent leaves no jump where the motion turns, literal is the published rule with the stiffness of the step before",
    kind: ParameterKind::Choice(&["consistent", "literal"]),
};

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct Luding {
    spring: PlasticSpring,
    /// k_p \[N/m\].
    limit: f64,
    /// k_c \[N/m\].
    cohesive: f64,
    /// d_l over r* \[-\].
    depth: f64,
    is_literal: bool,
}

/// A contact after a largest overlap.
#[derive(Clone, Copy)]
struct Line<R> {
    largest: R,
    /// k₂ \[N/m\].
    unloading: R,
}

impl Luding {
    /// `dk₂/dd` \[N/m²\].
    #[inline(always)]
    fn growth<R: Real>(&self, effective_radius: R) -> R {
        R::parameter((self.limit - self.spring.loading) / self.depth) / effective_radius
    }

    #[inline(always)]
    fn line<R: Real>(&self, effective_radius: R, largest: R) -> Line<R> {
        Line {
            largest,
            unloading: R::parameter(self.spring.loading).plus_product(self.growth(effective_radius), largest),
        }
    }

    /// Force on a line of unloading \[N\].
    #[inline(always)]
    fn on<R: Real>(&self, line: Line<R>, overlap: R) -> R {
        (R::parameter(self.spring.loading) * line.largest).plus_product(line.unloading, overlap - line.largest)
    }

    /// Force at an overlap after a largest one, which a pull does not shrink any more \[N\].
    #[inline(always)]
    fn force<R: Real>(&self, line: Line<R>, overlap: R) -> R {
        self.on(line, overlap).maximum(-(R::parameter(self.cohesive) * overlap))
    }

    /// Overlap at which the line of unloading meets the strongest pull \[m\].
    #[inline(always)]
    fn turning_point<R: Real>(&self, line: Line<R>) -> R {
        let excess = line.unloading - R::parameter(self.spring.loading);
        excess * line.largest / (line.unloading + R::parameter(self.cohesive))
    }

    /// Largest overlap that goes with a point on the strongest pull \[m\].
    #[inline(always)]
    fn drawn_out<R: Real>(&self, effective_radius: R, line: Line<R>, overlap: R) -> R {
        let sum = R::parameter(self.spring.loading + self.cohesive);
        if self.is_literal {
            let excess = line.unloading - R::parameter(self.spring.loading);
            let drawn = (line.unloading + R::parameter(self.cohesive)) * overlap / excess;
            return R::select(excess.greater(R::zero()), drawn, overlap);
        }
        let growth = self.growth(effective_radius);
        let inner = overlap.plus_product(R::constant(4.0), sum / growth) * overlap;
        R::constant(0.5) * (overlap + inner.sqrt())
    }

    /// Elastic energy \[J\].
    #[inline(always)]
    fn energy<R: Real>(&self, line: Line<R>, overlap: R) -> R {
        energy_of(self.force(line, overlap), line.unloading)
    }

    /// Work of plastic deformation by loading up to a largest overlap \[J\].
    #[inline(always)]
    fn plastic<R: Real>(&self, line: Line<R>) -> R {
        let loading = R::parameter(self.spring.loading);
        R::constant(0.5) * loading * (R::constant(1.0) - loading / line.unloading) * line.largest * line.largest
    }

    fn line_of(&self, effective_radius: f64, record: &[f64]) -> Line<f64> {
        self.line(effective_radius, record.first().copied().unwrap_or(0.0))
    }
}

impl NormalModel for Luding {
    const KEY: &'static str = "luding";
    /// Largest overlap and plastic work.
    type Record<R: Real> = [R; 2];

    fn parameters() -> Vec<ParameterSpec> {
        vec![
            LOADING_STIFFNESS,
            UNLOADING_LIMIT,
            COHESIVE_STIFFNESS,
            PLASTICITY_DEPTH,
            MEMORY,
            PLASTIC_DAMPING_RATIO,
            NO_TENSION,
        ]
    }

    fn new(parameters: &ParameterSet, _pair: &PairMaterial) -> Result<Self, LawError> {
        let spring = PlasticSpring::new(parameters);
        let limit = parameters.number(UNLOADING_LIMIT.name);
        if limit <= spring.loading {
            let message = format!("= {limit} [N/m], expected more than {} {}", LOADING_STIFFNESS.name, spring.loading);
            return Err(LawError::new(UNLOADING_LIMIT.name, message));
        }
        let depth = limit / (limit - spring.loading) * 2.0 * parameters.number(PLASTICITY_DEPTH.name);
        Ok(Self {
            spring,
            limit,
            cohesive: parameters.number(COHESIVE_STIFFNESS.name),
            depth,
            is_literal: parameters.choice(MEMORY.name) == "literal",
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![largest_overlap(), plastic_work()]
    }

    fn constant_stiffness(&self) -> Option<f64> {
        Some(self.spring.loading)
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.limit)
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.force(self.line_of(effective_radius, record), overlap.max(0.0))
    }

    fn dashpot(&self) -> Dashpot {
        self.spring.dashpot
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.spring.impact_overlap(effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let largest = self.spring.impact_overlap(effective_mass, speed).min(self.depth * effective_radius);
        self.spring.contact_duration(effective_mass, self.line(effective_radius, largest).unloading)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.energy(self.line_of(effective_radius, record), overlap.max(0.0))
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let largest = self.spring.impact_overlap(effective_mass, speed);
        let line = self.line(effective_radius, largest.min(self.depth * effective_radius));
        // what is put in less plastic work and, without a deeper dent than that, the loop of the pull
        let put_in = 0.5 * effective_mass * speed * speed;
        let ratio = self.cohesive / (line.unloading + self.cohesive);
        let pulled = 0.5
            * line.unloading
            * ratio
            * ((line.unloading - self.spring.loading) * line.largest / line.unloading).powi(2);
        let value = ((put_in - self.plastic(line) - pulled) / put_in).max(0.0).sqrt();
        let pull = self.cohesive * self.turning_point(line);
        vec![
            Derived { name: RESTITUTION_AT_SPEED, value, unit: "-" },
            Derived { name: "strongest pull after such an impact", value: pull, unit: "N" },
        ]
    }

    fn derived(&self) -> Vec<Derived> {
        let restitution = (self.spring.loading / self.limit).sqrt();
        vec![Derived { name: "restitution of the deepest load without pull", value: restitution, unit: "-" }]
    }

    #[inline(always)]
    fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        &[largest0, work0]: &[R; 2],
    ) -> (NormalResponse<R>, [R; 2]) {
        let (zero, radius) = (R::zero(), k.effective_radius);
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let depth = R::parameter(self.depth) * radius;
        let before = self.line(radius, largest0);
        let deepest = self.line(radius, largest0.maximum(overlap1.minimum(depth)));
        let pull = -(R::parameter(self.cohesive) * overlap1);
        let pulls = self.on(deepest, overlap1).less(pull);
        // rounding may not deepen the dent on the way out
        let drawn = self.drawn_out(radius, before, overlap1).minimum(deepest.largest);
        let after = self.line(radius, R::select(pulls, drawn, deepest.largest));
        let elastic1 = R::select(pulls, pull, self.on(deepest, overlap1));
        let elastic0 = self.force(before, overlap0);
        // from where the strongest pull was met, or the step began, its work less what the spring gains
        let met = self.turning_point(deepest).minimum(overlap0.maximum(overlap1));
        let half_pull = R::parameter(0.5 * self.cohesive);
        // the line of the published memory, which lags, does not go through the point: the spring holds what it gives back on that line
        let held = if self.is_literal { self.energy(after, overlap1) } else { energy_of(elastic1, after.unloading) };
        let lost = half_pull * (met - overlap1) * (met + overlap1) + (self.energy(deepest, met) - held);
        let loaded = self.plastic(deepest) - self.plastic(before);
        let work = loaded + R::select(pulls, lost, zero);
        let cohesive = R::parameter(self.cohesive);
        let limits = [elastic0.plus_product(cohesive, overlap0), elastic1.plus_product(cohesive, overlap1)];
        let response = self.spring.respond(k, dashpot0, [elastic0, elastic1], limits);
        (response, [after.largest, work0 + work])
    }
}

/// Energy of a spring under a force \[J\].
#[inline(always)]
fn energy_of<R: Real>(force: R, stiffness: R) -> R {
    R::constant(0.5) * force * force / stiffness
}
