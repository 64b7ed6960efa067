//! A spring that yields, unloads stiffly and pulls in proportion to the dent: the Edinburgh elasto-plastic adhesive model.
//!
//! | symbol | parameter | meaning |
//! |---|---|---|
//! | n | `exponent` | 1.5, with `k₁ = 4/3 E* √r*`, or 1, with `loading_stiffness` |
//! | λ = 1 − k₁/k₂ | `plasticity_ratio` | depth of the dent over the largest overlap, in powers n |
//! | F₀ | `constant_pull` | pull wherever the surfaces touch |
//! | Δγ | `work_of_adhesion` | of the flat area that the dent leaves |
//! | D, d | | deepest overlap so far, and what a pull has left of it |
//!
//! With `x = δⁿ` the force is the middle one of `k₁ x`, `k₂ (x − λ dⁿ)` and `−k_a x`, less F₀. The strongest pull belongs to the dent `δ_p = (λ Dⁿ)^(1/n)`: on its
//! flat area, of the radius `√(2 r* δ_p)`, it is `f = (3/2) π Δγ √(2 r* δ_p)`, but at most `k₂ λ Dⁿ/2`, and `k_a = f/(λ Dⁿ − f/k₂)`. On the way
//! out along `−k_a x` the memory follows the point, `dⁿ = (1 + k_a/k₂) x/λ`, as in Luding's model.
//!
//! Friction is limited by the force without the pulls, `N + F₀ + k_a x`. Elastic energy is what the line of unloading gives back,
//! `k₂ [x δ/(n + 1) − x_p δ + n/(n + 1) x_p^(1 + 1/n)]` with `x_p = λ dⁿ`; what else was put in is plastic work. Without pulls and with n = 1.5 the
//! restitution is `e² = [1 − λ^(5/3) − (5/2) λ (1 − λ^(2/3))]/(1 − λ)` at all speeds.
//!
//! Sources: J. P. Morrissey, thesis, University of Edinburgh (2013); S. C. Thakur et al., Granular Matter 16 (2014) 383. The exponent of the pull is that of
//! the spring. The cap of the pull is of x and not of δ, so that the force has no jump with n = 1.5.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Real, functions};
use dem_core::material::PairMaterial;

use super::memory::{largest_overlap, plastic_work};
use super::plastic_spring::PLASTIC_DAMPING_RATIO;
use crate::law::{Derived, Kinematics};
use crate::normal::{NormalModel, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::{SURFACE_ENERGY, WORK_OF_ADHESION, optional_surface_energy, with_dashpot};
use crate::submodels::damping::NO_TENSION;
use crate::submodels::dashpot::Dashpot;

const EXPONENT: ParameterSpec = ParameterSpec {
    name: "exponent",
    unit: "-",
    meaning: "power of the overlap in the force: hertz for 1.5, with the stiffness of the materials, or linear for 1",
    kind: ParameterKind::Choice(&["hertz", "linear"]),
};

const LOADING_STIFFNESS: ParameterSpec = ParameterSpec {
    name: "loading_stiffness",
    unit: "N/m",
    meaning: "stiffness k1 of first loading of the linear form",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

const PLASTICITY_RATIO: ParameterSpec = ParameterSpec {
    name: "plasticity_ratio",
    unit: "-",
    meaning: "1 - k1/k2 with the stiffness k2 of unloading",
    kind: ParameterKind::Required(Interval { low: 0.0, includes_low: false, high: 1.0, includes_high: false }),
};

const CONSTANT_PULL: ParameterSpec = ParameterSpec {
    name: "constant_pull",
    unit: "N",
    meaning: "pull wherever the surfaces touch, a positive number",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct Edinburgh {
    young_modulus: f64,
    /// k₁ of the linear form \[N/m\]; that of Hertz's has the effective radius in it.
    linear: Option<f64>,
    plasticity: f64,
    constant_pull: f64,
    work_of_adhesion: f64,
    dashpot: Dashpot,
    no_tension: bool,
}

/// The lines of a contact, of effective radius and depth.
#[derive(Clone, Copy)]
struct Lines<R> {
    /// k₁ \[N/mⁿ\].
    loading: R,
    /// k₂ \[N/mⁿ\].
    unloading: R,
    /// k_a \[N/mⁿ\].
    adhesive: R,
}

impl Edinburgh {
    /// δⁿ \[mⁿ\].
    #[inline(always)]
    fn power<R: Real>(&self, overlap: R) -> R {
        if self.linear.is_some() { overlap } else { overlap * overlap.sqrt() }
    }

    /// `x^(1/n)` \[m\].
    #[inline(always)]
    fn root<R: Real>(&self, x: R) -> R {
        if self.linear.is_some() { x } else { functions::cbrt(x * x) }
    }

    /// n.
    fn exponent(&self) -> f64 {
        if self.linear.is_some() { 1.0 } else { 1.5 }
    }

    #[inline(always)]
    fn lines<R: Real>(&self, effective_radius: R, deepest: R) -> Lines<R> {
        let loading = match self.linear {
            Some(stiffness) => R::parameter(stiffness),
            None => R::parameter(4.0 / 3.0 * self.young_modulus) * effective_radius.sqrt(),
        };
        let unloading = loading * R::parameter(1.0 / (1.0 - self.plasticity));
        let mut adhesive = R::zero();
        if self.work_of_adhesion > 0.0 {
            let dent = R::parameter(self.plasticity) * self.power(deepest);
            let area = (R::constant(2.0) * effective_radius * self.root(dent)).sqrt();
            let pull = R::parameter(1.5 * std::f64::consts::PI * self.work_of_adhesion) * area;
            let pull = pull.minimum(R::constant(0.5) * unloading * dent);
            let slope = pull / (dent - pull / unloading);
            adhesive = R::select(dent.greater(R::zero()), slope, R::zero());
        }
        Lines { loading, unloading, adhesive }
    }

    /// Energy that a line of unloading gives back \[J\].
    #[inline(always)]
    fn energy<R: Real>(&self, lines: &Lines<R>, overlap: R, largest: R) -> R {
        let n = self.exponent();
        let dent = R::parameter(self.plasticity) * self.power(largest);
        let below = R::constant(n / (n + 1.0)) * dent * self.root(dent);
        let above = (self.power(overlap) * R::constant(1.0 / (n + 1.0)) - dent) * overlap;
        (lines.unloading * (above + below)).maximum(R::zero())
    }

    /// Force without the constant pull, and where it is on the strongest pull \[N\].
    #[inline(always)]
    fn force<R: Real>(&self, lines: &Lines<R>, overlap: R, largest: R) -> (R, R::Mask) {
        let x = self.power(overlap);
        let unloading = lines.unloading * (x - R::parameter(self.plasticity) * self.power(largest));
        let pull = -(lines.adhesive * x);
        let force = R::select(largest.at_most(overlap), lines.loading * x, unloading);
        (force.maximum(pull), force.less(pull))
    }

    /// Work of plastic deformation by loading up to a largest overlap \[J\].
    #[inline(always)]
    fn plastic<R: Real>(&self, lines: &Lines<R>, largest: R) -> R {
        let put_in = lines.loading * self.power(largest) * largest * R::constant(1.0 / (self.exponent() + 1.0));
        put_in - self.energy(lines, largest, largest)
    }

    fn memory(record: &[f64]) -> [f64; 2] {
        [record.first().copied().unwrap_or(0.0), record.get(1).copied().unwrap_or(0.0)]
    }
}

impl NormalModel for Edinburgh {
    const KEY: &'static str = "edinburgh";
    /// Largest overlap, deepest overlap and plastic work.
    type Record<R: Real> = [R; 3];

    fn parameters() -> Vec<ParameterSpec> {
        vec![
            EXPONENT,
            LOADING_STIFFNESS,
            PLASTICITY_RATIO,
            SURFACE_ENERGY,
            WORK_OF_ADHESION,
            CONSTANT_PULL,
            PLASTIC_DAMPING_RATIO,
            NO_TENSION,
        ]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let stiffness = parameters.optional(LOADING_STIFFNESS.name);
        let linear = match (parameters.choice(EXPONENT.name), stiffness) {
            ("linear", None) => {
                let message = "missing: stiffness k1 of first loading [N/m], expected with exponent = \"linear\"";
                return Err(LawError::new(LOADING_STIFFNESS.name, message));
            }
            ("linear", stiffness) => stiffness,
            (_, Some(stiffness)) => {
                let message = format!("= {stiffness} [N/m], expected with exponent = \"linear\" only, not \"hertz\"");
                return Err(LawError::new(LOADING_STIFFNESS.name, message));
            }
            (_, None) => None,
        };
        Ok(Self {
            young_modulus: pair.effective_young_modulus,
            linear,
            plasticity: parameters.number(PLASTICITY_RATIO.name),
            constant_pull: parameters.number(CONSTANT_PULL.name),
            work_of_adhesion: 2.0 * optional_surface_energy(parameters)?.unwrap_or(0.0),
            dashpot: Dashpot::Ratio(parameters.number(PLASTIC_DAMPING_RATIO.name)),
            no_tension: parameters.flag(NO_TENSION.name),
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let deepest = FieldSpec {
            name: "deepest_overlap",
            unit: "m",
            meaning: "largest overlap since the contact formed",
            width: 1,
            role: FieldRole::State,
        };
        vec![largest_overlap(), deepest, plastic_work()]
    }

    fn constant_stiffness(&self) -> Option<f64> {
        self.linear
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        let Lines { unloading, .. } = self.lines(effective_radius, R::zero());
        if self.linear.is_some() {
            return unloading;
        }
        R::constant(1.5) * unloading * overlap.maximum(R::zero()).sqrt()
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        if overlap <= 0.0 {
            return 0.0;
        }
        let [largest, deepest] = Self::memory(record);
        self.force(&self.lines(effective_radius, deepest), overlap, largest).0 - self.constant_pull
    }

    fn dashpot(&self) -> Dashpot {
        self.dashpot
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let (n, Lines { loading, .. }) = (self.exponent(), self.lines(effective_radius, 0.0));
        let alone = libm::pow(0.5 * (n + 1.0) * effective_mass * speed * speed / loading, 1.0 / (n + 1.0));
        alone + libm::pow((n + 1.0) * self.constant_pull / loading, 1.0 / n)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        if speed > 0.0 {
            std::f64::consts::PI * self.impact_overlap(effective_radius, effective_mass, speed) / speed
        } else {
            f64::INFINITY
        }
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let [largest, deepest] = Self::memory(record);
        self.energy(&self.lines(effective_radius, deepest), overlap.max(0.0), largest)
    }

    fn adheres(&self) -> bool {
        self.constant_pull > 0.0
    }

    fn adhesion_energy(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        -self.constant_pull * overlap.max(0.0)
    }

    fn derived(&self) -> Vec<Derived> {
        let l = self.plasticity;
        let kept = match self.linear {
            Some(_) => 1.0 - l,
            None => {
                let third = libm::cbrt(l * l);
                (1.0 - l * third - 2.5 * l * (1.0 - third)) / (1.0 - l)
            }
        };
        vec![Derived { name: "restitution without pull and dashpot", value: kept.max(0.0).sqrt(), unit: "-" }]
    }

    #[inline(always)]
    fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        &[largest0, deepest0, work0]: &[R; 3],
    ) -> (NormalResponse<R>, [R; 3]) {
        let (zero, radius) = (R::zero(), k.effective_radius);
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let (before, largest) = (self.lines(radius, deepest0), largest0.maximum(overlap1));
        let deepest1 = deepest0.maximum(largest);
        let after = self.lines(radius, deepest1);
        let (force0, _) = self.force(&before, overlap0, largest0);
        let (force1, pulls) = self.force(&after, overlap1, largest);
        // the memory on the strongest pull, which rounding may not deepen
        let follows = R::constant(1.0) + after.adhesive / after.unloading;
        let drawn = self.root(follows * self.power(overlap1) * R::parameter(1.0 / self.plasticity)).minimum(largest);
        let largest1 = R::select(pulls, drawn, largest);
        // from where the strongest pull was met, or the step began
        let dent = R::parameter(self.plasticity) * self.power(largest);
        let met = self.root(dent / follows).minimum(overlap0.maximum(overlap1));
        let share = after.adhesive * R::constant(1.0 / (self.exponent() + 1.0));
        let pulled = share * (self.power(met) * met - self.power(overlap1) * overlap1);
        let lost = pulled + (self.energy(&after, met, largest) - self.energy(&after, overlap1, largest1));
        let loaded = self.plastic(&after, largest) - self.plastic(&after, largest0);
        let work = loaded + R::select(pulls, lost, zero);

        let pull = R::parameter(self.constant_pull);
        let [pull0, pull1] = {
            let pull_at = |overlap: R| R::select(overlap.greater(zero), pull, zero);
            [pull_at(k.overlap0), pull_at(k.overlap1)]
        };
        let (elastic0, elastic1) = (force0 - pull0, force1 - pull1);
        let limit = |lines: &Lines<R>, force: R, overlap: R| force.plus_product(lines.adhesive, self.power(overlap));
        let (limit0, limit1) = (limit(&before, force0, overlap0), limit(&after, force1, overlap1));
        let stiffness = match self.linear {
            Some(_) => R::select(k.overlap1.greater(zero), after.loading, zero),
            None => R::constant(1.5) * after.loading * overlap1.sqrt(),
        };
        let viscosity = self.dashpot.viscosity(stiffness, k.effective_mass).unwrap_or(zero);
        let total1 = with_dashpot(elastic1, viscosity * k.overlap_rate, self.no_tension);
        let dashpot_force = total1 - elastic1;
        let response = NormalResponse {
            force0: with_dashpot(elastic0, dashpot0, true),
            force1: total1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0: (limit0 + dashpot0).maximum(zero),
            limit1: (limit1 + dashpot_force).maximum(zero),
            elastic_limit0: limit0,
            elastic_limit1: limit1,
            contact_radius0: (radius * overlap0).sqrt(),
            contact_radius1: (radius * overlap1).sqrt(),
            viscosity,
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
        };
        (response, [largest1, deepest1, work0 + work])
    }
}
