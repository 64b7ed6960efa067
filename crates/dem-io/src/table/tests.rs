//! Tables as other programs write them, right and wrong.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use glam::DVec3;

use super::*;

fn read_bytes(bytes: &[u8], limits: TableLimits) -> Result<Vec<ParticleRow>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, bytes).unwrap();
    read_particle_table_in(&path, 1.0, limits).map_err(|error| {
        let text = error.to_string();
        let name = path.display().to_string();
        assert!(text.starts_with(&name), "{text}");
        text.replace(&name, "table.csv")
    })
}

fn read(text: &str) -> Result<Vec<ParticleRow>, String> {
    read_bytes(text.as_bytes(), TableLimits::default())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let text = "\u{feff}# made by hand\r\n\r\nr, material ,z,y,x,wz,vx\r\n\
                0.5,\"glass\",3,2,1,9,4\r\n# between\r\n1e-3,,0,0,-1.25,0,0";
    let rows = read(text).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].position, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(rows[0].radius, 0.5);
    assert_eq!(rows[0].velocity, DVec3::new(4.0, 0.0, 0.0));
    assert_eq!(rows[0].angular_velocity, DVec3::new(0.0, 0.0, 9.0));
    assert_eq!(rows[0].material.as_deref(), Some("glass"));
    assert_eq!(rows[1].material, None);
    assert_eq!(rows[1].position.x, -1.25);
}

/// Tables as numpy, spreadsheets and other codes write them.
#[test]
fn separators_names_of_the_size_and_commented_headers_are_read_alike() {
    let expected = read("x,y,z,r,vx\n1,2,3,0.5,7\n-4,5,6,0.25,8\n").unwrap();
    for text in [
        "# x,y,z,radius,vx\n1,2,3,0.5,7\n-4,5,6,0.25,8\n",
        "# saved by a program\n#x y z d vx\n 1.0 2 3 1.0 7\n-4  5\t6 .5 8\n",
        "id;diameter;x;y;z;vx\n9; 1; 1;2;3; 7\n1;0.5;-4;5;6;8",
        "x\ty\tz\tr\tvx\tmaterial\n1\t2\t3\t0.5\t7\t\n-4\t5\t6\t0.25\t8\t\n",
        "vx x y z radius id\n# in between\n7 1 2 3 0.5 0\n8 -4 5 6 0.25 18446744073709551615\n",
    ] {
        assert_eq!(read(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn lengths_are_in_the_unit_and_velocities_in_si() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, "x,y,z,d,vx,wz\n2.5,-0.3,1e3,0.7,2,3\n").unwrap();
    let row = &read_particle_table_in(&path, 1e-3, TableLimits::default()).unwrap()[0];
    // as near as the same digits in metres
    assert_eq!((row.position, row.radius), (DVec3::new(2.5e-3, -0.3e-3, 1.0), 0.35e-3));
    assert_eq!((row.velocity.x, row.angular_velocity.z), (2.0, 3.0));
    let tiny = read_particle_table_in(&path, 1e-323, TableLimits::default()).unwrap_err();
    assert!(tiny.to_string().contains("expected a diameter > 0"), "{tiny}");
}

#[test]
fn gzip_is_recognised_by_content_and_may_have_several_members() {
    let text = "x,y,z,r\n1,2,3,4\n";
    let mut bytes = gzip(text.as_bytes());
    bytes.extend(gzip(b"5,6,7,8\n"));
    let rows = read_bytes(&bytes, TableLimits::default()).unwrap();
    assert_eq!(rows[..1], read(text).unwrap()[..]);
    assert_eq!(rows[1].radius, 8.0);
    let cut = read_bytes(&bytes[..bytes.len() - 9], TableLimits::default());
    assert!(cut.unwrap_err().starts_with("table.csv: cannot be read"));
}

#[test]
fn error_names_line_column_and_text() {
    let cases = [
        ("x,y,z,r\n1,2,3,4\n1,b,3,4\n", "table.csv:3: column 2 (y) is \"b\", expected a finite number"),
        ("# c\nx,y,z,r\n\n1,2,NaN,4\n", "table.csv:4: column 3 (z) is \"NaN\", expected a finite number"),
        ("x,y,z,r\n1,2,3,0\n", "table.csv:2: column 4 (r) is \"0\", expected a radius > 0 [m]"),
        ("x,y,z,r\n1,2,3\n", "table.csv:2: 3 fields separated by commas, expected 4 as in the header"),
        ("x,y,z,r\n1,2,3,4,5\n", "table.csv:2: 5 fields separated by commas, expected 4 as in the header"),
        (
            "x,y,z\n1,2,3\n",
            "table.csv:1: the column `r` is missing, x, y, z and one of r, radius, d and diameter are required, separated by commas, semicolons, tabs or blanks",
        ),
        ("x,y,z,r,x\n", "table.csv:1: the column `x` appears twice"),
        (
            "x,y,z,r,materail\n",
            "table.csv:1: column 5 has the unknown name `materail`, did you mean `material`?; \
             known are x, y, z, r, vx, vy, vz, wx, wy, wz, qx, qy, qz, qw, radius, d, diameter, material, id",
        ),
        (
            "x,y,z,r,radius\n",
            "table.csv:1: the columns `r` and `radius` both give the size, expected one of r, radius, d and diameter",
        ),
        (
            "x,y,z,d,r\n",
            "table.csv:1: the columns `d` and `r` both give the size, expected one of r, radius, d and diameter",
        ),
        ("x,y;z,r\n", "table.csv:1: the header has commas and semicolons, expected one of both between columns"),
        ("x y z diameter\n0 0 0 0\n", "table.csv:2: column 4 (diameter) is \"0\", expected a diameter > 0 [m]"),
        ("x;y;z;r\n0;0;0;0,5\n", "table.csv:2: column 4 (r) is \"0,5\", expected a finite number"),
        ("id,x,y,z,r\n7,0,0,0,1\n\n7,3,0,0,1\n", "table.csv:4: id 7 is that of the particle in line 2"),
        ("id,x,y,z,r\n-1,0,0,0,1\n", "table.csv:2: column 1 (id) is \"-1\", expected a whole number from 0"),
        (
            "# my packing\n1 2 3 4\n",
            "table.csv:2: a row of numbers without a header, expected a line such as `x,y,z,r` or `# x,y,z,r` before it",
        ),
        ("# nothing\n", "table.csv: no header line, expected a line such as `x,y,z,r`"),
    ];
    for (text, message) in cases {
        assert_eq!(read(text).unwrap_err(), message);
    }
}

#[test]
fn limits_stop_a_table_that_is_too_large() {
    let limits = TableLimits { bytes: 1000, rows: 3 };
    let rows = |count: usize| format!("x,y,z,r\n{}", "1,2,3,4\n".repeat(count));
    assert_eq!(read_bytes(rows(3).as_bytes(), limits).unwrap().len(), 3);
    assert_eq!(read_bytes(rows(4).as_bytes(), limits).unwrap_err(), "table.csv: more than 3 rows");
    // A gzip bomb: small on disk, large when unpacked.
    let bomb = gzip(format!("#{}", "\n#".repeat(1_000_000)).as_bytes());
    assert!(bomb.len() < 10_000);
    assert_eq!(read_bytes(&bomb, limits).unwrap_err(), "table.csv: larger than 1000 bytes after decompression");
    let long = format!("x,y,z,r\n1,2,3,{}", "4".repeat(100_000));
    assert_eq!(read(&long).unwrap_err(), "table.csv:2: line longer than 65536 bytes");
    let quoted = format!("x,y,z,r,material\n1,2,3,4,\"{}", "a\n".repeat(10));
    assert_eq!(read(&quoted).unwrap_err(), "table.csv:3: 1 fields separated by commas, expected 5 as in the header");
}

#[test]
fn path_that_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(read_particle_table(folder.path()), Err(TableError::NotAFile { .. })));
    assert!(matches!(read_particle_table(folder.path().join("none.csv")), Err(TableError::Io { .. })));
}
