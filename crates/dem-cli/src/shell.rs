//! Commands that a user may paste into a shell.

pub use dem_io::shell::{path, word};
