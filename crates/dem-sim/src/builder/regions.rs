//! Regions that are measured.

use dem_core::DVec3;
use dem_core::figure::ShortestVector;
use dem_io::document::{SceneDocument, SceneError};

use super::direction;
use super::requests::convert_region;
use crate::insertion::PeriodicLengths;
use crate::measure::{MeasuredRegion, column_name};
use crate::scene::{RegionScene, Scene};
use crate::world::World;

/// Most regions of a scene.
const MOST: usize = 1_000;

/// Builds the measured regions of a scene.
pub(super) fn build(document: &SceneDocument, scene: &Scene, world: &World) -> Result<Vec<MeasuredRegion>, SceneError> {
    let given = &scene.output.regions;
    if given.len() > MOST {
        return Err(document.error_at(&["output", "regions"], format!("expected at most {MOST}")));
    }
    let mut regions: Vec<MeasuredRegion> = Vec::new();
    for (index, scene) in given.iter().enumerate() {
        let number = index.to_string();
        let path = |key: &'static str| ["output", "regions", number.as_str(), key];
        let fail = |message: String| document.error_at(&path("region"), message);
        if world.deformation.is_some() {
            return Err(fail(
                "expected a cell that keeps its shape; the stress of others is in stress_xx and so on".into(),
            ));
        }
        let column = column_name(&scene.name);
        if regions.iter().any(|other| column_name(&other.name) == column) {
            return Err(document.error_at(&path("name"), "expected a name that no other region has"));
        }
        if let RegionScene::Cylinder { axis, .. } | RegionScene::Frustum { axis, .. } = &scene.region {
            direction(document, &["output", "regions", number.as_str(), "region", "axis"], *axis)?;
        }
        let region = convert_region(&scene.region);
        region.validate(&PeriodicLengths::of(&world.cell)).map_err(|error| fail(error.to_string()))?;
        let (low, high) = region.bounds();
        let (cell_low, cell_high) = (world.cell.origin, world.cell.origin + world.cell.matrix() * DVec3::ONE);
        if (0..3).any(|k| world.cell.periodic[k] && (low[k] < cell_low[k] || high[k] > cell_high[k])) {
            return Err(fail(format!(
                "reaches from {} to {} m, expected inside the periodic domain from {} to {} m",
                ShortestVector(low),
                ShortestVector(high),
                ShortestVector(cell_low),
                ShortestVector(cell_high)
            )));
        }
        regions.push(MeasuredRegion { name: scene.name.clone(), region });
    }
    Ok(regions)
}
