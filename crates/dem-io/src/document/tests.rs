//! Scene texts as people write them, right and wrong.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use serde::Deserialize;

use super::*;
use crate::units::{Density, Length, Pressure, Quantity, Ratio, Time};

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Scene {
    time: Clock,
    materials: BTreeMap<String, Material>,
    #[serde(default)]
    walls: Vec<Wall>,
    #[serde(default)]
    contact: Contact,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Clock {
    end: Quantity<Time>,
    #[serde(default)]
    steps_per_frame: Option<u32>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Material {
    density: Quantity<Density>,
    young_modulus: Quantity<Pressure>,
    poisson_ratio: f64,
    #[serde(default)]
    friction: Quantity<Ratio>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Wall {
    Plane {
        name: Option<String>,
        position: [Quantity<Length>; 3],
        #[serde(default)]
        active: bool,
    },
    Mesh {
        name: Option<String>,
        file: String,
        motion: Option<Motion>,
        #[serde(default)]
        stages: Vec<Motion>,
    },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Motion {
    Linear { from: Quantity<Time>, until: Quantity<Time> },
    Hold(Hold),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Hold {
    until: Quantity<Time>,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Contact {
    #[serde(default)]
    law: Law,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Law {
    #[default]
    Hertz,
    Linear,
}

const GOOD: &str = r#"# a comment
[time]
end = "2 s"

[materials.glass]
density = 2500
young_modulus = "70 GPa"
poisson_ratio = 0.25

[[walls]]
type = "plane"
name = "floor"
position = [0, 0.0, "-2 mm"]

[[walls]]
type = "mesh"
name = "hopper"
file = "hopper.stl"
motion = { type = "linear", from = "1 s", until = "2 s" }
"#;

fn document(text: &str) -> SceneDocument {
    SceneDocument::from_text("scene.toml", text, &[]).unwrap()
}

fn failure(text: &str) -> SceneError {
    document(text).deserialize::<Scene>().unwrap_err()
}

/// The message of `GOOD` with one replacement, which must apply.
fn spoilt(old: &str, new: &str) -> String {
    assert_eq!(GOOD.matches(old).count(), 1, "{old}");
    failure(&GOOD.replace(old, new)).to_string()
}

fn with_overrides(texts: &[&str]) -> Result<Scene, SceneError> {
    let overrides: Vec<_> = texts.iter().map(|text| Override::parse(text)).collect::<Result<_, _>>()?;
    SceneDocument::from_text("scene.toml", GOOD, &overrides)?.deserialize()
}

#[test]
fn good_scene_is_read_with_units_and_integers_as_numbers() {
    let scene: Scene = document(GOOD).deserialize().unwrap();
    assert_eq!(scene.time.end.si(), 2.0);
    assert_eq!(scene.materials["glass"].density.si(), 2500.0);
    assert_eq!(scene.materials["glass"].young_modulus.si(), 70e9);
    let Wall::Plane { position, .. } = &scene.walls[0] else {
        panic!("the first wall is a plane");
    };
    assert_eq!(position.map(Quantity::si), [0.0, 0.0, -0.002]);
}

#[test]
fn unknown_key_gets_its_line_and_the_likely_key() {
    assert_eq!(
        spoilt("young_modulus", "young_modulos"),
        "error: scene.toml:7:1: materials.glass: unknown key `young_modulos`\n  \
           7 | young_modulos = \"70 GPa\"\n    \
             | ^^^^^^^^^^^^^\n  \
           help: did you mean `young_modulus`? \
           known keys: density, young_modulus, poisson_ratio, friction"
    );
    assert_eq!(
        spoilt("[materials.glass]", "[matreials.glass]"),
        "error: scene.toml:5:2: unknown key `matreials`\n  \
           5 | [matreials.glass]\n    \
             |  ^^^^^^^^^\n  \
           help: did you mean `materials`? known keys: time, materials, walls, contact"
    );
}

#[test]
fn bad_value_gets_its_line_and_what_is_expected() {
    assert_eq!(
        spoilt("poisson_ratio = 0.25", "poisson_ratio = \"soft\""),
        "error: scene.toml:8:17: materials.glass.poisson_ratio = \"soft\", expected a number\n  \
           8 | poisson_ratio = \"soft\"\n    \
             |                 ^^^^^^"
    );
    let wrong_unit = spoilt("\"70 GPa\"", "\"70 GPaa\"");
    assert!(wrong_unit.starts_with(
        "error: scene.toml:7:17: materials.glass.young_modulus: \
         \"70 GPaa\" has the unknown unit `GPaa` (did you mean `GPa`?), \
         expected a pressure such as \"70 GPa\" or a number in Pa\n"
    ));
    let wrong_type = spoilt("\"2 s\"\n\n", "[1, 2]\n\n");
    assert!(
        wrong_type.starts_with(
            "error: scene.toml:3:7: time.end = [1, 2], \
             expected a time such as \"10 us\" or a number in s\n"
        ),
        "{wrong_type}"
    );
}

#[test]
fn missing_key_points_at_its_table() {
    assert_eq!(
        spoilt("density = 2500\n", ""),
        "error: scene.toml:5:1: materials.glass: missing key `density`\n  \
           5 | [materials.glass]\n    \
             | ^^^^^^^^^^^^^^^^^"
    );
    assert_eq!(failure("").to_string(), "error: scene.toml: missing key `time`");
}

#[test]
fn unknown_name_of_a_choice_gets_the_likely_name() {
    let with_law = format!("{GOOD}\n[contact]\nlaw = \"linaer\"\n");
    let message = failure(&with_law).to_string();
    assert!(message.contains("22:7: contact.law = \"linaer\" is not known here"), "{message}");
    assert!(message.ends_with("help: did you mean `linear`? known values: hertz, linear"));
    let message = spoilt("\"plane\"", "\"plan\"");
    assert!(message.starts_with("error: scene.toml:11:8: walls.floor.type = \"plan\""), "{message}");
    assert!(message.ends_with("did you mean `plane`? known values: plane, mesh"));
}

#[test]
fn errors_inside_tagged_tables_keep_their_line() {
    let two =
        |second: &str| format!("{GOOD}\n[[walls]]\ntype = \"plane\"\nposition = [0, 0, 0]\n\n[[walls]]\n{second}");
    // (second wall, line, column, start of the message)
    let cases = [
        ("type = \"plane\"\npositon = [0, 0, 0]\n", (27, 1), "walls.3: unknown key `positon`"),
        ("positon = [0, 0, 0]\ntype = \"plane\"\n", (26, 1), "walls.3: unknown key `positon`"),
        (
            "type = \"plane\"\nposition = [0, \"2 mmm\", 0]\n",
            (27, 16),
            "walls.3.position.1: \"2 mmm\" has the unknown unit `mmm`",
        ),
        (
            "type = \"plane\"\nactive = \"yes\"\nposition = [0, 0, 0]\n",
            (27, 10),
            "walls.3.active = \"yes\", expected true or false",
        ),
        (
            "type = \"plane\"\nposition = [0, 0]\n",
            (27, 12),
            "walls.3.position = [0, 0] has 2 elements, expected an array of length 3",
        ),
        (
            "type = \"plane\"\nposition = [0, 0, 0, 0]\n",
            (27, 12),
            "walls.3.position = [0, 0, 0, 0] has 4 elements, expected an array of length 3",
        ),
        ("type = \"plane\"\n", (25, 1), "walls.3: missing key `position`"),
        ("position = [0, 0, 0]\n", (25, 1), "walls.3: missing key `type`"),
        (
            "type = \"mesh\"\nfile = \"a\"\nmotion = { type = \"linear\", from = 1, untl = 2 }\n",
            (28, 39),
            "walls.3.motion: unknown key `untl`",
        ),
        (
            "type = \"mesh\"\nfile = \"a\"\nmotion.type = \"linear\"\nmotion.from = 1\n",
            (28, 1),
            "walls.3.motion: missing key `until`",
        ),
        (
            "type = \"mesh\"\nfile = \"a\"\nmotion = { type = \"linaer\" }\n",
            (28, 19),
            "walls.3.motion.type = \"linaer\" is not known here",
        ),
        (
            "type = \"mesh\"\nfile = \"a\"\n[[walls.stages]]\ntype = \"hold\"\nuntil = 1\n\
             [[walls.stages]]\ntype = \"hold\"\nuntil = \"1 kg\"\n",
            (33, 9),
            "walls.3.stages.1.until: \"1 kg\" is in kg",
        ),
    ];
    for (second, (line, column), message) in cases {
        let error = failure(&two(second));
        let found = (error.line(), error.column());
        assert_eq!(found, (Some(line), Some(column)), "{error}");
        assert!(error.message().starts_with(message), "{error}");
    }
    let help = failure(&two("type = \"plane\"\npositon = [0, 0, 0]\n"));
    assert!(help.help().unwrap().starts_with("did you mean `position`?"));
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "Limits")]
struct Range;

#[derive(Debug, Deserialize)]
struct Limits {
    low: f64,
    high: f64,
}

impl TryFrom<Limits> for Range {
    type Error = String;

    fn try_from(limits: Limits) -> Result<Self, String> {
        if limits.low <= limits.high { Ok(Self) } else { Err("low exceeds high".to_owned()) }
    }
}

#[test]
fn error_about_a_whole_table_points_at_the_table() {
    let text = "x = 1\n[range]\nlow = 2\nhigh = 1\n";
    let error = document(text).deserialize::<BTreeMap<String, toml::Value>>().err();
    assert_eq!(error, None);
    #[derive(Debug, Deserialize)]
    struct Outer {
        #[serde(rename = "range")]
        _range: Range,
    }
    let error = document(text).deserialize::<Outer>().unwrap_err();
    assert_eq!((error.line(), error.message()), (Some(2), "range: low exceeds high"));
}

#[test]
fn override_wins_and_finds_elements_by_index_and_by_name() {
    let scene = with_overrides(&[
        "materials.glass.friction=30 %",
        "time.end=3 ms",
        "contact.law=linear",
        "walls.0.active=true",
        "walls.floor.position=[1, 2, 3]",
        "materials.steel={density=7800, young_modulus='210 GPa', poisson_ratio=0.3}",
    ])
    .unwrap();
    assert_eq!(scene.materials["glass"].friction.si(), 0.3);
    assert_eq!(scene.time.end.si(), 0.003);
    assert_eq!(scene.contact.law, Law::Linear);
    assert_eq!(scene.materials["steel"].density.si(), 7800.0);
    let Wall::Plane { position, active, .. } = &scene.walls[0] else {
        panic!("the first wall is a plane");
    };
    assert!(active);
    assert_eq!(position.map(Quantity::si), [1.0, 2.0, 3.0]);
}

#[test]
fn error_from_an_override_names_the_override() {
    let message = |texts: &[&str]| with_overrides(texts).unwrap_err().to_string();
    assert_eq!(
        message(&["materials.glass.young_modulos=1"]),
        "error: --set materials.glass.young_modulos=1: \
         materials.glass: unknown key `young_modulos`\n  \
         help: did you mean `young_modulus`? \
         known keys: density, young_modulus, poisson_ratio, friction"
    );
    assert_eq!(
        message(&["time.end=2 kg"]),
        "error: --set time.end=2 kg: time.end: \
         \"2 kg\" is in kg, expected a time such as \"10 us\" or a number in s"
    );
    assert_eq!(
        message(&["walls.0.active=3"]),
        "error: --set walls.0.active=3: walls.floor.active = 3, expected true or false"
    );
    assert_eq!(
        message(&["walls.2.active=true"]),
        "error: --set walls.2.active=true: \
         walls has 2 elements, there is no element 2 (counted from 0)"
    );
    assert_eq!(
        message(&["walls.flor.active=true"]),
        "error: --set walls.flor.active=true: walls has no element with the name `flor`\n  \
         help: did you mean `floor`? known names: floor, hopper"
    );
    assert_eq!(message(&["time.end.x=1"]), "error: --set time.end.x=1: time.end is no table, it has no key `x`");
    assert_eq!(
        message(&["materials.steel.density=7800"]),
        "error: --set materials.steel.density=7800: \
         materials.steel: missing key `young_modulus`"
    );
    assert!(message(&["time.end=nan"]).contains("time.end: the number is not finite"));
}

#[test]
fn malformed_override_is_refused() {
    for bad in ["", "a", "=1", "a=", "a..b=1", "a b=1", "a=[1, 2", "a=\"x", "a={b=1", "a='x' y"] {
        let error = Override::parse(bad).unwrap_err();
        assert!(error.to_string().starts_with("error: --set"), "{error}");
    }
    assert!(Override::parse("a=x=y").is_ok());
}

#[test]
fn error_at_shows_the_value_as_written() {
    let scene = document(GOOD);
    let path = ["materials", "glass", "poisson_ratio"];
    assert_eq!(
        scene.range_error(&path, "-", "0.3 <= value < 0.5").to_string(),
        "error: scene.toml:8:17: \
         materials.glass.poisson_ratio = 0.25 [-], expected 0.3 <= value < 0.5\n  \
           8 | poisson_ratio = 0.25\n    \
             |                 ^^^^"
    );
    assert!(
        scene
            .error_at(&["time", "end"], "expected at most 1 s")
            .to_string()
            .starts_with("error: scene.toml:3:7: time.end = \"2 s\", expected at most 1 s\n")
    );
    let absent = scene.error_at(&["materials", "glass", "friction"], "is needed here");
    assert_eq!(absent.line(), Some(5));
    assert_eq!(absent.message(), "materials.glass.friction: is needed here");
    let by_name = scene.error_at(&["walls", "hopper", "file"], "no such file");
    assert_eq!(by_name.line(), Some(18));

    let set = [Override::parse("materials.glass.poisson_ratio=0.6").unwrap()];
    let scene = SceneDocument::from_text("scene.toml", GOOD, &set).unwrap();
    assert_eq!(
        scene.range_error(&path, "-", "0 <= value < 0.5").to_string(),
        "error: --set materials.glass.poisson_ratio=0.6: \
         materials.glass.poisson_ratio = 0.6 [-], expected 0 <= value < 0.5"
    );
}

#[test]
fn resolved_document_reads_as_the_same_scene() {
    let set = [Override::parse("time.end=5").unwrap()];
    let scene = SceneDocument::from_text("scene.toml", GOOD, &set).unwrap();
    let text = toml::to_string(scene.resolved()).unwrap();
    assert_eq!(document(&text).deserialize::<Scene>().unwrap(), scene.deserialize::<Scene>().unwrap());
    assert_eq!(scene.value(&["time", "end"]), Some(&toml::Value::Integer(5)));
    assert_eq!(scene.value(&["walls", "hopper", "file"]), Some(&toml::Value::String("hopper.stl".to_owned())));
    assert_eq!(scene.value(&["walls", "nothing"]), None);
}

#[test]
fn text_that_is_not_toml_gets_its_line() {
    let error = SceneDocument::from_text("scene.toml", "a = 1\nb = = 2\n", &[]).unwrap_err();
    assert_eq!(error.line(), Some(2), "{error}");
    let error = SceneDocument::from_text("scene.toml", "a = 1\na = 2\n", &[]).unwrap_err();
    assert_eq!(error.line(), Some(2), "{error}");
    let error = SceneDocument::from_text("scene.toml", "a = 1\nb = 1e999\n", &[]).unwrap_err();
    assert!(error.to_string().starts_with("error: scene.toml:2:5: b: the number is not finite"));
}

#[test]
fn number_beyond_the_range_and_text_with_control_characters_are_refused_with_their_key() {
    let message = |text: &str| SceneDocument::from_text("scene.toml", text, &[]).unwrap_err().to_string();
    for (text, expected) in [
        (
            "a = { b = [0, -1.5e100] }",
            "scene.toml:1:15: a.b.1: -1.5e100 is beyond 1e100, the largest number of a scene",
        ),
        (
            "a = \"x\\u0007\"",
            "scene.toml:1:5: a: the text \"x\u{fffd}\" has the control character U+0007, expected none",
        ),
        ("a = \"\"\"x\ny\"\"\"", "a: the text \"x\u{fffd}y\" has the control character U+000A"),
        ("\"a\\u202Eb\" = 1", "the key \"a\u{fffd}b\" has the control character U+202E"),
    ] {
        assert!(message(text).contains(expected), "{}", message(text));
    }
    let digits = "9".repeat(101);
    assert!(message(&format!("a = {digits}")).contains("is beyond 1e100"));
    SceneDocument::from_text("scene.toml", "a = 1e100\nb = -1e100\nc = \"übung µm\"", &[]).unwrap();
    let error = Override::parse("walls.\"a\u{1b}\".b=1").unwrap_err().to_string();
    assert!(error.contains("has the control character U+001B"), "{error}");
}

#[test]
fn file_that_cannot_be_a_scene_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str| {
        let error = SceneDocument::load(folder.path().join(name), &[]).unwrap_err();
        error.message().to_owned()
    };
    assert_eq!(message("none.toml"), "no such file");
    fs::write(folder.path().join("hopper.toml"), "a = 1").unwrap();
    let help = |name: &str| SceneDocument::load(folder.path().join(name), &[]).unwrap_err().help().map(str::to_owned);
    for name in ["hopper", "hoper.toml"] {
        assert!(help(name).is_some_and(|help| help.ends_with("hopper.toml?")), "{name}");
    }
    assert_eq!(help("drum.toml"), None);
    assert_eq!(message(""), "is a directory, expected a scene file");
    fs::write(folder.path().join("binary.toml"), b"a = 1\nb = \"\xff\"").unwrap();
    assert_eq!(message("binary.toml"), "not UTF-8 text, the first bad byte is number 11, in line 2");
    let huge = fs::File::create(folder.path().join("huge.toml")).unwrap();
    huge.set_len(LARGEST_SCENE + 1).unwrap();
    assert!(message("huge.toml").starts_with("larger than 16777216 bytes"));
    fs::write(folder.path().join("good.toml"), GOOD).unwrap();
    let good = SceneDocument::load(folder.path().join("good.toml"), &[]).unwrap();
    assert!(good.deserialize::<Scene>().is_ok());
}

#[test]
fn deep_nesting_is_refused_and_does_not_exhaust_the_stack() {
    let key = "a.".repeat(79);
    let chain = "a.".repeat(70_000);
    let mut mixed = format!("[{key}a]\n{key}a = ");
    for _ in 0..79 {
        mixed.push_str(&format!("{{ {key}a = "));
    }
    mixed.push('1');
    mixed.push_str(&"}".repeat(79));
    for hostile in [
        mixed,
        format!("[{key}a]\n{key}a = 1"),
        format!("[{chain}a]"),
        format!("{chain}a = 1"),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}1{}", "[".repeat(70), "]".repeat(70)),
        format!("a = {}", "{a=".repeat(100_000)),
        "[[".repeat(100_000),
    ] {
        assert!(SceneDocument::from_text("scene.toml", &hostile, &[]).is_err());
    }
}

/// A small generator with a fixed stream, SplitMix64 (Steele, Lea, Flood 2014).
struct Mixer(u64);

impl Mixer {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

#[test]
fn no_mutated_text_makes_the_reader_panic() {
    let pieces = [
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "=",
        ".",
        ",",
        "\"",
        "'",
        "\"\"\"",
        "\n",
        "\r",
        "#",
        " ",
        "\\u",
        "1e9",
        "-",
        "nan",
        "0x",
        "walls",
        "type",
        "µ",
        "\u{0}",
        "𝕏",
        "1979-05-27",
        "true",
        "[walls]",
        "name = \"floor\"",
        "99999999999999999999",
    ];
    let overrides = [
        Override::parse("walls.floor.position=[0, 0, 1]").unwrap(),
        Override::parse("materials.glass.friction=0.3").unwrap(),
    ];
    let mut mixer = Mixer(20_260_101);
    let start = Instant::now();
    let mut outcomes = [0_usize; 3];
    for round in 0..20_000 {
        let mut text: Vec<char> = GOOD.chars().collect();
        for _ in 0..=mixer.below(2) {
            let at = mixer.below(text.len());
            match mixer.below(3) {
                0 => drop(text.drain(at..(at + 1 + mixer.below(12)).min(text.len()))),
                1 => drop(text.splice(at..at, pieces[mixer.below(pieces.len())].chars())),
                _ => {
                    let from = mixer.below(text.len());
                    let moved: Vec<char> = text[from..].iter().copied().take(20).collect();
                    drop(text.splice(at..at, moved));
                }
            }
        }
        let text: String = text.into_iter().collect();
        let set = &overrides[..round % 3];
        let outcome = match SceneDocument::from_text("scene.toml", &text, set) {
            Err(error) => {
                assert!(error.to_string().starts_with("error: "));
                0
            }
            Ok(scene) => match scene.deserialize::<Scene>() {
                Err(error) => {
                    assert!(error.to_string().starts_with("error: "));
                    1
                }
                Ok(_) => 2,
            },
        };
        outcomes[outcome] += 1;
    }
    // The mutations must reach every stage to be worth anything.
    assert!(outcomes.iter().all(|&count| count > 500), "{outcomes:?}");
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
