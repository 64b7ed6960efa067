use glam::DVec3;

use super::error::Fault;
use super::{ENDINGS, FileFault, LineFault, MeshFileError, obj, ply, read};
use crate::stl::Triangle;

fn area(triangles: &[Triangle]) -> f64 {
    triangles.iter().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
}

fn obj_of(text: &str) -> Result<Vec<Triangle>, String> {
    obj::parse(text.as_bytes()).map_err(said)
}

fn ply_of(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    ply::parse(bytes).map_err(said)
}

fn said(fault: Fault) -> String {
    match fault {
        Fault::Line(line, fault) => format!("line {line}: {fault}"),
        Fault::File(fault) => fault.to_string(),
    }
}

const SQUARE: &str =
    "# a square\no part\ng side\nusemtl steel\nv 0 0 0\nv 2 0 0 1.0\nv 2 2 0 0.5 0.5 0.5\nv 0 2 0\nvt 0 0\nvn 0 0 1\n";

#[test]
fn faces_of_obj_may_be_written_in_all_ways() {
    let expected = [
        [DVec3::ZERO, DVec3::X * 2.0, DVec3::new(2.0, 2.0, 0.0)],
        [DVec3::ZERO, DVec3::new(2.0, 2.0, 0.0), DVec3::Y * 2.0],
    ];
    for face in [
        "f 1 2 3 4",
        "f 1/1 2/1 3/1 4/1\n",
        "f 1//1 2//1 3//1 4//1\r\n",
        "f 1/1/1 2/1/1 3/1/1 4/1/1",
        "f -4 -3 -2 -1",
        "s off\nf 1 2 3\nf 1 3 4 # the rest",
        "f 1 2 \\\n 3 4",
        "l 1 2\np 3\nf  1\t2 3   4  ",
    ] {
        assert_eq!(obj_of(&format!("{SQUARE}{face}")).unwrap(), expected, "{face}");
    }
    // before their vertices, after a byte order mark
    assert_eq!(obj_of(&format!("\u{feff}f 1 2 3 4\n{SQUARE}")).unwrap(), expected);
    // relative to the vertices so far
    let two = format!("{SQUARE}f -4 -3 -2\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\n");
    assert_eq!(obj_of(&two).unwrap()[1], [DVec3::Z * 5.0, DVec3::new(1.0, 0.0, 5.0), DVec3::new(0.0, 1.0, 5.0)]);
}

#[test]
fn polygons_with_dents_are_cut_within_their_outline() {
    // an L, in planes of all directions, and one that a fan from its first corner would leave
    let outline = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)];
    for (u, v) in [(DVec3::X, DVec3::Y), (DVec3::Z, DVec3::X), (DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.0, 1.0, 0.0))] {
        for shift in 0..6 {
            let mut text = String::new();
            for k in 0..6 {
                let (x, y) = outline[(k + shift) % 6];
                let place = u * x + v * y;
                text += &format!("v {} {} {}\n", place.x, place.y, place.z);
            }
            let triangles = obj_of(&(text + "f 1 2 3 4 5 6\n")).unwrap();
            assert_eq!(triangles.len(), 4);
            assert!((area(&triangles) - 5.0).abs() < 1e-12, "{shift}: {triangles:?}");
            let normals = triangles.iter().map(|[a, b, c]| (b - a).cross(c - a).normalize());
            assert!(normals.into_iter().all(|normal| normal.dot(u.cross(v)).abs() > 1.0 - 1e-12));
        }
    }
    // a quadrangle with a dent at its third corner, which the shorter diagonal would leave
    let arrow = obj_of("v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 2 3 4 1\n").unwrap();
    assert!((area(&arrow) - 0.5 * 2.0 * (2.0 - 0.5)).abs() < 1e-12 || (area(&arrow) - 0.5).abs() < 1e-12, "{arrow:?}");
    assert_eq!(arrow.len(), 2);
    // one without area stays, to be counted
    assert_eq!(obj_of("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4\n").unwrap().len(), 1);
}

#[test]
fn faults_of_obj_name_their_lines() {
    for (text, expected) in [
        ("v 0 0\n", "line 1: the end of the line, expected a finite number for z"),
        ("\nv 0 x 0\n", "line 2: \"x\", expected a finite number for y"),
        ("v 0 0 1e999\n", "line 1: \"1e999\", expected a finite number for z"),
        ("v 0 0 nan\n", "line 1: \"nan\", expected a finite number for z"),
        ("v 0 0 0\nf 1 1\n", "line 2: a face of 2 corners, expected 3 at least"),
        ("v 0 0 0\nf\n", "line 2: a face of 0 corners, expected 3 at least"),
        ("v 0 0 0\nf 1 1 0\n", "line 2: \"0\", expected the number of a vertex"),
        ("v 0 0 0\nf 1 1 a/2\n", "line 2: \"a/2\", expected the number of a vertex"),
        ("v 0 0 0\nf 1 1 -2\n", "line 2: vertex -2, expected one of the 1 of the file"),
        ("v 0 0 0\nf 1 1 4\nv 0 0 0", "line 2: vertex 4, expected one of the 2 of the file"),
        ("v 0 0 0\nf 1 1 99999999999\n", "line 2: vertex 99999999999, expected one of"),
        ("v 0 0 0\n", "has no faces, expected at least one"),
        ("", "has no faces"),
        ("v 0 0 0\nv 1 \\\n0 \\\n y\n", "line 2: \"y\", expected a finite number for z"),
    ] {
        let message = obj_of(text).unwrap_err();
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
    assert!(matches!(obj::parse(b"v 0 0 0\nf \xff"), Err(Fault::Line(2, LineFault::NoText))));
}

const HEADER: &str = "ply\nformat FORMAT 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face 2\nproperty list uchar int vertex_indices\nproperty uchar flags\nelement edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n";
const TEXT: &str = "0 0 0 255\n1 0 0.5 255\n1 1 0 255\n0 1 0 255\n3 0 1 2 7\n4 0 1 2 3 7\n0 1\n";

/// The same in binary, with bytes of either order.
fn binary(big: bool) -> Vec<u8> {
    let mut bytes =
        HEADER.replace("FORMAT", if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
    let float = |x: f32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
    let int = |x: i32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
    for x in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]] {
        bytes.extend(x.into_iter().flat_map(float));
        bytes.push(255);
    }
    for corners in [&[0, 1, 2][..], &[0, 1, 2, 3]] {
        bytes.push(corners.len() as u8);
        bytes.extend(corners.iter().copied().flat_map(int));
        bytes.push(7);
    }
    bytes.extend([0, 1].into_iter().flat_map(int));
    bytes
}

fn text() -> String {
    HEADER.replace("FORMAT", "ascii") + TEXT
}

#[test]
fn text_and_both_orders_of_bytes_of_ply_give_the_same_triangles() {
    let triangles = ply_of(text().as_bytes()).unwrap();
    assert_eq!(triangles[0], [DVec3::ZERO, DVec3::new(1.0, 0.0, 0.5), DVec3::new(1.0, 1.0, 0.0)]);
    assert_eq!(triangles.len(), 3);
    assert_eq!(ply_of(&binary(false)).unwrap(), triangles);
    assert_eq!(ply_of(&binary(true)).unwrap(), triangles);
    // other types, another name, other ends of lines
    let other = text().replace("float", "double").replace("uchar int vertex_indices", "int32 uint16 vertex_index");
    assert_eq!(ply_of(other.replace('\n', "\r\n").as_bytes()).unwrap(), triangles);
    assert_eq!(ply_of(text().replace("uchar int", "uint uint").as_bytes()).unwrap(), triangles);
}

#[test]
fn faults_of_ply_are_told_with_their_lines_or_elements() {
    for (old, new, expected) in [
        ("ply\n", "plx\n", "line 1: Expected magic number 'ply'"),
        ("format ascii", "format words", "line 2: Couldn't parse line."),
        ("property float y", "property word y", "line 6: Couldn't parse line."),
        ("1 1 0 255\n", "1 1 up 255\n", "line 18: Couldn't read element line."),
        ("1 1 0 255\n", "1 1 0\n", "line 18: "),
        ("4 0 1 2 3 7", "9 0 1 2 3 7", "line 21: "),
        ("4 0 1 2 3 7", "4 0 1 2 4 7", "face 2 has the vertex 4, expected 0 to 3"),
        ("4 0 1 2 3 7", "4 0 1 2 -1 7", "face 2 has the vertex -1, expected 0 to 3"),
        ("3 0 1 2 7", "2 0 1 7", "face 1 has 2 corners, expected 3 at least"),
        ("1 0 0.5 255", "1 0 1e999 255", "vertex 2 is not finite"),
        ("property float z\n", "", "has no element vertex with x, y and z"),
        ("vertex_indices", "strips", "has no element face with a list vertex_indices or vertex_index"),
        (
            "element vertex 4",
            "element vertex 4000000000",
            "is cut off or no PLY file: its header announces 4000000000 of the element vertex",
        ),
        ("element edge 1", "element edge 99", "is cut off or no PLY file: its header announces 99 of the element edge"),
        ("element face 2", "element face 0", "has no faces, expected at least one"),
        ("end_header\n", "", "line 15: Couldn't parse line."),
    ] {
        let changed = text().replacen(old, new, 1);
        assert_ne!(changed, text(), "{old}");
        let message = ply_of(changed.as_bytes()).unwrap_err();
        assert!(message.starts_with(expected), "{old:?} -> {new:?}: {message}");
        assert!(!message.contains('\n') && message.len() < 300, "{message}");
    }
    let whole = binary(false);
    for length in 0..whole.len() {
        assert!(ply_of(&whole[..length]).is_err(), "{length} bytes");
    }
    assert!(ply_of(b"").unwrap_err().contains("end of file"));
    assert!(ply_of(&whole[..whole.len() - 3]).unwrap_err().contains("edge"));
}

#[test]
fn the_ending_tells_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let square = format!("{SQUARE}f 1 2 3 4\n");
    for (name, contents) in [("a.obj", square.as_bytes()), ("a.Obj", square.as_bytes()), ("a.ply", text().as_bytes())] {
        let path = folder.path().join(name);
        std::fs::write(&path, contents).unwrap();
        let (bytes, triangles) = read(&path).unwrap();
        assert!(bytes == contents && !triangles.is_empty());
    }
    for name in ["a.step", "a", "obj"] {
        let path = folder.path().join(name);
        std::fs::write(&path, &square).unwrap();
        let message = read(&path).unwrap_err().to_string();
        assert!(ENDINGS.iter().all(|ending| message.contains(ending)), "{message}");
    }
    let bad = folder.path().join("bad.obj");
    std::fs::write(&bad, "v 1 2\n").unwrap();
    assert!(read(&bad).unwrap_err().to_string().contains("bad.obj:1: the end of the line"));
    assert!(matches!(read(folder.path().join("none.ply")), Err(MeshFileError::Io { .. })));
    let large = folder.path().join("large.obj");
    std::fs::File::create(&large).unwrap().set_len(super::LARGEST + 1).unwrap();
    assert!(matches!(read(&large), Err(MeshFileError::TooLarge { .. })));
    let empty = folder.path().join("empty.obj");
    std::fs::write(&empty, "").unwrap();
    assert!(matches!(read(&empty), Err(MeshFileError::File { fault: FileFault::Empty, .. })));
}

#[test]
fn no_input_made_by_changes_of_good_ones_panics() {
    let good =
        [format!("{SQUARE}f 1 2 3 4\nf -1 -2 -3\n").into_bytes(), text().into_bytes(), binary(false), binary(true)];
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % below.max(1)
    };
    let words = [
        b"1e308 ".as_slice(),
        b"-99999999999 ",
        b"\xff\xff\xff\x7f",
        b"f 1 2 3 4 5\n",
        b"element face 7\n",
        b"18446744073709551615",
    ];
    let (mut accepted, total) = ([0; 4], 80_000);
    for round in 0..total {
        let mut bytes = good[round % 4].clone();
        for _ in 0..=random(3) {
            let (from, to) = (random(bytes.len()), random(bytes.len()));
            match random(5) {
                0 => bytes.truncate(random(bytes.len() + 1)),
                1 => {
                    let byte = random(256) as u8;
                    if let Some(place) = bytes.get_mut(from) {
                        *place = byte;
                    }
                }
                2 => {
                    let part = bytes[from.min(to)..from.max(to)].to_vec();
                    bytes.splice(from..from, part);
                }
                3 => {
                    bytes.drain(from.min(to)..from.max(to));
                }
                _ => {
                    bytes.splice(from..from, words[random(words.len())].iter().copied());
                }
            }
        }
        let parse = if round % 4 == 0 { obj::parse } else { ply::parse };
        if let Ok(triangles) = parse(&bytes) {
            accepted[round % 4] += 1;
            assert!(triangles.len() <= bytes.len() && triangles.iter().flatten().all(|corner| corner.is_finite()));
        }
    }
    assert!(accepted.iter().all(|&count| count > total / 400), "some changes leave a file good: {accepted:?}");
}
