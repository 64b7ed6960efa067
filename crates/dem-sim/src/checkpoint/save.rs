//! Writes the state of a simulation.

use std::collections::BTreeMap;

use dem_core::bodies::table::Bodies;
use dem_core::particles::{ExternalLoad, HigherDerivatives, Particles, UserColumn};
use dem_io::atomic::Unfinished;
use dem_io::checkpoint::CheckpointWriter;

use super::bodies;
use super::format::{
    CELL, CONTACT_PARAMETERS, ENGINE, EXTERNAL_LOADS, FIELDS, GUIDE_TURNS, GUIDES, HIGHER_DERIVATIVES, Header, LIQUID,
    MATERIAL_FLOWS, MATERIALS, PROVENANCE, SavedCell, SavedHistories, SavedPair, SavedParameter, SavedSources,
    SavedStateError, WALL_FACETS, WALL_PROBES, WALL_SERVOS, contents,
};
use super::history_encoding::HistoriesOf;
use super::{validate, validate_bodies};
use crate::environment::machine;
use crate::error::StepError;
use crate::guides::turns;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;
use crate::state::contact_parameters::Given;

/// Whether the present state can be saved: only what can be read again is.
///
/// # Errors
/// [`StepError::OutOfRange`].
pub fn check(simulation: &Simulation) -> Result<(), SimulationError> {
    let header = Header::of(simulation, "");
    let particles = &simulation.world.particles;
    validate::check_own(simulation, &header)
        .and_then(|()| validate_bodies::check_bodies(particles, simulation.world.materials.len()))
        .map_err(|error| StepError::OutOfRange { step: simulation.world.step, what: error.to_string() }.into())
}

/// Bytes of a checkpoint of the present state.
///
/// # Errors
/// What the container refuses, and a state that could not be read again, see [`check`].
pub fn save(simulation: &Simulation, fingerprint: &str) -> Result<Vec<u8>, SavedStateError> {
    check(simulation)?;
    let order = simulation.world.particles.slots_by_id();
    Ok(everything(simulation, fingerprint, &order)?.finish()?)
}

/// Bytes of a checkpoint of the present state as if it had no particles: what several processes that share the particles have in common.
///
/// # Errors
/// What the container refuses.
pub(crate) fn save_without_particles(simulation: &Simulation, fingerprint: &str) -> Result<Vec<u8>, SavedStateError> {
    let Bodies { templates, next_id, .. } = &simulation.world.particles.bodies;
    let bodies = Bodies::restored(Vec::new(), templates.clone(), *next_id, &[]).map_err(contents)?;
    let header = Header { particles: 0, ..Header::of(simulation, fingerprint) };
    let mut writer = sections(simulation, &header, &[], &bodies)?;
    writer.section_struct("histories", &Vec::<SavedHistories>::new())?;
    Ok(writer.finish()?)
}

/// Writes a checkpoint of the present state to an empty file.
///
/// # Errors
/// As [`save`], and a file that cannot be written.
pub fn save_to(simulation: &Simulation, fingerprint: &str, file: &mut Unfinished) -> Result<(), SavedStateError> {
    check(simulation)?;
    let order = simulation.world.particles.slots_by_id();
    let path = file.path().to_owned();
    Ok(everything(simulation, fingerprint, &order)?.write_to(file.file(), &path)?)
}

/// Sections of a checkpoint of the present state; `order` has the slots in order of ids.
fn everything<'a>(
    simulation: &'a Simulation,
    fingerprint: &str,
    order: &'a [u32],
) -> Result<CheckpointWriter<'a>, SavedStateError> {
    let world = &simulation.world;
    let mut writer = sections(simulation, &Header::of(simulation, fingerprint), order, &world.particles.bodies)?;
    let histories: Vec<HistoriesOf> =
        world.kernels.iter().map(|kernel| HistoriesOf { kernel: &**kernel, world, order }).collect();
    writer.section_encoded("histories", histories)?;
    Ok(writer)
}

/// All sections but the last, that of histories, with the particles in some slots.
fn sections<'a>(
    simulation: &'a Simulation,
    header: &Header,
    order: &'a [u32],
    bodies: &Bodies,
) -> Result<CheckpointWriter<'a>, SavedStateError> {
    let world = &simulation.world;
    let mut writer = CheckpointWriter::new();
    writer.section_bytes(ENGINE, machine::engine().as_bytes())?;
    writer.section_struct("header", header)?;
    let materials: Vec<&str> = world.materials.iter().map(|material| material.name.as_str()).collect();
    writer.section_struct(MATERIALS, &materials)?;
    writer.section_struct("run", &simulation.state)?;
    writer.section_struct(FIELDS, &world.fields)?;
    if simulation.contact_is_of_program {
        let of_pair = |pair: &BTreeMap<String, Given>| {
            pair.iter().map(|(name, given)| (name.clone(), SavedParameter::of(&given.value))).collect()
        };
        let pairs: Vec<SavedPair> = simulation.contact.pairs.iter().map(of_pair).collect();
        writer.section_struct(CONTACT_PARAMETERS, &pairs)?;
    }
    writer.section_struct(PROVENANCE, &world.provenance)?;
    writer.section_struct("walls", &world.walls)?;
    if !world.wall_servos.is_empty() {
        writer.section_struct(WALL_SERVOS, &world.wall_servos)?;
    }
    let sources: SavedSources =
        simulation.sources.iter().map(|s| (s.name.clone(), s.active, s.pouring.state().clone())).collect();
    writer.section_struct("sources", &sources)?;
    // the others are scratch of a step that is over
    let lasting = |name: &&&str| !["previous_position", "rotation_increment"].contains(*name);
    for name in Particles::COLUMN_NAMES.iter().filter(lasting) {
        writer.section_written(&format!("particle.{name}"), move |out| {
            world.particles.visit_column(name, order, |bytes| out.write_all(bytes))
        })?;
    }
    bodies::write(&mut writer, bodies)?;
    if let Some(deformation) = &world.deformation {
        let (origin, matrix) = (world.cell.origin, world.cell.matrix());
        writer.section_struct(CELL, &SavedCell { origin, matrix, state: deformation.state })?;
    }
    let external = &world.particles.external;
    if !external.is_empty() {
        let loads: Vec<ExternalLoad> = order.iter().map(|&slot| external[slot as usize]).collect();
        writer.section_columns(EXTERNAL_LOADS, &loads)?;
    }
    let derivatives = &world.particles.higher_derivatives;
    if !derivatives.is_empty() {
        let derivatives: Vec<HigherDerivatives> = order.iter().map(|&slot| derivatives[slot as usize]).collect();
        writer.section_columns(HIGHER_DERIVATIVES, &derivatives)?;
    }
    if !world.guides.is_empty() {
        writer.section_struct(GUIDES, &world.guides.list())?;
        if let Some(turns) = turns::of(world.guides.list()) {
            writer.section_struct(GUIDE_TURNS, &turns)?;
        }
    }
    if !simulation.probes.is_idle() {
        writer.section_struct(WALL_PROBES, simulation.probes.state())?;
    }
    if !world.facets.is_idle() {
        writer.section_struct(WALL_FACETS, world.facets.state())?;
    }
    if world.shares_films() {
        writer.section_struct(LIQUID, &world.liquid_books)?;
    }
    if !world.material_flows.is_empty() {
        writer.section_struct(MATERIAL_FLOWS, &world.material_flows)?;
    }
    let user: Vec<UserColumn> = world
        .particles
        .user
        .iter()
        .map(|column| UserColumn {
            values: order
                .iter()
                .flat_map(|&slot| column.values[slot as usize * column.width..][..column.width].iter().copied())
                .collect(),
            ..column.clone()
        })
        .collect();
    writer.section_struct("user columns", &user)?;
    Ok(writer)
}
