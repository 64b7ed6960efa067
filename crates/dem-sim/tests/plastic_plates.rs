//! One plastic sphere between two plates that close, open and close again: the force against the laws in closed form, and the springback.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::PI;

use dem_sim::builder;

const RADIUS: f64 = 1e-3;
/// Speed of each plate \[m/s\], and steps of each part of the way.
const SPEED: f64 = 1e-3;
const STEP: f64 = 1e-5;
const STEPS: [usize; 3] = [2000, 1280, 1800];
const YOUNG_MODULUS: f64 = 5e9;

/// Overlaps at either plate and the forces on the plates \[N\].
fn press(contact: &str) -> Vec<[f64; 3]> {
    let motion = |wall: &str, sign: f64| {
        format!("{{ type = \"move_wall\", wall = \"{wall}\", motion = {{ velocity = [0, 0, {}] }} }}", sign * SPEED)
    };
    let stage = |name: &str, sign: f64, steps: usize| {
        let [floor, lid] = [motion("floor", sign), motion("lid", -sign)];
        format!("[[stages]]\nname = \"{name}\"\nactions = [{floor}, {lid}]\nuntil = {{ steps = {steps} }}\n")
    };
    let stages: String = [("close", 1.0), ("open", -1.0), ("again", 1.0)]
        .iter()
        .zip(STEPS)
        .map(|(&(name, sign), steps)| stage(name, sign, steps))
        .collect();
    let text = format!(
        r#"
[time]
step = {STEP}
[materials.m]
density = 2500
young_modulus = {YOUNG_MODULUS}
poisson_ratio = 0.25
[contact]
{contact}
friction = 0.3
[fields]
gravity = [0, 0, 0]
[domain]
min = [-0.01, -0.01, -0.01]
max = [0.01, 0.01, 0.01]
[[walls]]
name = "floor"
material = "m"
shape = {{ type = "plane", point = [0, 0, -{RADIUS}], normal = [0, 0, 1] }}
[[walls]]
name = "lid"
material = "m"
shape = {{ type = "plane", point = [0, 0, {RADIUS}], normal = [0, 0, -1] }}
[[particles]]
name = "p"
material = "m"
sizes = {{ type = "single", radius = {RADIUS} }}
region = {{ type = "box", min = [-{RADIUS}, -{RADIUS}, -{RADIUS}], max = [{RADIUS}, {RADIUS}, {RADIUS}] }}
fill = {{ type = "lattice", count = 1 }}
{stages}"#
    );
    let mut simulation = builder::build(&builder::parse_scene("plates", &text, &[]).unwrap()).unwrap();
    simulation.pipeline.limits.overlap_ratio = 1.0;
    simulation.initialise().unwrap();
    let mut rows = Vec::new();
    for _ in 0..STEPS.iter().sum() {
        simulation.advance().unwrap();
        let walls = &simulation.world.walls;
        assert!(simulation.world.particles.position[0].length() < 1e-12 * RADIUS, "the sphere stays in the middle");
        let overlap = RADIUS - (walls[1].pose.position.z - walls[0].pose.position.z) / 2.0;
        rows.push([overlap, -walls[0].force.z, walls[1].force.z]);
    }
    rows
}

/// Follows the plates with the force of a law, which is given the overlap and the largest one so far; returns the overlap at which the force vanishes
/// while the plates open.
fn follow(contact: &str, force: impl Fn(f64, f64) -> f64) -> f64 {
    let rows = press(contact);
    let largest = rows.iter().map(|row| row[1].abs()).fold(0.0, f64::max);
    let (mut deepest, mut vanishes) = (0.0f64, f64::NAN);
    for (k, pair) in rows.windows(2).enumerate() {
        let [before, [overlap, floor, lid]] = [pair[0], pair[1]];
        deepest = deepest.max(overlap);
        let expected = force(overlap, deepest);
        for found in [floor, lid] {
            assert!(
                (found - expected).abs() < 1e-6 * largest,
                "step {k}: {found} instead of {expected} at {overlap:e}"
            );
        }
        if vanishes.is_nan() && k > STEPS[0] && before[1] > 0.0 && floor <= 0.0 {
            vanishes = overlap + (before[0] - overlap) * floor / (floor - before[1]);
        }
    }
    vanishes
}

/// Largest overlap before the plates open first \[m\].
const TURN: f64 = SPEED * STEP * STEPS[0] as f64;

#[test]
fn a_spring_of_walton_and_braun_springs_back_by_its_ratio() {
    let [k1, k2] = [1e4, 4e4];
    let text =
        format!("law = \"walton-braun\"\nloading_stiffness = {k1}\nunloading_stiffness = {k2}\ndamping_ratio = 0");
    let dent = follow(&text, |overlap, deepest| {
        let unloaded = deepest * (1.0 - k1 / k2);
        (k1 * overlap).min(k2 * (overlap - unloaded)).max(0.0)
    });
    // k1/k2 of the way comes back
    assert!(((TURN - dent) / TURN / (k1 / k2) - 1.0).abs() < 1e-6, "{dent:e}");
}

#[test]
fn a_spring_of_luding_springs_back_by_the_stiffness_that_it_has_come_to() {
    let [k1, most, kc, depth] = [1e4, 5e4, 2e3, 0.05];
    let text = format!(
        "law = \"luding\"\nloading_stiffness = {k1}\nunloading_stiffness_limit = {most}\ncohesive_stiffness = {kc}\nplasticity_depth = {depth}\ndamping_ratio = 0"
    );
    // 2 r* at a wall
    let limit = most / (most - k1) * depth * 2.0 * RADIUS;
    let stiffness = |deepest: f64| k1 + (most - k1) * (deepest / limit).min(1.0);
    let dent = follow(&text, |overlap, deepest| {
        let k2 = stiffness(deepest);
        let unloaded = deepest * (1.0 - k1 / k2);
        (k1 * overlap).min((k2 * (overlap - unloaded)).max(-kc * overlap))
    });
    assert!(((TURN - dent) / TURN / (k1 / stiffness(TURN)) - 1.0).abs() < 1e-6, "{dent:e}");
}

/// Thornton: linear beyond the yield, and back along Hertz with a larger radius.
#[test]
fn a_sphere_of_thornton_springs_back_along_a_flatter_hertz() {
    let pressure = 1e7;
    let modulus = YOUNG_MODULUS / (2.0 * (1.0 - 0.25 * 0.25));
    let text = format!("law = \"thornton-ning\"\nyield_pressure = {pressure}\ndamping_ratio = 0");
    let yields = RADIUS * (PI * pressure / (2.0 * modulus)).powi(2);
    let hertz = |radius: f64, overlap: f64| 4.0 / 3.0 * modulus * radius.sqrt() * overlap.max(0.0).powf(1.5);
    let loading = |overlap: f64| {
        let beyond = (overlap - yields).max(0.0);
        hertz(RADIUS, overlap.min(yields)) + PI * pressure * RADIUS * beyond
    };
    let unloading = |deepest: f64| {
        let most = loading(deepest);
        // the area at the turn is that of Hertz with the larger radius: a² = r δ
        let area = (RADIUS * deepest).sqrt();
        let flatter = 4.0 * modulus * area.powi(3) / (3.0 * most);
        (flatter, deepest - area * area / flatter)
    };
    let dent = follow(&text, |overlap, deepest| {
        if overlap >= deepest {
            return loading(overlap);
        }
        let (flatter, unloaded) = unloading(deepest);
        hertz(flatter, overlap - unloaded)
    });
    let (_, unloaded) = unloading(TURN);
    assert!((dent - unloaded).abs() < 1e-3 * TURN, "{dent:e} {unloaded:e}");
}
