//! Prescribed motions of walls, and the tables that give some of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dem_core::DVec3;
use dem_core::wall::{Course, CourseEnds, CourseRow, Motion, Shape};
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::table::{MotionTable, read_motion_table};
use dem_io::units::Quantity;

use crate::builder::named_files::{FileKind, NamedFile, hash_of_table};
use crate::builder::values::{direction, entry_path, positive};
use crate::scene::document::Scene;
use crate::scene::stage::ActionScene;
use crate::scene::wall::{MotionScene, TableEndsScene};

/// Tables by the paths that the scene gives.
pub type MotionTables = BTreeMap<PathBuf, MotionTable>;

/// Fraction of a velocity that may lie across what it should lie in \[-\].
const ACROSS: f64 = 1e-9;

/// Reads the tables that the motions of a scene name.
pub(crate) fn load(
    document: &SceneDocument,
    scene: &Scene,
    folder: &Path,
) -> Result<(MotionTables, Vec<NamedFile>), SceneError> {
    let (mut tables, mut files) = (MotionTables::new(), Vec::new());
    for (place, motion) in all(scene) {
        let Some(file) = &motion.table else { continue };
        let place = place.child("table");
        let fail = |error| document.error_at(place.clone(), error);
        let path = folder.join(file);
        if !tables.contains_key(file) {
            tables.insert(file.clone(), read_motion_table(&path).map_err(fail)?);
        }
        let hash = hash_of_table(&path).map_err(fail)?;
        files.push(NamedFile::new(FileKind::MotionTable, place.clone(), folder, file, hash));
    }
    Ok((tables, files))
}

/// The motions of a scene and where they stand.
fn all(scene: &Scene) -> Vec<(KeyPath, &MotionScene)> {
    let of_walls = scene
        .walls
        .iter()
        .enumerate()
        .filter_map(|(index, wall)| Some((entry_path("walls", index, &["motion"]), wall.motion.as_ref()?)));
    let of_stages = scene.stages.iter().enumerate().flat_map(|(index, stage)| {
        stage.actions.iter().enumerate().filter_map(move |(number, action)| match action {
            ActionScene::MoveWall { motion, .. } => {
                Some((entry_path("stages", index, &["actions", &number.to_string(), "motion"]), motion.as_ref()))
            }
            _ => None,
        })
    });
    of_walls.chain(of_stages).collect()
}

/// Motion of a wall.
pub(crate) fn build(
    document: &SceneDocument,
    tables: &MotionTables,
    path: &KeyPath,
    given: &MotionScene,
) -> Result<Motion, SceneError> {
    if given.amplitude.is_some() != given.frequency.is_some() {
        return Err(document.error_at(path.clone(), "expected amplitude and frequency together"));
    }
    let motion = Motion {
        velocity: given.velocity.map_or(DVec3::ZERO, Quantity::vector),
        amplitude: given.amplitude.map_or(DVec3::ZERO, Quantity::vector),
        frequency: match given.frequency {
            Some(f) => positive(document, path.child("frequency"), f.si(), "Hz")?,
            None => 0.0,
        },
        phase: given.phase.map_or(0.0, |phase| phase.si()),
        angular_velocity: given.angular_velocity.map_or(DVec3::ZERO, Quantity::vector),
        surface_velocity: given.surface_velocity.map_or(DVec3::ZERO, Quantity::vector),
        course: build_course(document, tables, path, given)?,
    };
    if motion.surface_velocity != DVec3::ZERO && motion.spin_bound() > 0.0 {
        let expected =
            "expected none together with a rotation, which would turn the wall away from the fixed direction";
        return Err(document.error_at(path.child("surface_velocity"), expected));
    }
    Ok(motion)
}

/// The motion that a table gives, if there is one.
fn build_course(
    document: &SceneDocument,
    tables: &MotionTables,
    path: &KeyPath,
    given: &MotionScene,
) -> Result<Option<Box<Course>>, SceneError> {
    let Some(file) = &given.table else {
        for (key, is_given) in [("axis", given.axis.is_some()), ("table_ends", given.table_ends.is_some())] {
            if is_given {
                return Err(document.error_at(path.child(key), "expected only together with table"));
            }
        }
        return Ok(None);
    };
    for (key, is_given) in [
        ("velocity", given.velocity.is_some()),
        ("amplitude", given.amplitude.is_some()),
        ("angular_velocity", given.angular_velocity.is_some()),
        ("servo", given.servo.is_some()),
    ] {
        if is_given {
            return Err(document.error_at(path.child(key), "expected none together with table, which gives the motion"));
        }
    }
    let Some(table) = tables.get(file) else {
        return Err(document.error_at(path.child("table"), "expected a table that can be read"));
    };
    let axis = match (table.turns, given.axis) {
        (true, None) => {
            let expected = "expected an axis as well: the table has a column `angle`";
            return Err(document.error_at(path.child("table"), expected));
        }
        (false, Some(_)) => {
            return Err(document.error_at(path.child("axis"), "expected none: the table has no column `angle`"));
        }
        (_, axis) => direction(document, path.child("axis"), axis)?,
    };
    let ends = match given.table_ends {
        None | Some(TableEndsScene::Stay) => CourseEnds::Stay,
        Some(TableEndsScene::Repeat) => CourseEnds::Repeat,
    };
    let rows: Vec<CourseRow> =
        table.rows.iter().map(|row| CourseRow { time: row.time, position: row.position, angle: row.angle }).collect();
    let course = Course::new(&rows, axis, ends).map_err(|error| document.error_at(path.child("table"), error))?;
    Ok(Some(Box::new(course)))
}

/// Refuses a velocity of a surface that would not stay in it. Of shapes with several faces the part along each counts.
pub(crate) fn check_surface_velocity(
    document: &SceneDocument,
    path: &KeyPath,
    shape: &Shape,
    motion: &Motion,
) -> Result<(), SceneError> {
    let v = motion.surface_velocity;
    if v == DVec3::ZERO {
        return Ok(());
    }
    let refuse = |expected: &str| Err(document.error_at(path.child("surface_velocity"), expected));
    let leaves = |normal: DVec3| v.dot(normal).abs() > ACROSS * v.length();
    match *shape {
        Shape::Plane { normal, .. } if leaves(normal) => refuse("expected no part along the normal of the plane"),
        Shape::Rectangle { half_u, half_v, .. } if leaves(half_u.cross(half_v).normalize()) => {
            refuse("expected no part along the normal of the rectangle")
        }
        Shape::Revolution { axis, start, end, .. } if start.y == end.y => {
            if leaves(axis) {
                refuse("expected no part along the normal of the disc")
            } else {
                Ok(())
            }
        }
        Shape::Revolution { axis, start, end, .. } if start.x == end.x => {
            if v.reject_from_normalized(axis).length() > ACROSS * v.length() {
                refuse("expected a velocity along the axis; angular_velocity turns a cylinder about it")
            } else {
                Ok(())
            }
        }
        Shape::Revolution { .. } | Shape::Sphere { .. } => {
            refuse("expected none: this shape has no direction that stays in its surface")
        }
        Shape::Plane { .. } | Shape::Rectangle { .. } | Shape::Box { .. } | Shape::Mesh { .. } => Ok(()),
    }
}
