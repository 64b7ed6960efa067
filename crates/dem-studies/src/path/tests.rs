use dem_reference::constant_load_slip::ConstantLoad;

use super::*;

fn report(laws: &[&str], paths: &[&str]) -> Report {
    let laws = laws.iter().map(|law| NamedChoice::law(law).unwrap()).collect();
    let paths = paths.iter().map(|&path| path.to_owned()).collect();
    run(&Options { laws, paths, ..Options::default() }).unwrap()
}

#[test]
fn mindlin_deresiewicz_follows_the_springs_at_constant_load_and_loses_the_area_of_the_loop() {
    let report = report(&["mindlin-deresiewicz", "mdr:springs=200"], &["constant-load", "nested-loops"]);
    for distance in report.tables[0].numbers("distance_from_springs") {
        assert!(distance < 2e-3, "{distance}");
    }
    // loading from nothing to the turning point, then one whole cycle: what loading stored is still there
    let pair = Options::default().bodies(&NamedChoice::law("mdr").unwrap()).unwrap().pair().unwrap();
    let load = ConstantLoad::at_overlap(&pair, 1.5e-5);
    let points = &report.tables[1];
    let (law, friction) = (points.rows(), points.numbers("friction_work_J"));
    let at = |k: usize| friction[k];
    assert_eq!(law[0][1], "mindlin-deresiewicz".into());
    let amplitude = load.loading(0.8 * load.full_slip());
    let cycle = at(399) - at(199);
    let stored = report.tables[1].numbers("elastic_tangential_J");
    let lost = cycle + stored[399] - stored[199];
    assert!((lost / load.loss_per_cycle(amplitude) - 1.0).abs() < 2e-3, "{lost}");
}

#[test]
fn a_prescribed_force_is_reached_by_a_law_with_another_overlap() {
    let report = report(&["linear:normal_stiffness=1e6", "hertz-mindlin"], &["constant-load"]);
    let points = &report.tables[1];
    let (force, overlap) = (points.numbers("normal_force_N"), points.numbers("overlap_m"));
    let scale = force[499];
    assert!((force[99] / scale - 1.0).abs() < 1e-12, "{} {scale}", force[99]);
    assert!((overlap[99] * 1e6 / scale - 1.0).abs() < 1e-9);
}

#[test]
fn one_step_of_kuhn_turns_the_force_as_the_tractrix_does() {
    let report = report(&["kuhn", "conventional"], &["constant-load"]);
    let table = &report.tables[2];
    let (angle, exact) = (table.numbers("angle_deg"), table.numbers("exact_angle_deg"));
    let apart = |range: std::ops::Range<usize>| range.map(|k| (angle[k] - exact[k]).abs()).fold(0.0, f64::max);
    assert!(apart(0..31) < 1e-6, "{}", apart(0..31));
    assert!(apart(31..62) > 5.0, "{}", apart(31..62));
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        run(&options).unwrap_err().to_string()
    };
    assert!(refused(|o| o.overlap = 0.0).starts_with("--overlap = 0"));
    assert!(refused(|o| o.overlap = 2e-3).contains("half the radius"));
    assert!(refused(|o| o.paths = vec!["loop".into()]).contains("nested-loops"));
    assert!(refused(|o| o.paths = vec![]).starts_with("--path"));
    assert!(refused(|o| o.friction = -1.0).starts_with("--friction"));
    assert!(refused(|o| o.friction = f64::NAN).starts_with("--friction"));
}

#[test]
fn without_friction_nothing_resists_the_slip() {
    let options = Options { friction: 0.0, paths: vec!["constant-load".into(), "circle".into()], ..Options::default() };
    let report = run(&options).unwrap();
    let [force, distance] =
        ["max_tangential_force_N", "distance_from_springs"].map(|name| report.tables[0].numbers(name));
    assert!(force.iter().all(|&force| force == 0.0), "{force:?}");
    assert!(distance.iter().all(|&distance| distance == 0.0), "{distance:?}");
    let slips = report.tables[1].numbers("slip_x_m");
    assert!(slips.iter().any(|&slip| slip > 0.0), "the paths are those with friction");
}
