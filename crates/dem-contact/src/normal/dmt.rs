//! Adhesion of stiff bodies with a small surface energy, after Derjaguin, Muller and Toporov: Hertz's force less a constant pull while the
//! surfaces touch.
//!
//! `N = 4/3 E* √r* δ^(3/2) − F_c` for δ ≥ 0 with `F_c = 4πγ r*`, nothing apart. The force jumps by F_c where bodies touch and where they part; neither jump
//! loses energy, so that without damping nothing sticks. The potential is that of Hertz less F_c δ.
//!
//! Friction is limited by Hertz's part, `N + F_c`, which is zero at touch; `pull_in_limit = "twice"` is the limit of LAMMPS, `4/3 E* √r* δ^(3/2) +
//! 2F_c`. The dashpot is Hertz's; it may not pull more than the contact does.
//!
//! Source: B. V. Derjaguin, V. M. Muller, Y. P. Toporov, J. Colloid Interface Sci. 53 (1975) 314.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{Hertz, NormalModel, NormalResponse};
use crate::parameter::{LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::{
    PULL_OFF, SURFACE_ENERGY, WORK_OF_ADHESION, surface_energy, tabor_number, with_dashpot,
};
use crate::submodels::damping::{DAMPING_RATIO, NO_TENSION, RESTITUTION};
use crate::submodels::dashpot::Dashpot;

/// The limit of friction in scenes.
const FRICTION_LIMIT: ParameterSpec = ParameterSpec {
    name: "friction_limit",
    unit: "-",
    meaning: "force that limits friction: that of Hertz without the pull, or that plus twice the pull, as in LAMMPS",
    kind: ParameterKind::Choice(&["hertz", "hertz-plus-twice-pull"]),
};

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct Dmt {
    hertz: Hertz,
    surface_energy: f64,
    /// Pulls in the limit of friction beyond Hertz's force.
    pulls_in_limit: f64,
}

impl Dmt {
    /// F_c \[N\].
    #[inline(always)]
    fn pull<R: Real>(&self, effective_radius: R) -> R {
        R::parameter(4.0 * std::f64::consts::PI * self.surface_energy) * effective_radius
    }
}

impl NormalModel for Dmt {
    const KEY: &'static str = "dmt";
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        vec![SURFACE_ENERGY, WORK_OF_ADHESION, FRICTION_LIMIT, RESTITUTION, DAMPING_RATIO, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let pulls_in_limit = if parameters.choice(FRICTION_LIMIT.name) == "hertz" { 0.0 } else { 2.0 };
        Ok(Self { hertz: Hertz::new(parameters, pair)?, surface_energy: surface_energy(parameters)?, pulls_in_limit })
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        self.hertz.stiffness(effective_radius, overlap)
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let pull = if overlap > 0.0 { self.pull(effective_radius) } else { 0.0 };
        self.hertz.elastic_force(effective_radius, overlap, record) - pull
    }

    fn dashpot(&self) -> Dashpot {
        self.hertz.dashpot()
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // the pull adds F_c δ to the energy; where Hertz alone balances it the overlap is (5 F_c/2k)^(2/3)
        let alone = self.hertz.impact_overlap(effective_radius, effective_mass, speed);
        let pull = self.pull(effective_radius);
        let held = libm::cbrt((2.5 * pull / self.hertz.coefficient(effective_radius)).powi(2));
        alone + held
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.hertz.contact_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.hertz.elastic_energy(effective_radius, overlap, record)
    }

    fn adheres(&self) -> bool {
        true
    }

    fn adhesion_energy(&self, effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        -self.pull(effective_radius) * overlap.max(0.0)
    }

    fn facts(&self, effective_radius: f64, _effective_mass: f64, _speed: f64) -> Vec<Derived> {
        vec![
            Derived { name: PULL_OFF, value: self.pull(effective_radius), unit: "N" },
            tabor_number(effective_radius, self.hertz.young_modulus(), self.surface_energy),
        ]
    }

    fn derived(&self) -> Vec<Derived> {
        let energy = Derived { name: "surface energy of one face", value: self.surface_energy, unit: "J/m^2" };
        self.hertz.derived().into_iter().chain([energy]).collect()
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, dashpot0: R, start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        let (hertz, record) = self.hertz.respond_unclipped(k, dashpot0, start);
        let zero = R::zero();
        let pull = self.pull(k.effective_radius);
        let [pull0, pull1] = {
            let pull_at = |overlap: R| R::select(overlap.greater(zero), pull, zero);
            [pull_at(k.overlap0), pull_at(k.overlap1)]
        };
        let (elastic0, elastic1) = (hertz.elastic0 - pull0, hertz.elastic1 - pull1);
        let force1 = with_dashpot(elastic1, hertz.dashpot_force, self.hertz.allows_no_tension());
        let dashpot_force = force1 - elastic1;
        let more = R::parameter(self.pulls_in_limit);
        let limit0 = hertz.elastic0.plus_product(more, pull0);
        let limit1 = hertz.elastic1.plus_product(more, pull1);
        let response = NormalResponse {
            force0: with_dashpot(elastic0, dashpot0, true),
            force1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0,
            limit1,
            elastic_limit0: limit0,
            elastic_limit1: limit1,
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
            ..hertz
        };
        (response, record)
    }
}
