//! Eight lanes in the registers of AVX-512.
//!
//! Built like the four lanes of AVX2, and as sound for the same reasons: [`run_avx512`] is the only way in.
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use super::avx2::F64x4;
use super::{LaneTask, Mask, Real};

/// Runs a task in eight lanes.
///
/// # Safety
/// The processor must have AVX2 and AVX-512 F, VL and DQ.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512dq")]
pub(super) unsafe fn run_avx512<T: LaneTask>(task: T) -> T::Output {
    task.run::<F64x8>()
}

/// Eight numbers. Exists only inside [`run_avx512`].
#[derive(Clone, Copy, Debug)]
struct F64x8(__m512d);

/// Eight truth values, one bit each.
#[derive(Clone, Copy, Debug)]
struct M64x8(__mmask8);

macro_rules! operator {
    ($trait:ident, $name:ident, $intrinsic:ident) => {
        impl $trait for F64x8 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: the processor has AVX-512
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

operator!(Add, add, _mm512_add_pd);
operator!(Sub, sub, _mm512_sub_pd);
operator!(Mul, mul, _mm512_mul_pd);
operator!(Div, div, _mm512_div_pd);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)) })
    }
}

impl AddAssign for F64x8 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for F64x8 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl BitAnd for M64x8 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for M64x8 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for M64x8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for M64x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.into()
    }
}

impl F64x8 {
    #[inline(always)]
    fn from_halves(low: F64x4, high: F64x4) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low.0), high.0) })
    }

    #[inline(always)]
    fn halves(self) -> (F64x4, F64x4) {
        // SAFETY: the processor has AVX-512
        unsafe { (F64x4(_mm512_castpd512_pd256(self.0)), F64x4(_mm512_extractf64x4_pd::<1>(self.0))) }
    }
}

impl Real for F64x8 {
    type Mask = M64x8;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_set1_pd(value) })
    }
    #[inline(always)]
    fn from_lanes(value: impl Fn(usize) -> f64) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_setr_pd(value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)) })
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        let mut lanes = [0.0; 8];
        // SAFETY: the processor has AVX-512, and the array has the 64 bytes that are written, whatever their alignment
        unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), self.0) };
        lanes[lane]
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_andnot_pd(_mm512_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_min_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> M64x8 {
        // SAFETY: the processor has AVX-512
        M64x8(unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> M64x8 {
        // SAFETY: the processor has AVX-512
        M64x8(unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn select(mask: M64x8, yes: Self, no: Self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_mask_blend_pd(mask.0, no.0, yes.0) })
    }

    #[inline(always)]
    fn columns<'a, const N: usize>(row: impl Fn(usize) -> &'a [f64; N]) -> [Self; N] {
        let low: [F64x4; N] = F64x4::columns(|lane| row(lane));
        let high: [F64x4; N] = F64x4::columns(|lane| row(lane + 4));
        let mut columns = [Self::zero(); N];
        let mut k = 0;
        while k < N {
            columns[k] = Self::from_halves(low[k], high[k]);
            k += 1;
        }
        columns
    }

    #[inline(always)]
    fn rows<const N: usize>(columns: &[Self; N], mut row: impl FnMut(usize, [f64; N])) {
        let mut low = [F64x4::zero(); N];
        let mut high = [F64x4::zero(); N];
        let mut k = 0;
        while k < N {
            (low[k], high[k]) = columns[k].halves();
            k += 1;
        }
        F64x4::rows(&low, &mut row);
        F64x4::rows(&high, |lane, values| row(lane + 4, values));
    }
}
