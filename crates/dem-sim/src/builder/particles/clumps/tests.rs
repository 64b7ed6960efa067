use std::f64::consts::PI;

use super::*;
use crate::builder::loaded_scene::parse_scene;

const SCENE: &str = r#"
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[materials.steel]
density = 7800
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 1e4
restitution = 0.5
friction = 0.3
"#;

fn clumps(text: &str) -> Result<Clumps, SceneError> {
    let loaded = parse_scene("scene", &format!("{SCENE}{text}"), &[])?;
    let contact = ContactDefinition::new(&loaded.document, &loaded.scene)?;
    Clumps::build(&loaded, &contact)
}

fn one(keys: &str) -> Clump {
    clumps(&format!("[clumps.it]\n{keys}")).unwrap().0.remove("it").unwrap()
}

fn refusal(keys: &str) -> (usize, String) {
    let error = clumps(&format!("[clumps.it]\n{keys}")).err().unwrap();
    (error.line().unwrap() - SCENE.lines().count() - 1, error.to_string())
}

fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs()
}

/// Two spheres of radius one at a distance of one along y, off the origin.
const DIMER: &str = "spheres = [{ position = [5, 3, 1], radius = 1 }, { position = [5, 4, 1], radius = 1 }]\n";

#[test]
fn a_dimer_has_the_mass_of_the_union_of_its_spheres() {
    let clump = one(DIMER);
    let template = &clump.template;
    // closed forms of two spheres without their lens
    assert!(is_near(template.volume, 2.25 * PI, 1e-12), "{}", template.volume);
    assert!(is_near(template.moments.z, 5.213_08, 1e-6), "{}", template.moments);
    assert_eq!(template.moments.y, template.moments.z);
    assert_eq!(template.centre, DVec3::new(5.0, 3.5, 1.0));
    assert!(is_near(template.bounding_radius, 1.5, 1e-15));
    // the axis of the dimer is that of the least moment, the first one
    let [a, b] = [0, 1].map(|k| template.members[k].position);
    assert!((a + b).length() < 1e-15 && (a.x.abs() - 0.5).abs() < 1e-15, "{a} {b}");
    assert!((template.principal * b - 0.5 * DVec3::Y).length() < 1e-15);
    assert!(template.members.iter().all(|member| is_near(member.share, 0.5, 1e-12)));
    assert_eq!(clump.density(2500.0), 2500.0);
    assert!(!clump.is_sphere && !clump.has_materials);
}

#[test]
fn spheres_in_full_weigh_their_overlap_twice() {
    let clump = one(&format!("{DIMER}mass_from = \"spheres\""));
    let (density, template) = (clump.density(1.0), &clump.template);
    assert!(is_near(template.volume, 2.25 * PI, 1e-12), "what is filled stays what it is");
    assert!(is_near(density * template.volume, 8.0 / 3.0 * PI, 1e-12));
    assert!(is_near(density * template.moments.z, 5.445_43, 1e-6), "{}", density * template.moments.z);
}

#[test]
fn what_is_given_is_taken_and_scaled() {
    let given = "scale = 1e-3\nmass_from = \"given\"\nmass = 2\ninertia = [3, 1, 3.5]\ncentre = [5, 3.4, 1]\n";
    let clump = one(&format!("{DIMER}{given}"));
    let (density, template) = (clump.density(2500.0), &clump.template);
    assert!(is_near(density * template.volume, 2e-9, 1e-12));
    let moments = density * template.moments;
    assert!((moments - DVec3::new(1e-15, 3e-15, 3.5e-15)).length() < 1e-26, "{moments}");
    assert!((template.centre - 1e-3 * DVec3::new(5.0, 3.4, 1.0)).length() < 1e-17);
    let farthest = template.members[1].position;
    assert!((template.principal * farthest - 6e-4 * DVec3::Y).length() < 1e-18, "{farthest}");
}

#[test]
fn components_of_the_inertia_turn_the_principal_frame() {
    // moments 1, 2, 2.5 about axes turned by 45 degrees about z
    let clump = one(&format!("{DIMER}mass_from = \"given\"\nmass = 1\ninertia = [1.5, 1.5, 2.5, -0.5, 0, 0]\n"));
    let moments = clump.density(1.0) * clump.template.moments;
    assert!((moments - DVec3::new(1.0, 2.0, 2.5)).length() < 1e-12, "{moments}");
    let axis = clump.template.principal * DVec3::X;
    assert!((axis - DVec3::new(0.5f64.sqrt(), 0.5f64.sqrt(), 0.0)).length() < 1e-12, "{axis}");
}

#[test]
fn a_single_sphere_is_a_sphere_unless_its_inertia_is_its_own() {
    let sphere = "spheres = [{ position = [1, 2, 3], radius = 0.1 }]\n";
    let clump = one(sphere);
    assert!(clump.is_sphere);
    assert_eq!(clump.equivalent_radius(), 0.1);
    assert_eq!(clump.template.members[0].position, DVec3::ZERO);
    assert!(one(&format!("{sphere}mass_from = \"given\"\nmass = 2\n")).is_sphere);
    // a hollow one
    assert!(!one(&format!("{sphere}mass_from = \"given\"\nmass = 2\ninertia = [0.01, 0.01, 0.01]\n")).is_sphere);
}

#[test]
fn materials_of_spheres_are_those_of_the_contacts() {
    let clump = one(
        "spheres = [{ position = [0, 0, 0], radius = 1, material = \"steel\" }, { position = [2, 0, 0], radius = 1, material = \"glass\" }]\n",
    );
    let materials: Vec<u16> = clump.template.members.iter().map(|member| member.material).collect();
    assert_eq!(materials, [1, 0]);
    assert!(clump.has_materials);
}

#[test]
fn what_is_no_body_is_refused_where_it_stands() {
    let dimer = |keys: &str| refusal(&format!("{DIMER}{keys}"));
    for (found, line, words) in [
        (refusal("spheres = []\n"), 1, "expected at least one sphere"),
        (refusal("spheres = [{ position = [0, 0, 0], radius = 0 }]\n"), 1, "radius = 0"),
        (refusal("spheres = [{ position = [0, 0, 0], radius = 1, material = \"gold\" }]\n"), 1, "name of a material"),
        (dimer("mass = 1\n"), 2, "mass_from = \"given\" only"),
        (dimer("unit = 1\n"), 2, "beside a file only"),
        (dimer("scale = -1\n"), 2, "scale = -1"),
        (dimer("mass_from = \"given\"\n"), 2, "expected a mass"),
        (dimer("mass_from = \"given\"\nmass = 1\ninertia = [1, 1, 2.1]\n"), 4, "sum of the other two"),
        (dimer("mass_from = \"given\"\nmass = 1\ninertia = [1, 1, -1]\n"), 4, "expected moments above 0"),
        (dimer("mass_from = \"given\"\nmass = 1\ninertia = [1, 1, 1, 2, 0, 0]\n"), 4, "expected moments above 0"),
    ] {
        assert!(found.0 == line && found.1.contains(words), "{found:?}, expected {words} in line {line}");
    }
}
