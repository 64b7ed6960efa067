//! Reads the parts of a checkpoint.

use dem_core::particles::{Particles, UserColumn};
use dem_io::checkpoint::CheckpointReader;

use super::bodies;
use super::format::{
    BODIES, ENGINE, EXTERNAL_LOADS, GUIDE_TURNS, GUIDES, HIGHER_DERIVATIVES, Header, PROVENANCE, SavedHistories,
    SavedStateError, contents,
};
use crate::guides::guide::Guide;
use crate::guides::turns;
use crate::simulation::run_state::RunState;
use crate::state::provenance::Provenance;

/// Step and time of a checkpoint \[s\].
pub(crate) fn place_of(reader: &CheckpointReader) -> Result<(u64, f64), SavedStateError> {
    let header: Header = reader.structure("header")?;
    Ok((header.step, header.time))
}

/// Time of the state of a checkpoint \[s\].
///
/// # Errors
/// A damaged checkpoint.
pub(crate) fn time_of(reader: &CheckpointReader) -> Result<f64, SavedStateError> {
    Ok(place_of(reader)?.1)
}

/// What a checkpoint holds, as names and values.
///
/// # Errors
/// A damaged checkpoint.
pub fn describe(reader: &CheckpointReader) -> Result<Vec<(&'static str, String)>, SavedStateError> {
    let header: Header = reader.structure("header")?;
    let run: RunState = reader.structure("run")?;
    let histories: Vec<SavedHistories> = reader.structure("histories")?;
    let bodies = if reader.has(BODIES) { reader.bytes("body.id")?.len() / size_of::<u32>() } else { 0 };
    let contacts: Vec<String> = histories.iter().map(|h| format!("{} {}", h.keys.len(), h.law)).collect();
    let mut description = vec![
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
    ];
    if bodies > 0 {
        let after_particles = description.iter().position(|(name, _)| *name == "contacts").unwrap_or_default();
        description.insert(after_particles, ("bodies", bodies.to_string()));
    }
    Ok(description)
}

pub(crate) fn saved_provenance(reader: &CheckpointReader) -> Result<Provenance, SavedStateError> {
    let provenance: Provenance = reader.structure(PROVENANCE)?;
    if provenance.is_sound() {
        Ok(provenance)
    } else {
        Err(contents("its particles come from sources that it does not name"))
    }
}

pub(crate) fn saved_guides(reader: &CheckpointReader) -> Result<Vec<Guide>, SavedStateError> {
    let mut guides = if reader.has(GUIDES) { reader.structure(GUIDES)? } else { Vec::new() };
    if reader.has(GUIDE_TURNS) && !turns::restore(&mut guides, reader.structure(GUIDE_TURNS)?) {
        return Err(contents("the rotations of its guides are not those of their particles"));
    }
    Ok(guides)
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
    particles.bodies = bodies::read(reader, &particles.body)?;
    let user: Vec<UserColumn> = reader.structure("user columns")?;
    if user.iter().any(|column| column.values.len() != column.width.saturating_mul(count)) {
        return Err(contents("a user column has the wrong length"));
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

pub(crate) fn column(reader: &CheckpointReader, name: &str) -> Result<Vec<u8>, String> {
    reader.bytes(&format!("particle.{name}")).map(<[u8]>::to_vec).map_err(|error| error.to_string())
}
