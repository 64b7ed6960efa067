//! Contacts that are followed.

use dem_core::contact_list::PartnerKind;
use dem_io::document::{KeyPath, SceneDocument, SceneError};

use crate::measure::chosen_contacts::ChosenContact;
use crate::scene::document::Scene;
use crate::scene::output::{BodyScene, ChosenContactScene, ContactsScene};

/// Most contacts that are followed: each is a row at every output.
const MOST: usize = 10_000;
/// Largest id that a table of numbers holds exactly.
const LARGEST_ID: u64 = 1 << 53;

/// The contacts that a scene chooses.
pub(super) fn build(document: &SceneDocument, scene: &Scene) -> Result<Vec<ChosenContact>, SceneError> {
    let Some(ContactsScene::Chosen(given)) = &scene.output.contacts else { return Ok(Vec::new()) };
    let path = KeyPath::from(&["output", "contacts"]);
    if given.len() > MOST {
        return Err(document.error_at(path, format!("expected at most {MOST} contacts")));
    }
    let mut chosen: Vec<ChosenContact> = Vec::with_capacity(given.len());
    for (index, ChosenContactScene(first, second)) in given.iter().enumerate() {
        let fail = |message: String| document.error_at(path.child(index), message);
        let contact = match second {
            BodyScene::Particle(second) if first == second => {
                return Err(fail("expected two different particles".to_owned()));
            }
            BodyScene::Particle(second) => {
                let (first, second) = (*first.min(second), *first.max(second));
                ChosenContact { first, kind: PartnerKind::Particle, second }
            }
            BodyScene::Wall(name) => {
                let Some(wall) = scene.walls.iter().position(|wall| wall.name == *name) else {
                    let known: Vec<&str> = scene.walls.iter().map(|wall| wall.name.as_str()).collect();
                    return Err(fail(format!(
                        "expected the id of a particle or the name of a wall: {}",
                        known.join(", ")
                    )));
                };
                ChosenContact { first: *first, kind: PartnerKind::Wall, second: wall as u64 }
            }
        };
        if contact.first.max(contact.second) > LARGEST_ID {
            return Err(fail(format!("expected ids up to {LARGEST_ID}")));
        }
        if chosen.contains(&contact) {
            return Err(fail("expected every contact once".to_owned()));
        }
        chosen.push(contact);
    }
    Ok(chosen)
}
