//! Open files of a run.

use std::path::Path;

use dem_io::series::SeriesWriter;

use super::error::RunError;
use super::own_files::{CHECKPOINTS, CHOSEN_CONTACTS, PROFILES, SERIES, SNAPSHOTS};
use super::writer::Writer;

/// Where a run writes.
pub(super) struct Outputs {
    /// Rows.
    pub series: SeriesWriter,
    /// Only with wall probes.
    pub profiles: Option<SeriesWriter>,
    /// Only with contacts that are followed.
    pub contacts: Option<SeriesWriter>,
    /// Frames and checkpoints.
    pub writer: Writer,
}

impl Outputs {
    /// Waits until all rows are on the disk.
    pub fn sync_tables(&mut self) -> Result<(), RunError> {
        self.series.sync()?;
        for table in [&mut self.profiles, &mut self.contacts].into_iter().flatten() {
            table.sync()?;
        }
        Ok(())
    }

    /// Follows the files, which were moved into another directory.
    pub fn move_to(&mut self, directory: &Path) -> Result<(), RunError> {
        self.series.rename_to(directory.join(SERIES));
        if let Some(profiles) = &mut self.profiles {
            profiles.rename_to(directory.join(PROFILES));
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.rename_to(directory.join(CHOSEN_CONTACTS));
        }
        self.writer.move_to(directory.join(SNAPSHOTS), directory.join(CHECKPOINTS))
    }
}
