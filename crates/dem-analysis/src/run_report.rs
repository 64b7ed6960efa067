//! Everything about a run on one page: picture and figures, then tables. Directories of studies have a page, too.

mod figures;
mod further;
mod tables;
mod warnings;

use std::path::Path;

use dem_report::page::Page;
use dem_report::report::Figure;
use dem_report::table::{Table, Value};
use dem_sim::run::series_figures;

use crate::error::AnalysisError;
use crate::interactive::page_within;
use crate::methods::Methods;
use crate::run_kinds;
use crate::run_record::RunRecord;

/// The page of a run.
///
/// # Errors
/// Files of the directory that cannot be read, figures that cannot be drawn.
pub fn html(record: &RunRecord) -> Result<String, AnalysisError> {
    let mut page = Page::new(&record.title());
    let warnings = warnings::warnings(record);
    let (time, reason) = (Value::Number(record.number(&["time"])).readable(), record.word("stop_reason"));
    page.paragraph(&format!("{}: {reason} at t = {time} s.", record.directory.display()));
    for warning in &warnings {
        page.verdict(false, &format!("Warning: {warning}."));
    }
    if warnings.is_empty() {
        page.verdict(true, "No warnings.");
    }
    picture(record, &mut page);
    page.section("Figures");
    page.begin_columns();
    for (name, panels) in series_figures(&record.directory)? {
        page.figure(&Figure { name, panels })?;
    }
    let contacts = figures::contact_panels(record);
    if !contacts.is_empty() {
        page.figure(&Figure { name: "contacts", panels: contacts })?;
    }
    page.end_columns();
    // a run without snapshots, or whose snapshots are damaged, has a report all the same
    if let Ok(Some(picture)) = page_within(&record.directory.join("snapshots.vtkhdf")) {
        page.section("Interactive picture");
        page.embedded(&picture, "interactive picture");
    }
    further::sections(&mut page, &record.directory)?;
    section(&mut page, "Result", &tables::summary(record));
    for (title, table) in run_kinds::tables(record) {
        section(&mut page, &title, &table);
    }
    section(&mut page, "Energies", &tables::energies(record));
    section(&mut page, "Walls", &tables::walls(record));
    section(&mut page, "Contact parameters", &tables::parameters(record));
    if let Some(times) = tables::times(record) {
        section(&mut page, "Time by phase", &tables::time_by_phase(&times));
        times.notes().iter().for_each(|note| page.paragraph(note));
    }
    page.section("Methods");
    let methods = Methods::of(record);
    page.paragraph(&methods.paragraph);
    let references = methods.references.iter().enumerate().map(|(k, reference)| format!("[{}] {reference}", k + 1));
    page.list(&references.collect::<Vec<_>>());
    page.section("Scene");
    page.folded("scene.resolved.toml", &record.loaded.document.resolved().to_string());
    Ok(page.finish())
}

/// Whether a directory holds results of a command other than a run, which [`study_html`] shows.
pub fn is_study(directory: &Path) -> bool {
    further::has_results(directory) && !directory.join("scene.resolved.toml").is_file()
}

/// The page of a directory of a test, a probe or a study.
///
/// # Errors
/// A directory that cannot be read.
pub fn study_html(directory: &Path) -> Result<String, AnalysisError> {
    let mut page = Page::new(&directory.display().to_string());
    further::sections(&mut page, directory)?;
    Ok(page.finish())
}

/// The final state.
fn picture(record: &RunRecord, page: &mut Page) {
    match dem_io::regular_file::read(&record.directory.join("picture.png")) {
        Ok(png) => page.picture(&png, "final state"),
        Err(_) => page.paragraph("There is no picture."),
    }
}

/// A section with a table; none without rows.
fn section(page: &mut Page, heading: &str, table: &Table) {
    if !table.rows().is_empty() {
        page.section(heading);
        page.table(table, 0);
    }
}
