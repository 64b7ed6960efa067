//! Linear spring, dashpot and slider.

use crate::composite::Recipe;
use crate::law::LawDescription;
use crate::normal;
use crate::tangential::SpringSlider;

/// The recipe.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

impl Recipe for Linear {
    const KEY: &'static str = "linear";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear spring, dashpot and slider",
        formula: "N = max(0, k d + c d'), c = 2 z sqrt(k m*)\nT = -k_t s, |T| <= mu N; sliding shortens the spring to s = -T/k_t",
        source: "Cundall & Strack, Geotechnique 29 (1979) 47; Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eq. 36",
        notes: "restitution is met exactly, the clip of tension included; damping_ratio is used as given",
    };
    type Normal = normal::Linear;
    type Tangential = SpringSlider;
}
