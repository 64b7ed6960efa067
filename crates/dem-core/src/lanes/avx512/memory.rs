//! Eight lanes from and to memory.

use std::arch::x86_64::*;

use glam::DVec3;

use super::F64x8;
use super::shuffles::{
    all_below, are_in, indices, read, store, transpose, transpose_eight, two_rows, two_starts, vectors_of_rows,
};
use crate::lanes::last_vectors::{FIRST_COPIES, SECOND_COPIES, copies, farthest, shortest};
use crate::lanes::memory::put;
use crate::lanes::places::outside;
use crate::lanes::terms::{SIGN, refuse};
use crate::lanes::{
    Lanes, LineColumn, MOST_LANES, Places, Real, Run, SourceRows, TargetRows, Term, Vector, VectorColumn,
};

impl Lanes for F64x8 {
    const LANES: usize = 8;
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
                put(&numbers[..end - at], &mut rows[lane][at..end]);
                put(&numbers[4..4 + end - at], &mut rows[lane + 4][at..end]);
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

    #[inline(always)]
    fn next_vectors(column: &[DVec3], at: usize) -> Vector<Self> {
        let numbers = column[at..][..8].as_ptr().cast::<f64>();
        // SAFETY: the processor has AVX-512, and eight vectors are 24 numbers
        unsafe {
            vectors_of_rows([
                _mm512_loadu_pd(numbers),
                _mm512_loadu_pd(numbers.add(8)),
                _mm512_loadu_pd(numbers.add(16)),
            ])
        }
    }

    #[inline(always)]
    fn next_single_vectors(column: &[[f32; 3]], at: usize) -> Vector<Self> {
        let numbers = column[at..][..8].as_ptr().cast::<f32>();
        // SAFETY: as above
        unsafe {
            vectors_of_rows([
                _mm512_cvtps_pd(_mm256_loadu_ps(numbers)),
                _mm512_cvtps_pd(_mm256_loadu_ps(numbers.add(8))),
                _mm512_cvtps_pd(_mm256_loadu_ps(numbers.add(16))),
            ])
        }
    }

    #[inline(always)]
    fn store_next_vectors(vectors: Vector<Self>, column: &mut [DVec3], at: usize) {
        let numbers = column[at..][..8].as_mut_ptr().cast::<f64>();
        let (x, y, z) = (vectors.x.0, vectors.y.0, vectors.z.0);
        // SAFETY: the processor has AVX-512, and eight vectors are 24 numbers
        unsafe {
            let next = |first: [i64; 8], then: [i64; 8]| {
                _mm512_permutex2var_pd(_mm512_permutex2var_pd(x, indices(first), y), indices(then), z)
            };
            _mm512_storeu_pd(numbers, next([0, 8, 0, 1, 9, 0, 2, 10], [0, 1, 8, 3, 4, 9, 6, 7]));
            _mm512_storeu_pd(numbers.add(8), next([0, 3, 11, 0, 4, 12, 0, 5], [10, 1, 2, 11, 4, 5, 12, 7]));
            _mm512_storeu_pd(numbers.add(16), next([13, 0, 6, 14, 0, 7, 15, 0], [0, 13, 2, 3, 14, 5, 6, 15]));
        }
    }

    #[inline(always)]
    fn pick(column: &[f64], place: &Places) -> Self {
        if !all_below(place, column.len()) {
            outside(farthest(place), 1, column.len());
        }
        let first = column.as_ptr();
        // SAFETY: the processor has AVX-512, and the column has all places. One by one: the instruction that gathers eight numbers takes
        // nearly three times as long on a Zen 5, and holds up the others
        Self(unsafe {
            let two = |lane: usize| {
                let low = _mm_load_sd(first.add(read(place, lane)));
                _mm_loadh_pd(low, first.add(read(place, lane + 1)))
            };
            let four = |lane: usize| _mm256_set_m128d(two(lane + 2), two(lane));
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(four(0)), four(4))
        })
    }

    #[inline(always)]
    fn pick_pairs<const D: usize, const B: usize>(
        apart: [VectorColumn; D],
        both: [VectorColumn; B],
        first: &Places,
        second: &Places,
    ) -> ([Vector<Self>; D], [[Vector<Self>; 2]; B]) {
        // four numbers are read, which the last vector does not have
        let limit = shortest(&apart, &both).saturating_sub(1);
        let (apart_copies, both_copies);
        let (mut apart_numbers, mut both_numbers) = ([std::ptr::null(); D], [std::ptr::null(); B]);
        let (mut first, mut second) = (first, second);
        if all_below(first, limit) && all_below(second, limit) {
            for k in 0..D {
                apart_numbers[k] = apart[k].numbers();
            }
            for k in 0..B {
                both_numbers[k] = both[k].numbers();
            }
        } else {
            // copies in the order of the lanes: no second path, on which results would be in other registers
            (apart_copies, both_copies) = (copies(apart, first, second), copies(both, first, second));
            for k in 0..D {
                apart_numbers[k] = apart_copies[k].as_ptr().cast::<f64>();
            }
            for k in 0..B {
                both_numbers[k] = both_copies[k].as_ptr().cast::<f64>();
            }
            (first, second) = (&FIRST_COPIES, &SECOND_COPIES);
        }
        let mut differences = [Vector::zero(); D];
        let mut vectors = [[Vector::zero(); 2]; B];
        // vectors are subtracted before they are transposed: that saves half of the transposition
        let mut difference = [[Self::zero().0; 4]; D];
        let mut vector = [[[Self::zero().0; 4]; 2]; B];
        let mut lane = 0;
        while lane < 4 {
            let (i, other_i) = (3 * read(first, lane), 3 * read(first, lane + 4));
            let (j, other_j) = (3 * read(second, lane), 3 * read(second, lane + 4));
            let mut k = 0;
            while k < D {
                let numbers = apart_numbers[k];
                // SAFETY: a vector is three numbers, and every one of these has another behind it
                difference[k][lane] = unsafe {
                    _mm512_sub_pd(
                        two_starts(numbers.add(j), numbers.add(other_j), 4),
                        two_starts(numbers.add(i), numbers.add(other_i), 4),
                    )
                };
                k += 1;
            }
            let mut k = 0;
            while k < B {
                let numbers = both_numbers[k];
                // SAFETY: as above
                unsafe {
                    vector[k][0][lane] = two_starts(numbers.add(i), numbers.add(other_i), 4);
                    vector[k][1][lane] = two_starts(numbers.add(j), numbers.add(other_j), 4);
                }
                k += 1;
            }
            lane += 1;
        }
        let mut k = 0;
        while k < D {
            let [x, y, z, _] = transpose(difference[k]);
            differences[k] = Vector::new(Self(x), Self(y), Self(z));
            k += 1;
        }
        let mut k = 0;
        while k < 2 * B {
            let [x, y, z, _] = transpose(vector[k / 2][k % 2]);
            vectors[k / 2][k % 2] = Vector::new(Self(x), Self(y), Self(z));
            k += 1;
        }
        (differences, vectors)
    }

    #[inline(always)]
    fn expand<const N: usize>(rows: &SourceRows, column: usize) -> [Self; N] {
        let (set, table) = rows.checked::<N>(Self::LANES, column);
        let mut columns = [Self::zero(); N];
        let mut k = 0;
        while k < N {
            // SAFETY: the processor has AVX-512, and from the first row on there are eight in every column
            columns[k] = Self(unsafe {
                let numbers = _mm512_loadu_pd(table.as_ptr().add(rows.place(column + k)));
                _mm512_maskz_expand_pd(set as u8, numbers)
            });
            k += 1;
        }
        columns
    }

    #[inline(always)]
    fn compress<const N: usize>(columns: &[Self; N], rows: &mut TargetRows, column: usize) {
        let mut k = 0;
        while k < N {
            let place = rows.place(column + k);
            let (set, table) = rows.checked::<N>(Self::LANES, column);
            // SAFETY: the processor has AVX-512, and from the first row on there are eight in every column
            unsafe {
                let numbers = _mm512_maskz_compress_pd(set as u8, columns[k].0);
                _mm512_storeu_pd(table.as_mut_ptr().add(place), numbers);
            }
            k += 1;
        }
    }

    #[inline(always)]
    fn store_next_fours(columns: &[Self; 4], rows: &mut [[f64; 4]], at: usize) {
        let rows = &mut rows[at..][..8];
        let turned = transpose([columns[0].0, columns[1].0, columns[2].0, columns[3].0]);
        let mut lane = 0;
        while lane < 4 {
            // SAFETY: the processor has AVX-512, and rows have the 32 bytes that are written
            unsafe {
                _mm256_storeu_pd(rows[lane].as_mut_ptr(), _mm512_castpd512_pd256(turned[lane]));
                _mm256_storeu_pd(rows[lane + 4].as_mut_ptr(), _mm512_extractf64x4_pd::<1>(turned[lane]));
            }
            lane += 1;
        }
    }

    #[inline(always)]
    fn store_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], place: &Places) {
        if !all_below(place, rows.len()) {
            outside(farthest(place), 1, rows.len());
        }
        let turned = transpose_eight(columns);
        let mut lane = 0;
        while lane < 8 {
            // SAFETY: the processor has AVX-512, and there are rows in all places
            unsafe { _mm512_storeu_pd(rows.as_mut_ptr().add(place[lane] as usize).cast(), turned[lane]) };
            lane += 1;
        }
    }

    #[inline(always)]
    fn store_next_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], at: usize) {
        let rows = &mut rows[at..][..8];
        let turned = transpose_eight(columns);
        let mut lane = 0;
        while lane < 8 {
            // SAFETY: the processor has AVX-512, and there are eight rows
            unsafe { _mm512_storeu_pd(rows.as_mut_ptr().add(lane).cast(), turned[lane]) };
            lane += 1;
        }
    }

    #[inline(always)]
    fn sum_rows(rows: LineColumn, terms: &[Term], runs: &[Run], ahead: &[Term], sums: &mut [[f64; 8]]) {
        if !are_in(rows.len(), terms) {
            refuse();
        }
        let first = rows.numbers();
        let mut rest = terms;
        let mut later = ahead.get(..terms.len()).unwrap_or(&[]);
        for run in runs {
            let Some((these, after)) = rest.split_at_checked(run.terms()) else { refuse() };
            let Some(to) = sums.get_mut(run.sum()) else { refuse() };
            rest = after;
            // SAFETY: the processor has AVX-512
            let mut sum = unsafe { _mm512_setzero_pd() };
            let mut add = |term: &Term| {
                // SAFETY: the processor has AVX-512, and places are below the number of rows, of 64 bytes each
                unsafe {
                    let factor = _mm_load_sd(first.add(term.numbers_before_half()).add(3));
                    let factors = _mm512_mask_broadcastsd_pd(_mm512_set1_pd(SIGN[term.side()]), 0xf0, factor);
                    let row = _mm512_loadu_pd(first.add(term.numbers_before()));
                    sum = _mm512_fmadd_pd(row, factors, sum);
                }
            };
            if later.is_empty() {
                for term in these {
                    add(term);
                }
            } else {
                let (asked, more) = later.split_at(run.terms());
                later = more;
                let asked = &asked[..these.len()];
                for k in 0..these.len() {
                    rows.prefetch(asked[k].numbers_before_half());
                    add(&these[k]);
                }
            }
            // SAFETY: the processor has AVX-512, and a sum has the 64 bytes that are written
            unsafe { _mm512_storeu_pd(to.as_mut_ptr(), sum) };
        }
    }

    #[inline(always)]
    fn bytes<const N: usize>(sets: [(u32, u8); N]) -> u64 {
        // SAFETY: the processor has AVX-512
        unsafe {
            let mut numbers = _mm512_setzero_si512();
            let mut k = 0;
            while k < N {
                numbers = _mm512_mask_set1_epi64(numbers, sets[k].0 as u8, sets[k].1.into());
                k += 1;
            }
            _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(numbers)) as u64
        }
    }

    #[inline(always)]
    fn squeezed(set: u32, number: &[u16; MOST_LANES]) -> [u16; MOST_LANES] {
        let mut kept = [0; MOST_LANES];
        // SAFETY: the processor has AVX-512 with VL, and the arrays have the 16 bytes that are read and written
        unsafe {
            let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(number.as_ptr().cast()));
            let squeezed = _mm256_cvtepi32_epi16(_mm256_maskz_compress_epi32(set as u8, wide));
            _mm_storeu_si128(kept.as_mut_ptr().cast(), squeezed);
        }
        kept
    }

    #[inline(always)]
    fn found(number: &[u16; MOST_LANES], among: &[u16; MOST_LANES]) -> u32 {
        const ANY_BITS: i32 = _SIDD_UWORD_OPS | _SIDD_CMP_EQUAL_ANY | _SIDD_BIT_MASK;
        // SAFETY: AVX2 includes SSE4.2, and the arrays have the 16 bytes that are read
        unsafe {
            let among = _mm_loadu_si128(among.as_ptr().cast());
            let number = _mm_loadu_si128(number.as_ptr().cast());
            _mm_cvtsi128_si32(_mm_cmpestrm::<ANY_BITS>(among, 8, number, 8)) as u32
        }
    }

    #[inline(always)]
    fn places<const N: usize>(table: &[u32; N], number: &[u16; MOST_LANES]) -> Places {
        const { assert!(N.is_power_of_two()) };
        let mut places = [0; MOST_LANES];
        // SAFETY: the processor has AVX-512; the arrays have the bytes that are read and written, and numbers modulo the length of the
        // table are in it
        unsafe {
            let number = _mm256_cvtepu16_epi32(_mm_loadu_si128(number.as_ptr().cast()));
            let number = _mm256_and_si256(number, _mm256_set1_epi32(N as i32 - 1));
            let found = _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), number);
            _mm256_storeu_si256(places.as_mut_ptr().cast(), found);
        }
        places
    }
}
