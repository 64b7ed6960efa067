use std::time::Duration;

use dem_report::report::Figure;
use dem_studies::error::StudyError;

use super::*;

fn one_check(passing: bool) -> Outcome {
    let claim = Claim { source: "a < b", tier: Tier::ClosedForm, weakness: "" };
    let result = if passing { 1.0 } else { 2.0 };
    let findings = Findings { checks: vec![claim.close("x", 1.0, result, 0.5)], ..Findings::default() };
    Outcome { case: CASES[0], findings, duration: Duration::ZERO }
}

#[test]
fn names_of_cases_are_unique_and_unknown_ones_are_refused() {
    let mut names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CASES.len());
    let message = select(&["normal".to_owned()]).err().unwrap().to_string();
    assert!(message.starts_with("--case = normal, expected one of normal-impact"), "{message}");
    assert_eq!(select(&[]).unwrap().len(), CASES.len());
}

#[test]
fn one_failed_check_or_no_check_at_all_fails() {
    assert!(all_pass(&[one_check(true)]));
    assert!(!all_pass(&[one_check(true), one_check(false)]));
    let empty = Outcome { findings: Findings::default(), ..one_check(true) };
    assert!(!all_pass(&[empty]));
}

#[test]
fn references_are_counted_by_where_they_come_from() {
    let claim = |tier| Claim { source: "s", tier, weakness: "" };
    let check = |tier| claim(tier).close("x", 1.0, 1.0, 0.0);
    let checks = vec![check(Tier::Own), check(Tier::Measured), check(Tier::Own)];
    let outcome = Outcome { findings: Findings { checks, ..Findings::default() }, ..one_check(true) };
    assert_eq!(
        count_of_references(&[outcome, one_check(false)]),
        "4 checks: 0 against printed, 1 against measured, 1 against closed form, 0 against independent code, 2 against own references."
    );
}

#[test]
fn a_case_that_cannot_run_is_a_failed_check() {
    let stuck = |_| Err(StudyError::Convergence { method: "m", detail: "d".into() });
    let outcomes = run(&[Case { run: stuck, ..CASES[0] }], Effort::Quick);
    assert!(!all_pass(&outcomes));
    assert_eq!(table(&outcomes).to_json()[0]["verdict"], "fail");
}

#[test]
fn the_page_holds_tables_and_figures_and_escapes_text() {
    let mut outcome = one_check(false);
    let panels = vec![dem_view::LinePlot {
        series: vec![dem_view::Series { points: vec![[0.0, 0.0], [1.0, 1.0]], ..dem_view::Series::default() }],
        ..dem_view::LinePlot::default()
    }];
    outcome.findings.figures.push(Figure { name: "some_figure", panels });
    let page = page::html(&[outcome]).unwrap();
    assert!(page.contains("a &lt; b") && !page.contains("a < b"));
    assert!(page.contains("<svg") && !page.contains("<?xml"));
    assert!(page.contains("1 of 1 checks fail"));
    assert!(!page.contains("http://") || !page.contains("src="), "nothing is fetched");
}

#[test]
fn quick_cases_of_the_normal_motion_pass() {
    let cases = select(&["normal-impact".to_owned(), "linear-impact".to_owned()]).unwrap();
    let outcomes = run(&cases, Effort::Quick);
    assert!(all_pass(&outcomes), "{}", table(&outcomes).to_text());
}
