//! Files: scene text with spans and units, snapshots, checkpoints, tables, meshes, clumps, and those of other codes.

#![forbid(unsafe_code)]

pub mod atomic;
pub mod checkpoint;
pub mod checkpoint_folder;
pub mod clump_files;
mod codec;
pub mod comparison;
pub mod directory_lock;
pub mod document;
pub mod error;
pub mod exchange;
pub mod mesh_files;
pub mod regular_file;
pub mod replacement;
mod separator;
pub mod series;
pub mod shell;
pub mod snapshot;
pub mod stl;
mod suggestion;
pub mod table;
mod text_lines;
pub mod units;

pub use error::{Error, Result};
pub use suggestion::{is_harmful, nearest};
