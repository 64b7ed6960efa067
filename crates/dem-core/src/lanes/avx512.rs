//! Eight lanes in the registers of AVX-512.
//!
//! Built like the four lanes of AVX2, and as sound for the same reasons: [`run_avx512`] is the only way in.
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use super::{LaneTask, MOST_LANES, Mask, Real};

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
        store(self.0)[lane]
    }
    #[inline(always)]
    fn to_lanes(self) -> [f64; MOST_LANES] {
        store(self.0)
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
        let rows = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
        let mut columns = [Self::zero(); N];
        let mut at = 0;
        while at < N {
            let block = [
                two_rows(&rows[0][at..], &rows[4][at..]),
                two_rows(&rows[1][at..], &rows[5][at..]),
                two_rows(&rows[2][at..], &rows[6][at..]),
                two_rows(&rows[3][at..], &rows[7][at..]),
            ];
            let turned = transpose(block);
            let mut k = at;
            while k < N && k < at + 4 {
                columns[k] = Self(turned[k - at]);
                k += 1;
            }
            at += 4;
        }
        columns
    }

    #[inline(always)]
    fn rows<const N: usize>(columns: &[Self; N], mut row: impl FnMut(usize, [f64; N])) {
        let mut rows = [[0.0; N]; 8];
        let mut at = 0;
        while at < N {
            let mut block = [Self::zero().0; 4];
            let mut k = at;
            while k < N && k < at + 4 {
                block[k - at] = columns[k].0;
                k += 1;
            }
            let turned = transpose(block);
            let end = if at + 4 < N { at + 4 } else { N };
            let mut lane = 0;
            while lane < 4 {
                let numbers = store(turned[lane]);
                rows[lane][at..end].copy_from_slice(&numbers[..end - at]);
                rows[lane + 4][at..end].copy_from_slice(&numbers[4..4 + end - at]);
                lane += 1;
            }
            at += 4;
        }
        row(0, rows[0]);
        row(1, rows[1]);
        row(2, rows[2]);
        row(3, rows[3]);
        row(4, rows[4]);
        row(5, rows[5]);
        row(6, rows[6]);
        row(7, rows[7]);
    }
}

/// Up to four numbers of one row in the lower half, of another in the upper half; zeros where a row is shorter.
#[inline(always)]
fn two_rows(low: &[f64], high: &[f64]) -> __m512d {
    if let (Some(low), Some(high)) = (low.first_chunk::<4>(), high.first_chunk::<4>()) {
        // SAFETY: the processor has AVX-512, and both arrays have the 32 bytes that are read, whatever their alignment
        return unsafe {
            let lower = _mm512_castpd256_pd512(_mm256_loadu_pd(low.as_ptr()));
            _mm512_insertf64x4::<1>(lower, _mm256_loadu_pd(high.as_ptr()))
        };
    }
    let numbers = low.len().min(high.len()).min(4);
    let mask = ((1u32 << numbers) - 1) as u8;
    // SAFETY: the processor has AVX-512; a load reads only what its mask asks for, which are the first `numbers` elements of each slice:
    // the second address is that of lane 0, four elements before that of lane 4, the first in the mask
    unsafe {
        let lower = _mm512_maskz_loadu_pd(mask, low.as_ptr());
        _mm512_mask_loadu_pd(lower, mask << 4, high.as_ptr().wrapping_sub(4))
    }
}

/// Transposes the two 4 × 4 tables in the lower and in the upper halves.
#[inline(always)]
fn transpose([a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
    // SAFETY: the processor has AVX-512
    unsafe {
        let (even_ab, odd_ab) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
        let (even_cd, odd_cd) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
        let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            _mm512_permutex2var_pd(even_ab, first, even_cd),
            _mm512_permutex2var_pd(odd_ab, first, odd_cd),
            _mm512_permutex2var_pd(even_ab, second, even_cd),
            _mm512_permutex2var_pd(odd_ab, second, odd_cd),
        ]
    }
}

#[inline(always)]
fn store(value: __m512d) -> [f64; 8] {
    let mut to = [0.0; 8];
    // SAFETY: the processor has AVX-512, and the array has the 64 bytes that are written, whatever their alignment
    unsafe { _mm512_storeu_pd(to.as_mut_ptr(), value) };
    to
}
