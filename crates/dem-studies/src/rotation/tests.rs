use dem_report::statistics::slope;

use super::accuracy::ANGLES;
use super::*;

/// The claim of the study: 10⁻¹² rad per turn after a million steps, through every half turn.
#[test]
fn a_million_steps_with_the_exact_map_keep_the_orientation_to_rounding() {
    let all = contestants::contestants();
    let contestants: Vec<_> =
        all.into_iter().filter(|c| ["quaternion", "rodrigues", "rotation-vector"].contains(&c.key)).collect();
    assert_eq!(contestants.len(), 3);
    let cases = accuracy::constant_spin(&contestants, 1_000_000);
    let exact: Vec<_> = cases.iter().filter(|case| case.map == IncrementMap::Exact).collect();
    assert_eq!(exact.len(), 3 * ANGLES.len());
    for case in exact {
        assert!(case.turns() > 150.0);
        let worst =
            case.samples.iter().map(|s| s.error / (s.steps as f64 * case.angle / std::f64::consts::TAU).max(1.0));
        let worst = worst.fold(0.0, f64::max);
        assert!(worst < 1e-12, "{} at {} rad: {worst:e} rad per turn", case.contestant.key, case.angle);
    }
}

#[test]
fn every_parameterization_follows_constant_spin_with_the_exact_map() {
    for case in accuracy::constant_spin(&contestants::contestants(), 20_000) {
        let first = case.first_turn.unwrap().error;
        match case.map {
            IncrementMap::Exact => {
                assert!(case.error_per_turn() < 1e-12, "{} at {}", case.contestant.key, case.angle);
                assert!(case.end().defect < 1e-11, "{}: {}", case.contestant.key, case.end().defect);
            }
            IncrementMap::Literal => {
                // steps of a turn, each short by angle³/12 less 3/20 of angle² of that
                let expected = (std::f64::consts::TAU / case.angle).round() * case.angle.powi(3) / 12.0;
                let relative = (first / expected - 1.0).abs();
                assert!(relative < 0.2 * case.angle * case.angle + 1e-6, "{}: {relative}", case.contestant.key);
            }
        }
    }
}

#[test]
fn error_of_a_literal_step_is_a_twelfth_of_the_cube_and_of_third_order() {
    let points = [1e-3, 1e-2, 0.1].map(|angle| [angle, accuracy::error_of_one_step(IncrementMap::Literal, angle)]);
    for [angle, error] in points {
        assert!((error / (-angle.powi(3) / 12.0) - 1.0).abs() < 0.002, "{angle}: {error:e}");
    }
    assert!((slope(&points) - 3.0).abs() < 0.001);
    assert!(accuracy::error_of_one_step(IncrementMap::Exact, 0.1).abs() < 1e-15);
}

#[test]
fn precession_is_followed_to_second_order_and_better_with_the_exact_map() {
    let cases = accuracy::precession(&contestants::contestants());
    for pair in cases.chunks(2) {
        let [exact, literal] = pair else { panic!("two maps for each parameterization") };
        for case in pair {
            assert!((case.order() - 2.0).abs() < 0.02, "{}: {}", case.contestant.key, case.order());
        }
        assert_eq!((exact.map, literal.map), (IncrementMap::Exact, IncrementMap::Literal));
        assert!(exact.errors.iter().zip(&literal.errors).all(|(e, l)| e[1] < l[1]), "{}", exact.contestant.key);
    }
}

#[test]
fn report_has_a_row_for_each_parameterization_and_map() {
    let report = run(&Options { steps: 1000, bench: None, runs: None }).unwrap();
    assert_eq!(report.tables[0].rows().len(), 10);
    assert!(report.tables[0].numbers("cost_ns").iter().all(|x| x.is_nan()));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(report.write(folder.path()).unwrap().len(), 2 * (5 + 2));
    assert_eq!(report.findings.len(), 4);
}

#[test]
fn timing_compares_all_with_a_step_of_the_engine() {
    let bench = Timing { particles: 100, settling: 200, rounds: 1 };
    let report = run(&Options { steps: 10, bench: Some(bench), runs: None }).unwrap();
    assert!(report.tables[0].numbers("cost_ns").iter().all(|&x| x > 0.0));
    assert_eq!(report.tables[0].numbers("cost_ratio_to_quaternion")[0], 1.0);
    let engine = report.tables.iter().find(|table| table.name == "rotation_engine").unwrap();
    assert_eq!(engine.rows().len(), 2 * 5);
    assert!(engine.numbers("step_ns").iter().all(|&x| x > 0.0));
    assert_eq!(report.findings.len(), 7);
}

#[test]
fn options_out_of_range_are_refused() {
    let timed = |bench| Options { steps: 10, bench: Some(bench), runs: None };
    let running = |runs| Options { steps: 10, bench: None, runs: Some(runs) };
    let fine = TIMING;
    for (options, name) in [
        (Options { steps: 0, bench: None, runs: None }, "--steps"),
        (timed(Timing { particles: 99, ..fine }), "--particles"),
        (timed(Timing { settling: 100_000_000, ..fine }), "--settling"),
        (timed(Timing { rounds: 0, ..fine }), "--rounds"),
        (running(Runs { bodies: 7, ..Runs::default() }), "--run-bodies"),
        (running(Runs { dimers: 0, ..Runs::default() }), "--run-dimers"),
        (running(Runs { steps: 99, ..Runs::default() }), "--run-steps"),
        (running(Runs { settling: 10_000_001, ..Runs::default() }), "--run-settling"),
    ] {
        let message = run(&options).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains("expected"), "{message}");
    }
}
