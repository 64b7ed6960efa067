//! Fabric, mobilised friction and virial of contacts that are known.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_sim::measure::fabric;
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
