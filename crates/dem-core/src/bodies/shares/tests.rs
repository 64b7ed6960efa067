use dem_reference::sphere_unions::two_spheres;
use glam::DVec3;

use super::*;
use crate::sphere::sphere_volume;

fn sphere(x: f64, y: f64, z: f64, radius: f64) -> MemberSphere {
    MemberSphere { position: DVec3::new(x, y, z), radius }
}

fn cluster() -> Vec<MemberSphere> {
    (0..8)
        .map(|k| {
            let part = |d: i32| (f64::from(k + 1) * 1.167_303_978_f64.powi(-d)).fract();
            sphere(1.2 * part(1), 1.2 * part(2), 1.2 * part(3), 0.35 + 0.4 * part(4))
        })
        .collect()
}

/// Shares of a point and of triple overlaps by counting points of a grid.
fn counted(spheres: &[MemberSphere], points: i32) -> (Vec<f64>, f64) {
    let at = |k: i32| -0.8 + 2.8 * (f64::from(k) + 0.5) / f64::from(points);
    let mut shares = vec![0.0; spheres.len()];
    let mut triple = 0.0;
    for i in 0..points {
        for j in 0..points {
            for k in 0..points {
                let x = DVec3::new(at(i), at(j), at(k));
                let powers = spheres.iter().map(|s| x.distance_squared(s.position) - s.radius * s.radius);
                let inside = powers.clone().filter(|&power| power < 0.0).count();
                if inside > 0 {
                    let nearest = powers.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap().0;
                    shares[nearest] += 1.0;
                    triple += f64::from(u8::from(inside >= 3));
                }
            }
        }
    }
    let total: f64 = shares.iter().sum();
    (shares.iter().map(|share| share / total).collect(), triple / total)
}

#[test]
fn two_spheres_are_divided_by_the_plane_of_their_circle() {
    let (radii, distance) = ([1.0, 0.6], 1.2);
    let spheres = [sphere(0.0, 0.0, 0.0, radii[0]), sphere(0.0, 0.72, 0.96, radii[1])];
    let volume = two_spheres(radii, distance).unwrap().volume;
    // less the cap beyond the plane
    let height = radii[0] - (distance * distance + 1.0 - 0.36) / (2.0 * distance);
    let cap = std::f64::consts::PI * height * height * (3.0 * radii[0] - height) / 3.0;
    let expected = (sphere_volume(radii[0]) - cap) / volume;
    let found = of_union(&spheres);
    assert!((found[0] - expected).abs() < 1e-12 && (found[1] - 1.0 + expected).abs() < 1e-12, "{found:?} {expected}");
}

#[test]
fn shares_add_up_and_are_what_a_grid_counts() {
    let spheres = cluster();
    let found = of_union(&spheres);
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    let (expected, triple) = counted(&spheres, 140);
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 3e-4, "{found} {expected}");
    }
    let found = triple_overlap_share(&spheres);
    assert!((found - triple).abs() < 5e-4, "{found} {triple}");
}

#[test]
fn what_belongs_to_the_spheres_fills_the_union_in_any_frame() {
    let spheres = cluster();
    let turn = glam::DQuat::from_xyzw(0.3, 0.2, -0.7, 0.4).normalize();
    let turned: Vec<MemberSphere> =
        spheres.iter().map(|s| MemberSphere { position: turn * s.position * 1e-3, radius: s.radius * 1e-3 }).collect();
    for (a, b) in of_union(&spheres).iter().zip(of_union(&turned)) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
    let (a, b) = (triple_overlap_share(&spheres), triple_overlap_share(&turned));
    assert!((a - b).abs() < 1e-7, "{a} {b}");
    let volume: f64 = nearest_volumes(&spheres).iter().sum();
    let expected = crate::bodies::mass_properties::of_union(&spheres).volume;
    assert!((volume / expected - 1.0).abs() < 1e-9, "{:e}", volume / expected - 1.0);
}

#[test]
fn hidden_spheres_have_nothing_and_single_ones_have_theirs() {
    let spheres = [
        sphere(0.0, 0.0, 0.0, 1.0),
        sphere(0.1, 0.0, 0.0, 0.5),
        sphere(5.0, 0.0, 0.0, 2.0),
        sphere(0.0, 0.0, 0.0, 1.0),
        sphere(5.0, 0.0, 0.0, 2.0),
    ];
    assert_eq!(of_union(&spheres), [1.0 / 9.0, 0.0, 8.0 / 9.0, 0.0, 0.0]);
    // through one circle
    let root = 2.0_f64.sqrt();
    let shares = of_union(&[sphere(0.0, 0.0, 0.0, root), sphere(1.0, 0.0, 0.0, 1.0), sphere(2.0, 0.0, 0.0, root)]);
    assert!((shares[0] - 0.5).abs() < 1e-9 && shares[1] < 1e-9, "{shares:?}");
}

#[test]
fn triple_overlaps_of_known_volume() {
    let one = sphere(0.2, 0.3, -0.1, 0.7);
    assert_eq!(triple_overlap_share(&[one, one]), 0.0);
    assert!((triple_overlap_share(&[one; 3]) - 1.0).abs() < 1e-12);
    // a lens inside a third sphere
    let spheres = [sphere(0.0, 0.0, 0.0, 1.0), sphere(1.2, 0.0, 0.0, 0.6), sphere(0.5, 0.0, 0.0, 2.0)];
    let lens = sphere_volume(1.0) + sphere_volume(0.6) - two_spheres([1.0, 0.6], 1.2).unwrap().volume;
    let found = triple_overlap_share(&spheres);
    assert!((found - lens / sphere_volume(2.0)).abs() < 1e-7, "{found}");
    // corners of a square: only two spheres meet anywhere
    let square = [
        sphere(0.0, 0.0, 0.0, 0.6),
        sphere(1.0, 0.0, 0.0, 0.6),
        sphere(1.0, 1.0, 0.0, 0.6),
        sphere(0.0, 1.0, 0.0, 0.6),
    ];
    assert!(triple_overlap_share(&square).abs() < 1e-12);
}
