//! How many pairs a search may find, counted over all its threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::TooManyPairs;

/// Most pairs of any search: their numbers, with a bit for the body of a pair, fit 32 bits.
const MOST: usize = u32::MAX as usize / 2;
/// Pairs of a thread before it reports them.
const SHARE: usize = 1 << 14;

/// A count that all threads of a search share.
#[derive(Debug)]
pub struct Quota {
    most: usize,
    found: AtomicUsize,
}

impl Quota {
    /// For so many pairs at most.
    pub fn new(most: usize) -> Self {
        Self { most: most.min(MOST), found: AtomicUsize::new(0) }
    }

    fn is_exceeded(&self) -> bool {
        self.found.load(Ordering::Relaxed) > self.most
    }

    /// Whether all pairs could be found.
    ///
    /// # Errors
    /// There are more than there may be.
    pub fn outcome(&self) -> Result<(), TooManyPairs> {
        if self.is_exceeded() { Err(TooManyPairs { most: self.most }) } else { Ok(()) }
    }

    /// The count of one thread.
    pub fn part(&self) -> Part<'_> {
        Part { quota: self, told: 0 }
    }
}

/// What one thread has reported of its pairs.
#[derive(Debug)]
pub struct Part<'a> {
    quota: &'a Quota,
    told: usize,
}

impl Part<'_> {
    /// Records that the thread has found `all` pairs so far; returns whether it may go on.
    #[inline]
    pub fn may_go_on(&mut self, all: usize) -> bool {
        if all - self.told < SHARE {
            return true;
        }
        self.tell(all);
        !self.quota.is_exceeded()
    }

    /// Records all pairs that the thread has found, at its end.
    pub fn tell(&mut self, all: usize) {
        self.quota.found.fetch_add(all - self.told, Ordering::Relaxed);
        self.told = all;
    }
}
