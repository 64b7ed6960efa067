//! Guides.

use std::ops::Range;

use dem_core::DVec3;
use dem_io::document::{KeyPath, SceneDocument, SceneError};
use dem_io::units::Quantity;

use super::frozen::frozen_bits;
use crate::builder::values::{direction, entry_path, in_range, positive};
use crate::guides::guide::{Drive, Guide};
use crate::guides::path::Path;
use crate::measure::names::column_name;
use crate::scene::document::Scene;
use crate::scene::group::DegreeOfFreedom;
use crate::scene::guide::{GuideMotionScene, GuideScene, PathScene};
use crate::scene::source::FillScene;
use crate::state::movers::Mover;
use crate::state::world::World;

/// Largest distance of a centre from its path in proportion to the radius: what rounding explains.
const ROUNDING: f64 = 1e-6;

/// Builds the guides of a scene and lets them take the particles of their sources, whose ids are given; a source without particles is one
/// of a scene that is to be filled from a saved state.
pub(crate) fn build(
    document: &SceneDocument,
    scene: &Scene,
    ids: &[Range<u64>],
    world: &mut World,
) -> Result<(), SceneError> {
    if let Some(k) = (0..3).find(|&k| world.cell.periodic[k] && !scene.guides.is_empty()) {
        let axis = ["x", "y", "z"][k];
        let message = format!("expected none in a periodic cell, and this one is periodic along {axis}");
        return Err(document.error_at(&["guides"], message));
    }
    for (index, given) in scene.guides.iter().enumerate() {
        let key = |key: &'static str| entry_path("guides", index, &[key]);
        let others = &scene.guides[..index];
        // names that differ in what a header cannot hold only would share their columns of the series
        if given.name.is_empty() || others.iter().any(|other| column_name(&other.name) == column_name(&given.name)) {
            let message = "expected a name that differs from that of every other guide in letters or digits";
            return Err(document.error_at(key("name"), message));
        }
        if others.iter().any(|other| other.particles == given.particles) {
            return Err(document.error_at(key("particles"), "expected a source that no other guide has"));
        }
        let source = find_source(document, scene, key("particles"), &entry_path("guides", index, &[]), given)?;
        let (drive, velocity) = match given.motion {
            GuideMotionScene::Free { velocity } => (Drive::Free, velocity.map_or(0.0, |v| v.si())),
            GuideMotionScene::Prescribed { velocity } => (Drive::Prescribed(velocity.si()), velocity.si()),
        };
        let path = build_path(document, &key("path"), &given.path)?;
        let mut guide = Guide::new(&given.name, path, drive);
        if let Some(friction) = given.friction {
            guide.friction = in_range(document, key("friction"), friction.si(), "-", "value >= 0", |x| x >= 0.0)?;
        }
        guide.one_sided = given.one_sided;
        guide.spin = given.angular_velocity.map(Quantity::vector);
        let prescribed = matches!(drive, Drive::Prescribed(_));
        for (name, is_given) in [("friction", guide.friction > 0.0), ("one_sided", guide.one_sided)] {
            if is_given && prescribed {
                let message = "expected none together with a prescribed motion, which no force changes";
                return Err(document.error_at(key(name), message));
            }
        }
        if guide.one_sided && matches!(path, Path::Line { .. }) {
            return Err(document.error_at(key("one_sided"), "expected a circle: a line has no outside"));
        }
        for id in ids.get(source).cloned().unwrap_or(0..0) {
            // ids and slots are the same until the first rebuild of the contact list
            let Some(slot) = world.particles.id.iter().position(|&known| known == id) else { continue };
            let p = &world.particles;
            let mover = match p.body_of(slot) {
                None => Mover::Sphere(slot),
                // one member stands for the body
                Some(body) if body.first as usize != slot => continue,
                Some(_) => Mover::Body(p.bodies.body_of[p.bodies.member_in(slot)] as usize),
            };
            let centre = world.centre_of(mover);
            let off = (path.nearest(centre).point - centre).length();
            // the axis of a circle has no nearest point
            if off.is_nan() || off > ROUNDING * world.radius_of(mover) {
                let what = world.describe_mover(mover);
                let message = format!("expected particles with their centres on it: {what} is {off:e} m away");
                return Err(document.error_at(key("path"), message));
            }
            let before = world.mechanical_energy_of(mover);
            guide.attach(&mut world.particles, slot, velocity, world.time);
            world.accumulated.exchanged += world.mechanical_energy_of(mover) - before;
        }
        world.guides.push(guide);
    }
    Ok(())
}

/// Number of the source of a guide.
fn find_source(
    document: &SceneDocument,
    scene: &Scene,
    path: KeyPath,
    guide_path: &KeyPath,
    given: &GuideScene,
) -> Result<usize, SceneError> {
    let Some(number) = scene.particles.iter().position(|source| source.name == given.particles) else {
        let known: Vec<&str> = scene.particles.iter().map(|source| source.name.as_str()).collect();
        return Err(document.error_at(path, format!("expected the name of a source: {}", known.join(", "))));
    };
    let source = &scene.particles[number];
    if matches!(source.fill, FillScene::Pour { .. }) {
        return Err(document.error_at(path, "expected a source that acts at the start, not one that pours"));
    }
    if source.velocity.is_some() {
        let message = "expected none for guided particles: the guide gives their velocity";
        return Err(document.error_at(entry_path("particles", number, &["velocity"]), message));
    }
    let held =
        source.group.as_ref().and_then(|name| scene.groups.get(name)).map_or(0, |group| frozen_bits(&group.frozen));
    if given.angular_velocity.is_some() {
        if source.angular_velocity.is_some() {
            let message = "expected none for particles of a guide that gives an angular velocity";
            return Err(document.error_at(entry_path("particles", number, &["angular_velocity"]), message));
        }
        if held & frozen_bits(&[DegreeOfFreedom::Rotation]) != 0 {
            let message = "expected none for a source whose particles have a frozen rotation";
            return Err(document.error_at(guide_path.child("angular_velocity"), message));
        }
    }
    if held & frozen_bits(&[DegreeOfFreedom::Translation]) != 0 {
        return Err(document.error_at(path, "expected a source whose particles have no frozen translation"));
    }
    Ok(number)
}

fn build_path(document: &SceneDocument, path: &KeyPath, given: &PathScene) -> Result<Path, SceneError> {
    Ok(match given {
        PathScene::Line { point, direction: along } => Path::Line {
            point: point.map_or(DVec3::ZERO, Quantity::vector),
            direction: direction(document, path.child("direction"), Some(*along))?,
        },
        PathScene::Circle { centre, normal, radius } => Path::Circle {
            centre: centre.map_or(DVec3::ZERO, Quantity::vector),
            normal: direction(document, path.child("normal"), *normal)?,
            radius: positive(document, path.child("radius"), radius.si(), "m")?,
        },
    })
}
