//! The laws of all pairs of materials of a kernel, and the one thing that is compiled for their type: the loop over the contacts of a chunk.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use dem_core::contact_list::PartnerKind;
use dem_core::history::ChunkHistory;

use crate::force_loop::kernel::chunk;
use crate::force_loop::kernel::chunk_data::{ChunkInput, ChunkOutput, SegmentInput};
use crate::force_loop::kernel::evaluator::{Evaluator, Scratch};
use crate::law::ContactLaw;
use crate::pair_law::PairLaw;
use crate::pull::{Overlay, Pulled};

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

/// `materials × materials` laws of one type, row by row, evaluated in lanes; pairs that another law governs may hold any.
struct OfOneType<L, E> {
    materials: usize,
    laws: Vec<L>,
    evaluator: PhantomData<E>,
}

/// Laws of any type, evaluated one contact at a time.
struct OfAnyType {
    materials: usize,
    laws: Vec<Arc<dyn PairLaw>>,
}

/// A table of laws of one type.
pub(crate) fn of_one_type<L: ContactLaw, E: Evaluator<L>>(materials: usize, laws: Vec<L>) -> Box<dyn LawTable> {
    Box::new(OfOneType::<L, E> { materials, laws, evaluator: PhantomData })
}

/// The same, in the loop that all laws share.
pub(crate) fn of_one_type_in_shared_loop<L: ContactLaw, E: Evaluator<L>>(
    materials: usize,
    laws: Vec<L>,
) -> Box<dyn LawTable> {
    Box::new(InSharedLoop::<L, E>(OfOneType { materials, laws, evaluator: PhantomData }))
}

/// Laws of one type that are evaluated in the loop that all laws share.
struct InSharedLoop<L, E>(OfOneType<L, E>);

/// The same, with pulls laid over the laws.
pub(crate) fn of_pulled<L: ContactLaw, E: Evaluator<L>>(
    materials: usize,
    laws: Vec<(L, Overlay)>,
) -> Box<dyn LawTable> {
    let pulled = laws.iter().map(|&(law, overlay)| Pulled::new(Arc::new(law), overlay)).collect();
    let laws = laws.into_iter().map(|(law, _)| law).collect();
    Box::new(OfPulled::<L, E> { laws: OfOneType { materials, laws, evaluator: PhantomData }, pulled })
}

/// Laws of one type with pulls laid over them, evaluated in the loop that all laws share.
struct OfPulled<L, E> {
    laws: OfOneType<L, E>,
    pulled: Vec<Pulled>,
}

/// A table of laws of any type, which are evaluated one contact at a time.
pub(crate) fn of_any_type(materials: usize, laws: Vec<Arc<dyn PairLaw>>) -> Box<dyn LawTable> {
    Box::new(OfAnyType { materials, laws })
}

impl<L, E> OfOneType<L, E> {
    fn index(&self, a: u16, b: u16) -> usize {
        a as usize * self.materials + b as usize
    }

    fn law_of(&self, a: u16, b: u16) -> &L {
        &self.laws[self.index(a, b)]
    }
}

impl<L: ContactLaw, E: Evaluator<L>> LawTable for OfOneType<L, E> {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        self.law_of(a, b).as_pair_law()
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.laws.iter().map(PairLaw::as_pair_law).collect()
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
        let (a, b) = segment.materials;
        chunk::evaluate_in_lanes::<L, E>(self.law_of(a, b), segment, input, history, output, scratch, partner);
    }
}

impl<L: ContactLaw, E: Evaluator<L>> LawTable for InSharedLoop<L, E> {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        self.0.law(a, b)
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.0.all()
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
        let (a, b) = segment.materials;
        chunk::evaluate_in_shared_loop::<L, E>(self.0.law_of(a, b), segment, input, history, output, scratch, partner);
    }
}

impl<L: ContactLaw, E: Evaluator<L>> LawTable for OfPulled<L, E> {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        &self.pulled[self.laws.index(a, b)]
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.pulled.iter().map(PairLaw::as_pair_law).collect()
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
        let (a, b) = segment.materials;
        let laws = (self.laws.law_of(a, b), &self.pulled[self.laws.index(a, b)]);
        chunk::evaluate_pulled::<L, E>(laws, segment, input, history, output, scratch, partner);
    }
}

impl<L: PairLaw, E> fmt::Debug for OfPulled<L, E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.laws.fmt(f)
    }
}

impl<L: PairLaw, E> fmt::Debug for InSharedLoop<L, E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl LawTable for OfAnyType {
    fn law(&self, a: u16, b: u16) -> &dyn PairLaw {
        self.laws[a as usize * self.materials + b as usize].as_ref()
    }

    fn all(&self) -> Vec<&dyn PairLaw> {
        self.laws.iter().map(AsRef::as_ref).collect()
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
        let (a, b) = segment.materials;
        chunk::evaluate_one_by_one(self.law(a, b), segment, input, history, output, scratch, partner);
    }
}

impl<L: PairLaw, E> fmt::Debug for OfOneType<L, E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "OfOneType({})", self.laws[0].key())
    }
}

impl fmt::Debug for OfAnyType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "OfAnyType({})", self.laws[0].key())
    }
}
