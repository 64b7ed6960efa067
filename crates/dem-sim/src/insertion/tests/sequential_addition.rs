use super::super::sphere::ROUNDING;
use super::super::*;
use super::*;
use std::time::{Duration, Instant};

const NONE: PeriodicLengths = PeriodicLengths { lengths: [None; 3], origin: DVec3::ZERO };

fn add(
    settings: &SequentialAddition,
    region: &Region,
    sizes: &SizeDistribution,
    periodic: PeriodicLengths,
    seed: u64,
) -> Result<AddedSpheres, InsertionError> {
    let mut occupied = Occupied::new(periodic, region.bounds(), 2.0 * sizes.min_radius()).unwrap();
    let result = add_sequentially(settings, region, sizes, &mut occupied, &mut rng(seed));
    let added = result.as_ref().map_or(0, |added| added.spheres.len());
    assert_eq!(occupied.len(), added, "occupied holds what was added, nothing after an error");
    result
}

fn without_relaxation(target: AdditionTarget) -> SequentialAddition {
    SequentialAddition { relax: false, ..SequentialAddition::new(target) }
}

fn slab(length: f64, width: f64, thickness: f64) -> Region {
    Region::Box { min: DVec3::ZERO, max: DVec3::new(length, width, thickness) }
}

fn period(length: f64) -> PeriodicLengths {
    PeriodicLengths { lengths: [Some(length); 3], origin: DVec3::ZERO }
}

/// A vessel of 0.75 m by 20 m with 230 discs of radius 0.1 m.
fn narrow_vessel(target: usize, relax: bool, seed: u64) -> Result<AddedSpheres, InsertionError> {
    let settings = SequentialAddition {
        plane: Some(SectionPlane { axis: 2, coordinate: 0.1 }),
        relax,
        ..SequentialAddition::new(AdditionTarget::Count(target))
    };
    let sizes = SizeDistribution::Single { radius: 0.1 };
    add(&settings, &slab(0.75, 20.0, 0.2), &sizes, NONE, seed)
}

#[test]
fn narrow_vessel_near_saturation_is_filled_for_every_seed() {
    for seed in 0..20 {
        let added = narrow_vessel(230, true, seed).unwrap();
        assert_eq!(added.spheres.len(), 230);
        assert!(smallest_gap(&added.spheres, &NONE) >= -ROUNDING);
        for sphere in &added.spheres {
            assert_eq!(sphere.centre.z, 0.1);
            assert!((0.1 - 1e-12..=0.65 + 1e-12).contains(&sphere.centre.x));
            assert!((0.1 - 1e-12..=19.9 + 1e-12).contains(&sphere.centre.y));
        }
        let again = narrow_vessel(230, true, seed).unwrap();
        assert_eq!(added, again);
    }
}

#[test]
fn relaxation_is_used_only_after_saturation_and_reported() {
    let saturated: Vec<usize> = (0..20)
        .map(|seed| match narrow_vessel(280, false, seed) {
            Err(InsertionError::Saturated { reached, .. }) => reached,
            other => panic!("{other:?}"),
        })
        .collect();
    for (seed, &reached) in saturated.iter().enumerate() {
        let added = narrow_vessel(reached, true, seed as u64).unwrap();
        assert_eq!((added.saturated_at, added.relaxation_cycles), (None, 0));
        let added = narrow_vessel(reached + 1, true, seed as u64).unwrap();
        assert_eq!(added.saturated_at, Some(reached));
        assert!(added.relaxation_cycles > 0);
        assert!(smallest_gap(&added.spheres, &NONE) >= -ROUNDING);
    }
}

#[test]
fn restarts_go_on_with_the_following_random_numbers() {
    // Seed 1 saturates at 229 the first time.
    let target = AdditionTarget::Count(240);
    let settings = |attempts| SequentialAddition {
        plane: Some(SectionPlane { axis: 2, coordinate: 0.1 }),
        attempts,
        ..without_relaxation(target)
    };
    let sizes = SizeDistribution::Single { radius: 0.1 };
    let region = slab(0.75, 20.0, 0.2);
    let once = add(&settings(1), &region, &sizes, NONE, 1).unwrap_err();
    assert!(matches!(once, InsertionError::Saturated { target: 240, .. }), "{once}");
    let often = add(&settings(100), &region, &sizes, NONE, 1).unwrap();
    assert!(often.attempts > 1);
    assert_eq!(often.spheres.len(), 240);
    assert_eq!(often, add(&settings(100), &region, &sizes, NONE, 1).unwrap());
}

#[test]
fn equal_spheres_saturate_at_the_published_packing_fractions() {
    // 0.38413 in space and 0.54707 in a plane (Zhang and Torquato 2013); fluctuations of
    // about 0.001 for a few thousand spheres, four of them allowed.
    let sizes = SizeDistribution::Single { radius: 0.025 };
    let settings = without_relaxation(AdditionTarget::PackingFraction(0.395));
    let unit = slab(1.0, 1.0, 1.0);
    match add(&settings, &unit, &sizes, period(1.0), 2) {
        Err(InsertionError::Saturated { packing_fraction: Some(fraction), .. }) => {
            assert!((fraction - 0.3841).abs() < 0.004, "{fraction}")
        }
        other => panic!("{other:?}"),
    }
    let settings = SequentialAddition {
        plane: Some(SectionPlane { axis: 1, coordinate: 0.025 }),
        ..without_relaxation(AdditionTarget::PackingFraction(0.565))
    };
    let layer = slab(2.0, 0.05, 2.0);
    let lengths = [Some(2.0), None, Some(2.0)];
    let periodic = PeriodicLengths { lengths, origin: DVec3::ZERO };
    match add(&settings, &layer, &sizes, periodic, 2) {
        Err(InsertionError::Saturated { packing_fraction: Some(fraction), .. }) => {
            assert!((fraction - 0.5471).abs() < 0.008, "{fraction}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_saturated_packing_has_no_hole() {
    let sizes = SizeDistribution::Single { radius: 0.05 };
    let settings = without_relaxation(AdditionTarget::PackingFraction(0.37));
    let unit = slab(1.0, 1.0, 1.0);
    // The most that fits for this seed: one more is refused.
    let reached = match add(&without_relaxation(AdditionTarget::PackingFraction(0.395)), &unit, &sizes, period(1.0), 3)
    {
        Err(InsertionError::Saturated { reached, .. }) => reached,
        other => panic!("{other:?}"),
    };
    let full = SequentialAddition { target: AdditionTarget::Count(reached), ..settings };
    let added = add(&full, &unit, &sizes, period(1.0), 3).unwrap();
    let mut rng = rng(77);
    for _ in 0..50_000 {
        let point = uniform::in_box(&mut rng, DVec3::ZERO, DVec3::ONE);
        let free = added.spheres.iter().all(|sphere| {
            let mut apart = point - sphere.centre;
            apart -= apart.round();
            apart.length() >= 0.1
        });
        assert!(!free, "hole at {point}");
    }
}

#[test]
fn dense_targets_are_met_without_overlap() {
    let sizes = SizeDistribution::Single { radius: 0.04 };
    let unit = slab(1.0, 1.0, 1.0);
    let sphere = 4.0 / 3.0 * std::f64::consts::PI * 0.04_f64.powi(3);
    for (fraction, relax) in [(0.37, false), (0.43, true)] {
        let settings =
            SequentialAddition { relax, ..SequentialAddition::new(AdditionTarget::PackingFraction(fraction)) };
        let added = add(&settings, &unit, &sizes, period(1.0), 4).unwrap();
        assert!(smallest_gap(&added.spheres, &period(1.0)) >= -ROUNDING);
        let solid = sphere * added.spheres.len() as f64;
        assert!((solid - fraction).abs() <= 0.5 * sphere * (1.0 + 1e-9));
        assert!((added.packing_fraction.unwrap() - solid).abs() < 1e-9);
    }
}

#[test]
fn sizes_of_one_to_twenty_are_placed_largest_first() {
    let sizes = SizeDistribution::Table {
        radii: vec![0.01, 0.05, 0.2],
        weights: vec![0.0, 1.0, 2.0],
        by: WeightedBy::Mass,
        interpolate: true,
    };
    let settings = SequentialAddition::new(AdditionTarget::PackingFraction(0.3));
    let region = Region::Cylinder { base: DVec3::ZERO, axis: DVec3::new(0.0, 1.0, 1.0), radius: 0.5, height: 1.0 };
    let added = add(&settings, &region, &sizes, NONE, 5).unwrap();
    assert!(added.spheres.len() > 500);
    assert!(smallest_gap(&added.spheres, &NONE) >= -ROUNDING);
    let mut radii = added.spheres.iter().map(|sphere| sphere.radius);
    assert!(radii.clone().is_sorted_by(|a, b| a >= b));
    assert!(radii.next() > Some(0.1));
    for sphere in &added.spheres {
        assert!(region.contains_sphere(sphere.centre, sphere.radius, &NONE));
    }
}

#[test]
fn continuous_sizes_reach_past_the_limit_of_equal_spheres() {
    let sizes = SizeDistribution::Uniform { min: 0.03, max: 0.09 };
    let settings = SequentialAddition::new(AdditionTarget::PackingFraction(0.46));
    let unit = slab(1.0, 1.0, 1.0);
    let added = add(&settings, &unit, &sizes, period(1.0), 6).unwrap();
    assert!(smallest_gap(&added.spheres, &period(1.0)) >= -ROUNDING);
}

#[test]
fn walls_spheres_and_gaps_are_respected() {
    // A tilted wall and one large sphere in the middle.
    let normal = DVec3::new(1.0, 0.0, 1.0).normalize();
    let wall = |point: DVec3| point.dot(normal) - 0.4;
    let region = slab(1.0, 1.0, 1.0);
    let mut occupied = Occupied::new(NONE, region.bounds(), 0.08).unwrap().with_walls(&wall);
    occupied.insert(DVec3::splat(0.6), 0.25).unwrap();
    let settings = SequentialAddition { gap: 0.01, ..SequentialAddition::new(AdditionTarget::Count(400)) };
    let sizes = SizeDistribution::Single { radius: 0.04 };
    let added = add_sequentially(&settings, &region, &sizes, &mut occupied, &mut rng(1)).unwrap();
    for sphere in &added.spheres {
        assert!(wall(sphere.centre) >= 0.05 - 1e-10);
        assert!(sphere.centre.distance(DVec3::splat(0.6)) >= 0.30 - 1e-10);
    }
    // A gap of 0.01 is 1/8 of the diameter.
    assert!(smallest_gap(&added.spheres, &NONE) >= 0.125 - ROUNDING);
}

#[test]
fn impossible_targets_fail_at_once() {
    let sizes = SizeDistribution::Single { radius: 0.01 };
    let unit = slab(1.0, 1.0, 1.0);
    let start = Instant::now();
    let fails = |target, relax| {
        let settings = SequentialAddition { relax, ..SequentialAddition::new(target) };
        add(&settings, &unit, &sizes, NONE, 1).unwrap_err()
    };
    for relax in [false, true] {
        for target in [AdditionTarget::PackingFraction(0.6), AdditionTarget::Count(150_000)] {
            let error = fails(target, relax);
            assert!(matches!(error, InsertionError::AboveLimit { .. }), "{error}");
        }
    }
    let many = fails(AdditionTarget::Count(usize::MAX), true);
    assert!(matches!(many, InsertionError::TooMany { .. }), "{many}");
    let bad = fails(AdditionTarget::PackingFraction(1.5), true);
    assert!(matches!(bad, InsertionError::Value { .. }), "{bad}");
    // Far below what a search would take; no search may have begun.
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_full_small_box_is_reported_in_bounded_time() {
    // Two layers of spheres do not fit into 1.9 diameters; the limits cannot detect that.
    let sizes = SizeDistribution::Single { radius: 0.1 };
    let settings = SequentialAddition::new(AdditionTarget::Count(3));
    let error = add(&settings, &slab(0.38, 0.2, 0.2), &sizes, NONE, 1).unwrap_err();
    assert!(matches!(error, InsertionError::Saturated { reached: 1, target: 3, .. }), "{error}");
    let error = add(&settings, &slab(0.38, 0.19, 0.2), &sizes, NONE, 1).unwrap_err();
    assert!(matches!(error, InsertionError::NoRoom { .. }), "{error}");
}

#[test]
fn same_seed_gives_the_same_bits_on_every_platform() {
    let sizes = SizeDistribution::LogNormal { median: 0.05, geometric_standard_deviation: 1.3, min: 0.03, max: 0.1 };
    let region = Region::Frustum {
        base: DVec3::ZERO,
        axis: DVec3::new(0.2, 0.3, 1.0),
        base_radius: 0.3,
        top_radius: 0.6,
        height: 1.0,
    };
    let settings = SequentialAddition::new(AdditionTarget::PackingFraction(0.42));
    let added = add(&settings, &region, &sizes, NONE, 42).unwrap();
    let (first, last) = (added.spheres[0], added.spheres[added.spheres.len() - 1]);
    let bits = [first.centre.x, first.radius, last.centre.x, last.radius].map(f64::to_bits);
    assert_eq!(bits, [0x3fb6087878d82429, 0x3fb8fdc24a7663dc, 0xbfb0452ef6d6445a, 0x3f9fcb463df09c60], "{bits:#x?}");
}
