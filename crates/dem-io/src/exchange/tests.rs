//! Files that other codes wrote, files that were written here, and files that are wrong.

use std::path::PathBuf;

use glam::{DQuat, DVec3};

use super::*;
use crate::snapshot::{Cells, Column, ColumnData, ColumnSpec};
use crate::table::read_particle_table;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/exchange").join(name)
}

fn read_file(name: &str) -> ForeignState {
    read(file(name), ReadRequest::default()).unwrap()
}

fn read_text(text: &str) -> Result<ForeignState, String> {
    read_bytes("f", text.as_bytes(), ReadRequest::default()).map_err(|error| error.to_string())
}

#[test]
fn data_file_that_lammps_wrote() {
    let state = read_file("lammps.data");
    assert_eq!((state.format, state.step), (ForeignFormat::LammpsData, Some(3000)));
    assert_eq!(state.units, UnitsInFile::Known("si".to_owned(), ForeignUnits { length: 1.0, time: 1.0, mass: 1.0 }));
    assert_eq!(state.kinds, ["type_1", "type_2"]);
    assert_eq!(state.particles.len(), 12);
    let first = &state.particles[0];
    assert_eq!((first.id, first.kind, first.radius, first.density), (Some(10), 0, 0.002, Some(2500.0)));
    assert_eq!(first.position, DVec3::new(0.00013974668759896653, 0.0008888410010200966, 0.004172373173444331));
    assert_eq!(first.velocity, DVec3::new(0.2853434637185515, -0.17698444209644204, -0.27942999999999696));
    let bounds = state.bounds.unwrap();
    assert_eq!((bounds.origin, bounds.edges[2].z, bounds.periodic), (DVec3::ZERO, 0.04, [None; 3]));
    assert!(state.assumed.is_empty() && state.present.velocity && state.present.angular_velocity);
}

#[test]
fn dump_that_lammps_wrote_is_the_data_file_at_its_end() {
    let last = read_file("lammps.dump");
    assert_eq!((last.frame, last.step), (3, Some(3000)));
    assert_eq!(last.time, Some(0.003));
    assert_eq!(last.bounds.unwrap().periodic, [Some(true), Some(true), Some(false)]);
    let data = read_file("lammps.data");
    let by_id = |state: &ForeignState| {
        let mut all = state.particles.clone();
        all.sort_by_key(|particle| particle.id);
        all
    };
    for (a, b) in by_id(&last).iter().zip(by_id(&data)) {
        // write_data has the numbers of the dump with as many digits as it takes
        assert_eq!((a.id, a.kind, a.position, a.radius, a.velocity), (b.id, b.kind, b.position, b.radius, b.velocity));
        // from a mass
        assert!((a.density.unwrap() / b.density.unwrap() - 1.0).abs() < 1e-14);
    }
    let first = read(file("lammps.dump"), ReadRequest { frame: 0, ..ReadRequest::default() }).unwrap();
    assert_eq!((first.step, first.time), (Some(0), Some(0.0)));
    let same = read(file("lammps.dump"), ReadRequest { frame: -4, ..ReadRequest::default() }).unwrap();
    assert_eq!(first, same);
    for frame in [4, -5, i64::MIN, i64::MAX] {
        let error = read(file("lammps.dump"), ReadRequest { frame, ..ReadRequest::default() }).unwrap_err();
        assert!(error.to_string().ends_with(&format!("has no frame {frame}, expected -4 to 3")), "{error}");
    }
}

#[test]
fn dump_of_liggghts_names_the_type_twice() {
    let state = read_file("liggghts.dump");
    assert_eq!((state.frame, state.step, state.particles.len()), (1, Some(1000), 3));
    let [third, first, second] = &state.particles[..] else { panic!("three") };
    assert_eq!((third.id, first.id, second.id), (Some(3), Some(1), Some(2)));
    assert_eq!((first.position.z, first.radius, first.velocity.z), (0.0801, 0.0025, -1.098));
    assert_eq!(first.angular_velocity, DVec3::new(0.0, 0.5, -2.0));
    assert_eq!((&*state.kinds[second.kind as usize], second.radius), ("type_2", 0.004));
    assert!(!state.present.density);
    assert_eq!(state.left_out, ["the columns ix, iy, iz, fx, fy, fz"]);
}

#[test]
fn texts_that_yade_wrote() {
    for (name, has_kinds) in [
        ("yade_text.txt", false),
        ("yade_x_y_z_r_attrs.txt", false),
        ("yade_x_y_z_r_matId.txt", true),
        ("yade_id_x_y_z_r_matId.txt", true),
    ] {
        let state = read_file(name);
        assert_eq!((state.format, state.particles.len()), (ForeignFormat::Yade, 9), "{name}");
        let second = &state.particles[1];
        assert_eq!((second.position, second.radius), (DVec3::new(0.0066, 0.0013, 0.00666667), 0.0027), "{name}");
        assert_eq!(state.present.kind, has_kinds);
        if has_kinds {
            assert_eq!(
                (&*state.kinds[state.particles[0].kind as usize], &*state.kinds[second.kind as usize]),
                ("type_1", "type_0")
            );
        }
    }
    // radii, though a data file has diameters
    let state = read_file("yade_liggghts_in.txt");
    assert_eq!(state.format, ForeignFormat::LammpsData);
    assert_eq!((state.particles[1].radius, state.particles[1].density), (0.0027, Some(2600.0)));
    assert!(state.assumed.iter().any(|text| text.contains("radii")), "{:?}", state.assumed);
}

#[test]
fn data_of_mercury_have_frames_of_fourteen_columns() {
    let state = read_file("mercury.data");
    assert_eq!((state.frame, state.time, state.particles.len()), (1, Some(0.1), 3));
    let second = &state.particles[1];
    assert_eq!((second.position, second.radius), (DVec3::new(0.06, 0.07, 0.07095), 0.004));
    assert_eq!((second.velocity, second.angular_velocity), (DVec3::new(0.25, 0.0, -0.981), DVec3::new(1.0, 2.0, -3.0)));
    assert_eq!(state.kinds, ["type_0", "type_1"]);
    assert_eq!(state.bounds.unwrap().edges[2].z, 0.2);
}

#[test]
fn balls_of_pfc_as_commands_and_as_a_table() {
    let state = read_file("pfc_commands.dat");
    let [first, second, third] = &state.particles[..] else { panic!("three") };
    assert_eq!((first.id, first.position, first.radius), (Some(1), DVec3::new(0.02, 0.03, 0.04), 0.01));
    assert_eq!((second.position.x, second.velocity), (-0.02, DVec3::new(0.1, 0.0, -0.2)));
    assert_eq!((third.position, third.density), (DVec3::new(0.05, 0.0, -0.05), Some(7800.0)));
    assert_eq!((&*state.kinds, third.kind), (&["glass".to_owned(), "steel".to_owned()][..], 1));
    assert_eq!(state.left_out, ["4 lines with other commands than `ball create`"]);
    let table = read_file("pfc_table.csv");
    assert_eq!(table.format, ForeignFormat::Pfc);
    assert_eq!(table.particles[1].angular_velocity, DVec3::new(1.0, 2.0, 3.0));
    let places =
        |state: &ForeignState| state.particles.iter().map(|p| (p.id, p.position, p.radius)).collect::<Vec<_>>();
    assert_eq!(places(&table), places(&state));
}

#[test]
fn extended_xyz_that_ase_wrote() {
    let state = read_file("ase.xyz");
    let first = &state.particles[0];
    assert_eq!((first.id, first.position, first.radius), (Some(3), DVec3::new(0.01, 0.02, 0.03), 0.004));
    assert_eq!((first.velocity.z, first.density), (-0.33333333, Some(2500.0)));
    let bounds = state.bounds.unwrap();
    assert_eq!((bounds.edges[2], bounds.periodic), (DVec3::Z * 0.2, [Some(true), Some(true), Some(false)]));
}

/// Particles with numbers that need all their digits.
fn columns() -> Vec<Column> {
    let of = |name, width, data| Column { spec: ColumnSpec::new(name, "1", "", width), data };
    let third = 1.0 / 3.0;
    let q = DQuat::from_rotation_x(0.7) * DQuat::from_rotation_z(1.3);
    vec![
        of("id", 1, ColumnData::U64(vec![u64::MAX, 3])),
        of("radius", 1, ColumnData::F64(vec![third * 1e-3, 5e-324f64.max(1e-9 * third)])),
        of("velocity", 3, ColumnData::F64(vec![third, -2e-17, 1e22, 0.1, -0.0, 7.0])),
        of("angular_velocity", 3, ColumnData::F64(vec![1e-300, 2.0 * third, 3.0, 0.0, 0.0, 0.0])),
        of("orientation", 4, ColumnData::F64(vec![q.x, q.y, q.z, q.w, 0.0, 0.0, 0.0, 1.0])),
        of("material", 1, ColumnData::U32(vec![1, 0])),
    ]
}

fn frame<'a>(
    positions: &'a [DVec3],
    columns: &'a [Column],
    materials: &'a [String],
    cell: Option<OutgoingCell>,
) -> ParticleFrame<'a> {
    ParticleFrame { step: 12, time: 0.1 + 0.2, cell, positions, columns, materials }
}

fn cells() -> [Option<OutgoingCell>; 4] {
    let of = |edges: [[f64; 3]; 3]| {
        Some(OutgoingCell {
            origin: DVec3::new(0.1, -0.3, 0.7),
            edges: edges.map(DVec3::from_array),
            periodic: [true, true, false],
        })
    };
    [
        None,
        of([[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]]),
        of([[0.1, 0.0, 0.0], [-0.03, 0.2, 0.0], [0.02, -0.04, 0.3]]),
        of([[0.1, 0.01, 0.0], [-0.03, 0.2, 0.005], [0.02, -0.04, 0.3]]),
    ]
}

#[test]
fn every_bit_survives_text_and_back() {
    let positions = [DVec3::new(1.0 / 3.0, 1e-7 / 3.0, -0.1), DVec3::new(2.0 / 7.0, 3.0, 0.30000000000000004)];
    let (columns, materials) = (columns(), ["glass".to_owned(), "steel".to_owned()]);
    for cell in cells() {
        let frame = frame(&positions, &columns, &materials, cell);
        let mut dump = Vec::new();
        write_lammps_dump(&mut dump, &frame, true).unwrap();
        write_lammps_dump(&mut dump, &ParticleFrame { step: 13, ..frame.clone() }, false).unwrap();
        let mut xyz = Vec::new();
        write_extended_xyz(&mut xyz, &frame).unwrap();
        write_extended_xyz(&mut xyz, &ParticleFrame { step: 13, ..frame.clone() }).unwrap();
        for text in [dump, xyz] {
            let shown = String::from_utf8_lossy(&text).into_owned();
            let state = read_bytes("f", &text, ReadRequest::default()).unwrap();
            assert_eq!((state.step, state.time, state.frame), (Some(13), Some(0.1 + 0.2), 1), "{shown}");
            let ColumnData::F64(radii) = &columns[1].data else { panic!("numbers") };
            for (row, particle) in state.particles.iter().enumerate() {
                assert_eq!((particle.position, particle.radius), (positions[row], radii[row]), "{shown}");
            }
            assert_eq!(state.particles[0].id, Some(u64::MAX));
            assert_eq!(state.particles[0].velocity, DVec3::new(1.0 / 3.0, -2e-17, 1e22));
            assert_eq!(state.particles[0].angular_velocity, DVec3::new(1e-300, 2.0 / 3.0, 3.0));
            assert_eq!(state.particles[1].velocity.y.to_bits(), (-0.0f64).to_bits());
            let kind = &state.kinds[state.particles[0].kind as usize];
            assert_eq!(kind, if state.format == ForeignFormat::ExtendedXyz { "steel" } else { "type_2" });
            let ColumnData::F64(q) = &columns[4].data else { panic!("numbers") };
            let q = DQuat::from_slice(&q[..4]);
            assert!(state.particles[0].orientation.unwrap().abs_diff_eq(q, 1e-15));
            if let Some(cell) = cell {
                let bounds = state.bounds.unwrap();
                assert_eq!(bounds.periodic, [Some(true), Some(true), Some(false)]);
                for k in 0..3 {
                    // a dump has the extent of a tilted box
                    assert!(bounds.edges[k].abs_diff_eq(cell.edges[k], 1e-15), "{shown}");
                    assert!((bounds.origin[k] - cell.origin[k]).abs() < 1e-15, "{shown}");
                }
            }
        }
    }
}

#[test]
fn csv_with_the_columns_of_a_table_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("particles.csv");
    let positions = [DVec3::new(1.0 / 3.0, 1e-7 / 3.0, -0.1), DVec3::new(2.0 / 7.0, 3.0, 0.30000000000000004)];
    let (columns, materials) = (columns(), ["glass".to_owned(), "steel".to_owned()]);
    let mut text = Vec::new();
    write_csv(&mut text, &frame(&positions, &columns, &materials, None)).unwrap();
    std::fs::write(&path, &text).unwrap();
    let rows = read_particle_table(&path).unwrap();
    assert_eq!(rows[0].position, positions[0]);
    assert_eq!(rows[1].position, positions[1]);
    assert_eq!(rows[0].radius, 1.0 / 3.0 * 1e-3);
    assert_eq!((rows[0].velocity.z, rows[0].angular_velocity.y), (1e22, 2.0 / 3.0));
    assert_eq!((rows[0].material.as_deref(), rows[1].material.as_deref()), (Some("steel"), Some("glass")));
    let ColumnData::F64(q) = &columns[4].data else { panic!("numbers") };
    assert!(rows[0].orientation.unwrap().abs_diff_eq(DQuat::from_slice(&q[..4]), 1e-15));
}

/// Where arrays of a VTP file begin, and that the last one ends where the bytes do; what VTK reads is a test of its own.
#[test]
fn arrays_of_a_vtp_file_lie_where_its_head_says() {
    let positions = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
    let of = |name, width, data| Column { spec: ColumnSpec::new(name, "1", "", width), data };
    let columns = [of("id", 1, ColumnData::U64(vec![1, 2, 3, 4])), of("mode", 1, ColumnData::U8(vec![0, 1, 2, 0]))];
    for cells in [Cells::Vertices, Cells::Lines] {
        let mut bytes = Vec::new();
        write_vtp(&mut bytes, 0.5, cells, &positions, &columns).unwrap();
        let mark = b"encoding=\"raw\">\n_";
        let begin = bytes.windows(mark.len()).position(|window| window == mark).unwrap() + mark.len();
        let head = String::from_utf8(bytes[..begin].to_vec()).unwrap();
        let end = bytes.len() - b"\n</AppendedData>\n</VTKFile>\n".len();
        let mut at = begin;
        for part in head.split("offset=\"").skip(1) {
            let offset: usize = part.split('"').next().unwrap().parse().unwrap();
            assert_eq!(begin + offset, at, "{head}");
            at += 8 + u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        }
        assert_eq!(at, end, "{head}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let atoms = |rows: &str| {
        format!(
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS {rows}"
        )
    };
    let data = |rows: &str| format!("title\n\n1 atoms\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\n{rows}");
    let xyz = |line: &str| format!("1\n{line}\n1 2 3 4\n");
    for (text, expected) in [
        (
            "",
            "f: the format cannot be told from the content, expected --format with one of lammps-data, lammps-dump, xyz, yade, mercury, pfc",
        ),
        ("x,y,z,r\n1,2,3,4\n", "the format cannot be told"),
        (&atoms("id x y z\n1 0 0 0\n2 1 1 1\n"), "f:9: expected a column of radii or diameters, found id x y z"),
        (&atoms("id x y radius\n1 0 0 1\n"), "f:9: expected columns of x, y and z"),
        (&atoms("id x y z radius\n1 0 0 0 1\n"), "f: ends after 1 of 2 particles of a frame"),
        (
            &atoms("id x y z radius\n1 0 0 0 1\n1 0 nan 0 1\n"),
            "f:11: column 3 (y) is \"nan\", expected a finite number",
        ),
        (&atoms("id x y z radius\n1 0 0 0 -1\n"), "f:10: column 5 (radius) is \"-1\", expected a number above 0"),
        (&atoms("id x y z radius\n1 0 0 0\n"), "f:10: 4 fields, expected 5: id x y z radius"),
        (&atoms("id x y z radius vx\n1 0 0 0 1 1\n"), "f:9: expected all components of the velocity or none"),
        (&atoms("id xs ys zs radius radius\n"), "f:9: the column `radius` has the meaning of one before it"),
        ("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ENTRIES\n3\n", "f:3: ITEM: NUMBER OF ENTRIES, expected TIMESTEP"),
        (
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n99999999999999\n",
            "f:4: 99999999999999 particles, expected at most",
        ),
        ("ITEM: TIMESTEP\n0\n", "f: ends within the header of a frame"),
        (
            &data("Atoms # full\n\n1 1 1 0 0 0 0\n"),
            "f:8: atom style \"full\", expected sphere, bpm/sphere or hybrid sphere",
        ),
        (
            &data("Atoms # sphere\n\n1 1 0 2500 0 0 0\n"),
            "f:10: column 3 (diameter) is \"0\", expected a number above 0",
        ),
        (&data("Atoms # sphere\n\n1 1 1 2500 0 0\n"), "f:10: 6 fields, expected 7, or 10 with the cells crossed"),
        (&data("Atoms # sphere\n\n1 1 1 2500 0 0 0\n\nVelocities\n\n2 0 0 0\n"), "gives particle 1 no velocity"),
        (&data("Masses\n\n1 1\n"), "f: has no section Atoms"),
        (&data("Atoms # sphere\n"), "f:8: the file ends within this section"),
        (&xyz("Properties=species:S:1:pos:R:3"), "f:2: expected a column of radii"),
        (&xyz("Properties=pos:R:3:radius:R:99"), "f:2: Properties of radius need a count from 1 to 16"),
        (
            &xyz("Lattice=\"1 0 0 0 1 0 0 0 0\" Properties=pos:R:3:radius:R:1"),
            "f:2: expected a Lattice with a volume above 0",
        ),
        ("#format x_y_z\n1 2 3\n", "f:1: #format x_y_z, expected one of x_y_z_r"),
        ("1 0 0 0 1 1\n0 0 0 0 1 0 0 0\n", "f:1: a header of two dimensions"),
        ("ball create radius 1 position 0 0\n", "f:1: expected three numbers behind position"),
        ("ball create radius 1 colour 3\n", "f:1: the word colour of ball create is not known here"),
        ("ball create position 0 0 0\n", "f:1: expected a column of radii"),
    ] {
        let message = read_text(text).unwrap_err();
        assert!(message.contains(expected), "{text:?}: {message}");
    }
    assert!(read(file("nowhere"), ReadRequest::default()).unwrap_err().to_string().contains("cannot be read"));
    assert!(read(file(""), ReadRequest::default()).unwrap_err().to_string().contains("directory"));
}

#[test]
fn systems_of_units_are_told_by_their_names() {
    let units = |name: &str| {
        let title = format!("LAMMPS data file via write_data, version 1, timestep = 7, units = {name}");
        read_text(&format!("{title}\n\n1 atoms\n0 1 xlo xhi\n\nAtoms # sphere\n\n1 1 1 1 0 0 0\n")).unwrap_err();
        read_text(&format!(
            "{title}\n\n1 atoms\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n1 1 1 1 0 0 0\n"
        ))
        .unwrap()
        .units
    };
    let UnitsInFile::Known(name, cgs) = units("cgs") else { panic!("known") };
    assert_eq!((name.as_str(), cgs), ("cgs", ForeignUnits { length: 0.01, time: 1.0, mass: 1e-3 }));
    assert_eq!(units("lj"), UnitsInFile::Free("lj".to_owned()));
}
