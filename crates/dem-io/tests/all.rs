//! All tests of files in one program.

mod checkpoint;
mod snapshot;
