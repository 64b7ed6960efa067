//! Checkpoints: what goes in comes out, and nothing else ever does.

#![allow(clippy::unwrap_used, clippy::panic)] // also in the functions the tests share

use std::time::{Duration, Instant};

use dem_io::Error;
use dem_io::checkpoint::{CheckpointReader, CheckpointWriter, FORMAT_VERSION};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    step: u64,
    time: f64,
    names: Vec<String>,
    kind: Option<Kind>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Kind {
    Plain,
    Moving { velocity: [f64; 3] },
}

fn state() -> State {
    State {
        step: 1_234,
        time: 0.125,
        names: vec!["glass".to_owned(), "steel".to_owned()],
        kind: Some(Kind::Moving { velocity: [1.0, -0.0, f64::MIN_POSITIVE] }),
    }
}

fn positions() -> Vec<DVec3> {
    // Bit patterns that a detour through text or arithmetic would lose.
    vec![
        DVec3::new(-0.0, f64::MIN_POSITIVE / 8.0, f64::INFINITY),
        DVec3::new(f64::from_bits(0x7ff8_dead_beef_0001), 1.0 / 3.0, -1e300),
    ]
}

fn small_checkpoint() -> CheckpointWriter<'static> {
    let mut writer = CheckpointWriter::new();
    writer
        .section_bytes("odd", &[1, 2, 3])
        .unwrap()
        .section_struct("state", &state())
        .unwrap()
        .section_columns("positions", &positions())
        .unwrap()
        .section_columns::<u32>("empty", &[])
        .unwrap();
    writer
}

#[test]
fn same_bits_after_round_trip() {
    let reader = CheckpointReader::from_bytes(small_checkpoint().finish().unwrap()).unwrap();
    assert_eq!(reader.section_names().collect::<Vec<_>>(), ["odd", "state", "positions", "empty"]);
    assert_eq!(reader.bytes("odd").unwrap(), [1, 2, 3]);
    assert_eq!(reader.structure::<State>("state").unwrap(), state());
    // The section before has an odd length, so these lie at an odd address.
    let read: Vec<DVec3> = reader.columns("positions").unwrap();
    let bits = |points: &[DVec3]| -> Vec<[u64; 3]> { points.iter().map(|p| p.to_array().map(f64::to_bits)).collect() };
    assert_eq!(bits(&read), bits(&positions()));
    assert_eq!(reader.columns::<u32>("empty").unwrap(), [0u32; 0]);
    assert!(reader.has("odd") && !reader.has("even"));
}

#[test]
fn equal_sections_give_equal_bytes() {
    assert_eq!(small_checkpoint().finish().unwrap(), small_checkpoint().finish().unwrap());
}

#[test]
fn sections_that_are_made_when_they_are_written_have_the_bytes_of_those_made_before() {
    // pieces short and long, of which some fill what waits to be written to the last byte
    let lengths = [1, 7, 65_528, 65_536, 3, 200_000, 0, 65_535, 2];
    let pieces: Vec<Vec<u8>> = lengths.iter().enumerate().map(|(k, &length)| vec![k as u8 + 1; length]).collect();
    let (mut before, mut when_written) = (CheckpointWriter::new(), CheckpointWriter::new());
    before.section_bytes("pieces", &pieces.concat()).unwrap().section_struct("state", &state()).unwrap();
    when_written
        .section_written("pieces", |out| pieces.iter().try_for_each(|piece| out.write_all(piece)))
        .unwrap()
        .section_encoded("state", state())
        .unwrap();
    let expected = before.finish().unwrap();
    assert!(when_written.finish().unwrap() == expected);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    when_written.write_to(&mut std::fs::File::create(&path).unwrap(), &path).unwrap();
    assert!(std::fs::read(&path).unwrap() == expected);
}

#[test]
fn section_that_cannot_be_written_is_told_by_its_name() {
    let mut writer = CheckpointWriter::new();
    writer.section_encoded("endless", Endless).unwrap();
    let error = writer.finish().unwrap_err();
    assert!(matches!(&error, Error::Codec { section, .. } if section == "endless"), "{error}");
}

/// Does not know how long it is.
struct Endless;

impl Serialize for Endless {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::ser::SerializeSeq::end(serializer.serialize_seq(None)?)
    }
}

#[test]
fn wrong_requests_name_the_section() {
    let reader = CheckpointReader::from_bytes(small_checkpoint().finish().unwrap()).unwrap();
    let missing = reader.bytes("even").unwrap_err();
    assert_eq!(missing.to_string(), "checkpoint has no section `even`");
    let size = reader.columns::<u64>("positions").unwrap_err();
    assert!(size.to_string().contains("`positions`"), "{size}");
    assert!(size.to_string().contains("24 bytes, 8"), "{size}");
    let codec = reader.structure::<State>("odd").unwrap_err();
    assert!(matches!(codec, Error::Codec { ref section, .. } if section == "odd"));
}

#[test]
fn names_are_unique_and_bounded() {
    let mut writer = small_checkpoint();
    for name in ["odd", "", &"x".repeat(256)] {
        assert!(writer.section_bytes(name, &[]).is_err(), "{name:?}");
    }
    writer.section_bytes(&"x".repeat(255), &[]).unwrap();
    CheckpointReader::from_bytes(writer.finish().unwrap()).unwrap();
}

#[test]
fn each_kind_of_damage_has_its_own_error() {
    let good = small_checkpoint().finish().unwrap();
    let read = |bytes: &[u8]| CheckpointReader::from_bytes(bytes.to_vec()).unwrap_err();
    assert!(matches!(read(b"DEMCKPX\0...."), Error::NotACheckpoint));
    assert!(matches!(read(b""), Error::NotACheckpoint));
    assert!(matches!(read(&good[..good.len() - 1]), Error::CheckpointTruncated { .. }));
    let mut newer = good.clone();
    newer[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    let message = read(&newer).to_string();
    let expected = format!("checkpoint has format {}, this engine reads format {FORMAT_VERSION}: ", FORMAT_VERSION + 1);
    assert!(message.starts_with(&expected), "{message}");
    let mut payload = good.clone();
    *payload.last_mut().unwrap() ^= 1;
    assert!(matches!(
        read(&payload),
        Error::CheckpointChecksum { section } if section == "positions"
    ));
    let mut table = good.clone();
    table[45] ^= 1;
    assert!(matches!(read(&table), Error::CheckpointHeader { .. }));
    let mut longer = good;
    longer.push(0);
    assert!(matches!(read(&longer), Error::CheckpointHeader { .. }));
}

/// Row of the table: name, size of an element, count, offset of the payload from the end of the table.
type Row<'a> = (&'a str, u64, u64, u64);

/// A container by its documentation.
fn container(sections: &[Row], behind_the_table: &[u8], payloads: &[u8]) -> Vec<u8> {
    const HEADER: usize = 40;
    let names: usize = sections.iter().map(|(name, ..)| 42 + name.len()).sum();
    let length = names + behind_the_table.len();
    let mut table = Vec::new();
    for &(name, size, count, offset) in sections {
        table.extend((name.len() as u16).to_le_bytes());
        table.extend(name.as_bytes());
        table.extend([size, count, (HEADER + length) as u64 + offset].iter().flat_map(|number| number.to_le_bytes()));
        let payload = payloads.get(offset as usize..offset.saturating_add(size.saturating_mul(count)) as usize);
        table.extend(xxh3_128(payload.unwrap_or_default()).to_le_bytes());
    }
    table.extend(behind_the_table);
    let mut bytes = b"DEMCKPT\0".to_vec();
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend((sections.len() as u32).to_le_bytes());
    bytes.extend((length as u64).to_le_bytes());
    bytes.extend(xxh3_128(&[&bytes[..], &table].concat()).to_le_bytes());
    [&bytes[..], &table, payloads].concat()
}

#[test]
fn forged_tables_with_valid_checksums_are_refused() {
    let two = [("a", 1, 4, 0), ("b", 2, 2, 4)];
    CheckpointReader::from_bytes(container(&two, &[], &[7; 8])).unwrap();
    let shared = "section `b` is not where the one before it ends";
    let cases: [(&[Row], &[u8], &str); 8] = [
        (&[("a", 1, 4, 0), ("a", 1, 4, 4)], &[], "section `a` occurs twice"),
        // the same bytes twice, and a gap
        (&[("a", 1, 8, 0), ("b", 1, 8, 0)], &[], shared),
        (&[("a", 1, 2, 0), ("b", 1, 4, 4)], &[], shared),
        (&[("a", 1, 4, 0), ("b", 0, 4, 4)], &[], shared),
        (&[("a", 1, 4, 0), ("b", 1 << 40, 1 << 40, 4)], &[], shared),
        (&two, &[0; 3], "bytes are left after the table"),
        (&[("a", 1, 4, 0)], &[], "bytes are left after the last section"),
        (&[("", 1, 8, 0)], &[], "entry 0 of the table cannot be read"),
    ];
    for (sections, behind_the_table, expected) in cases {
        let refused = CheckpointReader::from_bytes(container(sections, behind_the_table, &[7; 8])).unwrap_err();
        assert!(matches!(&refused, Error::CheckpointHeader { reason } if reason == expected), "{expected}: {refused}");
    }
    let beyond = CheckpointReader::from_bytes(container(&[("a", 1, 9, 0)], &[], &[7; 8])).unwrap_err();
    assert!(matches!(beyond, Error::CheckpointTruncated { .. }), "{beyond}");
}

#[test]
fn file_round_trip_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.ckpt");
    small_checkpoint().write_atomically(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), small_checkpoint().finish().unwrap());
    CheckpointReader::open(&path).unwrap();
}

/// A small generator with a fixed stream.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn no_mutation_is_ever_accepted() {
    let good = small_checkpoint().finish().unwrap();
    let mut random = Random(0x5eed);
    let began = Instant::now();
    for round in 0..30_000 {
        let mut bytes = good.clone();
        match round % 4 {
            0 => {
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
            1 => bytes.truncate(random.below(good.len())),
            2 => {
                // A piece of the file over another piece.
                let length = 1 + random.below(24);
                let (from, to) = (random.below(good.len()), random.below(good.len()));
                for offset in 0..length {
                    if from + offset < good.len() && to + offset < good.len() {
                        bytes[to + offset] = good[from + offset];
                    }
                }
            }
            _ => {
                // A whole little-endian number of the header or the table made extreme.
                let at = random.below(200.min(good.len() - 8));
                let extreme = [0, 1, u64::MAX, 1 << 63, 1 << 40][random.below(5)];
                bytes[at..at + 8].copy_from_slice(&extreme.to_le_bytes());
            }
        }
        if bytes != good {
            assert!(CheckpointReader::from_bytes(bytes).is_err(), "mutation {round} was accepted");
        }
    }
    // Takes well below a second; the margin is for loaded machines.
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn forged_structures_with_valid_checksums_are_refused_without_large_allocations() {
    let good = {
        let reader = CheckpointReader::from_bytes(small_checkpoint().finish().unwrap()).unwrap();
        reader.bytes("state").unwrap().to_vec()
    };
    let mut random = Random(0xf00d);
    for _ in 0..5_000 {
        let mut bytes = good.clone();
        let at = random.below(bytes.len() - 8);
        let forged = [u64::MAX, 1 << 60, 1 << 32, 1 << 20][random.below(4)];
        bytes[at..at + 8].copy_from_slice(&forged.to_le_bytes());
        let mut writer = CheckpointWriter::new();
        writer.section_bytes("state", &bytes).unwrap();
        let reader = CheckpointReader::from_bytes(writer.finish().unwrap()).unwrap();
        // Success is possible, where only a number changed; what counts is that it returns.
        let _ = reader.structure::<State>("state");
    }
}
