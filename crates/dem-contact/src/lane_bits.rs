//! Tables over the eight truth values of a group of contacts: they replace loops with data in every branch.

use dem_core::lanes::MOST_LANES;

use crate::contact_forces::NOT_TOUCHING;
use crate::law::Mode;

/// For each set of lanes, one byte per lane: 1 if it is in the set.
const BYTES: [u64; 1 << MOST_LANES] = {
    let mut table = [0; 1 << MOST_LANES];
    let mut bits = 0;
    while bits < 1 << MOST_LANES {
        let mut lane = 0;
        while lane < MOST_LANES {
            table[bits] |= (bits as u64 >> lane & 1) << (8 * lane);
            lane += 1;
        }
        bits += 1;
    }
    table
};

/// Numbers of the modes by lane, from the lanes that carry a load, that slide, whose surfaces do not touch and that are beyond the range
/// of the law.
#[inline(always)]
pub(crate) fn modes(loaded: u32, slides: u32, apart: u32, beyond: u32) -> [u8; MOST_LANES] {
    let bytes = |bits: u32| BYTES[bits as usize % (1 << MOST_LANES)];
    let stick = bytes(loaded & !slides & !apart) * Mode::Stick as u64;
    let slide = bytes(slides & !apart) * Mode::Slide as u64;
    (stick | slide | (bytes(apart) * Mode::Apart as u64) | (bytes(beyond) * u64::from(NOT_TOUCHING))).to_le_bytes()
}

/// The lanes whose bytes have their highest bit; the first bytes of a column belong to the lanes, `lanes` of them.
#[inline(always)]
pub(crate) fn highest(column: &[u8], lanes: usize) -> u32 {
    let mut bytes = [0; MOST_LANES];
    bytes[..lanes].copy_from_slice(&column[..lanes]);
    // the product brings the bit of byte k to the place 56 + k, and no two to one place
    let spread = u64::from_le_bytes(bytes) >> 7 & 0x0101_0101_0101_0101;
    (spread.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn tables_hold_what_loops_would_find() {
        for bits in 0..256u32 {
            let (loaded, slides, apart) = (bits, bits >> 3 & 0x55, bits >> 5);
            for (lane, number) in modes(loaded, slides, apart, bits >> 1).into_iter().enumerate() {
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
