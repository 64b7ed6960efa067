//! Tables over the sets of four lanes, for processors that have no instructions to spread and to gather what belongs to the lanes of a set.
//! Numbers are moved in halves of 32 bits.

/// Sets of four lanes: lane k as bit k.
pub(super) const SETS: usize = 16;

/// Where the halves of what the lanes get come from, if members get one number after the other.
pub(super) const SPREAD: [[u32; 8]; SETS] = orders(true);

/// Where the halves of what members have come from, if they give one number after the other.
pub(super) const SQUEEZE: [[u32; 8]; SETS] = orders(false);

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
