use super::*;
use dem_core::rotation::IncrementMap;
use dem_core::rotation::carried::Carried;

const SMALL: Runs = Runs { bodies: 27, dimers: 8, steps: 200, settling: 300 };

#[test]
fn small_runs_agree_with_the_exact_motion_and_with_each_other() {
    let outcome = measure(&SMALL, Some(1)).unwrap();
    for carried in Carried::ALL {
        let order = findings::order(&outcome.accuracy, carried);
        assert!((order - 2.0).abs() < 0.1, "{carried:?}: {order}");
    }
    for row in outcome.accuracy.iter().filter(|row| row.angle <= 0.1) {
        assert!(row.error[1] <= row.error[0] && row.error[0] < 0.1, "{row:?}");
    }
    assert!(outcome.accuracy.iter().all(|row| row.from_quaternion < 1e-9));
    assert!(outcome.drift.iter().all(|row| row.from_quaternion[0] < 1e-11 && row.defect < 1e-12));
    // no choice is further from the quaternion than a rounding error of the start brings it, but for luck
    let rounded: Vec<f64> =
        outcome.drift.iter().filter(|row| row.is_rounded).map(|row| row.from_quaternion[1]).collect();
    assert!(rounded[0] > 1e-17 && rounded.windows(2).all(|pair| pair[0] <= pair[1]), "{rounded:?}");
    for row in outcome.drift.iter().filter(|row| row.steps == 200) {
        assert!(row.from_quaternion[1] < 5.0 * rounded[rounded.len() - 1] && row.close == 1.0, "{row:?}");
    }
    // bodies are there
    assert!(outcome.drift.iter().all(|row| row.size > 0.5), "{:?}", outcome.drift);
    assert!(outcome.packing.iter().filter(|row| row.is_settled).all(|row| row.from_quaternion[0] < 1e-9));
    for row in &outcome.spheres {
        assert_eq!((row.equal, row.count), (27, 27), "{row:?}");
        assert!(row.from_quaternion < 1e-11, "{row:?}");
    }
    for row in &outcome.literal {
        let allowed = if row.increment == IncrementMap::Exact { 1e-12 } else { 1e-9 };
        assert!((row.error_per_turn - row.expected()).abs() < allowed, "{row:?}");
    }
    assert_eq!(outcome.cost.len(), 12);
    let tables = outcome.tables();
    assert_eq!(tables.len(), 7);
    let ratios = tables[6].numbers("ratio_to_quaternion");
    assert!(ratios[0] == 1.0 && ratios.iter().all(|ratio| *ratio > 0.0));
    assert_eq!(outcome.findings().len(), 9);
}

#[test]
fn a_run_of_rodrigues_vectors_stops_where_the_first_body_comes_to_half_a_turn() {
    let stops = free_bodies::stops(8).unwrap();
    // π in steps of 0.1 rad; the spin changes on the way
    let aligned = stops[1].stopped.unwrap();
    assert!((20..=45).contains(&aligned.0), "{aligned:?}");
    assert!(stops[0].stopped.unwrap().0 <= aligned.0, "orientations at random are nearer to half a turn");
}
