//! From a scene document to a simulation. Every error names the file, the line, the key, the value and what is allowed.

mod cell;
mod contact;
mod guides;
mod integrator;
mod meshes;
mod named_files;
mod probes;
mod regions;
mod servos;
mod sources;
mod stages;
mod surroundings;
mod time_step;
mod walls;

pub use contact::{ContactDefinition, ResolvedPair};
use named_files::MissingTables;
pub(crate) use named_files::remove_copies;
pub use named_files::{NamedFile, write_copies};
pub(crate) use sources::insert_sphere;
pub use sources::size_distribution;
pub use surroundings::{Surroundings, surroundings};
pub use time_step::TimeStepChoice;
pub(crate) use time_step::bounds as bounds_beforehand;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_contact::frame::TransportKind;
use dem_contact::geometry::{ContactGeometry, Lever, SlipForm};
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::particles::frozen;
use dem_core::rotation::total;
use dem_core::wall::Mesh;
use dem_io::document::{Override, SceneDocument, SceneError};

use crate::error::FACES;
use crate::fields::{Drag, Fields, Magnus};
use crate::forces::ForceEvaluation;
use crate::pipeline::Pipeline;
use crate::run::PictureRequest;
use crate::scene::{ContactScene, DegreeOfFreedom, DomainScene, FaceScene, OutputScene, Scene};
use crate::simulation::{PouringSource, RestCriterion, Simulation};
use crate::world::World;

/// A scene file read and checked for its form.
pub struct LoadedScene {
    /// Text with the places of its keys.
    pub document: SceneDocument,
    /// Typed contents.
    pub scene: Scene,
    /// Folder that paths in the scene are relative to.
    pub folder: PathBuf,
    /// Facets \[m\] of the walls that are meshes, in order of the walls.
    pub meshes: Vec<Option<Arc<Mesh>>>,
    /// Files that the scene names.
    pub files: Vec<NamedFile>,
}

/// Reads a scene file.
///
/// # Errors
/// A file that cannot be read or is not a scene, meshes and tables that cannot be read.
pub fn load_scene(path: &Path, overrides: &[Override]) -> Result<LoadedScene, SceneError> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    with_files(SceneDocument::load(path, overrides)?, folder, MissingTables::Refused)
}

/// Reads a scene from a text; paths in it are relative to the present folder.
///
/// # Errors
/// As [`parse_scene_in`].
pub fn parse_scene(name: &str, text: &str, overrides: &[Override]) -> Result<LoadedScene, SceneError> {
    parse_scene_in(Path::new(""), name, text, overrides)
}

/// Reads a scene from a text; paths in it are relative to `folder`.
///
/// # Errors
/// A text that is not a scene, meshes and tables that cannot be read. Tables need not exist before a simulation is built from them.
pub fn parse_scene_in(
    folder: &Path,
    name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<LoadedScene, SceneError> {
    with_files(SceneDocument::from_text(name, text, overrides)?, folder.to_path_buf(), MissingTables::Allowed)
}

fn with_files(document: SceneDocument, folder: PathBuf, missing: MissingTables) -> Result<LoadedScene, SceneError> {
    let scene = document.deserialize()?;
    let (meshes, mut files) = meshes::load(&document, &scene, &folder)?;
    files.extend(named_files::particle_tables(&document, &scene, &folder, missing)?);
    Ok(LoadedScene { document, scene, folder, meshes, files })
}

/// Builds a simulation with all particles that are there from the start.
///
/// # Errors
/// Values out of range, names that do not exist, particles that do not fit.
pub fn build(loaded: &LoadedScene) -> Result<Simulation, SceneError> {
    build_with(loaded, true)
}

/// Builds a simulation without particles, to be filled from a saved state.
///
/// # Errors
/// As [`build`].
pub fn build_empty(loaded: &LoadedScene) -> Result<Simulation, SceneError> {
    build_with(loaded, false)
}

/// Physical choices of the kinematics of contacts.
fn contact_geometry(document: &SceneDocument, scene: &ContactScene) -> Result<ContactGeometry, SceneError> {
    let unknown =
        |key, names: &[&str]| document.error_at(&["contact", key], format!("expected one of {}", names.join(", ")));
    let mut geometry = ContactGeometry::default();
    if let Some(name) = &scene.lever {
        geometry.lever = Lever::from_name(name).ok_or_else(|| unknown("lever", Lever::NAMES))?;
    }
    if let Some(name) = &scene.transport {
        geometry.transport =
            TransportKind::from_name(name).ok_or_else(|| unknown("transport", TransportKind::NAMES))?;
    }
    if let Some(name) = &scene.slip {
        geometry.slip = SlipForm::from_name(name).ok_or_else(|| unknown("slip", SlipForm::NAMES))?;
    }
    Ok(geometry)
}

fn build_with(loaded: &LoadedScene, with_particles: bool) -> Result<Simulation, SceneError> {
    let LoadedScene { document, scene, .. } = loaded;
    let contact = ContactDefinition::new(document, scene)?;
    let kernels = contact.build_kernels(document)?;
    let walls = walls::build(loaded, &contact)?;
    let cell = build_cell(document, scene, &walls)?;
    let mut world = World::new(cell, contact.materials.clone(), contact.laws.clone(), kernels, 0.0);
    world.walls = walls;
    world.fields = build_fields(document, scene)?;
    world.contact_geometry = contact_geometry(document, &scene.contact)?;
    for (name, group) in &scene.groups {
        if group.frozen.is_empty() {
            return Err(document.error_at(&["groups", name], "expected at least one frozen degree of freedom"));
        }
    }
    if with_particles && scene.particles.is_empty() {
        return Err(document.error_at(&["particles"], "expected at least one source of particles"));
    }
    if scene.output.total_rotation {
        total::add_column(&mut world.particles);
    }
    let (sources, ids) = sources::build(loaded, &contact, &mut world, with_particles)?;
    guides::build(document, scene, &ids, &mut world)?;
    check_periods(document, &world, &sources)?;
    let stages = stages::build(document, scene, &contact, &world)?;
    servos::build(document, scene, &stages, &mut world)?;
    let time_step = time_step::choose(document, scene, &contact, &world, &sources)?;
    world.time_step = time_step.time_step;
    check_output(document, &scene.output)?;

    let integrator = integrator::build(document, scene.time.integrator.as_ref())?;
    world.deformation = cell::build(document, scene, &world, integrator.key())?;
    let skin = scene.contact_search.skin.map(|skin| skin.si());
    if let Some(skin) = skin {
        in_range(document, &["contact_search", "skin"], skin, "m", "value > 0", |x| x > 0.0)?;
    }
    let mut pipeline = Pipeline::new(integrator, ForceEvaluation::new(scene.contact_search.broadphase.build(), skin));
    if let Some(limit) = scene.limits.overlap {
        let overlap_ratio =
            in_range(document, &["limits", "overlap"], limit.si(), "-", "0 < value <= 1", |x| x > 0.0 && x <= 1.0)?;
        pipeline.limits.overlap_ratio = overlap_ratio;
    }
    if let Some(limit) = scene.limits.created_energy {
        let path = ["limits", "created_energy"];
        pipeline.limits.created_energy =
            in_range(document, &path, limit.si(), "-", "0 < value <= 1", |x| x > 0.0 && x <= 1.0)?;
    }
    let end = scene.time.end.map(|end| end.si());
    if let Some(end) = end {
        in_range(document, &["time", "end"], end, "s", "value > 0", |x| x > 0.0)?;
    }
    world.regions = regions::build(document, scene, &world)?;
    let probes = probes::build(document, scene, &world, &sources)?;
    let mut simulation =
        Simulation::new(world, pipeline, contact, sources, stages, build_rest(document, scene)?, end, time_step);
    simulation.probes = probes;
    warn_of_deep_impacts(&simulation);
    simulation.is_domain_given = scene.domain.is_some();
    Ok(simulation)
}

/// Overlap in proportion to the limit from which on an impact to expect is told of: its speed is that of the longest fall in the scene, head-on,
/// which few scenes come to.
const DEEP: f64 = 1.5;

fn warn_of_deep_impacts(simulation: &Simulation) {
    let (choice, limit) = (&simulation.time_step, simulation.pipeline.limits.overlap_ratio);
    if let Some(deepest) = choice.deepest.as_ref().filter(|deepest| deepest.overlap_ratio > DEEP * limit) {
        tracing::warn!(
            "an impact of {} at {:.3} m/s, which may happen, overlaps by {:.1} % of the radius; above {:.1} % (limits.overlap) the run stops",
            deepest.between,
            choice.expected_speed,
            100.0 * deepest.overlap_ratio,
            100.0 * limit
        );
    }
}

/// Chooses the time step again, for a simulation whose particles came from elsewhere than the scene.
///
/// # Errors
/// A time step out of range.
pub(crate) fn renew_time_step(loaded: &LoadedScene, simulation: &mut Simulation) -> Result<(), SceneError> {
    let Simulation { world, contact, sources, .. } = &*simulation;
    let choice = time_step::choose(&loaded.document, &loaded.scene, contact, world, sources)?;
    simulation.set_time_step(choice);
    Ok(())
}

/// A sphere must not meet two images of another one.
fn check_periods(document: &SceneDocument, world: &World, sources: &[PouringSource]) -> Result<(), SceneError> {
    let radii = world.particles.radius.iter().copied().chain(sources.iter().map(|source| source.largest));
    let largest = radii.fold(0.0, f64::max);
    let range = world.kernels.iter().map(|kernel| kernel.range()).fold(0.0, f64::max);
    let needed = 2.0 * (2.0 * largest + range);
    for k in 0..3 {
        let width = world.cell.width(k);
        if world.cell.periodic[k] && width <= needed {
            let axis = ["x", "y", "z"][k];
            return Err(document.error_at(
                &["domain", "max"],
                format!(
                    "the periodic cell is {width} m wide along {axis}, expected more than {needed} m, twice the largest interaction distance"
                ),
            ));
        }
    }
    Ok(())
}

/// What would otherwise be found at the end of the run only.
fn check_output(document: &SceneDocument, output: &OutputScene) -> Result<(), SceneError> {
    for (key, given) in [
        ("series", output.series),
        ("snapshots", output.snapshots),
        ("checkpoints", output.checkpoints),
        ("profiles", output.profiles),
    ] {
        if let Some(interval) = given {
            positive(document, &["output", key], interval.si(), "s")?;
        }
    }
    PictureRequest::from_scene(&output.picture)
        .check()
        .map_err(|error| document.error_at(&["output", "picture"], error))
}

fn build_rest(document: &SceneDocument, scene: &Scene) -> Result<RestCriterion, SceneError> {
    let rest = &scene.at_rest;
    let mut criterion = RestCriterion::default();
    if let Some(x) = rest.kinetic_energy {
        criterion.kinetic_energy = positive(document, &["at_rest", "kinetic_energy"], x.si(), "-")?;
    }
    if let Some(x) = rest.unbalanced_force {
        criterion.unbalanced_force = positive(document, &["at_rest", "unbalanced_force"], x.si(), "-")?;
    }
    if let Some(x) = rest.duration {
        criterion.duration = positive(document, &["at_rest", "duration"], x.si(), "s")?;
    }
    Ok(criterion)
}

fn build_fields(document: &SceneDocument, scene: &Scene) -> Result<Fields, SceneError> {
    let given = &scene.fields;
    let mut fields = Fields { gravity: given.gravity(), ..Fields::default() };
    if let Some(rotation) = given.gravity_rotation {
        fields.gravity_rotation = dem_io::units::Quantity::vector(rotation);
        if fields.gravity_rotation.cross(fields.gravity) == DVec3::ZERO {
            return Err(document.error_at(
                &["fields", "gravity_rotation"],
                "expected a vector that is neither zero nor parallel to gravity: it would turn nothing",
            ));
        }
    }
    let fluid_velocity = given.fluid_velocity.map_or(DVec3::ZERO, dem_io::units::Quantity::vector);
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

fn build_cell(document: &SceneDocument, scene: &Scene, walls: &[dem_core::wall::Wall]) -> Result<Cell, SceneError> {
    if let Some(domain) = &scene.domain {
        return given_cell(document, domain);
    }
    // whatever a plane or an endless cylinder carries is still there, however far away
    if walls.iter().any(|wall| wall.shape.bounds().is_none()) {
        return Ok(Cell::unbounded());
    }
    // around walls and regions, with a margin of the whole size on every side
    let mut corners = sources::region_bounds(scene);
    corners.extend(walls.iter().filter_map(|wall| {
        let (low, high) = wall.shape.bounds()?;
        Some((low + wall.pose.position, high + wall.pose.position))
    }));
    if corners.is_empty() {
        return Ok(Cell::unbounded());
    }
    let low = corners.iter().map(|c| c.0).fold(DVec3::splat(f64::INFINITY), DVec3::min);
    let high = corners.iter().map(|c| c.1).fold(DVec3::splat(f64::NEG_INFINITY), DVec3::max);
    let margin = DVec3::splat((high - low).length().max(f64::MIN_POSITIVE));
    Ok(Cell::orthogonal(low - margin, high + margin, [false; 3], [[FacePolicy::Open; 2]; 3]))
}

fn given_cell(document: &SceneDocument, domain: &DomainScene) -> Result<Cell, SceneError> {
    let low = dem_io::units::Quantity::vector(domain.min);
    let high = dem_io::units::Quantity::vector(domain.max);
    for k in 0..3 {
        if low[k] >= high[k] {
            return Err(document.error_at(
                &["domain", "max"],
                format!(
                    "expected every coordinate above that of domain.min, {} <= {} along {}",
                    high[k],
                    low[k],
                    ["x", "y", "z"][k]
                ),
            ));
        }
    }
    let both = [domain.x, domain.y, domain.z];
    let single = [[domain.x_min, domain.x_max], [domain.y_min, domain.y_max], [domain.z_min, domain.z_max]];
    let mut periodic = [false; 3];
    let mut faces = [[FacePolicy::Open; 2]; 3];
    for k in 0..3 {
        let given: [FaceScene; 2] = std::array::from_fn(|side| single[k][side].or(both[k]).unwrap_or_default());
        if given.contains(&FaceScene::Periodic) {
            if given[0] != given[1] {
                let side = single[k].iter().position(Option::is_some);
                let key = side.map_or(["x", "y", "z"][k], |side| FACES[k][side]);
                return Err(document.error_at(&["domain", key], "expected \"periodic\" for both faces of a direction"));
            }
            periodic[k] = true;
        }
        faces[k] = given.map(|face| match face {
            FaceScene::Reflect => FacePolicy::Reflect,
            FaceScene::Error => FacePolicy::Error,
            FaceScene::Open | FaceScene::Periodic => FacePolicy::Open,
        });
    }
    Ok(Cell::orthogonal(low, high, periodic, faces))
}

/// Bits of a list of frozen degrees of freedom.
fn frozen_bits(list: &[DegreeOfFreedom]) -> u8 {
    use DegreeOfFreedom as D;
    let all = |bits: [u8; 3]| bits.iter().fold(0, |a, b| a | b);
    list.iter()
        .map(|freedom| match freedom {
            D::X => frozen::TRANSLATION[0],
            D::Y => frozen::TRANSLATION[1],
            D::Z => frozen::TRANSLATION[2],
            D::RotationX => frozen::ROTATION[0],
            D::RotationY => frozen::ROTATION[1],
            D::RotationZ => frozen::ROTATION[2],
            D::Rotation => all(frozen::ROTATION),
            D::Translation => all(frozen::TRANSLATION),
        })
        .fold(0, |a, b| a | b)
}

/// Checks a number of the scene against what is allowed.
fn in_range<P: Into<dem_io::document::KeyPath>>(
    document: &SceneDocument,
    path: P,
    value: f64,
    unit: &str,
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<f64, SceneError> {
    if admissible(value) { Ok(value) } else { Err(document.range_error(path, unit, allowed)) }
}

fn positive<P: Into<dem_io::document::KeyPath>>(
    document: &SceneDocument,
    path: P,
    value: f64,
    unit: &str,
) -> Result<f64, SceneError> {
    in_range(document, path, value, unit, "value > 0", |x| x > 0.0)
}

/// Message about a parameter without the value: the document prints it as it was written.
fn without_value(message: &str) -> String {
    match message.split_once(", ") {
        Some((value, rest)) if value.starts_with("= ") => rest.to_owned(),
        _ => message.to_owned(),
    }
}

/// The known name that a misspelt one probably means.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = known.iter().map(|known| (strsim::damerau_levenshtein(known, name), *known)).min();
    distance.filter(|(distance, known)| *distance <= 1 + known.len() / 3).map(|(_, known)| known)
}

/// Unit vector of a given direction.
fn direction<P: Into<dem_io::document::KeyPath>>(
    document: &SceneDocument,
    path: P,
    given: Option<[f64; 3]>,
) -> Result<DVec3, SceneError> {
    let v = given.map_or(DVec3::Z, DVec3::from_array);
    if v.is_finite() && v.length() > 0.0 {
        Ok(v.normalize())
    } else {
        Err(document.error_at(path, "expected a vector that is not zero"))
    }
}

/// Key path of an entry of a list of tables.
fn entry_path(list: &str, index: usize, keys: &[&str]) -> dem_io::document::KeyPath {
    let mut segments = vec![list.to_owned(), index.to_string()];
    segments.extend(keys.iter().map(|key| (*key).to_owned()));
    dem_io::document::KeyPath::from(segments)
}
