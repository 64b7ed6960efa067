//! `dem diff`

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use dem_io::checkpoint::CheckpointReader;
use dem_io::comparison::{Extreme, RowKey, TableComparison, Unmatched, compare};
use dem_io::snapshot::SnapshotReader;
use dem_report::{Table, Value};
use dem_sim::checkpoint::{differing_sections, frame_tables, state_tables};
use serde_json::json;

use crate::failure::{ExitCode, Failure};
use crate::render::frame_index;
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Run directory, checkpoint or snapshot file.
    first: PathBuf,
    /// What it is compared with, of the same kind.
    second: PathBuf,
    /// Compare this frame of the snapshots; negative counts from the end. Default: the last, and of run directories the latest checkpoints
    /// too.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    frame: Option<i64>,
    /// Print the comparison as JSON.
    #[arg(long)]
    json: bool,
}

/// Exit code for things that differ.
const DIFFERENT: u8 = 1;
/// What a file is, by its first bytes.
const MARKS: [(&[u8; 8], Kind); 2] = [(b"DEMCKPT\0", Kind::Checkpoint), (b"\x89HDF\r\n\x1a\n", Kind::Snapshots)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Directory,
    Checkpoint,
    Snapshots,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Ok(Self::Directory);
        }
        let mut mark = [0; 8];
        let read = dem_io::regular_file::open(path).and_then(|file| {
            // shorter than any mark: neither of them
            let mut begin = Vec::new();
            file.take(8).read_to_end(&mut begin)?;
            mark[..begin.len()].copy_from_slice(&begin);
            Ok(())
        });
        read.map_err(dem_io::Error::system("read", path))?;
        let kind = MARKS.iter().find(|(known, _)| **known == mark).map(|(_, kind)| *kind);
        kind.ok_or_else(|| {
            Failure::input(format!("{}: expected a run directory, a checkpoint or a snapshot file", path.display()))
        })
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Directory => "a run directory",
            Self::Checkpoint => "a checkpoint",
            Self::Snapshots => "a snapshot file",
        }
    }
}

/// Two files of a kind, compared.
struct Part {
    kind: Kind,
    files: [PathBuf; 2],
    /// What differs apart from numbers: sections of checkpoints, which count, texts of snapshots, which do not.
    sections: Vec<String>,
    texts: Vec<String>,
    tables: Vec<TableComparison>,
}

impl Part {
    fn is_equal(&self) -> bool {
        self.sections.is_empty() && self.tables.iter().all(TableComparison::is_equal)
    }
}

/// Compares and says where and how much two things differ.
pub fn diff(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let paths = [arguments.first.clone(), arguments.second.clone()];
    let kinds = [Kind::of(&paths[0])?, Kind::of(&paths[1])?];
    if kinds[0] != kinds[1] {
        return Err(Failure::input(format!(
            "{} is {} and {} is {}, expected two of the same kind",
            paths[0].display(),
            kinds[0].describe(),
            paths[1].display(),
            kinds[1].describe()
        )));
    }
    let parts = match kinds[0] {
        Kind::Directory => directories(paths, arguments.frame)?,
        Kind::Checkpoint if arguments.frame.is_some() => {
            return Err(Failure::input("--frame: expected none for checkpoints, which have no frames"));
        }
        Kind::Checkpoint => vec![checkpoints(paths)?],
        Kind::Snapshots => vec![snapshots(paths, arguments.frame)?],
    };
    let equal = parts.iter().all(Part::is_equal);
    if arguments.json {
        let parts: Vec<_> = parts.iter().map(part_json).collect();
        say!("{:#}", json!({ "equal": equal, "parts": parts }));
    } else {
        parts.iter().for_each(print_part);
        say!("{}", if equal { "equal" } else { "different" });
    }
    Ok(if equal { ExitCode::SUCCESS } else { ExitCode::from(DIFFERENT) })
}

/// The latest checkpoints and a frame of two runs; with a frame that was requested, only that.
fn directories(paths: [PathBuf; 2], frame: Option<i64>) -> Result<Vec<Part>, Failure> {
    let mut parts = Vec::new();
    if frame.is_none() {
        let mut latest = Vec::new();
        for path in &paths {
            let found = dem_io::checkpoint_folder::latest(&path.join("checkpoints"))?;
            latest.push(found.ok_or_else(|| Failure::input(format!("{} holds no checkpoint", path.display())))?.1);
        }
        if let Ok(latest) = <[PathBuf; 2]>::try_from(latest) {
            parts.push(checkpoints(latest)?);
        }
    }
    parts.push(snapshots(paths.map(|path| path.join("snapshots.vtkhdf")), frame)?);
    Ok(parts)
}

fn checkpoints(files: [PathBuf; 2]) -> Result<Part, Failure> {
    let at = |path: &Path, error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let open = |path: &Path| CheckpointReader::open(path).map_err(|error| at(path, &error));
    let readers = [open(&files[0])?, open(&files[1])?];
    let read = |k: usize| state_tables(&readers[k]).map_err(|error| at(&files[k], &error));
    let tables = compare(&read(0)?, &read(1)?)?;
    let sections = differing_sections(&readers[0], &readers[1]).map_err(Failure::input)?;
    Ok(Part { kind: Kind::Checkpoint, files, sections, texts: Vec::new(), tables })
}

fn snapshots(files: [PathBuf; 2], frame: Option<i64>) -> Result<Part, Failure> {
    let readers = [SnapshotReader::open(&files[0])?, SnapshotReader::open(&files[1])?];
    let read = |k: usize| -> Result<_, Failure> {
        let index = frame_index(&readers[k], &files[k], frame.unwrap_or(-1))?;
        Ok(frame_tables(readers[k].read(index)?))
    };
    let tables = compare(&read(0)?, &read(1)?)?;
    let texts = [readers[0].metadata(), readers[1].metadata()];
    let differs = |name: &&String| texts[0].get(*name) != texts[1].get(*name);
    let mut names: Vec<String> = texts[0].keys().chain(texts[1].keys()).filter(differs).cloned().collect();
    names.sort();
    names.dedup();
    Ok(Part { kind: Kind::Snapshots, files, sections: Vec::new(), texts: names, tables })
}

fn print_part(part: &Part) {
    for (name, file) in ["A", "B"].iter().zip(&part.files) {
        say!("{name}  {}", file.display());
    }
    if !part.texts.is_empty() {
        say!("   texts that differ: {}", part.texts.join(", "));
    }
    if !part.sections.is_empty() {
        say!("   sections that differ: {}", part.sections.join(", "));
    }
    let mut columns = Table::new(
        "differences",
        &["table", "column", "unit", "rows", "largest_absolute", "at", "largest_relative", "at_row"],
    );
    for table in &part.tables {
        print_table(table);
        for column in &table.columns {
            columns.push([
                Value::from(table.name.as_str()),
                column.name.as_str().into(),
                column.unit.as_str().into(),
                column.rows.into(),
                column.absolute.value.into(),
                column.absolute.row.to_string().into(),
                column.relative.value.into(),
                column.relative.row.to_string().into(),
            ]);
        }
    }
    if !columns.rows().is_empty() {
        say!("\n{}", columns.to_text());
    }
    say!();
}

fn print_table(table: &TableComparison) {
    let [a, b] = table.rows;
    let verdict = if table.is_equal() { "equal" } else { "different" };
    say!("   {}: {a} and {b} rows, {verdict}", table.name);
    for (k, name) in ["A", "B"].into_iter().enumerate() {
        let Unmatched { count, first } = &table.unmatched_rows[k];
        if *count > 0 {
            let named: Vec<String> = first.iter().map(RowKey::to_string).filter(|text| !text.is_empty()).collect();
            let more = if *count > first.len() { "; ..." } else { "" };
            say!("      {count} rows only in {name}: {}{more}", named.join("; "));
        }
        if !table.unmatched_columns[k].is_empty() {
            say!("      columns only in {name}: {}", table.unmatched_columns[k].join(", "));
        }
    }
    if !table.unlike_columns.is_empty() {
        say!("      columns of another unit, width or type: {}", table.unlike_columns.join(", "));
    }
}

fn part_json(part: &Part) -> serde_json::Value {
    let files: Vec<String> = part.files.iter().map(|path| path.display().to_string()).collect();
    let tables: Vec<_> = part.tables.iter().map(table_json).collect();
    json!({
        "kind": part.kind.describe(),
        "files": files,
        "equal": part.is_equal(),
        "sections_that_differ": part.sections,
        "texts_that_differ": part.texts,
        "tables": tables,
    })
}

fn table_json(table: &TableComparison) -> serde_json::Value {
    let row = |key: &RowKey| -> serde_json::Value {
        key.0.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect::<serde_json::Map<_, _>>().into()
    };
    let lone = |k: usize| {
        let Unmatched { count, first } = &table.unmatched_rows[k];
        json!({ "count": count, "first": first.iter().map(row).collect::<Vec<_>>() })
    };
    // what is infinite becomes null
    let extreme = |extreme: &Extreme| json!({ "value": extreme.value, "row": row(&extreme.row) });
    let columns: Vec<_> = table
        .columns
        .iter()
        .map(|column| {
            json!({
                "name": column.name,
                "unit": column.unit,
                "rows": column.rows,
                "largest_absolute": extreme(&column.absolute),
                "largest_relative": extreme(&column.relative),
            })
        })
        .collect();
    json!({
        "name": table.name,
        "equal": table.is_equal(),
        "rows": table.rows,
        "rows_only_in": [lone(0), lone(1)],
        "columns_only_in": table.unmatched_columns,
        "unlike_columns": table.unlike_columns,
        "columns": columns,
    })
}
