//! A simulation continues under the contact laws of another scene.

use dem_core::history::{FieldRole, FieldSpec};
use serde::{Deserialize, Serialize};

use super::format::SavedStateError;
use crate::builder;
use crate::builder::loaded_scene::LoadedScene;
use crate::simulation::components::Simulation;
use crate::state::world::World;

/// Field that belongs to the last step and not to the history: the next step finds it anew.
const OF_THE_LAST_STEP: &str = "normal_dashpot_force";

/// What became of the histories of contacts under another law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenOver {
    /// Contacts whose history the new law continues, or that had none.
    pub kept: u64,
    /// Contacts that begin anew, because the laws remember different things.
    pub dropped: u64,
}

impl Simulation {
    /// Takes over law and parameters of all contacts that another scene has in the same stage, with another coefficient of friction where there is
    /// one if it is given. Histories keep what the new law remembers under the same name; the energy that the change adds or takes is booked.
    ///
    /// # Errors
    /// A scene with other materials, another selection of laws or fewer stages, and parameters that a law refuses.
    pub fn adopt_contact(&mut self, loaded: &LoadedScene, friction: Option<f64>) -> Result<TakenOver, SavedStateError> {
        let mut other = builder::build_empty(loaded)?;
        (other.state.stage, other.state.entered) = (self.state.stage, self.state.entered);
        other.replay_contact_changes()?;
        let taken = taken_over(&self.world, &other.world);
        let mut contact = other.contact;
        let differs =
            |what: &str| Err(SavedStateError::Contents(format!("the scene of the other laws has other {what}")));
        if contact.materials != self.contact.materials {
            return differs("materials");
        }
        let count = contact.materials.len() as u16;
        let same = |a: u16, b: u16| contact.laws.get(a, b) == self.contact.laws.get(a, b);
        let same_laws = (0..count).all(|a| (0..count).all(|b| same(a, b)));
        if other.world.kernels.len() != self.world.kernels.len() || !same_laws {
            return differs("pairs of materials with laws of their own");
        }
        if let Some(friction) = friction {
            contact.set_friction(friction);
        }
        self.set_contact(contact)?;
        Ok(taken)
    }
}

/// How many contacts of a world have a history that the laws of another do not continue.
fn taken_over(world: &World, other: &World) -> TakenOver {
    let mut taken = TakenOver::default();
    for (old, new) in world.kernels.iter().zip(&other.kernels) {
        let goes_on = go_on(old.fields(), new.fields());
        for saved in old.save(&world.list, &world.particles.id) {
            if goes_on || !has_history(&saved.record, old.fields()) {
                taken.kept += 1;
            } else {
                taken.dropped += 1;
            }
        }
    }
    taken
}

fn is_history(field: &&FieldSpec) -> bool {
    field.role == FieldRole::State && field.name != OF_THE_LAST_STEP
}

/// Whether a law continues from the histories of another: it knows some of it, and needs nothing that is not there.
fn go_on(old: &[FieldSpec], new: &[FieldSpec]) -> bool {
    let known = |field: &&FieldSpec| old.iter().any(|own| (own.name, own.width) == (field.name, field.width));
    let is_plain = !old.iter().any(|field| is_history(&field));
    let mut needed = new.iter().filter(is_history).peekable();
    is_plain || (needed.peek().is_some() && needed.all(|field| known(&field)))
}

/// Whether a contact has felt anything that its law remembers.
fn has_history(record: &[f64], fields: &[FieldSpec]) -> bool {
    let mut at = 0;
    fields.iter().any(|field| {
        let numbers = record.get(at..at + field.width).unwrap_or_default();
        at += field.width;
        is_history(&field) && numbers.iter().any(|x| *x != 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &'static str, role: FieldRole) -> FieldSpec {
        FieldSpec { name, unit: "-", meaning: "", width: 1, role }
    }

    #[test]
    fn a_law_goes_on_from_what_it_remembers_itself() {
        let dashpot = field(OF_THE_LAST_STEP, FieldRole::State);
        let (slip, force) = (field("elastic_slip", FieldRole::State), field("tangential_force", FieldRole::State));
        let work = field("friction_work", FieldRole::FrictionWork);
        assert!(go_on(&[dashpot, work, slip], &[dashpot, work, slip]));
        assert!(!go_on(&[dashpot, work, slip], &[dashpot, work, force]), "another kind of memory");
        assert!(!go_on(&[dashpot, force], &[dashpot, force, slip]), "a part of it is missing");
        assert!(go_on(&[dashpot, force, slip], &[dashpot, force]), "the force is enough");
        assert!(!go_on(&[dashpot, force], &[dashpot]), "a law without memory");
        assert!(go_on(&[dashpot], &[dashpot, force]), "nothing to lose");
        assert!(has_history(&[1.0, 2.0, 3.0], &[dashpot, work, slip]));
        assert!(!has_history(&[1.0, 2.0, 0.0], &[dashpot, work, slip]));
    }
}
