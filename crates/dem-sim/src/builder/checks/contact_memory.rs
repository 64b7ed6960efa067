//! Memory that contacts need, estimated before any of it is allocated.

use dem_broadphase::{Automatic, Broadphase};
use dem_core::contact_list::CandidateRows;
use dem_core::history::stride;
use dem_io::document::{KeyPath, SceneDocument, SceneError};

use crate::environment::machine;
use crate::environment::memory::{BYTES_PER_CONTACT, in_words, most_contacts};
use crate::insertion::pouring::PouringLimit;
use crate::insertion::pouring_source::PouringSource;
use crate::scene::document::Scene;
use crate::state::world::World;

/// Contacts of a particle in a dense packing, each counted once.
const CONTACTS_PER_PARTICLE: f64 = 3.0;
/// Histories are held twice: those of the state, and those of the step that is tried.
const COPIES: f64 = 2.0;
/// The parameter by which histories become long.
const OF_LENGTH: &str = "springs";
/// The parameters by which forces reach far.
const OF_RANGE: [&str; 3] = ["mie_cutoff", "van_der_waals_cutoff", "bridge_volume"];

/// Refuses laws whose histories, or whose pairs within range, need more memory than there is.
pub(crate) fn check(document: &SceneDocument, world: &World, sources: &[PouringSource]) -> Result<(), SceneError> {
    let Some(available) = machine::memory_bound().map(|bytes| bytes as f64) else { return Ok(()) };
    let particles = world.particles.len() as f64 + sources.iter().map(to_pour).sum::<f64>();
    let length = world.kernels.iter().map(|kernel| stride(kernel.fields())).max().unwrap_or(0);
    let contacts = CONTACTS_PER_PARTICLE * particles;
    let needed = COPIES * 8.0 * length as f64 * contacts;
    if needed > available {
        return Err(document.error_at(
            key_of(document, &[OF_LENGTH]),
            format!(
                "histories of about {contacts:.0} contacts, {} each, need {} of memory, expected at most the {} that there are",
                in_words(8.0 * length as f64),
                in_words(needed),
                in_words(available)
            ),
        ));
    }
    let range = world.range();
    if range > 0.0 {
        let (most, mut rows) = (most_contacts(), CandidateRows::default());
        if Automatic::default().candidates_within(&world.particles, &world.cell, range, most, &mut rows).is_err() {
            return Err(document.error_at(
                key_of(document, &OF_RANGE),
                format!(
                    "more than {most} pairs of particles are within range, and need more than the {} of memory that there are, expected a shorter one",
                    in_words(most as f64 * BYTES_PER_CONTACT as f64)
                ),
            ));
        }
    }
    Ok(())
}

/// Particles that a source will pour, as far as it says.
fn to_pour(source: &PouringSource) -> f64 {
    match source.pouring.settings().limit {
        Some(PouringLimit::Count(count)) => count as f64,
        _ => 0.0,
    }
}

/// The first of some parameters of the contact law that is given, or the law as a whole if a default or a pair of materials gives the value.
fn key_of(document: &SceneDocument, parameters: &[&str]) -> KeyPath {
    let contact = KeyPath::from(&["contact"]);
    let mut given = parameters.iter().map(|parameter| contact.child(parameter));
    given.find(|path| document.value(path.clone()).is_some()).unwrap_or(contact)
}

/// The skin that a scene requests \[m\]: no wider than the largest particle, beyond which it lists pairs that never
/// meet before it is renewed.
pub(crate) fn skin(
    document: &SceneDocument,
    scene: &Scene,
    world: &World,
    sources: &[PouringSource],
) -> Result<Option<f64>, SceneError> {
    let Some(skin) = scene.contact_search.skin.map(|skin| skin.si()) else { return Ok(None) };
    let path = ["contact_search", "skin"];
    crate::builder::values::in_range(document, &path, skin, "m", "value > 0", |x| x > 0.0)?;
    let radii = world.particles.radius.iter().copied().chain(sources.iter().map(|source| source.largest));
    let diameter = 2.0 * radii.fold(0.0, f64::max);
    if diameter > 0.0 {
        let allowed = format!("0 < value <= {diameter:e}, the largest diameter");
        crate::builder::values::in_range(document, &path, skin, "m", &allowed, |x| x <= diameter)?;
    }
    Ok(Some(skin))
}
