//! Everything on one page of HTML that needs no other file: tables of checks, notes, figures as SVG.

use dem_view::{FigureSize, draw_svg};

use super::{Check, Outcome, all_pass, table};
use crate::error::StudyError;
use crate::table::Table;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1240px;padding:0 1rem;color:#14181c}\
table{border-collapse:collapse;font-size:13px;margin:.7rem 0;font-variant-numeric:tabular-nums}\
th,td{border-bottom:1px solid #dfe3e8;padding:.25rem .6rem;text-align:left;vertical-align:top}\
td.number,th.number{text-align:right;white-space:nowrap}\
.pass{color:#00693e}.fail{color:#b00020;font-weight:700}\
.scroll{overflow-x:auto}svg{max-width:100%;height:auto;border:1px solid #dfe3e8;margin:.5rem 0}";

/// The page.
///
/// # Errors
/// A figure that cannot be drawn.
pub fn html(outcomes: &[Outcome]) -> Result<String, StudyError> {
    let checks: usize = outcomes.iter().map(|o| o.findings.checks.len()).sum();
    let failed: usize = outcomes.iter().flat_map(|o| &o.findings.checks).filter(|check| !check.passes()).count();
    let verdict = if all_pass(outcomes) {
        format!("<p class=\"pass\">All {checks} checks of {} cases pass.</p>", outcomes.len())
    } else {
        format!("<p class=\"fail\">{failed} of {checks} checks fail.</p>")
    };
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Validation</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>Validation</h1>\n{verdict}\n<ul>\n"
    );
    for outcome in outcomes {
        let passes = outcome.findings.checks.iter().filter(|check| check.passes()).count();
        page.push_str(&format!(
            "<li><a href=\"#{name}\">{name}</a>: {passes} of {all}</li>\n",
            name = outcome.case.name,
            all = outcome.findings.checks.len()
        ));
    }
    page.push_str("</ul>\n");
    for outcome in outcomes {
        section(&mut page, outcome)?;
    }
    page.push_str("</body></html>\n");
    Ok(page)
}

fn section(page: &mut String, outcome: &Outcome) -> Result<(), StudyError> {
    let findings = &outcome.findings;
    page.push_str(&format!("<h2 id=\"{0}\">{0}</h2>\n<p>{1}</p>\n", outcome.case.name, escaped(outcome.case.summary)));
    let all = table(std::slice::from_ref(outcome));
    push_table(page, &all, 1);
    for note in &findings.notes {
        page.push_str(&format!("<p>{}</p>\n", escaped(note)));
    }
    for table in &findings.tables {
        page.push_str(&format!("<h3>{}</h3>\n", escaped(&table.name.replace('_', " "))));
        push_table(page, table, 0);
    }
    for figure in &findings.figures {
        let size = FigureSize::for_panels(figure.panels.len());
        let refused = |source| StudyError::Figure { figure: figure.name.to_owned(), source };
        let svg = draw_svg(&figure.panels, size).map_err(refused)?;
        // an XML declaration is not allowed inside HTML
        let svg = svg.find("<svg").map_or(svg.as_str(), |start| &svg[start..]);
        page.push_str(&format!("<h3>{}</h3>\n{svg}\n", escaped(&figure.name.replace('_', " "))));
    }
    let failed: Vec<&Check> = findings.checks.iter().filter(|check| !check.passes()).collect();
    if findings.checks.is_empty() || !failed.is_empty() {
        page.push_str(&format!("<p class=\"fail\">{} checks fail.</p>\n", failed.len()));
    }
    Ok(())
}

/// A table from its column number `first` on.
fn push_table(page: &mut String, table: &Table, first: usize) {
    let numeric = |column: usize| table.rows().iter().all(|row| row[column].is_number());
    let class = |column: usize| if numeric(column) { " class=\"number\"" } else { "" };
    page.push_str("<div class=\"scroll\"><table><tr>");
    for (k, column) in table.columns().iter().enumerate().skip(first) {
        page.push_str(&format!("<th{}>{}</th>", class(k), escaped(column)));
    }
    page.push_str("</tr>\n");
    for row in table.rows() {
        page.push_str("<tr>");
        for (k, cell) in row.iter().enumerate().skip(first) {
            let text = cell.readable();
            let class = match text.as_str() {
                "pass" => " class=\"pass\"",
                "fail" => " class=\"fail\"",
                _ => class(k),
            };
            page.push_str(&format!("<td{class}>{}</td>", escaped(&text)));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
