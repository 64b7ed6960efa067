//! Files: scene text with spans and units, snapshots, checkpoints, tables.

pub mod document;
pub mod series;
mod suggestion;
pub mod table;
pub mod units;
