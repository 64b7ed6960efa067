//! How the kernel of a law is made: with a loop of its own, in the loop that all laws share, or one contact at a time.

use std::sync::Arc;

use crate::force_loop::kernel::evaluator::{Evaluator, InLanes, InLanesOrOneByOne, InSharedLoop, OneByOne};
use crate::force_loop::kernel::law_kernel::LawKernel;
use crate::force_loop::kernel::law_table;
use crate::law::{ContactLaw, LaneLaw};
use crate::pair_law::PairLaw;
use crate::pull::{Overlay, Pulled};

/// How kernels are made of the laws of a type. The laws are those of `materials × materials` pairs, row by row; pairs that another law governs may
/// hold any.
pub trait Evaluation<L: ContactLaw> {
    /// The kernel of a law.
    fn kernel(materials: usize, laws: Vec<L>) -> LawKernel;

    /// The kernel of one that has no loop of its own: it costs less to compile, and every group of contacts a call more.
    fn kernel_in_shared_loop(materials: usize, laws: Vec<L>) -> LawKernel {
        Self::kernel(materials, laws)
    }

    /// The kernel of a law with a pull laid over it, in the loop that all laws share.
    fn kernel_of_pulled(materials: usize, laws: Vec<(L, Overlay)>) -> LawKernel {
        let pulled = |(law, overlay)| Arc::new(Pulled::new(Arc::new(law), overlay)) as Arc<dyn PairLaw>;
        one_by_one(materials, laws.into_iter().map(pulled).collect())
    }
}

/// A kernel with a loop of its own.
fn in_own_loop<L: ContactLaw, E: Evaluator<L>>(materials: usize, laws: Vec<L>) -> LawKernel {
    LawKernel::new(law_table::of_one_type::<L, E>(materials, laws))
}

fn in_shared_loop<L: ContactLaw, E: Evaluator<L>>(materials: usize, laws: Vec<L>) -> LawKernel {
    LawKernel::new(law_table::of_one_type_in_shared_loop::<L, E>(materials, laws))
}

fn pulled<L: ContactLaw, E: Evaluator<L>>(materials: usize, laws: Vec<(L, Overlay)>) -> LawKernel {
    LawKernel::new(law_table::of_pulled::<L, E>(materials, laws))
}

/// All laws that are evaluated one contact at a time share one loop.
pub(crate) fn one_by_one(materials: usize, laws: Vec<Arc<dyn PairLaw>>) -> LawKernel {
    LawKernel::new(law_table::of_any_type(materials, laws))
}

impl<L: LaneLaw> Evaluation<L> for InLanes {
    fn kernel(materials: usize, laws: Vec<L>) -> LawKernel {
        in_own_loop::<L, Self>(materials, laws)
    }

    fn kernel_in_shared_loop(materials: usize, laws: Vec<L>) -> LawKernel {
        in_shared_loop::<L, Self>(materials, laws)
    }

    fn kernel_of_pulled(materials: usize, laws: Vec<(L, Overlay)>) -> LawKernel {
        pulled::<L, Self>(materials, laws)
    }
}

impl<L: LaneLaw> Evaluation<L> for InSharedLoop {
    fn kernel(materials: usize, laws: Vec<L>) -> LawKernel {
        in_shared_loop::<L, InLanes>(materials, laws)
    }

    fn kernel_of_pulled(materials: usize, laws: Vec<(L, Overlay)>) -> LawKernel {
        pulled::<L, InLanes>(materials, laws)
    }
}

impl<L: LaneLaw> Evaluation<L> for InLanesOrOneByOne {
    fn kernel(materials: usize, laws: Vec<L>) -> LawKernel {
        in_own_loop::<L, Self>(materials, laws)
    }

    fn kernel_in_shared_loop(materials: usize, laws: Vec<L>) -> LawKernel {
        in_shared_loop::<L, Self>(materials, laws)
    }

    fn kernel_of_pulled(materials: usize, laws: Vec<(L, Overlay)>) -> LawKernel {
        pulled::<L, Self>(materials, laws)
    }
}

impl<L: ContactLaw> Evaluation<L> for OneByOne {
    fn kernel(materials: usize, laws: Vec<L>) -> LawKernel {
        one_by_one(materials, laws.into_iter().map(|law| Arc::new(law) as Arc<dyn PairLaw>).collect())
    }
}
