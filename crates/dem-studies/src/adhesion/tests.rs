use super::*;

#[test]
fn pulls_losses_and_rebounds_are_those_of_the_closed_forms() {
    let report = run(&Options::default()).unwrap();
    let pulls = &report.tables[0];
    let column = |name: &str| pulls.numbers(name);
    let (found, expected) = (column("pull_off_N"), column("expected_pull_off_N"));
    for (row, (found, expected)) in pulls.rows().iter().zip(found.iter().zip(&expected)) {
        assert!((found / expected - 1.0).abs() < 2e-3, "{row:?}");
    }
    let largest = column("expected_loss_J")[0];
    for ((row, loss), (work, ledger)) in pulls
        .rows()
        .iter()
        .zip(column("expected_loss_J"))
        .zip(column("loop_work_J").into_iter().zip(column("ledger_work_J")))
    {
        assert!((work - loss).abs() < 2e-3 * largest, "{row:?}");
        assert!((ledger - loss).abs() < 2e-3 * largest, "{row:?}");
    }
    let impacts = report.tables.iter().find(|table| table.name == "adhesion_impacts").unwrap();
    let (found, expected) = (impacts.numbers("restitution"), impacts.numbers("expected_restitution"));
    for (row, (found, expected)) in impacts.rows().iter().zip(found.iter().zip(&expected)) {
        assert!((found - expected).abs() < 3e-3, "{row:?}");
    }
}

#[test]
fn bridges_are_as_near_to_the_young_laplace_equation_as_their_forms() {
    let all = bridges(&Options { steps: 1000.0, ..Options::default() }).unwrap();
    for bridge in &all {
        if let Some(exact) = bridge.exact_rupture {
            assert!((bridge.rupture / exact - 1.0).abs() < 0.01, "{} {}", bridge.form, bridge.volume);
        }
        // what the ledger books when a bridge forms is the work of drawing it out
        assert!((bridge.work() / bridge.loss - 1.0).abs() < 2e-3, "{} {} {}", bridge.form, bridge.work(), bridge.loss);
    }
    let at_contact = all.iter().find(|bridge| bridge.form == "willett" && bridge.volume == 1e-3).unwrap();
    assert!((at_contact.pull(0.0) / 0.9361 - 1.0).abs() < 0.034, "{}", at_contact.pull(0.0));
}

#[test]
fn options_out_of_range_are_named() {
    let refused = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        run(&options).unwrap_err().to_string()
    };
    assert!(refused(|o| o.radius = 0.0).starts_with("--radius = 0"));
    assert!(refused(|o| o.surface_energy = f64::NAN).starts_with("--surface-energy = NaN"));
    assert!(refused(|o| o.surface_energy = 1e4).contains("up to 1 %"));
    assert!(refused(|o| o.steps = 1.0).starts_with("--steps = 1,"));
}
