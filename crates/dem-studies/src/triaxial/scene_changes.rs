//! What a test changes in its scene.

use dem_sim::builder::LoadedScene;
use dem_sim::scene::SenseScene;

use super::course::Prepared;
use super::options::Options;
use super::path::Held;
use crate::error::StudyError;

/// Changes of the scene for the path and the strain of the options.
///
/// # Errors
/// A scene without stages.
pub fn changes(options: &Options, loaded: &LoadedScene) -> Result<Vec<String>, StudyError> {
    let count = loaded.scene.stages.len();
    if count == 0 {
        return Err(StudyError::Triaxial("the scene has no stages: the last one is the test".to_owned()));
    }
    // factor from what is positive in compression to what the scene counts as positive
    let sign = match loaded.scene.cell.as_ref().map(|cell| cell.positive).unwrap_or_default() {
        SenseScene::Tension => -1.0,
        SenseScene::Compression => 1.0,
    };
    let last = count - 1;
    let axes = ["xx", "yy", "zz"];
    let axis = axes[options.axis];
    let mut changes = Vec::new();
    if let Some(path) = options.path {
        let (rate, pressure) = (sign * path.rate, sign * path.pressure);
        let held = match path.held {
            Held::MeanStress => format!("mean_stress = {pressure:?}"),
            Held::Volume => "constant_volume = true".to_owned(),
            Held::LateralStress => {
                let lateral = axes.iter().filter(|name| **name != axis);
                lateral.map(|name| format!("{name} = {{ stress = {pressure:?} }}")).collect::<Vec<_>>().join(", ")
            }
        };
        changes.push(format!("stages.{last}.deform={{ {axis} = {{ rate = {rate:?} }}, {held} }}"));
    }
    if let Some(strain) = options.strain {
        let extends = options.path.is_some_and(|path| path.rate < 0.0);
        let strain = if extends { -sign * strain } else { sign * strain };
        changes.push(format!("stages.{last}.until={{ strain = {{ {axis} = {strain:?} }} }}"));
    }
    Ok(changes)
}

/// Changes of the scene that make its contacts stiffer: the spring constant where the law has one, the modulus of the grains otherwise.
pub fn stiffer(prepared: &Prepared, loaded: &LoadedScene, factor: f64) -> Vec<String> {
    let springs: Vec<f64> = prepared.normal_stiffnesses();
    match springs.first() {
        Some(stiffness) => vec![format!("contact.normal_stiffness={:?}", stiffness * factor)],
        None => {
            let materials = loaded.scene.materials.iter();
            let change = |(name, material): (&String, &dem_sim::scene::MaterialScene)| {
                format!("materials.{name}.young_modulus={:?}", material.young_modulus.si() * factor)
            };
            materials.map(change).collect()
        }
    }
}
