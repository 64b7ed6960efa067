//! The cases as a part of a Markdown page: what is claimed, which follows from the registry alone, and what was measured.

use dem_report::ReportError;

use crate::case::{Case, Effort};
use crate::cases::CASES;
use crate::outcome::{Outcome, count_of_references};

/// Begins the part of the page that is written by [`replace`].
pub const START: &str = "<!-- cases: written by `dem validate --markdown VALIDATION.md` -->";
/// Ends it.
pub const END: &str = "<!-- end of cases -->";
/// Begins what was measured of a case.
const MEASURED: &str = "<!-- measured -->";
/// Ends it.
const END_OF_MEASURED: &str = "<!-- end of measured -->";

/// What is claimed of all cases, without what was measured.
pub fn claims() -> String {
    CASES.iter().map(claims_of).collect()
}

/// The part of a page with everything that cases found.
pub fn text(outcomes: &[Outcome], effort: Effort) -> String {
    let sections = outcomes.iter().map(|outcome| claims_of(&outcome.case) + &measured(outcome, effort));
    format!("{START}\n\n{}{}\n\n{END}\n", sections.collect::<String>(), counted(outcomes))
}

/// The count of the references, as something that was measured: it depends on the checks that were made.
fn counted(outcomes: &[Outcome]) -> String {
    format!("{MEASURED}\n\n{}\n\n{END_OF_MEASURED}", count_of_references(outcomes))
}

/// A page with its part replaced.
///
/// # Errors
/// A page without the lines [`START`] and [`END`].
pub fn replace(page: &str, part: &str) -> Result<String, ReportError> {
    let (before, after) = around(page).ok_or_else(|| ReportError::Option {
        option: "--markdown",
        value: "a page without the marks of the cases".to_owned(),
        allowed: format!("a page with the lines `{START}` and `{END}`"),
    })?;
    Ok(format!("{before}{part}{after}"))
}

/// What a page claims, without what was measured: as [`claims`] if the page is up to date. Nothing for a page without the marks.
pub fn claims_in(page: &str) -> Option<String> {
    let (before, after) = around(page)?;
    let part = &page[before.len() + START.len()..page.len() - after.len() - END.len() - 1];
    let mut claims = String::new();
    let mut rest = part.trim_start_matches('\n');
    while let Some((claimed, measured)) = rest.split_once(MEASURED) {
        claims.push_str(claimed);
        rest = measured.split_once(END_OF_MEASURED)?.1.trim_start_matches('\n');
    }
    claims.push_str(rest);
    Some(claims)
}

/// What stands before and after the part.
fn around(page: &str) -> Option<(&str, &str)> {
    let start = page.find(START)?;
    let end = page[start..].find(END)? + start + END.len();
    Some((&page[..start], page[end..].strip_prefix('\n')?))
}

fn claims_of(case: &Case) -> String {
    let mut text = format!(
        "### {}\n\n{}\n\n| claim | reference | which is | weakness |\n|---|---|---|---|\n",
        case.name, case.summary
    );
    for (k, claim) in case.claims.iter().enumerate() {
        let cells = [&(k + 1).to_string(), claim.source, claim.tier.name(), claim.weakness].map(escaped);
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text + "\n"
}

fn measured(outcome: &Outcome, effort: Effort) -> String {
    let mut text = format!("{MEASURED}\n\n");
    if effort == Effort::Quick {
        text += "Measured with `--quick`.\n\n";
    }
    text += "| claim | quantity | should be | is | tolerance | verdict |\n|---|---|---|---|---|---|\n";
    for check in &outcome.findings.checks {
        let claim = outcome.case.claims.iter().position(|claim| *claim == check.claim).map_or(0, |k| k + 1);
        let number = |value: f64| dem_report::table::Value::from(value).readable();
        let verdict = if check.passes() { "pass" } else { "**fail**" };
        let cells = [
            claim.to_string(),
            escaped(&check.quantity),
            number(check.reference),
            number(check.result),
            number(check.tolerance),
            verdict.to_owned(),
        ];
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text + &format!("\n{END_OF_MEASURED}\n\n")
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::case::Findings;

    #[test]
    fn claims_of_a_page_are_those_of_the_registry_whatever_was_measured() {
        let outcome = |case: &Case| {
            let checks = vec![case.claims[0].close("|x| <", 1.0, 2.0, 0.5)];
            Outcome { case: *case, findings: Findings { checks, ..Findings::default() }, duration: Duration::ZERO }
        };
        let outcomes: Vec<Outcome> = CASES.iter().map(outcome).collect();
        let page = format!("before\n{START}\nold\n{END}\nafter\n");
        let written = replace(&page, &text(&outcomes, Effort::Full)).unwrap();
        assert!(written.starts_with("before\n<!--") && written.ends_with("-->\nafter\n"));
        assert!(written.contains("| 1 | \\|x\\| &lt; | 1.00000 | 2.00000 | 0.500000 | **fail** |"), "{written}");
        assert_eq!(claims_in(&written).unwrap(), claims());
        // writing again changes nothing
        assert_eq!(replace(&written, &text(&outcomes, Effort::Full)).unwrap(), written);
        assert_eq!(claims_in("no marks"), None);
        assert!(replace("no marks", "").unwrap_err().to_string().contains("--markdown"));
    }

    #[test]
    fn every_case_states_what_stands_behind_it() {
        for case in CASES {
            assert!(!case.claims.is_empty() && !case.summary.is_empty(), "{}", case.name);
            for (k, claim) in case.claims.iter().enumerate() {
                assert!(!claim.source.is_empty() && !claim.weakness.is_empty(), "{}: {claim:?}", case.name);
                assert!(!case.claims[..k].contains(claim), "{}: {claim:?} twice", case.name);
            }
        }
    }
}
