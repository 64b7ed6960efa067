//! Walls in periodic cells: those whose images spheres would miss are refused, those that go on alike over both faces are not.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_sim::builder;

/// What the builder says of a wall in a cell of 0.1 m that is periodic along x and y, with spheres of 5 mm.
fn refusal(wall: &str, more: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.csv"), "x,y,z,r\n0.05,0.05,0.02,0.005\n").unwrap();
    let text = format!(
        r#"
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[domain]
min = [0, 0, -0.1]
max = [0.1, 0.1, 0.3]
x = "periodic"
y = "periodic"
[[walls]]
name = "w"
material = "m"
{wall}
[[particles]]
name = "p"
material = "m"
fill = {{ type = "file", path = "p.csv" }}
[time]
end = "1 s"
{more}
"#
    );
    let loaded = builder::parse_scene_in(folder.path(), "test", &text, &[]).unwrap();
    builder::build(&loaded).err().map(|error| error.to_string())
}

#[test]
fn walls_that_go_on_over_both_faces_or_keep_away_are_taken() {
    for wall in [
        r#"shape = { type = "plane", normal = [0, 0, 1] }"#,
        r#"shape = { type = "rectangle", centre = [0.05, 0.05, 0], edge_u = [0.1, 0, 0], edge_v = [0, 0.1, 0] }"#,
        // wider than the cell
        r#"shape = { type = "rectangle", centre = [0.02, 0.05, 0], edge_u = [1, 0, 0], edge_v = [0, 0.3, 0] }"#,
        // along a period, touching nothing across
        r#"shape = { type = "cylinder", base = [0.05, 0, 0.1], axis = [0, 1, 0], radius = 0.04, height = 0.1 }"#,
        r#"shape = { type = "cylinder", base = [0.05, 0, 0.1], axis = [0, 1, 0], radius = 0.04 }"#,
        // as wide as the cell, the same on both sides
        r#"shape = { type = "cylinder", base = [0.05, 0, 0.1], axis = [0, 1, 0], radius = 0.05, height = 0.1 }"#,
        r#"shape = { type = "sphere", centre = [0.05, 0.05, 0.05], radius = 0.04 }"#,
        r#"shape = { type = "box", min = [0, 0, 0], max = [0.1, 0.1, 0.2] }"#,
        // shakes up and down, turns inside the cell
        "shape = { type = \"plane\", normal = [0, 0, 1] }\nmotion = { amplitude = [0, 0, 1e-3], frequency = 50 }",
        "shape = { type = \"rectangle\", centre = [0.05, 0.05, 0.05], edge_u = [0.08, 0, 0], edge_v = [0, 0, 0.02] }\nmotion = { angular_velocity = [0, 0, 1] }",
    ] {
        assert_eq!(refusal(wall, ""), None, "{wall}");
    }
}

#[test]
fn walls_whose_images_would_be_missed_are_refused_by_name() {
    let floor =
        r#"shape = { type = "rectangle", centre = [0.05, 0.05, 0], edge_u = [0.1, 0, 0], edge_v = [0, 0.1, 0] }"#;
    for (wall, axis) in [
        // as wide as the cell, but shifted
        (
            r#"shape = { type = "rectangle", centre = [0.08, 0.05, 0], edge_u = [0.1, 0, 0], edge_v = [0, 0.1, 0] }"#,
            "x",
        ),
        (
            r#"shape = { type = "rectangle", centre = [0.05, 0.049, 0], edge_u = [0.1, 0, 0], edge_v = [0, 0.1, 0] }"#,
            "y",
        ),
        // ends nearer to a face than spheres reach
        (r#"shape = { type = "sphere", centre = [0.05, 0.043, 0.05], radius = 0.04 }"#, "y"),
        // across a period
        (r#"shape = { type = "plane", point = [0, 0, 0], normal = [1, 0, 0] }"#, "x"),
        (r#"shape = { type = "plane", normal = [0, 0.1, 1] }"#, "y"),
        // slides or turns out of the cell
        (&format!("{floor}\nmotion = {{ velocity = [0.01, 0, 0] }}"), "x"),
        (
            "shape = { type = \"rectangle\", centre = [0.05, 0.05, 0.05], edge_u = [0.08, 0, 0], edge_v = [0, 0, 0.02] }\nmotion = { angular_velocity = [0, 0, 1], origin = [0.02, 0.05, 0.05] }",
            "y",
        ),
    ] {
        let said = refusal(wall, "").unwrap_or_else(|| panic!("taken: {wall}"));
        for expected in ["wall \"w\"", "walls have no periodic images", &format!("of the period along {axis}")] {
            assert!(said.contains(expected), "{wall}: {said}");
        }
    }
    let stage = "[[stages]]\nname = \"a\"\nactions = [{ type = \"move_wall\", wall = \"w\", motion = { velocity = [0.01, 0, 0] } }]\nuntil = { time = \"1 s\" }";
    assert!(refusal(floor, stage).is_some_and(|said| said.contains("period along x")));
}
