//! History records of contacts in SIMD lanes.

use dem_core::lanes::{Real, Source, Target};

/// Records of several contacts in SIMD lanes.
pub trait Record<R: Real>: Sized {
    /// Numbers per contact.
    const WIDTH: usize;

    /// Reads it, from a column on.
    fn load(source: &impl Source<R>, column: usize) -> Self;

    /// Writes it, from a column on.
    fn store(&self, target: &mut impl Target<R>, column: usize);
}

impl<R: Real, const N: usize> Record<R> for [R; N] {
    const WIDTH: usize = N;

    #[inline(always)]
    fn load(source: &impl Source<R>, column: usize) -> Self {
        source.numbers(column)
    }

    #[inline(always)]
    fn store(&self, target: &mut impl Target<R>, column: usize) {
        target.put(self, column);
    }
}

impl<R: Real, A: Record<R>, B: Record<R>> Record<R> for (A, B) {
    const WIDTH: usize = A::WIDTH + B::WIDTH;

    #[inline(always)]
    fn load(source: &impl Source<R>, column: usize) -> Self {
        (A::load(source, column), B::load(source, column + A::WIDTH))
    }

    #[inline(always)]
    fn store(&self, target: &mut impl Target<R>, column: usize) {
        self.0.store(target, column);
        self.1.store(target, column + A::WIDTH);
    }
}
