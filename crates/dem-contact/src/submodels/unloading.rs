//! What becomes of a tangential force while the area of contact, and with it the tangential stiffness, changes.
//!
//! A spring whose stiffness `k = κ a` follows the radius a of the area of contact does not say by itself whether its force, its slip or its
//! energy stays when a changes. From a₀ to a₁, before the slip of the step:
//!
//! | rule | force | loaded at k and unloaded at 2k; at 2k, unloaded at k |
//! |---|---|---|
//! | `carried` | what was carried by the rim that the contact loses goes with it: `T a₁/a_T` while `a₁ < a_T` | dissipates ¼; ½ |
//! | `none` | stays | dissipates ¼; **creates 1** |
//! | `area` | `T a₁/a₀` while the area falls | dissipates ¼; ½ |
//! | `neutral` | `T √(a₁/a₀)` while the area falls | dissipates ¼; 0 |
//! | `total` | `T a₁/a₀`: the slip stays | **creates ½**; dissipates ½ |
//! | `displacement` | as `total`; the slip falls with the area, too | **creates ½**; dissipates ⅞ |
//! | `hyperelastic` | as `total`, and `½ (dk/dδ) s²` is added to the normal force | 0; 0 |
//!
//! (in units of `k s²` with the slip s of the loop.) The energy held is `Ψ = |T|²/2k`, but for `carried`: there
//! `a_T = |T|²/(2κΨ)` is the area whose compliance the force has met, Ψ grows by `(|T₁|² − |T₀|²)/2k₁` while the
//! contact sticks, falls in proportion to the force where the area falls below a_T, and is `|T|²/2k` after sliding. A
//! rim is lost once, not again in every cycle: under a normal force that fluctuates about its mean a held force creeps
//! to a limit, as it does with micro-slip (`mdr`); with `area` it creeps without limit.
//!
//! `hyperelastic` takes the area of spheres that overlap, `a = √(r* δ)`; it is refused for normal models with another one (`jkr`, `thornton-ning`),
//! whose dk/dδ is infinite where the contact snaps.
//!
//! What a change of the area adds or takes is booked as `stiffness_work`, positive where energy is lost. `carried`, `area` and `neutral` never create energy.
//!
//! Sources: D. Elata, J. G. Berryman, Mech. Mater. 24 (1996) 229 (`none`, `total`); C. Thornton, S. J. Cummins, P. W. Cleary, Powder Technol. 233
//! (2013) 30, Eq. 18b (`area`); LAMMPS names `total` mindlin, `displacement` mindlin_rescale, `area` mindlin_rescale/force.

use dem_core::lanes::{Real, Vector};

use crate::law::Kinematics;
use crate::parameter::{ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{Limited, compliance};

/// Choice of the rule.
pub const UNLOADING: ParameterSpec = ParameterSpec {
    name: "unloading",
    unit: "-",
    meaning: "tangential force while the area of contact changes: carried drops the force on the rim that the area has lost; none keeps the \
              force; area and neutral \
              reduce it with the area or its root; total keeps the slip; displacement reduces the slip; hyperelastic conserves energy, and is refused \
              with normal = \"jkr\" or \"thornton-ning\"",
    kind: ParameterKind::Choice(&["carried", "none", "area", "neutral", "total", "displacement", "hyperelastic"]),
};

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unloading {
    /// The force stays.
    None,
    /// A rim that the contact loses takes along what it carried, once.
    Carried,
    /// The force falls with the area.
    Area,
    /// The force falls with the root of the area, the energy of the spring stays.
    Neutral,
    /// The slip stays.
    Total,
    /// The slip falls with the area.
    Displacement,
    /// The slip stays, and the normal force has what the tangential spring requires.
    Hyperelastic,
}

/// A spring over a step in which its stiffness changes.
#[derive(Clone, Copy, Debug)]
pub struct ChangingSpring<R> {
    /// Elastic force at the start, carried to the end \[N\].
    pub force0: Vector<R>,
    /// Energy at the start \[J\].
    pub energy0: R,
    /// Stiffness at the start \[N/m\].
    pub stiffness0: R,
    /// Stiffness at the end \[N/m\].
    pub stiffness1: R,
}

impl Unloading {
    /// From the parameter `unloading`.
    pub fn from_parameters(parameters: &ParameterSet) -> Self {
        match parameters.choice(UNLOADING.name) {
            "none" => Self::None,
            "area" => Self::Area,
            "neutral" => Self::Neutral,
            "total" => Self::Total,
            "displacement" => Self::Displacement,
            "hyperelastic" => Self::Hyperelastic,
            _ => Self::Carried,
        }
    }

    /// Factor of the elastic force at the start for the change of the stiffness.
    #[inline(always)]
    pub fn factor<R: Real>(self, spring: &ChangingSpring<R>) -> R {
        let one = R::constant(1.0);
        let ratio = || {
            let ratio = spring.stiffness1 / spring.stiffness0;
            R::select(spring.stiffness0.greater(R::zero()), ratio, one)
        };
        match self {
            Self::None => one,
            Self::Carried => {
                let squared = spring.force0.length_squared();
                // a_T over a₁; a contact without a history of its energy has lost nothing yet
                let share = R::constant(2.0) * spring.stiffness1 * spring.energy0 / squared;
                let known = squared.greater(R::zero()) & spring.energy0.greater(R::zero());
                R::select(known, share.minimum(one), one)
            }
            Self::Area => ratio().minimum(one),
            Self::Neutral => ratio().minimum(one).sqrt(),
            Self::Total | Self::Hyperelastic => ratio(),
            Self::Displacement => {
                let ratio = ratio();
                ratio * ratio.minimum(one)
            }
        }
    }

    /// Books the energy of the spring as a function of its state, and the rest of the work done on it as that of the change of stiffness; adds the
    /// normal force that comes with it. `factor` is [`Self::factor`] of the step.
    #[inline(always)]
    pub fn book<R: Real>(self, k: &Kinematics<R>, spring: &ChangingSpring<R>, factor: R, limited: &mut Limited<R>) {
        let half_compliance = R::constant(0.5) * compliance(spring.stiffness1);
        let squared = limited.elastic.length_squared();
        let relaxed = half_compliance * squared;
        let energy = match self {
            Self::Carried => {
                let before = (factor * factor) * spring.force0.length_squared();
                let kept =
                    R::select(spring.energy0.greater(R::zero()), factor * spring.energy0, half_compliance * before);
                let grown = kept.plus_product(half_compliance, squared - before);
                R::select(limited.response.slides, relaxed, grown)
            }
            _ => relaxed,
        };
        let response = &mut limited.response;
        let mut work = response.stored;
        if self == Self::Hyperelastic {
            // ½ (dk/dδ) s² with k in proportion to √δ
            let normal = |squared: R, stiffness: R, overlap: R| {
                let force = squared / (R::constant(4.0) * stiffness * overlap);
                R::select((stiffness * overlap).greater(R::zero()), force, R::zero())
            };
            let start = normal(spring.force0.length_squared(), spring.stiffness0, k.overlap0);
            response.normal = normal(squared, spring.stiffness1, k.overlap1);
            work += R::constant(0.5) * (start + response.normal) * (k.overlap1 - k.overlap0);
        }
        response.stored = energy - spring.energy0;
        response.stiffness = work - response.stored;
    }
}
