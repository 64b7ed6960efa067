use super::*;

#[test]
fn restitution_is_that_of_the_closed_forms() {
    let report = run(&Options { speeds: vec![0.02, 0.2, 1.0], ..Options::default() }).unwrap();
    let table = &report.tables[0];
    assert_eq!(table.rows().len(), 7 * 3);
    for (row, difference) in table.rows().iter().zip(table.numbers("difference")) {
        assert!(difference.abs() < 3e-3, "{row:?}");
    }
    for balance in table.numbers("imbalance_over_kinetic") {
        assert!(balance.abs() < 2e-3, "{balance}");
    }
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        run(&options).unwrap_err().to_string()
    };
    assert!(refused(|o| o.radius = 0.0).starts_with("--radius = 0"));
    assert!(refused(|o| o.yield_pressure = -1.0).starts_with("--yield-pressure = -1"));
    assert!(refused(|o| o.speeds = vec![]).starts_with("--speed"));
    assert!(refused(|o| o.speeds = vec![f64::NAN]).starts_with("--speed = NaN"));
    assert!(refused(|o| o.steps = 1.0).starts_with("--steps = 1,"));
}
