//! Spheres near the axis of surfaces that surround them: forces, potentials and how they rest.

use glam::{DVec2, DVec3};

use super::{Mesh, Shape};

/// Radius of the sphere \[m\].
const RADIUS: f64 = 0.01;

fn quad(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> [[DVec3; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// Cone of 45 degrees of many sides whose faces touch the round one of [`round_cone`], shifted and rounded to single precision.
fn cone(sides: usize, shift: DVec3) -> Shape {
    let widened = 1.0 / libm::cos(std::f64::consts::PI / sides as f64);
    let at = |k: usize, r: f64, z: f64| {
        let angle = std::f64::consts::TAU * (k % sides) as f64 / sides as f64;
        (DVec3::new(r * libm::cos(angle), r * libm::sin(angle), z) + shift).as_vec3().as_dvec3()
    };
    let (low, high) = (0.004 * widened, 0.05 * widened);
    let facets: Vec<[DVec3; 3]> = (0..sides)
        .flat_map(|k| quad(at(k, low, 0.0), at(k + 1, low, 0.0), at(k + 1, high, 0.046), at(k, high, 0.046)))
        .collect();
    Shape::Mesh { mesh: Mesh::new(&facets).unwrap().into(), at: -shift }
}

fn revolution(start: [f64; 2], end: [f64; 2]) -> Shape {
    Shape::Revolution { base: DVec3::ZERO, axis: DVec3::Z, start: DVec2::from(start), end: DVec2::from(end) }
}

fn round_cone() -> Shape {
    revolution([0.004, 0.0], [0.05, 0.046])
}

/// Force on the sphere by Hertz springs of unit stiffness, their potential, and how many there are.
fn load(shape: &Shape, centre: DVec3) -> (DVec3, f64, usize) {
    let mut near = Vec::new();
    shape.visit_near(centre, RADIUS, 0.0, &mut |feature| near.push(feature));
    near.sort_unstable();
    near.dedup();
    let (mut force, mut potential, mut count) = (DVec3::ZERO, 0.0, 0);
    for feature in near {
        let surface = shape.surface_point(feature, centre);
        let overlap = RADIUS - surface.distance;
        if surface.is_nearest && overlap > 0.0 {
            force += surface.normal * overlap.powf(1.5);
            potential += 0.4 * overlap.powf(2.5);
            count += 1;
        }
    }
    (force, potential, count)
}

/// Height at which the sphere is carried on the axis with a force.
fn rest(shape: &Shape, weight: f64) -> f64 {
    let (mut low, mut high) = (0.003, 0.02);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if load(shape, DVec3::Z * middle).0.z > weight { low = middle } else { high = middle }
    }
    low
}

#[test]
fn the_force_is_continuous_across_the_axis_and_has_a_potential() {
    let overlap = 4e-5;
    let slope = 0.5f64.sqrt();
    // where the overlap on the axis is as above
    let in_cone = DVec3::Z * ((RADIUS - overlap) / slope - 0.004);
    let hole = revolution([0.006, 0.0], [0.03, 0.0]);
    let in_hole = DVec3::Z * ((RADIUS - overlap).powi(2) - 0.006f64.powi(2)).sqrt();
    let tube = RADIUS - overlap;
    let shapes = [
        ("cone", round_cone(), in_cone),
        ("hole", hole, in_hole),
        ("tube", revolution([tube, -0.1], [tube, 0.1]), DVec3::ZERO),
        ("pipe", revolution([tube, f64::NEG_INFINITY], [tube, f64::INFINITY]), DVec3::ZERO),
        ("ball", Shape::Sphere { centre: DVec3::ZERO, radius: tube }, DVec3::ZERO),
        ("funnel", revolution([0.0, 0.0], [0.05, 0.02]), DVec3::Z * ((RADIUS - overlap) * (1.0f64 + 0.16).sqrt())),
        ("cone of 12", cone(12, DVec3::ZERO), in_cone),
        ("cone of 60", cone(60, DVec3::ZERO), in_cone),
        ("cone of 60, far away", cone(60, DVec3::new(0.3, 0.1, -0.2)), in_cone),
        ("cone of 240", cone(240, DVec3::ZERO), in_cone),
    ];
    for (name, shape, on_axis) in shapes {
        let (_, _, all) = load(&shape, on_axis);
        assert!((6..=12).contains(&all), "{name}: {all} contacts on the axis");
        let stiffness = 1.5 * overlap.sqrt();
        let step = overlap / 500.0;
        let tolerance = 1e-3 * overlap.powf(1.5);
        // faces of files in single precision are so far from where they should be
        let rounding = load(&shape, on_axis).0.length() * if name.ends_with("away") { 1.5e-8 } else { 5e-10 };
        for direction in [0.0f64, 0.3, 1.0, 2.7] {
            let along = DVec3::new(direction.cos(), direction.sin(), 0.1 * direction);
            for side in [0.0, 1e-9, 1e-6] {
                let at = |k: i32| on_axis + along * (step * f64::from(k)) + DVec3::new(-along.y, along.x, 0.0) * side;
                let mut before = load(&shape, at(-500));
                for k in -499..=500 {
                    let now = load(&shape, at(k));
                    let jump = (now.0 - before.0).length();
                    // twelve springs that are up to three times as compressed
                    let allowed = 12.0 * 1.8 * stiffness * step * along.length() + tolerance;
                    assert!(jump < allowed, "{name} at {k}, {side}: the force jumps by {jump:e}, allowed {allowed:e}");
                    let work = -0.5 * (now.0 + before.0).dot(at(k) - at(k - 1));
                    let stored = now.1 - before.1;
                    assert!(
                        (work - stored).abs() < 1e-3 * stiffness * overlap * step + rounding,
                        "{name} at {k}, {side}: {work:e} {stored:e}"
                    );
                    before = now;
                }
            }
            let nearby = load(&shape, on_axis + DVec3::X * 1e-9).0;
            let across = (nearby - on_axis.normalize_or_zero() * nearby.dot(on_axis.normalize_or_zero())).length();
            assert!(across < 1e-3 * overlap.powf(1.5), "{name}: {across:e} across the axis on it");
        }
    }
}

#[test]
fn cones_of_any_number_of_sides_hold_a_sphere_alike() {
    let weight = 12.0 * 0.5f64.sqrt() * 4e-5f64.powf(1.5);
    let expected = rest(&round_cone(), weight);
    for sides in [12, 24, 60, 64, 97, 240] {
        let found = rest(&cone(sides, DVec3::new(0.02, -0.01, 0.0)), weight);
        let deviation = (found - expected).abs() * 0.5f64.sqrt() / 4e-5;
        // the files are in single precision, and 12 directions of 64 or 97 sides are not at equal angles
        assert!(deviation < 2e-3, "{sides}: {deviation:e} of the overlap");
        let (force, _, count) = load(&cone(sides, DVec3::ZERO), DVec3::Z * found);
        assert_eq!(count, 12, "{sides}");
        assert!(force.truncate().length() < 0.01 * weight, "{sides}: {force}");
    }
}

#[test]
fn a_sphere_in_a_wider_hollow_has_one_contact() {
    let tube = revolution([0.0105, -0.1], [0.0105, 0.1]);
    let ball = Shape::Sphere { centre: DVec3::ZERO, radius: 0.0105 };
    for angle in 0..100 {
        let angle = 0.1 * f64::from(angle);
        let outward = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let centre = outward * 5.3e-4;
        for shape in [&tube, &ball] {
            let (force, _, count) = load(shape, centre);
            assert_eq!(count, 1);
            let surface = shape.surface_point(0, centre);
            assert!((surface.distance - (0.0105 - 5.3e-4)).abs() < 1e-16);
            assert!((force.normalize() + outward).length() < 1e-14);
        }
    }
}

#[test]
fn a_flat_disc_and_the_tip_of_a_roof_are_touched_once() {
    let disc = revolution([0.0, 0.0], [0.05, 0.0]);
    let roof = revolution([0.0, 0.0], [0.05, -0.04]);
    let rod = revolution([0.001, -0.1], [0.001, 0.1]);
    for x in [0.0, 1e-12, 1e-8, 1e-4, 1e-3] {
        assert_eq!(load(&disc, DVec3::new(x, 0.0, 0.0099)).2, 1);
        assert_eq!(load(&roof, DVec3::new(x, 0.0, 0.0099)).2, 1);
    }
    assert_eq!(load(&rod, DVec3::X * 0.0109).2, 1);
}
