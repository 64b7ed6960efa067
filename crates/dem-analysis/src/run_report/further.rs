//! What other commands have left in a directory or in folders of it: tests, probes, studies, profiles.

use std::path::{Path, PathBuf};

use dem_io::regular_file;
use dem_report::page::Page;
use dem_report::table::{Table, Value};
use serde_json::Value as Json;

use crate::error::AnalysisError;

/// Rows of a table that are shown.
const MOST_ROWS: usize = 25;
/// Columns of a table that are shown side by side.
const MOST_COLUMNS: usize = 9;
/// The note of the commands that write into directories.
const NOTE: &str = "written_by.json";
/// Folders of members, whose results stand in the directory above.
const MEMBERS: &str = "members";

/// Results of one command.
struct Results {
    folder: PathBuf,
    command: String,
    files: Vec<String>,
}

/// Whether a directory has results of a command that is no run.
pub(super) fn has_results(directory: &Path) -> bool {
    directory.join(NOTE).is_file()
}

/// Writes figures and tables of all commands that wrote into a directory or a folder of it.
pub(super) fn sections(page: &mut Page, directory: &Path) -> Result<(), AnalysisError> {
    let mut folders = vec![directory.to_path_buf()];
    let entries = std::fs::read_dir(directory).map_err(dem_io::Error::system("read", directory))?;
    let mut inner: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    inner.retain(|path| path.is_dir() && path.file_name().is_none_or(|name| name != MEMBERS));
    inner.sort();
    folders.extend(inner);
    for results in folders.into_iter().filter_map(read) {
        section(page, directory, &results)?;
    }
    Ok(())
}

fn read(folder: PathBuf) -> Option<Results> {
    let note: Json = serde_json::from_slice(&regular_file::read(&folder.join(NOTE)).ok()?).ok()?;
    let files = note.get("files")?.as_array()?.iter().filter_map(|file| file.as_str().map(str::to_owned)).collect();
    Some(Results { command: note.get("command")?.as_str()?.to_owned(), folder, files })
}

fn section(page: &mut Page, directory: &Path, results: &Results) -> Result<(), AnalysisError> {
    let of = |suffix: &str| -> Vec<&str> {
        results.files.iter().filter_map(|file| file.strip_suffix(suffix)).filter(|name| !name.contains("..")).collect()
    };
    let (svg, png, csv) = (of(".svg"), of(".png"), of(".csv"));
    if svg.is_empty() && png.is_empty() && csv.is_empty() {
        return Ok(());
    }
    let place = results.folder.strip_prefix(directory).unwrap_or(Path::new(""));
    let heading = match place.as_os_str().is_empty() {
        true => results.command.clone(),
        false => format!("{} ({})", results.command, place.display()),
    };
    page.section(&heading);
    page.begin_columns();
    let drawn = svg.iter().map(|name| (*name, true));
    for (name, is_svg) in drawn.chain(png.iter().filter(|name| !svg.contains(name)).map(|name| (*name, false))) {
        let path = results.folder.join(format!("{name}{}", if is_svg { ".svg" } else { ".png" }));
        // a file may have been taken away since
        if let Ok(file) = regular_file::read(&path) {
            page.drawn_figure(&file, is_svg, &name.replace(['_', '/'], " "));
        }
    }
    page.end_columns();
    for name in csv {
        let Ok(bytes) = regular_file::read(&results.folder.join(format!("{name}.csv"))) else { continue };
        if let Some((table, rows)) = table(&String::from_utf8_lossy(&bytes)) {
            page.heading(name);
            page.table(&table, 0);
            if rows > table.rows().len() && table.columns().len() > 1 {
                page.paragraph(&format!("{} of {rows} rows; all of them are in {name}.csv.", MOST_ROWS.min(rows)));
            }
        }
    }
    Ok(())
}

/// The first rows of a table and the number of all; a table of few rows and many columns lies on its side.
fn table(text: &str) -> Option<(Table, usize)> {
    let mut lines = text.lines().map(dem_report::table::cells);
    let names = lines.next()?;
    let rows: Vec<Vec<String>> = lines.filter(|row| row.len() == names.len()).collect();
    let number = rows.len();
    let value = |cell: &String| match (cell.parse::<u64>(), cell.parse::<f64>()) {
        (Ok(count), _) => Value::Count(count),
        (_, Ok(value)) => Value::Number(value),
        _ => Value::Text(cell.clone()),
    };
    if names.len() <= MOST_COLUMNS || number >= MOST_COLUMNS {
        let mut table = Table::with_columns("results", names);
        for row in rows.iter().take(MOST_ROWS) {
            table.push(row.iter().map(value));
        }
        return (number > 0).then_some((table, number));
    }
    let heads = std::iter::once(names[0].clone()).chain(rows.iter().map(|row| row[0].clone()));
    let mut table = Table::with_columns("results", heads.collect());
    for (k, name) in names.iter().enumerate().skip(1) {
        let (words, unit) = dem_report::words::describe(name, None);
        let head = Value::Text(dem_report::words::label(&words, &unit));
        table.push(std::iter::once(head).chain(rows.iter().map(|row| value(&row[k]))));
    }
    (number > 0).then_some((table, number))
}
