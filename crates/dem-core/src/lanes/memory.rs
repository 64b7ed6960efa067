//! Access to single lanes, and the tables and columns that they are read from and written to.

use glam::DVec3;

use super::real::{Mask, Real};
use super::terms::{SIGN, refuse};
use super::{LineColumn, MOST_LANES, Places, Run, SourceRows, TargetRows, Term, Vector, VectorColumn};

/// Copies a few numbers: in the code of the caller, whatever the unit of code in which the compiler has put `copy_from_slice`.
#[inline(always)]
pub fn put<T: Copy>(source: &[T], target: &mut [T]) {
    let target = &mut target[..source.len()];
    let mut k = 0;
    while k < source.len() {
        target[k] = source[k];
        k += 1;
    }
}

/// As [`std::array::from_fn`] of one number or more, in the code of the caller.
#[inline(always)]
pub fn array<T: Copy, const N: usize>(of: impl Fn(usize) -> T) -> [T; N] {
    let mut all = [of(0); N];
    let mut k = 1;
    while k < N {
        all[k] = of(k);
        k += 1;
    }
    all
}

/// Truth values, one per lane.
pub trait LaneMask: Mask {
    /// Number of lanes.
    const LANES: usize;

    /// Lane k as bit k.
    fn bits(self) -> u32;

    /// Whether a lane is true.
    #[inline(always)]
    fn lane(self, lane: usize) -> bool {
        self.bits() >> lane & 1 == 1
    }
}

/// Several `f64`, one in each lane, or one alone.
pub trait Lanes: Real<Mask: LaneMask> + 'static {
    /// Number of lanes.
    const LANES: usize;
    /// One number per lane.
    fn from_lanes(value: impl Fn(usize) -> f64) -> Self;
    /// Number in a lane.
    fn lane(self, lane: usize) -> f64;
    /// Numbers of all lanes, then zeros.
    fn to_lanes(self) -> [f64; MOST_LANES];

    /// The same number in every lane.
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self::constant(value)
    }

    /// Columns of a table whose rows are given, one row per lane.
    #[inline(always)]
    fn columns<'a, const N: usize>(row: impl Fn(usize) -> &'a [f64; N]) -> [Self; N] {
        array(|k| Self::from_lanes(|lane| row(lane)[k]))
    }

    /// Rows of a table whose columns are given: calls `row` for every lane.
    #[inline(always)]
    fn rows<const N: usize>(columns: &[Self; N], mut row: impl FnMut(usize, [f64; N])) {
        for lane in 0..Self::LANES {
            row(lane, array(|k| columns[k].lane(lane)));
        }
    }

    /// Numbers of a column, one per lane.
    ///
    /// # Panics
    /// If there is none in a place.
    #[inline(always)]
    fn pick(column: &[f64], place: &Places) -> Self {
        Self::from_lanes(|lane| column[place[lane] as usize])
    }

    /// Numbers of a column that follow each other, one per lane, from a place on.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn next(column: &[f64], at: usize) -> Self {
        let column = &column[at..][..Self::LANES];
        Self::from_lanes(|lane| column[lane])
    }

    /// Vectors of a column that follow each other, one per lane, from a place on.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn next_vectors(column: &[DVec3], at: usize) -> Vector<Self> {
        let column = &column[at..][..Self::LANES];
        let [x, y, z] = Self::columns(|lane| column[lane].as_ref());
        Vector::new(x, y, z)
    }

    /// Vectors in single precision that follow each other in a column, one per lane, from a place on.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    fn next_single_vectors(column: &[[f32; 3]], at: usize) -> Vector<Self> {
        let column = &column[at..][..Self::LANES];
        Vector::from_lanes(|lane| column[lane].map(f64::from).into())
    }

    /// Stores vectors one after the other in a column, from a place on.
    ///
    /// # Panics
    /// If there is no room.
    #[inline(always)]
    fn store_next_vectors(vectors: Vector<Self>, column: &mut [DVec3], at: usize) {
        let column = &mut column[at..][..Self::LANES];
        Self::rows(&[vectors.x, vectors.y, vectors.z], |lane, row| column[lane] = DVec3::from_array(row));
    }

    /// Vectors of a column, one per lane.
    ///
    /// # Panics
    /// If there is none in a place.
    #[inline(always)]
    fn pick_vectors(column: VectorColumn, place: &Places) -> Vector<Self> {
        let [x, y, z] = Self::columns(|lane| column.at(place[lane] as usize).as_ref());
        Vector::new(x, y, z)
    }

    /// What the vectors in second places have more than those in first places, for D columns, and the vectors in both places for B columns.
    ///
    /// # Panics
    /// If a column has none in a place.
    #[inline(always)]
    fn pick_pairs<const D: usize, const B: usize>(
        apart: [VectorColumn; D],
        both: [VectorColumn; B],
        first: &Places,
        second: &Places,
    ) -> ([Vector<Self>; D], [[Vector<Self>; 2]; B]) {
        pick_by_column(apart, both, first, second)
    }

    /// N columns of rows, from a column on; zeros for lanes that have no row.
    ///
    /// # Panics
    /// If there are not so many columns, or the rows are for fewer lanes.
    #[inline(always)]
    fn expand<const N: usize>(rows: &SourceRows, column: usize) -> [Self; N] {
        let (set, table) = rows.checked::<N>(Self::LANES, column);
        let mut columns = [Self::zero(); N];
        for k in 0..N {
            let numbers = &table[rows.place(column + k)..];
            columns[k] = Self::from_lanes(|lane| {
                let before = set & ((1 << lane) - 1);
                if set >> lane & 1 == 1 { numbers[before.count_ones() as usize] } else { 0.0 }
            });
        }
        columns
    }

    /// Writes N columns of rows, from a column on, and anything to the rows behind, as many in all as there are lanes.
    ///
    /// # Panics
    /// As [`Self::expand`].
    #[inline(always)]
    fn compress<const N: usize>(columns: &[Self; N], rows: &mut TargetRows, column: usize) {
        for k in 0..N {
            let mut place = rows.place(column + k);
            let (set, table) = rows.checked::<N>(Self::LANES, column);
            for lane in 0..Self::LANES {
                if set >> lane & 1 == 1 {
                    table[place] = columns[k].lane(lane);
                    place += 1;
                }
            }
        }
    }

    /// Writes four columns to rows of four numbers that follow each other.
    ///
    /// # Panics
    /// If there are not as many rows as lanes from the place on.
    #[inline(always)]
    fn store_next_fours(columns: &[Self; 4], rows: &mut [[f64; 4]], at: usize) {
        let rows = &mut rows[at..][..Self::LANES];
        Self::rows(columns, |lane, row| rows[lane] = row);
    }

    /// Stores vectors in different places of a column.
    ///
    /// # Panics
    /// If there is none in a place.
    #[inline(always)]
    fn store_vectors(vectors: Vector<Self>, column: &mut [DVec3], place: &Places) {
        let columns = [vectors.x, vectors.y, vectors.z];
        Self::rows(&columns, |lane, row| column[place[lane] as usize] = DVec3::from_array(row));
    }

    /// Writes four columns to rows of four numbers in different places.
    ///
    /// # Panics
    /// If there is no row in a place.
    #[inline(always)]
    fn store_fours(columns: &[Self; 4], rows: &mut [[f64; 4]], place: &Places) {
        Self::rows(columns, |lane, row| rows[place[lane] as usize] = row);
    }

    /// Writes eight columns to rows of eight numbers in different places.
    ///
    /// # Panics
    /// If there is no row in a place.
    #[inline(always)]
    fn store_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], place: &Places) {
        Self::rows(columns, |lane, row| rows[place[lane] as usize] = row);
    }

    /// Writes eight columns to rows of eight numbers that follow each other.
    ///
    /// # Panics
    /// If there are not as many rows as lanes from the place on.
    #[inline(always)]
    fn store_next_eights(columns: &[Self; 8], rows: &mut [[f64; 8]], at: usize) {
        let rows = &mut rows[at..][..Self::LANES];
        Self::rows(columns, |lane, row| rows[lane] = row);
    }

    /// Sums rows over the terms of runs, each of which takes the terms behind those of the run before; products are rounded with the sum,
    /// once. With every term the row of one
    /// `ahead` is prefetched, if there are as many; no result depends on it.
    ///
    /// # Panics
    /// If the place of a term is beyond the rows, or if a run has more terms than are left or the number of a sum that is not there.
    #[inline(always)]
    fn sum_rows(rows: LineColumn, terms: &[Term], runs: &[Run], ahead: &[Term], sums: &mut [[f64; 8]]) {
        let mut terms = terms.iter().zip(ahead.iter().map(Some).chain(std::iter::repeat(None)));
        for run in runs {
            let Some(to) = sums.get_mut(run.sum()) else { refuse() };
            let mut sum = [0.0; 8];
            for _ in 0..run.terms() {
                let Some((term, later)) = terms.next() else { refuse() };
                if let Some(later) = later {
                    rows.prefetch(later.numbers_before_half());
                }
                let Some(row) = rows.get(term.place()) else { refuse() };
                let factors = [SIGN[term.side()], row[4 * term.side() + 3]];
                for k in 0..4 {
                    // a change of sign rounds nothing
                    sum[k] += row[k] * factors[0];
                    sum[4 + k] = row[4 + k].mul_add(factors[1], sum[4 + k]);
                }
            }
            *to = sum;
        }
    }

    /// For each lane one byte, that of lane k in place k: the number of the last set that has the lane, or zero.
    #[inline(always)]
    fn bytes<const N: usize>(sets: [(u32, u8); N]) -> u64 {
        const { assert!(Self::LANES <= 4, "the product brings no two bits to one place") };
        let mut bytes = 0;
        for (set, number) in sets {
            // bit k to the lowest of byte k
            let ones = (set & ((1 << Self::LANES) - 1)).wrapping_mul(0x0020_4081) & 0x0101_0101;
            bytes = (bytes & !(ones * 0xff)) | (ones * u32::from(number));
        }
        bytes.into()
    }

    /// The numbers of the lanes in a set, in order, then anything.
    #[inline(always)]
    fn squeezed(set: u32, number: &[u16; MOST_LANES]) -> [u16; MOST_LANES] {
        let mut kept = *number;
        let mut next = 0;
        for lane in 0..Self::LANES {
            // never behind what is still to be read
            kept[next] = number[lane];
            next += (set >> lane & 1) as usize;
        }
        kept
    }

    /// Which of the lanes' numbers are among others, none of which is there twice; both ascend.
    #[inline(always)]
    fn found(number: &[u16; MOST_LANES], among: &[u16; MOST_LANES]) -> u32 {
        let (mut set, mut at) = (0, 0);
        for (lane, number) in number.iter().enumerate().take(Self::LANES) {
            let is_here = among[at % MOST_LANES] == *number;
            set |= u32::from(is_here) << lane;
            at += usize::from(is_here);
        }
        set
    }

    /// What a table holds for the lanes' numbers, taken modulo its length.
    #[inline(always)]
    fn places<const N: usize>(table: &[u32; N], number: &[u16; MOST_LANES]) -> Places {
        let mut places = [0; MOST_LANES];
        for lane in 0..Self::LANES {
            places[lane] = table[number[lane] as usize % N];
        }
        places
    }
}

/// [`Lanes::pick_pairs`] column by column.
#[inline(always)]
pub(super) fn pick_by_column<R: Lanes, const D: usize, const B: usize>(
    apart: [VectorColumn; D],
    both: [VectorColumn; B],
    first: &Places,
    second: &Places,
) -> ([Vector<R>; D], [[Vector<R>; 2]; B]) {
    // loops, not closures: all of this must be inlined
    let mut differences = [Vector::zero(); D];
    for k in 0..D {
        differences[k] = R::pick_vectors(apart[k], second) - R::pick_vectors(apart[k], first);
    }
    let mut vectors = [[Vector::zero(); 2]; B];
    for k in 0..B {
        vectors[k] = [R::pick_vectors(both[k], first), R::pick_vectors(both[k], second)];
    }
    (differences, vectors)
}

impl LaneMask for bool {
    const LANES: usize = 1;

    #[inline(always)]
    fn bits(self) -> u32 {
        self.into()
    }
}

impl Lanes for f64 {
    const LANES: usize = 1;
    #[inline(always)]
    fn from_lanes(value: impl Fn(usize) -> f64) -> Self {
        value(0)
    }
    #[inline(always)]
    fn lane(self, _lane: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn to_lanes(self) -> [f64; MOST_LANES] {
        let mut lanes = [0.0; MOST_LANES];
        lanes[0] = self;
        lanes
    }
}
