//! Linear spring, dashpot and slider.

use std::marker::PhantomData;

use crate::composite::Recipe;
use crate::law::LawDescription;
use crate::normal;
use crate::submodels::friction::{Coulomb, Friction};
use crate::tangential::SpringSlider;

/// The recipe, with a friction limit that has no memory or, for static and dynamic friction, one that has.
#[derive(Clone, Copy, Debug)]
pub struct Linear<F = Coulomb>(PhantomData<F>);

impl<F: Friction> Recipe for Linear<F> {
    const KEY: &'static str = "linear";
    const DESCRIPTION: LawDescription = LawDescription {
        summary: "linear spring, dashpot and slider",
        formula: "N = max(0, k d + c d'), c = 2 z sqrt(k m*) or g m*\nT = -k_t s, |T| <= mu N; sliding shortens the spring to s = -T/k_t",
        source: "Cundall & Strack, Geotechnique 29 (1979) 47; Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eq. 36",
        notes: "restitution is met exactly, the clip of tension included; damping_ratio is used as given; with damping_rate the restitution depends on the mass",
    };
    const MAY_FORGET_WORK: bool = true;
    type Normal = normal::Linear;
    type Tangential = SpringSlider<F>;
}
