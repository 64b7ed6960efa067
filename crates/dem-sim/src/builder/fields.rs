//! Forces on single particles.

use dem_core::DVec3;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::units::Quantity;

use super::values::{in_range, positive};
use crate::fields::body_forces::{Fields, Magnus};
use crate::fields::drag::{Drag, DragLaw, Fluid};
use crate::insertion::pouring_source::PouringSource;
use crate::scene::document::Scene;
use crate::scene::fields::{DragScene, FieldsScene};
use crate::state::world::World;

/// Smallest edge of the cells of the local porosity in proportion to the largest diameter: in smaller ones there is
/// little but the sphere itself.
const SMALLEST_CELL: f64 = 2.0;

/// The fields of a table of a scene.
pub(super) fn build_fields(
    document: &SceneDocument,
    path: &KeyPath,
    given: &FieldsScene,
) -> Result<Fields, SceneError> {
    let mut fields = Fields { gravity: given.gravity(), ..Fields::default() };
    if let Some(rotation) = given.gravity_rotation {
        fields.gravity_rotation = Quantity::vector(rotation);
        if fields.gravity_rotation.cross(fields.gravity) == DVec3::ZERO {
            return Err(document.error_at(
                path.child("gravity_rotation"),
                "expected a vector that is neither zero nor parallel to gravity: it would have no effect",
            ));
        }
    }
    let fluid_velocity = given.fluid_velocity.map_or(DVec3::ZERO, Quantity::vector);
    fields.drag = build_drag(document, path, given)?.map(|law| Drag { law, fluid_velocity });
    if given.fluid_velocity.is_some() && fields.drag.is_none() && given.magnus_coefficient.is_none() {
        let message = "expected drag_coefficient or magnus_coefficient as well, or another law of drag";
        return Err(document.error_at(path.child("fluid_velocity"), message));
    }
    if let Some(s) = given.magnus_coefficient {
        let coefficient =
            in_range(document, path.child("magnus_coefficient"), s.si(), "kg", "value >= 0", |x| x >= 0.0)?;
        fields.magnus = Some(Magnus { coefficient, fluid_velocity });
    }
    if let Some(a) = given.local_damping {
        fields.local_damping = in_range(document, path.child("local_damping"), a.si(), "-", "0 <= value < 1", |x| {
            (0.0..1.0).contains(&x)
        })?;
    }
    if let Some(c) = given.mass_damping {
        fields.mass_damping =
            in_range(document, path.child("mass_damping"), c.si(), "1/s", "value >= 0", |x| x >= 0.0)?;
    }
    Ok(fields)
}

/// The law of drag, with what it needs and nothing else.
fn build_drag(document: &SceneDocument, path: &KeyPath, given: &FieldsScene) -> Result<Option<DragLaw>, SceneError> {
    let law = match given.drag {
        Some(law) => law,
        None if given.drag_coefficient.is_some() => DragScene::Linear,
        None => DragScene::None,
    };
    let needed: &[&str] = match law {
        DragScene::None => &[],
        DragScene::Linear => &["drag_coefficient"],
        DragScene::Stokes => &["fluid_viscosity"],
        DragScene::SchillerNaumann => &["fluid_viscosity", "fluid_density"],
        DragScene::WenYu => &["fluid_viscosity", "fluid_density", "porosity_cell"],
    };
    let keys = [
        ("drag_coefficient", given.drag_coefficient.is_some()),
        ("fluid_viscosity", given.fluid_viscosity.is_some()),
        ("fluid_density", given.fluid_density.is_some()),
        ("porosity_cell", given.porosity_cell.is_some()),
    ];
    for (key, is_given) in keys {
        if is_given && !needed.contains(&key) {
            let who = match key {
                "drag_coefficient" => "drag = \"linear\"",
                "fluid_viscosity" => "drag = \"stokes\", \"schiller-naumann\" or \"wen-yu\"",
                "fluid_density" => "drag = \"schiller-naumann\" or \"wen-yu\"",
                _ => "drag = \"wen-yu\"",
            };
            return Err(document.error_at(path.child(key), format!("expected {who} as well")));
        }
        if !is_given && needed.contains(&key) {
            return Err(document.error_at(path.child("drag"), format!("expected {} as well", needed.join(", "))));
        }
    }
    let number = |given: Option<f64>, key: &str, unit: &str| match given {
        Some(x) => positive(document, path.child(key), x, unit),
        None => Ok(0.0),
    };
    let viscosity = number(given.fluid_viscosity.map(Quantity::si), "fluid_viscosity", "Pa s")?;
    let density = number(given.fluid_density.map(Quantity::si), "fluid_density", "kg/m^3")?;
    let cell = number(given.porosity_cell.map(Quantity::si), "porosity_cell", "m")?;
    let fluid = Fluid { density, viscosity };
    Ok(match law {
        DragScene::None => None,
        DragScene::Linear => {
            let c = given.drag_coefficient.map_or(0.0, Quantity::si);
            let coefficient =
                in_range(document, path.child("drag_coefficient"), c, "N s/m", "value >= 0", |x| x >= 0.0)?;
            Some(DragLaw::Linear { coefficient })
        }
        DragScene::Stokes => Some(DragLaw::Stokes { viscosity }),
        DragScene::SchillerNaumann => Some(DragLaw::SchillerNaumann { fluid }),
        DragScene::WenYu => Some(DragLaw::WenYu { fluid, cell }),
    })
}

/// Refuses cells of the local porosity that are no larger than a few spheres.
pub(super) fn check_porosity_cell(
    document: &SceneDocument,
    scene: &Scene,
    world: &World,
    sources: &[PouringSource],
) -> Result<(), SceneError> {
    let radii = world.particles.radius.iter().copied().chain(sources.iter().map(|source| source.largest));
    let least = SMALLEST_CELL * 2.0 * radii.fold(0.0, f64::max);
    match scene.fields.porosity_cell {
        Some(cell) if cell.si() < least => {
            let allowed = format!("value >= {SMALLEST_CELL} largest diameters = {least:e} m");
            Err(document.range_error(&["fields", "porosity_cell"], "m", &allowed))
        }
        _ => Ok(()),
    }
}
