use super::*;

fn tiny() -> Options {
    Options { seeds: 2, particles: 50, all_integrators: false, ..Options::default() }
}

#[test]
fn small_slices_come_to_rest_and_are_compared_in_pairs() {
    let report = run(&tiny()).unwrap();
    let table = &report.tables[0];
    assert_eq!(table.rows().len(), 4);
    assert!(table.numbers("rest_s").iter().all(|&time| time > 1.0 && time < 20.0), "{}", table.to_text());
    let (rest, quiet) = (table.numbers("rest_s"), table.numbers("quiet_s"));
    assert!(quiet.iter().zip(&rest).all(|(quiet, rest)| quiet <= rest));
    let shares = table.numbers("rotational_peak_share");
    assert!(shares[0] > 1e-4 && shares[0] < 1.0 && shares[1] == 0.0, "{shares:?}");
    assert!(table.numbers("psi6").iter().all(|&order| order > 0.0 && order <= 1.0));
    assert_eq!(report.findings.len(), 5);
    assert!(report.pictures.len() >= 2 * 4);
    let folder = tempfile::tempdir().unwrap();
    report.write(folder.path()).unwrap();
}

#[test]
fn same_seed_gives_the_same_start_and_another_seed_another_one() {
    let scheme = tiny().check().unwrap();
    let first = |seed| course::Pair::run(&scheme, seed, 20).unwrap();
    let (a, b) = (first(1), first(2));
    assert_eq!(a.with.looks[0], a.without.looks[0]);
    assert_eq!(a.with.frames.len().min(2), 2);
    assert_ne!(a.with.frames[0].positions, b.with.frames[0].positions);
    assert!(a.with.looks[1].translation > 0.0);
}

#[test]
fn options_out_of_range_are_refused() {
    for (options, name) in [
        (Options { seeds: 1, ..tiny() }, "--seeds"),
        (Options { particles: 1000, ..tiny() }, "--particles"),
        (Options { integrator: "euler".to_owned(), ..tiny() }, "--integrator"),
    ] {
        let message = run(&options).unwrap_err().to_string();
        assert!(message.starts_with(name) && message.contains("expected"), "{message}");
    }
}
