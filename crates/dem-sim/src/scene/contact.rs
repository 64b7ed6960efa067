//! Materials and contact parameters as a user writes them.

use std::collections::BTreeMap;

use dem_io::units::{Density, Pressure, Quantity, Ratio, UncheckedQuantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// A material.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialScene {
    /// Density.
    pub density: Quantity<Density>,
    /// Young's modulus.
    pub young_modulus: Quantity<Pressure>,
    /// Young's modulus of the real material, where `young_modulus` is a softer one that saves steps. No run depends on it: `dem check` shows what the softening
    /// does to adhesion.
    pub real_young_modulus: Option<Quantity<Pressure>>,
    /// Poisson's ratio, 0 ≤ value < 0.5.
    pub poisson_ratio: Quantity<Ratio>,
    /// Friction coefficient; a pair of materials that both give one takes the smaller.
    pub friction: Option<Quantity<Ratio>>,
    /// Restitution coefficient; a pair of materials that both give one takes the geometric mean.
    pub restitution: Option<Quantity<Ratio>>,
}

/// Value of a law's parameter: yes or no, a number, a text with a unit, or a word.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ContactValue {
    /// Yes or no.
    Flag(bool),
    /// A number, a text with a unit, or a word.
    Quantity(UncheckedQuantity),
}

/// Contact law and its parameters; `dem laws NAME` lists them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ContactScene {
    /// Name of the law; `dem laws` lists them.
    pub law: String,
    /// Where contact forces act: "half" the overlap inside each surface (default), at the full "radius", for reproduction of
    /// published results only, or on the "plane" of walls and at half the overlap between particles.
    pub lever: Option<String>,
    /// How tangential histories are rotated with a contact: "exact" (default), or for comparison with published codes "averaged-spin",
    /// "projection-twirl", "projection", "scaled-projection" or "none".
    pub transport: Option<String>,
    /// How the slip of a step is taken: from "finite" rotations (default), or for comparison with published codes from the
    /// velocities, "first-order", or from the material points in contact at the start of the step, "start-points".
    pub slip: Option<String>,
    /// What of a rigid body a contact has to move, for dashpots and the duration of a contact: what a force at the "contact" meets (default), so that the
    /// asked restitution is reached wherever a body is hit, or for comparison with published codes the mass of the whole "body", or that which the touching
    /// "sphere" would have by itself. Spheres have no choice.
    pub effective_mass: Option<String>,
    /// Parameters of the law.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, ContactValue>,
}

/// Other parameters, or another law, for a pair of materials.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PairScene {
    /// The two materials.
    pub materials: [String; 2],
    /// Name of the law, if it is another one.
    pub law: Option<String>,
    /// Parameters that differ.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, ContactValue>,
}
