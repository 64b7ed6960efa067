//! What linear springs that yield have in common: the line of first loading, its dashpot, and times.

use dem_core::lanes::Real;

use crate::law::Kinematics;
use crate::normal::NormalResponse;
use crate::parameter::{Interval, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::with_dashpot;
use crate::submodels::damping::NO_TENSION;
use crate::submodels::dashpot::Dashpot;

/// Stiffness of first loading.
pub(super) const LOADING_STIFFNESS: ParameterSpec = ParameterSpec {
    name: "loading_stiffness",
    unit: "N/m",
    meaning: "stiffness k1 of first loading, which the tangential stiffness and the dashpot are in proportion to",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

/// Dashpot beside a spring that dissipates by itself.
pub(super) const PLASTIC_DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "damping_ratio",
    unit: "-",
    meaning: "dashpot in addition to the plastic deformation, as a fraction of the critical one of the loading stiffness",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// Line of first loading and dashpot.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlasticSpring {
    /// k₁ \[N/m\].
    pub loading: f64,
    pub dashpot: Dashpot,
    no_tension: bool,
}

impl PlasticSpring {
    pub fn new(parameters: &ParameterSet) -> Self {
        Self {
            loading: parameters.number(LOADING_STIFFNESS.name),
            dashpot: Dashpot::Ratio(parameters.number(PLASTIC_DAMPING_RATIO.name)),
            no_tension: parameters.flag(NO_TENSION.name),
        }
    }

    pub fn impact_overlap(&self, effective_mass: f64, speed: f64) -> f64 {
        speed * (effective_mass / self.loading).sqrt()
    }

    /// Duration of an impact that unloads with a stiffness \[s\].
    pub fn contact_duration(&self, effective_mass: f64, unloading: f64) -> f64 {
        let quarter = |stiffness: f64| std::f64::consts::FRAC_PI_2 * (effective_mass / stiffness).sqrt();
        quarter(self.loading) + quarter(unloading)
    }

    /// The response with elastic forces, and those that limit friction, at start and end \[N\].
    #[inline(always)]
    pub fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        [elastic0, elastic1]: [R; 2],
        [limit0, limit1]: [R; 2],
    ) -> NormalResponse<R> {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let viscosity = self.dashpot.viscosity(R::parameter(self.loading), k.effective_mass).unwrap_or(zero);
        let viscosity = R::select(k.overlap1.greater(zero), viscosity, zero);
        let force1 = with_dashpot(elastic1, viscosity * k.overlap_rate, self.no_tension);
        let dashpot_force = force1 - elastic1;
        NormalResponse {
            force0: with_dashpot(elastic0, dashpot0, true),
            force1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0: (limit0 + dashpot0).maximum(zero),
            limit1: (limit1 + dashpot_force).maximum(zero),
            elastic_limit0: limit0,
            elastic_limit1: limit1,
            contact_radius0: (k.effective_radius * overlap0).sqrt(),
            contact_radius1: (k.effective_radius * overlap1).sqrt(),
            viscosity,
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
        }
    }
}
