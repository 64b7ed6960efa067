//! Any one of the normal models, by a word: in place of that of a law. Adding a model is one line in the table below.

use std::sync::LazyLock;

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use super::memory::{adhesion_work, plastic_work};
use crate::law::{Derived, Kinematics};
use crate::normal::{
    ContactDamped, Dmt, Edinburgh, Hertz, Jkr, Luding, NormalKind, NormalModel, NormalResponse, Thornton, WaltonBraun,
};
use crate::parameter::{LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

/// Numbers of the record that all models share: two of state, plastic work, adhesion work. So pairs of materials may have different models.
const NUMBERS: usize = 4;
const PLASTIC: usize = 2;
const ADHESION: usize = 3;

macro_rules! normal_models {
    ($($model:ident: $places:expr),* $(,)?) => {
        /// Normal model that a word chooses.
        #[derive(Clone, Copy, Debug)]
        pub enum ChosenNormal {
            $(#[doc = concat!("See [`", stringify!($model), "`].")]
            $model($model)),*
        }

        /// Words for the models.
        const KEYS: &[&str] = &[$(<$model as NormalModel>::KEY),*];

        fn parameters_of(word: &str) -> Vec<ParameterSpec> {
            $(if word == <$model as NormalModel>::KEY {
                return <$model as NormalModel>::parameters();
            })*
            Vec::new()
        }

        impl ChosenNormal {
            fn named(word: &str, parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
                $(if word == <$model as NormalModel>::KEY {
                    return <$model as NormalModel>::new(parameters, pair).map(Self::$model);
                })*
                Err(LawError::new(NORMAL, format!("= \"{word}\", expected one of {}", KEYS.join(", "))))
            }

            /// What the model remembers, of the record.
            fn memory(&self, record: &[f64]) -> Vec<f64> {
                let at = |places: &[usize]| places.iter().map(|&k| record.get(k).copied().unwrap_or(0.0)).collect();
                match self {
                    $(Self::$model(_) => at(&$places)),*
                }
            }

            #[inline(always)]
            fn answer<R: Real>(
                &self,
                k: &Kinematics<R>,
                dashpot0: R,
                start: &[R; NUMBERS],
            ) -> (NormalResponse<R>, [R; NUMBERS]) {
                let mut end = *start;
                let response = match self {
                    $(Self::$model(model) => {
                        let (response, memory) = model.respond(k, dashpot0, &$places.map(|k: usize| start[k]));
                        for (k, number) in $places.into_iter().zip(memory) {
                            end[k] = number;
                        }
                        response
                    }),*
                };
                (response, end)
            }
        }

        /// Evaluates an expression for the model that was chosen.
        macro_rules! chosen {
            ($any:expr, $name:ident => $value:expr) => {
                match $any {
                    $(ChosenNormal::$model($name) => $value),*
                }
            };
        }
    };
}

const NONE: [usize; 0] = [];

normal_models! {
    Hertz: NONE,
    ContactDamped: NONE,
    Jkr: [0, ADHESION],
    Dmt: NONE,
    Thornton: [0, 1, PLASTIC, ADHESION],
    WaltonBraun: [0, PLASTIC],
    Luding: [0, PLASTIC],
    Edinburgh: [0, 1, PLASTIC],
}

/// The parameter that chooses.
pub const NORMAL: &str = "normal";

/// The words, each list with another one first, which is the default of laws with that model.
static WORDS: LazyLock<Vec<&'static [&'static str]>> = LazyLock::new(|| {
    let with_first = |first: &'static str| {
        let others = KEYS.iter().copied().filter(|key| *key != first);
        let words: &'static [&'static str] = std::iter::once(first).chain(others).collect::<Vec<_>>().leak();
        words
    };
    KEYS.iter().copied().map(with_first).collect()
});

/// The choice for a law whose own model has a name, if it is one of these; without a name for no law in particular.
pub fn normal_choice(own: Option<&str>) -> Option<ModelChoice> {
    let words = match own {
        Some(own) => WORDS.iter().find(|words| words.first() == Some(&own))?,
        None => WORDS.first()?,
    };
    let choice = ParameterSpec {
        name: NORMAL,
        unit: "-",
        meaning: "normal model in place of that of the law, with the parameters of that model; contacts are then evaluated one at a time",
        kind: ParameterKind::Choice(words),
    };
    Some(ModelChoice { choice, models: words.iter().map(|&word| (word, parameters_of(word))).collect() })
}

/// Fields of the history of a chosen model.
pub fn fields() -> Vec<FieldSpec> {
    let state = FieldSpec {
        name: "normal_state",
        unit: "-",
        meaning: "what the chosen normal model remembers, in its units: contact size of jkr; largest contact radius of thornton-ning, and whether it is attached; largest overlap \
                  of walton-braun, luding and edinburgh, and of the latter the deepest one",
        width: 2,
        role: FieldRole::State,
    };
    vec![state, plastic_work(), adhesion_work()]
}

impl NormalModel for ChosenNormal {
    const KEY: &'static str = "chosen";
    type Record<R: Real> = [R; NUMBERS];

    fn parameters() -> Vec<ParameterSpec> {
        Vec::new()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        Self::named(parameters.choice(NORMAL), parameters, pair)
    }

    fn fields(&self) -> Vec<FieldSpec> {
        fields()
    }

    fn kind(&self) -> NormalKind {
        chosen!(self, model => model.kind())
    }

    fn holds_on(&self) -> bool {
        chosen!(self, model => model.holds_on())
    }

    #[inline(always)]
    fn range<R: Real>(&self, effective_radius: R) -> R {
        chosen!(self, model => model.range(effective_radius))
    }

    fn constant_stiffness(&self) -> Option<f64> {
        chosen!(self, model => model.constant_stiffness())
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        chosen!(self, model => model.stiffness(effective_radius, overlap))
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let memory = self.memory(record);
        chosen!(self, model => model.elastic_force(effective_radius, overlap, &memory))
    }

    fn dashpot(&self) -> Dashpot {
        chosen!(self, model => model.dashpot())
    }

    fn dashpot_viscosity(&self, stiffness: f64, effective_radius: f64, effective_mass: f64) -> Option<f64> {
        chosen!(self, model => model.dashpot_viscosity(stiffness, effective_radius, effective_mass))
    }

    fn viscosity(&self) -> f64 {
        chosen!(self, model => model.viscosity())
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
        let memory = self.memory(record);
        chosen!(self, model => model.elastic_energy(effective_radius, overlap, &memory))
    }

    fn adheres(&self) -> bool {
        chosen!(self, model => model.adheres())
    }

    fn adhesion_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let memory = self.memory(record);
        chosen!(self, model => model.adhesion_energy(effective_radius, overlap, &memory))
    }

    fn area_overlap(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let memory = self.memory(record);
        chosen!(self, model => model.area_overlap(effective_radius, overlap, &memory))
    }

    fn has_area_of_spheres(&self) -> bool {
        chosen!(self, model => model.has_area_of_spheres())
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        chosen!(self, model => model.facts(effective_radius, effective_mass, speed))
    }

    fn derived(&self) -> Vec<Derived> {
        chosen!(self, model => model.derived())
    }

    #[inline(always)]
    fn respond<R: Real>(
        &self,
        kinematics: &Kinematics<R>,
        dashpot0: R,
        start: &[R; NUMBERS],
    ) -> (NormalResponse<R>, [R; NUMBERS]) {
        self.answer(kinematics, dashpot0, start)
    }
}
