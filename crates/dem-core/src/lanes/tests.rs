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
    fn run<R: Real>(self) -> Vec<u64> {
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
                ];
                R::rows(&values, |lane, row| {
                    let nan = f64::NAN.to_bits();
                    let bits = row.map(|x| if x.is_nan() { nan } else { x.to_bits() });
                    found.resize(found.len().max((at + lane + 1) * NUMBERS.len() * bits.len()), 0);
                    found[((at + lane) * NUMBERS.len() + shift) * bits.len()..][..bits.len()].copy_from_slice(&bits);
                });
                let table: Vec<[f64; 14]> = (0..R::LANES).map(|lane| values.map(|x| x.lane(lane))).collect();
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

/// Everything that goes by places, on tables of numbers that tell where they came from.
struct ByPlace;

const ROWS: usize = 23;

fn place_of(lane: usize, shift: usize) -> usize {
    // all rows, the last one among them, none twice in a group
    (7 * lane + shift) % ROWS
}

/// The columns of rows of width N at an offset, read and written elsewhere.
#[inline(always)]
fn rows_there_and_back<R: Real, const N: usize>(first: usize, shift: usize) {
    let width = first + N;
    let table: Vec<f64> = (0..ROWS * width).map(|k| k as f64).collect();
    let start: Places = std::array::from_fn(|lane| place_of(lane, shift) * width);
    let columns: [R; N] = R::load_rows(&table, &start, first);
    let mut copy = vec![-1.0; table.len()];
    R::store_rows(&columns, &mut copy, &start, first);
    let mut expected = vec![-1.0; table.len()];
    for lane in 0..R::LANES {
        let row = start[lane] + first..start[lane] + width;
        for (k, at) in row.clone().enumerate() {
            assert_eq!(columns[k].lane(lane), table[at]);
        }
        expected[row.clone()].copy_from_slice(&table[row]);
    }
    assert_eq!(copy, expected, "{N} numbers at {first}: nothing else is written");
}

/// Rows of width N one after the other from a place on.
#[inline(always)]
fn next_rows<R: Real, const N: usize>(start: usize) {
    let mut columns = [R::zero(); N];
    for k in 0..N {
        columns[k] = R::from_lanes(|lane| (N * lane + k) as f64);
    }
    let mut table = vec![-1.0; ROWS + N * R::LANES + 1];
    R::store_next_rows(&columns, &mut table, start);
    let expected = |at: usize| if (start..start + N * R::LANES).contains(&at) { (at - start) as f64 } else { -1.0 };
    assert!(table.iter().enumerate().all(|(at, &x)| x == expected(at)), "{N} numbers from {start} on");
}

impl LaneTask for ByPlace {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        let vectors: Vec<DVec3> = (0..ROWS).map(|k| DVec3::new(k as f64, 100.0 + k as f64, 200.0 + k as f64)).collect();
        let numbers: Vec<f64> = (0..ROWS).map(|k| 300.0 + k as f64).collect();
        for shift in 0..ROWS {
            let place: Places = std::array::from_fn(|lane| place_of(lane, shift));
            let (found, number) = (R::pick_vectors(&vectors, &place), R::pick(&numbers, &place));
            for lane in 0..R::LANES {
                assert_eq!(found.lane(lane), vectors[place[lane]]);
                assert_eq!(number.lane(lane), numbers[place[lane]]);
            }
            let other: Places = std::array::from_fn(|lane| place_of(lane, shift + 5));
            let opposite: Vec<DVec3> = vectors.iter().map(|&v| v * -0.1).collect();
            let ([apart], [both]) = R::pick_pairs([&vectors], [&opposite], &place, &other);
            for lane in 0..R::LANES {
                assert_eq!(apart.lane(lane), vectors[other[lane]] - vectors[place[lane]]);
                assert_eq!(both.map(|v| v.lane(lane)), [opposite[place[lane]], opposite[other[lane]]]);
            }
            let (mut sum, row) = ([0.1; 8], std::array::from_fn(|k| (k + shift) as f64 / 3.0));
            R::add_halves(&mut sum, &row, [-1.0, 0.7]);
            assert_eq!(sum, std::array::from_fn(|k| 0.1 + row[k] * [-1.0, 0.7][k / 4]));
            next_rows::<R, 3>(shift);
            next_rows::<R, 4>(shift);
            next_rows::<R, 7>(shift);
            next_rows::<R, 8>(shift);
            rows_there_and_back::<R, 1>(0, shift);
            rows_there_and_back::<R, 3>(0, shift);
            rows_there_and_back::<R, 3>(4, shift);
            rows_there_and_back::<R, 2>(1, shift);
            rows_there_and_back::<R, 4>(0, shift);
            rows_there_and_back::<R, 7>(2, shift);
            rows_there_and_back::<R, 8>(0, shift);
            rows_there_and_back::<R, 13>(4, shift);
        }
        let table: [u32; 16] = std::array::from_fn(|k| u32::MAX - k as u32);
        let rest: Places = std::array::from_fn(|lane| 900 + lane);
        for set in 0..1u32 << R::LANES {
            let number: [u16; MOST_LANES] = std::array::from_fn(|lane| 5 * lane as u16 + 3);
            let members: Vec<usize> = (0..R::LANES).filter(|lane| set >> lane & 1 == 1).collect();
            let (numbered, squeezed) = (R::numbered(set, 40, &rest), R::squeezed(set, &number));
            for lane in 0..R::LANES {
                let expected = members.iter().position(|&k| k == lane).map_or(rest[lane], |k| 40 + k);
                assert_eq!(numbered[lane], expected);
                assert_eq!(R::places(&table, &number)[lane], table[number[lane] as usize % 16] as usize);
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
        }
    }
}

#[test]
fn every_width_finds_what_is_in_its_places() {
    for width in Width::available() {
        width.run(ByPlace);
    }
}

/// One access whose last lane is outside.
struct Outside(usize);

impl LaneTask for Outside {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        let mut table = [0.0; 16];
        let vectors = [DVec3::ZERO; 4];
        // every lane in turn, one beyond the last and far beyond
        for lane in 0..R::LANES {
            for far in [0, 1, usize::MAX / 2] {
                let beyond = |last: usize| {
                    let mut place = [0; MOST_LANES];
                    place[lane] = last + 1 + far;
                    place
                };
                let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match self.0 {
                    0 => drop(R::pick(&table, &beyond(15))),
                    1 => drop(R::pick_vectors(&vectors, &beyond(3))),
                    2 => drop(R::load_rows::<7>(&table, &beyond(9), 0)),
                    3 => drop(R::load_rows::<3>(&table, &beyond(9), 4)),
                    4 => R::store_rows(&[R::zero(); 7], &mut table, &beyond(9), 0),
                    6 => drop(R::pick_pairs([&vectors], [], &beyond(3), &[0; MOST_LANES])),
                    7 => drop(R::pick_pairs([&vectors], [], &[0; MOST_LANES], &beyond(3))),
                    8 => drop(R::pick_pairs([], [&vectors], &beyond(3), &[0; MOST_LANES])),
                    9 => drop(R::pick_pairs([&vectors], [&vectors[..3]], &[0; MOST_LANES], &beyond(2))),
                    10 => {
                        R::store_next_rows(&[R::zero(); 7], &mut table, (17 - 7 * R::LANES.min(2)).saturating_add(far))
                    }
                    _ => R::store_rows(&[R::zero(); 3], &mut table, &beyond(9), 4),
                }));
                assert!(refused.is_err(), "access {} of lane {lane}", self.0);
            }
        }
    }
}

#[test]
fn no_width_reads_or_writes_outside() {
    for width in Width::available() {
        for access in 0..11 {
            width.run(Outside(access));
        }
    }
}
