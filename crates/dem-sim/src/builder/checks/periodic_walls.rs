//! Walls in periodic cells.
//!
//! Particles have periodic images, walls do not: a sphere at one face of the cell does not interact with the part of a
//! wall at the other. That is right where the wall continues across both faces alike, like a floor that is as wide as
//! the cell, and where it keeps away from them. It is tested by what a sphere meets that is about to cross: from a
//! point of one face and from its image on the other the wall must be equally far, as far as a sphere reaches.
//! Distances change no faster than places, so that a division of the face finds out without looking everywhere.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::wall::{Motion, Shape, Wall};
use dem_io::document::{SceneDocument, SceneError};

use crate::builder::loaded_scene::LoadedScene;
use crate::builder::values::entry_path;
use crate::insertion::pouring_source::PouringSource;
use crate::scene::stage::ActionScene;
use crate::state::world::World;

/// Largest difference of distances that is let pass, in proportion to the radius: seams as narrow are not felt.
const TOLERANCE: f64 = 0.02;
/// Size of the smallest pieces of a face, likewise.
const FINEST: f64 = 0.125;
/// Most points that are checked for a wall in one pose.
const MOST_LOOKS: usize = 200_000;
/// Poses that are checked along a motion.
const POSES: u32 = 16;
/// Most rows of a table of a motion that are checked.
const MOST_ROWS: usize = 256;

/// Refuses walls whose periodic images spheres would miss.
pub(crate) fn check(loaded: &LoadedScene, world: &World, sources: &[PouringSource]) -> Result<(), SceneError> {
    let LoadedScene { document, scene, .. } = loaded;
    if !world.cell.is_periodic() {
        return Ok(());
    }
    let radii = world.particles.radius.iter().copied().chain(sources.iter().map(|source| source.largest));
    let radius = radii.fold(0.0, f64::max);
    if radius <= 0.0 {
        return Ok(());
    }
    for (index, wall) in world.walls.iter().enumerate() {
        let end = scene.time.end.map(|end| end.si());
        let mut poses = vec![wall.pose];
        for motion in motions(loaded, index, wall)? {
            poses.extend(row_times(&motion).map(|time| motion.pose(&wall.motion_origin, time)));
            for duration in durations(&motion, radius, end) {
                let at = |k: u32| motion.pose(&wall.motion_origin, duration * f64::from(k) / f64::from(POSES));
                poses.extend((1..=POSES).map(at));
            }
        }
        let mut moved = wall.clone();
        for pose in poses {
            moved.pose = pose;
            for axis in (0..3).filter(|&axis| world.cell.periodic[axis]) {
                if let Some(miss) = find(&moved, &world.cell, axis, radius) {
                    return Err(refusal(document, index, wall, axis, &miss, radius));
                }
            }
        }
    }
    Ok(())
}

/// The motions of a wall from the start on and in stages.
fn motions(loaded: &LoadedScene, index: usize, wall: &Wall) -> Result<Vec<Motion>, SceneError> {
    let LoadedScene { document, scene, motion_tables, .. } = loaded;
    let mut all = vec![wall.motion.clone()];
    for (number, stage) in scene.stages.iter().enumerate() {
        for (action, given) in stage.actions.iter().enumerate() {
            match given {
                ActionScene::MoveWall { wall: name, motion } if *name == scene.walls[index].name => {
                    let path = entry_path("stages", number, &["actions", &action.to_string(), "motion"]);
                    all.push(crate::builder::boundaries::motions::build(document, motion_tables, &path, motion)?);
                }
                _ => {}
            }
        }
    }
    Ok(all)
}

/// Times in which a motion shows all that it does, or as far as the run goes.
fn durations(motion: &Motion, radius: f64, end: Option<f64>) -> Vec<f64> {
    let (speed, spin) = (motion.velocity.length(), motion.spin_bound());
    let mut all = Vec::new();
    if speed > 0.0 {
        all.push(end.unwrap_or(radius / speed));
    }
    if spin > 0.0 {
        all.push(std::f64::consts::TAU / spin);
    }
    if motion.frequency > 0.0 && motion.amplitude != DVec3::ZERO {
        all.push(1.0 / motion.frequency);
    }
    all
}

/// Times of the rows of a table, of a long one some of them.
fn row_times(motion: &Motion) -> impl Iterator<Item = f64> {
    motion.course.iter().flat_map(|course| {
        let every = course.times().len().div_ceil(MOST_ROWS);
        course.times().step_by(every)
    })
}

/// A point where a sphere meets the wall from one face and not from the other.
struct Miss {
    /// Where the wall is nearer.
    seen: DVec3,
    distance: f64,
    /// Its image on the other face.
    unseen: DVec3,
}

/// Looks for a difference between what a sphere meets on the two faces along an axis.
fn find(wall: &Wall, cell: &Cell, axis: usize, radius: f64) -> Option<Miss> {
    let edges = cell.matrix();
    let (across, u, v) = (edges.col(axis), edges.col((axis + 1) % 3), edges.col((axis + 2) % 3));
    let mut pieces = vec![(cell.origin + 0.5 * (u + v), 0.5 * u, 0.5 * v)];
    let mut looks = 0;
    let is_plane = matches!(wall.shape, Shape::Plane { .. });
    while let Some((middle, u, v)) = pieces.pop() {
        let far = [middle, middle + across].map(|x| wall.distance(x));
        let distance = far.map(|distance| distance.clamp(-radius, radius));
        let difference = distance[0] - distance[1];
        if difference.abs() > TOLERANCE * radius {
            let [low, high] = [middle, middle + across];
            return Some(if difference < 0.0 {
                Miss { seen: low, distance: distance[0], unseen: high }
            } else {
                Miss { seen: high, distance: distance[1], unseen: low }
            });
        }
        // from a plane distances differ by as much everywhere
        if is_plane && (far[0] - far[1]).abs() <= TOLERANCE * radius {
            return None;
        }
        looks += 1;
        let reach = (u.abs() + v.abs()).length();
        let is_far = far[0].min(far[1]) - reach >= radius;
        if is_far || u.length().max(v.length()) < 0.5 * FINEST * radius || looks >= MOST_LOOKS {
            continue;
        }
        // the longer side in two
        let halves = if u.length() >= v.length() { [0.5 * u, v] } else { [u, 0.5 * v] };
        let step = if u.length() >= v.length() { halves[0] } else { halves[1] };
        pieces.extend([middle - step, middle + step].map(|middle| (middle, halves[0], halves[1])));
    }
    None
}

fn refusal(document: &SceneDocument, index: usize, wall: &Wall, axis: usize, miss: &Miss, radius: f64) -> SceneError {
    let (name, x, y) = (["x", "y", "z"][axis], miss.seen, miss.unseen);
    let place = |x: DVec3| format!("({:.6}, {:.6}, {:.6}) m", x.x, x.y, x.z);
    let message = format!(
        "wall \"{}\" is {:.6} m from {} and not as near to the image of this point {}: walls have no periodic images, so that a sphere of radius {radius} m would lose its contact when it crosses the face; expected a wall that continues identically across both faces of the period along {name}, or ends farther from them than spheres reach",
        wall.name,
        miss.distance,
        place(x),
        place(y)
    );
    document.error_at(entry_path("walls", index, &["shape"]), message)
}
