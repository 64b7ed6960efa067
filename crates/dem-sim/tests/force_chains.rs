//! Force chains of assemblies in which everybody can see them.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_sim::measure::{ForceChains, force_chains};
use dem_sim::world::World;
use dem_testkit::worlds;

/// Spheres of radius 0.5 with the forces of their overlaps, in a cell that is periodic along all axes.
fn world(size: DVec3, centres: &[DVec3]) -> World {
    let law = [("normal_stiffness", 1e5), ("friction", 0.3), ("stiffness_ratio", 1.0), ("restitution", 1.0)];
    let cell = Cell::orthogonal(DVec3::ZERO, size, [true; 3], [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::parameters(&law, &[]), cell);
    for &centre in centres {
        world.insert(worlds::sphere(centre, 0.5));
    }
    worlds::pipeline().initialise(&mut world).unwrap();
    world
}

fn row(from: DVec3, step: DVec3, count: u32) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |k| from + step * f64::from(k))
}

#[test]
fn a_row_is_a_chain_and_a_pair_or_a_row_that_bears_little_is_none() {
    let oblique = DVec3::new(1.0, 1.0, 0.0).normalize() * 0.999;
    let mut centres: Vec<DVec3> = Vec::new();
    // across the periodic faces
    centres.extend(row(DVec3::new(9.0, 9.0, 2.0), oblique, 4));
    centres.extend(row(DVec3::new(2.0, 5.0, 5.0), DVec3::X * 0.999, 2));
    centres.extend(row(DVec3::new(5.0, 2.0, 8.0), DVec3::Y * 0.9999, 3));
    centres.push(DVec3::new(5.0, 5.0, 2.0));
    let found = force_chains(&world(DVec3::splat(10.0), &centres));
    assert_eq!(found, ForceChains { chains: 1, share: 4.0 / 10.0, length: 4.0 });
}

/// Columns from face to face that touch each other lightly, and a pair that bears little.
fn columns(lateral: f64) -> ForceChains {
    let mut centres: Vec<DVec3> = Vec::new();
    centres.extend(row(DVec3::new(2.0, 2.0, 0.5), DVec3::Z * 0.999, 6));
    centres.extend(row(DVec3::new(2.0 + lateral, 2.0, 0.5), DVec3::Z * 0.999, 6));
    centres.extend(row(DVec3::new(6.0, 6.0, 2.0), DVec3::Z * 0.9999, 2));
    force_chains(&world(DVec3::new(8.0, 8.0, 6.0 * 0.999), &centres))
}

#[test]
fn chains_side_by_side_are_not_one() {
    let expected = ForceChains { chains: 2, share: 12.0 / 14.0, length: 6.0 };
    assert_eq!(columns(0.9999), expected, "contacts across the load link nothing");
    assert_eq!(columns(3.0), expected);
}

#[test]
fn no_contact_is_no_chain() {
    let centres: Vec<DVec3> = row(DVec3::splat(1.0), DVec3::X * 2.0, 3).collect();
    assert_eq!(force_chains(&world(DVec3::splat(8.0), &centres)), ForceChains::default());
    assert_eq!(force_chains(&world(DVec3::splat(8.0), &[])), ForceChains::default());
}
