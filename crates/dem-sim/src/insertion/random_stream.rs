//! Seeds of independent streams of random numbers.

/// Next output of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014), which spreads numbers that differ little.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn two_of(mut state: u64) -> u128 {
    let first = u128::from(split_mix(&mut state));
    first << 64 | u128::from(split_mix(&mut state))
}

/// A seed from the scene's seed and a name (FNV-1a, then SplitMix64 on each half).
pub(crate) fn stream(seed: u64, name: &str) -> u128 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in seed.to_le_bytes().into_iter().chain(name.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    two_of(hash)
}

/// A seed of its own for each number of a stream.
pub(crate) fn numbered(stream: u128, number: u64) -> u128 {
    let (mut high, low) = ((stream >> 64) as u64 ^ number, stream as u64);
    two_of(split_mix(&mut high) ^ low)
}
