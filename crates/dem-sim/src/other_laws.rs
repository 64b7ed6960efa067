//! A simulation goes on under the contact laws of another scene.

use crate::builder::{self, LoadedScene};
use crate::saved_state::SavedStateError;
use crate::simulation::Simulation;

impl Simulation {
    /// Takes over law and parameters of all contacts that another scene has in the same stage, with another coefficient of friction where there is
    /// one if it is given. Histories keep what the new law remembers under the same name; the energy that the change adds or takes is booked.
    ///
    /// # Errors
    /// A scene with other materials, another selection of laws or fewer stages, and parameters that a law refuses.
    pub fn adopt_contact(&mut self, loaded: &LoadedScene, friction: Option<f64>) -> Result<(), SavedStateError> {
        let mut other = builder::build_empty(loaded)?;
        (other.state.stage, other.state.entered) = (self.state.stage, self.state.entered);
        other.replay_contact_changes()?;
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
        Ok(self.set_contact(contact)?)
    }
}
