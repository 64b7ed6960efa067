//! Clumps of scenes that are refused with the place and what is allowed, and those that are warned of.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path;
use std::sync::{Arc, Mutex};

use dem_sim::builder::{build, parse_scene_in};
use dem_sim::integrators::INTEGRATORS;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Level, Metadata, Subscriber};

const SCENE: &str = r#"
[materials.glass]
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
restitution = 0.5
friction = 0.3
"#;

const GRAINS: &str = r#"
[[particles]]
name = "grains"
material = "glass"
clump = "it"
region = { type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "20 mm"] }
fill = { type = "lattice", count = 2 }
"#;

const DIMER: &str =
    "[clumps.it]\nspheres = [{ position = [0, 0, 0], radius = 1e-3 }, { position = [1e-3, 0, 0], radius = 1e-3 }]\n";

/// Why a scene with a folder beside it is refused.
fn refusal_in(folder: &Path, text: &str) -> String {
    let text = format!("{text}{SCENE}{GRAINS}");
    parse_scene_in(folder, "scene.toml", &text, &[])
        .and_then(|loaded| build(&loaded).map(drop))
        .unwrap_err()
        .to_string()
}

fn refusal(text: &str) -> String {
    refusal_in(Path::new("."), text)
}

/// Remembers warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

struct Message<'a>(&'a mut Vec<String>);

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0.push(format!("{value:?}"));
        }
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message(&mut self.0.lock().unwrap()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// What building a scene warns of.
fn warnings(text: &str) -> Vec<String> {
    let warnings = Warnings::default();
    with_default(warnings.clone(), || {
        let text = format!("{text}{SCENE}{GRAINS}");
        build(&parse_scene_in(Path::new("."), "scene.toml", &text, &[]).unwrap()).unwrap();
    });
    let all = warnings.0.lock().unwrap();
    all.clone()
}

#[test]
fn spheres_that_do_not_hold_together_are_warned_of() {
    assert_eq!(warnings(DIMER), Vec::<String>::new());
    let apart = DIMER.replace("[1e-3, 0, 0]", "[2.1e-3, 0, 0]");
    let all = warnings(&apart);
    assert_eq!(all, ["clump \"it\" has 2 pieces that do not touch, and move as one body"]);
    let touching = DIMER.replace("[1e-3, 0, 0]", "[2e-3, 0, 0]");
    assert_eq!(warnings(&touching), Vec::<String>::new(), "spheres that just touch hold together");
}

#[test]
fn resistance_of_bodies_to_rolling_is_warned_of() {
    let rolling = format!("{DIMER}{SCENE}{GRAINS}")
        .replace("friction = 0.3\n", "friction = 0.3\nrolling = \"constant-torque\"\nrolling_friction = 0.1\n");
    let warnings = Warnings::default();
    with_default(warnings.clone(), || {
        build(&parse_scene_in(Path::new("."), "scene.toml", &rolling, &[]).unwrap()).unwrap();
    });
    let all = warnings.0.lock().unwrap();
    assert!(all.len() == 1 && all[0].contains("rolling resistance"), "{all:?}");
}

#[test]
fn clumps_without_spheres_or_with_impossible_ones_are_refused() {
    for (from, to, words) in [
        ("radius = 1e-3 }]", "radius = 0 }]", "radius = 0 [m], expected value > 0"),
        ("radius = 1e-3 }]", "radius = -1e-3 }]", "radius = -1e-3 [m], expected value > 0"),
        ("radius = 1e-3 }]", "radius = nan }]", "finite"),
    ] {
        let message = refusal(&DIMER.replace(from, to));
        assert!(message.starts_with("error: scene.toml:2") && message.contains(words), "{to}: {message}");
    }
    let message = refusal("[clumps.it]\nspheres = []\n");
    assert!(message.contains("scene.toml:2") && message.contains("expected at least one sphere"), "{message}");
    let message = refusal("[clumps.it]\n");
    assert!(message.contains("clumps.it") && message.contains("spheres"), "{message}");
}

#[test]
fn files_of_unknown_formats_and_with_malformed_lines_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.txt"), "# a dimer\n0 0 0 1e-3\n1e-3 0 zero 1e-3\n").unwrap();
    std::fs::write(folder.path().join("empty.txt"), "# nothing\n").unwrap();
    let with = |keys: &str| refusal_in(folder.path(), &format!("[clumps.it]\n{keys}"));
    for (keys, words) in [
        (
            "file = \"two.txt\"\nformat = \"pfc\"\n",
            &["scene.toml:3", "pfc", "liggghts", "dem-engine", "lammps-molecule", "yade"][..],
        ),
        ("file = \"two.txt\"\n", &["scene.toml:2", "expected a format", "liggghts, dem-engine, lammps-molecule, yade"]),
        (
            "file = \"two.txt\"\nformat = \"liggghts\"\n",
            &["scene.toml:2", "two.txt:3: column 3 (z) is \"zero\", expected a finite number"],
        ),
        ("file = \"empty.txt\"\nformat = \"liggghts\"\n", &["empty.txt: has no spheres, expected lines `x y z r`"]),
        ("file = \"three.txt\"\nformat = \"liggghts\"\n", &["scene.toml:2", "three.txt"]),
    ] {
        let message = with(keys);
        assert!(words.iter().all(|word| message.contains(word)), "{keys}{message}\nexpected: {words:?}");
    }
}

#[test]
fn an_inertia_that_no_body_has_is_refused_wherever_it_comes_from() {
    let sum = "expected none above the sum of the other two";
    let message = refusal(&format!("{DIMER}mass_from = \"given\"\nmass = 1e-5\ninertia = [1e-12, 1e-12, 2.1e-12]\n"));
    assert!(message.contains("scene.toml:5") && message.contains(sum), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let molecule = "two spheres\n\n2 atoms\n2.5 mass\n0.4 0 0 com\n1 1 2.1 0 0 0 inertia\n\nCoords\n\n1 0 0 0\n2 1 0 0\n\nDiameters\n\n1 2\n2 2\n";
    std::fs::write(folder.path().join("two.mol"), molecule).unwrap();
    let clump = "[clumps.it]\nfile = \"two.mol\"\nformat = \"lammps-molecule\"\nunit = \"1 mm\"\nmass_unit = \"1 mg\"\nmass_from = \"given\"\n";
    let message = refusal_in(folder.path(), clump);
    assert!(message.contains("scene.toml:2") && message.contains(sum), "{message}");
}

#[test]
fn bodies_wider_than_a_quarter_of_a_periodic_cell_are_refused() {
    let domain = |width: &str| {
        format!("[domain]\nmin = [0, 0, 0]\nmax = [\"{width} mm\", \"20 mm\", \"20 mm\"]\nx = \"periodic\"\n{DIMER}")
    };
    // the dimer reaches 1.5 mm from its centre
    for (width, is_refused) in [("2.9", true), ("5.9", true), ("6.1", false)] {
        let text = format!("{}{SCENE}{GRAINS}", domain(width))
            .replace("[\"20 mm\", \"20 mm\", \"20 mm\"] }", &format!("[\"{width} mm\", \"20 mm\", \"20 mm\"] }}"));
        let built =
            parse_scene_in(Path::new("."), "scene.toml", &text, &[]).and_then(|loaded| build(&loaded).map(drop));
        match built {
            Ok(()) => assert!(!is_refused, "{width}"),
            Err(error) => {
                let message = error.to_string();
                assert!(is_refused && message.contains("expected less than a quarter"), "{width}: {message}");
            }
        }
    }
}

#[test]
fn integrators_and_rotations_without_a_rule_for_bodies_are_refused() {
    for entry in INTEGRATORS {
        let text = format!("[time]\nintegrator = \"{}\"\n{DIMER}{SCENE}{GRAINS}", entry.key);
        let built =
            parse_scene_in(Path::new("."), "scene.toml", &text, &[]).and_then(|loaded| build(&loaded).map(drop));
        assert_eq!(built.is_ok(), entry.moves_bodies, "{}: {built:?}", entry.key);
        if let Err(error) = built {
            let moving = INTEGRATORS.iter().filter(|entry| entry.moves_bodies);
            let moving: Vec<&str> = moving.map(|entry| entry.key).collect();
            let expected = format!("{} does not move rigid bodies, expected one of {}", entry.key, moving.join(", "));
            assert!(error.to_string().contains(&expected), "{error}");
        }
    }
    for (keys, words) in [
        (
            "[time]\nintegrator = \"gear\"\n",
            &["scene.toml:2", "gear does not move rigid bodies", "velocity-verlet"][..],
        ),
        ("[time]\nintegrator = { name = \"gear\" }\n", &["scene.toml:2", "gear does not move rigid bodies"]),
        ("[time]\nrotation_increment = \"literal\"\n", &["scene.toml:2", "expected \"exact\" with rigid bodies"]),
        (
            "[time]\nrotation = \"euler-angles\"\n",
            &["scene.toml:2", "quaternion", "rodrigues", "rotation-vector", "matrix"],
        ),
        ("[time]\nhalf_turn = \"stop\"\n", &["scene.toml:2", "expected time.rotation = \"rodrigues\""]),
        ("[output]\norientations = false\n", &["scene.toml:2", "expected true, or no such key, with rigid bodies"]),
    ] {
        let message = refusal(&format!("{keys}{DIMER}"));
        assert!(words.iter().all(|word| message.contains(word)), "{keys}{message}\nexpected: {words:?}");
    }
}
