//! Everything on one page of HTML that needs no other file: tables of checks, notes, figures.

use dem_report::ReportError;
use dem_report::page::Page;

use crate::check::Check;
use crate::outcome::{Outcome, all_pass, count_of_references, table};

/// The page.
///
/// # Errors
/// A figure that cannot be drawn.
pub fn html(outcomes: &[Outcome]) -> Result<String, ReportError> {
    let checks: usize = outcomes.iter().map(|o| o.findings.checks.len()).sum();
    let failed: usize = outcomes.iter().flat_map(|o| &o.findings.checks).filter(|check| !check.passes()).count();
    let mut page = Page::new("Validation");
    if all_pass(outcomes) {
        page.verdict(true, &format!("All {checks} checks of {} cases pass.", outcomes.len()));
    } else {
        page.verdict(false, &format!("{failed} of {checks} checks fail."));
    }
    page.paragraph(&count_of_references(outcomes));
    let entry = |outcome: &Outcome| {
        let passes = outcome.findings.checks.iter().filter(|check| check.passes()).count();
        (outcome.case.name, format!(": {passes} of {}", outcome.findings.checks.len()))
    };
    page.contents(&outcomes.iter().map(entry).collect::<Vec<_>>());
    for outcome in outcomes {
        section(&mut page, outcome)?;
    }
    Ok(page.finish())
}

fn section(page: &mut Page, outcome: &Outcome) -> Result<(), ReportError> {
    let findings = &outcome.findings;
    page.section(outcome.case.name);
    page.paragraph(outcome.case.summary);
    page.table(&table(std::slice::from_ref(outcome)), 1);
    for note in &findings.notes {
        page.paragraph(note);
    }
    for table in &findings.tables {
        page.heading(table.name);
        page.table(table, 0);
    }
    for figure in &findings.figures {
        page.heading(figure.name);
        page.figure(figure)?;
    }
    let failed: Vec<&Check> = findings.checks.iter().filter(|check| !check.passes()).collect();
    if findings.checks.is_empty() || !failed.is_empty() {
        page.verdict(false, &format!("{} checks fail.", failed.len()));
    }
    Ok(())
}
