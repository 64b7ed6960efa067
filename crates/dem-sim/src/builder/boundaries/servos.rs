//! Walls that press with a force or a pressure: what is prescribed for them is checked before the run starts.

use dem_core::DVec3;
use dem_core::wall::{Motion, Shape};
use dem_io::document::{KeyPath, SceneDocument, SceneError};

use crate::builder::values::{direction, entry_path, positive};
use crate::deformation::{sampled_body, servo};
use crate::scene::document::Scene;
use crate::scene::servo::ServoScene;
use crate::scene::wall::MotionScene;
use crate::simulation::stage::{Action, Stage};
use crate::state::world::World;
use crate::wall_servos::servo::{Hold, Target, WallMotion, WallServo};

/// Fraction of a vector that may lie along what it should be across \[-\].
const ACROSS: f64 = 1e-9;

/// What a wall does from some moment on: `motion` as the scene prescribes it, and what the wall is to press with.
pub(crate) fn build_motion(
    document: &SceneDocument,
    path: &KeyPath,
    given: &MotionScene,
    prescribed: Motion,
    wall: usize,
    world: &World,
) -> Result<WallMotion, SceneError> {
    let hold = given
        .servo
        .as_ref()
        .map(|servo| build_hold(document, path, servo, prescribed.clone(), wall, world))
        .transpose()?;
    Ok(WallMotion { prescribed, hold })
}

fn build_hold(
    document: &SceneDocument,
    motion: &KeyPath,
    given: &ServoScene,
    beside: Motion,
    wall: usize,
    world: &World,
) -> Result<Hold, SceneError> {
    let path = motion.child("servo");
    let target = match (given.pressure, given.force) {
        (Some(pressure), None) => Target::Pressure(positive(document, path.child("pressure"), pressure.si(), "Pa")?),
        (None, Some(force)) => Target::Force(positive(document, path.child("force"), force.si(), "N")?),
        (Some(_), Some(_)) => {
            return Err(document
                .error_at(path.child("force"), "expected either a pressure or a force: one determines the other"));
        }
        (None, None) => return Err(document.error_at(path, "expected a pressure or a force")),
    };
    let shape = &world.walls[wall].shape;
    let direction = match (given.direction, shape) {
        (None, Shape::Plane { normal, .. }) => *normal,
        (None, _) => {
            let expected = "expected a direction: this shape can be touched from several sides";
            return Err(document.error_at(path.child("direction"), expected));
        }
        (Some(_), _) => direction(document, path.child("direction"), given.direction)?,
    };
    let wrong_side = match (flat(shape), shape) {
        (Some((normal, _)), Shape::Plane { .. }) => normal.dot(direction) < 1.0 - ACROSS,
        (Some((normal, _)), _) => normal.dot(direction).abs() < 1.0 - ACROSS,
        (None, _) => false,
    };
    if wrong_side {
        let expected = "expected the direction of the normal, which is the only one that a flat wall presses in";
        return Err(document.error_at(path.child("direction"), expected));
    }
    let cell = &world.cell;
    if (0..3).any(|k| cell.periodic[k] && direction.dot(cell.matrix().col(k).normalize()).abs() > ACROSS) {
        let expected =
            "expected a direction that is not periodic: along a periodic one there is nothing to press against";
        return Err(document.error_at(path, expected));
    }
    // rates along the direction are what the servo decides on
    if beside.velocity.dot(direction).abs() > ACROSS * beside.velocity.length() {
        let expected = "expected no velocity in the direction in which the wall presses: the force determines it";
        return Err(document.error_at(motion.child("velocity"), expected));
    }
    if beside.amplitude != DVec3::ZERO {
        let expected = "expected no oscillation together with servo";
        return Err(document.error_at(motion.child("amplitude"), expected));
    }
    if beside.angular_velocity.cross(direction).length() > ACROSS * beside.angular_velocity.length() {
        let expected = "expected a rotation about the direction in which the wall presses";
        return Err(document.error_at(motion.child("angular_velocity"), expected));
    }
    let area = match given.area {
        Some(area) => Some(positive(document, path.child("area"), area.si(), "m^2")?),
        None => flat(shape).and_then(|(_, area)| area),
    };
    let is_known = area.is_some() || area_of_sample(direction, world).is_some();
    if matches!(target, Target::Pressure(_)) && !is_known {
        let expected = "expected an area as well: it does not follow from the scene, because neither periodic faces nor facing planes along the axes bound the wall";
        return Err(document.error_at(path.child("pressure"), expected));
    }
    let max_speed = given.max_speed.map(|speed| positive(document, path.child("max_speed"), speed.si(), "m/s"));
    if max_speed.is_none() && !is_known {
        let expected = "expected max_speed or area as well: a force alone does not determine a largest speed";
        return Err(document.error_at(path.child("force"), expected));
    }
    let max_travel = given.max_travel.map(|travel| positive(document, path.child("max_travel"), travel.si(), "m"));
    let response = given.response.map(|response| positive(document, path.child("response"), response.si(), "-"));
    Ok(Hold {
        target,
        direction,
        area,
        max_speed: max_speed.transpose()?,
        max_travel: max_travel.transpose()?,
        response: response.transpose()?.unwrap_or(servo::RESPONSE),
        beside,
    })
}

/// Normal of a flat shape and its area \[m²\], if it has an end.
fn flat(shape: &Shape) -> Option<(DVec3, Option<f64>)> {
    match shape {
        Shape::Plane { normal, .. } => Some((*normal, None)),
        Shape::Rectangle { half_u, half_v, .. } => {
            let normal = half_u.cross(*half_v);
            Some((normal.normalize(), Some(4.0 * normal.length())))
        }
        Shape::Revolution { axis, start, end, .. } if start.y == end.y => {
            Some((*axis, Some(std::f64::consts::PI * (end.x * end.x - start.x * start.x).abs())))
        }
        _ => None,
    }
}

/// Area of the sample across a direction, with all walls in place \[m²\].
fn area_of_sample(direction: DVec3, world: &World) -> Option<f64> {
    sampled_body::area_across(
        &sampled_body::edges(&world.cell, world.walls.iter().enumerate()),
        sampled_body::axis_along(direction)?,
    )
}

/// Gives the world what its walls are to press with, now and in any stage.
pub(crate) fn build(
    document: &SceneDocument,
    scene: &Scene,
    stages: &[Stage],
    world: &mut World,
) -> Result<(), SceneError> {
    let mut holds: Vec<Option<Hold>> = Vec::with_capacity(scene.walls.len());
    for (index, given) in scene.walls.iter().enumerate() {
        let path = entry_path("walls", index, &["motion"]);
        let prescribed = world.walls[index].motion.clone();
        let motion =
            given.motion.as_ref().map(|motion| build_motion(document, &path, motion, prescribed, index, world));
        holds.push(motion.transpose()?.and_then(|motion| motion.hold));
    }
    refuse_facing(document, scene, &holds, entry_path("walls", 0, &["motion", "servo"]))?;
    let mut servos: Vec<WallServo> = Vec::new();
    let mut add = |wall: usize, hold: &Hold| {
        if servos.iter().all(|servo| servo.wall != wall) {
            servos.push(WallServo::new(wall, hold, world.walls[wall].pose.position));
        }
    };
    let mut now = holds.clone();
    for (index, stage) in stages.iter().enumerate() {
        for action in &stage.actions {
            if let Action::MoveWall(wall, motion) = action {
                now[*wall] = motion.hold.clone();
            }
        }
        refuse_facing(document, scene, &now, entry_path("stages", index, &["actions"]))?;
    }
    let of_stages = stages.iter().flat_map(|stage| &stage.actions).filter_map(|action| match action {
        Action::MoveWall(wall, motion) => Some((*wall, motion.hold.clone()?)),
        _ => None,
    });
    let from_start = holds.iter().enumerate().filter_map(|(wall, hold)| Some((wall, hold.clone()?)));
    for (wall, hold) in from_start.chain(of_stages) {
        add(wall, &hold);
    }
    servos.sort_unstable_by_key(|servo| servo.wall);
    for servo in &mut servos {
        servo.begin(holds[servo.wall].clone());
    }
    world.wall_servos = servos;
    Ok(())
}

/// Of two walls that press against each other one has to say where the sample is.
fn refuse_facing(
    document: &SceneDocument,
    scene: &Scene,
    holds: &[Option<Hold>],
    path: KeyPath,
) -> Result<(), SceneError> {
    for (one, first) in holds.iter().enumerate() {
        for (other, second) in holds.iter().enumerate().skip(one + 1) {
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first.direction.dot(second.direction) < ACROSS - 1.0 {
                let [one, other] = [one, other].map(|wall| &scene.walls[wall].name);
                let expected = format!(
                    "expected a servo of \"{one}\" or of \"{other}\", not of both: they press against each other, and nothing would hold the sample in place"
                );
                return Err(document.error_at(path, expected));
            }
        }
    }
    Ok(())
}
