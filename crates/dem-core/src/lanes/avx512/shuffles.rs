//! Rows turned into columns, and places tested, in registers of eight lanes.

use std::arch::x86_64::*;

use super::F64x8;
use crate::lanes::{Places, Term, Vector};

/// Eight vectors of 24 numbers as they lie in memory.
#[inline(always)]
pub(super) fn vectors_of_rows([a, b, c]: [__m512d; 3]) -> Vector<F64x8> {
    // SAFETY: only where there are lanes of AVX-512
    let column = |first: [i64; 8], then: [i64; 8]| unsafe {
        F64x8(_mm512_permutex2var_pd(_mm512_permutex2var_pd(a, indices(first), b), indices(then), c))
    };
    Vector::new(
        column([0, 3, 6, 9, 12, 15, 0, 0], [0, 1, 2, 3, 4, 5, 10, 13]),
        column([1, 4, 7, 10, 13, 0, 0, 0], [0, 1, 2, 3, 4, 8, 11, 14]),
        column([2, 5, 8, 11, 14, 0, 0, 0], [0, 1, 2, 3, 4, 9, 12, 15]),
    )
}

/// Up to four numbers of one row in the lower half, of another in the upper half; zeros where a row is shorter.
#[inline(always)]
pub(super) fn two_rows(low: &[f64], high: &[f64]) -> __m512d {
    let numbers = low.len().min(high.len()).min(4);
    // SAFETY: at least that many numbers can be read
    unsafe { two_starts(low.as_ptr(), high.as_ptr(), numbers) }
}

/// The first `numbers` up to four numbers of one row in the lower half, of another in the upper half, then zeros.
///
/// # Safety
/// The numbers can be read, and the processor has AVX-512.
#[inline(always)]
pub(super) unsafe fn two_starts(low: *const f64, high: *const f64, numbers: usize) -> __m512d {
    // SAFETY: a masked load reads only what its mask asks for; alignment does not matter
    unsafe {
        let (low, high) = if numbers == 4 {
            (_mm256_loadu_pd(low), _mm256_loadu_pd(high))
        } else {
            let mask = ((1u32 << numbers) - 1) as u8;
            (_mm256_maskz_loadu_pd(mask, low), _mm256_maskz_loadu_pd(mask, high))
        };
        _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high)
    }
}

/// The place of a lane, read from memory. The compiler would take it out of the register that [`all_below`] has looked at instead, by two
/// instructions that compete with all arithmetic.
#[inline(always)]
pub(super) fn read(place: &Places, lane: usize) -> usize {
    let place: *const u32 = &raw const place[lane];
    // SAFETY: it comes from a reference
    unsafe { place.read_volatile() as usize }
}

/// Whether the places of all lanes are below a limit, and not so far that they would be negative as signed numbers.
#[inline(always)]
pub(super) fn all_below(place: &Places, limit: usize) -> bool {
    let limit = limit.min(i32::MAX as usize) as i32;
    // SAFETY: the processor has AVX-512 with VL, and the array has the 32 bytes that are read
    unsafe {
        let place = _mm256_loadu_si256(place.as_ptr().cast());
        _mm256_cmplt_epu32_mask(place, _mm256_set1_epi32(limit)) == u8::MAX
    }
}

/// Numbers of the lanes of two registers, those of the second from eight on, for a permutation.
#[inline(always)]
pub(super) fn indices(lanes: [i64; 8]) -> __m512i {
    // SAFETY: the processor has AVX-512, and the array has the 64 bytes that are read
    unsafe { _mm512_loadu_epi64(lanes.as_ptr()) }
}

/// Transposes the two 4 × 4 tables in the lower and in the upper halves.
#[inline(always)]
pub(super) fn transpose([a, b, c, d]: [__m512d; 4]) -> [__m512d; 4] {
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

/// Transposes an 8 × 8 table.
#[inline(always)]
pub(super) fn transpose_eight(columns: &[F64x8; 8]) -> [__m512d; 8] {
    // pairs of columns, then of pairs, by parts of two numbers
    let mut rows = [columns[0].0; 8];
    let mut odd = 0;
    while odd < 2 {
        // SAFETY: the processor has AVX-512
        unsafe {
            let mut pairs = [columns[0].0; 4];
            let mut k = 0;
            while k < 4 {
                let (left, right) = (columns[2 * k].0, columns[2 * k + 1].0);
                pairs[k] = if odd == 0 { _mm512_unpacklo_pd(left, right) } else { _mm512_unpackhi_pd(left, right) };
                k += 1;
            }
            let even_low = _mm512_shuffle_f64x2::<0x88>(pairs[0], pairs[1]);
            let even_high = _mm512_shuffle_f64x2::<0x88>(pairs[2], pairs[3]);
            let odd_low = _mm512_shuffle_f64x2::<0xdd>(pairs[0], pairs[1]);
            let odd_high = _mm512_shuffle_f64x2::<0xdd>(pairs[2], pairs[3]);
            rows[odd] = _mm512_shuffle_f64x2::<0x88>(even_low, even_high);
            rows[odd + 2] = _mm512_shuffle_f64x2::<0x88>(odd_low, odd_high);
            rows[odd + 4] = _mm512_shuffle_f64x2::<0xdd>(even_low, even_high);
            rows[odd + 6] = _mm512_shuffle_f64x2::<0xdd>(odd_low, odd_high);
        }
        odd += 1;
    }
    rows
}

#[inline(always)]
pub(super) fn store(value: __m512d) -> [f64; 8] {
    let mut to = [0.0; 8];
    // SAFETY: the processor has AVX-512, and the array has the 64 bytes that are written, whatever their alignment
    unsafe { _mm512_storeu_pd(to.as_mut_ptr(), value) };
    to
}

/// Whether all places are below a number of rows.
#[inline(always)]
pub(super) fn are_in(rows: usize, terms: &[Term]) -> bool {
    // SAFETY: the processor has AVX-512, and what is read of the terms is masked
    unsafe {
        let last = _mm512_set1_epi32((rows.min(Term::PLACES) << 3).wrapping_sub(1) as i32);
        let mut beyond = 0;
        for terms in terms.chunks(16) {
            let here = u16::MAX >> (16 - terms.len());
            let bits = _mm512_maskz_loadu_epi32(here, terms.as_ptr().cast());
            beyond |= _mm512_mask_cmpgt_epu32_mask(here, bits, last);
        }
        beyond == 0 && (rows > 0 || terms.is_empty())
    }
}
