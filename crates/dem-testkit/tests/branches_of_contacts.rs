//! Contacts that adhere and yield are saved and restored in every branch of their force.

use dem_core::history::SavedRecord;
use dem_testkit::conformance::driven_pair::{DrivenPair, Loads};
use dem_testkit::conformance::path::Pose;

use crate::cohesive_subjects::{Subject, at, leg, subjects};

fn bits(records: &[SavedRecord]) -> Vec<u64> {
    records.iter().flat_map(|saved| &saved.record).map(|x| x.to_bits()).collect()
}

/// Overlap in units, slip in units, and the name of the branch that the leg ends in.
fn way(subject: &Subject) -> Vec<(f64, f64, &'static str)> {
    let mut way =
        vec![(0.9, 0.02, "loading"), (0.7, 0.0, "unloading"), (0.8, 0.03, "reloading"), (1.3, 3.0, "sliding")];
    if subject.pulls {
        way.extend([(subject.pulled, 0.0, "pulled"), (subject.pulled, 1.5, "sliding under a pull")]);
        way.push((subject.pulled + 0.01, 0.0, "turned under a pull"));
    }
    way
}

/// A pair with the history of another one at the same place.
fn restored(subject: &Subject, pair: &DrivenPair, pose: &Pose) -> DrivenPair {
    let mut copy = subject.pair(pose);
    copy.world.time = pair.world.time;
    copy.restore(&pair.save());
    copy
}

#[test]
fn a_contact_goes_on_with_the_same_bits_from_every_branch() {
    const STEPS: u32 = 37;
    for subject in subjects() {
        let mut pair = subject.pair(&at(-0.2));
        pair.step(&at(-0.2));
        let (mut from, mut copies): (f64, Vec<(&str, DrivenPair)>) = (-0.2, Vec::new());
        for (to, slip, branch) in way(&subject) {
            let poses: Vec<Pose> = leg(from, to, slip, STEPS).collect();
            let expected = pair.follow(&poses);
            let last: &Loads = &expected[expected.len() - 1];
            if branch.contains("pull") {
                assert!(last.normal_force(&poses[0]) < 0.0, "{}: {branch} does not pull", subject.name);
            }
            if branch.contains("sliding") {
                let friction = pair.world.energy().friction;
                assert!(friction > 0.0, "{}: {branch} does not slide", subject.name);
            }
            // those that were restored in an earlier branch go the same way
            for (earlier, copy) in &mut copies {
                assert!(copy.follow(&poses) == expected, "{}: from {earlier} through {branch}", subject.name);
                assert_eq!(bits(&copy.save()), bits(&pair.save()), "{}: from {earlier} through {branch}", subject.name);
            }
            let copy = restored(&subject, &pair, &poses[poses.len() - 1]);
            assert_eq!(bits(&copy.save()), bits(&pair.save()), "{}: {branch}", subject.name);
            copies.push((branch, copy));
            from = to;
        }
        // and apart
        let apart: Vec<Pose> = leg(from, -3.0, 0.1, STEPS).collect();
        let expected = pair.follow(&apart);
        for (earlier, copy) in &mut copies {
            assert!(copy.follow(&apart) == expected, "{}: from {earlier} apart", subject.name);
        }
        assert!(pair.save().is_empty(), "{}: a history is left", subject.name);
    }
}

/// Where the law lets only the dashpot be clipped: the force is that of the spring and dashpot, but not less than the pull of the spring.
#[test]
fn without_tension_dashpots_do_not_pull_and_adhesion_does() {
    for subject in subjects() {
        let is_overlaid = subject.given.contains_key("adhesion");
        // a dashpot is heavy beside pulls
        let [elastic, clipped, free] =
            [subject.clone(), subject.damped(0.8, true), subject.damped(0.8, false)].map(|s| (s.pair(&at(-0.2)), s));
        let mut pairs = [elastic.0, clipped.0, free.0];
        let (mut from, mut clips, mut pulls) = (-0.2, 0, 0);
        let low = if subject.pulls { subject.pulled } else { 0.3 };
        for (to, steps) in [(1.2, 20), (low, 9), (0.9, 7), (low, 60)] {
            for pose in leg(from, to, 0.0, steps) {
                let [elastic, clipped, free] = pairs.each_mut().map(|pair| pair.step(&pose).normal_force(&pose));
                // a pull that is laid over a law is not a part of it: the law by itself does not pull
                let least = if is_overlaid { pull_of(&subject, &pose) } else { elastic.min(0.0) };
                let scale = 1e-9 * (elastic.abs() + free.abs());
                assert!(clipped >= least - scale, "{}: {clipped} {least}", subject.name);
                assert!((clipped - free.max(least)).abs() <= scale, "{}: {clipped}, {free} and {least}", subject.name);
                clips += u32::from(free < least - scale);
                pulls += u32::from(clipped < -scale);
            }
            from = to;
        }
        assert!(clips > 3, "{}: the dashpot never pulled", subject.name);
        assert_eq!(pulls > 0, subject.pulls, "{}", subject.name);
    }
}

/// Least force of a pull over a law \[N\]: the area of the circle of intersection times its density, or constant.
fn pull_of(subject: &Subject, pose: &Pose) -> f64 {
    use dem_contact::ParameterValue::Number;
    use dem_testkit::conformance::path::RADII;
    let distance = (pose.position[1] - pose.position[0]).length();
    let sum = RADII[0] + RADII[1];
    if distance >= sum {
        return 0.0;
    }
    match (subject.given.get("pull"), subject.given.get("cohesion_energy_density")) {
        (Some(Number(pull)), _) => -pull,
        (_, Some(Number(density))) => {
            let squared = distance * distance;
            let area = (sum * sum - squared) * (squared - (RADII[0] - RADII[1]).powi(2)) / (4.0 * squared);
            -density * std::f64::consts::PI * area
        }
        _ => 0.0,
    }
}
