use dem_sim::integrators::Scheme;

use super::order::{Motion, convergence};
use super::*;

fn named<'a, T>(all: &'a [T], scheme: impl Fn(&T) -> &Scheme, name: &str) -> &'a T {
    all.iter().find(|case| scheme(case).to_string() == name).unwrap()
}

#[test]
fn orders_are_those_of_theory() {
    let schemes = all_schemes();
    let cases = convergence(&schemes).unwrap();
    assert_eq!(cases.len(), Motion::ALL.len() * schemes.len());
    for case in &cases {
        let name = case.scheme.to_string();
        let damped = case.motion == Motion::Dashpot;
        let [low, high] = match case.scheme.integrator {
            _ if case.motion == Motion::StickSlip => [0.8, 2.4],
            "semi-implicit-euler" => [0.9, 1.1],
            "gear" => [4.5, 6.6],
            _ if damped && name.contains("corrected=false") => [0.9, 1.1],
            _ => [1.9, 2.1],
        };
        let order = case.order();
        assert!((low..high).contains(&order), "{}, {name}: {order}, {:?}", case.motion.key(), case.errors);
    }
}

/// Verlet and the trapezoidal rule keep the energy of an undamped oscillation, up to a ripple; Gear's loses it.
#[test]
fn energy_of_an_oscillation_stays_or_drifts_as_the_scheme_has_it() {
    let schemes: Vec<Scheme> = all_schemes().into_iter().filter(|scheme| scheme.options.is_empty()).collect();
    let courses = energy::oscillation(&schemes, 40_000).unwrap();
    let verlet = named(&courses, |course| &course.scheme, "velocity-verlet");
    // a window spans a period of small oscillations; that of this one differs by a per cent or so, and leaves that share of the ripple
    assert!(verlet.drift().abs() < 0.02 * verlet.ripple, "{}, {}", verlet.drift(), verlet.ripple);
    assert!(verlet.ripple > 1e-4 && verlet.ripple < 0.1, "{}", verlet.ripple);
    let gear = named(&courses, |course| &course.scheme, "gear");
    assert!(gear.drift().abs() > 10.0 * verlet.drift().abs(), "{}", gear.drift());
}

#[test]
fn gas_keeps_its_energy() {
    let schemes: Vec<Scheme> = all_schemes().into_iter().take(1).collect();
    let course = &energy::gas(&schemes, 20_000).unwrap()[0];
    assert!(course.drift().abs() < 0.01, "{}", course.drift());
    // it does collide: the energy moves between motion and contacts
    assert!(course.changes.iter().any(|change| change[1] != 0.0));
}

#[test]
fn rolling_examples_meet_their_closed_forms() {
    let schemes: Vec<Scheme> = all_schemes().into_iter().take(1).collect();
    let case = &rolling::rolling(&schemes).unwrap()[0];
    assert!((case.spinning[0] - 2.68542).abs() < 2e-4, "{:?}", case.spinning);
    assert!((case.spinning[1] - 8.941).abs() < 4e-4, "{:?}", case.spinning);
    assert!((case.spinning[2] + 44.705).abs() < 5e-3, "{:?}", case.spinning);
    for ((name, _, expected), found) in rolling::ROLLING_EXPECTED.into_iter().zip(case.three) {
        assert!((found / expected - 1.0).abs() < 0.025, "{name}: {found}");
    }
}

#[test]
fn report_has_a_row_for_each_scheme_and_times_them() {
    let bench = Timing { particles: 100, settling: 50, rounds: 1 };
    let report = run(&Options { steps: 1000, bench: Some(bench) }).unwrap();
    assert_eq!(report.tables[0].rows().len(), all_schemes().len());
    assert_eq!(report.tables[0].numbers("cost_ratio_to_default")[0], 1.0);
    assert!(report.tables[0].numbers("cost_ns").iter().all(|&cost| cost > 0.0));
    assert_eq!(report.findings.len(), 9);
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(report.write(folder.path()).unwrap().len(), 2 * (5 + 4));
}

#[test]
fn options_out_of_range_are_refused() {
    let timed = |bench| Options { steps: 1000, bench: Some(bench) };
    let fine = TIMING;
    for (options, name) in [
        (Options { steps: 10, bench: None }, "--steps"),
        (timed(Timing { particles: 99, ..fine }), "--particles"),
        (timed(Timing { settling: 100_000_000, ..fine }), "--settling"),
        (timed(Timing { rounds: 0, ..fine }), "--rounds"),
    ] {
        let message = run(&options).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains("expected"), "{message}");
    }
}
