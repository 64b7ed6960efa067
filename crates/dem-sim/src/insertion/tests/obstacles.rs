use super::super::*;
use super::*;

fn brute_force(spheres: &[NewSphere], periodic: &PeriodicLengths, centre: DVec3, radius: f64, gap: f64) -> bool {
    spheres.iter().any(|sphere| {
        (-2..=2).any(|x| {
            (-2..=2).any(|y| {
                (-2..=2).any(|z| {
                    let image = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    let lengths = DVec3::from_array(periodic.lengths.map(|l| l.unwrap_or(0.0)));
                    let apart = centre - sphere.centre + image * lengths;
                    apart.length() < sphere.radius + radius + gap
                })
            })
        })
    })
}

#[test]
fn agrees_with_brute_force_for_all_sizes_and_across_faces() {
    let origin = DVec3::new(-0.3, 0.1, 0.0);
    for lengths in [[None, None, None], [Some(1.0), None, None], [Some(1.0), Some(0.8), Some(1.3)]] {
        let periodic = PeriodicLengths { lengths, origin };
        // Cells of a tenth, a third and five times the domain; sizes 1:20,
        // the largest so large that images half a period away matter.
        for cell in [0.1, 0.33, 5.0] {
            let mut rng = rng(8);
            let bounds = (origin, origin + DVec3::new(1.0, 0.8, 1.3));
            let mut occupied = Occupied::new(periodic, bounds, cell).unwrap();
            let mut spheres = Vec::new();
            let draw = |rng: &mut _| {
                // A third of the way outside the bounds.
                let wide = DVec3::new(0.6, 0.6, 0.6);
                let centre = uniform::in_box(rng, bounds.0 - wide, bounds.1 + wide);
                let share = uniform::unit(rng);
                (centre, 0.015 + 0.285 * share * share * share)
            };
            let mut hits = 0;
            for _ in 0..80 {
                let (centre, radius) = draw(&mut rng);
                occupied.insert(centre, radius).unwrap();
                spheres.push(NewSphere { centre, radius });
                for _ in 0..20 {
                    let (centre, radius) = draw(&mut rng);
                    let gap = 0.02 * uniform::unit(&mut rng);
                    let expected = brute_force(&spheres, &periodic, centre, radius, gap);
                    assert_eq!(occupied.overlaps(centre, radius, gap), expected);
                    hits += usize::from(expected);
                }
            }
            assert!((100..1500).contains(&hits), "both answers are tested: {hits}");
        }
    }
}

#[test]
fn a_sphere_meets_its_own_image() {
    let periodic = PeriodicLengths { lengths: [Some(1.0), None, None], origin: DVec3::ZERO };
    let occupied = Occupied::new(periodic, (DVec3::ZERO, DVec3::ONE), 0.1).unwrap();
    assert!(!occupied.overlaps(DVec3::ZERO, 0.5, 0.0));
    assert!(occupied.overlaps(DVec3::ZERO, 0.5, 0.01));
    assert!(occupied.overlaps(DVec3::ZERO, 0.51, 0.0));
}

#[test]
fn walls_keep_their_distance() {
    let floor = |point: DVec3| point.z;
    let occupied = Occupied::new(PeriodicLengths::none(), (DVec3::ZERO, DVec3::ONE), 0.1).unwrap().with_walls(&floor);
    assert!(!occupied.overlaps(DVec3::new(0.0, 0.0, 0.1), 0.1, 0.0));
    assert!(occupied.overlaps(DVec3::new(0.0, 0.0, 0.099), 0.1, 0.0));
    assert!(occupied.overlaps(DVec3::new(0.0, 0.0, -3.0), 0.1, 0.0));
}

#[test]
fn moved_and_removed_spheres_are_forgotten_where_they_were() {
    let mut occupied = Occupied::new(PeriodicLengths::none(), (DVec3::ZERO, DVec3::ONE), 0.1).unwrap();
    // Five spheres in the same cell, so that lists of several are edited.
    for index in 0..5 {
        let centre = DVec3::new(0.01 + 0.02 * f64::from(index), 0.05, 0.05);
        occupied.insert(centre, 0.005).unwrap();
    }
    let at = |index: i32| DVec3::new(0.01 + 0.02 * f64::from(index), 0.05, 0.05);
    assert!(!occupied.relocate(2, at(3), 0.0), "taken");
    assert!(occupied.overlaps(at(2), 0.001, 0.0));
    assert!(occupied.relocate(2, DVec3::splat(0.5), 0.0));
    assert!(!occupied.overlaps(at(2), 0.001, 0.0));
    assert!(occupied.overlaps(DVec3::splat(0.5), 0.001, 0.0));
    for index in [0, 1, 3, 4] {
        assert!(occupied.overlaps(at(index), 0.001, 0.0));
    }
    occupied.truncate(1);
    assert_eq!(occupied.len(), 1);
    assert!(occupied.overlaps(at(0), 0.001, 0.0));
    for point in [at(1), at(3), at(4), DVec3::splat(0.5)] {
        assert!(!occupied.overlaps(point, 0.001, 0.0));
    }
}

#[test]
fn numbers_out_of_range_are_refused_and_far_ones_are_harmless() {
    let bounds = (DVec3::ZERO, DVec3::ONE);
    let none = PeriodicLengths::none();
    assert!(Occupied::new(none, bounds, 0.0).is_err());
    assert!(Occupied::new(none, (DVec3::ONE, DVec3::ZERO), 0.1).is_err());
    let mut occupied = Occupied::new(none, bounds, 1e-9).unwrap();
    assert!(occupied.insert(DVec3::NAN, 0.1).is_err());
    assert!(occupied.insert(DVec3::ZERO, -0.1).is_err());
    occupied.insert(DVec3::splat(1e300), 1e-3).unwrap();
    occupied.insert(DVec3::splat(-7.0), 1e-3).unwrap();
    assert!(occupied.overlaps(DVec3::splat(-7.0), 1e-3, 0.0));
    assert!(!occupied.overlaps(DVec3::splat(7.0), 1e-3, 0.0));
    assert!(occupied.overlaps(DVec3::NAN, 1e-3, 0.0), "nowhere is not free");
}

#[test]
fn shortest_differences_are_the_shortest_over_all_images() {
    let lengths = [Some(1.0), None, Some(0.3)];
    let origin = DVec3::new(0.2, 0.0, -5.0);
    let periodic = PeriodicLengths { lengths, origin };
    let mut rng = rng(2);
    for _ in 0..2000 {
        let mut draw = || uniform::in_box(&mut rng, DVec3::splat(-2.0), DVec3::splat(2.0));
        let (a, b) = (draw(), draw());
        let images = (-20..=20).flat_map(|x| (-20..=20).map(move |z| (x, z)));
        let expected = images
            .map(|(x, z)| (b - a + DVec3::new(f64::from(x), 0.0, 0.3 * f64::from(z))).length())
            .fold(f64::INFINITY, f64::min);
        let found = periodic.shortest(a, b).length();
        let (a, b) = (periodic.wrap(a), periodic.wrap(b));
        let wrapped = periodic.shortest_of_wrapped(b - a).length();
        // Rounding of coordinates up to 5.
        assert!((found - expected).abs() < 1e-14 && (wrapped - expected).abs() < 1e-14);
    }
}
