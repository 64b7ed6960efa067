use super::*;

fn turned(moments: DVec3, turn: DQuat) -> DMat3 {
    let matrix = DMat3::from_quat(turn);
    matrix * DMat3::from_diagonal(moments) * matrix.transpose()
}

fn matrix_error(found: &PrincipalAxes, inertia: &DMat3) -> f64 {
    let error = turned(found.moments, found.orientation) - *inertia;
    error.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs())) / found.moments.z
}

fn turns() -> impl Iterator<Item = DQuat> {
    (0..50).map(|k| {
        let part = |d: i32| (f64::from(k + 1) * 1.167_303_978_f64.powi(-d)).fract() - 0.5;
        DQuat::from_xyzw(part(1), part(2), part(3), part(4)).normalize()
    })
}

#[test]
fn principal_axes_give_the_inertia_back() {
    for turn in turns() {
        for moments in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(1e-15, 1.0001e-15, 1.7e-15), DVec3::new(3.0, 2.0, 2.5)] {
            let inertia = turned(moments, turn);
            let found = principal_axes(&inertia);
            assert!(found.moments.x <= found.moments.y && found.moments.y <= found.moments.z);
            assert!(matrix_error(&found, &inertia) < 2e-15, "{:e}", matrix_error(&found, &inertia));
            let mut sorted = moments.to_array();
            sorted.sort_by(f64::total_cmp);
            assert!((found.moments - DVec3::from_array(sorted)).length() < 2e-15 * moments.length());
            assert!((found.orientation.length() - 1.0).abs() < 1e-15);
        }
    }
}

#[test]
fn body_that_turns_like_a_sphere_keeps_its_axes() {
    for turn in turns() {
        // rounding, as mass properties leave it
        let inertia = turned(DVec3::new(2.0, 2.0 + 4e-13, 2.0 - 8e-13), turn);
        let found = principal_axes(&inertia);
        assert_eq!(found.orientation, DQuat::IDENTITY);
        assert_eq!(found.moments.x.to_bits(), found.moments.y.to_bits());
        assert_eq!(found.moments.x.to_bits(), found.moments.z.to_bits());
        assert!((found.moments.x - 2.0).abs() < 1e-12);
    }
}

#[test]
fn body_that_turns_like_a_top_keeps_the_axis_nearest_to_its_plane() {
    for turn in turns() {
        for (moments, axis) in [(DVec3::new(1.0, 2.0, 2.0 + 1e-13), 0), (DVec3::new(2.0, 3.0, 2.0 - 1e-13), 2)] {
            let inertia = turned(moments, turn);
            let found = principal_axes(&inertia);
            assert!(matrix_error(&found, &inertia) < 1e-12);
            let pair = if axis == 0 { [1, 2] } else { [0, 1] };
            assert_eq!(found.moments[pair[0]].to_bits(), found.moments[pair[1]].to_bits());
            // the axes across do not depend on the rounding of the matrix
            let noise =
                DMat3::from_cols(DVec3::new(1.0, -2.0, 0.5), DVec3::new(-2.0, 0.3, 0.9), DVec3::new(0.5, 0.9, -1.0));
            let again = principal_axes(&(inertia + noise * 1e-14));
            assert!(found.orientation.dot(again.orientation).abs() > 1.0 - 1e-14);
        }
    }
}

#[test]
fn axes_of_a_diagonal_inertia_are_the_given_ones() {
    let axes = |x: f64, y: f64, z: f64| {
        let found = principal_axes(&DMat3::from_diagonal(DVec3::new(x, y, z)));
        let matrix = DMat3::from_quat(found.orientation);
        (found.moments.to_array(), [matrix.x_axis, matrix.y_axis, matrix.z_axis])
    };
    let [x, y, z] = DVec3::AXES;
    let same = |(moments, axes): ([f64; 3], [DVec3; 3]), expected: ([f64; 3], [DVec3; 3])| {
        assert_eq!(moments, expected.0);
        // of a quaternion with two components the matrix has roundings
        assert!((0..3).all(|k| axes[k].distance(expected.1[k]) < 1e-15), "{axes:?} {:?}", expected.1);
    };
    same(axes(1.0, 2.0, 3.0), ([1.0, 2.0, 3.0], [x, y, z]));
    same(axes(1.0, 2.0, 2.0), ([1.0, 2.0, 2.0], [x, y, z]));
    same(axes(1.0, 1.0, 2.0), ([1.0, 1.0, 2.0], [x, y, z]));
    same(axes(2.0, 2.0, 1.0), ([1.0, 2.0, 2.0], [z, x, y]));
    same(axes(2.0, 3.0, 1.0), ([1.0, 2.0, 3.0], [z, x, y]));
    same(axes(1.0, 3.0, 2.0), ([1.0, 2.0, 3.0], [x, z, -y]));
    same(axes(1.0, 2.0, 1.0), ([1.0, 1.0, 2.0], [x, -z, y]));
}

#[test]
fn octahedral_cluster_gets_the_given_frame_and_one_moment() {
    use crate::bodies::{MemberSphere, mass_properties};
    let sphere = |position: DVec3, radius: f64| MemberSphere { position, radius };
    for scale in [1.0, 3e-4] {
        let mut spheres = vec![sphere(DVec3::ZERO, scale)];
        spheres.extend(DVec3::AXES.map(|axis| sphere(0.7 * scale * axis, 0.6 * scale)));
        spheres.extend(DVec3::AXES.map(|axis| sphere(-0.7 * scale * axis, 0.6 * scale)));
        let found = principal_axes(&mass_properties::of_union(&spheres).inertia);
        assert_eq!(found.orientation, DQuat::IDENTITY);
        assert!(found.moments.x == found.moments.y && found.moments.x == found.moments.z, "{}", found.moments);
        // without the sphere at the end of the z axis
        let found = principal_axes(&mass_properties::of_union(&spheres[..6]).inertia);
        assert!(found.moments.x == found.moments.y && found.moments.y < found.moments.z, "{}", found.moments);
        assert_eq!(found.orientation, DQuat::IDENTITY);
    }
}

/// Clusters whose spheres overlap, also by three, with the symmetry of the octahedron, the tetrahedron and the cube.
fn cubic_clusters() -> [Vec<(DVec3, f64)>; 4] {
    let corner = |k: u32| DVec3::from_array([0, 1, 2].map(|d| if k >> d & 1 == 1 { 0.55 } else { -0.55 }));
    let mut octahedron = vec![(DVec3::ZERO, 1.0)];
    octahedron.extend(DVec3::AXES.into_iter().flat_map(|axis| [(0.75 * axis, 0.5), (-0.75 * axis, 0.5)]));
    let tetrahedron: Vec<_> = [0, 3, 5, 6].map(|k| (corner(k), 0.9)).to_vec();
    let around_a_sphere = tetrahedron.iter().map(|&(at, radius)| (1.1 * at, 0.6 * radius)).chain([(DVec3::ZERO, 0.8)]);
    let cube = (0..8).map(|k| (corner(k), 0.7)).collect();
    [octahedron, around_a_sphere.collect(), tetrahedron, cube]
}

/// A body whose moments are equal turns about its angular momentum L by |L| t/I, as a sphere does, in whatever frame it was given.
#[test]
fn clusters_with_the_symmetry_of_a_cube_turn_as_spheres() {
    use crate::bodies::free_rotation::free_rotation;
    use crate::bodies::{MemberSphere, mass_properties};
    let momentum = DVec3::new(3.0, -2.0, 1.0);
    for (which, cluster) in cubic_clusters().iter().enumerate() {
        for turn in turns().take(5).chain([DQuat::IDENTITY]) {
            let spheres: Vec<MemberSphere> =
                cluster.iter().map(|&(at, radius)| MemberSphere { position: turn * at, radius }).collect();
            let found = mass_properties::of_union(&spheres);
            let mean = (found.inertia.x_axis.x + found.inertia.y_axis.y + found.inertia.z_axis.z) / 3.0;
            let off = found.inertia - DMat3::from_diagonal(DVec3::splat(mean));
            let off = off.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs())) / mean;
            assert!(off < 1e-13, "cluster {which}: {off:e}");
            let axes = principal_axes(&found.inertia);
            assert_eq!(
                (axes.orientation, axes.moments.x, axes.moments.y),
                (DQuat::IDENTITY, axes.moments.z, axes.moments.z)
            );
            // |ω| dt is about a tenth
            let (steps, dt) = (2000, 0.025 * mean);
            let mut q = turn.to_array();
            for _ in 0..steps {
                q = free_rotation(q, momentum * dt, axes.moments);
            }
            let exact = DQuat::from_scaled_axis(momentum * (f64::from(steps) * dt / mean)) * turn;
            let error = 2.0 * (DQuat::from_array(q) * exact.conjugate()).xyz().length();
            assert!(error < 1e-10, "cluster {which}: {error:e} rad");
        }
    }
}
