use super::*;

const TEXT: &str = "solid a name\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0.1\n vertex 0 1e0 0\n endloop\n endfacet\nendsolid a name\n";

fn bytes_of(triangles: &[[[f32; 3]; 3]], announced: u32) -> Vec<u8> {
    let mut bytes = b"solid, says this header of a binary file".to_vec();
    bytes.resize(HEADER, b' ');
    bytes.extend(announced.to_le_bytes());
    for corners in triangles {
        bytes.extend([0; NORMAL]);
        bytes.extend(corners.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.0, 1.0, 0.0]];

#[test]
fn text_and_binary_give_the_same_triangles() {
    let text = parse(TEXT.as_bytes()).unwrap();
    assert_eq!(text, [[DVec3::ZERO, DVec3::new(1.0, 0.0, 0.1), DVec3::Y]], "text in double precision");
    let binary = parse(&bytes_of(&[CORNERS, CORNERS], 2)).unwrap();
    assert_eq!(binary[1], [DVec3::ZERO, DVec3::new(1.0, 0.0, f64::from(0.1f32)), DVec3::Y]);
    let in_one_line = TEXT.replace("\n ", " ").to_uppercase().replace("SOLID A NAME FACET", "SOLID\nFACET");
    assert_eq!(parse(in_one_line.as_bytes()).unwrap(), text);
    assert_eq!(parse(TEXT.repeat(2).as_bytes()).unwrap().len(), 2, "two solids");
}

#[test]
fn what_a_header_announces_is_not_believed() {
    for announced in [0, 1, 3, u32::MAX] {
        let bytes = bytes_of(&[CORNERS, CORNERS], announced);
        let found = bytes.len();
        let expected = 84 + 50 * u64::from(announced);
        assert_eq!(parse(&bytes), Err(FormError::Length { facets: announced, expected, found }));
    }
    assert_eq!(parse(&bytes_of(&[], 0)), Err(FormError::Empty));
    assert_eq!(parse(b""), Err(FormError::NoStl));
    assert_eq!(parse(b"solid\nendsolid"), Err(FormError::Empty));
    assert_eq!(parse(b"solidity"), Err(FormError::NoStl));
}

#[test]
fn what_stands_before_the_word_solid_is_passed_over() {
    let triangles = parse(TEXT.as_bytes()).unwrap();
    for before in
        ["\u{feff}", "; exported by a program\n", "\u{feff}# units: mm\r\n\r\nsolidity is no word of it\n", "\n \t"]
    {
        let text = format!("{before}{TEXT}");
        assert_eq!(parse(text.as_bytes()).unwrap(), triangles, "{before:?}");
        let lines = before.matches('\n').count();
        let error = parse(text.replace("outer loop", "outer ring").as_bytes()).unwrap_err();
        assert_eq!(error, FormError::Text { line: 3 + lines, expected: "loop", found: "\"ring\"".to_owned() });
    }
    // a header of a binary file may say anything
    let mut bytes = bytes_of(&[CORNERS], 1);
    bytes[..11].copy_from_slice(b"# x\nsolid y\n".first_chunk::<11>().unwrap());
    assert_eq!(parse(&bytes).unwrap().len(), 1);
    assert_eq!(parse(b"# no facets\nat all\n"), Err(FormError::NoStl));
}

#[test]
fn coordinates_that_are_not_finite_are_refused_with_their_facet() {
    let mut bad = CORNERS;
    bad[1][2] = f32::NAN;
    assert_eq!(parse(&bytes_of(&[CORNERS, bad], 2)), Err(FormError::NotFinite { facet: 2 }));
    for word in ["nan", "inf", "1e999"] {
        assert_eq!(parse(TEXT.replace("0.1", word).as_bytes()), Err(FormError::NotFinite { facet: 1 }), "{word}");
    }
}

#[test]
fn text_that_goes_wrong_is_refused_with_its_line() {
    let cases = [
        ("vertex 1 0 0.1", "vertex 1 0", 6, "a number", "\"vertex\""),
        ("vertex 1 0 0.1", "vertex 1 0 x", 5, "a number", "\"x\""),
        ("endloop", "vertex 1 1 1", 7, "endloop", "\"vertex\""),
        ("normal 0 0 1", "normal 0 0 up", 2, "a number", "\"up\""),
        ("outer loop", "outer ring", 3, "loop", "\"ring\""),
        ("\nendsolid a name\n", "", 8, "facet or endsolid", "the end of the file"),
        ("endsolid a name\n", "endsolid\nmore", 10, "solid", "\"more\""),
    ];
    for (old, new, line, expected, found) in cases {
        let error = parse(TEXT.replace(old, new).as_bytes()).unwrap_err();
        assert_eq!(error, FormError::Text { line, expected, found: found.to_owned() });
    }
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.stl");
    // a hole that takes no space
    File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
    assert!(matches!(read(&path), Err(StlError::TooLarge { .. })));
    assert!(matches!(read(folder.path()), Err(StlError::NotAFile { .. })));
    std::fs::write(&path, TEXT).unwrap();
    assert_eq!(read(&path).unwrap(), (TEXT.as_bytes().to_vec(), parse(TEXT.as_bytes()).unwrap()));
}

#[test]
fn no_input_made_by_changes_of_good_ones_panics() {
    let good = [TEXT.repeat(3).into_bytes(), bytes_of(&[CORNERS; 5], 5)];
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % below.max(1)
    };
    let (mut accepted, total) = (0, 100_000);
    for round in 0..total {
        let mut bytes = good[round % 2].clone();
        for _ in 0..=random(3) {
            match random(5) {
                0 => bytes.truncate(random(bytes.len() + 1)),
                1 => {
                    let (at, byte) = (random(bytes.len()), random(256) as u8);
                    if let Some(place) = bytes.get_mut(at) {
                        *place = byte;
                    }
                }
                2 => {
                    let (from, to) = (random(bytes.len()), random(bytes.len()));
                    let part = bytes[from.min(to)..from.max(to)].to_vec();
                    bytes.splice(from..from, part);
                }
                3 => {
                    let (from, to) = (random(bytes.len()), random(bytes.len()));
                    bytes.drain(from.min(to)..from.max(to));
                }
                _ => {
                    let at = random(bytes.len());
                    bytes.splice(
                        at..at,
                        [b"1e308 ".as_slice(), b"facet ", b"\xff\xff\xff\x7f", b"endsolid\n"][random(4)]
                            .iter()
                            .copied(),
                    );
                }
            }
        }
        if let Ok(triangles) = parse(&bytes) {
            accepted += 1;
            assert!(triangles.len() <= bytes.len() / FACET);
        }
    }
    assert!(accepted > total / 100, "some changes leave a file good: {accepted}");
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.stl");
    let triangles = [[DVec3::ZERO, DVec3::X, DVec3::Y], [DVec3::Z, DVec3::splat(0.5), DVec3::new(-1.0, 2.0, 0.25)]];
    write(&path, &triangles).unwrap();
    let (bytes, read_again) = read(&path).unwrap();
    assert_eq!((bytes.len(), read_again.as_slice()), (START + 2 * FACET, &triangles[..]));
    assert_eq!(bytes[START..START + NORMAL], [0f32, 0.0, 1.0].map(f32::to_le_bytes).concat());
}
