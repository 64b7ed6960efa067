//! The container of a checkpoint written anew, by its documentation and not by the engine, with sections that are not as they should be.

use dem_io::checkpoint::CheckpointReader;
use xxhash_rust::xxh3::xxh3_128;

use crate::mutation;
use crate::random::Random;

/// Bytes before the table: mark, version, count, length of the table, checksum.
const HEADER: usize = 8 + 4 + 4 + 8 + 16;

/// A section, with what the table says of it.
#[derive(Clone)]
struct Section {
    name: String,
    element_size: u64,
    count: u64,
    payload: Vec<u8>,
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (front, rest) = bytes.split_at(length);
    *bytes = rest;
    front
}

fn number(bytes: &mut &[u8]) -> u64 {
    u64::from_le_bytes(take(bytes, 8).try_into().expect("8 bytes"))
}

/// Sections of a sound checkpoint.
fn sections(file: &[u8]) -> Vec<Section> {
    let reader = CheckpointReader::from_bytes(file.to_vec()).expect("a sound checkpoint");
    let count = reader.section_names().count();
    let mut table = &file[HEADER..];
    (0..count)
        .map(|_| {
            let length = u16::from_le_bytes(take(&mut table, 2).try_into().expect("2 bytes"));
            let name = String::from_utf8(take(&mut table, length.into()).to_vec()).expect("a name");
            let (element_size, count, _) = (number(&mut table), number(&mut table), number(&mut table));
            take(&mut table, 16);
            let payload = reader.bytes(&name).expect("a section").to_vec();
            Section { name, element_size, count, payload }
        })
        .collect()
}

/// The file of some sections, with every checksum right.
fn file(sections: &[Section], version: u32, count: u32, shift: u64) -> Vec<u8> {
    let length: usize = sections.iter().map(|section| 2 + section.name.len() + 40).sum();
    let mut table = Vec::new();
    let mut offset = (HEADER + length) as u64;
    for section in sections {
        table.extend((section.name.len() as u16).to_le_bytes());
        table.extend(section.name.as_bytes());
        table.extend(section.element_size.to_le_bytes());
        table.extend(section.count.to_le_bytes());
        table.extend(offset.wrapping_add(shift).to_le_bytes());
        table.extend(xxh3_128(&section.payload).to_le_bytes());
        offset += section.payload.len() as u64;
    }
    let mut bytes = b"DEMCKPT\0".to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend((table.len() as u64).to_le_bytes());
    let checksum = xxh3_128(&[&bytes[..], &table].concat());
    bytes.extend(checksum.to_le_bytes());
    bytes.extend(table);
    bytes.extend(sections.iter().flat_map(|section| &section.payload));
    bytes
}

/// The same file, as a test of the code above.
pub fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let sections = sections(bytes);
    file(&sections, version(bytes), sections.len() as u32, 0)
}

fn version(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[8..12].try_into().expect("4 bytes"))
}

/// Mutates sections and what the table says of them; checksums are right, so that it gets behind them.
pub fn mutate(random: &mut Random, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let (mut list, others) = (sections(bytes), sections(other));
    let (mut version, mut count, mut shift) = (version(bytes), None, 0);
    for _ in 0..=random.below(2) {
        if list.is_empty() {
            break;
        }
        let at = random.below(list.len());
        match random.below(16) {
            0..=5 => {
                let payload = std::mem::take(&mut list[at].payload);
                list[at].payload = mutation::numbers(random, payload);
            }
            6..=8 => {
                let payload = std::mem::take(&mut list[at].payload);
                let source = payload.clone();
                list[at].payload = mutation::bytes(random, payload, &source);
                list[at].count = list[at].payload.len() as u64 / list[at].element_size.max(1);
            }
            9 => {
                let to = random.below(list.len());
                let names = (list[at].name.clone(), list[to].name.clone());
                (list[to].name, list[at].name) = names;
            }
            10 => drop(list.remove(at)),
            11 => list.insert(at, random.pick(&others).clone()),
            12 => list[at] = random.pick(&others).clone(),
            13 => list[at].count = random.next() >> random.below(64),
            14 => list[at].element_size = random.next() >> random.below(64),
            _ => match random.below(3) {
                0 => version = random.next() as u32 >> random.below(32),
                1 => count = Some(random.next() as u32 >> random.below(32)),
                _ => shift = random.next() >> random.below(64),
            },
        }
    }
    let count = count.unwrap_or(list.len() as u32);
    file(&list, version, count, shift)
}
