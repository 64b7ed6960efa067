//! The state of a simulation in a checkpoint, and back, bit for bit.
//!
//! Particles are stored in order of ids and histories in order of keys, so that the bytes do not depend on slots, skin or
//! threads. Nothing of the machine or the wall clock is stored.
//!
//! `format` has the sections, `save` and `read` write and read them, `bodies` those of rigid bodies, `validate` and
//! `validate_bodies` hold them against what later code relies on. `restore` continues a simulation, `branch` begins another one from its state, with the `histories` that
//! still apply, `law_change` continues under other laws. `compare` makes tables of two states, `fingerprint` identifies
//! what they are of.

pub(crate) mod bodies;
pub(crate) mod branch;
pub(crate) mod compare;
pub(crate) mod fingerprint;
pub(crate) mod format;
pub(crate) mod histories;
pub(crate) mod history_encoding;
pub(crate) mod law_change;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod save;
pub(crate) mod validate;
pub(crate) mod validate_bodies;

pub use branch::{Branched, branch};
pub use compare::{differing_sections, frame_tables, state_tables};
pub use fingerprint::{particle_fingerprint, scene_fingerprint};
pub use format::SavedStateError;
pub use histories::{FittedFields, HistoryCount, WallHistories};
pub use law_change::TakenOver;
pub use read::describe;
pub use restore::restore;
pub use save::{check, save, save_to};
