//! The state of a simulation in a checkpoint, and back, bit for bit.
//!
//! Particles are stored in order of ids and histories in order of keys, so that the bytes do not depend on slots, skin or
//! threads. Nothing of the machine or the wall clock is stored.

mod branching;
mod histories;
mod histories_of;
pub(crate) mod soundness;

pub use branching::{Branched, branch};
pub use histories::{FittedFields, HistoryCount, WallHistories};

use std::convert::Infallible;

use dem_core::contact_list::ContactKey;
use dem_core::energy::AccumulatedEnergy;
use dem_core::history::{FieldSpec, SavedRecord};
use dem_core::particles::{ExternalLoad, HigherDerivatives, Particles, UserColumn};
use dem_core::wall::Wall;
use dem_core::{DMat3, DVec3};
use dem_io::atomic::Unfinished;
use dem_io::checkpoint::{CheckpointReader, CheckpointWriter};
use dem_io::document::SceneError;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::clock::StepClock;
use crate::deformation::DeformationState;
use crate::error::StepError;
use crate::fields::Fields;
use crate::guides::Guide;
use crate::insertion::{Pouring, PouringState};
use crate::instants;
use crate::machine;
use crate::provenance::Provenance;
use crate::simulation::{RunState, Simulation, SimulationError};
use crate::wall_servos::WallServo;
use histories_of::HistoriesOf;

/// Why a saved state could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SavedStateError {
    /// The container is damaged or of another kind.
    #[error("{0}")]
    Container(#[from] dem_io::Error),
    /// The contents contradict each other or the scene.
    #[error("{0}")]
    Contents(String),
    /// The scene does not go with it.
    #[error("{0}")]
    Scene(#[from] SceneError),
    /// The simulation refused the state.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
}

/// Section of the loads that the user puts on particles, if there are any.
const EXTERNAL_LOADS: &str = "external loads";

/// Section of the cell, if it may deform.
pub(crate) const CELL: &str = "cell";

/// Section of what a multi-value integrator remembers of particles, if there is one.
const HIGHER_DERIVATIVES: &str = "higher derivatives";

/// Section that names the version of the engine; nothing depends on it.
const ENGINE: &str = "engine";

/// Section of the guides, if there are any.
const GUIDES: &str = "guides";

/// Section of the walls that press with a force, if there are any.
const WALL_SERVOS: &str = "wall servos";

/// Section of the fields, which stages may change.
const FIELDS: &str = "fields";

/// Section of which sources particles come from.
const PROVENANCE: &str = "provenance";

/// Section of the names of the materials.
const MATERIALS: &str = "materials";

/// Section of the averages of wall probes, if there are any.
const WALL_PROBES: &str = "wall probes";

pub(crate) fn contents(message: impl Into<String>) -> SavedStateError {
    SavedStateError::Contents(message.into())
}

/// Counters and scalars.
#[derive(Serialize, Deserialize)]
pub(crate) struct Header {
    scene: String,
    pub(crate) step: u64,
    pub(crate) time: f64,
    pub(crate) time_step: f64,
    pub(crate) clock: StepClock,
    pub(crate) particles: u64,
    pub(crate) next_id: u64,
    pub(crate) inserted: u64,
    pub(crate) removed: u64,
    pub(crate) removed_mass: f64,
    pub(crate) removed_by_stages: u64,
    pub(crate) peak_overlap_ratio: f64,
    pub(crate) accumulated: AccumulatedEnergy,
}

impl Header {
    fn of(simulation: &Simulation, fingerprint: &str) -> Self {
        let world = &simulation.world;
        Self {
            scene: fingerprint.to_owned(),
            step: world.step,
            time: world.time,
            time_step: world.time_step,
            clock: world.clock,
            particles: world.particles.len() as u64,
            next_id: world.particles.next_id,
            inserted: world.inserted,
            removed: world.removed,
            removed_mass: world.removed_mass,
            removed_by_stages: world.removed_by_stages,
            peak_overlap_ratio: world.peak_overlap_ratio,
            accumulated: world.accumulated,
        }
    }
}

/// A cell that may deform.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedCell {
    pub(crate) origin: DVec3,
    pub(crate) matrix: DMat3,
    pub(crate) state: DeformationState,
}

/// Sources by name: whether they pour, and how far they have come.
type SavedSources = Vec<(String, bool, PouringState)>;

/// A named part of the records of a law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedField {
    pub(crate) name: String,
    pub(crate) width: u64,
}

impl SavedField {
    fn of(field: &FieldSpec) -> Self {
        Self { name: field.name.to_owned(), width: field.width as u64 }
    }
}

/// Histories of one law: what their records hold, keys, and records one after the other.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedHistories {
    pub(crate) law: String,
    pub(crate) fields: Vec<SavedField>,
    pub(crate) stride: u64,
    pub(crate) keys: Vec<ContactKey>,
    pub(crate) records: Vec<f64>,
}

/// Fingerprint of what a scene simulates: everything but title, output, limits, when stages and time end, and how pairs are searched.
///
/// A checkpoint continues only under the scene it was written by.
pub fn scene_fingerprint(resolved: &toml::Table) -> String {
    let mut physics = resolved.clone();
    for key in ["title", "output", "limits", "contact_search"] {
        physics.remove(key);
    }
    if let Some(toml::Value::Table(time)) = physics.get_mut("time") {
        time.remove("end");
        if time.is_empty() {
            physics.remove("time");
        }
    }
    if let Some(toml::Value::Array(stages)) = physics.get_mut("stages") {
        stages.iter_mut().filter_map(toml::Value::as_table_mut).for_each(|stage| _ = stage.remove("until"));
    }
    // keys of a table are sorted by the toml crate, so that their order in the file does not matter
    format!("{:032x}", xxh3_128(physics.to_string().as_bytes()))
}

/// Whether the present state can be saved: only what can be read again is.
///
/// # Errors
/// [`StepError::OutOfRange`].
pub fn check(simulation: &Simulation) -> Result<(), SimulationError> {
    let header = Header::of(simulation, "");
    soundness::check_own(simulation, &header)
        .map_err(|error| StepError::OutOfRange { step: simulation.world.step, what: error.to_string() }.into())
}

/// Bytes of a checkpoint of the present state.
///
/// # Errors
/// What the container refuses, and a state that could not be read again, see [`check`].
pub fn save(simulation: &Simulation, fingerprint: &str) -> Result<Vec<u8>, SavedStateError> {
    check(simulation)?;
    let order = simulation.world.particles.slots_by_id();
    Ok(sections(simulation, fingerprint, &order)?.finish()?)
}

/// Writes a checkpoint of the present state to an empty file.
///
/// # Errors
/// As [`save`], and a file that cannot be written.
pub fn save_to(simulation: &Simulation, fingerprint: &str, file: &mut Unfinished) -> Result<(), SavedStateError> {
    check(simulation)?;
    let order = simulation.world.particles.slots_by_id();
    let path = file.path().to_owned();
    Ok(sections(simulation, fingerprint, &order)?.write_to(file.file(), &path)?)
}

/// Sections of a checkpoint of the present state; `order` has the slots in order of ids.
fn sections<'a>(
    simulation: &'a Simulation,
    fingerprint: &str,
    order: &'a [u32],
) -> Result<CheckpointWriter<'a>, SavedStateError> {
    let world = &simulation.world;
    let mut writer = CheckpointWriter::new();
    writer.section_bytes(ENGINE, machine::engine().as_bytes())?;
    writer.section_struct("header", &Header::of(simulation, fingerprint))?;
    let materials: Vec<&str> = world.materials.iter().map(|material| material.name.as_str()).collect();
    writer.section_struct(MATERIALS, &materials)?;
    writer.section_struct("run", &simulation.state)?;
    writer.section_struct(FIELDS, &world.fields)?;
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
    }
    if !simulation.probes.is_idle() {
        writer.section_struct(WALL_PROBES, simulation.probes.state())?;
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
    let histories: Vec<HistoriesOf> =
        world.kernels.iter().map(|kernel| HistoriesOf { kernel: &**kernel, world, order }).collect();
    writer.section_encoded("histories", histories)?;
    Ok(writer)
}

/// Time of the state of a checkpoint \[s\].
///
/// # Errors
/// A damaged checkpoint.
pub(crate) fn time_of(reader: &CheckpointReader) -> Result<f64, SavedStateError> {
    Ok(reader.structure::<Header>("header")?.time)
}

/// What a checkpoint holds, as names and values.
///
/// # Errors
/// A damaged checkpoint.
pub fn describe(reader: &CheckpointReader) -> Result<Vec<(&'static str, String)>, SavedStateError> {
    let header: Header = reader.structure("header")?;
    let run: RunState = reader.structure("run")?;
    let histories: Vec<SavedHistories> = reader.structure("histories")?;
    let contacts: Vec<String> = histories.iter().map(|h| format!("{} {}", h.keys.len(), h.law)).collect();
    Ok(vec![
        ("engine", String::from_utf8_lossy(reader.bytes(ENGINE)?).into_owned()),
        ("scene", header.scene),
        ("step", header.step.to_string()),
        ("time", format!("{} s", header.time)),
        ("time step", format!("{} s ({})", header.time_step, run.time_step_criterion)),
        ("particles", header.particles.to_string()),
        ("contacts", contacts.join(", ")),
        // counted as in the series
        ("stage", (run.stage + 1).to_string()),
        ("stopped", run.stopped.map_or("no".to_owned(), |reason| reason.describe().to_owned())),
    ])
}

/// Fingerprint of where particles are, how they move and what they are; forces and what steps leave behind are no part of it.
pub fn particle_fingerprint(particles: &Particles) -> String {
    let left_out = ["previous_position", "rotation_increment", "force", "torque", "field_dissipation"];
    let (order, mut hasher) = (particles.slots_by_id(), Xxh3::new());
    for name in Particles::COLUMN_NAMES.iter().filter(|name| !left_out.contains(*name)) {
        hasher.update(name.as_bytes());
        let Ok(()) = particles.visit_column(name, &order, |bytes| {
            hasher.update(bytes);
            Ok::<(), Infallible>(())
        });
    }
    format!("{:032x}", hasher.digest128())
}

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
    soundness::check_header(&header)?;
    let state: RunState = reader.structure("run")?;
    soundness::check_run(&state, simulation, &header)?;
    simulation.state = state;
    let mut walls: Vec<Wall> = reader.structure("walls")?;
    for (wall, own) in walls.iter_mut().zip(&simulation.world.walls) {
        wall.shape.adopt(&own.shape);
        wall.near_field = own.near_field;
    }
    soundness::check_walls(&walls, &simulation.world.walls)?;
    simulation.world.walls = walls;
    let servos: Vec<WallServo> = if reader.has(WALL_SERVOS) { reader.structure(WALL_SERVOS)? } else { Vec::new() };
    soundness::check_wall_servos(&servos, simulation)?;
    simulation.world.wall_servos = servos;
    let guides = saved_guides(reader)?;
    soundness::check_guides(&guides, simulation.world.guides.list())?;
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
    let fields: Fields = reader.structure(FIELDS)?;
    soundness::check_fields(&fields)?;
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
    let particles = saved_particles(reader, &header)?;
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
    simulation.world.inserted = header.inserted;
    if reader.has(WALL_PROBES) {
        let now = instants::now(&simulation.world);
        simulation.probes.resume(reader.structure(WALL_PROBES)?, now);
    }
    Ok(())
}

fn saved_provenance(reader: &CheckpointReader) -> Result<Provenance, SavedStateError> {
    let provenance: Provenance = reader.structure(PROVENANCE)?;
    if provenance.is_sound() {
        Ok(provenance)
    } else {
        Err(contents("its particles come from sources that it does not name"))
    }
}

fn saved_guides(reader: &CheckpointReader) -> Result<Vec<Guide>, SavedStateError> {
    Ok(if reader.has(GUIDES) { reader.structure(GUIDES)? } else { Vec::new() })
}

/// Gives a simulation the edges of the cell of a checkpoint; returns how it has deformed, if it may.
fn restore_cell(
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
    soundness::check_cell(&saved)?;
    simulation.world.cell.origin = saved.origin;
    simulation.world.cell.set_matrix(saved.matrix);
    Ok(Some(saved.state))
}

/// Puts particles and histories of a checkpoint into a simulation; returns the histories that belong to no candidate of their law.
fn fill(
    simulation: &mut Simulation,
    mut particles: Particles,
    histories: &[SavedHistories],
) -> Result<Vec<ContactKey>, SavedStateError> {
    // what the scene asks for and the saved run did not keep starts now
    for own in &simulation.world.particles.user {
        if particles.user.iter().all(|saved| saved.name != own.name) {
            particles.add_user_column(&own.name, &own.unit, own.width);
        }
    }
    soundness::check_particles(simulation, &particles)?;
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

/// Particles as they were saved, in order of ids.
pub(crate) fn saved_particles(reader: &CheckpointReader, header: &Header) -> Result<Particles, SavedStateError> {
    let count = reader.bytes("particle.id")?.len() / size_of::<u64>();
    if count as u64 != header.particles {
        let announced = header.particles;
        return Err(contents(format!("it announces {announced} particles and holds {count}")));
    }
    let mut particles = Particles::from_column_bytes(count, header.next_id, |name| match name {
        "previous_position" => column(reader, "position"),
        "rotation_increment" => {
            let bytes = reader.bytes("particle.position").map_err(|error| error.to_string())?;
            Ok(vec![0; bytes.len()])
        }
        _ => column(reader, name),
    })
    .map_err(contents)?;
    let user: Vec<UserColumn> = reader.structure("user columns")?;
    if user.iter().any(|column| column.values.len() != column.width.saturating_mul(count)) {
        return Err(contents("a column of the user has the wrong length"));
    }
    particles.user = user;
    if reader.has(EXTERNAL_LOADS) {
        particles.external = reader.columns(EXTERNAL_LOADS)?;
        if particles.external.len() != count {
            return Err(contents("the column of external loads has the wrong length"));
        }
    }
    if reader.has(HIGHER_DERIVATIVES) {
        particles.higher_derivatives = reader.columns(HIGHER_DERIVATIVES)?;
        if particles.higher_derivatives.len() != count {
            return Err(contents("the column of higher derivatives has the wrong length"));
        }
    }
    Ok(particles)
}

fn column(reader: &CheckpointReader, name: &str) -> Result<Vec<u8>, String> {
    reader.bytes(&format!("particle.{name}")).map(<[u8]>::to_vec).map_err(|error| error.to_string())
}
