//! Regions that are measured.

use dem_core::DVec3;
use dem_core::figure::ShortestVector;
use dem_io::document::{KeyPath, SceneDocument, SceneError};

use super::requests::convert_region;
use crate::builder::values::direction;
use crate::insertion::periodic_lengths::PeriodicLengths;
use crate::insertion::region::Region;
use crate::measure::names::column_name;
use crate::scene::document::Scene;
use crate::scene::source::RegionScene;
use crate::state::measured_region::MeasuredRegion;
use crate::state::world::World;

/// Most regions of a scene.
const MOST: usize = 1_000;

/// Builds the measured regions of a scene.
pub(crate) fn build(document: &SceneDocument, scene: &Scene, world: &World) -> Result<Vec<MeasuredRegion>, SceneError> {
    let given = &scene.output.regions;
    if given.len() > MOST {
        return Err(document.error_at(&["output", "regions"], format!("expected at most {MOST}")));
    }
    let mut regions: Vec<MeasuredRegion> = Vec::new();
    for (index, scene) in given.iter().enumerate() {
        let path = KeyPath::from(&["output", "regions", index.to_string().as_str()]);
        if world.deformation.is_some() {
            return Err(document.error_at(
                path.child("region"),
                "expected a cell that keeps its shape; the stress of others is in stress_xx and so on",
            ));
        }
        let column = column_name(&scene.name);
        if regions.iter().any(|other| column_name(&other.name) == column) {
            return Err(document.error_at(path.child("name"), "expected a name that no other region has"));
        }
        let region = checked(document, &path.child("region"), &scene.region, world)?;
        regions.push(MeasuredRegion { name: scene.name.clone(), region });
    }
    Ok(regions)
}

/// A region that lies in the periodic domain.
pub(crate) fn checked(
    document: &SceneDocument,
    path: &KeyPath,
    given: &RegionScene,
    world: &World,
) -> Result<Region, SceneError> {
    if let RegionScene::Cylinder { axis, .. } | RegionScene::Frustum { axis, .. } = given {
        direction(document, path.child("axis"), *axis)?;
    }
    let fail = |message: String| document.error_at(path.clone(), message);
    let region = convert_region(given);
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
    Ok(region)
}
