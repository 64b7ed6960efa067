//! Forces on single particles.

use dem_core::DVec3;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::units::Quantity;

use super::in_range;
use crate::fields::{Drag, Fields, Magnus};
use crate::scene::Scene;

/// The fields of a scene.
pub(super) fn build_fields(document: &SceneDocument, scene: &Scene) -> Result<Fields, SceneError> {
    let given = &scene.fields;
    let mut fields = Fields { gravity: given.gravity(), ..Fields::default() };
    if let Some(rotation) = given.gravity_rotation {
        fields.gravity_rotation = Quantity::vector(rotation);
        if fields.gravity_rotation.cross(fields.gravity) == DVec3::ZERO {
            return Err(document.error_at(
                &["fields", "gravity_rotation"],
                "expected a vector that is neither zero nor parallel to gravity: it would turn nothing",
            ));
        }
    }
    let fluid_velocity = given.fluid_velocity.map_or(DVec3::ZERO, Quantity::vector);
    if given.fluid_velocity.is_some() && given.drag_coefficient.is_none() && given.magnus_coefficient.is_none() {
        let message = "expected drag_coefficient or magnus_coefficient beside it";
        return Err(document.error_at(&["fields", "fluid_velocity"], message));
    }
    if let Some(c) = given.drag_coefficient {
        let coefficient =
            in_range(document, &["fields", "drag_coefficient"], c.si(), "N s/m", "value >= 0", |x| x >= 0.0)?;
        fields.drag = Some(Drag { coefficient, fluid_velocity });
    }
    if let Some(s) = given.magnus_coefficient {
        let coefficient =
            in_range(document, &["fields", "magnus_coefficient"], s.si(), "kg", "value >= 0", |x| x >= 0.0)?;
        fields.magnus = Some(Magnus { coefficient, fluid_velocity });
    }
    if let Some(a) = given.local_damping {
        fields.local_damping = in_range(document, &["fields", "local_damping"], a.si(), "-", "0 <= value < 1", |x| {
            (0.0..1.0).contains(&x)
        })?;
    }
    if let Some(c) = given.mass_damping {
        fields.mass_damping =
            in_range(document, &["fields", "mass_damping"], c.si(), "1/s", "value >= 0", |x| x >= 0.0)?;
    }
    Ok(fields)
}
