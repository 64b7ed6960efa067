//! Fabric, mobilised friction, virial and stress of regions, of contacts that are known.

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_sim::insertion::Region;
use dem_sim::measure::{MeasuredRegion, contact_numbers, fabric, region_values, unbalanced_force};
use dem_testkit::worlds;

#[test]
fn pair_and_floor_have_the_fabric_and_virial_of_their_directions() {
    let given = worlds::common_parameters("hertz-mindlin", 0.5, 1.0);
    let mut world = worlds::world("hertz-mindlin", &given, Cell::unbounded());
    worlds::add_floor(&mut world);
    let (first, second) = (DVec3::new(0.0, 0.0, 0.999), DVec3::new(1.2, 0.0, 0.999 + 1.5975));
    world.insert(worlds::sphere(first, 1.0));
    world.insert(worlds::sphere(second, 1.0));
    worlds::pipeline().initialise(&mut world).unwrap();
    let found = fabric(&world);
    let branch = second - first;
    let n = branch.normalize();
    let expected = [n.x * n.x, 0.0, n.z * n.z, 0.0, n.x * n.z, 0.0];
    assert!(found.tensor.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
    // nothing has slipped, so there is no friction; pressure is negative, across the plane of the two there is none
    assert!(found.mobilised_friction < 1e-14, "rounding: {found:?}");
    assert!(found.virial[0] < 0.0 && found.virial[2] < found.virial[0] && found.virial[1] == 0.0, "{found:?}");
    // along x nothing presses but the pair
    let pair = found.virial[0] / (n.x * n.x);
    assert!((found.virial[4] - pair * n.x * n.z).abs() < 1e-12 * pair.abs(), "{found:?}");
}

#[test]
fn stresses_of_regions_add_up_to_the_virial_across_periodic_faces() {
    let size = DVec3::new(0.08, 0.1, 0.12);
    let cell = Cell::orthogonal(DVec3::ZERO, size, [true; 3], [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.5, 0.5), cell);
    // a lattice of 4 x 5 x 6 spheres that all overlap, no two by the same length
    for k in 0..120 {
        let site = DVec3::new(f64::from(k % 4), f64::from(k / 4 % 5), f64::from(k / 20));
        let shift = DVec3::new(f64::from(k * 7 % 11), f64::from(k * 5 % 13), f64::from(k * 3 % 17)) / 17.0 - 0.5;
        let mut sphere = worlds::sphere(0.02 * (site + 0.02) + 4e-4 * (shift + 0.5), 0.0105);
        sphere.velocity = shift;
        world.insert(sphere);
    }
    let cut = DVec3::new(0.031, 0.012, 0.077);
    for octant in 0..8 {
        let upper = DVec3::new(f64::from(octant & 1), f64::from(octant >> 1 & 1), f64::from(octant >> 2));
        let (min, max) = (upper * cut, cut + upper * (size - cut));
        world.regions.push(MeasuredRegion { name: octant.to_string(), region: Region::Box { min, max } });
    }
    worlds::pipeline().initialise(&mut world).unwrap();
    let values = region_values(&world);
    let virial = fabric(&world).virial;
    let scale = virial[0].abs();
    assert!(virial[3].abs() > 1e-6 * scale, "dashpots make shear, or half of this test is empty: {virial:?}");
    for k in 0..6 {
        let sum: f64 =
            world.regions.iter().zip(values.chunks(8)).map(|(one, row)| one.region.volume() * row[2 + k]).sum();
        assert!((sum - virial[k]).abs() < 1e-13 * scale, "component {k}: {sum} {}", virial[k]);
    }
    // every sphere lies in one region, and no region has the mean stress
    assert_eq!(values.chunks(8).map(|row| row[0]).sum::<f64>(), 120.0);
    let contacts: f64 = values.chunks(8).map(|row| row[0] * row[1]).sum();
    assert!((contacts - contact_numbers(&world).iter().map(|n| f64::from(n.0)).sum::<f64>()).abs() < 1e-9);
    let mean = virial[0] / size.element_product();
    assert!(values.chunks(8).all(|row| (row[2] - mean).abs() > 1e-4 * mean.abs()), "{values:?} {mean}");
}

/// A sphere on a floor and another on top of it, by hand: each contact counts once, and so does each particle.
#[test]
fn unbalanced_force_is_a_mean_over_particles_and_one_over_contacts() {
    let given = worlds::common_parameters("hertz-mindlin", 0.5, 1.0);
    let mut world = worlds::world("hertz-mindlin", &given, Cell::unbounded());
    worlds::add_floor(&mut world);
    world.insert(worlds::sphere(DVec3::new(0.0, 0.0, 0.999), 1.0));
    world.insert(worlds::sphere(DVec3::new(0.0, 0.0, 2.997), 1.0));
    worlds::pipeline().initialise(&mut world).unwrap();
    let net: Vec<f64> = world.particles.force.iter().map(|force| force.z).collect();
    let (pair, floor) = (net[1], net[0] + net[1]);
    assert!(pair > 0.0 && floor > 0.0 && (pair / floor - 1.0).abs() > 0.1, "{pair} {floor}");
    let expected = 0.5 * (net[0].abs() + net[1].abs()) / (0.5 * (pair + floor));
    let found = unbalanced_force(&world);
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
}
