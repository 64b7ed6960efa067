//! Powers of two taken off and put on, [in a register of AVX2](super::avx2_half).
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::*;

use super::Real;
use super::avx2_half::F64x4;
use super::powers_of_two::{MANTISSA, MANTISSA_BITS, ONE, PowersOfTwo, SIGN, WHOLE, WHOLE_AND_BIAS};

/// The same bits in every lane.
#[inline(always)]
fn bits(value: u64) -> __m256d {
    F64x4::constant(f64::from_bits(value)).0
}

impl PowersOfTwo for F64x4 {
    #[inline(always)]
    fn parted_normal(self) -> (Self, Self) {
        // SAFETY: the processor has AVX2
        let (mantissa, biased) = unsafe {
            let mantissa = _mm256_or_pd(_mm256_and_pd(self.0, bits(SIGN | MANTISSA)), bits(ONE));
            let raised = _mm256_srli_epi64::<{ MANTISSA_BITS as i32 }>(_mm256_castpd_si256(self.abs().0));
            (mantissa, _mm256_or_pd(_mm256_castsi256_pd(raised), bits(WHOLE)))
        };
        (Self(mantissa), Self(biased) - Self::constant(WHOLE_AND_BIAS))
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        let sum = self + Self::constant(WHOLE_AND_BIAS);
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_castsi256_pd(_mm256_slli_epi64::<{ MANTISSA_BITS as i32 }>(_mm256_castpd_si256(sum.0))) })
    }
}
