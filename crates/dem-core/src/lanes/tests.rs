use glam::DVec3;

use super::*;

/// Every operation on a grid of awkward numbers, as bits.
struct Everything;

const NUMBERS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e-310,
    -3e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    2.0 / 3.0,
    1e17,
    -1e-17,
    7.0,
    0.5,
    3e-8,
];

impl LaneTask for Everything {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Vec<u64> {
        let mut found = Vec::new();
        for at in (0..NUMBERS.len()).step_by(R::LANES) {
            for shift in 0..NUMBERS.len() {
                let a = R::from_lanes(|lane| NUMBERS[at + lane]);
                let b = R::from_lanes(|lane| NUMBERS[(at + lane + shift) % NUMBERS.len()]);
                let v = Vector::new(a, b, R::splat(0.3));
                let w = Vector::new(b, a * b, a - b);
                let values = [
                    a + b,
                    a - b,
                    a * b,
                    a / b,
                    -a,
                    a.sqrt(),
                    a.abs(),
                    a.maximum(b),
                    a.minimum(b),
                    R::select(a.less(b), a, b),
                    R::select(a.at_most(b) & !b.greater(a) | b.less(R::zero()), a, b),
                    v.dot(w),
                    v.cross(w).x,
                    v.cross(w).z,
                    a.plus_product(b, R::splat(0.3)),
                    a.minus_product(b, b),
                    v.plus_scaled(w, a).z,
                    v.minus_scaled(w, b).y,
                    v.plus_cross(w, v).x,
                ];
                R::rows(&values, |lane, row| {
                    let nan = f64::NAN.to_bits();
                    let bits = row.map(|x| if x.is_nan() { nan } else { x.to_bits() });
                    found.resize(found.len().max((at + lane + 1) * NUMBERS.len() * bits.len()), 0);
                    found[((at + lane) * NUMBERS.len() + shift) * bits.len()..][..bits.len()].copy_from_slice(&bits);
                });
                let table: Vec<[f64; 19]> = (0..R::LANES).map(|lane| values.map(|x| x.lane(lane))).collect();
                let back = R::columns(|lane| &table[lane]);
                for (value, back) in values.iter().zip(back) {
                    for lane in 0..R::LANES {
                        assert!(value.lane(lane).to_bits() == back.lane(lane).to_bits());
                    }
                }
            }
        }
        found
    }
}

#[test]
fn every_width_gives_the_bits_of_the_scalar() {
    let reference = Width::SCALAR.run(Everything);
    for width in Width::available() {
        assert!(width.run(Everything) == reference, "{}", width.name());
    }
}

/// What is left of the square of a number after its rounded value is taken away.
struct Remainder(f64);

impl LaneTask for Remainder {
    type Output = [f64; 2];

    #[inline(always)]
    fn run<R: Lanes>(self) -> [f64; 2] {
        let x = R::splat(self.0);
        let square = x * x;
        [(-square).plus_product(x, x).lane(R::LANES - 1), square.minus_product(x, x).lane(R::LANES - 1)]
    }
}

#[test]
fn a_sum_with_a_product_is_rounded_once() {
    let (x, remainder) = (1.0 + 2f64.powi(-30), 2f64.powi(-60));
    for width in Width::available() {
        assert_eq!(width.run(Remainder(x)), [remainder, -remainder], "{}", width.name());
        assert_eq!(width.run_alone(Remainder(x)), [remainder, -remainder], "{}, alone", width.name());
    }
}

/// Everything that goes by places, on tables of numbers that tell where they came from.
struct ByPlace;

const ROWS: usize = 23;

fn place_of(lane: usize, shift: usize) -> usize {
    // all rows, the last one among them, none twice in a group
    (7 * lane + shift) % ROWS
}

fn places_of(shift: usize) -> Places {
    std::array::from_fn(|lane| place_of(lane, shift) as u32)
}

/// N columns from a column on, of rows of the lanes in a set, read and written elsewhere.
#[inline(always)]
fn rows_there_and_back<R: Lanes, const N: usize>(column: usize, first: usize, set: u32) {
    let (room, columns) = (ROWS, column + N);
    let table: Vec<f64> = (1..=columns * room).map(|k| k as f64).collect();
    let rows = Rows { first, room, set };
    let found: [R; N] = R::expand(&SourceRows::new::<R>(&table, rows, columns), column);
    let mut copy = vec![-1.0; table.len()];
    R::compress(&found, &mut TargetRows::new::<R>(&mut copy, rows, columns), column);
    let mut next = first;
    for lane in 0..R::LANES {
        let has_row = set >> lane & 1 == 1;
        for k in 0..N {
            let at = (column + k) * room + next;
            assert_eq!(found[k].lane(lane), if has_row { table[at] } else { 0.0 });
            if has_row {
                assert_eq!(copy[at], table[at]);
            }
        }
        next += usize::from(has_row);
    }
    for (at, &number) in copy.iter().enumerate() {
        let (k, row) = (at / room, at % room);
        let may_be_written = k >= column && (first..first + R::LANES).contains(&row);
        assert!(may_be_written || number == -1.0, "{N} columns from {column} on: nothing else is written");
    }
}

/// Rows of four numbers, one after the other; rows of eight, so and by places.
#[inline(always)]
fn rows_of_four_and_eight<R: Lanes>(at: usize, place: &Places) {
    let number = |lane: usize, k: usize| (8 * lane + k) as f64;
    let mut columns = [R::zero(); 8];
    for k in 0..8 {
        columns[k] = R::from_lanes(|lane| number(lane, k));
    }
    let (mut next, mut scattered) = ([[-1.0; 8]; 2 * ROWS], [[-1.0; 8]; ROWS]);
    let (mut expected_next, mut expected) = (next, scattered);
    R::store_next_eights(&columns, &mut next, at);
    R::store_eights(&columns, &mut scattered, place);
    for lane in 0..R::LANES {
        let row = std::array::from_fn(|k| number(lane, k));
        (expected_next[at + lane], expected[place[lane] as usize]) = (row, row);
    }
    assert_eq!((next, scattered), (expected_next, expected));
    let (mut fours, mut expected_fours) = ([[-1.0; 4]; 2 * ROWS], [[-1.0; 4]; 2 * ROWS]);
    R::store_next_fours(&[columns[0], columns[1], columns[2], columns[3]], &mut fours, at);
    for lane in 0..R::LANES {
        expected_fours[at + lane] = std::array::from_fn(|k| number(lane, k));
    }
    assert_eq!(fours, expected_fours);
}

impl LaneTask for ByPlace {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let vectors: Vec<DVec3> = (0..ROWS).map(|k| DVec3::new(k as f64, 100.0 + k as f64, 200.0 + k as f64)).collect();
        let numbers: Vec<f64> = (0..ROWS).map(|k| 300.0 + k as f64).collect();
        for shift in 0..ROWS {
            let place = places_of(shift);
            let (found, number) = (R::pick_vectors(vectors[..].into(), &place), R::pick(&numbers, &place));
            for lane in 0..R::LANES {
                assert_eq!(found.lane(lane), vectors[place_of(lane, shift)]);
                assert_eq!(number.lane(lane), numbers[place_of(lane, shift)]);
            }
            let other = places_of(shift + 5);
            let opposite: Vec<DVec3> = vectors.iter().map(|&v| v * -0.1).collect();
            let ([apart], [both]) = R::pick_pairs([vectors[..].into()], [opposite[..].into()], &place, &other);
            for lane in 0..R::LANES {
                assert_eq!(apart.lane(lane), vectors[place_of(lane, shift + 5)] - vectors[place_of(lane, shift)]);
                assert_eq!(
                    both.map(|v| v.lane(lane)),
                    [opposite[place_of(lane, shift)], opposite[place_of(lane, shift + 5)]]
                );
            }
            rows_of_four_and_eight::<R>(shift, &place);
        }
        let table: [u32; 16] = std::array::from_fn(|k| u32::MAX - k as u32);
        for set in 0..1u32 << R::LANES {
            let number: [u16; MOST_LANES] = std::array::from_fn(|lane| 5 * lane as u16 + 3);
            let members: Vec<usize> = (0..R::LANES).filter(|lane| set >> lane & 1 == 1).collect();
            let squeezed = R::squeezed(set, &number);
            for lane in 0..R::LANES {
                assert_eq!(R::places(&table, &number)[lane], table[number[lane] as usize % 16]);
            }
            for (k, &lane) in members.iter().enumerate() {
                assert_eq!(squeezed[k], number[lane]);
            }
            // among the numbers of the set and others that are none of the lanes'
            let mut among = [u16::MAX; MOST_LANES];
            for (k, &lane) in members.iter().enumerate() {
                among[k] = number[lane];
            }
            assert_eq!(R::found(&number, &among), set);
            let (others, both) = (set >> 1, set & 0x66);
            let bytes = R::bytes([(set, 3), (others, 200), (both, 7)]).to_le_bytes();
            for (lane, &byte) in bytes.iter().enumerate().take(R::LANES) {
                let is_in = |set: u32| set >> lane & 1 == 1;
                let expected = [(both, 7), (others, 200), (set, 3)].into_iter().find(|&(set, _)| is_in(set));
                assert_eq!(byte, expected.map_or(0, |(_, number)| number));
            }
            for first in [0, 5, ROWS - R::LANES] {
                rows_there_and_back::<R, 1>(0, first, set);
                rows_there_and_back::<R, 3>(4, first, set);
                rows_there_and_back::<R, 7>(0, first, set);
                rows_there_and_back::<R, 13>(2, first, set);
            }
        }
    }
}

#[test]
fn every_width_finds_what_is_in_its_places() {
    for width in Width::available() {
        width.run(ByPlace);
    }
}

/// Sums over runs of up to four terms, of rows of which some are zero, that go to sums in another order.
struct RowSums;

impl LaneTask for RowSums {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let rows: Vec<[f64; 8]> = (0..29)
            .map(|row| std::array::from_fn(|k| ((row * 8 + k) as f64 * 0.37).sin() * (row % 7) as f64))
            .collect();
        for runs in 0..12usize {
            let (mut terms, mut all) = (Vec::new(), Vec::new());
            let mut expected = vec![[0.5; 8]; runs + 1];
            for run in 0..runs {
                let (to, count) = ((run * 5 + 3) % runs, (run + runs) % 5);
                let sum = &mut expected[to];
                *sum = [0.0; 8];
                all.push(Run::new(count, to as u8));
                assert_eq!((all[run].terms(), all[run].sum()), (count, to));
                for k in 0..count {
                    let (place, side) = ((run * 13 + k * 11 + runs) % rows.len(), (run / 2 + k) % 2);
                    let row = &rows[place];
                    let factors = [[1.0, -1.0][side], row[4 * side + 3]];
                    *sum = std::array::from_fn(|n| row[n].mul_add(factors[n / 4], sum[n]));
                    let term = Term::new(place, side as u32);
                    assert_eq!((term.place(), term.side()), (place, side));
                    terms.push(term);
                }
            }
            let mut sums = vec![[0.5; 8]; runs + 1];
            R::sum_rows(rows[..].into(), &terms, &all, &terms[..terms.len() * (runs % 2)], &mut sums);
            let bits = |sums: &[[f64; 8]]| -> Vec<u64> { sums.iter().flatten().map(|x| x.to_bits()).collect() };
            assert_eq!(bits(&sums), bits(&expected), "{runs} runs");
        }
    }
}

#[test]
fn every_width_sums_rows_in_their_order() {
    for width in Width::available() {
        width.run(RowSums);
    }
}

/// Vectors that follow each other, there and back.
struct NextVectors;

impl LaneTask for NextVectors {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let number = |place: usize| DVec3::new(place as f64, 0.5 - place as f64, 1e9 + place as f64);
        let column: Vec<DVec3> = (0..19).map(number).collect();
        let singles: Vec<[f32; 3]> = column.iter().map(|vector| (-*vector).as_vec3().to_array()).collect();
        for at in 0..=column.len() - R::LANES {
            let found = R::next_vectors(&column, at);
            let single = R::next_single_vectors(&singles, at);
            for lane in 0..R::LANES {
                assert_eq!(single.lane(lane), DVec3::from_array(singles[at + lane].map(f64::from)));
                let vector = DVec3::new(found.x.lane(lane), found.y.lane(lane), found.z.lane(lane));
                assert_eq!(vector, number(at + lane), "lane {lane} from {at}");
            }
            let mut to = vec![DVec3::NAN; column.len()];
            R::store_next_vectors(found, &mut to, at);
            for (place, vector) in to.into_iter().enumerate() {
                let written = (at..at + R::LANES).contains(&place);
                assert!(if written { vector == number(place) } else { vector.is_nan() }, "{place} from {at}");
            }
        }
    }
}

#[test]
fn every_width_reads_and_writes_vectors_that_follow_each_other() {
    for width in Width::available() {
        width.run(NextVectors);
    }
}

/// More terms than are looked at together, one of them another.
fn terms_with(at: usize, other: Term) -> Vec<Term> {
    let mut terms: Vec<Term> = (0..20).map(|k| Term::new(k, 0)).collect();
    terms[at + 12 * usize::from(at > 0)] = other;
    terms
}

/// Takes the sums of runs of twenty rows by these terms.
fn sum_twenty<R: Lanes>(terms: &[Term], runs: &[Run]) {
    R::sum_rows([[0.0; 8]; 20][..].into(), terms, runs, &[], &mut [[0.0; 8]; 2]);
}

/// One access whose last lane is outside.
struct Outside(usize);

impl LaneTask for Outside {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let mut table = [0.0; 16];
        let vectors = [DVec3::ZERO; 4];
        // every lane in turn, one beyond the last and far beyond
        for lane in 0..R::LANES {
            for far in [0, 1, i32::MAX as u32, u32::MAX / 2 + 9] {
                let far = far as usize;
                let beyond = |last: u32| {
                    let mut place = [0; MOST_LANES];
                    place[lane] = (last as usize + 1 + far) as u32;
                    place
                };
                let beyond_rows = Term::new((20 + far).min(Term::PLACES - 1), lane as u32);
                let whole = Run::new(20, 0);
                let all = |first: usize, room: usize| Rows { first, room, set: (1 << R::LANES) - 1 };
                let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match self.0 {
                    0 => drop(R::pick(&table, &beyond(15))),
                    1 => drop(R::pick_vectors(vectors[..].into(), &beyond(3))),
                    2 => drop(SourceRows::new::<R>(&table, all(9 - R::LANES + far, 8), 2)),
                    3 => drop(SourceRows::new::<R>(&table, all(0, 9 + far), 2)),
                    4 => drop(TargetRows::new::<R>(&mut table, all(9 - R::LANES + far, 8), 2)),
                    5 => drop(TargetRows::new::<R>(&mut table, all(0, R::LANES - 1), 2)),
                    6 => drop(R::pick_pairs([vectors[..].into()], [], &beyond(3), &[0; MOST_LANES])),
                    7 => drop(R::pick_pairs([vectors[..].into()], [], &[0; MOST_LANES], &beyond(3))),
                    8 => drop(R::pick_pairs([], [vectors[..].into()], &beyond(3), &[0; MOST_LANES])),
                    9 => drop(R::pick_pairs([vectors[..].into()], [vectors[..3].into()], &[0; MOST_LANES], &beyond(2))),
                    10 => R::store_next_eights(&[R::zero(); 8], &mut [[0.0; 8]; 9], 10 - R::LANES + far),
                    21 => R::store_next_fours(&[R::zero(); 4], &mut [[0.0; 4]; 9], 10 - R::LANES + far),
                    11 => R::store_eights(&[R::zero(); 8], &mut [[0.0; 8]; 4], &beyond(3)),
                    12 => drop(R::expand::<3>(&SourceRows::new::<R>(&table, all(0, 8), 2), 0)),
                    13 => R::compress(&[R::zero(); 2], &mut TargetRows::new::<R>(&mut table, all(0, 8), 2), 1),
                    14 => sum_twenty::<R>(&terms_with(lane, beyond_rows), &[whole]),
                    15 => sum_twenty::<R>(&terms_with(0, Term::new(0, 1)), &[Run::new(19, 1), Run::new(2 + lane, 0)]),
                    16 => sum_twenty::<R>(&terms_with(0, Term::new(0, 1)), &[Run::new(19, 1), Run::new(1, 2)]),
                    17 => R::sum_rows([][..].into(), &terms_with(lane, beyond_rows), &[whole], &[], &mut [[0.0; 8]; 9]),
                    18 => drop(R::next_vectors(&vectors, 5 - R::LANES.min(4) + far)),
                    19 => R::store_next_vectors(Vector::zero(), &mut [DVec3::ZERO; 9], 10 - R::LANES + far),
                    20 => drop(R::next_single_vectors(&[[0.0; 3]; 4], 5 - R::LANES.min(4) + far)),
                    _ => drop(R::expand::<1>(&SourceRows::new::<R>(&table, all(0, 8), 2), usize::MAX)),
                }));
                assert!(refused.is_err(), "access {} of lane {lane}", self.0);
            }
        }
    }
}

#[test]
fn no_width_reads_or_writes_outside() {
    for width in Width::available() {
        for access in 0..23 {
            width.run(Outside(access));
        }
    }
}
