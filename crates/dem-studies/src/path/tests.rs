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

/// A sphere of 0.5 mm on a wall with E* = 2 GPa, pressed and pulled by hand.
fn pulled(law: &str, overlaps: &[f64]) -> Vec<f64> {
    let material = Material { name: "", source: "", density: 2500.0, young_modulus: 3.75e9, poisson_ratio: 0.25 };
    let points = overlaps.iter().map(|&overlap| Point { load: Load::Overlap(overlap), slip: [0.0; 2] }).collect();
    let options = Options {
        laws: vec![NamedChoice::law(law).unwrap()],
        sphere: material,
        wall: material,
        radius: 0.5e-3,
        overlap: 1e-7,
        paths: Vec::new(),
        given: Some(points),
        ..Options::default()
    };
    run(&options).unwrap().tables[1].numbers("normal_force_N")
}

#[test]
fn pulls_beyond_touch_are_those_of_the_closed_forms() {
    use std::f64::consts::{PI, TAU};
    let (radius, energy, modulus): (f64, f64, f64) = (0.5e-3, 0.05, 2e9);
    let unit = (PI * energy * radius * radius / (4.0 * modulus)).cbrt().powi(2) / radius;
    // at zero overlap 8/9 of the pull-off force, at the peak all of it, at the fold 5/9, beyond it nothing
    let overlaps = [8.0 * unit, 0.0, -3.0f64.cbrt() * unit, -3.0 * unit * (1.0 - 1e-12), -3.001 * unit];
    let forces = pulled("jkr:surface_energy=0.05", &overlaps);
    for (force, share) in forces[1..].iter().zip([8.0 / 9.0, 1.0, 5.0 / 9.0, 0.0]) {
        assert!((-force / (3.0 * PI * energy * radius) - share).abs() < 1e-5, "{forces:?}");
    }
    // stiff spheres let go at touch, where they pull with 4πγr
    let forces = pulled("dmt:surface_energy=0.05", &[1e-8, 1e-15, -1e-9]);
    assert!((forces[1] / (-4.0 * PI * energy * radius) - 1.0).abs() < 1e-6, "{forces:?}");
    assert_eq!(forces[2], 0.0);
    // liquid at a distance S, cos θ/(1 + 2.1 x + 10 x²) with x = (S/2) √(R/V), R = 2r, up to (1 + θ/2)(V*^(1/3) + V*^(2/3)/10) R
    let (size, tension, volume) = (2.0 * radius, 0.073, 1e-12_f64);
    let law = "hertz-mindlin:near_field=liquid-bridge,bridge_form=willett-closed,surface_tension=0.073,contact_angle=0,bridge_volume=1e-12";
    let forces = pulled(law, &[1e-8, 0.0, -2e-5, -1.009e-4, -1.011e-4, -2e-5]);
    let x = 1e-5 * (size / volume).sqrt();
    let strength = TAU * size * tension;
    assert!((-forces[1] / strength - 1.0).abs() < 1e-12, "{forces:?}");
    assert!((-forces[2] / strength * (1.0 + 2.1 * x + 10.0 * x * x) - 1.0).abs() < 1e-9, "{forces:?}");
    // V* = 1e-3: it breaks at 0.101 R and does not form again apart
    assert!(forces[3] < 0.0 && forces[4] == 0.0 && forces[5] == 0.0, "{forces:?}");
}

#[test]
fn a_force_that_a_contact_holds_in_tension_is_found_and_a_stronger_one_refused() {
    let material = Material { name: "", source: "", density: 2500.0, young_modulus: 3.75e9, poisson_ratio: 0.25 };
    let follow = |forces: &[f64]| {
        let points = forces.iter().map(|&force| Point { load: Load::NormalForce(force), slip: [0.0; 2] }).collect();
        run(&Options {
            laws: vec![NamedChoice::law("dmt:surface_energy=0.05").unwrap()],
            sphere: material,
            wall: material,
            radius: 0.5e-3,
            overlap: 1e-7,
            paths: Vec::new(),
            given: Some(points),
            ..Options::default()
        })
    };
    let report = follow(&[1e-4, 0.0, -3e-4]).unwrap();
    // Hertz's force is the load and the pull of 4πγr
    let stiffness = 4.0 / 3.0 * 2e9 * 0.5e-3f64.sqrt();
    let pull = 4.0 * std::f64::consts::PI * 0.05 * 0.5e-3;
    for (overlap, force) in report.tables[1].numbers("overlap_m").into_iter().zip([1e-4, 0.0, -3e-4]) {
        let expected = ((force + pull) / stiffness).powf(2.0 / 3.0);
        assert!((overlap / expected - 1.0).abs() < 1e-6, "{overlap} {expected}");
    }
    let refused = follow(&[1e-4, -3.2e-4]).unwrap_err().to_string();
    assert!(refused.contains("the force at touch") && refused.contains("overlap_m"), "{refused}");
}
