//! Four lanes in a register of AVX2, a half of [eight](super::avx2).
//!
//! The only unsafe operations are calls of intrinsics, which need nothing but a processor that has them, and loads and stores: of arrays
//! through references, and of rows of tables after one check that those of all lanes end there.
#![expect(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use glam::DVec3;

use super::memory::put;
use super::places::outside;
use super::powers_of_two::{self, PowersOfTwo};
use super::terms::{SIGN, refuse};
use super::{LaneMask, Lanes, LineColumn, MOST_LANES, Mask, Places, Real, Run, Term, Vector};

/// Four numbers. Exists only inside [`InAvx2`](super::avx2::InAvx2), which is what makes the calls of intrinsics below sound.
#[derive(Clone, Copy, Debug)]
pub(super) struct F64x4(pub(super) __m256d);

/// Four truth values, all bits of a lane set or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct M64x4(pub(super) __m256d);

macro_rules! operator {
    ($trait:ident, $name:ident, $intrinsic:ident) => {
        impl $trait for F64x4 {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: the processor has AVX2
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

operator!(Add, add, _mm256_add_pd);
operator!(Sub, sub, _mm256_sub_pd);
operator!(Mul, mul, _mm256_mul_pd);
operator!(Div, div, _mm256_div_pd);

impl Neg for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl AddAssign for F64x4 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for F64x4 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl BitAnd for M64x4 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_and_pd(self.0, other.0) })
    }
}

impl BitOr for M64x4 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_or_pd(self.0, other.0) })
    }
}

impl Not for M64x4 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) })
    }
}

impl Mask for M64x4 {
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.bits() == (1 << Self::LANES) - 1
    }
}

impl LaneMask for M64x4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: the processor has AVX2
        unsafe { _mm256_movemask_pd(self.0) as u32 }
    }
}

/// Exchanges rows and columns.
#[inline(always)]
pub(super) fn transpose(rows: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: the processor has AVX2
    unsafe {
        let low01 = _mm256_unpacklo_pd(rows[0], rows[1]);
        let high01 = _mm256_unpackhi_pd(rows[0], rows[1]);
        let low23 = _mm256_unpacklo_pd(rows[2], rows[3]);
        let high23 = _mm256_unpackhi_pd(rows[2], rows[3]);
        [
            _mm256_permute2f128_pd::<0x20>(low01, low23),
            _mm256_permute2f128_pd::<0x20>(high01, high23),
            _mm256_permute2f128_pd::<0x31>(low01, low23),
            _mm256_permute2f128_pd::<0x31>(high01, high23),
        ]
    }
}

/// Joins the pairs that start two rows.
#[inline(always)]
fn join_pairs(low: &[f64; 2], high: &[f64; 2]) -> __m256d {
    // SAFETY: the processor has AVX2, and the arrays have the 16 bytes that are read, whatever their alignment
    unsafe {
        _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(_mm_loadu_pd(low.as_ptr())), _mm_loadu_pd(high.as_ptr()))
    }
}

/// First and second numbers of four pairs.
#[inline(always)]
fn turn_pairs(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2], d: &[f64; 2]) -> (__m256d, __m256d) {
    let (ac, bd) = (join_pairs(a, c), join_pairs(b, d));
    // SAFETY: the processor has AVX2
    unsafe { (_mm256_unpacklo_pd(ac, bd), _mm256_unpackhi_pd(ac, bd)) }
}

#[inline(always)]
fn load(from: &[f64; 4]) -> __m256d {
    // SAFETY: the processor has AVX2, and the array has the 32 bytes that are read, whatever their alignment
    unsafe { _mm256_loadu_pd(from.as_ptr()) }
}

#[inline(always)]
pub(super) fn store(value: __m256d) -> [f64; 4] {
    let mut to = [0.0; 4];
    // SAFETY: the processor has AVX2, and the array has the 32 bytes that are written, whatever their alignment
    unsafe { _mm256_storeu_pd(to.as_mut_ptr(), value) };
    to
}

impl Real for F64x4 {
    type Mask = M64x4;

    #[inline(always)]
    fn constant(value: f64) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the processor has AVX2 and FMA
        Self(unsafe { _mm256_fmadd_pd(a.0, b.0, self.0) })
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        // SAFETY: the processor has AVX2 and FMA
        Self(unsafe { _mm256_fnmadd_pd(a.0, b.0, self.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn parted(self) -> (Self, Self) {
        let magnitude = self.abs();
        let is_finite = magnitude.at_most(Self::splat(f64::MAX));
        if (Self::splat(f64::MIN_POSITIVE).at_most(magnitude) & is_finite).all() {
            self.parted_normal()
        } else {
            powers_of_two::parted(self)
        }
    }
    #[inline(always)]
    fn times_power_of_two(self, n: Self) -> Self {
        if n.abs().less(Self::splat(1023.0)).all() {
            self * n.power_of_two()
        } else {
            powers_of_two::times_power_of_two(self, n)
        }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_min_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> M64x4 {
        // SAFETY: the processor has AVX2
        M64x4(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> M64x4 {
        // SAFETY: the processor has AVX2
        M64x4(unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn select(mask: M64x4, yes: Self, no: Self) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
    }
}

impl Lanes for F64x4 {
    const LANES: usize = 4;
    #[inline(always)]
    fn from_lanes(value: impl Fn(usize) -> f64) -> Self {
        // SAFETY: the processor has AVX2
        Self(unsafe { _mm256_setr_pd(value(0), value(1), value(2), value(3)) })
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        store(self.0)[lane]
    }
    #[inline(always)]
    fn to_lanes(self) -> [f64; MOST_LANES] {
        let [a, b, c, d] = store(self.0);
        [a, b, c, d, 0.0, 0.0, 0.0, 0.0]
    }

    #[inline(always)]
    fn columns<'a, const N: usize>(row: impl Fn(usize) -> &'a [f64; N]) -> [Self; N] {
        // loops, not iterators: what is not inlined here would be compiled without AVX2
        let rows = [row(0), row(1), row(2), row(3)];
        let mut columns = [Self::zero(); N];
        let mut at = 0;
        while at + 4 <= N {
            if let [Some(a), Some(b), Some(c), Some(d)] = [
                rows[0][at..].first_chunk(),
                rows[1][at..].first_chunk(),
                rows[2][at..].first_chunk(),
                rows[3][at..].first_chunk(),
            ] {
                let turned = transpose([load(a), load(b), load(c), load(d)]);
                columns[at] = Self(turned[0]);
                columns[at + 1] = Self(turned[1]);
                columns[at + 2] = Self(turned[2]);
                columns[at + 3] = Self(turned[3]);
            }
            at += 4;
        }
        while at + 2 <= N {
            if let [Some(a), Some(b), Some(c), Some(d)] = [
                rows[0][at..].first_chunk(),
                rows[1][at..].first_chunk(),
                rows[2][at..].first_chunk(),
                rows[3][at..].first_chunk(),
            ] {
                let (even, odd) = turn_pairs(a, b, c, d);
                columns[at] = Self(even);
                columns[at + 1] = Self(odd);
            }
            at += 2;
        }
        if at < N {
            columns[at] = Self::from_lanes(|lane| rows[lane][at]);
        }
        columns
    }

    #[inline(always)]
    fn rows<const N: usize>(columns: &[Self; N], mut row: impl FnMut(usize, [f64; N])) {
        let mut rows = [[0.0; N]; 4];
        let mut at = 0;
        while at + 4 <= N {
            let turned = transpose([columns[at].0, columns[at + 1].0, columns[at + 2].0, columns[at + 3].0]);
            let mut lane = 0;
            while lane < 4 {
                put(&store(turned[lane]), &mut rows[lane][at..at + 4]);
                lane += 1;
            }
            at += 4;
        }
        if at < N {
            // the rest transposed like a whole block, with columns of zeros
            let mut rest = [Self::zero().0; 4];
            let mut k = at;
            while k < N {
                rest[k - at] = columns[k].0;
                k += 1;
            }
            let turned = transpose(rest);
            let mut lane = 0;
            while lane < 4 {
                put(&store(turned[lane])[..N - at], &mut rows[lane][at..N]);
                lane += 1;
            }
        }
        row(0, rows[0]);
        row(1, rows[1]);
        row(2, rows[2]);
        row(3, rows[3]);
    }

    #[inline(always)]
    fn next_vectors(column: &[DVec3], at: usize) -> Vector<Self> {
        let numbers = column[at..][..4].as_ptr().cast::<f64>();
        // SAFETY: the processor has AVX2, and four vectors are twelve numbers
        unsafe {
            vectors_of_rows([
                _mm256_loadu_pd(numbers),
                _mm256_loadu_pd(numbers.add(4)),
                _mm256_loadu_pd(numbers.add(8)),
            ])
        }
    }

    #[inline(always)]
    fn next_single_vectors(column: &[[f32; 3]], at: usize) -> Vector<Self> {
        let numbers = column[at..][..4].as_ptr().cast::<f32>();
        // SAFETY: as above
        unsafe {
            vectors_of_rows([
                _mm256_cvtps_pd(_mm_loadu_ps(numbers)),
                _mm256_cvtps_pd(_mm_loadu_ps(numbers.add(4))),
                _mm256_cvtps_pd(_mm_loadu_ps(numbers.add(8))),
            ])
        }
    }

    #[inline(always)]
    fn store_next_vectors(vectors: Vector<Self>, column: &mut [DVec3], at: usize) {
        let numbers = column[at..][..4].as_mut_ptr().cast::<f64>();
        let (x, y, z) = (vectors.x.0, vectors.y.0, vectors.z.0);
        // SAFETY: the processor has AVX2, and four vectors are twelve numbers
        unsafe {
            let xy = _mm256_unpacklo_pd(x, y);
            let zx = _mm256_shuffle_pd::<0b1010>(z, x);
            let yz = _mm256_unpackhi_pd(y, z);
            _mm256_storeu_pd(numbers, _mm256_permute2f128_pd::<0x20>(xy, zx));
            _mm256_storeu_pd(numbers.add(4), _mm256_permute2f128_pd::<0x30>(yz, xy));
            _mm256_storeu_pd(numbers.add(8), _mm256_permute2f128_pd::<0x31>(zx, yz));
        }
    }

    #[inline(always)]
    fn store_next_fours(columns: &[Self; 4], rows: &mut [[f64; 4]], at: usize) {
        let rows = &mut rows[at..][..4];
        let turned = transpose([columns[0].0, columns[1].0, columns[2].0, columns[3].0]);
        let mut lane = 0;
        while lane < 4 {
            // SAFETY: the processor has AVX2, and a row has the 32 bytes that are written
            unsafe { _mm256_storeu_pd(rows[lane].as_mut_ptr(), turned[lane]) };
            lane += 1;
        }
    }

    #[inline(always)]
    fn store_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], place: &Places) {
        if !all_below(place, rows.len()) {
            outside(place[..4].iter().fold(0, |last, &place| last.max(place as usize)), 1, rows.len());
        }
        let mut half = 0;
        while half < 8 {
            let block = [columns[half].0, columns[half + 1].0, columns[half + 2].0, columns[half + 3].0];
            let turned = transpose(block);
            let mut lane = 0;
            while lane < 4 {
                // SAFETY: the processor has AVX2, and there are rows in all places
                unsafe {
                    _mm256_storeu_pd(rows.as_mut_ptr().add(place[lane] as usize).cast::<f64>().add(half), turned[lane])
                };
                lane += 1;
            }
            half += 4;
        }
    }

    #[inline(always)]
    fn store_next_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], at: usize) {
        Self::store_eights(columns, &mut rows[at..][..4], &[0, 1, 2, 3, 0, 0, 0, 0]);
    }

    #[inline(always)]
    fn sum_rows(rows: LineColumn, terms: &[Term], runs: &[Run], ahead: &[Term], sums: &mut [[f64; 8]]) {
        let mut rest = terms;
        let mut later = ahead.get(..terms.len()).unwrap_or(&[]);
        for run in runs {
            let Some((these, after)) = rest.split_at_checked(run.terms()) else { refuse() };
            let Some(to) = sums.get_mut(run.sum()) else { refuse() };
            rest = after;
            // SAFETY: the processor has AVX2
            let (mut low, mut high) = unsafe { (_mm256_setzero_pd(), _mm256_setzero_pd()) };
            let mut add = |term: &Term| {
                let Some(row) = rows.get(term.place()) else { refuse() };
                let factors = (SIGN[term.side()], row[4 * term.side() + 3]);
                // SAFETY: the processor has AVX2, and both halves of the row have the 32 bytes that are read
                unsafe {
                    low = _mm256_fmadd_pd(_mm256_loadu_pd(row.as_ptr()), _mm256_set1_pd(factors.0), low);
                    high = _mm256_fmadd_pd(_mm256_loadu_pd(row[4..].as_ptr()), _mm256_set1_pd(factors.1), high);
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
            // SAFETY: the processor has AVX2, and both halves have the 32 bytes that are written
            unsafe {
                _mm256_storeu_pd(to.as_mut_ptr(), low);
                _mm256_storeu_pd(to[4..].as_mut_ptr(), high);
            }
        }
    }
}

/// Four vectors of twelve numbers as they lie in memory.
#[inline(always)]
fn vectors_of_rows([a, b, c]: [__m256d; 3]) -> Vector<F64x4> {
    // SAFETY: only where there are lanes of AVX2
    unsafe {
        // x0 y0 x2 y2, z0 x1 z2 x3, y1 z1 y3 z3
        let xy = _mm256_permute2f128_pd::<0x30>(a, b);
        let zx = _mm256_permute2f128_pd::<0x21>(a, c);
        let yz = _mm256_permute2f128_pd::<0x30>(b, c);
        Vector::new(
            F64x4(_mm256_shuffle_pd::<0b1010>(xy, zx)),
            F64x4(_mm256_shuffle_pd::<0b0101>(xy, yz)),
            F64x4(_mm256_shuffle_pd::<0b1010>(zx, yz)),
        )
    }
}

/// Whether the places of all lanes are below a limit.
#[inline(always)]
fn all_below(place: &Places, limit: usize) -> bool {
    let below = |lane: usize| (place[lane] as usize) < limit;
    below(0) & below(1) & below(2) & below(3)
}
