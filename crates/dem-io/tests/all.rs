//! All tests of files in one program.

mod checkpoint;
mod foreign_files;
mod snapshot;
