//! A tangential stiffness that does not depend on the load, given as a share of the normal one.

use dem_core::material::PairMaterial;

use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};

/// Ratio of the stiffnesses.
pub const STIFFNESS_RATIO: ParameterSpec = ParameterSpec {
    name: "stiffness_ratio",
    unit: "-",
    meaning: "tangential to normal stiffness k_t/k; the default is Mindlin's 4 G*/E* of the two materials",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// Tangential stiffness k_t \[N/m\] of the model called `model`.
///
/// # Errors
/// A normal model whose stiffness depends on the load (`normal_stiffness` is `None`).
pub fn tangential_stiffness(
    model: &str,
    parameters: &ParameterSet,
    pair: &PairMaterial,
    normal_stiffness: Option<f64>,
) -> Result<f64, LawError> {
    let Some(normal_stiffness) = normal_stiffness else {
        let message = format!("= \"{model}\", expected with a normal model of constant stiffness");
        return Err(LawError::new("tangential", message));
    };
    let ratio = parameters.optional(STIFFNESS_RATIO.name).unwrap_or_else(|| pair.stiffness_ratio());
    Ok(ratio * normal_stiffness)
}
