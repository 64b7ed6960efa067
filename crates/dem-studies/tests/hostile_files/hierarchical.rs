//! Blocks of an HDF5 file that carry a checksum, changed so that the checksum is right again.

use crate::mutation;
use crate::random::Random;

/// Marks of blocks that end in a checksum (HDF5 File Format Specification 3.0).
const MARKS: [&[u8]; 14] = [
    b"\x89HDF\r\n\x1a\n",
    b"OHDR",
    b"OCHK",
    b"FRHP",
    b"FHDB",
    b"BTHD",
    b"BTLF",
    b"BTIN",
    b"FAHD",
    b"FADB",
    b"EAHD",
    b"EAIB",
    b"EADB",
    b"EASB",
];
/// Longest block that is looked for.
const LONGEST: usize = 8192;

/// Place and length of the blocks, checksums left out.
pub fn blocks(file: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in 0..file.len() {
        if !MARKS.iter().any(|mark| file[at..].starts_with(mark)) {
            continue;
        }
        let rest = &file[at..file.len().min(at + LONGEST)];
        let ends = (8..rest.len().saturating_sub(4)).find(|&length| {
            let stored = u32::from_le_bytes(rest[length..length + 4].try_into().expect("4 bytes"));
            stored != 0 && lookup3(&rest[..length]) == stored
        });
        found.extend(ends.map(|length| (at, length)));
    }
    found
}

/// Changes one or two blocks of a file and renews their checksums.
pub fn mutate(random: &mut Random, file: &[u8], blocks: &[(usize, usize)]) -> Vec<u8> {
    let mut data = file.to_vec();
    for _ in 0..=random.below(2) {
        let &(at, length) = random.pick(blocks);
        let block = data[at..at + length].to_vec();
        let other = random.pick(blocks);
        let mut changed = match random.below(4) {
            0 => mutation::numbers(random, block),
            1 => {
                // sizes and addresses need not lie at multiples of anything
                let shift = random.below(8);
                let tail = mutation::numbers(random, block[shift..].to_vec());
                [&block[..shift], &tail].concat()
            }
            2 => file[other.0..other.0 + other.1].to_vec(),
            _ => {
                let mut block = block;
                let place = random.below(length);
                block[place] = random.next() as u8;
                block
            }
        };
        changed.resize(length, 0);
        let checksum = lookup3(&changed);
        data[at..at + length].copy_from_slice(&changed);
        data[at + length..at + length + 4].copy_from_slice(&checksum.to_le_bytes());
    }
    data
}

/// The checksum of HDF5 metadata: B. Jenkins, lookup3, `hashlittle` with initial value zero.
fn lookup3(bytes: &[u8]) -> u32 {
    let start = 0xdead_beefu32.wrapping_add(bytes.len() as u32);
    let (mut a, mut b, mut c) = (start, start, start);
    let word = |chunk: &[u8], k: usize| {
        let mut word = [0; 4];
        for (place, byte) in word.iter_mut().zip(chunk.iter().skip(4 * k)) {
            *place = *byte;
        }
        u32::from_le_bytes(word)
    };
    let mut rest = bytes;
    while rest.len() > 12 {
        (a, b, c) = (a.wrapping_add(word(rest, 0)), b.wrapping_add(word(rest, 1)), c.wrapping_add(word(rest, 2)));
        a = a.wrapping_sub(c) ^ c.rotate_left(4);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(6);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(8);
        b = b.wrapping_add(a);
        a = a.wrapping_sub(c) ^ c.rotate_left(16);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(19);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(4);
        b = b.wrapping_add(a);
        rest = &rest[12..];
    }
    if rest.is_empty() {
        return c;
    }
    (a, b, c) = (a.wrapping_add(word(rest, 0)), b.wrapping_add(word(rest, 1)), c.wrapping_add(word(rest, 2)));
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}
