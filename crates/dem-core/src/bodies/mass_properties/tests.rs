use dem_reference::sphere_unions::{OctahedralCluster, two_spheres};
use glam::DQuat;

use super::*;

fn sphere(x: f64, y: f64, z: f64, radius: f64) -> MemberSphere {
    MemberSphere { position: DVec3::new(x, y, z), radius }
}

/// Largest difference, in proportion to the volume and to the largest moment.
fn difference(a: &MassProperties, b: &MassProperties) -> f64 {
    let largest = |m: DMat3| m.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let moment = largest(b.inertia);
    let size = (moment / b.volume).sqrt();
    let of_volume = (a.volume - b.volume).abs() / b.volume;
    of_volume.max(a.centre.distance(b.centre) / size).max(largest(a.inertia - b.inertia) / moment)
}

/// Numbers from 0 to 1 in a fixed order (an additive sequence; the golden ratio of four dimensions).
fn scattered(k: usize) -> [f64; 4] {
    let ratio = 1.167_303_978_261_418_7_f64;
    std::array::from_fn(|d| ((k + 1) as f64 * ratio.powi(-(d as i32) - 1)).fract())
}

fn scattered_spheres(count: usize, spread: f64) -> Vec<MemberSphere> {
    (0..count)
        .map(|k| {
            let [x, y, z, r] = scattered(k);
            sphere(spread * x, spread * y, spread * z, 0.35 + 0.4 * r)
        })
        .collect()
}

fn octahedral(cluster: &OctahedralCluster) -> Vec<MemberSphere> {
    let mut spheres = vec![sphere(0.0, 0.0, 0.0, cluster.central_radius)];
    for axis in DVec3::AXES {
        spheres.extend(
            [1.0, -1.0]
                .map(|side| MemberSphere { position: side * cluster.distance * axis, radius: cluster.outer_radius }),
        );
    }
    spheres
}

fn triple() -> Vec<MemberSphere> {
    vec![sphere(0.0, 0.0, 0.0, 1.0), sphere(1.0, 0.0, 0.0, 0.9), sphere(0.4, 0.8, 0.1, 0.8)]
}

#[test]
fn one_sphere_has_the_closed_form_bit_by_bit() {
    let one = sphere(0.3, -2.0, 1e-3, 0.7e-3);
    let expected = MassProperties::of_sphere(&one);
    let moment = 0.4 * sphere_volume(0.7e-3) * 0.7e-3 * 0.7e-3;
    assert_eq!(expected.inertia, DMat3::from_diagonal(DVec3::splat(moment)));
    let inside = MemberSphere { position: one.position + 0.1e-3, radius: 0.5e-3 };
    for spheres in [vec![one], vec![one, one], vec![one, inside], vec![inside, one, one, inside]] {
        assert_eq!(of_union(&spheres), expected, "{}", spheres.len());
    }
    assert_eq!(of_spheres(&[one]), expected);
    assert_eq!(of_union(&[]).volume, 0.0);
}

#[test]
fn spheres_that_do_not_overlap_have_the_sum_of_their_closed_forms() {
    let spheres = [sphere(0.0, 0.0, 0.0, 1.0), sphere(2.0, 0.0, 0.0, 1.0), sphere(0.0, 5.0, 1.0, 0.3)];
    assert_eq!(of_union(&spheres), of_spheres(&spheres), "two of them are tangent");
}

#[test]
fn what_two_spheres_have_in_common_counts_once_or_twice() {
    // a dimer of radius 1 and distance 1
    let dimer = [sphere(0.0, 0.0, 0.0, 1.0), sphere(0.0, 0.0, 1.0, 1.0)];
    let (union, sums) = (of_union(&dimer), of_spheres(&dimer));
    for (found, expected) in [
        (union.volume, 7.06858),
        (union.inertia.x_axis.x, 5.21308),
        (sums.volume, 8.37758),
        (sums.inertia.y_axis.y, 5.44543),
    ] {
        assert!((found - expected).abs() < 5e-6, "{found} {expected}");
    }
}

#[test]
fn union_of_two_spheres_has_its_closed_form() {
    let direction = DVec3::new(0.48, -0.6, 0.64);
    for (radii, distance) in [
        ([1.0, 0.6], 1.2),
        ([1.0, 1.0], 1.0),
        ([1.0, 1.0], 1e-3),
        ([1.0, 1.0], 1.999_999),
        ([1.0, 0.1], 0.95),
        ([1.0, 0.1], 0.900_001),
        ([1.0, 0.1], 1.099_999_9),
        ([0.01, 3.0], 3.0),
    ] {
        let expected = two_spheres(radii, distance).unwrap();
        let axis = DMat3::from_cols(direction * direction.x, direction * direction.y, direction * direction.z);
        let expected = MassProperties {
            volume: expected.volume,
            centre: direction * expected.centre,
            inertia: axis * (expected.axial - expected.transverse)
                + DMat3::from_diagonal(DVec3::splat(expected.transverse)),
        };
        let second = direction * distance;
        let found = of_union(&[sphere(0.0, 0.0, 0.0, radii[0]), sphere(second.x, second.y, second.z, radii[1])]);
        assert!(difference(&found, &expected) < 5e-15, "{radii:?} {distance}: {:e}", difference(&found, &expected));
    }
    let known = of_union(&[sphere(0.0, 0.0, 0.0, 1.0), sphere(0.0, 0.0, 1.2, 0.6)]);
    assert!((known.volume - 4.926_017).abs() < 5e-7 && (known.centre.z - 0.192_592_6).abs() < 5e-8);
    assert!((known.inertia.z_axis.z - 1.791_367).abs() < 5e-7 && (known.inertia.x_axis.x - 2.805_492).abs() < 5e-7);
}

#[test]
fn three_spheres_that_meet_have_the_known_moments() {
    // by the same kind of cuts in another program
    let found = of_union(&triple());
    let MassProperties { volume, centre, inertia } = found;
    for (found, expected, half_digit) in [
        (volume, 7.258_409_799_8, 5e-11),
        (centre.x, 0.404_539_6, 5e-8),
        (centre.y, 0.155_233_1, 5e-8),
        (centre.z, 0.019_404_1, 5e-8),
        (inertia.x_axis.x, 3.718_544_1, 5e-8),
        (inertia.y_axis.y, 4.549_297_0, 5e-8),
        (inertia.z_axis.z, 5.481_516_9, 5e-8),
        (inertia.x_axis.y, -0.026_067_7, 5e-8),
        (inertia.x_axis.z, -0.003_258_5, 5e-8),
        (inertia.y_axis.z, -0.118_377_1, 5e-8),
    ] {
        assert!((found - expected).abs() <= half_digit, "{found} {expected}");
    }
}

#[test]
fn octahedral_clusters_have_their_closed_form_and_turn_like_spheres() {
    for (outer_radius, distance, volume, inertia) in [
        (0.5, 0.75, 4.900_557, 2.241_862),
        (0.6, 0.7, 5.527_782, 2.779_483),
        (0.65, 0.65, 5.774_328, 2.981_651),
        (0.7, 0.6, 6.061_965, 3.217_513),
        (0.5, 0.9, 5.596_224, 2.933_360),
    ] {
        let cluster = OctahedralCluster { central_radius: 1.0, outer_radius, distance };
        let expected = cluster.volume_and_inertia().unwrap();
        assert!((expected[0] - volume).abs() < 5e-7 && (expected[1] - inertia).abs() < 5e-7, "{expected:?}");
        let found = of_union(&octahedral(&cluster));
        let expected = MassProperties {
            volume: expected[0],
            centre: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::splat(expected[1])),
        };
        assert!(difference(&found, &expected) < 5e-15, "{:e}", difference(&found, &expected));
    }
}

#[test]
fn moving_turning_scaling_and_reordering_change_nothing_else() {
    let turn = DQuat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
    let matrix = DMat3::from_quat(turn);
    for spheres in [triple(), scattered_spheres(8, 1.0), scattered_spheres(30, 2.5)] {
        let expected = of_union(&spheres);
        for (scale, shift) in [(1e-6, 1e-6), (1e-3, 0.1), (1.0, 0.0), (1.0, 3.0)] {
            let shift = shift * DVec3::new(1.0, -2.0, 0.5);
            let mut moved: Vec<MemberSphere> = spheres
                .iter()
                .map(|s| MemberSphere { position: shift + turn * s.position * scale, radius: s.radius * scale })
                .collect();
            moved.reverse();
            let found = of_union(&moved);
            let square = scale * scale;
            let expected = MassProperties {
                volume: expected.volume * square * scale,
                centre: shift + turn * expected.centre * scale,
                inertia: matrix * expected.inertia * matrix.transpose() * (square * square * scale),
            };
            // positions are rounded at the distance of the origin
            let rounding = 4e-16 * shift.length() / scale;
            let found = difference(&found, &expected);
            assert!(found < 5e-15 + 10.0 * rounding, "{} spheres, {scale}: {found:e}", spheres.len());
        }
    }
}

/// The union by columns: along each the spheres are intervals, whose union has a closed form. Nothing but the spheres is shared with the sections.
fn by_columns(spheres: &[MemberSphere], low: f64, high: f64, columns: i32) -> MassProperties {
    let step = (high - low) / f64::from(columns);
    let at = |k: i32| low + (f64::from(k) + 0.5) * step;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for (x, y) in (0..columns * columns).map(|k| (at(k / columns), at(k % columns))) {
        let mut intervals: Vec<[f64; 2]> = spheres
            .iter()
            .filter_map(|s| {
                let square = s.radius * s.radius - (x - s.position.x).powi(2) - (y - s.position.y).powi(2);
                (square > 0.0).then(|| [s.position.z - square.sqrt(), s.position.z + square.sqrt()])
            })
            .collect();
        intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut end = f64::NEG_INFINITY;
        for [from, to] in intervals {
            let from = from.max(end);
            if to > from {
                let [length, z, zz] = [to - from, 0.5 * (to * to - from * from), (to.powi(3) - from.powi(3)) / 3.0];
                volume += length;
                first += DVec3::new(x * length, y * length, z);
                let [xx, xy, yy] = [x * x * length, x * y * length, y * y * length];
                second += DMat3::from_cols(
                    DVec3::new(xx, xy, x * z),
                    DVec3::new(xy, yy, y * z),
                    DVec3::new(x * z, y * z, zz),
                );
                end = to;
            }
        }
    }
    let centre = first / volume;
    let about = second - DMat3::from_cols(centre * centre.x, centre * centre.y, centre * centre.z) * volume;
    MassProperties { volume: volume * step * step, centre, inertia: inertia_of_moments(about * (step * step)) }
}

#[test]
fn random_clusters_are_what_fine_columns_add_up_to() {
    for count in [8, 20] {
        let spheres = scattered_spheres(count, 1.2);
        let found = difference(&of_union(&spheres), &by_columns(&spheres, -0.8, 2.0, 1000));
        // roots at the edges of shadows are integrated to the power 1.5 of the distance of the columns, 3e-3, with a small factor
        assert!(found < 4e-6, "{count}: {found:e}");
    }
}

#[test]
fn spheres_with_a_circle_or_points_in_common_need_no_care() {
    // three spheres through one circle: the one in the middle adds nothing
    let root = 2.0_f64.sqrt();
    let ends = [sphere(0.0, 0.0, 0.0, root), sphere(2.0, 0.0, 0.0, root)];
    let with_middle = [ends[0], sphere(1.0, 0.0, 0.0, 1.0), ends[1]];
    let expected = two_spheres([root, root], 2.0).unwrap();
    for spheres in [&ends[..], &with_middle[..]] {
        let found = of_union(spheres);
        assert!((found.volume / expected.volume - 1.0).abs() < 2e-14, "{:e}", found.volume / expected.volume - 1.0);
        assert!((found.inertia.y_axis.y / expected.transverse - 1.0).abs() < 2e-14);
    }
    // eight spheres on the corners of a cube that all meet in its middle, and at the middles of its faces by four
    let corner = |k: usize| [0, 1, 2].map(|d| if k >> d & 1 == 1 { 0.5 } else { -0.5 });
    let cube = |radius: f64| -> Vec<MemberSphere> {
        (0..8).map(|k| sphere(corner(k)[0], corner(k)[1], corner(k)[2], radius)).collect()
    };
    for radius in [0.75_f64.sqrt(), 0.5_f64.sqrt(), 0.5] {
        let found = of_union(&cube(radius));
        let slightly = of_union(&cube(radius * (1.0 + 1e-9)));
        let isotropic = found.inertia - DMat3::from_diagonal(DVec3::splat(found.inertia.x_axis.x));
        assert!(isotropic.to_cols_array().iter().all(|x| x.abs() < 1e-13 * found.inertia.x_axis.x), "{isotropic}");
        // volume has no jump there: its slope is the surface
        assert!((slightly.volume / found.volume - 1.0).abs() < 5e-9);
    }
}

#[test]
fn spheres_that_almost_have_points_in_common_need_no_care_either() {
    let turn = DQuat::from_xyzw(0.3, 0.2, -0.7, 0.4).normalize();
    let root = 2.0_f64.sqrt();
    for off in [1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3] {
        let place = |k: usize, d: usize| (if k >> d & 1 == 1 { 0.5 } else { -0.5 }) + off * scattered(k)[d];
        let corners = |radius: f64| (0..8).map(|k| sphere(place(k, 0), place(k, 1), place(k, 2), radius)).collect();
        let clusters: [Vec<MemberSphere>; 5] = [
            corners(0.75_f64.sqrt()),
            corners(0.5_f64.sqrt()),
            vec![sphere(0.0, 0.0, 0.0, root), sphere(1.0, off, 2.0 * off, 1.0 + off), sphere(2.0, 0.0, 0.0, root)],
            vec![sphere(0.0, 0.0, 0.0, 1.0), sphere(off, 0.0, off, 1.0), sphere(0.0, off, 0.0, 1.0)],
            vec![sphere(0.0, 0.0, 0.0, 1.0), sphere(2.0 - off, 0.0, 0.0, 1.0), sphere(0.0, 2.0 - off, 0.0, 1.0)],
        ];
        for (k, spheres) in clusters.iter().enumerate() {
            let turned: Vec<MemberSphere> =
                spheres.iter().map(|s| MemberSphere { position: turn * s.position, radius: s.radius }).collect();
            let ratio = of_union(spheres).volume / of_union(&turned).volume;
            assert!((ratio - 1.0).abs() < 5e-15, "cluster {k}, {off:e}: {:e}", ratio - 1.0);
        }
    }
}

#[test]
fn lattice_of_pairs_is_the_sum_of_its_links() {
    // with the larger radius all circles of a face meet in one point
    for radius in [0.55, 0.5_f64.sqrt()] {
        let count = 4;
        let place = |k: i32| [k % count, k / count % count, k / count / count].map(f64::from);
        let lattice: Vec<MemberSphere> =
            (0..count.pow(3)).map(place).map(|[x, y, z]| sphere(x, y, z, radius)).collect();
        let lens = 2.0 * sphere_volume(radius) - two_spheres([radius; 2], 1.0).unwrap().volume;
        let expected = 64.0 * sphere_volume(radius) - 3.0 * 48.0 * lens;
        let found = of_union(&lattice);
        assert!((found.volume / expected - 1.0).abs() < 1e-14, "{:e}", found.volume / expected - 1.0);
        let isotropic = found.inertia - DMat3::from_diagonal(DVec3::splat(found.inertia.x_axis.x));
        assert!(isotropic.to_cols_array().iter().all(|x| x.abs() < 1e-14 * found.inertia.x_axis.x), "{isotropic}");
    }
}

#[test]
fn chain_of_a_hundred_spheres_is_the_sum_of_its_links() {
    // each overlaps the two beside it only
    let (count, gap, radius) = (100, 1.5, 1.0);
    let direction = DVec3::new(0.6, 0.0, 0.8);
    let chain: Vec<MemberSphere> =
        (0..count).map(|k| MemberSphere { position: direction * (gap * f64::from(k)), radius }).collect();
    let pair = two_spheres([radius, radius], gap).unwrap();
    let lens = 2.0 * sphere_volume(radius) - pair.volume;
    let expected = f64::from(count) * sphere_volume(radius) - f64::from(count - 1) * lens;
    let found = of_union(&chain);
    assert!((found.volume / expected - 1.0).abs() < 2e-14, "{:e}", found.volume / expected - 1.0);
    // about the axis: a lens has twice what two spheres have more than their union
    let lens = 2.0 * 0.4 * sphere_volume(radius) - pair.axial;
    let expected = f64::from(count) * 0.4 * sphere_volume(radius) - f64::from(count - 1) * lens;
    let axial = direction.dot(found.inertia * direction);
    // the inertia across is 6000 times as large
    assert!((axial / expected - 1.0).abs() < 1e-11, "{:e}", axial / expected - 1.0);
}

#[test]
fn hundred_crowded_spheres_have_the_same_volume_in_any_frame() {
    let spheres = scattered_spheres(100, 3.0);
    let found = of_union(&spheres);
    let turn = DQuat::from_xyzw(0.3, 0.2, -0.7, 0.4).normalize();
    let turned: Vec<MemberSphere> =
        spheres.iter().map(|s| MemberSphere { position: turn * s.position, radius: s.radius }).collect();
    let other = of_union(&turned);
    assert!((found.volume / other.volume - 1.0).abs() < 5e-15, "{:e}", found.volume / other.volume - 1.0);
}
