use super::super::*;
use super::*;
use std::f64::consts::PI;

fn regions() -> Vec<Region> {
    let axis = DVec3::new(1.0, -2.0, 0.5);
    let base = DVec3::new(0.3, 0.1, -0.2);
    let frustum = |base_radius, top_radius| Region::Frustum { base, axis, base_radius, top_radius, height: 1.5 };
    vec![
        Region::Box { min: base, max: base + DVec3::new(1.0, 2.0, 3.0) },
        Region::Cylinder { base, axis, radius: 0.7, height: 1.5 },
        Region::Sphere { centre: base, radius: 0.8 },
        frustum(0.9, 0.4),
        frustum(0.2, 1.1),
        frustum(0.9, 0.0),
        frustum(0.0, 0.9),
        frustum(0.6, 0.6 * (1.0 + 1e-15)),
    ]
}

const OPEN: PeriodicLengths = PeriodicLengths { lengths: [None; 3], origin: DVec3::ZERO };

#[test]
fn volume_is_the_share_of_random_points_inside() {
    for region in regions() {
        region.validate(&OPEN).unwrap();
        let (lower, upper) = region.bounds();
        let mut rng = rng(3);
        let count = 200_000;
        let inside = (0..count).filter(|_| region.contains(uniform::in_box(&mut rng, lower, upper))).count();
        let share = inside as f64 / f64::from(count);
        let expected = region.volume() / (upper - lower).element_product();
        // Five standard errors of a binomial fraction.
        let error = (expected * (1.0 - expected) / f64::from(count)).sqrt();
        assert!((share - expected).abs() <= 5.0 * error + 1e-12, "{region:?} {share} {expected}");
    }
}

#[test]
fn spheres_inside_have_their_whole_surface_inside() {
    for region in regions() {
        let mut rng = rng(4);
        let radius = 0.11;
        for _ in 0..300 {
            let centre = region.sample_centre(&mut rng, radius, &OPEN).unwrap();
            assert!(region.contains_sphere(centre, radius, &OPEN), "{region:?}");
            for _ in 0..30 {
                let towards = uniform::in_ball(&mut rng, 1.0).normalize();
                assert!(region.contains(centre + towards * radius * (1.0 - 1e-12)));
            }
        }
    }
}

#[test]
fn centre_region_is_not_smaller_than_it_must_be() {
    // Every point whose surrounding ball is inside, by probing its surface, belongs to it:
    // compare with the distance to the surface.
    for region in regions() {
        let mut rng = rng(6);
        let (lower, upper) = region.bounds();
        let radius = 0.13;
        let mut inside = 0;
        for _ in 0..20_000 {
            let point = uniform::in_box(&mut rng, lower, upper);
            let deep = region.distance_outside(point) <= -radius - 1e-12;
            if deep {
                inside += 1;
                assert!(region.contains_sphere(point, radius, &OPEN), "{region:?}");
            }
        }
        assert!(inside > 50, "{region:?}");
    }
}

#[test]
fn centres_are_uniform() {
    // The fraction of centres inside a sub-region equals its fraction of the volume, by counting
    // independent rejection samples.
    for region in regions() {
        let centres = region.centres(0.1, &OPEN).unwrap();
        let (lower, upper) = centres.bounds();
        let mut rng = rng(7);
        let count = 40_000;
        let mut exact = [0.0_f64; 6];
        let mut rejected = [0.0_f64; 6];
        let halves = |point: DVec3, counts: &mut [f64; 6]| {
            for axis in 0..3 {
                let share = (point[axis] - lower[axis]) / (upper[axis] - lower[axis]);
                counts[2 * axis] += f64::from(u8::from(share < 0.35));
                counts[2 * axis + 1] += f64::from(u8::from(share < 0.65));
            }
        };
        for _ in 0..count {
            halves(region.sample_centre(&mut rng, 0.1, &OPEN).unwrap(), &mut exact);
            let point = loop {
                let point = uniform::in_box(&mut rng, lower, upper);
                if centres.contains(point) {
                    break point;
                }
            };
            halves(point, &mut rejected);
        }
        for (a, b) in exact.iter().zip(rejected) {
            // Five standard errors of the difference of two binomial counts.
            let share = b / f64::from(count);
            let error = (2.0 * f64::from(count) * share * (1.0 - share)).sqrt();
            assert!((a - b).abs() <= 5.0 * error + 5.0, "{region:?} {a} {b}");
        }
    }
}

#[test]
fn a_sphere_as_large_as_the_region_fits_and_a_larger_one_does_not() {
    let region = Region::Box { min: DVec3::splat(0.1), max: DVec3::splat(0.3) };
    let mut rng = rng(1);
    let centre = region.sample_centre(&mut rng, 0.1, &OPEN).unwrap();
    assert!(centre.distance(DVec3::splat(0.2)) < 1e-15);
    assert_eq!(region.sample_centre(&mut rng, 0.1001, &OPEN), None);
    for region in regions() {
        assert_eq!(region.centres(3.0, &OPEN), None);
    }
}

#[test]
fn a_region_that_spans_the_period_lets_spheres_cross_the_face() {
    let periodic = PeriodicLengths { lengths: [None, Some(2.0), None], origin: DVec3::new(0.0, -1.0, 0.0) };
    let region = Region::Box { min: DVec3::NEG_ONE, max: DVec3::ONE };
    assert!(region.contains_sphere(DVec3::new(0.0, 0.99, 0.0), 0.2, &periodic));
    assert!(!region.contains_sphere(DVec3::new(0.99, 0.0, 0.0), 0.2, &periodic));
    let pipe = Region::Cylinder { base: DVec3::NEG_Y, axis: DVec3::Y * 3.0, radius: 0.5, height: 2.0 };
    assert!(pipe.contains_sphere(DVec3::new(0.3, 0.99, 0.0), 0.2, &periodic));
    assert!(!pipe.contains_sphere(DVec3::new(0.31, 0.0, 0.0), 0.2, &periodic));
    assert!(matches!(
        Region::Box { min: DVec3::splat(-2.0), max: DVec3::ONE }.validate(&periodic),
        Err(InsertionError::LongerThanPeriod { axis: 1, .. })
    ));
}

#[test]
fn sections_have_their_area() {
    let sphere = Region::Sphere { centre: DVec3::ZERO, radius: 5.0 };
    assert!((sphere.section_area(0, 3.0).unwrap() - PI * 16.0).abs() < 1e-12);
    let cone = Region::Frustum { base: DVec3::Z, axis: DVec3::NEG_Z, base_radius: 2.0, top_radius: 0.0, height: 4.0 };
    assert!((cone.section_area(2, -1.0).unwrap() - PI).abs() < 1e-12);
    assert_eq!(cone.section_area(0, 0.0), None);
    assert_eq!(cone.section_area(2, 1.5), Some(0.0));
}

#[test]
fn share_of_a_line_is_the_share_of_its_points_inside() {
    for (number, region) in regions().into_iter().enumerate() {
        let (lower, upper) = region.bounds();
        let (margin, mut rng) = (0.3 * (upper - lower), rng(number as u64));
        let mut partly = 0;
        for _ in 0..400 {
            let from = uniform::in_box(&mut rng, lower - margin, upper + margin);
            let along = uniform::in_box(&mut rng, lower - margin, upper + margin) - from;
            let points = 20_000;
            let inside = |k: &i32| region.contains(from + (f64::from(*k) + 0.5) / f64::from(points) * along);
            let counted = f64::from((0..points).filter(inside).count() as u32) / f64::from(points);
            let share = region.share_of_line(from, along);
            // each of two ends lies half a point beside the count
            assert!(
                (share - counted).abs() <= 1.001 / f64::from(points),
                "{region:?} {from} {along} {share} {counted}"
            );
            partly += u32::from(share > 0.0 && share < 1.0);
        }
        assert!(partly > 100, "{region:?}: {partly} lines tell something");
    }
}

#[test]
fn lines_along_and_across_an_axis_and_points_have_shares() {
    let region = Region::Cylinder { base: DVec3::ZERO, axis: DVec3::Z, radius: 1.0, height: 2.0 };
    assert_eq!(region.share_of_line(DVec3::new(0.5, 0.0, -1.0), DVec3::new(0.0, 0.0, 4.0)), 0.5);
    assert_eq!(region.share_of_line(DVec3::new(1.5, 0.0, -1.0), DVec3::new(0.0, 0.0, 4.0)), 0.0);
    assert_eq!(region.share_of_line(DVec3::new(-2.0, 0.0, 1.0), DVec3::new(4.0, 0.0, 0.0)), 0.5);
    assert_eq!(region.share_of_line(DVec3::new(0.1, 0.0, 1.0), DVec3::ZERO), 1.0);
    assert_eq!(region.share_of_line(DVec3::new(0.1, 0.0, 3.0), DVec3::ZERO), 0.0);
    // parallel to the side of a cone, on both sides of it
    let cone = Region::Frustum { base: DVec3::ZERO, axis: DVec3::Z, base_radius: 2.0, top_radius: 0.0, height: 2.0 };
    assert_eq!(cone.share_of_line(DVec3::new(1.0, 0.0, 0.0), DVec3::new(-2.0, 0.0, 2.0)), 0.75);
    assert_eq!(cone.share_of_line(DVec3::new(3.0, 0.0, 0.0), DVec3::new(-2.0, 0.0, 2.0)), 0.0);
}
