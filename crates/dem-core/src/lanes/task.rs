//! Work in lanes.

use super::memory::Lanes;

/// Work that is generic over lanes.
pub trait LaneTask {
    /// What it returns.
    type Output;

    /// Does the work. Implementations and everything generic they call must be `#[inline(always)]`: only what is inlined here is compiled
    /// with the instructions of the width.
    fn run<R: Lanes>(self) -> Self::Output;
}
