//! Eight lanes in the registers of AVX-512.
//!
//! Built like the four lanes of AVX2, and as sound for the same reasons: [`InAvx512`] is the only way in.
#![expect(unsafe_code, reason = "vector instructions")]

mod memory;
mod shuffles;

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use super::powers_of_two::BEYOND;
use super::{LaneMask, LaneTask, Lanes, Mask, Real};

/// Runs tasks; a trait for the same reason as [`InAvx2`](super::avx2::InAvx2).
pub(super) trait InAvx512 {
    /// Runs a task in eight lanes.
    ///
    /// # Safety
    /// The processor must have AVX2, FMA, POPCNT and AVX-512 F, VL and DQ.
    #[target_feature(enable = "avx2,fma,popcnt,avx512f,avx512vl,avx512dq")]
    unsafe fn run_avx512<T: LaneTask>(task: T) -> T::Output {
        task.run::<F64x8>()
    }
}

impl<H: ?Sized> InAvx512 for H {}

/// Eight numbers. Exists only inside [`InAvx512::run_avx512`].
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
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.bits() == (1 << Self::LANES) - 1
    }
}

impl LaneMask for M64x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.into()
    }
}

impl Real for F64x8 {
    type Mask = M64x8;

    #[inline(always)]
    fn constant(value: f64) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_set1_pd(value) })
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_fmadd_pd(a.0, b.0, self.0) })
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_fnmadd_pd(a.0, b.0, self.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn parted(self) -> (Self, Self) {
        // SAFETY: the processor has AVX-512
        let (mantissa, exponent) =
            unsafe { (_mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self.0), _mm512_getexp_pd(self.0)) };
        (Self(mantissa), Self(exponent))
    }
    #[inline(always)]
    fn times_power_of_two(self, n: Self) -> Self {
        // the instruction makes NaN of zeros and infinities, and numbers of NaN, where an exponent is infinite
        let bounded = Self::splat(-BEYOND).maximum(Self::splat(BEYOND).minimum(n));
        // SAFETY: the processor has AVX-512
        Self(unsafe { _mm512_scalef_pd(self.0, bounded.0) })
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
}
