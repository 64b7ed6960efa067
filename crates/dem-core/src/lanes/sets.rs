//! Tables over the sets of four lanes, for processors that have no instructions to spread and to gather what belongs to the lanes of a set.
//! Numbers are moved in halves of 32 bits.

/// Sets of four lanes: lane k as bit k.
pub(super) const SETS: usize = 16;

/// Where the halves of what the lanes get come from, if members get one number after the other.
pub(super) const SPREAD: [[u32; 8]; SETS] = orders(true);

/// Where the halves of what members have come from, if they give one number after the other.
pub(super) const SQUEEZE: [[u32; 8]; SETS] = orders(false);

/// The same for the bytes of eight numbers of 16 bits, of which those of the first four lanes are looked at. Other bytes are zero.
pub(super) const FIRST_NUMBERS: [[u8; 16]; SETS] = number_orders(0, 0);

/// The same for the other four lanes, by how many numbers are kept before.
pub(super) const FOLLOWING_NUMBERS: [[[u8; 16]; SETS]; 5] =
    [number_orders(4, 0), number_orders(4, 1), number_orders(4, 2), number_orders(4, 3), number_orders(4, 4)];

/// For each set of four lanes from a `first` one on the bytes that those of their numbers come from, if some have been kept `before`.
const fn number_orders(first: usize, before: usize) -> [[u8; 16]; SETS] {
    // an order of a negative byte makes zero
    let mut table = [[0xff; 16]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut lane, mut next) = (0, before);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][2 * next] = 2 * (first + lane) as u8;
                table[set][2 * next + 1] = 2 * (first + lane) as u8 + 1;
                next += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
}

/// All bits of the members.
pub(super) const MEMBERS: [[u64; 4]; SETS] = {
    let mut table = [[0; 4]; SETS];
    let mut set = 0;
    while set < SETS {
        let mut lane = 0;
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][lane] = u64::MAX;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// For each set the places that numbers come from: to its members from the first ones on, or the other way round.
const fn orders(spread: bool) -> [[u32; 8]; SETS] {
    let mut table = [[0; 8]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut lane, mut next) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                let (to, from) = if spread { (lane, next) } else { (next, lane) };
                table[set][2 * to] = 2 * from as u32;
                table[set][2 * to + 1] = 2 * from as u32 + 1;
                next += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
}
