use super::*;

#[test]
fn length_of_the_law_is_found_again() {
    let points: Vec<[f64; 2]> =
        (1..20).map(|k| 0.02 * f64::from(k)).map(|h| [h, janssen::stress(15e3, 0.07, h)]).collect();
    assert!((janssen::fitted_length(&points, 15e3) - 0.07).abs() < 1e-7);
    assert!(janssen::residual(&points, 15e3, 0.07) < 1e-12);
    assert!(janssen::residual(&points, 15e3, 0.1) > 0.1);
    // without friction the stress is that of a fluid
    let fluid: Vec<[f64; 2]> = points.iter().map(|[h, _]| [*h, 15e3 * h]).collect();
    assert!(janssen::fitted_length(&fluid, 15e3) > 100.0);
    assert!((janssen::stress(15e3, 1e6, 0.2) - 3e3).abs() < 0.01);
}

#[test]
fn a_small_silo_bears_its_weight_on_floor_and_wall() {
    let found = Filling::Lattice.measure(400, 1).unwrap();
    assert!(found.imbalance().abs() < 0.005, "{found:?}");
    assert!((0.1..0.7).contains(&found.floor_share), "{found:?}");
    assert!((0.2..1.2).contains(&found.lateral_ratio) && (0.05..0.5).contains(&found.wall_friction), "{found:?}");
    assert!(found.height / found.diameter > 5.0);
    // what the wall carries off between two slabs is what the stress lacks: weight of the column minus shear above
    let slabs: Vec<_> = found.slabs.iter().filter(|slab| slab.is_inside).collect();
    let (low, high) = (slabs[0], slabs[slabs.len() - 1]);
    let between = || found.slabs.iter().filter(|slab| slab.height > low.height && slab.height < high.height);
    let width = slabs[1].height - slabs[0].height;
    let shear: f64 = between().map(|slab| slab.shear).sum::<f64>() + 0.5 * (low.shear + high.shear);
    let gain = found.density * 9.81 * (high.height - low.height) - 4.0 / found.diameter * width * shear;
    // slabs differ in density, and the stress of a slab is that of its middle only on average
    assert!((low.stress - high.stress - gain).abs() < 0.15 * (low.stress + high.stress), "{low:?} {high:?} {gain}");
    let report = outcome::report(&[found.clone(), Measurement { label: "other".to_owned(), ..found }]);
    assert_eq!(report.findings.len(), 3);
    report.write(tempfile::tempdir().unwrap().path()).unwrap();
}

#[test]
fn options_out_of_range_are_refused() {
    for (options, name) in [
        (Options { seeds: 1, ..Options::default() }, "--seeds"),
        (Options { particles: 3, ..Options::default() }, "--particles"),
    ] {
        let message = run(&options).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains("expected"), "{message}");
    }
}
