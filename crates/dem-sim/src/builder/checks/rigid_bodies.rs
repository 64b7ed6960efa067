//! What does not go together with rigid bodies.

use dem_contact::ParameterValue;
use dem_core::bodies::MemberSphere;
use dem_core::bodies::shape::components;
use dem_io::document::{KeyPath, SceneError};

use crate::builder::loaded_scene::LoadedScene;
use crate::builder::particles::clumps::Clumps;
use crate::integrators::registry;
use crate::scene::cell::DisplacementScene;
use crate::scene::time::{IntegratorScene, RotationIncrementName};
use crate::state::contact_parameters::ContactDefinition;

/// Choices of laws that resist rolling and twisting.
const RESISTANCES: [&str; 2] = ["rolling", "twisting"];

/// Refuses what bodies cannot have, and warns of what they should hardly have.
pub(crate) fn check(loaded: &LoadedScene, contact: &ContactDefinition, clumps: &Clumps) -> Result<(), SceneError> {
    let LoadedScene { document, scene, .. } = loaded;
    if !scene.particles.iter().any(|source| clumps.makes_bodies(source)) {
        return Ok(());
    }
    if scene.output.orientations == Some(false) {
        let message =
            "expected true, or no such key, with rigid bodies: their spheres are where their orientations put them";
        return Err(document.error_at(&["output", "orientations"], message));
    }
    let integrator = match &scene.time.integrator {
        Some(IntegratorScene::Name(name) | IntegratorScene::Options { name, .. }) => Some(name.as_str()),
        None => None,
    };
    if let Some(name) = integrator.filter(|name| registry::find(name).is_some_and(|entry| !entry.moves_bodies)) {
        let path = KeyPath::from(&["time", "integrator"]);
        let is_table = matches!(scene.time.integrator, Some(IntegratorScene::Options { .. }));
        let path = if is_table { path.child("name") } else { path };
        let known = registry::INTEGRATORS.iter().filter(|entry| entry.moves_bodies);
        let known: Vec<&str> = known.map(|entry| entry.key).collect();
        let message = format!("{name} does not move rigid bodies, expected one of {}", known.join(", "));
        return Err(document.error_at(path, message));
    }
    if scene.time.rotation_increment == Some(RotationIncrementName::Literal) {
        let message = "expected \"exact\" with rigid bodies, which turn freely between forces";
        return Err(document.error_at(&["time", "rotation_increment"], message));
    }
    if scene.cell.as_ref().is_some_and(|cell| cell.displacement == DisplacementScene::Boundary) {
        let message = "expected \"affine\" with rigid bodies, whose centres the cell carries along";
        return Err(document.error_at(&["cell", "displacement"], message));
    }
    for template in clumps.templates().iter().filter(|template| template.members.len() > 1) {
        let spheres = template.members.iter();
        let spheres: Vec<MemberSphere> =
            spheres.map(|member| MemberSphere { position: member.position, radius: member.radius }).collect();
        let pieces = components(&spheres);
        if pieces > 1 {
            tracing::warn!("clump \"{}\" has {pieces} pieces that do not touch, and move as one body", template.name);
        }
    }
    let none = ParameterValue::Word("none".to_owned());
    let pairs = contact.pairs();
    let parameters = || pairs.iter().flat_map(|pair| &pair.parameters);
    let resists = |choice: &&&str| parameters().any(|(name, value)| name == **choice && *value != none);
    if let Some(choice) = RESISTANCES.iter().find(resists) {
        tracing::warn!(
            "contacts of rigid bodies have {choice} resistance, which stands for the shape that spheres do not have: with shapes it is rarely wanted"
        );
    }
    Ok(())
}
