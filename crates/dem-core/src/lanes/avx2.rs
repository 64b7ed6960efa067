//! Eight lanes in two registers of AVX2 each: while one half waits, the other computes.
//!
//! [`InAvx2`] is the only way in. Unsafe are calls of intrinsics, as [in the halves](super::avx2_half), and reads of
//! columns and rows of tables after one check for all lanes.
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use glam::DVec3;

use super::avx2_half::{F64x4, M64x4, store, transpose};
use super::last_vectors::{FIRST_COPIES, SECOND_COPIES, copies, farthest, shortest};
use super::places::outside;
use super::sets::{FIRST_NUMBERS, FOLLOWING_NUMBERS, MEMBERS, SETS, SPREAD, SQUEEZE};
use super::{
    LaneMask, LaneTask, Lanes, LineColumn, MOST_LANES, Mask, Places, Real, Run, SourceRows, TargetRows, Term, Vector,
    VectorColumn,
};

/// Runs tasks. Provided methods of a trait, because the compiler puts those into the codegen unit of the module of `Self`: see
/// [`Width::run_in_lanes_beside`](super::Width::run_in_lanes_beside).
pub(super) trait InAvx2 {
    /// Runs a task in eight lanes.
    ///
    /// # Safety
    /// The processor must have AVX2, FMA and POPCNT.
    #[target_feature(enable = "avx2,fma,popcnt")]
    unsafe fn run_avx2<T: LaneTask>(task: T) -> T::Output {
        task.run::<F64x8>()
    }

    /// Runs a task for one number at a time.
    ///
    /// # Safety
    /// As [`Self::run_avx2`].
    #[target_feature(enable = "avx2,fma,popcnt")]
    unsafe fn run_alone_avx2<T: LaneTask>(task: T) -> T::Output {
        task.run::<f64>()
    }
}

impl<H: ?Sized> InAvx2 for H {}

/// Eight numbers, the first four in the first half. Exists only inside [`InAvx2::run_avx2`].
#[derive(Clone, Copy, Debug)]
struct F64x8(F64x4, F64x4);

/// Eight truth values.
#[derive(Clone, Copy, Debug)]
struct M64x8(M64x4, M64x4);

macro_rules! operator {
    ($trait:ident, $name:ident) => {
        impl $trait for F64x8 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0), self.1.$name(other.1))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
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
        Self(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for M64x8 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }
}

impl Not for M64x8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl Mask for M64x8 {
    #[inline(always)]
    fn any(self) -> bool {
        (self.0 | self.1).any()
    }
    #[inline(always)]
    fn all(self) -> bool {
        (self.0 & self.1).all()
    }
}

impl LaneMask for M64x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << 4
    }
}

impl Real for F64x8 {
    type Mask = M64x8;

    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self(F64x4::splat(value), F64x4::splat(value))
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        Self(self.0.plus_product(a.0, b.0), self.1.plus_product(a.1, b.1))
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        Self(self.0.minus_product(a.0, b.0), self.1.minus_product(a.1, b.1))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn parted(self) -> (Self, Self) {
        let (low, high) = (self.0.parted(), self.1.parted());
        (Self(low.0, high.0), Self(low.1, high.1))
    }
    #[inline(always)]
    fn times_power_of_two(self, n: Self) -> Self {
        Self(self.0.times_power_of_two(n.0), self.1.times_power_of_two(n.1))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        Self(self.0.maximum(other.0), self.1.maximum(other.1))
    }
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        Self(self.0.minimum(other.0), self.1.minimum(other.1))
    }
    #[inline(always)]
    fn less(self, other: Self) -> M64x8 {
        M64x8(self.0.less(other.0), self.1.less(other.1))
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> M64x8 {
        M64x8(self.0.at_most(other.0), self.1.at_most(other.1))
    }
    #[inline(always)]
    fn select(mask: M64x8, yes: Self, no: Self) -> Self {
        Self(F64x4::select(mask.0, yes.0, no.0), F64x4::select(mask.1, yes.1, no.1))
    }
}

impl Lanes for F64x8 {
    const LANES: usize = 8;
    #[inline(always)]
    #[expect(
        clippy::redundant_closure,
        reason = "calls by reference are functions of their own, perhaps in another unit of code"
    )]
    fn from_lanes(value: impl Fn(usize) -> f64) -> Self {
        Self(F64x4::from_lanes(|lane| value(lane)), F64x4::from_lanes(|lane| value(lane + 4)))
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        self.to_lanes()[lane]
    }
    #[inline(always)]
    fn to_lanes(self) -> [f64; MOST_LANES] {
        let ([a, b, c, d], [e, f, g, h]) = (store(self.0.0), store(self.1.0));
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    fn columns<'a, const N: usize>(row: impl Fn(usize) -> &'a [f64; N]) -> [Self; N] {
        let (low, high) = (F64x4::columns(|lane| row(lane)), F64x4::columns(|lane| row(lane + 4)));
        join(low, high)
    }

    #[inline(always)]
    #[expect(
        clippy::redundant_closure,
        reason = "calls by reference are functions of their own, perhaps in another unit of code"
    )]
    fn rows<const N: usize>(columns: &[Self; N], mut row: impl FnMut(usize, [f64; N])) {
        let (low, high) = halves(columns);
        F64x4::rows(&low, |lane, numbers| row(lane, numbers));
        F64x4::rows(&high, |lane, numbers| row(lane + 4, numbers));
    }

    #[inline(always)]
    fn pick(column: &[f64], place: &Places) -> Self {
        if !all_below(place, column.len()) {
            outside(farthest(place), 1, column.len());
        }
        // SAFETY: there are numbers in all places
        Self::from_lanes(|lane| unsafe { *column.get_unchecked(place[lane] as usize) })
    }

    #[inline(always)]
    fn next_vectors(column: &[DVec3], at: usize) -> Vector<Self> {
        join_vectors(F64x4::next_vectors(column, at), F64x4::next_vectors(column, at + 4))
    }

    #[inline(always)]
    fn next_single_vectors(column: &[[f32; 3]], at: usize) -> Vector<Self> {
        join_vectors(F64x4::next_single_vectors(column, at), F64x4::next_single_vectors(column, at + 4))
    }

    #[inline(always)]
    fn store_next_vectors(vectors: Vector<Self>, column: &mut [DVec3], at: usize) {
        let Vector { x, y, z } = vectors;
        F64x4::store_next_vectors(Vector::new(x.0, y.0, z.0), column, at);
        F64x4::store_next_vectors(Vector::new(x.1, y.1, z.1), column, at + 4);
    }

    #[inline(always)]
    fn pick_vectors(column: VectorColumn, place: &Places) -> Vector<Self> {
        let (_, [[vectors, _]]) = Self::pick_pairs([], [column], place, place);
        vectors
    }

    #[inline(always)]
    fn pick_pairs<const D: usize, const B: usize>(
        apart: [VectorColumn; D],
        both: [VectorColumn; B],
        first: &Places,
        second: &Places,
    ) -> ([Vector<Self>; D], [[Vector<Self>; 2]; B]) {
        let (mut first, mut second) = (first, second);
        let mut apart_numbers = [std::ptr::null::<f64>(); D];
        let mut both_numbers = [std::ptr::null::<f64>(); B];
        let mut k = 0;
        while k < D {
            apart_numbers[k] = apart[k].numbers();
            k += 1;
        }
        let mut k = 0;
        while k < B {
            both_numbers[k] = both[k].numbers();
            k += 1;
        }
        // four numbers are read, which the last vector does not have: it is read where copies are, with others behind it
        let limit = shortest(&apart, &both).saturating_sub(1);
        let (apart_copies, both_copies);
        if !(all_below(first, limit) && all_below(second, limit)) {
            (apart_copies, both_copies) = (copies(apart, first, second), copies(both, first, second));
            (first, second) = (&FIRST_COPIES, &SECOND_COPIES);
            let mut k = 0;
            while k < D {
                apart_numbers[k] = apart_copies[k].as_ptr().cast();
                k += 1;
            }
            let mut k = 0;
            while k < B {
                both_numbers[k] = both_copies[k].as_ptr().cast();
                k += 1;
            }
        }
        let mut differences = [Vector::zero(); D];
        let mut vectors = [[Vector::zero(); 2]; B];
        // vectors are subtracted before they are transposed: that saves half of the transposition
        let mut k = 0;
        while k < D {
            let numbers = apart_numbers[k];
            let mut blocks = [[F64x4::zero().0; 4]; 2];
            let mut lane = 0;
            while lane < 8 {
                // SAFETY: a vector is three numbers, and every one of these has another behind it
                blocks[lane / 4][lane % 4] =
                    unsafe { _mm256_sub_pd(row(numbers, second[lane]), row(numbers, first[lane])) };
                lane += 1;
            }
            differences[k] = turned(blocks);
            k += 1;
        }
        let mut k = 0;
        while k < 2 * B {
            let numbers = both_numbers[k / 2];
            let place = if k % 2 == 0 { first } else { second };
            let mut blocks = [[F64x4::zero().0; 4]; 2];
            let mut lane = 0;
            while lane < 8 {
                // SAFETY: as above
                blocks[lane / 4][lane % 4] = unsafe { row(numbers, place[lane]) };
                lane += 1;
            }
            vectors[k / 2][k % 2] = turned(blocks);
            k += 1;
        }
        (differences, vectors)
    }

    #[inline(always)]
    fn expand<const N: usize>(rows: &SourceRows, column: usize) -> [Self; N] {
        let (set, table) = rows.checked::<N>(Self::LANES, column);
        let (low, high) = halves_of_set(set);
        let mut columns = [Self::zero(); N];
        let mut k = 0;
        while k < N {
            let place = rows.place(column + k);
            // SAFETY: the processor has AVX2; from the first row on there are eight in every column, of which the second half starts at the
            // fifth or before
            columns[k] = unsafe {
                let numbers = table.as_ptr().add(place);
                Self(spread(numbers, low), spread(numbers.add(low.count_ones() as usize), high))
            };
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
            let (low, high) = halves_of_set(set);
            // SAFETY: as above; what the first half writes too much the second one writes over
            unsafe {
                let numbers = table.as_mut_ptr().add(place);
                squeeze(columns[k].0, numbers, low);
                squeeze(columns[k].1, numbers.add(low.count_ones() as usize), high);
            }
            k += 1;
        }
    }

    #[inline(always)]
    fn store_next_fours(columns: &[Self; 4], rows: &mut [[f64; 4]], at: usize) {
        let (low, high) = halves(columns);
        F64x4::store_next_fours(&low, rows, at);
        F64x4::store_next_fours(&high, rows, at + 4);
    }

    #[inline(always)]
    fn store_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], place: &Places) {
        let (low, high) = halves(columns);
        let [_, _, _, _, e, f, g, h] = *place;
        F64x4::store_eights(&low, rows, place);
        F64x4::store_eights(&high, rows, &[e, f, g, h, 0, 0, 0, 0]);
    }

    #[inline(always)]
    fn store_next_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], at: usize) {
        let (low, high) = halves(columns);
        F64x4::store_next_eights(&low, rows, at);
        F64x4::store_next_eights(&high, rows, at + 4);
    }

    #[inline(always)]
    fn sum_rows(rows: LineColumn, terms: &[Term], runs: &[Run], ahead: &[Term], sums: &mut [[f64; 8]]) {
        F64x4::sum_rows(rows, terms, runs, ahead, sums);
    }

    #[inline(always)]
    fn bytes<const N: usize>(sets: [(u32, u8); N]) -> u64 {
        let mut high = sets;
        let mut k = 0;
        while k < N {
            high[k].0 >>= 4;
            k += 1;
        }
        F64x4::bytes(sets) | F64x4::bytes(high) << 32
    }

    #[inline(always)]
    fn squeezed(set: u32, number: &[u16; MOST_LANES]) -> [u16; MOST_LANES] {
        let mut kept = [0; MOST_LANES];
        let (low, high) = halves_of_set(set);
        // in a register: numbers written one by one could not be read together before all of them have left the core
        // SAFETY: AVX2 includes SSSE3, and the arrays have the 16 bytes that are read and written
        unsafe {
            let number = _mm_loadu_si128(number.as_ptr().cast());
            let first = _mm_loadu_si128(FIRST_NUMBERS[low].as_ptr().cast());
            let then = _mm_loadu_si128(FOLLOWING_NUMBERS[low.count_ones() as usize][high].as_ptr().cast());
            let squeezed = _mm_or_si128(_mm_shuffle_epi8(number, first), _mm_shuffle_epi8(number, then));
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
}

/// The members of a set among the first four lanes, and among the others.
#[inline(always)]
fn halves_of_set(set: u32) -> (usize, usize) {
    (set as usize % SETS, (set as usize >> 4) % SETS)
}

/// Numbers that follow each other for the members of a set, zeros for other lanes.
///
/// # Safety
/// The processor has AVX2, and four numbers can be read.
#[inline(always)]
unsafe fn spread(numbers: *const f64, set: usize) -> F64x4 {
    // SAFETY: the caller's promise, and the tables have the 32 bytes that are read
    unsafe {
        let order = _mm256_loadu_si256(SPREAD[set].as_ptr().cast());
        let spread = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(_mm256_loadu_pd(numbers)), order);
        F64x4(_mm256_and_pd(_mm256_castsi256_pd(spread), _mm256_loadu_pd(MEMBERS[set].as_ptr().cast())))
    }
}

/// Writes the numbers of the members of a set, then anything, four in all.
///
/// # Safety
/// The processor has AVX2, and four numbers can be written.
#[inline(always)]
unsafe fn squeeze(column: F64x4, to: *mut f64, set: usize) {
    // SAFETY: the caller's promise, and the table has the 32 bytes that are read
    unsafe {
        let order = _mm256_loadu_si256(SQUEEZE[set].as_ptr().cast());
        let squeezed = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(column.0), order);
        _mm256_storeu_pd(to, _mm256_castsi256_pd(squeezed));
    }
}

/// The vector in a place and the number behind it.
///
/// # Safety
/// The processor has AVX2, and there is a number behind.
#[inline(always)]
unsafe fn row(numbers: *const f64, place: u32) -> __m256d {
    // SAFETY: the caller's promise
    unsafe { _mm256_loadu_pd(numbers.add(3 * place as usize)) }
}

/// First halves of columns, and second ones.
#[inline(always)]
fn halves<const N: usize>(columns: &[F64x8; N]) -> ([F64x4; N], [F64x4; N]) {
    let (mut low, mut high) = ([F64x4::zero(); N], [F64x4::zero(); N]);
    let mut k = 0;
    while k < N {
        (low[k], high[k]) = (columns[k].0, columns[k].1);
        k += 1;
    }
    (low, high)
}

/// Columns of halves.
#[inline(always)]
fn join<const N: usize>(low: [F64x4; N], high: [F64x4; N]) -> [F64x8; N] {
    let mut columns = [F64x8::zero(); N];
    let mut k = 0;
    while k < N {
        columns[k] = F64x8(low[k], high[k]);
        k += 1;
    }
    columns
}

/// Vectors of halves.
#[inline(always)]
fn join_vectors(low: Vector<F64x4>, high: Vector<F64x4>) -> Vector<F64x8> {
    Vector::new(F64x8(low.x, high.x), F64x8(low.y, high.y), F64x8(low.z, high.z))
}

/// Vectors whose numbers are the first three of rows.
#[inline(always)]
fn turned([low, high]: [[__m256d; 4]; 2]) -> Vector<F64x8> {
    let ([x, y, z, _], [u, v, w, _]) = (transpose(low), transpose(high));
    Vector::new(F64x8(F64x4(x), F64x4(u)), F64x8(F64x4(y), F64x4(v)), F64x8(F64x4(z), F64x4(w)))
}

/// Whether all places are below a limit.
#[inline(always)]
fn all_below(place: &Places, limit: usize) -> bool {
    if limit == 0 {
        return false;
    }
    let last = (limit - 1).min(u32::MAX as usize) as u32;
    // SAFETY: the processor has AVX2, and the array has the 32 bytes that are read
    unsafe {
        let place = _mm256_loadu_si256(place.as_ptr().cast());
        let last = _mm256_set1_epi32(last as i32);
        _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(place, last), last)) == -1
    }
}
