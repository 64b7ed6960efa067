//! The laws of all pairs of materials of a kernel, and the one thing that is compiled for their type: the loop over the contacts of a chunk.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;

use dem_core::contact_list::PartnerKind;
use dem_core::history::ChunkHistory;

use crate::chunk::{self, ChunkInput, ChunkOutput, SegmentInput};
use crate::evaluator::{Evaluator, OneByOne, Scratch};
use crate::pair_law::PairLaw;

/// What a kernel knows of its laws.
pub(crate) trait LawTable: Send + Sync + fmt::Debug {
    /// The law of a pair of materials.
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw;

    /// All laws.
    fn all(&self) -> Vec<&dyn PairLaw>;

    /// Evaluates the candidates of a chunk of the segment of a pair of materials.
    fn evaluate(
        &self,
        segment: &SegmentInput,
        input: &ChunkInput,
        history: &mut ChunkHistory,
        output: &mut ChunkOutput,
        scratch: &mut Scratch,
        partner: PartnerKind,
    );
}

/// `materials × materials` laws `L`, row by row, each held by a `B`, and how they are evaluated; pairs that another law governs may hold any.
struct Table<B, L: ?Sized, E> {
    materials: usize,
    laws: Vec<B>,
    kind: PhantomData<fn(&L, E)>,
}

/// A table of laws of one type.
pub(crate) fn of_one_type<L: PairLaw, E: Evaluator<L>>(materials: usize, laws: Vec<L>) -> Box<dyn LawTable> {
    Box::new(Table::<L, L, E> { materials, laws, kind: PhantomData })
}

/// A table of laws of any type, which are evaluated one contact at a time.
pub(crate) fn of_any_type(materials: usize, laws: Vec<Box<dyn PairLaw>>) -> Box<dyn LawTable> {
    Box::new(Table::<Box<dyn PairLaw>, dyn PairLaw, OneByOne> { materials, laws, kind: PhantomData })
}

impl<B: Borrow<L>, L: PairLaw + ?Sized, E> Table<B, L, E> {
    fn get(&self, (a, b): (u16, u16)) -> &L {
        self.laws[a as usize * self.materials + b as usize].borrow()
    }
}

impl<B: Borrow<L> + Send + Sync, L: PairLaw + ?Sized, E: Evaluator<L>> LawTable for Table<B, L, E> {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        self.get((a, b)).as_pair_law()
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.laws.iter().map(|law| law.borrow().as_pair_law()).collect()
    }

    fn evaluate(
        &self,
        segment: &SegmentInput,
        input: &ChunkInput,
        history: &mut ChunkHistory,
        output: &mut ChunkOutput,
        scratch: &mut Scratch,
        partner: PartnerKind,
    ) {
        let law = self.get(segment.materials);
        chunk::evaluate::<L, E>(law, segment, input, history, output, scratch, partner);
    }
}

impl<B: Borrow<L>, L: PairLaw + ?Sized, E> fmt::Debug for Table<B, L, E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "LawTable({})", self.get((0, 0)).key())
    }
}
