//! Either of the normal models, by a word.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{ContactDamped, Hertz, Linear, NormalKind, NormalModel, NormalResponse};
use crate::parameter::{LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

/// Normal model that a word chooses.
#[derive(Clone, Copy, Debug)]
pub enum AnyNormal {
    /// See [`ContactDamped`].
    Linear(ContactDamped),
    /// See [`Hertz`].
    Hertz(Hertz),
}

/// Evaluates an expression for the model that was chosen.
macro_rules! chosen {
    ($any:expr, $name:ident => $value:expr) => {
        match $any {
            AnyNormal::Linear($name) => $value,
            AnyNormal::Hertz($name) => $value,
        }
    };
}

impl NormalModel for AnyNormal {
    const KEY: &'static str = "any";
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        Vec::new()
    }

    fn choices() -> Vec<ModelChoice> {
        let choice = ParameterSpec {
            name: "normal",
            unit: "-",
            meaning: "normal model",
            kind: ParameterKind::Choice(&[Linear::KEY, Hertz::KEY]),
        };
        let models = vec![(Linear::KEY, ContactDamped::parameters()), (Hertz::KEY, Hertz::parameters())];
        vec![ModelChoice { choice, models }]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        if parameters.choice("normal") == Hertz::KEY {
            Hertz::new(parameters, pair).map(Self::Hertz)
        } else {
            ContactDamped::new(parameters, pair).map(Self::Linear)
        }
    }

    fn kind(&self) -> NormalKind {
        chosen!(self, model => model.kind())
    }

    fn constant_stiffness(&self) -> Option<f64> {
        chosen!(self, model => model.constant_stiffness())
    }

    fn viscosity(&self) -> f64 {
        chosen!(self, model => model.viscosity())
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        chosen!(self, model => model.stiffness(effective_radius, overlap))
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        chosen!(self, model => model.elastic_force(effective_radius, overlap, record))
    }

    fn dashpot(&self) -> Dashpot {
        chosen!(self, model => model.dashpot())
    }

    fn dashpot_viscosity(&self, stiffness: f64, effective_radius: f64, effective_mass: f64) -> Option<f64> {
        chosen!(self, model => model.dashpot_viscosity(stiffness, effective_radius, effective_mass))
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        chosen!(self, model => model.impact_overlap(effective_radius, effective_mass, speed))
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        chosen!(self, model => model.contact_duration(effective_radius, effective_mass, speed))
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        chosen!(self, model => model.pull_duration(effective_radius, effective_mass, speed))
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        chosen!(self, model => model.elastic_energy(effective_radius, overlap, record))
    }

    fn derived(&self) -> Vec<Derived> {
        chosen!(self, model => model.derived())
    }

    #[inline(always)]
    fn respond<R: Real>(&self, kinematics: &Kinematics<R>, dashpot0: R, start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        chosen!(self, model => model.respond(kinematics, dashpot0, start))
    }
}
