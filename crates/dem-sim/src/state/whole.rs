//! Queries about an assembly as a whole, of which a process may hold a part only.
//!
//! Sums, the longest move, guards, whether an assembly is at rest, how long the next step may be, where there is room for another particle: all of it
//! goes through the object [`World::whole`](crate::world::World::whole). Today it is [`Alone`], which holds every particle and has nothing to
//! add. Parts of a domain that are computed by threads or processes of their own put another one there; no other code knows of them.
//!
//! All parts make the same queries in the same order, as collective operations. So a query must never be made, or left
//! out, because of what only one part knows: query first, then decide. What does not change results, such as when a
//! list is rebuilt, is not queried. A part that cannot continue reports it by [`fail`](Whole::fail); the others learn
//! it at the end of the step, and until then their queries return the values that they passed in.

use std::cmp::Ordering;
use std::fmt;

use dem_core::cell::Cell;
use dem_core::exact_sum::ExactSum;
use dem_core::particles::Particles;

use crate::error::StepError;

/// What may decide something: a number, and whom it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The smaller comes first; NaN comes last.
    pub number: f64,
    /// Ids and the like; of equal numbers the one with the lower ones comes first.
    pub who: [u64; 4],
}

impl Candidate {
    /// Comes after all others.
    pub const NONE: Self = Self { number: f64::INFINITY, who: [u64::MAX; 4] };

    /// A number from wherever.
    pub fn of(number: f64) -> Self {
        Self { number, who: [0; 4] }
    }

    /// Which of two comes first.
    pub fn order(&self, other: &Self) -> Ordering {
        self.number.total_cmp(&other.number).then(self.who.cmp(&other.who))
    }
}

/// All parts of an assembly together.
pub trait Whole: fmt::Debug + Send + Sync {
    /// Whether there is one part, whose answers are those of the whole.
    fn is_alone(&self) -> bool {
        false
    }

    /// Turns sums over what this part owns into those over all parts, and puts the first of the candidates of all parts in the place of each.
    /// Returns false, and leaves all as it is, if a part cannot continue.
    fn ask(&self, sums: &mut [ExactSum], candidates: &mut [Candidate]) -> bool;

    /// What all parts list, part by part in any order.
    fn gather(&self, words: Vec<u64>) -> Vec<u64>;

    /// The same, but told to the first part only: others get nothing back.
    fn gather_at_first(&self, words: Vec<u64>) -> Vec<u64>;

    /// Gives ghosts the state that their owners have: positions, velocities and increments of the present evaluation,
    /// or, between steps, all that is read of a particle.
    fn share(&self, particles: &mut Particles, cell: &Cell);

    /// Signals the other parts that this one cannot continue.
    fn fail(&self, error: &StepError);

    /// Why another part cannot continue.
    fn failure(&self) -> Option<String>;
}

impl dyn Whole + '_ {
    /// Turns sums over what this part owns into those over all parts.
    pub fn add(&self, sums: &mut [ExactSum]) {
        self.ask(sums, &mut []);
    }

    /// Puts the first of the candidates of all parts in the place of each.
    pub fn first(&self, candidates: &mut [Candidate]) {
        self.ask(&mut [], candidates);
    }

    /// The largest of a number of all parts.
    pub fn largest(&self, own: f64) -> f64 {
        -self.smallest(-own)
    }

    /// The smallest of a number of all parts.
    pub fn smallest(&self, own: f64) -> f64 {
        if self.is_alone() {
            return own;
        }
        let mut candidate = [Candidate::of(own)];
        self.first(&mut candidate);
        candidate[0].number
    }

    /// The first of a candidate of all parts.
    pub fn first_of(&self, own: Candidate) -> Candidate {
        let mut candidate = [own];
        self.first(&mut candidate);
        candidate[0]
    }

    /// Whether something holds in any part.
    pub fn any(&self, own: bool) -> bool {
        self.largest(f64::from(u8::from(own))) > 0.0
    }

    /// The same of several things at once.
    pub fn any_of<const N: usize>(&self, own: [bool; N]) -> [bool; N] {
        if self.is_alone() {
            return own;
        }
        let mut candidates = own.map(|holds| Candidate::of(-f64::from(u8::from(holds))));
        self.first(&mut candidates);
        candidates.map(|candidate| candidate.number < 0.0)
    }

    /// A count of all parts together.
    pub fn count(&self, own: usize) -> usize {
        if self.is_alone() {
            return own;
        }
        let mut sum = ExactSum::ZERO;
        sum.add(own as f64);
        let [count] = self.sums([sum]);
        count as usize
    }

    /// Makes sums over what this part owns those over all parts, several groups of them at once.
    pub fn add_all<'a>(&self, groups: impl IntoIterator<Item = &'a mut [ExactSum]>) {
        let groups: Vec<&mut [ExactSum]> = groups.into_iter().collect();
        if groups.iter().any(|group| !group.is_empty()) {
            self.ask_all(groups, &mut []);
        }
    }

    /// [Asks](Whole::ask) for several groups of sums at once.
    pub fn ask_all(&self, mut groups: Vec<&mut [ExactSum]>, candidates: &mut [Candidate]) -> bool {
        let mut all: Vec<ExactSum> = groups.iter().flat_map(|group| group.iter().cloned()).collect();
        let is_answered = self.ask(&mut all, candidates);
        let mut all = all.into_iter();
        for sum in groups.iter_mut().flat_map(|group| group.iter_mut()) {
            if let Some(of_all) = all.next() {
                *sum = of_all;
            }
        }
        is_answered
    }

    /// Sums over all parts, rounded once, of sums over what this part owns.
    pub fn sums<const N: usize>(&self, mut own: [ExactSum; N]) -> [f64; N] {
        self.add(&mut own);
        own.map(|sum| sum.value())
    }
}

/// The only part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Whole for Alone {
    fn is_alone(&self) -> bool {
        true
    }

    fn ask(&self, _: &mut [ExactSum], _: &mut [Candidate]) -> bool {
        true
    }

    fn gather(&self, words: Vec<u64>) -> Vec<u64> {
        words
    }

    fn gather_at_first(&self, words: Vec<u64>) -> Vec<u64> {
        words
    }

    fn share(&self, _: &mut Particles, _: &Cell) {}

    fn fail(&self, _: &StepError) {}

    fn failure(&self) -> Option<String> {
        None
    }
}
