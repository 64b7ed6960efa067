use super::*;

/// Spheres of two materials between walls; linear springs.
const SCENE: &str = r#"
[time]
step = "2 us"
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[materials.steel]
density = 7800
young_modulus = 2e7
poisson_ratio = 0.3
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
tangential_damping_ratio = 0.2
[[walls]]
name = "floor"
material = "steel"
shape = { type = "plane", normal = [0, 0, 1] }
[[particles]]
name = "bed"
material = "glass"
sizes = { type = "single", radius = "2 mm" }
region = { type = "box", min = [0, 0, 0], max = [0.02, 0.02, 0.02] }
fill = { type = "lattice" }
[[stages]]
name = "run"
actions = [{ type = "set_contact", parameters = { friction = 0.3, tangential_damping_ratio = 0.1 } }]
until = { steps = 10 }
"#;

fn comparison(scene: &str, laws: &[&str], matching: Matching) -> Result<Comparison, StudyError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, scene).unwrap();
    Comparison::new(&Options {
        scene: path,
        set: Vec::new(),
        laws: laws.iter().map(|law| (*law).to_owned()).collect(),
        from: None,
        matching,
        seeds: None,
    })
}

fn by_overlap(share: f64) -> Matching {
    Matching::Stiffness(Load::Overlap(share))
}

#[test]
fn linear_spring_takes_force_and_tangential_stiffness_of_hertz_and_mindlin() {
    let found = comparison(SCENE, &["linear", "hertz-mindlin"], by_overlap(1e-3)).unwrap();
    let table = stiffness_table::table(&found.reference, &found.laws).unwrap();
    // glass on glass, E* and G* of equal materials, r* = r/2
    let (young, shear) = (1e7 / (2.0 * (1.0 - 0.0625)), 4e6 / (2.0 * 1.75));
    let radius = (1e-3f64 * 2e-6).sqrt();
    for law in ["linear", "hertz-mindlin"] {
        let row = [("law", law), ("materials", "glass - glass")];
        let relative = |column: &str, expected: f64| (table.number(&row, column) / expected - 1.0).abs();
        assert!(relative("secant_N_m", 4.0 / 3.0 * young * radius) < 1e-12, "{law}");
        assert!(relative("tangential_N_m", 8.0 * shear * radius) < 1e-12, "{law}");
        assert!(relative("achieved_restitution", 0.5) < 1e-6, "{law}");
    }
    // with the wall, r* = r and the moduli of both materials
    let both = |column: &str| {
        ["linear", "hertz-mindlin"].map(|law| table.number(&[("law", law), ("materials", "glass - steel")], column))
    };
    for column in ["secant_N_m", "tangential_N_m"] {
        let [a, b] = both(column);
        assert!((a / b - 1.0).abs() < 1e-12, "{column}: {a} {b}");
    }
}

#[test]
fn moduli_of_hertz_follow_a_linear_spring_and_parameters_of_the_other_law_are_left_out() {
    let linear = SCENE.replace("\"hertz-mindlin\"", "\"linear\"\nnormal_stiffness = 3000\nstiffness_ratio = 0.5");
    // spheres and wall share one stiffness, which Hertz can only give to one pair
    let message = comparison(&linear, &["linear", "hertz-mindlin"], by_overlap(1e-3)).err().unwrap().to_string();
    assert!(message.contains("need Young's moduli times") && message.contains("--match parameters"), "{message}");

    let single = linear.replace(
        "shape = { type = \"plane\", normal = [0, 0, 1] }",
        "shape = { type = \"sphere\", radius = 0.1 }\nactive = false",
    );
    let lone =
        single.replace("material = \"steel\"", "material = \"glass\"").replace("materials.steel", "materials.other");
    let found = comparison(&lone, &["linear", "hertz-mindlin"], by_overlap(1e-2)).unwrap();
    let table = stiffness_table::table(&found.reference, &found.laws).unwrap();
    let secant = |law: &str| table.number(&[("law", law), ("materials", "glass - glass")], "secant_N_m");
    assert!((secant("linear") - 3000.0).abs() < 1e-9 && (secant("hertz-mindlin") / 3000.0 - 1.0).abs() < 1e-9);
    let statements = found.statements().join("\n");
    assert!(
        statements.contains("hertz-mindlin: left out what it does not know: normal_stiffness, stiffness_ratio."),
        "{statements}"
    );
    assert!(statements.contains("hertz-mindlin: Young's moduli times"), "{statements}");
}

#[test]
fn pressure_becomes_the_mean_force_of_a_packing() {
    let found = comparison(SCENE, &["linear", "hertz-mindlin"], Matching::Stiffness(Load::Pressure(1e3))).unwrap();
    let table = stiffness_table::table(&found.reference, &found.laws).unwrap();
    let force = table.number(&[("law", "linear"), ("materials", "glass - glass")], "force_N");
    // N = pi d^2 p/3
    assert!((force / (std::f64::consts::PI * 16e-6 * 1e3 / 3.0) - 1.0).abs() < 1e-9, "{force}");
}

#[test]
fn without_matching_parameters_stay_as_they_are() {
    let found = comparison(SCENE, &["hertz-mindlin", "linear:normal_stiffness=1234"], Matching::Parameters).unwrap();
    let table = stiffness_table::table(&found.reference, &found.laws).unwrap();
    let row = [("law", "linear:normal_stiffness=1234"), ("materials", "glass - steel")];
    assert!((table.number(&row, "secant_N_m") - 1234.0).abs() < 1e-9);
    let message = comparison(SCENE, &["hertz-mindlin", "linear"], Matching::Parameters).err().unwrap().to_string();
    assert!(message.contains("normal_stiffness"), "{message}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let refusal = |scene: &str, laws: &[&str], matching| comparison(scene, laws, matching).err().unwrap().to_string();
    assert!(refusal(SCENE, &["linear"], by_overlap(1e-3)).contains("at least two different laws"));
    assert!(refusal(SCENE, &["linear", "linear"], by_overlap(1e-3)).contains("at least two different laws"));
    assert!(refusal(SCENE, &["linear", "hooke"], by_overlap(1e-3)).contains("expected one of"));
    assert!(refusal(SCENE, &["linear", "hertz-mindlin"], by_overlap(0.5)).starts_with("--overlap = 0.5"));
    assert!(
        refusal(SCENE, &["linear", "hertz-mindlin"], Matching::Stiffness(Load::Pressure(-1.0)))
            .starts_with("--pressure")
    );
    assert!(
        refusal(SCENE, &["linear", "hertz-mindlin"], Matching::Stiffness(Load::Pressure(1e12)))
            .contains("a tenth of the radius")
    );
    let own = format!("{SCENE}\n[[pairs]]\nmaterials = [\"glass\", \"steel\"]\nlaw = \"mindlin\"\n");
    assert!(refusal(&own, &["linear", "hertz-mindlin"], by_overlap(1e-3)).contains("expected none for a single one"));
}
