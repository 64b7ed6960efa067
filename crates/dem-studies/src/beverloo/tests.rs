use dem_analysis::discharge::SteadyRate;

use super::*;
use crate::beverloo::outcome::Fit;

fn course(outlet: f64, rate: f64) -> Course {
    let rate = SteadyRate { window: [0.0, 1.0], mass: rate, rate, half_width: 0.0, trend: 0.0 };
    Course {
        outlet,
        diameter: 0.01,
        gravity: 9.81,
        density: 1500.0,
        rate,
        sphere: 1e-3,
        left: vec![[0.0, 0.0], [1.0, 1.0]],
    }
}

#[test]
fn constants_of_the_law_are_found_again() {
    let rate = |outlet: f64| 0.58 * 1500.0 * 9.81f64.sqrt() * (outlet - 0.014).powf(2.5);
    let courses: Vec<Course> = [0.06, 0.07, 0.085, 0.1].map(|outlet| course(outlet, rate(outlet))).to_vec();
    let fit = Fit::of(&courses, 1.4);
    assert!((fit.exponent[0] - 2.5).abs() < 1e-9 && fit.exponent[1] < 1e-6 && fit.deviation < 1e-9, "{fit:?}");
    assert!((fit.constant - 0.58).abs() < 1e-9, "{fit:?}");
    // a smaller k is made up for by a larger exponent
    assert!(Fit::of(&courses, 1.0).exponent[0] > 2.55);
    let report = outcome::report(&courses, 1.4);
    assert!(report.findings[0].contains("kept"), "{:?}", report.findings);
    report.write(tempfile::tempdir().unwrap().path()).unwrap();
}

/// The bed is three diameters high, too low for the law.
#[test]
fn a_hopper_runs_out_from_when_it_is_opened() {
    let found = Course::run(12.0, 1000, 1).unwrap();
    assert!((1200.0..1700.0).contains(&found.density), "{}", found.density);
    assert_eq!(found.left[0], [0.0, 0.0]);
    assert!(found.left.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] <= pair[1][1]));
    let last = found.left[found.left.len() - 1];
    assert!((0.4..0.45).contains(&(last[1] / (1000.0 * found.sphere))), "{last:?}");
    assert!(found.rate.rate > 0.0 && found.rate.window[0] > 0.0 && found.rate.window[1] <= last[0], "{:?}", found.rate);
}

#[test]
fn options_out_of_range_are_refused() {
    for (options, name) in [
        (Options { particles: 3, ..Options::default() }, "--particles"),
        (Options { k: 3.0, ..Options::default() }, "--k"),
        (Options { outlets: vec![6.0, 7.0], ..Options::default() }, "--outlets"),
        (Options { outlets: vec![6.0, 7.0, 7.0], ..Options::default() }, "--outlets"),
    ] {
        let message = run(&options).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains("expected"), "{message}");
    }
}
