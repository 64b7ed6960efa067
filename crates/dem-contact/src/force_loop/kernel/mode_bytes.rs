//! Truth values of a group of contacts as bits: they replace loops with data in every branch.

use dem_core::lanes::{Lanes, MOST_LANES, put};

use crate::force_loop::reduction::wrench::NOT_TOUCHING;
use crate::law::Mode;

/// Numbers of the modes, that of lane k in byte k, from the lanes that carry a load, that slide, whose surfaces do not touch and that are
/// beyond the range of the law.
#[inline(always)]
pub(crate) fn modes<R: Lanes>(loaded: u32, slides: u32, apart: u32, beyond: u32) -> u64 {
    // the last that holds counts
    R::bytes([
        (loaded, Mode::Stick as u8),
        (slides, Mode::Slide as u8),
        (apart, Mode::Apart as u8),
        (beyond, NOT_TOUCHING),
    ])
}

/// The lanes whose bytes have their highest bit; the first bytes of a column belong to the lanes, `lanes` of them.
#[inline(always)]
pub(crate) fn highest(column: &[u8], lanes: usize) -> u32 {
    let mut bytes = [0; MOST_LANES];
    put(&column[..lanes], &mut bytes);
    // the product brings the bit of byte k to the position 56 + k, and no two to one position
    let spread = u64::from_le_bytes(bytes) >> 7 & 0x0101_0101_0101_0101;
    (spread.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use dem_core::lanes::{LaneTask, Width};

    use super::*;

    #[test]
    fn highest_bits_of_bytes_make_a_set() {
        for bits in 0..256u32 {
            let column: Vec<u8> =
                (0..8).map(|lane| if bits >> lane & 1 == 1 { 0x80 | (lane * 9) } else { 0x7f - lane }).collect();
            assert_eq!(highest(&column, 8), bits);
            assert_eq!(highest(&column, 4), bits & 15);
        }
    }

    struct AllModes;

    impl LaneTask for AllModes {
        type Output = ();

        #[inline(always)]
        fn run<R: Lanes>(self) {
            for bits in 0..256u32 {
                let (loaded, slides, apart) = (bits, bits >> 3 & 0x55, bits >> 5);
                let numbers = modes::<R>(loaded, slides, apart, bits >> 1).to_le_bytes();
                for (lane, &number) in numbers.iter().enumerate().take(R::LANES) {
                    let is = |bits: u32| bits >> lane & 1 == 1;
                    if is(bits >> 1) {
                        assert_eq!(number, NOT_TOUCHING);
                        continue;
                    }
                    let mode = if is(apart) { Mode::Apart } else { Mode::of(is(loaded), is(slides)) };
                    assert_eq!(Mode::from_number(number), mode);
                }
            }
        }
    }

    #[test]
    fn every_width_finds_the_modes_that_a_loop_would() {
        for width in Width::available() {
            width.run(AllModes);
        }
    }
}
