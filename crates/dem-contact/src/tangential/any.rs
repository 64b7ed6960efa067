//! Any one of the tangential models, by a word. Adding a model is one line in the table below.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalResponse};
use crate::parameter::{LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::friction::StaticDynamic;
use crate::submodels::tangential_dashpot::TangentialDashpot;
use crate::tangential::{
    self, Balevicius, Conventional, Foundation, Kuhn, Mindlin, MindlinDeresiewicz, NoTangential, TangentialModel,
    TangentialResponse, TotalForm,
};

macro_rules! tangential_models {
    ($($model:ident),* $(,)?) => {
        /// Tangential model that a word chooses.
        #[derive(Clone, Copy, Debug)]
        pub enum AnyTangential {
            $(#[doc = concat!("See [`", stringify!($model), "`](crate::tangential::", stringify!($model), ").")]
            $model($model)),*
        }

        const WORDS: &[&str] = &[$(<$model as TangentialModel>::KEY),*];

        impl AnyTangential {
            fn models() -> Vec<(&'static str, Vec<ParameterSpec>)> {
                vec![$((<$model as TangentialModel>::KEY, <$model as TangentialModel>::parameters())),*]
            }

            fn named(
                word: &str,
                parameters: &ParameterSet,
                pair: &PairMaterial,
                normal_stiffness: Option<f64>,
            ) -> Result<Self, LawError> {
                $(if word == <$model as TangentialModel>::KEY {
                    return <$model as TangentialModel>::new(parameters, pair, normal_stiffness).map(Self::$model);
                })*
                Err(LawError::new("tangential", format!("= \"{word}\", expected one of {}", WORDS.join(", "))))
            }
        }

        /// Evaluates an expression for the model that was chosen.
        macro_rules! chosen {
            ($any:expr, $name:ident => $value:expr) => {
                match $any {
                    $(AnyTangential::$model($name) => $value),*
                }
            };
        }
    };
}

/// With static and dynamic friction, which is plain friction unless it is requested.
type SpringSlider = tangential::SpringSlider<StaticDynamic>;
type MindlinNoSlip = tangential::MindlinNoSlip<StaticDynamic>;

tangential_models! {
    NoTangential,
    SpringSlider,
    MindlinNoSlip,
    Mindlin,
    TotalForm,
    Kuhn,
    Conventional,
    MindlinDeresiewicz,
    Foundation,
    Balevicius,
}

impl TangentialModel for AnyTangential {
    const KEY: &'static str = "any";

    fn parameters() -> Vec<ParameterSpec> {
        Vec::new()
    }

    fn choices() -> Vec<ModelChoice> {
        let choice = ParameterSpec {
            name: "tangential",
            unit: "-",
            meaning: "tangential model, the same for all pairs of materials that the law governs",
            kind: ParameterKind::Choice(WORDS),
        };
        vec![ModelChoice { choice, models: Self::models() }]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Self::named(parameters.choice("tangential"), parameters, pair, normal_stiffness)
    }

    fn made_for(&self) -> Option<NormalKind> {
        chosen!(self, model => model.made_for())
    }

    fn fields(&self) -> Vec<FieldSpec> {
        chosen!(self, model => model.fields())
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        chosen!(self, model => model.stiffness(effective_radius, overlap))
    }

    fn dashpot(&self) -> TangentialDashpot {
        chosen!(self, model => model.dashpot())
    }

    fn needs_tangential_velocity(&self) -> bool {
        chosen!(self, model => model.needs_tangential_velocity())
    }

    fn weakening(&self) -> f64 {
        chosen!(self, model => model.weakening())
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        chosen!(self, model => model.elastic_slip(effective_radius, overlap, record))
    }

    fn force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        chosen!(self, model => model.force_without_dashpots(effective_radius, overlap, record))
    }

    fn derived(&self) -> Vec<Derived> {
        chosen!(self, model => model.derived())
    }

    #[inline(always)]
    fn respond(
        &self,
        k: &Kinematics,
        n: &NormalResponse,
        energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse {
        chosen!(self, model => model.respond(k, n, energy0, start, end))
    }
}
