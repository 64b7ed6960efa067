//! Slots in order of ids, kept as long as no particle changes its slot.

/// The order in which sweeps over particles run.
#[derive(Clone, Debug, Default)]
pub struct IdOrder {
    ids: Vec<u64>,
    slots: Vec<u32>,
}

impl IdOrder {
    /// Sorts anew if the ids are not in the slots where they were.
    pub fn follow(&mut self, ids: &[u64]) {
        if self.ids == ids {
            return;
        }
        self.ids.clear();
        self.ids.extend_from_slice(ids);
        self.slots.clear();
        self.slots.extend(0..ids.len() as u32);
        self.slots.sort_unstable_by_key(|&slot| ids[slot as usize]);
    }

    /// Slots in ascending order of ids.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }
}
