//! Each of the two HDF5 libraries reads and continues what the other wrote.

#![allow(clippy::unwrap_used)] // also in the functions the tests share

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::Path;

use glam::DVec3;

use super::frame::{Cells, Column, ColumnData, ColumnSpec, Frame, Table};
use super::hdf5::{ALIGNMENT, Library};
use super::reader::SnapshotReader;
use super::writer::SnapshotWriter;

const BOTH: [(Library, Library); 2] = [(Library::PureRust, Library::C), (Library::C, Library::PureRust)];

fn column(name: &'static str, width: usize, data: ColumnData) -> Column {
    Column { spec: ColumnSpec::new(name, "µm/s", "numbers of a test", width), data }
}

/// Numbers with every kind of bits, NaN excepted, which equals nothing.
fn numbers(count: usize, seed: usize) -> ColumnData {
    let value = |i: usize| match i % 5 {
        0 => -0.0,
        1 => f64::MIN_POSITIVE / (2.0 + i as f64),
        2 => f64::INFINITY,
        _ => (i as f64 + 0.5) / (seed as f64 + 3.0),
    };
    ColumnData::F64((0..count).map(value).collect())
}

fn frame(index: usize, particles: usize, contacts: usize) -> Frame {
    Frame {
        step: index as u64 * 10,
        time: index as f64 * 0.1,
        cells: Cells::Vertices,
        positions: (0..particles).map(|i| DVec3::new(i as f64, index as f64, 1.0 / (1.0 + i as f64))).collect(),
        point_data: vec![
            column("velocity", 3, numbers(3 * particles, index)),
            column("id", 1, ColumnData::U64((0..particles as u64).map(|i| i << 33).collect())),
            column("shift", 3, ColumnData::I64((0..3 * particles as i64).map(|i| -i).collect())),
            column("material", 1, ColumnData::U32(vec![index as u32; particles])),
            column("flags", 1, ColumnData::U8(vec![3; particles])),
        ],
        cell_data: Vec::new(),
        tables: vec![Table {
            name: "contacts".to_owned(),
            rows: contacts,
            columns: vec![column("force", 3, numbers(3 * contacts, index + 7))],
        }],
        field_data: vec![(ColumnSpec::new("kinetic_energy", "J", "sum over the particles", 1), index as f64 + 0.25)],
    }
}

/// Counts that grow, shrink, vanish and cross chunk boundaries (64 rows here).
fn frames() -> Vec<Frame> {
    let counts = [(60, 0), (64, 5), (0, 0), (200, 300), (1, 1), (65, 64), (130, 129)];
    counts.into_iter().enumerate().map(|(index, (particles, contacts))| frame(index, particles, contacts)).collect()
}

fn metadata() -> BTreeMap<String, String> {
    [("engine_version".to_owned(), "0.1.0".to_owned()), ("scene".to_owned(), "# µ\n".repeat(40_000))].into()
}

fn write(library: Library, path: &Path, frames: &[Frame]) {
    let mut writer = SnapshotWriter::create_with(library, path, &metadata()).unwrap();
    for frame in frames {
        writer.append(frame).unwrap();
    }
}

/// Bits of all numbers of a frame: `==` takes -0 for 0.
fn bits(frame: &Frame) -> Vec<u8> {
    let columns = frame.point_data.iter().chain(frame.tables.iter().flat_map(|table| &table.columns));
    let positions = frame.positions.iter().flat_map(|p| p.to_array());
    let numbers = positions.chain([frame.time]).chain(frame.field_data.iter().map(|field| field.1));
    columns.flat_map(|column| column.data.bytes().to_vec()).chain(numbers.flat_map(f64::to_le_bytes)).collect()
}

#[track_caller]
fn check(library: Library, path: &Path, expected: &[Frame]) {
    let reader = SnapshotReader::open_with(library, path).unwrap();
    assert_eq!(reader.metadata(), &metadata());
    assert_eq!(reader.frames().len(), expected.len());
    for (index, frame) in expected.iter().enumerate() {
        let found = reader.read(index).unwrap();
        assert_eq!(&found, frame, "frame {index} through {library:?}");
        assert_eq!(bits(&found), bits(frame), "frame {index} through {library:?}");
    }
}

#[test]
fn each_library_reads_what_the_other_wrote() {
    for (writing, reading) in BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("snapshots.vtkhdf");
        write(writing, &path, &frames());
        check(writing, &path, &frames());
        check(reading, &path, &frames());
    }
}

#[test]
fn each_library_continues_what_the_other_began_in_a_file_of_its_own_kind() {
    for (first, second) in BOTH {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("snapshots.vtkhdf");
        write(first, &path, &frames()[..3]);
        assert!(first.can_append_to(&path).unwrap() && !second.can_append_to(&path).unwrap());
        for (index, frame) in frames().iter().enumerate().skip(3) {
            let mut writer = SnapshotWriter::open_existing_with(second, &path).unwrap();
            assert_eq!(writer.frame_count(), index);
            writer.append(frame).unwrap();
            assert!(second.can_append_to(&path).unwrap() && !first.can_append_to(&path).unwrap());
            check(first, &path, &frames()[..=index]);
            check(second, &path, &frames()[..=index]);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// A process that is killed during an append through the C library leaves a file that is longer than its superblock says.
#[test]
fn file_whose_last_append_was_cut_short_is_read_and_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.vtkhdf");
    write(Library::C, &path, &frames()[..3]);
    let length = std::fs::metadata(&path).unwrap().len();
    OpenOptions::new().write(true).open(&path).unwrap().set_len(length + 1_000_000).unwrap();
    assert!(!Library::C.can_append_to(&path).unwrap());
    check(Library::C, &path, &frames()[..3]);
    check(Library::PureRust, &path, &frames()[..3]);
    SnapshotWriter::open_existing_with(Library::C, &path).unwrap().append(&frames()[3]).unwrap();
    assert!(Library::C.can_append_to(&path).unwrap());
    check(Library::C, &path, &frames()[..4]);
    assert!(std::fs::metadata(&path).unwrap().len() < length + 1_000_000);
}

#[test]
fn append_goes_on_while_readers_are_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.vtkhdf");
    write(Library::C, &path, &frames()[..2]);
    let early = SnapshotReader::open_with(Library::C, &path).unwrap();
    let mut writer = SnapshotWriter::open_existing_with(Library::C, &path).unwrap();
    for count in 3..=frames().len() {
        writer.append(&frames()[count - 1]).unwrap();
        check(Library::C, &path, &frames()[..count]);
        assert_eq!(early.frames().len(), 2);
        assert_eq!(early.read(1).unwrap(), frames()[1]);
    }
}

/// Without times of creation in the file, runs repeat bit for bit.
#[test]
fn same_frames_give_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    write(Library::C, &first, &frames());
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    write(Library::C, &second, &frames());
    assert!(std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap());
}

/// A kill may cut a write between two pages: a block with a checksum that lies in both would be lost.
#[test]
fn blocks_that_are_rewritten_do_not_cross_pages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.vtkhdf");
    let frames: Vec<Frame> = (0..60).map(|index| frame(index, 40 + index, index)).collect();
    write(Library::C, &path, &frames);
    let file = std::fs::read(&path).unwrap();
    // headers of objects; header, index block, super blocks and data blocks of extensible arrays
    for mark in [b"OHDR", b"EAHD", b"EAIB", b"EASB", b"EADB"] {
        let places: Vec<usize> = (0..file.len() - 4).filter(|&at| file[at..at + 4] == *mark).collect();
        // super blocks come with hundreds of chunks
        assert!(!places.is_empty() || mark == b"EASB", "no {mark:?}");
        let astray = places.iter().filter(|&&at| !(at as u64).is_multiple_of(ALIGNMENT)).count();
        assert_eq!(astray, 0, "{mark:?} of {}", places.len());
    }
}
