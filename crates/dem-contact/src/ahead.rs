//! What a pass over many contacts asks the memory for, a chunk ahead.
//!
//! Histories, near lists, terms and sums of large assemblies are read and written from end to end, but chunk by chunk in buffers of their own:
//! the processor, which follows what is read to the end of a page, starts anew many times in every chunk. So while one chunk is computed,
//! the lines of the next are asked for, some with every group of contacts. Nothing depends on it.
//!
//! They are asked for into the first level of caches, which they soon leave for the second: a processor has more room for such requests than
//! for those into the second level (on a Zen 5 it takes lines from memory 1.6 times as fast).

use dem_core::lanes::Stretch;

/// Bytes of a line of the processor's cache.
const LINE: usize = 64;
/// Stretches of memory that are asked for together.
pub(crate) const STRETCHES: usize = 10;

/// Stretches of memory that will be needed when a chunk is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ahead<'a>(pub [Stretch<'a>; STRETCHES]);

impl<'a> Ahead<'a> {
    /// The lines of all stretches in `parts` parts of about the same size.
    pub fn in_parts(self, parts: usize) -> Asking<'a> {
        let lines: usize = self.0.iter().map(|stretch| stretch.bytes().div_ceil(LINE)).sum();
        Asking { ahead: self, stretch: 0, at: 0, lines: lines.div_ceil(parts.max(1)) }
    }
}

/// How far the lines have been asked for.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    ahead: Ahead<'a>,
    stretch: usize,
    at: usize,
    /// Lines of a part.
    lines: usize,
}

impl Asking<'_> {
    /// Asks for the next part.
    #[inline(always)]
    pub fn ask(&mut self) {
        for _ in 0..self.lines {
            while self.at >= self.ahead.0[self.stretch].bytes() {
                if self.stretch == STRETCHES - 1 {
                    return;
                }
                (self.stretch, self.at) = (self.stretch + 1, 0);
            }
            self.ahead.0[self.stretch].prefetch(self.at);
            self.at += LINE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_lines_and_no_more() {
        let numbers = [0.0f64; 100];
        let mut ahead = Ahead::default();
        for (stretch, count) in [(0, 9), (2, 100), (3, 1)] {
            ahead.0[stretch] = numbers[..count].into();
        }
        // 2, 13 and 1 lines
        for (parts, of_a_part) in [(1, 16), (3, 6), (16, 1), (100, 1)] {
            let mut asking = ahead.in_parts(parts);
            assert_eq!(asking.lines, of_a_part);
            let needed = (1..=parts).find(|_| {
                asking.ask();
                (asking.stretch, asking.at) >= (3, LINE)
            });
            assert_eq!(needed, Some(16usize.div_ceil(of_a_part)), "{parts} parts");
            (0..3).for_each(|_| asking.ask());
            assert_eq!((asking.stretch, asking.at), (STRETCHES - 1, 0), "{parts} parts");
        }
        let mut nothing = Ahead::default().in_parts(0);
        nothing.ask();
        assert_eq!((nothing.lines, nothing.stretch), (0, 0));
    }
}
