//! The laws of all pairs of materials of a kernel, and the one thing that is compiled for their type: the loop over the contacts of a chunk.

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

/// `materials × materials` entries, row by row; pairs that another law governs may hold any.
struct Square<T> {
    materials: usize,
    entries: Vec<T>,
}

impl<T> Square<T> {
    fn get(&self, (a, b): (u16, u16)) -> &T {
        &self.entries[a as usize * self.materials + b as usize]
    }
}

/// Laws of one type.
struct OfOneType<L, E> {
    laws: Square<L>,
    evaluator: PhantomData<E>,
}

/// Laws of any type, evaluated one contact at a time.
struct OfAnyType {
    laws: Square<Box<dyn PairLaw>>,
}

/// A table of `materials × materials` laws of one type, row by row.
pub(crate) fn of_one_type<L: PairLaw, E: Evaluator<L>>(materials: usize, laws: Vec<L>) -> Box<dyn LawTable> {
    Box::new(OfOneType::<L, E> { laws: Square { materials, entries: laws }, evaluator: PhantomData })
}

/// A table of `materials × materials` laws that are evaluated one contact at a time, row by row.
pub(crate) fn of_any_type(materials: usize, laws: Vec<Box<dyn PairLaw>>) -> Box<dyn LawTable> {
    Box::new(OfAnyType { laws: Square { materials, entries: laws } })
}

impl<L: PairLaw, E: Evaluator<L>> LawTable for OfOneType<L, E> {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        self.laws.get((a, b))
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.laws.entries.iter().map(|law| law as &dyn PairLaw).collect()
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
        let law = self.laws.get(segment.materials);
        chunk::evaluate::<L, E>(law, segment, input, history, output, scratch, partner);
    }
}

impl LawTable for OfAnyType {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        self.laws.get((a, b)).as_ref()
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.laws.entries.iter().map(AsRef::as_ref).collect()
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
        let law = self.laws.get(segment.materials).as_ref();
        chunk::evaluate::<dyn PairLaw, OneByOne>(law, segment, input, history, output, scratch, partner);
    }
}

/// The name of the laws.
fn show(table: &dyn LawTable, f: &mut fmt::Formatter) -> fmt::Result {
    write!(f, "LawTable({})", table.law(0, 0).key())
}

impl<L: PairLaw, E: Evaluator<L>> fmt::Debug for OfOneType<L, E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        show(self, f)
    }
}

impl fmt::Debug for OfAnyType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        show(self, f)
    }
}
