use dem_reference::sphere_unions::{surface_of_two_spheres, two_spheres};

use super::*;

fn sphere(x: f64, y: f64, z: f64, radius: f64) -> MemberSphere {
    MemberSphere { position: DVec3::new(x, y, z), radius }
}

#[test]
fn exposed_surface_of_two_spheres_is_that_of_their_caps() {
    for (radii, distance) in [([1.0, 0.6], 1.2), ([1.0, 1.0], 1.0), ([1.0, 0.1], 0.95), ([0.3, 2.0], 1.9)] {
        let spheres = [sphere(0.0, 0.0, 0.0, radii[0]), sphere(0.0, distance * 0.6, -distance * 0.8, radii[1])];
        let expected = surface_of_two_spheres(radii, distance).unwrap();
        let found = exposed_surface(&spheres);
        assert!((found / expected - 1.0).abs() < 2e-14, "{radii:?} {distance}: {:e}", found / expected - 1.0);
        let volume = two_spheres(radii, distance).unwrap().volume;
        let found = sphericity(&spheres, volume);
        let equal = std::f64::consts::PI.cbrt() * (6.0 * volume).powf(2.0 / 3.0);
        assert!((found - equal / expected).abs() < 1e-13, "{found}");
    }
}

#[test]
fn exposed_surface_is_the_rate_of_the_volume_as_all_spheres_grow() {
    let grown =
        |by: f64| [sphere(0.0, 0.0, 0.0, 1.0 + by), sphere(1.0, 0.0, 0.0, 0.9 + by), sphere(0.4, 0.8, 0.1, 0.8 + by)];
    let volume = |by: f64| crate::bodies::mass_properties::of_union(&grown(by)).volume;
    let step = 1e-4;
    let rate = (8.0 * (volume(step) - volume(-step)) - (volume(2.0 * step) - volume(-2.0 * step))) / (12.0 * step);
    let found = exposed_surface(&grown(0.0));
    assert!((found / rate - 1.0).abs() < 1e-11, "{:e}", found / rate - 1.0);
}

#[test]
fn sphere_is_round_in_all_respects() {
    let one = [sphere(1.0, 2.0, 3.0, 0.5)];
    let volume = crate::sphere::sphere_volume(0.5);
    assert!((sphericity(&one, volume) - 1.0).abs() < 1e-15);
    let widths = widths(&one, DQuat::from_xyzw(0.1, 0.2, 0.3, 0.4).normalize());
    assert!((widths - 1.0).length() < 1e-15);
    let Proportions { elongation, flatness } = proportions(widths);
    assert!((elongation - 1.0).abs() < 2e-15 && (flatness - 1.0).abs() < 2e-15);
    assert_eq!(bounding_radius(&one, one[0].position), 0.5);
}

#[test]
fn rods_are_elongated_and_plates_are_flat() {
    let rod: Vec<MemberSphere> = (0..4).map(|k| sphere(0.0, 0.0, f64::from(k), 1.0)).collect();
    assert_eq!(widths(&rod, DQuat::IDENTITY), DVec3::new(2.0, 2.0, 5.0));
    assert_eq!(proportions(widths(&rod, DQuat::IDENTITY)), Proportions { elongation: 0.4, flatness: 1.0 });
    let plate: Vec<MemberSphere> = (0..9).map(|k| sphere(f64::from(k % 3), f64::from(k / 3), 0.0, 0.5)).collect();
    assert_eq!(proportions(widths(&plate, DQuat::IDENTITY)), Proportions { elongation: 1.0, flatness: 1.0 / 3.0 });
    assert_eq!(bounding_radius(&plate, DVec3::new(1.0, 1.0, 0.0)), 2.0_f64.sqrt() + 0.5);
}

#[test]
fn spheres_that_touch_hang_together() {
    let touching = [sphere(0.0, 0.0, 0.0, 0.1), sphere(0.3, 0.0, 0.0, 0.2), sphere(1.0, 0.0, 0.0, 0.3)];
    assert_eq!(components(&touching), 2);
    assert_eq!(components(&touching[..2]), 1, "0.1 + 0.2 is not 0.3 in these numbers");
    assert_eq!(components(&[touching[2], sphere(1.0, 0.0, 0.0, 0.1)]), 1, "one inside the other");
    assert_eq!(components(&[]), 0);
}
