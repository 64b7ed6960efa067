//! The study as a whole, with few steps.

use dem_sim::integrators::INTEGRATORS;

use super::*;

fn quick() -> Options {
    Options { steps: 3000, ..Options::default() }
}

#[test]
fn closed_forms_quadrature_and_engine_agree() {
    let rows = comparisons(&quick()).unwrap();
    let off: Vec<_> = rows.iter().filter(|row| !row.passes()).collect();
    assert!(off.is_empty(), "{off:#?}");
    for what in ["critical velocity", "restitution", "contact time", "reversal", "parting"] {
        assert!(rows.iter().any(|row| row.method == "engine" && row.quantity.contains(what)), "{what}");
    }
}

/// Four times the error of a scheme of second order at half the steps.
#[test]
fn the_engine_converges_to_the_references_with_the_square_of_the_step() {
    let worst = |steps: u32| {
        let cases = Cases::new(&Options { steps, ..Options::default() }).unwrap();
        let case = cases.line();
        let passage = &case.passages[3];
        let [time, velocity] = passage.motion.parting.unwrap();
        let restitution = velocity / passage.velocity - case.exact.restitution(passage.velocity);
        (restitution.abs(), (time / case.exact.contact_time(passage.velocity).unwrap() - 1.0).abs())
    };
    let (coarse, fine) = (worst(500), worst(1000));
    assert!(fine.0 < 0.4 * coarse.0 && fine.1 < 0.4 * coarse.1, "{coarse:?} {fine:?}");
}

#[test]
fn every_integrator_passes_with_the_right_restitution() {
    for entry in INTEGRATORS {
        let cases =
            Cases::new(&Options { steps: 1000, integrator: entry.key.to_owned(), ..Options::default() }).unwrap();
        for case in &cases.paths {
            let passage = &case.passages[4];
            let [_, velocity] = passage.motion.parting.unwrap();
            let off = velocity / passage.velocity - case.exact.restitution(passage.velocity);
            // one of them is of first order, and a step is a thousandth of the path
            assert!(off.abs() < 2e-3, "{} on the {}: {off:e}", entry.key, case.name);
        }
    }
}

#[test]
fn options_out_of_range_are_refused_with_what_is_possible() {
    let refused = |change: fn(&mut Options)| {
        let mut options = quick();
        change(&mut options);
        run(&options).unwrap_err().to_string()
    };
    assert_eq!(refused(|o| o.overlap = 0.7), "--overlap = 0.7, expected 0.001 to 0.5");
    assert_eq!(refused(|o| o.friction = f64::NAN), "--friction = NaN, expected 0.05 to 1");
    assert_eq!(refused(|o| o.steps = 3), "--steps = 3, expected 500 to 1000000");
    assert!(refused(|o| o.integrator = "euler".into()).starts_with("--integrator = euler, expected velocity-verlet, "));
    assert!(refused(|o| o.power = 0.0).starts_with("--power"));
    assert!(refused(|o| o.poisson_ratio = 0.5).starts_with("--poisson"));
}

/// While the sphere slides one way, both components of the engine's force are those of the closed forms.
#[test]
fn forces_along_and_across_every_path_are_those_of_the_closed_forms() {
    let cases = Cases::new(&Options { steps: 2000, ..Options::default() }).unwrap();
    for case in &cases.paths {
        let largest = case.exact.normal_force(0.0);
        // the first instant is that of touch, before any slip
        for instant in &case.passages[4].motion.instants[1..] {
            let [along, across] = case.exact.path_forces(instant.position, 1.0);
            let off = (instant.along - along).abs().max((instant.across - across).abs());
            assert!(off < 1e-5 * largest, "{}: {instant:?}, {along} {across}", case.name);
        }
    }
}
