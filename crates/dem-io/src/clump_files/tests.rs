use glam::DVec3;

use super::*;

fn shapes(format: ClumpFormat, text: &str) -> Vec<ClumpShape> {
    read("f", text, format).unwrap()
}

fn message(format: ClumpFormat, text: &str) -> String {
    read("f", text, format).unwrap_err().to_string()
}

fn spheres(shape: &ClumpShape) -> Vec<[f64; 4]> {
    shape.spheres.iter().map(|s| [s.position.x, s.position.y, s.position.z, s.radius]).collect()
}

const DIMER: [[f64; 4]; 2] = [[0.0, 0.5, -1e-3, 2.0], [1.0, 0.0, 0.0, 0.25]];

const MOLECULE: &str = "# a clump\n\n2 atoms\n0 bonds\n2.5 mass # kg\n0.1 0.2 0.3 com\n1 2 3 -0.1 0.2 0 inertia\n\nCoords\n\n1 0 0.5 -1e-3\n2 1 0 0\n\n\
                        Diameters\n\n2 0.5\n1 4\n\nTypes\n\n1 3\n2 glass\n\nMasses\n\n1 2\n2 0.5\n";

#[test]
fn the_same_clump_is_read_from_every_format() {
    let texts = [
        (ClumpFormat::Liggghts, "# a clump\n0 0.5 -1e-3 2.0\n\n 1\t0 0 .25 # the small one\n"),
        (
            ClumpFormat::DemEngine,
            "\u{feff}x,y,z,r\r\n0, 0.5, -1e-3, 2\r\n1,0,0,0.25\r\n# volume = 7\r\n# Ixx, yy, zz = 1, 2, 3\r\n",
        ),
        (ClumpFormat::DemEngine, "r,z,y,x\n2,-1e-3,0.5,0\n0.25,0,0,1"),
        (ClumpFormat::LammpsMolecule, MOLECULE),
        (ClumpFormat::Yade, "#format x_y_z_r\n0 0.5 -0.001 2\n1 0 0 0.25\n"),
        (ClumpFormat::Yade, "#format x_y_z_r_clumpId\n# by Yade\n0 0.5 -0.001 2 7\n1 0 0 0.25 7\n"),
    ];
    for (format, text) in texts {
        let found = shapes(format, text);
        assert_eq!(found.len(), 1, "{}", format.name());
        assert_eq!(spheres(&found[0]), DIMER, "{}", format.name());
        assert_eq!(ClumpFormat::from_name(format.name()), Some(format));
    }
}

#[test]
fn molecule_gives_mass_centre_and_inertia() {
    let [shape] = &shapes(ClumpFormat::LammpsMolecule, MOLECULE)[..] else { panic!("one clump") };
    let expected = GivenProperties {
        mass: Some(2.5),
        centre: Some(DVec3::new(0.1, 0.2, 0.3)),
        inertia: Some([1.0, 2.0, 3.0, -0.1, 0.2, 0.0]),
    };
    assert_eq!(shape.given, expected);
    let kinds: Vec<_> = shape.spheres.iter().map(|s| (s.kind.as_deref(), s.mass)).collect();
    assert_eq!(kinds, [(Some("3"), Some(2.0)), (Some("glass"), Some(0.5))]);
    let short = "title\n1 atoms\nDiameters\n\n1 2\nCoords\n\n1 0 0 0";
    let [shape] = &shapes(ClumpFormat::LammpsMolecule, short)[..] else { panic!("one clump") };
    assert_eq!((shape.given, shape.spheres[0].radius), (GivenProperties::default(), 1.0));
    assert_eq!((&shape.spheres[0].kind, shape.spheres[0].mass), (&None, None));
}

#[test]
fn yade_files_hold_many_clumps() {
    let found = shapes(ClumpFormat::Yade, "0 0 0 1 4\n1 0 0 1 4\n5 0 0 1 -2\n9 0 0 1 6\n9 1 0 1 6\n");
    let counts: Vec<_> = found.iter().map(|shape| (shape.id, shape.spheres.len())).collect();
    assert_eq!(counts, [(Some(4), 2), (Some(-2), 1), (Some(6), 2)]);
}

#[test]
fn bad_lines_are_refused_with_their_place_and_what_is_expected() {
    use ClumpFormat::{DemEngine, LammpsMolecule, Liggghts, Yade};
    for (format, text, expected) in [
        (Liggghts, "", "f: has no spheres, expected lines `x y z r`"),
        (Liggghts, "# nothing\n", "f: has no spheres, expected lines `x y z r`"),
        (Liggghts, "0 0 0 1\n0 0 1", "f:2: 3 fields, expected 4: x y z r"),
        (Liggghts, "0 0 0 1 2", "f:1: 5 fields, expected 4: x y z r"),
        (Liggghts, "0 0 0 0", "f:1: column 4 (r) is \"0\", expected a number > 0"),
        (Liggghts, "0 0 0 -1", "f:1: column 4 (r) is \"-1\", expected a number > 0"),
        (Liggghts, "0 nan 0 1", "f:1: column 2 (y) is \"nan\", expected a finite number"),
        (Liggghts, "0 0 1e999 1", "f:1: column 3 (z) is \"1e999\", expected a finite number"),
        (Liggghts, "1e101 0 0 1", "f:1: column 1 (x) is \"1e101\", expected a number of at most 1e100"),
        (Liggghts, "0 0 \u{1b}[m 1", "f:1: column 3 (z) is \"\u{fffd}[m\", expected a finite number"),
        (DemEngine, "", "f: has no spheres, expected a header `x,y,z,r` and a line for each sphere"),
        (DemEngine, "x,y,z,r", "f: has no spheres, expected a header `x,y,z,r` and a line for each sphere"),
        (DemEngine, "0,0,0,1", "f:1: column 1 has the unknown name \"0\", expected x, y, z and r"),
        (DemEngine, "x,y,z", "f:1: the column `r` is missing, x, y, z and r are required, separated by commas"),
        (DemEngine, "x,y,z,z,r", "f:1: the column `z` appears twice"),
        (DemEngine, "x,y,z,r\n0,0,1", "f:2: 3 fields, expected 4 as in the header"),
        (DemEngine, "r,x,y,z\n0,1,1,1", "f:2: column 1 (r) is \"0\", expected a number > 0"),
        (Yade, "0 0 0 1\n1 0 0 1 3", "f:2: 5 fields, expected 4 as in the lines before: x y z r"),
        (Yade, "0 0 0 1 3\n1 0 0 1", "f:2: 4 fields, expected 5 as in the lines before: x y z r id"),
        (Yade, "0 0 0", "f:1: 3 fields, expected 4 or 5: x y z r and, of files with many clumps, its number"),
        (Yade, "0 0 0 1 1.5", "f:1: column 5 (id) is \"1.5\", expected a whole number"),
        (
            Yade,
            "0 0 0 1 1\n0 0 0 1 2\n0 0 0 1 1",
            "f:3: clump 1 appears again after another one, expected its spheres in lines that follow each other",
        ),
        (
            Yade,
            "#format x_y_z_r_matId\n0 0 0 1 0",
            "f:1: the format is \"x_y_z_r_matId\", expected x_y_z_r or x_y_z_r_clumpId",
        ),
        (LammpsMolecule, "", "f: has no spheres, expected a line `N atoms` below the title, and sections"),
        (LammpsMolecule, "2 atoms", "f: has no spheres, expected a line `N atoms` below the title, and sections"),
        (LammpsMolecule, "t\n2 atoms", "f: has no section Coords, expected a line for each sphere"),
    ] {
        assert_eq!(message(format, text), expected, "{text:?}");
    }
}

#[test]
fn molecules_that_contradict_themselves_are_refused() {
    let changed = |from: &str, to: &str| {
        assert!(MOLECULE.contains(from), "{from}");
        message(ClumpFormat::LammpsMolecule, &MOLECULE.replacen(from, to, 1))
    };
    for (from, to, expected) in [
        ("2 atoms", "0 atoms", "f:3: column 1 (atoms) is \"0\", expected a whole number from 1 to 100000"),
        (
            "2 atoms",
            "4000000000 atoms",
            "f:3: column 1 (atoms) is \"4000000000\", expected a whole number from 1 to 100000",
        ),
        ("2 atoms", "1 atoms", "f:12: the section Coords goes on after 1 lines, expected the name of a section"),
        ("2 atoms", "3 atoms", "f:13: the section Coords ends after 2 of 3 lines"),
        ("2 atoms\n", "", "f:8: the section Coords begins before a line `N atoms`"),
        ("2 atoms", "2 atoms\n2 atoms", "f:4: `atoms` appears twice"),
        ("0 bonds", "1 bonds", "f:4: 1 bonds, expected 0 or no such line: rigid clumps have none"),
        ("2.5 mass", "0 mass", "f:5: column 1 (mass) is \"0\", expected a number > 0"),
        ("0.1 0.2 0.3 com", "0.1 0.2 com", "f:6: 3 fields, expected 4: x y z com"),
        ("1 2 3 -0.1", "1 -2 3 -0.1", "f:7: column 2 (yy) is \"-2\", expected a number > 0"),
        ("2 1 0 0", "2 1 inf 0", "f:12: column 3 (y) is \"inf\", expected a finite number"),
        ("2 1 0 0", "1 1 0 0", "f:12: the section Coords has sphere 1 twice"),
        ("2 1 0 0", "3 1 0 0", "f:12: column 1 (id) is \"3\", expected a whole number from 1 to 2"),
        ("2 1 0 0", "2 1 0", "f:12: 3 fields, expected 4: id x y z"),
        ("2 0.5\n1 4", "2 0\n1 4", "f:16: column 2 (diameter) is \"0\", expected a number > 0"),
        (
            "Diameters\n\n",
            "Diameters\n",
            "f:15: \"2 0.5\" stands directly below the section Diameters, expected an empty line, which is skipped",
        ),
        ("Diameters", "Coords", "f:14: `Coords` appears twice"),
        ("Masses\n\n1 2\n2 0.5\n", "Masses\n\n1 2", "f:24: the section Masses ends after 1 of 2 lines"),
        ("Masses\n", "1 mass\n", "f:24: `mass` stands below a section, expected the header above all sections"),
        (
            "Diameters\n",
            "Diameter\n",
            "f:14: \"Diameter\" is unknown, did you mean `Diameters`?; known are the words atoms, mass, com and inertia of the header, and the \
             sections Coords, Diameters, Types and Masses",
        ),
    ] {
        assert_eq!(changed(from, to), expected);
    }
    let without = MOLECULE.replacen("Diameters\n\n2 0.5\n1 4\n", "", 1);
    let expected = "f: has no section Diameters, expected a line for each sphere";
    assert_eq!(message(ClumpFormat::LammpsMolecule, &without), expected);
}

#[test]
fn spheres_are_counted() {
    let text = "0 0 0 1\n".repeat(MOST_SPHERES);
    assert_eq!(shapes(ClumpFormat::Liggghts, &text)[0].spheres.len(), MOST_SPHERES);
    for more in [1, 8 * MOST_SPHERES] {
        let text = text.clone() + &"0 0 0 1\n".repeat(more);
        assert_eq!(message(ClumpFormat::Liggghts, &text), "f: has more than 100000 spheres");
    }
}

#[test]
fn files_are_read_whole_and_what_is_no_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clump");
    std::fs::write(&path, "0 0 0 1\n").unwrap();
    let (text, shapes) = read_file(&path, ClumpFormat::Liggghts).unwrap();
    assert_eq!((text.as_str(), shapes.len()), ("0 0 0 1\n", 1));
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    let error = read_file(&path, ClumpFormat::Liggghts).unwrap_err().to_string();
    assert!(error.ends_with("clump: cannot be read: it is no UTF-8 text"), "{error}");
    let error = read_file(folder.path(), ClumpFormat::Liggghts).unwrap_err().to_string();
    assert!(error.ends_with("cannot be read: it is a directory, expected a file"), "{error}");
}
