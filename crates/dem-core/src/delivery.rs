//! Numbers sorted into rows, many at a time: a parallel counting sort.
//!
//! Sources post numbers to rows: particles to bins, contacts to particles. Rows are cut into blocks. Sources first count what they post to
//! every block, then all know where to put it, and blocks sort what they got by rows. What is in a row comes in the order of the sources and in the
//! order in which each posts: the number of threads does not matter.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use rayon::prelude::*;

/// Rows in a block, as a power of two, unless there would be too many blocks.
const ROWS: u32 = 11;
/// Blocks at most, unless they would have more rows than are counted: every source counts for each of them.
const MOST_BLOCKS: usize = 256;
/// Most rows in a block, likewise: an entry holds its row in 16 bits.
const MOST_ROWS: u32 = 16;

/// Those who post.
pub trait Senders: Sync {
    /// How many there are: some tens for each processor, but not so many that each has few numbers.
    fn count(&self) -> usize;

    /// Posts what one of them has: a row and a number. Is called twice and posts the same both times.
    fn send(&self, sender: usize, post: impl FnMut(u32, u32));
}

/// Cuts `length` things into parts of at least `least` of them, not too many for [`Senders`].
pub fn parts(length: usize, least: usize) -> impl Iterator<Item = Range<usize>> {
    let size = least.max(length.div_ceil(MOST_BLOCKS));
    (0..length.div_ceil(size)).map(move |part| part * size..((part + 1) * size).min(length))
}

/// Numbers by rows.
#[derive(Clone, Debug, Default)]
pub struct Delivered {
    /// Start of each row; one entry more than rows.
    pub row: Vec<u32>,
    /// What is in the rows.
    pub number: Vec<u32>,
}

/// Sorts all that is posted into `rows` rows. `arrange` gets every row, by its number, to change the order in it.
pub fn deliver(rows: usize, senders: &impl Senders, arrange: impl Fn(usize, &mut [u32]) + Sync) -> Delivered {
    let shift = rows.div_ceil(MOST_BLOCKS).max(1).next_power_of_two().ilog2().clamp(ROWS, MOST_ROWS);
    let blocks = rows.div_ceil(1 << shift);
    let mut next: Vec<Vec<u32>> = (0..senders.count())
        .into_par_iter()
        .map(|sender| {
            let mut count = vec![0; blocks];
            senders.send(sender, |row, _| count[(row >> shift) as usize] += 1);
            count
        })
        .collect();
    let mut start = Vec::with_capacity(blocks + 1);
    let mut end = 0;
    for block in 0..blocks {
        start.push(end as usize);
        for count in &mut next {
            end += std::mem::replace(&mut count[block], end);
        }
    }
    start.push(end as usize);
    // numbers are put where those of their block are to be, in any order: all of them twice would be the most memory that a rebuild needs
    let (mut number, mut place): (Vec<AtomicU32>, Vec<AtomicU16>) = (Vec::new(), Vec::new());
    number.resize_with(end as usize, AtomicU32::default);
    place.resize_with(end as usize, AtomicU16::default);
    next.par_iter_mut().enumerate().for_each(|(sender, next)| {
        senders.send(sender, |row, sent| {
            let at = &mut next[(row >> shift) as usize];
            // no two have the same place
            number[*at as usize].store(sent, Ordering::Relaxed);
            place[*at as usize].store((row & ((1 << shift) - 1)) as u16, Ordering::Relaxed);
            *at += 1;
        });
    });

    let number = number.into_iter().map(AtomicU32::into_inner).collect();
    let mut delivered = Delivered { row: vec![0; rows + 1], number };
    let mut rest = delivered.number.as_mut_slice();
    let mut shares = Vec::with_capacity(blocks);
    for bounds in start.windows(2) {
        let (share, others) = std::mem::take(&mut rest).split_at_mut(bounds[1] - bounds[0]);
        shares.push((bounds[0], share));
        rest = others;
    }
    delivered.row[..rows].par_chunks_mut(1 << shift).zip(shares).enumerate().for_each(
        |(block, (row, (start, share)))| {
            let first = block << shift;
            let places = || place[start..start + share.len()].iter().map(|at| at.load(Ordering::Relaxed) as usize);
            for at in places() {
                row[at] += 1;
            }
            let mut end = 0;
            for count in row.iter_mut() {
                end += std::mem::replace(count, end);
            }
            for (at, number) in places().zip(share.to_vec()) {
                share[row[at] as usize] = number;
                row[at] += 1;
            }
            // the starts have become the ends, which are the starts of the next
            let mut begin = 0;
            for (at, end) in row.iter_mut().enumerate() {
                let whole = begin as usize..*end as usize;
                begin = std::mem::replace(end, start as u32 + begin);
                arrange(first + at, &mut share[whole]);
            }
        },
    );
    delivered.row[rows] = end;
    delivered
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each number goes to rows `7 n` and `n²`, modulo the rows.
    struct Scattered {
        parts: Vec<Range<usize>>,
        rows: u32,
    }

    impl Senders for Scattered {
        fn count(&self) -> usize {
            self.parts.len()
        }

        fn send(&self, sender: usize, mut post: impl FnMut(u32, u32)) {
            for number in self.parts[sender].clone() {
                let number = number as u32;
                post(number.wrapping_mul(7) % self.rows, number << 1);
                post(number.wrapping_mul(number) % self.rows, number << 1 | 1);
            }
        }
    }

    #[test]
    fn rows_hold_what_is_posted_to_them_in_order() {
        for (rows, numbers, least) in [(1, 5, 1), (5000, 20_011, 64), (300, 0, 64), (0, 0, 1), (600_000, 3000, 100)] {
            let senders = Scattered { parts: parts(numbers, least).collect(), rows };
            let mut expected = vec![Vec::new(); rows as usize];
            for sender in 0..senders.count() {
                senders.send(sender, |row, number| expected[row as usize].push(number));
            }
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| deliver(rows as usize, &senders, |_, _| {}));
                let in_rows: Vec<Vec<u32>> = found
                    .row
                    .windows(2)
                    .map(|bounds| found.number[bounds[0] as usize..bounds[1] as usize].to_vec())
                    .collect();
                assert_eq!(in_rows, expected, "{rows} rows, {numbers} numbers");
            }
            let reversed = deliver(rows as usize, &senders, |row, numbers| {
                assert_eq!(numbers, expected[row]);
                numbers.reverse();
            });
            let last = expected.iter().position(|row| row.len() > 1);
            if let Some(row) = last {
                assert_eq!(reversed.number[reversed.row[row] as usize], expected[row][expected[row].len() - 1]);
            }
        }
    }

    #[test]
    fn parts_cover_everything_once() {
        for (length, least) in [(0, 10), (9, 10), (10, 10), (11, 10), (100_000, 10), (1 << 20, 4096)] {
            let all: Vec<Range<usize>> = parts(length, least).collect();
            assert!(all.len() <= MOST_BLOCKS);
            assert_eq!(all.iter().map(Range::len).sum::<usize>(), length);
            assert!(all.windows(2).all(|two| two[0].end == two[1].start));
        }
    }
}
