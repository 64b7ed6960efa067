//! Materials that the series follows, and grids that tell how well they are mixed.

use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::nearest;

use super::regions::checked;
use crate::measure::names::column_name;
use crate::scene::document::Scene;
use crate::state::material_flow::MaterialFlow;
use crate::state::mixing_grid::MixingGrid;
use crate::state::world::World;

/// Most grids of a scene, and most cells of one.
const MOST_GRIDS: usize = 100;
const MOST_CELLS: u64 = 100_000;

/// The materials of a scene that are followed.
pub(crate) fn flows(document: &SceneDocument, scene: &Scene, world: &World) -> Result<Vec<MaterialFlow>, SceneError> {
    let mut flows: Vec<MaterialFlow> = Vec::new();
    for (index, name) in scene.output.materials.iter().enumerate() {
        let path = KeyPath::from(&["output", "materials", index.to_string().as_str()]);
        let material = material(document, &path, name, world)?;
        if flows.iter().any(|flow| flow.material == material) {
            return Err(document.error_at(path, "expected every material once"));
        }
        flows.push(MaterialFlow { material, ..MaterialFlow::default() });
    }
    let names: Vec<String> = scene.output.materials.iter().map(|name| column_name(name)).collect();
    if let Some(at) = (0..names.len()).find(|&at| names[..at].contains(&names[at])) {
        let path = KeyPath::from(&["output", "materials", at.to_string().as_str()]);
        return Err(document.error_at(path, format!("another material has the column removed_{}, too", names[at])));
    }
    Ok(flows)
}

/// The grids of a scene.
pub(crate) fn grids(document: &SceneDocument, scene: &Scene, world: &World) -> Result<Vec<MixingGrid>, SceneError> {
    let given = &scene.output.mixing;
    if given.len() > MOST_GRIDS {
        return Err(document.error_at(&["output", "mixing"], format!("expected at most {MOST_GRIDS}")));
    }
    let mut grids: Vec<MixingGrid> = Vec::new();
    for (index, scene) in given.iter().enumerate() {
        let path = KeyPath::from(&["output", "mixing", index.to_string().as_str()]);
        if scene.name.is_empty() || grids.iter().any(|other| column_name(&other.name) == column_name(&scene.name)) {
            return Err(document.error_at(path.child("name"), "expected a name that no other grid has"));
        }
        let reference = material(document, &path.child("reference"), &scene.reference, world)?;
        let number = scene.cells.iter().try_fold(1u64, |product, &cells| product.checked_mul(cells)).unwrap_or(0);
        if !(2..=MOST_CELLS).contains(&number) {
            let message = format!("{:?}, expected three counts with a product of 2 to {MOST_CELLS}", scene.cells);
            return Err(document.error_at(path.child("cells"), message));
        }
        let region = match &scene.region {
            Some(_) if world.deformation.is_some() => {
                let message = "expected no region, but the whole cell, which changes its shape";
                return Err(document.error_at(path.child("region"), message));
            }
            Some(region) => Some(checked(document, &path.child("region"), region, world)?),
            None => None,
        };
        let cells = scene.cells.map(|count| count as usize);
        grids.push(MixingGrid { name: scene.name.clone(), reference, cells, region });
    }
    Ok(grids)
}

fn material(document: &SceneDocument, path: &KeyPath, name: &str, world: &World) -> Result<u16, SceneError> {
    if let Some(found) = world.materials.iter().position(|material| material.name == name) {
        return Ok(found as u16);
    }
    let names: Vec<&str> = world.materials.iter().map(|material| material.name.as_str()).collect();
    let error = document.error_at(path.clone(), format!("expected a material: {}", names.join(", ")));
    Err(match nearest(name, names) {
        Some(meant) => error.with_help(format!("did you mean \"{meant}\"?")),
        None => error,
    })
}
