//! From a scene document to a simulation. Every error names the file, the line, the key, the value and what is allowed.

mod all_errors;
mod cell;
mod checks;
mod chosen_contacts;
mod contact;
mod contact_memory;
mod domain;
mod fields;
mod guides;
mod integrator;
mod meshes;
mod motions;
mod named_files;
mod periodic_walls;
mod probes;
mod regions;
mod requests;
mod resolution;
mod seams;
mod series_width;
mod servos;
mod sources;
mod stages;
mod surroundings;
mod table_overlaps;
mod time_step;
mod walls;

pub use all_errors::{AllErrors, all_errors};
use checks::{direction, entry_path, in_range, positive, without_value};
pub use contact::{ContactDefinition, ResolvedPair};
use domain::{build_cell, check_periods};
use fields::build_fields;
pub use motions::MotionTables;
use named_files::MissingTables;
pub use named_files::{NamedFile, copies, copies_in, copy_folders, write_copies};
pub use requests::size_distribution;
pub use seams::{Seam, seams};
pub(crate) use sources::insert_sphere;
pub use surroundings::{Surroundings, surroundings};
pub use time_step::TimeStepChoice;
pub(crate) use time_step::{bounds as bounds_beforehand, expected_speed};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_contact::frame::TransportKind;
use dem_contact::geometry::{ContactGeometry, Lever, SlipForm};
use dem_core::figure::Figure;
use dem_core::particles::frozen;
use dem_core::rotation::total;
use dem_core::wall::Mesh;
use dem_io::document::{KeyPath, Override, SceneDocument, SceneError};

use crate::forces::ForceEvaluation;
use crate::pipeline::Pipeline;
use crate::provenance::Provenance;
use crate::run::PictureRequest;
use crate::scene::{ContactScene, DegreeOfFreedom, OutputScene, Scene};
use crate::simulation::{RestCriterion, Simulation};
use crate::threads;
use crate::wall_overlaps::ROUNDING_OVERLAP;
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
    /// Tables of motions.
    pub motion_tables: MotionTables,
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
    let (motion_tables, of_motions) = motions::load(&document, &scene, &folder)?;
    files.extend(of_motions);
    files.extend(named_files::particle_tables(&document, &scene, &folder, missing)?);
    Ok(LoadedScene { document, scene, folder, meshes, motion_tables, files })
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
    threads::join_pool();
    let LoadedScene { document, scene, .. } = loaded;
    let contact = ContactDefinition::new(document, scene)?;
    let kernels = contact.build_kernels(document)?;
    let walls = walls::build(loaded, &contact)?;
    let cell = build_cell(loaded, &walls, with_particles)?;
    let mut world = World::new(cell, contact.materials.clone(), contact.laws.clone(), kernels, 0.0);
    world.walls = walls;
    world.orientations_follow = scene.output.orientations.unwrap_or(true);
    world.fields = build_fields(document, &KeyPath::from(&["fields"]), &scene.fields)?;
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
    world.provenance = Provenance::new(scene.particles.iter().map(|source| source.name.clone()));
    let (sources, ids) = sources::build(loaded, &contact, &mut world, with_particles)?;
    fields::check_porosity_cell(document, scene, &world, &sources)?;
    guides::build(document, scene, &ids, &mut world)?;
    check_periods(document, &world, &sources)?;
    let stages = stages::build(loaded, &contact, &world)?;
    servos::build(document, scene, &stages, &mut world)?;
    let integrator = integrator::build(document, scene.time.integrator.as_ref())?;
    let time_step = time_step::choose(document, scene, &contact, &world, &sources, &integrator.fractions())?;
    world.time_step = time_step.time_step;
    check_output(document, &scene.output)?;

    world.deformation = cell::build(document, scene, &world, integrator.key())?;
    periodic_walls::check(loaded, &world, &sources)?;
    contact_memory::check(document, &world, &sources)?;
    let skin = contact_memory::skin(document, scene, &world, &sources)?;
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
    series_width::check(document, scene, &world)?;
    let chosen_contacts = chosen_contacts::build(document, scene)?;
    let probes = probes::build(document, scene, &world, &sources)?;
    let mut simulation =
        Simulation::new(world, pipeline, contact, sources, stages, build_rest(document, scene)?, end, time_step);
    simulation.probes = probes;
    simulation.chosen_contacts = chosen_contacts;
    simulation.cuts_allowed = cuts_allowed(document, scene)?;
    warn_of_deep_impacts(&simulation);
    resolution::warn(&simulation);
    simulation.is_domain_given = scene.domain.is_some();
    Ok(simulation)
}

/// How deep each wall may cut spheres where it is put in place, in proportion to the radius.
fn cuts_allowed(document: &SceneDocument, scene: &Scene) -> Result<Vec<f64>, SceneError> {
    let allowed = scene.walls.iter().enumerate().map(|(index, wall)| match wall.max_overlap {
        None => Ok(ROUNDING_OVERLAP),
        Some(x) => {
            let path = entry_path("walls", index, &["max_overlap"]);
            in_range(document, path, x.si(), "-", "0 <= value <= 1", |x| (0.0..=1.0).contains(&x))
        }
    });
    allowed.collect()
}

/// Overlap in proportion to the limit from which on an impact to expect is told of: its speed is that of the longest fall in the scene, head-on,
/// which few scenes come to.
const DEEP: f64 = 1.5;

fn warn_of_deep_impacts(simulation: &Simulation) {
    let (choice, limit) = (&simulation.time_step, simulation.pipeline.limits.overlap_ratio);
    if let Some(deepest) = choice.deepest.as_ref().filter(|deepest| deepest.overlap_ratio > DEEP * limit) {
        tracing::warn!(
            "an impact of {} at {} m/s, which may happen, overlaps by {} % of the radius; above {} % (limits.overlap) the run stops",
            deepest.between,
            Figure::new(choice.expected_speed, 3),
            Figure::new(100.0 * deepest.overlap_ratio, 1),
            Figure::new(100.0 * limit, 1)
        );
    }
}

/// Chooses the time step again, for a simulation whose particles came from elsewhere than the scene.
///
/// # Errors
/// A time step out of range.
pub(crate) fn renew_time_step(loaded: &LoadedScene, simulation: &mut Simulation) -> Result<(), SceneError> {
    let Simulation { world, contact, sources, pipeline, .. } = &*simulation;
    let fractions = pipeline.integrator.fractions();
    let choice = time_step::choose(&loaded.document, &loaded.scene, contact, world, sources, &fractions)?;
    simulation.set_time_step(choice);
    resolution::warn(simulation);
    Ok(())
}

/// Refuses walls whose periodic images particles that came from elsewhere than the scene would miss.
///
/// # Errors
/// Such a wall.
pub(crate) fn check_walls(loaded: &LoadedScene, simulation: &Simulation) -> Result<(), SceneError> {
    periodic_walls::check(loaded, &simulation.world, &simulation.sources)
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
        .check(output)
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
