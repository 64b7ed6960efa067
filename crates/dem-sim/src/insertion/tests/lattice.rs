use super::super::sphere::ROUNDING;
use super::super::*;
use super::*;

const KINDS: [LatticeKind; 3] =
    [LatticeKind::SimpleCubic, LatticeKind::FaceCentredCubic, LatticeKind::HexagonalClosePacked];
const EQUAL: SizeDistribution = SizeDistribution::Single { radius: 0.05 };

fn cube(side: f64) -> Region {
    Region::Box { min: DVec3::ZERO, max: DVec3::splat(side) }
}

fn fill(lattice: &Lattice, region: &Region, sizes: &SizeDistribution) -> Vec<NewSphere> {
    let mut occupied = Occupied::new(PeriodicLengths::none(), region.bounds(), 0.1).unwrap();
    fill_lattice(lattice, region, sizes, &mut occupied, &mut rng(1)).unwrap()
}

#[test]
fn touching_cubic_lattice_fills_a_box_of_whole_diameters() {
    // 0.7 / 0.1 rounds below 7.
    let spheres = fill(&Lattice::new(KINDS[0]), &cube(0.7), &EQUAL);
    assert_eq!(spheres.len(), 343);
    assert!(smallest_gap(&spheres, &PeriodicLengths::none()) > -ROUNDING);
}

#[test]
fn each_lattice_has_its_coordination_number_and_density() {
    for (kind, neighbours, density) in
        [(KINDS[0], 6, std::f64::consts::FRAC_PI_6), (KINDS[1], 12, 0.740_480_5), (KINDS[2], 12, 0.740_480_5)]
    {
        let spheres = fill(&Lattice::new(kind), &cube(1.2), &EQUAL);
        let most = spheres.iter().map(|a| {
            let touching = spheres.iter().filter(|b| (a.centre.distance(b.centre) / 0.1 - 1.0).abs() < 1e-9);
            touching.count()
        });
        assert_eq!(most.max(), Some(neighbours), "{kind:?}");
        // Sites inside a ball well within; a tenth for the sites at its surface.
        let inside = spheres.iter().filter(|s| s.centre.distance(DVec3::splat(0.6)) < 0.5).count() as f64;
        let expected = density * (0.5_f64 / 0.05).powi(3);
        assert!((inside / expected - 1.0).abs() < 0.1, "{kind:?} {inside} {expected}");
    }
}

#[test]
fn jittered_spheres_of_all_sizes_never_overlap_nor_leave_the_region() {
    let sizes = SizeDistribution::Uniform { min: 0.02, max: 0.05 };
    let region =
        Region::Cylinder { base: DVec3::new(0.1, 0.2, 0.3), axis: DVec3::new(1.0, 1.0, 3.0), radius: 0.4, height: 0.9 };
    for kind in KINDS {
        let lattice = Lattice { relative_gap: 0.2, jitter: 1.0, ..Lattice::new(kind) };
        let spheres = fill(&lattice, &region, &sizes);
        assert!(spheres.len() > 100);
        let none = PeriodicLengths::none();
        assert!(smallest_gap(&spheres, &none) > 0.0);
        for sphere in &spheres {
            assert!(region.contains_sphere(sphere.centre, sphere.radius, &none));
        }
        let still = fill(&Lattice { jitter: 0.0, ..lattice }, &region, &sizes);
        let moved = spheres.iter().zip(&still).filter(|(a, b)| a.centre != b.centre);
        assert!(moved.count() > spheres.len() / 2, "jitter moves");
    }
}

#[test]
fn lattices_continue_across_periodic_faces() {
    let origin = DVec3::splat(-0.4);
    let lengths = [Some(0.93), Some(0.93), Some(0.93)];
    let periodic = PeriodicLengths { lengths, origin };
    let region = Region::Box { min: origin, max: origin + 0.93 };
    for (kind, count) in KINDS.into_iter().zip([9 * 9 * 9, 4 * 6 * 6 * 6, 4 * 9 * 5 * 5]) {
        let mut occupied = Occupied::new(periodic, region.bounds(), 0.1).unwrap();
        let lattice = Lattice::new(kind);
        let spheres = fill_lattice(&lattice, &region, &EQUAL, &mut occupied, &mut rng(1)).unwrap();
        assert_eq!(spheres.len(), count, "{kind:?}");
        assert!(smallest_gap(&spheres, &periodic) > -ROUNDING, "{kind:?}");
    }
}

#[test]
fn sites_at_walls_and_spheres_stay_empty() {
    let floor = |point: DVec3| point.z - 0.25;
    let mut occupied =
        Occupied::new(PeriodicLengths::none(), (DVec3::ZERO, DVec3::ONE), 0.1).unwrap().with_walls(&floor);
    occupied.insert(DVec3::splat(0.5), 0.2).unwrap();
    let lattice = Lattice::new(KINDS[1]);
    let spheres = fill_lattice(&lattice, &cube(1.0), &EQUAL, &mut occupied, &mut rng(1)).unwrap();
    assert!(spheres.iter().all(|s| s.centre.z >= 0.3 - 1e-10));
    assert!(spheres.iter().all(|s| s.centre.distance(DVec3::splat(0.5)) >= 0.25 - 1e-10));
    assert_eq!(occupied.len(), spheres.len() + 1);
}

#[test]
fn a_limit_keeps_the_first_layers_along_the_given_direction() {
    for (upward, axis, sign) in [(DVec3::Z * 5.0, 2, 1.0), (DVec3::NEG_X, 0, -1.0)] {
        let whole = Lattice { upward, ..Lattice::new(KINDS[0]) };
        let all = fill(&whole, &cube(1.0), &EQUAL);
        let heights: Vec<f64> = all.iter().map(|s| sign * s.centre[axis]).collect();
        assert!(heights.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
        let some = fill(&Lattice { limit: Some(150), ..whole }, &cube(1.0), &EQUAL);
        assert_eq!(some, all[..150]);
    }
}

#[test]
fn a_limit_takes_the_first_sites_of_any_lattice_and_needs_no_more() {
    let region =
        Region::Cylinder { base: DVec3::splat(0.5), axis: DVec3::new(0.2, 0.1, 1.0), radius: 0.5, height: 0.8 };
    let sizes = SizeDistribution::Uniform { min: 0.03, max: 0.05 };
    for kind in KINDS {
        let whole = Lattice { relative_gap: 0.1, jitter: 0.5, ..Lattice::new(kind) };
        let all = fill(&whole, &region, &sizes);
        for limit in [0, 1, all.len() / 2, all.len() + 1] {
            let some = fill(&Lattice { limit: Some(limit), ..whole.clone() }, &region, &sizes);
            assert_eq!(some, all[..limit.min(all.len())], "{kind:?}");
        }
        // a region with 10^15 sites
        let few = fill(&Lattice { limit: Some(1000), ..Lattice::new(kind) }, &cube(1e4), &EQUAL);
        assert_eq!(few.len(), 1000);
    }
    // what is not reached is still refused, and not searched for forever
    let mut occupied =
        Occupied::new(PeriodicLengths::none(), (DVec3::ZERO, DVec3::ONE), 0.1).unwrap().with_walls(&|_| 0.0);
    let lattice = Lattice { limit: Some(10), ..Lattice::new(KINDS[0]) };
    let refused = fill_lattice(&lattice, &cube(1e4), &EQUAL, &mut occupied, &mut rng(1));
    assert!(matches!(refused, Err(InsertionError::TooMany { .. })));
}

#[test]
fn bad_lattices_are_refused() {
    let good = Lattice::new(KINDS[0]);
    let mut occupied = Occupied::new(PeriodicLengths::none(), (DVec3::ZERO, DVec3::ONE), 0.1).unwrap();
    let mut fails = |lattice: Lattice, side: f64| {
        fill_lattice(&lattice, &cube(side), &EQUAL, &mut occupied, &mut rng(1)).unwrap_err()
    };
    for lattice in [
        Lattice { spacing: Some(0.09), ..good.clone() },
        Lattice { jitter: 1.1, ..good.clone() },
        Lattice { relative_gap: -0.1, ..good.clone() },
        Lattice { upward: DVec3::ZERO, ..good.clone() },
    ] {
        assert!(matches!(fails(lattice, 1.0), InsertionError::Value { .. }));
    }
    assert!(matches!(fails(good.clone(), 1e6), InsertionError::TooMany { .. }));
    assert!(matches!(fails(good, 0.09), InsertionError::NoRoom { .. }));
}

#[test]
fn same_seed_gives_the_same_bits_on_every_platform() {
    let lattice = Lattice { relative_gap: 0.1, jitter: 0.8, ..Lattice::new(KINDS[2]) };
    let region = Region::Sphere { centre: DVec3::ZERO, radius: 0.5 };
    let spheres = fill(&lattice, &region, &EQUAL);
    let bits = spheres[0].centre.to_array().map(f64::to_bits);
    assert_eq!(bits, [0xbfcdc4ebea35b489, 0xbfc0e489c1212780, 0xbfd6e028594a958d], "{bits:#x?}");
}
