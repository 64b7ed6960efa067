//! Ranks that are processes under MPI, whose library is found when the program runs.
//!
//! There is nothing to build against: what the program calls are a dozen functions that all implementations have, found by their names in
//! whatever library the launcher of the process belongs to. Handles go as 64-bit words, which C functions of 64-bit systems take for `int` (MPICH)
//! and for pointers (Open MPI, the ABI of the MPI 5 standard) alike; the constants that differ are in `family.rs`.
//!
//! Only point-to-point messages are used, so that a rank that waits can hear at the same time that another one cannot go on.

mod error;
mod family;
mod functions;
pub mod launcher;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::transport::{Interrupted, Transport};
pub use error::MpiError;
use functions::{Functions, Sent};

/// Bytes of a message at most; longer ones go in parts. The standard counts in `int`.
const PART: usize = 1 << 30;
/// Looks for a message before other processes may have the core.
const LOOKS: u32 = 2000;
/// Looks between two at whether a rank cannot go on.
const LOOKS_AT_ALL: u32 = 256;
/// Tags of an epoch: of its messages, and of the one that a rank cannot go on.
const TAGS: u64 = 2;
/// Epochs whose tags differ.
const EPOCHS: u64 = 1000;

/// A rank under MPI.
#[derive(Debug)]
pub struct MpiRank {
    rank: usize,
    size: usize,
    /// Of the library.
    path: String,
    family: &'static str,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    functions: Functions,
    /// Messages on their way.
    sent: Vec<Sent>,
    epoch: u64,
    /// The interruption of this epoch.
    interruption: Option<(usize, String)>,
}

impl MpiRank {
    /// The rank that this process is, if a launcher has started it.
    ///
    /// # Errors
    /// No library, or one that is not the launcher's.
    pub fn find() -> Result<Option<Self>, MpiError> {
        let Some(launcher) = launcher::find() else { return Ok(None) };
        let (path, functions) = Functions::open(&launcher)?;
        let (rank, size) = functions.begin(&path)?;
        if let Some(launched) = launcher.size.filter(|&launched| launched != size) {
            return Err(MpiError::OtherLauncher { library: path, launched, known: size });
        }
        let family = functions.family();
        let state = State { functions, sent: Vec::new(), epoch: 0, interruption: None };
        Ok(Some(Self { rank, size, path, family, state: Mutex::new(state) }))
    }

    /// Implementation and path of the library, for people.
    pub fn describe(&self) -> String {
        format!("{} ({})", self.family, self.path)
    }

    /// Leaves, when all ranks do. No message may be sent afterwards.
    pub fn finish(&self) {
        let mut state = self.state();
        let sent = std::mem::take(&mut state.sent);
        state.functions.end(sent);
    }

    /// Ends all processes at once.
    pub fn abort(&self, code: i32) {
        self.state().functions.abort(code);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tag(&self) -> i32 {
        (16 + TAGS * (self.epoch % EPOCHS)) as i32
    }

    /// Whether a rank has said that it cannot go on.
    fn look_for_interruptions(&mut self, size: usize, own: usize) {
        for rank in (0..size).filter(|&rank| rank != own) {
            if let Some(message) = self.functions.receive(rank, self.tag() + 1) {
                let why = String::from_utf8_lossy(&message).into_owned();
                if self.interruption.as_ref().is_none_or(|&(lowest, _)| rank < lowest) {
                    self.interruption = Some((rank, why));
                }
            }
        }
    }
}

impl Transport for MpiRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        let mut state = self.state();
        let tag = state.tag();
        let State { functions, sent, .. } = &mut *state;
        sent.retain_mut(|sent| !functions.has_left(sent));
        let mut first = (message.len() as u64).to_le_bytes().to_vec();
        let (begin, rest) = message.split_at(message.len().min(PART - first.len()));
        first.extend_from_slice(begin);
        let parts = std::iter::once(first).chain(rest.chunks(PART).map(<[u8]>::to_vec));
        sent.extend(parts.map(|part| functions.send(to, tag, part)));
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Interrupted> {
        let mut message: Vec<u8> = Vec::new();
        let mut length = None;
        let mut looks = 0u32;
        loop {
            let mut state = self.state();
            if let Some((_, why)) = &state.interruption {
                return Err(Interrupted(why.clone()));
            }
            let tag = state.tag();
            if let Some(part) = state.functions.receive(from, tag) {
                match length {
                    None => {
                        let (head, begin) = part.split_first_chunk().unwrap_or((&[0; 8], &[]));
                        length = Some(u64::from_le_bytes(*head) as usize);
                        message.extend_from_slice(begin);
                    }
                    Some(_) => message.extend_from_slice(&part),
                }
                if length.is_some_and(|length| message.len() >= length) {
                    return Ok(message);
                }
                continue;
            }
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(LOOKS_AT_ALL) {
                state.look_for_interruptions(self.size, self.rank);
                let State { functions, sent, .. } = &mut *state;
                sent.retain_mut(|sent| !functions.has_left(sent));
            }
            drop(state);
            if looks > LOOKS {
                std::thread::yield_now();
            }
        }
    }

    fn interrupt(&self, why: &str) {
        let mut state = self.state();
        let tag = state.tag() + 1;
        for to in (0..self.size).filter(|&to| to != self.rank) {
            let sent = state.functions.send(to, tag, why.as_bytes().to_vec());
            state.sent.push(sent);
        }
        if state.interruption.as_ref().is_none_or(|&(lowest, _)| self.rank < lowest) {
            state.interruption = Some((self.rank, why.to_owned()));
        }
    }

    fn interruption(&self) -> Option<Interrupted> {
        self.state().interruption.as_ref().map(|(_, why)| Interrupted(why.clone()))
    }

    fn recover(&self) {
        let mut state = self.state();
        state.epoch += 1;
        state.interruption = None;
    }
}
