//! Files: scene text with spans and units, snapshots, checkpoints, tables.
