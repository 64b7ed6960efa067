//! Numbers in lanes: formulae written once for any [`Real`] run for one contact at a time or for several side by side.
//!
//! A lane does exactly what the scalar does: only `+ − × ÷ √`, comparisons and selections, in the order of the formula, without fused
//! multiply–add. All of these are correctly rounded, so a result never depends on the number of lanes or on the machine.
//!
//! Code that uses lanes is a [`LaneTask`]; [`Width::run`] runs it with the instructions that a width stands for. The vector types
//! cannot be named outside this module: nobody can get hold of a vector on a machine that lacks its instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod real;
mod rows;
#[cfg(target_arch = "x86_64")]
mod sets;
mod terms;
mod vector;

pub use real::{Mask, Real, inverse_if_near_one, inverse_near_one, inverse_root_near_one};
pub use rows::{Rows, SourceRows, TargetRows};
pub use terms::Term;
pub use vector::Vector;

/// No width has more lanes.
pub const MOST_LANES: usize = 8;

/// A place in a column or a table for every lane; those beyond the lanes of a width mean nothing.
pub type Places = [u32; MOST_LANES];

/// Tells the processor that an element of a column will be read soon, if there is one in that place. Nothing depends on it.
#[inline(always)]
pub fn prefetch<T>(column: &[T], place: usize) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "an instruction that may name any address")]
    // SAFETY: every x86-64 processor has it, and it neither reads nor faults
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(column.as_ptr().wrapping_add(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (column, place);
}

/// Work that is generic over lanes.
pub trait LaneTask {
    /// What it returns.
    type Output;

    /// Does the work. Implementations and everything generic they call must be `#[inline(always)]`: only what is inlined here is compiled
    /// with the instructions of the width.
    fn run<R: Real>(self) -> Self::Output;
}

/// How many contacts are computed side by side. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(Instructions);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instructions {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Width {
    /// One at a time: the reference.
    pub const SCALAR: Self = Self(Instructions::Scalar);

    /// All widths that this machine can run, the reference first.
    pub fn available() -> Vec<Self> {
        let mut widths = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt") {
            widths.push(Self(Instructions::Avx2));
            if std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512vl")
                && std::arch::is_x86_feature_detected!("avx512dq")
            {
                widths.push(Self(Instructions::Avx512));
            }
        }
        widths
    }

    /// The fastest that this machine can run.
    pub fn fastest() -> Self {
        Self::available().last().copied().unwrap_or(Self::SCALAR)
    }

    /// The width of a name, if this machine can run it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|width| width.name() == name)
    }

    /// Name of the instructions.
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "AVX-512",
        }
    }

    /// Runs a task.
    #[inline]
    pub fn run<T: LaneTask>(self, task: T) -> T::Output {
        match self.0 {
            Instructions::Scalar => task.run::<f64>(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => {
                #[expect(unsafe_code, reason = "calls a function compiled for AVX2")]
                // SAFETY: a width with these instructions comes from `available` only, which has checked that the processor has them
                unsafe {
                    avx2::run_avx2(task)
                }
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                #[expect(unsafe_code, reason = "calls a function compiled for AVX-512")]
                // SAFETY: as above
                unsafe {
                    avx512::run_avx512(task)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
