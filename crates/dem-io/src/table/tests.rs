//! Tables as other programs write them, right and wrong.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn read_bytes(bytes: &[u8], limits: TableLimits) -> Result<Vec<ParticleRow>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, bytes).unwrap();
    read_particle_table_within(&path, limits).map_err(|error| {
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
        ("x,y,z,r\n1,2,3\n", "table.csv:2: 3 fields, expected 4 as in the header"),
        ("x,y,z,r\n1,2,3,4,5\n", "table.csv:2: 5 fields, expected 4 as in the header"),
        ("x,y,z\n1,2,3\n", "table.csv:1: the column `r` is missing, x, y, z and r are required, separated by commas"),
        ("x,y,z,r,x\n", "table.csv:1: the column `x` appears twice"),
        (
            "x,y,z,r,materail\n",
            "table.csv:1: column 5 has the unknown name `materail`, did you mean `material`?; \
             known are x, y, z, r, vx, vy, vz, wx, wy, wz, qx, qy, qz, qw, material",
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
    assert_eq!(read(&quoted).unwrap_err(), "table.csv:3: 1 fields, expected 5 as in the header");
}

#[test]
fn path_that_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(read_particle_table(folder.path()), Err(TableError::NotAFile { .. })));
    assert!(matches!(read_particle_table(folder.path().join("none.csv")), Err(TableError::Io { .. })));
}
