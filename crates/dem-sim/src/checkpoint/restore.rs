//! Continues a simulation from a checkpoint, bit for bit.

use dem_core::contact_list::ContactKey;
use dem_core::history::SavedRecord;
use dem_core::particles::Particles;
use dem_core::wall::Wall;
use dem_io::checkpoint::CheckpointReader;
use dem_io::document::KeyPath;

use super::bodies;
use super::format::{
    CELL, CONTACT_PARAMETERS, FIELDS, Header, LIQUID, MATERIAL_FLOWS, SavedCell, SavedField, SavedHistories, SavedPair,
    SavedParameter, SavedSources, SavedStateError, WALL_FACETS, WALL_PROBES, WALL_SERVOS, contents,
};
use super::read::{saved_guides, saved_particles, saved_provenance};
use super::{validate, validate_bodies};
use crate::deformation::deforming_cell::DeformationState;
use crate::fields::body_forces::Fields;
use crate::insertion::pouring::Pouring;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;
use crate::simulation::run_state::RunState;
use crate::state::contact_parameters::Given;
use crate::state::instants;
use crate::state::liquid_books::LiquidBooks;
use crate::state::material_flow::MaterialFlow;
use crate::wall_facets::records::SavedFacets;
use crate::wall_servos::servo::WallServo;

/// Continues a simulation, built without particles from the same scene, from a checkpoint.
///
/// # Errors
/// A damaged checkpoint, or one of another scene.
pub fn restore(
    simulation: &mut Simulation,
    reader: &CheckpointReader,
    fingerprint: &str,
) -> Result<(), SavedStateError> {
    let header: Header = reader.structure("header")?;
    if header.scene != fingerprint {
        return Err(contents(
            "written by another scene: only title, output, limits, contact_search, time.end and what stages last until may differ; --from starts a new branch from it",
        ));
    }
    validate::check_header(&header)?;
    let state: RunState = reader.structure("run")?;
    validate::check_run(&state, simulation, &header)?;
    simulation.state = state;
    let mut walls: Vec<Wall> = reader.structure("walls")?;
    for (wall, own) in walls.iter_mut().zip(&simulation.world.walls) {
        wall.shape.adopt(&own.shape);
        wall.near_field = own.near_field;
    }
    validate::check_walls(&walls, &simulation.world.walls)?;
    simulation.world.walls = walls;
    let servos: Vec<WallServo> = if reader.has(WALL_SERVOS) { reader.structure(WALL_SERVOS)? } else { Vec::new() };
    validate::check_wall_servos(&servos, simulation)?;
    simulation.world.wall_servos = servos;
    let guides = saved_guides(reader)?;
    validate::check_guides(&guides, simulation.world.guides.list())?;
    simulation.world.guides.replace(guides);
    let sources: SavedSources = reader.structure("sources")?;
    if sources.len() != simulation.sources.len() {
        return Err(contents("it has another number of sources than the scene"));
    }
    for (source, (name, active, state)) in simulation.sources.iter_mut().zip(sources) {
        if source.name != name {
            return Err(contents(format!("source \"{name}\" is not in the scene")));
        }
        source.active = active;
        source.pouring = Pouring::resume(source.pouring.settings().clone(), state)
            .map_err(|error| contents(format!("source \"{name}\": {error}")))?;
    }
    simulation.replay_contact_changes()?;
    restore_contact_parameters(simulation, reader)?;
    let fields: Fields = reader.structure(FIELDS)?;
    validate::check_fields(&fields)?;
    simulation.world.fields = fields;
    let provenance = saved_provenance(reader)?;
    let saved_deformation = restore_cell(simulation, reader)?;
    let world = &mut simulation.world;
    world.step = header.step;
    world.time = header.time;
    world.time_step = header.time_step;
    world.clock = header.clock;
    world.removed = header.removed;
    world.removed_mass = header.removed_mass;
    world.removed_by_stages = header.removed_by_stages;
    world.peak_overlap_ratio = header.peak_overlap_ratio;
    world.provenance = provenance;
    let mut particles = saved_particles(reader, &header)?;
    bodies::keep_templates(&world.particles.bodies.templates, &mut particles.bodies)?;
    let histories: Vec<SavedHistories> = reader.structure("histories")?;
    let lost = fill(simulation, particles, &histories)?.len();
    if lost > 0 {
        let all: usize = histories.iter().map(|of_law| of_law.keys.len()).sum();
        return Err(contents(format!("{lost} of {all} contact histories belong to no contact")));
    }
    let deform = simulation.stages[simulation.state.stage].deform;
    if let (Some(deformation), Some(state)) = (&mut simulation.world.deformation, saved_deformation) {
        (deformation.control, deformation.state) = (deform, state);
    }
    simulation.world.accumulated = header.accumulated;
    if reader.has(LIQUID) {
        let books: LiquidBooks = reader.structure(LIQUID)?;
        validate::check_liquid(&books)?;
        simulation.world.liquid_books = books;
    }
    if reader.has(MATERIAL_FLOWS) {
        let saved: Vec<MaterialFlow> = reader.structure(MATERIAL_FLOWS)?;
        validate::check_material_flows(&saved)?;
        for flow in &mut simulation.world.material_flows {
            *flow = saved.iter().copied().find(|saved| saved.material == flow.material).unwrap_or(*flow);
        }
    }
    simulation.world.inserted = header.inserted;
    if reader.has(WALL_PROBES) {
        let now = instants::now(&simulation.world);
        simulation.probes.resume(reader.structure(WALL_PROBES)?, now);
    }
    restore_facets(simulation, reader)?;
    Ok(())
}

/// Goes on with the load and wear of facets. A checkpoint without them is one of a run that had none: they begin anew.
fn restore_facets(simulation: &mut Simulation, reader: &CheckpointReader) -> Result<(), SavedStateError> {
    let saved: SavedFacets =
        if reader.has(WALL_FACETS) { reader.structure(WALL_FACETS)? } else { SavedFacets::default() };
    validate::check_facets(&saved)?;
    let anew = simulation.world.facets.resume(saved);
    for wall in anew {
        tracing::warn!(
            "load and wear of the facets of wall \"{}\" begin anew: the checkpoint has none of it, or under other coefficients",
            simulation.world.walls[wall].name
        );
    }
    Ok(())
}

/// Gives a simulation the contact parameters that a program had set.
fn restore_contact_parameters(simulation: &mut Simulation, reader: &CheckpointReader) -> Result<(), SavedStateError> {
    if !reader.has(CONTACT_PARAMETERS) {
        return Ok(());
    }
    let saved: Vec<SavedPair> = reader.structure(CONTACT_PARAMETERS)?;
    let mut contact = simulation.contact.clone();
    if saved.len() != contact.pairs.len() {
        return Err(contents("its contact parameters are those of another number of materials"));
    }
    for (pair, saved) in contact.pairs.iter_mut().zip(saved) {
        let given = |value: SavedParameter| Given { value: value.into_value(), path: KeyPath::from(&["contact"]) };
        *pair = saved.into_iter().map(|(name, value)| (name, given(value))).collect();
    }
    simulation.set_contact(contact)?;
    simulation.contact_is_of_program = true;
    Ok(())
}

/// Gives a simulation the edges of the cell of a checkpoint; returns how it has deformed, if it may.
pub(crate) fn restore_cell(
    simulation: &mut Simulation,
    reader: &CheckpointReader,
) -> Result<Option<DeformationState>, SavedStateError> {
    if !reader.has(CELL) {
        return Ok(None);
    }
    if simulation.world.deformation.is_none() {
        return Err(contents("its cell may have deformed: the scene needs a table [cell]"));
    }
    let saved: SavedCell = reader.structure(CELL)?;
    validate::check_cell(&saved)?;
    simulation.world.cell.origin = saved.origin;
    simulation.world.cell.set_matrix(saved.matrix);
    Ok(Some(saved.state))
}

/// Puts particles and histories of a checkpoint into a simulation; returns the histories that belong to no candidate of their law.
pub(crate) fn fill(
    simulation: &mut Simulation,
    mut particles: Particles,
    histories: &[SavedHistories],
) -> Result<Vec<ContactKey>, SavedStateError> {
    // what the scene requests and the saved run did not keep starts now
    for own in &simulation.world.particles.user {
        if particles.user.iter().all(|saved| saved.name != own.name) {
            particles.add_user_column(&own.name, &own.unit, own.width);
        }
    }
    validate::check_particles(simulation, &particles)?;
    validate_bodies::check_bodies(&particles, simulation.world.materials.len())?;
    simulation.world.particles = particles;
    simulation.pipeline.resume(&mut simulation.world).map_err(SimulationError::from)?;

    let mut lost = Vec::new();
    let world = &mut simulation.world;
    let mut unused: Vec<&SavedHistories> = histories.iter().collect();
    let mut kernels = std::mem::take(&mut world.kernels);
    for (law, kernel) in kernels.iter_mut().enumerate() {
        let Some(at) = unused.iter().position(|h| h.law == kernel.key()) else { continue };
        let saved = unused.swap_remove(at);
        let stride = dem_core::history::stride(kernel.fields()).max(1);
        if !saved.fields.iter().cloned().eq(kernel.fields().iter().map(SavedField::of)) {
            return Err(contents(format!(
                "histories of law {} hold other fields than those of the scene's",
                saved.law
            )));
        }
        if saved.stride as usize != stride || saved.records.len() != saved.keys.len().saturating_mul(stride) {
            return Err(contents(format!("histories of law {} have another size than their fields", saved.law)));
        }
        let records: Vec<SavedRecord> = saved
            .keys
            .iter()
            .zip(saved.records.chunks_exact(stride))
            .map(|(&key, record)| SavedRecord { key, record: record.to_vec() })
            .collect();
        lost.extend(kernel.restore(&world.list, law, &world.particles.id, &records));
    }
    world.kernels = kernels;
    lost.extend(unused.iter().flat_map(|h| &h.keys));
    Ok(lost)
}
