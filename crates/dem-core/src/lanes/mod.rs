//! Numbers in lanes: formulae written once for any [`Real`] run for one contact or for several at once.
//!
//! A lane does exactly what the scalar does: only `+ − × ÷ √`, sums with a product that are rounded once, powers of two taken off and put on,
//! comparisons and selections, in the order of the formula. All of these are correctly rounded, so a result never depends on the number of
//! lanes or on the machine. Which products are rounded by themselves is written in the formulae; compilers fuse nothing. Exponentials, logarithms,
//! powers, roots and angles are made of these in [`functions`].
//!
//! A processor without fused multiply-add (FMA, in those since 2013) calls a function for each, which takes ten times as
//! long. So that scalar code need not, where there is one, it runs in [`Width::run_alone`].
//!
//! Code that uses lanes is a [`LaneTask`]; [`Width::run`] runs it with the instructions that a width stands for. The vector types
//! cannot be named outside this module: nobody can get hold of a vector on a machine that lacks its instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_half;
#[cfg(target_arch = "x86_64")]
mod avx2_powers_of_two;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod column;
pub mod functions;
#[cfg(target_arch = "x86_64")]
mod last_vectors;
mod memory;
mod of_lanes;
mod places;
mod powers_of_two;
mod real;
mod rows;
mod scalar;
mod series;
#[cfg(target_arch = "x86_64")]
mod sets;
mod task;
mod terms;
mod vector;
mod width;

pub use column::{LineColumn, Stretch, TurnColumn, VectorColumn, prefetch};
pub use memory::{LaneMask, Lanes, array, put};
pub use places::{MOST_LANES, Places};
pub use real::{Mask, Real};
pub use rows::{Rows, Source, SourceRows, Target, TargetRows};
pub use series::{inverse_near_one, inverse_root_if_near_one, inverse_root_near_one};
pub use task::LaneTask;
pub use terms::{Run, Term};
pub use vector::Vector;
pub use width::Width;

#[cfg(test)]
mod tests;
