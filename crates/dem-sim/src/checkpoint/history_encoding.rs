//! Histories of a law on their way to a checkpoint: encoded one by one from where they are, because all of them together, with their keys,
//! take as much memory as the particles.

use dem_contact::kernel::ForceKernel;
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::history::stride;
use serde::ser::{Error, SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

use super::format::SavedField;
use crate::state::world::World;

/// What [`SavedHistories`](super::format::SavedHistories) are read from.
pub(crate) struct HistoriesOf<'a> {
    pub kernel: &'a dyn ForceKernel,
    pub world: &'a World,
    /// Slots in order of ids.
    pub order: &'a [u32],
}

impl HistoriesOf<'_> {
    fn stride(&self) -> usize {
        stride(self.kernel.fields()).max(1)
    }

    fn count(&self) -> usize {
        self.kernel.within_range(PartnerKind::Particle) + self.kernel.within_range(PartnerKind::Wall)
    }

    /// Encodes `length` numbers or keys, of which `each` adds those of one history.
    fn encode<S: Serializer>(
        &self,
        serializer: S,
        length: usize,
        each: impl Fn(&mut S::SerializeSeq, ContactKey, &[f64]) -> Result<(), S::Error>,
    ) -> Result<S::Ok, S::Error> {
        let World { list, particles, .. } = self.world;
        let mut all = serializer.serialize_seq(Some(length))?;
        let (mut encoded, mut visited) = (Ok(()), 0);
        self.kernel.visit_histories(list, &particles.id, self.order, &mut |key, record| {
            visited += 1;
            if encoded.is_ok() {
                encoded = each(&mut all, key, record);
            }
        });
        encoded?;
        if visited != self.count() {
            return Err(S::Error::custom("a history belongs to no contact of the list"));
        }
        all.end()
    }
}

impl Serialize for HistoriesOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields: Vec<SavedField> = self.kernel.fields().iter().map(SavedField::of).collect();
        let mut histories = serializer.serialize_struct("SavedHistories", 5)?;
        histories.serialize_field("law", self.kernel.key())?;
        histories.serialize_field("fields", &fields)?;
        histories.serialize_field("stride", &(self.stride() as u64))?;
        histories.serialize_field("keys", &Keys(self))?;
        histories.serialize_field("records", &Records(self))?;
        histories.end()
    }
}

/// Keys of all histories.
struct Keys<'a>(&'a HistoriesOf<'a>);

impl Serialize for Keys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.encode(serializer, self.0.count(), |all, key, _| all.serialize_element(&key))
    }
}

/// Their records, one after the other.
struct Records<'a>(&'a HistoriesOf<'a>);

impl Serialize for Records<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.encode(serializer, self.0.count() * self.0.stride(), |all, _, record| {
            record.iter().try_for_each(|number| all.serialize_element(number))
        })
    }
}
