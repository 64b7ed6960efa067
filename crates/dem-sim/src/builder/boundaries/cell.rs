//! A cell that deforms: what is prescribed for it is checked before the run starts.

use dem_core::wall::{Shape, Wall};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::units::{Quantity, Ratio};

use crate::builder::values::positive;
use crate::deformation::control::{Component, Constraint, Control};
use crate::deformation::deforming_cell::{Deformation, Sense};
use crate::deformation::displacement::Displacement;
use crate::deformation::{sampled_body, servo};
use crate::fields::body_forces::Fields;
use crate::scene::cell::{
    CellScene, ComponentScene, DeformScene, DisplacementScene, SenseScene, StrainScene, StressReachedScene,
};
use crate::scene::document::Scene;
use crate::scene::source::FillScene;
use crate::simulation::stage::{StrainBound, StressReached};
use crate::state::world::World;

/// Integrators that take a step in one part from the accelerations at its start.
const INTEGRATORS: [&str; 3] = ["velocity-verlet", "semi-implicit-euler", "newmark"];

fn sense(scene: &Scene) -> Sense {
    match scene.cell.as_ref().map(|cell| cell.positive).unwrap_or_default() {
        SenseScene::Tension => Sense::Tension,
        SenseScene::Compression => Sense::Compression,
    }
}

/// Why a periodic cell whose stress is measured cannot have some fields.
pub(crate) fn hindrance_of_fields(scene: &Scene, fields: &Fields, periodic: [bool; 3]) -> Option<&'static str> {
    if scene.cell.is_none() && scene.stages.iter().all(|stage| stage.deform.is_none()) {
        return None;
    }
    let pulls =
        (0..3).any(|k| periodic[k] && fields.gravity[k] != 0.0) || periodic.contains(&true) && fields.gravity_turns();
    if pulls {
        Some(
            "fields.gravity = [0, 0, 0] along periodic directions: nothing would hold the particles of a periodic cell",
        )
    } else if fields.drag.is_some() || fields.magnus.is_some() {
        Some("no drag and no Magnus force: velocities are measured against the cell")
    } else {
        None
    }
}

/// The deformation of a scene that has a cell or a stage that deforms it.
pub(crate) fn build(
    document: &SceneDocument,
    scene: &Scene,
    world: &World,
    integrator: &str,
) -> Result<Option<Deformation>, SceneError> {
    let deforming = scene.stages.iter().position(|stage| stage.deform.is_some());
    let asked = match (&scene.cell, deforming) {
        (Some(_), _) => KeyPath::from(&["cell"]),
        (None, Some(index)) => crate::builder::values::entry_path("stages", index, &["deform"]),
        (None, None) => return Ok(None),
    };
    let pours = scene.particles.iter().any(|source| matches!(source.fill, FillScene::Pour { .. }));
    let (fields, periodic, deforms) = (&world.fields, world.cell.periodic, deforming.is_some());
    let enclosed = sampled_body::edges(&world.cell, world.walls.iter().enumerate()).iter().all(Option::is_some);
    let hindrance = if !enclosed {
        Some(
            "a domain that is periodic along x, y and z, or beside periodic directions planes or box faces that face each other along the others",
        )
    } else if deforms && !world.walls.iter().all(|wall| is_across_walled_direction(wall, periodic)) {
        Some(
            "no walls but planes across directions that are not periodic: a cell carries particles along, which other walls do not follow",
        )
    } else if let Some(hindrance) = hindrance_of_fields(scene, fields, periodic) {
        Some(hindrance)
    } else if deforms && pours {
        Some("no source that pours")
    } else if deforms && !INTEGRATORS.contains(&integrator) {
        Some("time.integrator to be velocity-verlet, semi-implicit-euler or newmark")
    } else {
        None
    };
    if let Some(hindrance) = hindrance {
        return Err(document.error_at(asked, format!("expected {hindrance}")));
    }
    let given = scene.cell.as_ref().and_then(|cell: &CellScene| cell.response);
    let response = match given {
        Some(response) => positive(document, &["cell", "response"], response.si(), "-")?,
        None => servo::RESPONSE,
    };
    let displacement = match scene.cell.as_ref().map(|cell| cell.displacement).unwrap_or_default() {
        DisplacementScene::Affine => Displacement::Affine,
        DisplacementScene::Boundary => Displacement::Boundary,
    };
    let mut deformation = Deformation::new(sense(scene), response);
    deformation.displacement = displacement;
    Ok(Some(deformation))
}

/// Whether a wall is a plane across a direction that is not periodic.
fn is_across_walled_direction(wall: &Wall, periodic: [bool; 3]) -> bool {
    match &wall.shape {
        Shape::Plane { normal, .. } => sampled_body::axis_along(*normal).is_some_and(|axis| !periodic[axis]),
        _ => false,
    }
}

/// What a stage prescribes for the cell.
pub(crate) fn build_control(
    document: &SceneDocument,
    scene: &Scene,
    path: &KeyPath,
    given: &DeformScene,
    periodic: [bool; 3],
) -> Result<Control, SceneError> {
    let sign = sense(scene).sign();
    let rows = [
        [("xx", given.xx), ("xy", given.xy), ("xz", given.xz)],
        [("yx", given.yx), ("yy", given.yy), ("yz", given.yz)],
        [("zx", given.zx), ("zy", given.zy), ("zz", given.zz)],
    ];
    let mut component = [[Component::Unasked; 3]; 3];
    for (row, given) in component.iter_mut().zip(rows) {
        for (component, (key, given)) in row.iter_mut().zip(given) {
            let Some(ComponentScene { rate, stress }) = given else { continue };
            *component = match (rate, stress) {
                (Some(rate), None) => Component::Rate(sign * rate.si()),
                (None, Some(stress)) => Component::Stress(sign * stress.si()),
                (Some(_), Some(_)) => {
                    let expected = "expected either a rate or a stress: one determines the other";
                    return Err(document.error_at(path.child(key), expected));
                }
                (None, None) => return Err(document.error_at(path.child(key), "expected a rate or a stress")),
            };
        }
    }
    let constraint = match (given.mean_stress, given.constant_volume) {
        (Some(_), true) => {
            let expected = "expected either mean_stress or constant_volume: one determines the other";
            return Err(document.error_at(path.child("mean_stress"), expected));
        }
        (Some(stress), false) => Constraint::MeanStress(sign * stress.si()),
        (None, true) => Constraint::ConstantVolume,
        (None, false) => Constraint::None,
    };
    let max_rate =
        given.max_rate.map(|rate| positive(document, path.child("max_rate"), rate.si(), "1/s")).transpose()?;
    let control = Control::new(component, constraint, max_rate).and_then(|control| control.of_periodic(periodic));
    control.map_err(|refusal| {
        let key = path.child(refusal.key);
        let at = if document.value(key.clone()).is_some() { key } else { path.clone() };
        document.error_at(at, refusal.expected)
    })
}

/// Strains at which a stage ends.
pub(crate) fn build_strain(
    document: &SceneDocument,
    scene: &Scene,
    path: &KeyPath,
    given: &StrainScene,
) -> Result<Vec<StrainBound>, SceneError> {
    let sign = sense(scene).sign();
    let components = [
        ("xx", given.xx, Some((0, 0))),
        ("yy", given.yy, Some((1, 1))),
        ("zz", given.zz, Some((2, 2))),
        ("yz", given.yz, Some((1, 2))),
        ("xz", given.xz, Some((0, 2))),
        ("xy", given.xy, Some((0, 1))),
        ("volume", given.volume, None),
    ];
    let mut bounds = Vec::new();
    for (key, value, component) in components {
        let Some(value) = value.map(Quantity::<Ratio>::si) else { continue };
        if value == 0.0 {
            return Err(document.error_at(path.child(key), "expected a strain that is not zero"));
        }
        bounds.push(StrainBound { component, value: sign * value });
    }
    if bounds.is_empty() {
        return Err(document.error_at(path.clone(), "expected a strain: xx, yy, zz, yz, xz, xy or volume"));
    }
    Ok(bounds)
}

/// When stresses count as reached.
pub(crate) fn build_stress_reached(
    document: &SceneDocument,
    path: &KeyPath,
    given: &StressReachedScene,
    control: Option<&Control>,
    walls_press: bool,
) -> Result<StressReached, SceneError> {
    if !walls_press && !control.is_some_and(Control::needs_servo) {
        let expected = "expected a stage whose deform has a target stress, or in which a wall has a servo";
        return Err(document.error_at(path.clone(), expected));
    }
    let number = |key, value: Option<Quantity<Ratio>>, default| match value {
        Some(value) => positive(document, path.child(key), value.si(), "-"),
        None => Ok(default),
    };
    Ok(StressReached {
        tolerance: number("tolerance", given.tolerance, 5e-3)?,
        unbalanced_force: number("unbalanced_force", given.unbalanced_force, 1e-3)?,
    })
}
