//! Facets of meshes whose load and wear are recorded.

use dem_core::wall::Shape;
use dem_io::document::{SceneDocument, SceneError};

use crate::builder::values::positive;
use crate::scene::document::Scene;
use crate::scene::output::WallFacetsScene;
use crate::state::world::World;
use crate::wall_facets::records::WallFacets;
use crate::wall_facets::wear::Wear;

/// Builds the records of the facets that a scene asks for, in the order of the walls.
pub(super) fn build(document: &SceneDocument, scene: &Scene, world: &World) -> Result<WallFacets, SceneError> {
    let mut walls: Vec<(usize, Wear, usize)> = Vec::new();
    for (index, given) in scene.output.wall_facets.iter().enumerate() {
        let index = index.to_string();
        let path = |key: &'static str| ["output", "wall_facets", index.as_str(), key];
        let meshes = || world.walls.iter().filter(|wall| matches!(wall.shape, Shape::Mesh { .. }));
        let names = || meshes().map(|wall| wall.name.as_str()).collect::<Vec<_>>().join(", ");
        let number = world.walls.iter().position(|wall| wall.name == given.wall);
        let facets = number.and_then(|number| match &world.walls[number].shape {
            Shape::Mesh { mesh, .. } => Some((number, mesh.facet_count())),
            _ => None,
        });
        let Some((number, facets)) = facets else {
            let message = match (number, names()) {
                (_, names) if names.is_empty() => "expected a wall that is a mesh: the scene has none".to_owned(),
                (Some(_), names) => format!("expected a wall that is a mesh: {names}; others have wall_probes"),
                (None, names) => format!("expected the name of a wall that is a mesh: {names}"),
            };
            return Err(document.error_at(&path("wall"), message));
        };
        if walls.iter().any(|&(other, ..)| other == number) {
            return Err(document.error_at(&path("wall"), "expected a wall that stands here once"));
        }
        walls.push((number, wear(document, &index, given)?, facets));
    }
    walls.sort_unstable_by_key(|&(number, ..)| number);
    Ok(WallFacets::new(walls))
}

fn wear(document: &SceneDocument, index: &str, given: &WallFacetsScene) -> Result<Wear, SceneError> {
    let path = |law: &'static str, key: &'static str| ["output", "wall_facets", index, law, key];
    let archard = given.archard.as_ref().map(|archard| {
        let coefficient = positive(document, &path("archard", "coefficient"), archard.coefficient.si(), "-")?;
        let hardness = positive(document, &path("archard", "hardness"), archard.hardness.si(), "Pa")?;
        Ok(coefficient / hardness)
    });
    let finnie = given
        .finnie
        .as_ref()
        .map(|finnie| positive(document, &path("finnie", "coefficient"), finnie.coefficient.si(), "m^3/J"));
    Ok(Wear { archard: archard.transpose()?, finnie: finnie.transpose()? })
}
