//! Answers to questions about all ranks, by messages between them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dem_core::cell::Cell;
use dem_core::exact_sum::ExactSum;
use dem_core::particles::Particles;
use dem_ranks::{Interrupted, Transport};

use super::share::Shared;
use crate::error::StepError;
use crate::state::whole::{Candidate, Whole};

/// Words of a [`Candidate`].
const WORDS: usize = 5;

/// A rank and its ghosts.
#[derive(Debug)]
pub(crate) struct Link {
    transport: Arc<dyn Transport>,
    ghosts: Mutex<Ghosts>,
    traffic: Counters,
}

/// What this rank has sent so far.
#[derive(Debug, Default)]
struct Counters {
    bytes_told: AtomicU64,
    messages_told: AtomicU64,
    questions: AtomicU64,
}

/// What a rank has sent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traffic {
    /// Bytes of states of ghosts.
    pub bytes_told: u64,
    /// Messages with them.
    pub messages_told: u64,
    /// Questions to all ranks.
    pub questions: u64,
}

/// Who tells whom of which particles, by ranks.
#[derive(Debug, Default)]
pub(crate) struct Ghosts {
    /// Own particles that are ghosts of others.
    pub told: Vec<Shared>,
    /// Ghosts, by their owners.
    pub heard: Vec<Shared>,
}

impl Link {
    /// A rank without ghosts.
    pub fn new(transport: Arc<dyn Transport>) -> Self {
        Self { transport, ghosts: Mutex::default(), traffic: Counters::default() }
    }

    /// What connects it with the others.
    pub fn transport(&self) -> &dyn Transport {
        self.transport.as_ref()
    }

    /// Number of this rank.
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// Replaces the ghosts.
    pub fn set_ghosts(&self, ghosts: Ghosts) {
        *self.ghosts() = ghosts;
    }

    /// Leaves out particles that are gone on all ranks.
    pub fn forget(&self, ids: &BTreeSet<u64>) {
        let mut ghosts = self.ghosts();
        let Ghosts { told, heard } = &mut *ghosts;
        told.iter_mut().chain(heard).for_each(|shared| shared.forget(ids));
    }

    /// What this rank has sent so far.
    pub fn traffic(&self) -> Traffic {
        let Counters { bytes_told, messages_told, questions } = &self.traffic;
        let [bytes_told, messages_told, questions] =
            [bytes_told, messages_told, questions].map(|count| count.load(Ordering::Relaxed));
        Traffic { bytes_told, messages_told, questions }
    }

    /// The transport, for a question to all ranks.
    fn put_question(&self) -> &dyn Transport {
        self.traffic.questions.fetch_add(1, Ordering::Relaxed);
        self.transport.as_ref()
    }

    fn ghosts(&self) -> MutexGuard<'_, Ghosts> {
        self.ghosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn exchange(&self, particles: &mut Particles, cell: &Cell) -> Result<(), Interrupted> {
        let mut ghosts = self.ghosts();
        let Ghosts { told, heard } = &mut *ghosts;
        let mut by_id = Vec::new();
        for (rank, shared) in told.iter_mut().enumerate().filter(|(_, shared)| shared.len() > 0) {
            let message = shared.tell(particles, cell, &mut by_id);
            self.traffic.bytes_told.fetch_add(message.len() as u64, Ordering::Relaxed);
            self.traffic.messages_told.fetch_add(1, Ordering::Relaxed);
            self.transport.send(rank, message);
        }
        for (rank, shared) in heard.iter_mut().enumerate().filter(|(_, shared)| shared.len() > 0) {
            let message = self.transport.receive(rank)?;
            shared.hear(particles, cell, &mut by_id, &message);
        }
        Ok(())
    }
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
}

fn bytes_of(words: impl Iterator<Item = u64>) -> Vec<u8> {
    words.flat_map(u64::to_le_bytes).collect()
}

/// Sums and candidates.
type Question = (Vec<ExactSum>, Vec<Candidate>);

/// A message with a number of candidates, these, and sums.
fn bytes_of_question(sums: &[ExactSum], candidates: &[Candidate]) -> Vec<u8> {
    let words =
        candidates.iter().flat_map(|Candidate { number, who: [a, b, c, d] }| [number.to_bits(), *a, *b, *c, *d]);
    let mut bytes = bytes_of(std::iter::once(candidates.len() as u64).chain(words));
    bytes.extend(sums.iter().flat_map(ExactSum::to_bytes));
    bytes
}

fn question_of(bytes: &[u8]) -> Question {
    let mut words = words_of(bytes);
    let count = words.next().unwrap_or(0) as usize;
    let words: Vec<u64> = words.take(WORDS * count).collect();
    let candidate =
        |&[number, a, b, c, d]: &[u64; WORDS]| Candidate { number: f64::from_bits(number), who: [a, b, c, d] };
    let mut rest = bytes.get(size_of::<u64>() * (1 + words.len())..).unwrap_or_default();
    let sums = std::iter::from_fn(|| ExactSum::take_from_bytes(&mut rest)).collect();
    (sums, words.as_chunks().0.iter().map(candidate).collect())
}

/// A question of two parts together.
fn merge(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let ((mut sums, mut candidates), (more, others)) = (question_of(ours), question_of(theirs));
    sums.iter_mut().zip(more).for_each(|(sum, more)| sum.merge(&more));
    for (first, other) in candidates.iter_mut().zip(others) {
        if other.order(first).is_lt() {
            *first = other;
        }
    }
    bytes_of_question(&sums, &candidates)
}

impl Whole for Link {
    fn is_alone(&self) -> bool {
        self.size() == 1
    }

    fn ask(&self, sums: &mut [ExactSum], candidates: &mut [Candidate]) -> bool {
        let own = bytes_of_question(sums, candidates);
        let Ok(merged) = self.put_question().fold(own, |ours, theirs| merge(&ours, theirs)) else { return false };
        let (of_all, firsts) = question_of(&merged);
        sums.iter_mut().zip(of_all).for_each(|(sum, of_all)| *sum = of_all);
        candidates.iter_mut().zip(firsts).for_each(|(candidate, first)| *candidate = first);
        true
    }

    fn gather(&self, words: Vec<u64>) -> Vec<u64> {
        let own = bytes_of(words.iter().copied());
        self.put_question().all_gather(own).map_or(words, |all| all.iter().flat_map(|bytes| words_of(bytes)).collect())
    }

    fn gather_at_first(&self, words: Vec<u64>) -> Vec<u64> {
        let own = bytes_of(words.iter().copied());
        self.put_question().gather(own).map_or(words, |all| all.iter().flat_map(|bytes| words_of(bytes)).collect())
    }

    fn share(&self, particles: &mut Particles, cell: &Cell) {
        // who does not answer has failed, which is asked for at the end of the step
        drop(self.exchange(particles, cell));
    }

    fn fail(&self, error: &StepError) {
        self.transport.interrupt(&error.to_string());
    }

    fn failure(&self) -> Option<String> {
        self.transport.interruption().map(|Interrupted(why)| why)
    }
}
