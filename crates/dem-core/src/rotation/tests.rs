use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::*;
use crate::lanes::{LaneTask, Lanes, Vector, Width};

fn rotation_vectors() -> impl Iterator<Item = DVec3> {
    [1e-9, 1e-4, 0.05, 0.0999, 0.1001, 1.0, 3.0]
        .into_iter()
        .map(|angle| DVec3::new(0.6, -0.64, 0.48).normalize() * angle)
}

#[test]
fn rodrigues_vector_matches_its_definition_on_both_branches() {
    for theta in rotation_vectors() {
        let angle = theta.length();
        let expected = theta / angle * 2.0 * (0.5 * angle).tan();
        let a = rodrigues_from_rotation_vector(theta);
        // a rounding of the angle counts by the condition of tan(θ/2), θ/sin θ: 21 at 3 rad
        let tolerance = 4e-16 * angle / angle.sin();
        assert!((a - expected).length() <= tolerance * expected.length(), "{angle}");
    }
}

#[test]
fn quaternion_of_an_increment_is_the_axis_angle_rotation() {
    for theta in rotation_vectors() {
        let q = quaternion_from_rodrigues(rodrigues_from_rotation_vector(theta));
        let expected = DQuat::from_scaled_axis(theta);
        assert!(q.abs_diff_eq(expected, 1e-15), "{theta}: {q} {expected}");
    }
}

#[test]
fn composed_increments_turn_as_one_after_the_other() {
    let start = DQuat::from_scaled_axis(DVec3::new(-0.2, 0.5, 1.3));
    for theta in rotation_vectors() {
        let (first, then) = (rodrigues_from_rotation_vector(theta), DVec3::new(0.7, -0.2, 0.4));
        let both = rotate_orientation(start, compose_rodrigues(first, then));
        let expected = rotate_orientation(rotate_orientation(start, first), then);
        // q and −q are one rotation
        assert!((both.dot(expected).abs() - 1.0).abs() < 1e-14, "{theta}");
    }
    assert_eq!(compose_rodrigues(DVec3::ZERO, DVec3::X), DVec3::X);
}

#[test]
fn difference_of_a_rotated_vector_is_the_cross_product_with_the_mean() {
    let r = DVec3::new(0.3, -1.1, 0.7);
    for theta in rotation_vectors() {
        let a = rodrigues_from_rotation_vector(theta);
        let end = quaternion_from_rodrigues(a) * r;
        assert!((end - r - a.cross(0.5 * (r + end))).length() < 1e-14 * (1.0 + a.length()));
    }
}

#[test]
fn increment_between_orientations_inverts_the_update() {
    let start = DQuat::from_scaled_axis(DVec3::new(0.4, 2.0, -0.3));
    for theta in rotation_vectors() {
        let a = rodrigues_from_rotation_vector(theta);
        let end = rotate_orientation(start, a);
        assert!((rodrigues_between(start, end) - a).length() < 1e-14 * (1.0 + a.length_squared()));
    }
}

/// Angle between two orientations.
fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let difference = a * b.conjugate();
    2.0 * difference.xyz().length().atan2(difference.w.abs())
}

/// Rotations of every kind: none, small, about axes, by π, with the Euler angles at their singularity, and scattered ones.
fn orientations() -> Vec<DQuat> {
    let mut all = vec![DQuat::IDENTITY];
    for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, -0.64, 0.48), DVec3::new(-1.0, 2.0, 0.5).normalize()] {
        for angle in [1e-12, 0.3, 0.5 * PI, 2.0, PI - 1e-9, PI, PI + 1e-9, 4.0, 1.5 * PI, TAU - 1e-3] {
            all.push(DQuat::from_axis_angle(axis, angle));
        }
        // a half turn without a trace of rounding
        all.push(DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0));
        all.push(DQuat::from_xyzw(axis.x, axis.y, axis.z, -0.0));
    }
    all
}

fn increments() -> Vec<DVec3> {
    let mut all: Vec<DVec3> =
        rotation_vectors().chain([PI / 2.0, 3.1].map(|x| DVec3::Z * x)).map(rodrigues_from_rotation_vector).collect();
    all.extend([DVec3::ZERO, DVec3::X * 0.01, -DVec3::Y * 2.0]);
    all
}

/// A check of one parameterization.
trait Check {
    fn check<P: Parameterization<N>, const N: usize>();
}

struct Each<C>(std::marker::PhantomData<C>, usize);

impl<C: Check> ParameterizationVisitor for Each<C> {
    fn visit<P: Parameterization<N> + Send + Sync + 'static, const N: usize>(&mut self) {
        C::check::<P, N>();
        self.1 += 1;
    }
}

fn check_each<C: Check>() {
    let mut each = Each::<C>(std::marker::PhantomData, 0);
    visit_parameterizations(&mut each);
    assert_eq!(each.1, 5);
}

#[test]
fn every_parameterization_holds_every_rotation() {
    struct Holds;
    impl Check for Holds {
        fn check<P: Parameterization<N>, const N: usize>() {
            for q in orientations() {
                let numbers = P::from_quaternion(q);
                assert!(numbers.iter().all(|x| x.is_finite()), "{} of {q}: {numbers:?}", P::KEY);
                assert!(P::defect(numbers) < 1e-15);
                let error = angle_between(P::quaternion(numbers), q);
                assert!(error < 2e-15, "{} of {q}: {numbers:?} is off by {error:e}", P::KEY);
            }
        }
    }
    check_each::<Holds>();
}

#[test]
fn rotations_survive_the_way_through_all_parameterizations() {
    for q in orientations() {
        let alpha = convert::<UnitQuaternion, RodriguesVector, 4, 3>(q.to_array());
        let vector = convert::<RodriguesVector, RotationVector, 3, 3>(alpha);
        let angles = convert::<RotationVector, EulerAngles, 3, 3>(vector);
        let matrix = convert::<EulerAngles, RotationMatrix, 3, 9>(angles);
        let end = DQuat::from_array(convert::<RotationMatrix, UnitQuaternion, 9, 4>(matrix));
        assert!(angle_between(end, q) < 5e-15, "{q}");
        assert!(DVec3::from(vector).length() <= PI * (1.0 + 1e-15));
    }
}

#[test]
fn every_parameterization_turns_as_the_quaternion_does() {
    struct Turns;
    impl Check for Turns {
        fn check<P: Parameterization<N>, const N: usize>() {
            for q in orientations() {
                for a in increments() {
                    let numbers = P::compose::<f64>(P::from_quaternion(q), a.into());
                    let error = angle_between(P::quaternion(numbers), quaternion_from_rodrigues(a) * q);
                    assert!(error < 4e-15, "{}: {q} turned by {a} is off by {error:e}", P::KEY);
                }
            }
        }
    }
    check_each::<Turns>();
}

#[test]
fn every_parameterization_rotates_vectors_as_the_quaternion_does() {
    struct Rotates;
    impl Check for Rotates {
        fn check<P: Parameterization<N>, const N: usize>() {
            let v = DVec3::new(0.3, -1.1, 0.7);
            for q in orientations() {
                let rotated: DVec3 = P::rotate::<f64>(P::from_quaternion(q), v.into()).into();
                assert!((rotated - q * v).length() < 4e-15, "{}: {q}", P::KEY);
            }
        }
    }
    check_each::<Rotates>();
}

#[test]
fn lanes_have_the_bits_of_one_at_a_time() {
    struct Composition<P, const N: usize>(std::marker::PhantomData<P>);
    impl<P: Parameterization<N>, const N: usize> LaneTask for Composition<P, N> {
        type Output = Vec<[f64; N]>;
        #[inline(always)]
        fn run<R: Lanes>(self) -> Vec<[f64; N]> {
            let starts: Vec<[f64; N]> = orientations().into_iter().map(P::from_quaternion).collect();
            let mut ends = vec![[0.0; N]; starts.len()];
            for a in increments() {
                for at in (0..starts.len() / R::LANES).map(|block| block * R::LANES) {
                    let turned = P::compose::<R>(R::columns(|lane| &starts[at + lane]), Vector::splat(a));
                    R::rows(&turned, |lane, row| {
                        for (sum, x) in ends[at + lane].iter_mut().zip(row) {
                            *sum += x;
                        }
                    });
                }
            }
            ends.truncate(starts.len() / 8 * 8);
            ends
        }
    }
    struct Same;
    impl Check for Same {
        fn check<P: Parameterization<N>, const N: usize>() {
            let all: Vec<_> = Width::available()
                .into_iter()
                .map(|width| width.run(Composition::<P, N>(std::marker::PhantomData)))
                .map(|rows| rows.into_iter().map(|row| row.map(f64::to_bits)).collect::<Vec<_>>())
                .collect();
            assert!(all.iter().all(|rows| *rows == all[0]), "{}", P::KEY);
        }
    }
    check_each::<Same>();
}

#[test]
fn rodrigues_vector_stops_at_a_half_turn_and_leaves_it() {
    for axis in [DVec3::Z, DVec3::new(0.6, -0.64, 0.48)] {
        let quarter = axis * 2.0;
        let mut numbers = [0.0; 3];
        for quarters in 1..=8 {
            numbers = RodriguesVector::compose::<f64>(numbers, quarter.into());
            let expected = DQuat::from_axis_angle(axis, f64::from(quarters) * 0.5 * PI);
            assert!(angle_between(RodriguesVector::quaternion(numbers), expected) < 3e-15, "{quarters}: {numbers:?}");
            // nothing happens to a body that does not turn
            assert_eq!(RodriguesVector::compose::<f64>(numbers, Vector::zero()), numbers);
        }
    }
}

#[test]
fn euler_angles_jump_at_their_singularity_but_the_orientation_does_not() {
    // pitching through the vertical
    let start = DQuat::from_rotation_z(0.4) * DQuat::from_rotation_y(1.4);
    let step = start * DVec3::Y * 1e-3;
    let mut angles = EulerAngles::from_quaternion(start);
    let (mut least, mut largest_jump) = (f64::INFINITY, 0.0_f64);
    for k in 1..=400 {
        let before = angles;
        angles = EulerAngles::compose::<f64>(angles, rodrigues_from_rotation_vector(step).into());
        least = EulerAngles::distance_from_singularity(angles).min(least);
        largest_jump = (angles[0] - before[0]).abs().max(largest_jump);
        let expected = DQuat::from_scaled_axis(step * f64::from(k)) * start;
        assert!(angle_between(EulerAngles::quaternion(angles), expected) < 1e-13, "{k}");
    }
    assert!(least < 1e-3 && largest_jump > 3.0, "{least} {largest_jump}");
}

#[test]
fn literal_map_falls_short_by_a_twelfth_of_the_cube() {
    for angle in [1e-3, 1e-2, 0.1] {
        let a: DVec3 = IncrementMap::Literal.increment::<f64>(Vector::new(0.0, angle, 0.0)).into();
        let error = rotation_vector_from_rodrigues(a).y - angle;
        // the next term is 3/20 of the square of the angle; rounding is 1e-16 of an angle whose error is 1e-8 of itself at 1e-3
        assert!((error / (-angle.powi(3) / 12.0) - 1.0).abs() < 0.16 * angle * angle + 1e-8, "{angle}: {error}");
        let exact = IncrementMap::Exact.increment::<f64>(Vector::new(0.0, angle, 0.0));
        assert!((rotation_vector_from_rodrigues(exact.into()).y - angle).abs() < 4e-16 * angle);
    }
}

#[test]
fn matrix_of_an_imperfect_rotation_is_repaired_to_second_order() {
    let mut numbers = RotationMatrix::from_quaternion(DQuat::from_rotation_x(1.0) * DQuat::from_rotation_z(2.0));
    numbers[4] += 1e-5;
    assert!(RotationMatrix::defect(numbers) > 1e-6);
    assert!(RotationMatrix::defect(matrix::orthonormal(numbers)) < 1e-9);
}

#[test]
fn rotation_vector_inverts_the_map_to_the_increment() {
    for theta in rotation_vectors() {
        let a = rodrigues_from_rotation_vector(theta);
        assert!((rotation_vector_from_rodrigues(a) - theta).length() < 1e-15 * theta.length(), "{theta}");
    }
}

#[test]
fn total_rotation_counts_steps_of_more_than_half_a_turn() {
    let axis = DVec3::new(0.6, -0.64, 0.48);
    let axis = axis / axis.length();
    for turned in [0.2, 3.1, 3.2, 4.0, TAU, 9.0, 12.7, -5.0, -40.0] {
        let mut total = TotalRotation::default();
        // the spin that is known may differ a little from what turned the body
        for estimate in [1.0, 1.03] {
            total.add_near(rodrigues_from_rotation_vector(axis * turned), axis * (turned * estimate));
        }
        assert!((total.0 - 2.0 * turned * axis).length() < 1e-9, "{turned}: {}", total.0.dot(axis));
        // held, whatever its spin
        let before = total;
        total.add_near(DVec3::ZERO, axis * turned);
        assert_eq!(total, before);
    }
}

#[test]
fn total_rotation_counts_turns_beyond_the_first() {
    let mut total = TotalRotation::default();
    let axis = DVec3::new(0.6, -0.64, 0.48);
    let axis = axis / axis.length();
    for _ in 0..1000 {
        total.add(rodrigues_from_rotation_vector(-axis * (TAU * 7.25 / 1000.0)));
    }
    assert!((total.turns() - 7.25).abs() < 1e-12);
    assert!((total.turns_about(axis) + 7.25).abs() < 1e-12);
}
