//! A simulation from a scene that has been read.

use dem_contact::frame::TransportKind;
use dem_contact::geometry::{ContactGeometry, EffectiveMass, Lever, SlipForm};
use dem_core::figure::Figure;
use dem_core::liquid;
use dem_core::rotation::total;
use dem_io::document::{KeyPath, SceneDocument, SceneError};

use super::fields::{self, build_fields};
use super::loaded_scene::LoadedScene;
use super::values::{entry_path, in_range, positive};
use super::{chosen_contacts, integrator, probes, rotation, stages, time_step, wall_facets};
use crate::builder::boundaries::domain::{build_cell, check_periods};
use crate::builder::boundaries::{cell, servos, walls};
use crate::builder::checks::{contact_memory, liquid_bridges, periodic_walls, resolution, rigid_bodies, series_width};
use crate::builder::particles::clumps::Clumps;
use crate::builder::particles::{guides, mixing, regions, sources};
use crate::environment::threads;
use crate::forces::components::ForceEvaluation;
use crate::measure::bodies::has_bodies;
use crate::pictures::request::PictureRequest;
use crate::scene::contact::ContactScene;
use crate::scene::document::Scene;
use crate::scene::output::OutputScene;
use crate::simulation::components::Simulation;
use crate::simulation::stage::RestCriterion;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::provenance::Provenance;
use crate::state::wall_overlaps::ROUNDING_OVERLAP;
use crate::state::world::World;
use crate::step::pipeline::Pipeline;

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
    if let Some(name) = &scene.effective_mass {
        geometry.effective_mass =
            EffectiveMass::from_name(name).ok_or_else(|| unknown("effective_mass", EffectiveMass::NAMES))?;
    }
    Ok(geometry)
}

pub(crate) fn build_with(loaded: &LoadedScene, with_particles: bool) -> Result<Simulation, SceneError> {
    threads::join_pool();
    let LoadedScene { document, scene, .. } = loaded;
    let contact = ContactDefinition::new(document, scene)?;
    let kernels = contact.build_kernels(document)?;
    let walls = walls::build(loaded, &contact)?;
    let cell = build_cell(loaded, &walls, with_particles)?;
    let mut world = World::new(cell, contact.materials.clone(), contact.laws.clone(), kernels, 0.0);
    world.walls = walls;
    world.orientations_follow = scene.output.orientations.unwrap_or(true);
    world.rotation = rotation::build(document, scene)?;
    world.fields = build_fields(document, &KeyPath::from(&["fields"]), &scene.fields)?;
    world.contact_geometry = contact_geometry(document, &scene.contact)?;
    for (name, group) in &scene.groups {
        if group.frozen.is_empty() && group.force.is_none() && group.torque.is_none() {
            let message = "expected at least one of the keys frozen, force, torque";
            return Err(document.error_at(&["groups", name], message));
        }
    }
    if with_particles && scene.particles.is_empty() {
        return Err(document.error_at(&["particles"], "expected at least one source of particles"));
    }
    if scene.output.total_rotation {
        total::add_column(&mut world.particles);
    }
    if contact.shares_films() {
        liquid::add_column(&mut world.particles);
    }
    world.provenance = Provenance::new(scene.particles.iter().map(|source| source.name.clone()));
    let clumps = Clumps::build(loaded, &contact)?;
    rigid_bodies::check(loaded, &contact, &clumps)?;
    let (sources, ids) = sources::build(loaded, &contact, &clumps, &mut world, with_particles)?;
    fields::check_porosity_cell(document, scene, &world, &sources)?;
    guides::build(document, scene, &ids, &mut world)?;
    check_periods(document, &world, &sources)?;
    liquid_bridges::warn(&contact, &world, &sources);
    let stages = stages::build(loaded, &contact, &world, &sources)?;
    servos::build(document, scene, &stages, &mut world)?;
    let integrator = integrator::build(document, scene.time.integrator.as_ref())?;
    let time_step = time_step::choose(document, scene, &contact, &world, &sources, &integrator.fractions())?;
    world.time_step = time_step.time_step;
    check_output(document, &scene.output, has_bodies(&world), world.shares_films())?;

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
    world.mixing = mixing::grids(document, scene, &world)?;
    world.material_flows = mixing::flows(document, scene, &world)?;
    series_width::check(document, scene, &world)?;
    let chosen_contacts = chosen_contacts::build(document, scene)?;
    let probes = probes::build(document, scene, &world, &sources)?;
    world.facets = wall_facets::build(document, scene, &world)?;
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

/// Overlap in proportion to the limit from which on an expected impact is reported: its speed is that of the longest
/// fall in the scene, head-on, which few scenes come to.
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
fn check_output(
    document: &SceneDocument,
    output: &OutputScene,
    with_bodies: bool,
    with_films: bool,
) -> Result<(), SceneError> {
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
        .check(output, with_bodies, with_films)
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
