//! Profiles of packings whose profiles are known.

use dem_core::DVec3;
use dem_core::cell::Cell;

use super::assembly::Assembly;
use super::averages::{BinSums, sums};
use super::axis::Axis;
use super::bins::Bins;
use super::contact_numbers::ContactNumbers;
use super::radial_distribution::radial_distribution;
use super::region::Region;
use super::test_packings::{fcc, simple_cubic, spheres, touching};
use crate::volume::sphere;

fn fractions(assembly: &Assembly, bins: &Bins) -> Vec<f64> {
    let found = sums(assembly, bins);
    found.iter().enumerate().map(|(bin, sum)| sum.volume / bins.volume(bin)).collect()
}

/// Volume of spheres of diameter 1 between two heights, layer by layer, with `per_layer` spheres in each layer.
fn layers(heights: impl Iterator<Item = f64>, per_layer: f64, from: f64, to: f64) -> f64 {
    let below = |z: f64| {
        let z = z.clamp(-0.5, 0.5);
        std::f64::consts::PI * (0.25 * z - z * z * z / 3.0)
    };
    heights.map(|height| per_layer * (below(to - height) - below(from - height))).sum()
}

#[test]
fn simple_cubic_lattice_is_exact_bin_by_bin() {
    let (assembly, region) = simple_cubic(5);
    let offsets = [0.1, 0.3, 0.47];
    for (axis, offset) in [Axis::X, Axis::Y, Axis::Z].into_iter().zip(offsets) {
        let bins = Bins::new(axis, region, 37, &assembly.surroundings.cell).unwrap();
        for (bin, found) in fractions(&assembly, &bins).into_iter().enumerate() {
            let heights = (-1..7).map(|k| f64::from(k) + offset);
            let expected = layers(heights, 25.0, bins.edge(bin), bins.edge(bin + 1)) / bins.volume(bin);
            assert!((found - expected).abs() < 1e-12, "{axis:?} {bin}: {found} {expected}");
        }
    }
}

#[test]
fn fcc_lattice_is_exact_bin_by_bin() {
    let (assembly, region) = fcc(3);
    let half = 0.5f64.sqrt();
    let bins = Bins::new(Axis::Z, region, 41, &assembly.surroundings.cell).unwrap();
    for (bin, found) in fractions(&assembly, &bins).into_iter().enumerate() {
        // every half cell has a layer of 9 · 2 spheres
        let heights = (-2..9).map(|k| half * (f64::from(k) + 0.1));
        let expected = layers(heights, 18.0, bins.edge(bin), bins.edge(bin + 1)) / bins.volume(bin);
        assert!((found - expected).abs() < 1e-12, "{bin}: {found} {expected}");
    }
    let whole: f64 = fractions(&assembly, &bins).iter().sum::<f64>() / 41.0;
    assert!((whole - std::f64::consts::PI / 18f64.sqrt()).abs() < 1e-12, "{whole}");
}

/// A cube of an odd size cuts spheres with every face, edge and corner; the lattice is that of its periodic images.
#[test]
fn region_that_cuts_spheres_holds_the_same_with_either_axis() {
    let (assembly, _) = fcc(3);
    let region = Region::Box { low: DVec3::new(0.3, 0.9, 1.1), high: DVec3::new(2.9, 3.7, 4.0), whole: [false; 3] };
    let total = |axis: Axis| -> f64 {
        let bins = Bins::new(axis, region, 13, &assembly.surroundings.cell).unwrap();
        sums(&assembly, &bins).iter().map(|sum| sum.volume).sum()
    };
    let found = [Axis::X, Axis::Y, Axis::Z].map(total);
    assert!((found[0] - found[1]).abs() < 1e-11 && (found[0] - found[2]).abs() < 1e-11, "{found:?}");
    // a whole period of the lattice, cut as boxes that are not known to be periodic
    let edge = 3.0 * 2f64.sqrt();
    let region = Region::Box { low: DVec3::ZERO, high: DVec3::splat(edge), whole: [false; 3] };
    let bins = Bins::new(Axis::X, region, 10, &assembly.surroundings.cell).unwrap();
    let volume: f64 = sums(&assembly, &bins).iter().map(|sum| sum.volume).sum();
    assert!((volume - 108.0 * sphere(0.5)).abs() < 1e-11, "{volume}");
}

fn cylinder(base: DVec3, axis: DVec3, radius: f64, height: f64) -> Region {
    Region::Cylinder { base, axis: axis.normalize(), radius, height, whole: false }
}

/// Points without order in a box about the origin.
fn scattered(count: usize, half: f64) -> Vec<DVec3> {
    // the plastic sequence
    let g = 1.220_744_084_605_759_5_f64;
    let step = DVec3::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
    (0..count).map(|k| ((step * (k as f64 + 0.5)).fract() - 0.5) * (2.0 * half)).collect()
}

#[test]
fn shells_hold_the_volume_of_all_spheres_and_of_the_parts_in_a_smaller_cylinder() {
    let (mut assembly, _) = spheres(scattered(60, 2.0), 1.0, false);
    assembly.surroundings = std::sync::Arc::new(dem_sim::builder::Surroundings {
        walls: Vec::new(),
        up: DVec3::Z,
        cell: Cell::unbounded(),
        has_friction: true,
    });
    let cell = Cell::unbounded();
    let axis = DVec3::new(0.2, -0.4, 1.0);
    let wide = cylinder(-6.0 * axis.normalize(), axis, 6.0, 12.0);
    let bins = Bins::new(Axis::Radius, wide, 60, &cell).unwrap();
    let volume: f64 = sums(&assembly, &bins).iter().map(|sum| sum.volume).sum();
    assert!((volume - 60.0 * sphere(0.5)).abs() < 1e-11, "{volume}");
    // ends and wall cut spheres: slabs of the same cylinder hold as much as its shells
    let narrow = cylinder(DVec3::new(0.1, 0.2, -1.1), DVec3::Z, 1.3, 2.3);
    let of = |axis: Axis| -> f64 {
        let bins = Bins::new(axis, narrow, 17, &cell).unwrap();
        sums(&assembly, &bins).iter().map(|sum| sum.volume).sum()
    };
    let (shells, slabs) = (of(Axis::Radius), of(Axis::Z));
    assert!((shells - slabs).abs() < 1e-11, "{shells} {slabs}");
    // and a counted share of points agrees
    let points = scattered(400_000, 1.3);
    let inside = |x: &&DVec3| narrow.contains(**x) && assembly.position.iter().any(|c| c.distance_squared(**x) < 0.25);
    let covered = points.iter().filter(inside).count() as f64 / points.len() as f64 * 2.6f64.powi(3);
    assert!(covered < shells * 1.001, "overlaps count twice in the sum only: {covered} {shells}");
}

#[test]
fn stress_of_a_pressed_lattice_is_uniform_and_known() {
    let (mut assembly, region) = simple_cubic(5);
    assembly.contacts = Some(touching(&assembly, 2.0));
    let bins = Bins::new(Axis::Z, region, 10, &assembly.surroundings.cell).unwrap();
    for (bin, sum) in sums(&assembly, &bins).into_iter().enumerate() {
        // chains along x and y lie in single planes, those along z are everywhere
        let stress = sum.virial[2][2] / bins.volume(bin);
        assert!((stress + 2.0).abs() < 1e-12, "{stress}");
        assert!((sum.pair_contacts / sum.particles - 6.0).abs() < 1e-12 || sum.particles == 0.0);
    }
    let total: f64 = sums(&assembly, &bins).iter().map(|sum| sum.virial[0][0]).sum();
    assert!((total + 250.0).abs() < 1e-10, "{total}");
}

#[test]
fn stress_in_shells_adds_up_to_the_trace_of_the_virial() {
    let (mut assembly, _) = simple_cubic(6);
    assembly.contacts = Some(touching(&assembly, 1.0));
    let mut unbounded = Cell::unbounded();
    unbounded.periodic = [false; 3];
    let inside = |c: &super::assembly::Contact| {
        let ends = [assembly.position[c.first], assembly.position[c.first] + c.branch];
        ends.iter().all(|x| (0.0..=6.0).contains(&x.x) && (0.0..=6.0).contains(&x.y) && (0.0..=6.0).contains(&x.z))
    };
    let kept: Vec<_> = assembly.contact_list().iter().copied().filter(inside).collect();
    let expected: f64 = kept.iter().map(|c| c.force.dot(c.branch)).sum();
    assembly.contacts = Some(kept);
    let region = cylinder(DVec3::new(3.1, 2.8, -1.0), DVec3::Z, 6.0, 9.0);
    let bins = Bins::new(Axis::Radius, region, 23, &unbounded).unwrap();
    let trace: f64 = sums(&assembly, &bins).iter().map(|s| s.virial[0][0] + s.virial[1][1] + s.virial[2][2]).sum();
    assert!((trace - expected).abs() < 1e-10, "{trace} {expected}");
}

#[test]
fn velocity_and_temperature_are_those_of_the_particles() {
    let (mut assembly, region) = simple_cubic(4);
    for k in 0..assembly.len() {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        assembly.velocity[k] = DVec3::new(3.0 + sign, 0.0, -1.0);
    }
    let bins = Bins::new(Axis::Z, region, 4, &assembly.surroundings.cell).unwrap();
    let once = sums(&assembly, &bins);
    let mut twice: Vec<BinSums> = once.clone();
    twice.iter_mut().zip(&once).for_each(|(all, more)| all.join(more));
    for sum in once.iter().chain(&twice) {
        assert!((sum.velocity - DVec3::new(3.0, 0.0, -1.0)).length() < 1e-12, "{sum:?}");
        assert!((sum.granular_temperature() - 1.0 / 3.0).abs() < 1e-12, "{sum:?}");
    }
}

#[test]
fn spinning_cylinder_has_only_a_velocity_around_its_axis() {
    let (mut assembly, _) = spheres(scattered(200, 3.0), 1.0, false);
    for k in 0..assembly.len() {
        assembly.velocity[k] = DVec3::Z.cross(assembly.position[k]);
    }
    let region = cylinder(DVec3::new(0.0, 0.0, -4.0), DVec3::Z, 3.0, 8.0);
    let bins = Bins::new(Axis::Radius, region, 6, &Cell::unbounded()).unwrap();
    for sum in sums(&assembly, &bins) {
        assert!(sum.velocity.x.abs() < 1e-12 && sum.velocity.z.abs() < 1e-12 && sum.velocity.y > 0.0, "{sum:?}");
    }
}

#[test]
fn lattice_has_peaks_with_its_numbers_of_neighbours() {
    let (assembly, region) = simple_cubic(12);
    let found = radial_distribution(&assembly, &region).unwrap();
    assert_eq!(found.centres, 1728);
    let up_to = |distance: f64| found.neighbours[(distance / found.width) as usize];
    for (distance, number) in [(0.9, 0.0), (1.2, 6.0), (1.5, 18.0), (1.85, 26.0), (2.1, 32.0)] {
        assert!((up_to(distance) - number).abs() < 1e-9, "{distance}: {}", up_to(distance));
    }
}

#[test]
fn ideal_gas_has_no_structure_in_a_period_and_in_a_cylinder() {
    // independent points: a sequence of low discrepancy would have structure
    use rand::{Rng, SeedableRng};
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let edge = 14.0;
    let points: Vec<DVec3> = (0..20_000).map(|_| DVec3::new(unit(), unit(), unit()) * edge).collect();
    for periodic in [true, false] {
        let (mut assembly, mut region) = spheres(points.clone(), edge, periodic);
        assembly.radius.fill(0.5);
        if !periodic {
            region = cylinder(DVec3::new(7.0, 7.0, 1.0), DVec3::Z, 6.5, 12.0);
        }
        let found = radial_distribution(&assembly, &region).unwrap();
        // five standard deviations of the pairs in a bin, of which the limits of the cylinder take more than half
        for (bin, g) in found.values.iter().enumerate().skip(40) {
            let radius = (bin as f64 + 0.5) * found.width;
            let density = 20_000.0 / edge.powi(3);
            let pairs =
                0.5 * found.centres as f64 * density * 4.0 * std::f64::consts::PI * radius * radius * found.width;
            assert!((g - 1.0).abs() < 5.0 / (0.3 * pairs).sqrt(), "{periodic} {radius}: {g}, {pairs} pairs");
        }
        let tail = &found.values[60..];
        let mean = tail.iter().sum::<f64>() / tail.len() as f64;
        // the square of the density is known to two standard deviations of its number of points
        assert!((mean - 1.0).abs() < 2.0 / (found.centres as f64).sqrt(), "{periodic}: {mean}");
    }
}

#[test]
fn rattlers_are_removed_one_after_the_other() {
    // a chain without walls: its ends have one contact each, and when they go the next ones follow
    let (mut assembly, _) = spheres((0..5).map(|k| DVec3::new(f64::from(k), 0.0, 0.0)).collect(), 20.0, false);
    assembly.contacts = Some(touching(&assembly, 1.0));
    let found = ContactNumbers::new(&assembly).unwrap();
    assert_eq!(found.distribution, [0, 2, 3]);
    assert_eq!(found.rattlers, 5);
    assert!((found.coordination - 1.6).abs() < 1e-15);
    assert!((found.fabric[0] - 1.0).abs() < 1e-15 && found.fabric[1] == 0.0);
    let (mut lattice, _) = simple_cubic(4);
    lattice.contacts = Some(touching(&lattice, 1.0));
    let found = ContactNumbers::new(&lattice).unwrap();
    assert_eq!((found.rattlers, found.distribution.len()), (0, 7));
    assert!((found.mechanical - 6.0).abs() < 1e-15 && (found.fabric[2] - 1.0 / 3.0).abs() < 1e-15);
}

#[test]
fn bins_and_regions_that_do_not_fit_are_refused() {
    let cell = Cell::unbounded();
    let cube = Region::Box { low: DVec3::ZERO, high: DVec3::ONE, whole: [false; 3] };
    let lying = cylinder(DVec3::ZERO, DVec3::X, 1.0, 1.0);
    for (axis, region, count, message) in [
        (Axis::Z, cube, 0, "--bins = 0, expected 1 to 10000"),
        (Axis::Z, cube, 1_000_000, "--bins = 1000000, expected 1 to 10000"),
        (Axis::Radius, cube, 5, "a cylinder, because --axis is r"),
        (Axis::Z, lying, 5, "a cylinder along the axis of the profile"),
    ] {
        let found = Bins::new(axis, region, count, &cell).unwrap_err().to_string();
        assert!(found.contains(message), "{found}");
    }
    assert!(Axis::parse("q").unwrap_err().to_string().contains("x, y, z or r"));
    let found = super::tables::check_fields(Axis::Z, &["porosty".to_owned()]).unwrap_err().to_string();
    assert!(found.starts_with("--field = porosty, expected one of solid_fraction, porosity, "), "{found}");
}
