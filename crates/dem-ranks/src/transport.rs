//! What ranks need of whatever connects them.

use std::fmt;

/// Another rank, or this one, cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Interrupted(pub String);

/// Connects a rank with the others.
///
/// Messages from one rank to another arrive in the order in which they were sent. A rank talks from one thread at a time.
pub trait Transport: fmt::Debug + Send + Sync {
    /// Number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// Sends a message to another rank; does not wait for it.
    fn send(&self, to: usize, message: Vec<u8>);

    /// Waits for the next message of another rank.
    ///
    /// # Errors
    /// A rank has [interrupted](Self::interrupt) all since the last [recovery](Self::recover).
    fn receive(&self, from: usize) -> Result<Vec<u8>, Interrupted>;

    /// Tells all ranks that this one cannot go on. Those that wait for messages stop waiting.
    fn interrupt(&self, why: &str);

    /// Why a rank cannot go on, if one cannot: the rank with the lowest number of those that have said so.
    fn interruption(&self) -> Option<Interrupted>;

    /// Begins anew after an interruption, when all ranks know of it or will: messages from before it are not delivered any more.
    fn recover(&self);
}
