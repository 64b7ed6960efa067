//! Snapshot files: what is appended is read back, by this crate and by VTK, and nothing a file
//! holds can do harm.

#![allow(clippy::unwrap_used, clippy::panic)] // also in the functions the tests share

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use dem_io::Error;
use dem_io::snapshot::{
    Cells, Column, ColumnData, ColumnSpec, Frame, SnapshotReader, SnapshotWriter, Table, truncate_after,
};
use glam::DVec3;
use rust_hdf5::format::checksum::checksum_metadata;

fn column(name: &'static str, width: usize, data: ColumnData) -> Column {
    Column { spec: ColumnSpec::new(name, "m/s", "numbers of a test", width), data }
}

/// A frame with a column of every type, whose numbers follow from `index`.
fn frame(index: usize, particles: usize, contacts: usize) -> Frame {
    let numbers = |count: usize| -> Vec<f64> { (0..count).map(|i| (i as f64 + 0.5) / (index as f64 + 3.0)).collect() };
    Frame {
        step: index as u64 * 10,
        time: index as f64 * 0.1,
        positions: (0..particles).map(|i| DVec3::new(i as f64, index as f64, 1.0 / (1.0 + i as f64))).collect(),
        cells: Cells::Vertices,
        point_data: vec![
            column("radius", 1, ColumnData::F64(numbers(particles))),
            column("velocity", 3, ColumnData::F64(numbers(3 * particles))),
            column("orientation", 4, ColumnData::F64(numbers(4 * particles))),
            column("id", 1, ColumnData::U64((0..particles as u64).map(|i| i << 33).collect())),
            column("shift", 3, ColumnData::I64((0..3 * particles as i64).map(|i| -i).collect())),
            column("material", 1, ColumnData::U32(vec![index as u32; particles])),
            column("flags", 1, ColumnData::U8(vec![3; particles])),
        ],
        cell_data: Vec::new(),
        tables: vec![
            Table {
                name: "contacts".to_owned(),
                rows: contacts,
                columns: vec![
                    column("force", 3, ColumnData::F64(numbers(3 * contacts))),
                    column("pair", 2, ColumnData::U64((0..2 * contacts as u64).collect())),
                ],
            },
            Table { name: "walls".to_owned(), rows: 2, columns: vec![column("force", 3, ColumnData::F64(numbers(6)))] },
        ],
        field_data: vec![(ColumnSpec::new("kinetic_energy", "J", "sum over the particles", 1), index as f64 + 0.25)],
    }
}

/// Counts that grow, shrink, vanish and cross chunk boundaries (64 rows here).
fn frames() -> Vec<Frame> {
    [(60, 0), (64, 5), (0, 0), (200, 300), (1, 1), (65, 64), (130, 129)]
        .into_iter()
        .enumerate()
        .map(|(index, (particles, contacts))| frame(index, particles, contacts))
        .collect()
}

fn metadata() -> BTreeMap<String, String> {
    [
        ("engine_version".to_owned(), "0.1.0".to_owned()),
        // Longer than an attribute may be inside an object header, and not ASCII.
        ("scene".to_owned(), "[particles] # µ\n".repeat(10_000)),
    ]
    .into()
}

fn write(folder: &Path, frames: &[Frame]) -> PathBuf {
    let path = folder.join("snapshots.vtkhdf");
    let mut writer = SnapshotWriter::create(&path, &metadata()).unwrap();
    for frame in frames {
        writer.append(frame).unwrap();
    }
    path
}

fn read_all(path: &Path) -> Vec<Frame> {
    let reader = SnapshotReader::open(path).unwrap();
    (0..reader.frames().len()).map(|index| reader.read(index).unwrap()).collect()
}

#[test]
fn same_frames_and_metadata_after_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &frames());
    assert_eq!(read_all(&path), frames());
    let reader = SnapshotReader::open(&path).unwrap();
    assert_eq!(reader.metadata(), &metadata());
    let steps: Vec<u64> = reader.frames().iter().map(|f| f.step).collect();
    assert_eq!(steps, [0, 10, 20, 30, 40, 50, 60]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_append_leaves_a_readable_file_and_a_new_process_can_continue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.vtkhdf");
    drop(SnapshotWriter::create(&path, &metadata()).unwrap());
    for (index, frame) in frames().iter().enumerate() {
        let mut writer = SnapshotWriter::open_existing(&path).unwrap();
        assert_eq!(writer.frame_count(), index);
        writer.append(frame).unwrap();
        assert_eq!(read_all(&path), frames()[..=index]);
    }
    assert_eq!(SnapshotReader::open(&path).unwrap().metadata(), &metadata());
}

#[test]
fn frames_appended_in_one_go_are_those_appended_one_by_one() {
    let all = frames();
    for parts in [vec![all.len()], vec![2, all.len() - 2], vec![1, 3, all.len() - 4]] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("snapshots.vtkhdf");
        let mut writer = SnapshotWriter::create(&path, &metadata()).unwrap();
        let mut rest = all.as_slice();
        for part in parts {
            let (now, later) = rest.split_at(part);
            writer.append_all(&now.iter().collect::<Vec<&Frame>>()).unwrap();
            rest = later;
        }
        assert_eq!((writer.frame_count(), writer.last_step()), (all.len(), all.last().map(|frame| frame.step)));
        assert_eq!(read_all(&path), all);
        // all or none
        let again = writer.append_all(&[&all[0]]).unwrap_err().to_string();
        assert!(again.contains("the last frame in the file is of step"), "{again}");
        assert_eq!(read_all(&path), all);
    }
}

#[test]
fn file_without_tables_fields_or_columns_works() {
    let folder = tempfile::tempdir().unwrap();
    let bare = |step| Frame {
        step,
        time: 0.0,
        positions: vec![DVec3::ONE; 3],
        cells: Cells::Vertices,
        point_data: Vec::new(),
        cell_data: Vec::new(),
        tables: Vec::new(),
        field_data: Vec::new(),
    };
    let path = write(folder.path(), &[bare(1), bare(2)]);
    assert_eq!(read_all(&path), [bare(1), bare(2)]);
}

/// Frames of lines or triangles, whose counts cross chunk boundaries.
fn drawn(cells: Cells) -> Vec<Frame> {
    let with = |(index, count): (usize, usize)| Frame {
        cells,
        cell_data: Vec::new(),
        tables: Vec::new(),
        ..frame(index, count * cells.corners(), 0)
    };
    [5, 0, 71, 64, 200].into_iter().enumerate().map(with).collect()
}

#[test]
fn lines_and_triangles_come_back_and_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    for cells in [Cells::Lines, Cells::Triangles] {
        let path = write(folder.path(), &drawn(cells));
        assert_eq!(read_all(&path), drawn(cells));
        assert_eq!(truncate_after(&path, 20).unwrap(), 2);
        let mut writer = SnapshotWriter::open_existing(&path).unwrap();
        let refused = |writer: &mut SnapshotWriter, frame: Frame| writer.append(&frame).unwrap_err().to_string();
        let message = refused(&mut writer, Frame { cells: Cells::Vertices, ..drawn(cells)[3].clone() });
        assert!(message.contains("it draws Vertices and the file"), "{message}");
        let mut torn = drawn(cells)[3].clone();
        torn.positions.pop();
        assert!(refused(&mut writer, torn).contains("points are not"));
        writer.append(&drawn(cells)[3]).unwrap();
        assert_eq!(read_all(&path), drawn(cells)[..4]);
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn many_columns_do_not_unsettle_the_file() {
    const NAMES: [&str; 24] = [
        "a", "bb", "ccc", "dddd", "eeeee", "ffffff", "g", "hh", "iii", "jjjj", "kkkkk", "llllll", "m", "nn", "ooo",
        "pppp", "qqqqq", "rrrrrr", "s", "tt", "uuu", "vvvv", "wwwww", "xxxxxx",
    ];
    let folder = tempfile::tempdir().unwrap();
    let wide = |step: u64| Frame {
        point_data: NAMES.map(|name| column(name, 1, ColumnData::U64(vec![step; 10]))).to_vec(),
        ..frame(step as usize, 10, 4)
    };
    let frames: Vec<Frame> = (0..4).map(wide).collect();
    let path = write(folder.path(), &frames);
    assert_eq!(read_all(&path), frames);
}

/// The crash safety rests on this: an append writes new chunks behind the old ones, so the old
/// ones keep their place and their bytes.
#[test]
fn append_moves_no_column_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.vtkhdf");
    let mut writer = SnapshotWriter::create(&path, &metadata()).unwrap();
    // Numbers that do not compress, so that column data is nearly all of the file.
    let mut state = 1u64;
    let mut noisy = |index: usize| {
        let mut frame = frame(index, 4_000, 0);
        for column in &mut frame.point_data {
            if let ColumnData::F64(values) = &mut column.data {
                for value in values {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *value = f64::from_bits(state >> 12);
                }
            }
        }
        frame
    };
    writer.append(&noisy(0)).unwrap();
    let mut changed = Vec::new();
    for index in 1..6 {
        let before = std::fs::read(&path).unwrap();
        writer.append(&noisy(index)).unwrap();
        let after = std::fs::read(&path).unwrap();
        assert!(after.len() > before.len());
        changed.push(before.iter().zip(&after).filter(|(a, b)| a != b).count());
    }
    // What changes are extents, checksums, index entries and per-frame rows: a few dozen bytes
    // for each of about 60 datasets, and not more as the file grows. One rewritten chunk of a
    // column would be tens of thousands.
    assert!(changed.iter().all(|&bytes| bytes < 8_000), "{changed:?}");
}

#[test]
fn other_columns_are_refused_and_the_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &[frame(0, 5, 2)]);
    let mut writer = SnapshotWriter::open_existing(&path).unwrap();
    let mut fewer = frame(1, 5, 2);
    fewer.point_data.pop();
    let message = writer.append(&fewer).unwrap_err().to_string();
    assert!(message.contains("step 10") && message.contains("flags"), "{message}");
    let mut unit = frame(1, 5, 2);
    unit.point_data[0].spec.unit = "mm".into();
    assert!(matches!(writer.append(&unit), Err(Error::Frame { .. })));
    let mut element = frame(1, 5, 2);
    element.point_data[0].data = ColumnData::U64(vec![0; 5]);
    assert!(matches!(writer.append(&element), Err(Error::Frame { .. })));
    writer.append(&frame(1, 5, 2)).unwrap();
    assert_eq!(read_all(&path), [frame(0, 5, 2), frame(1, 5, 2)]);
}

#[test]
fn contradictory_frames_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshots.vtkhdf");
    let mut writer = SnapshotWriter::create(&path, &metadata()).unwrap();
    let refused = |writer: &mut SnapshotWriter, change: &dyn Fn(&mut Frame), part: &str| {
        let mut frame = frame(1, 5, 2);
        change(&mut frame);
        let message = writer.append(&frame).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    refused(&mut writer, &|f| f.point_data[0].data = ColumnData::F64(vec![0.0; 4]), "radius");
    refused(&mut writer, &|f| f.tables[0].rows = usize::MAX, "contacts");
    refused(&mut writer, &|f| f.point_data[0].spec.width = 0, "width 0");
    refused(&mut writer, &|f| f.point_data[0].spec.name = "a/b".into(), "a/b");
    refused(&mut writer, &|f| f.point_data[0].spec.name = "velocity".into(), "taken");
    refused(&mut writer, &|f| f.tables[0].name = "VTKHDF".into(), "taken");
    refused(&mut writer, &|f| f.field_data[0].0.name = "time".into(), "taken");
    writer.append(&frame(1, 5, 2)).unwrap();
    assert!(matches!(writer.append(&frame(1, 5, 2)), Err(Error::Frame { .. })));
}

#[test]
fn existing_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &[frame(0, 5, 2)]);
    assert!(matches!(SnapshotWriter::create(&path, &metadata()), Err(Error::SnapshotExists { .. })));
    assert_eq!(read_all(&path).len(), 1);
}

#[test]
fn truncation_drops_exactly_the_later_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &frames());
    assert_eq!(truncate_after(&path, 1_000).unwrap(), 0);
    assert_eq!(truncate_after(&path, 35).unwrap(), 3);
    assert_eq!(read_all(&path), frames()[..4]);
    let mut writer = SnapshotWriter::open_existing(&path).unwrap();
    for frame in &frames()[4..] {
        writer.append(frame).unwrap();
    }
    assert_eq!(read_all(&path), frames());
    assert_eq!(SnapshotReader::open(&path).unwrap().metadata(), &metadata());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn truncation_before_the_first_frame_leaves_an_empty_file_that_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &[frame(5, 5, 2), frame(6, 5, 2)]);
    assert_eq!(truncate_after(&path, 0).unwrap(), 2);
    let mut writer = SnapshotWriter::open_existing(&path).unwrap();
    assert_eq!((writer.frame_count(), writer.last_step()), (0, None));
    writer.append(&frame(1, 7, 1)).unwrap();
    assert_eq!(read_all(&path), [frame(1, 7, 1)]);
    assert_eq!(SnapshotReader::open(&path).unwrap().metadata(), &metadata());
}

/// What a process leaves that is killed while it completes an append: some datasets have the row
/// of the new frame and some do not.
#[test]
fn half_written_frame_does_not_exist_and_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &frames()[..2]);
    let file = rust_hdf5::H5File::open_rw(&path).unwrap();
    for name in ["VTKHDF/NumberOfPoints", "VTKHDF/Steps/PointOffsets", "contacts/frame_rows"] {
        let dataset = file.dataset_writer(name).unwrap();
        dataset.extend(&[3]).unwrap();
        dataset.write_slice(&[2], &[1], &[1_000_000i64]).unwrap();
    }
    // Column data of that frame, in one column only.
    let points = file.dataset_writer("VTKHDF/Points").unwrap();
    points.extend(&[1_000, 3]).unwrap();
    points.write_slice(&[900, 0], &[100, 3], &[7.0f64; 300]).unwrap();
    file.close().unwrap();
    assert_eq!(read_all(&path), frames()[..2]);
    let mut writer = SnapshotWriter::open_existing(&path).unwrap();
    for frame in &frames()[2..] {
        writer.append(frame).unwrap();
    }
    assert_eq!(read_all(&path), frames());
}

/// What a process leaves that is killed just before the end of an append: only the last dataset
/// that VTK needs is short.
#[test]
fn frame_that_vtk_cannot_read_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &frames()[..3]);
    let file = rust_hdf5::H5File::open_rw(&path).unwrap();
    let times = file.dataset_writer("VTKHDF/Steps/Values").unwrap();
    times.set_extent(&[2]).unwrap();
    file.close().unwrap();
    assert_eq!(read_all(&path), frames()[..2]);
    let mut writer = SnapshotWriter::open_existing(&path).unwrap();
    writer.append(&frames()[2]).unwrap();
    assert_eq!(read_all(&path), frames()[..3]);
}

#[test]
fn missing_frame_is_an_error_that_names_the_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &[frame(0, 5, 2)]);
    let error = SnapshotReader::open(&path).unwrap().read(1).unwrap_err();
    assert!(matches!(error, Error::FrameIndex { count: 1, index: 1, .. }));
}

#[test]
fn foreign_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    assert!(matches!(SnapshotReader::open(&path), Err(Error::System { .. })));
    for content in [&b""[..], b"text", &[0x89, b'H', b'D', b'F', 13, 10, 26, 10, 0, 0]] {
        std::fs::write(&path, content).unwrap();
        assert!(matches!(SnapshotReader::open(&path), Err(Error::Snapshot { .. })));
    }
}

/// Damaged files give errors or, where the damage is in numbers that nothing protects, other
/// numbers; they never panic, hang or exhaust memory.
///
/// Not through the C library: version 1.10.8 goes round in a circle in a heap of texts whose sizes are zero.
#[cfg(not(feature = "hdf5-c"))]
#[test]
fn damaged_files_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &frames()[..3]);
    let good = std::fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged");
    let mut state = 0x5eedu64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let mut refused = 0;
    for round in 0..400 {
        let mut bytes = good.clone();
        match round % 3 {
            0 => bytes.truncate(below(good.len())),
            1 => {
                for _ in 0..200 {
                    let at = below(bytes.len());
                    bytes[at] ^= 1 << below(8);
                }
            }
            _ => {
                let at = below(bytes.len() - 4_096);
                bytes[at..at + 4_096].fill([0, 0xff][below(2)]);
            }
        }
        std::fs::write(&damaged, &bytes).unwrap();
        match SnapshotReader::open(&damaged) {
            Ok(reader) => {
                for index in 0..reader.frames().len() {
                    refused += usize::from(reader.read(index).is_err());
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "only {refused} damaged files were noticed");
}

/// Replaces eight bytes behind `pattern` in the header of every dataset where they occur, and renews the checksums; returns their number.
fn forge(file: &mut [u8], pattern: &[u8], value: u64) -> usize {
    const LONGEST_HEADER: usize = 4096;
    let starts: Vec<usize> = (0..file.len()).filter(|&at| file[at..].starts_with(b"OHDR")).collect();
    let mut forged = 0;
    for start in starts {
        let header = &mut file[start..];
        let checked =
            |header: &[u8], end: usize| checksum_metadata(&header[..end]).to_le_bytes() == header[end..end + 4];
        let Some(end) = (8..LONGEST_HEADER.min(header.len() - 4)).find(|&end| checked(header, end)) else { continue };
        let Some(at) = header[..end].windows(pattern.len()).position(|bytes| bytes == pattern) else { continue };
        header[at + pattern.len()..][..8].copy_from_slice(&value.to_le_bytes());
        let checksum = checksum_metadata(&header[..end]);
        header[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
        forged += 1;
    }
    forged
}

/// Headers of datasets, behind checksums that are right, that make the library go through an index of a million chunks: it takes their number
/// from the largest extent if there is one. With 2^50 of them it would ask for memory until the process ends.
#[test]
fn forged_extents_are_refused_before_memory_is_reserved_for_their_chunks() {
    // positions and velocities of 60, 64 and no particles, in chunks of 64 rows: a dataspace message of version 2, two dimensions with largest
    // extents, then the extents
    let begin = vec![2, 2, 1, 1];
    let extent = [&begin[..], &128u64.to_le_bytes(), &3u64.to_le_bytes()].concat();
    let rows_without_end = [&extent[..], &u64::MAX.to_le_bytes()].concat();
    let form = "is not stored in chunks of whole rows that grow without end";
    let forgeries = [
        (&begin, 64 << 20, "more chunks than the file can hold"),
        (&extent, 64 << 20, form),
        (&rows_without_end, 3 << 20, form),
        (&rows_without_end, u64::MAX, form),
    ];
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read(write(folder.path(), &frames()[..3])).unwrap();
    for (pattern, value, reason) in forgeries {
        let mut bytes = good.clone();
        assert!(forge(&mut bytes, pattern, value) > 1, "nothing was forged");
        let path = folder.path().join("forged");
        std::fs::write(&path, bytes).unwrap();
        let error = SnapshotReader::open(&path).unwrap_err().to_string();
        // the C library itself refuses such an index of a dataset with any other than one dimension without end
        let refused_by_the_library = cfg!(feature = "hdf5-c") && error.contains("unlimited dimension");
        assert!(error.contains(reason) || refused_by_the_library, "{error}");
    }
}

/// VTK is not at hand in every build; this looks for the cells of every frame as its readers do. Version 9.3 takes `CellOffsets` and one row more for each
/// part before; later ones count the parts before until their cells come to `CellOffsets`.
#[test]
fn cells_are_where_old_and_new_readers_of_vtk_look_for_them() {
    let many: Vec<Frame> = (0..150).map(|k| frame(k, if k % 7 == 3 { 0 } else { 40 + k / 3 }, 0)).collect();
    for (frames, kind) in [(frames(), 0), (many, 0), (drawn(Cells::Lines), 1), (drawn(Cells::Triangles), 2)] {
        let folder = tempfile::tempdir().unwrap();
        let file = rust_hdf5::H5File::open(write(folder.path(), &frames)).unwrap();
        let read = |name: &str, from: &[usize], counts: &[usize]| -> Vec<i64> {
            file.dataset(&format!("VTKHDF/{name}")).unwrap().read_slice(from, counts).unwrap()
        };
        for (topology, name) in ["Vertices", "Lines", "Polygons", "Strips"].into_iter().enumerate() {
            let cells = read(&format!("{name}/NumberOfCells"), &[0], &[frames.len()]);
            for (step, frame) in frames.iter().enumerate() {
                let start = read("Steps/CellOffsets", &[step, topology], &[1, 1])[0];
                let mut before = 0;
                let parts = cells[..step].iter().take_while(|&&cells| {
                    let goes_on = before < start;
                    before += cells;
                    goes_on
                });
                let places = [start as usize + step, start as usize + parts.count()];
                let corners = frame.cells.corners();
                let count = if topology == kind { frame.positions.len() / corners } else { 0 };
                assert_eq!(cells[step], count as i64);
                let expected: Vec<i64> = (0..=count).map(|cell| (cell * corners) as i64).collect();
                for place in places {
                    let found = read(&format!("{name}/Offsets"), &[place], &[count + 1]);
                    assert_eq!(found, expected, "{name} of frame {step} from row {place}");
                }
            }
        }
    }
}

/// Needs an interpreter with `vtk`; its path is given in `DEM_PYTHON`.
#[test]
fn vtk_reads_every_frame() {
    let Ok(python) = std::env::var("DEM_PYTHON") else {
        println!("skipped: DEM_PYTHON does not name a Python interpreter");
        return;
    };
    // VTK 9.3 failed where the number of the frame and its cells came to more than a chunk
    let many: Vec<Frame> = (0..150).map(|k| frame(k, if k % 7 == 3 { 0 } else { 40 + k / 3 }, 0)).collect();
    for frames in [frames(), drawn(Cells::Lines), drawn(Cells::Triangles), many] {
        check_with_vtk(&python, &frames);
    }
}

fn check_with_vtk(python: &str, frames: &[Frame]) {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), frames);
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_snapshot.py"))
        .arg(&path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), frames.len());
    for (found, frame) in found.iter().zip(frames) {
        let count = frame.positions.len();
        assert_eq!(found["points"], count);
        let corners = frame.cells.corners();
        let cells: Vec<Vec<usize>> = (0..count / corners).map(|k| (k * corners..(k + 1) * corners).collect()).collect();
        assert_eq!(found["corners"], serde_json::json!(cells));
        assert_eq!(found["vertices"], if corners == 1 { count } else { 0 });
        assert_eq!(numbers(&found["time"]), [frame.time]);
        let ends = if count == 0 { vec![] } else { vec![0, count - 1] };
        let positions: Vec<f64> = ends.iter().flat_map(|&i| frame.positions[i].to_array()).collect();
        assert_eq!(numbers(&found["ends"]), positions);
        // VTK 9.3 and 9.4 leave the columns of an empty frame out
        for column in frame.point_data.iter().filter(|_| count > 0) {
            let width = column.spec.width;
            let rows: Vec<f64> =
                ends.iter().flat_map(|&i| i * width..(i + 1) * width).map(|j| number(&column.data, j)).collect();
            let name = column.spec.name.as_ref();
            assert_eq!(numbers(&found["arrays"][name]), rows, "{name} at step {}", frame.step);
        }
    }
}

/// All numbers of nested lists of texts.
fn numbers(value: &serde_json::Value) -> Vec<f64> {
    match value {
        serde_json::Value::Array(items) => items.iter().flat_map(numbers).collect(),
        serde_json::Value::String(text) => vec![text.parse().unwrap()],
        other => panic!("neither a list nor a text: {other}"),
    }
}

fn number(data: &ColumnData, index: usize) -> f64 {
    match data {
        ColumnData::F64(values) => values[index],
        ColumnData::U64(values) => values[index] as f64,
        ColumnData::I64(values) => values[index] as f64,
        ColumnData::U32(values) => f64::from(values[index]),
        ColumnData::U8(values) => f64::from(values[index]),
    }
}
