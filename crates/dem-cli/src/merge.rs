//! `dem merge`

use std::path::PathBuf;

use clap::Args;
use dem_analysis::ensemble::{Averages, is_ensemble, merge};
use dem_report::output_directory::{ENSEMBLE, OutputDirectory};
use dem_report::{Table, Value};

use crate::failure::{ExitCode, Failure};
use crate::quantity::share;
use crate::study::verdict;
use crate::terminal::{complain, say};

#[derive(Args)]
pub struct Arguments {
    /// Directories of ensembles or of single runs, all of one scene.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Directory for tables and figures. Default: the ensemble, if it is a single one.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Column of series.csv to overlay; may be repeated.
    #[arg(long = "column", value_name = "NAME")]
    columns: Vec<String>,
    #[command(flatten)]
    averages: AverageArguments,
    /// Replace the tables and figures that are in that directory.
    #[arg(long, requires = "out")]
    force: bool,
    /// Print the table as JSON.
    #[arg(long)]
    json: bool,
}

/// Which means over time are taken.
#[derive(Args)]
pub struct AverageArguments {
    /// Column of series.csv whose mean over the last stage is added as the quantity mean.NAME; may be repeated.
    #[arg(long = "mean", value_name = "NAME")]
    means: Vec<String>,
    /// Initial share of the last stage that is excluded from these means.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "means", value_parser = share)]
    skip: f64,
}

impl AverageArguments {
    /// Whether any is.
    pub fn is_given(&self) -> bool {
        !self.means.is_empty()
    }

    /// Checks them.
    pub fn averages(&self) -> Result<Averages, Failure> {
        Ok(Averages::new(&self.means, self.skip)?)
    }
}

/// Puts members together and writes what came out.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    // what belongs to an ensemble is renewed in it, as by the command that ran it
    let in_place = |path| OutputDirectory::going_on(path, ENSEMBLE, is_ensemble);
    let out = match (&arguments.out, &arguments.directories[..]) {
        (Some(out), [single]) if out == single && is_ensemble(single) => in_place(single)?,
        (Some(out), _) => OutputDirectory::new(out, "dem merge", arguments.force)?,
        (None, [single]) if is_ensemble(single) => in_place(single)?,
        _ => {
            return Err(Failure::input("--out DIR is required to merge several directories or single runs"));
        }
    };
    write(&arguments.directories, &out, &arguments.columns, &arguments.averages.averages()?, arguments.json)
}

/// Quantities that the terminal shows; the files have all.
const SHOWN: [&str; 5] = [
    "summary.packing_fraction",
    "summary.coordination",
    "summary.coordination_without_rattlers",
    "summary.bed_height",
    "summary.max_overlap_ratio_peak",
];

/// Merges directories and writes tables and figures into another; the exit code shows whether all members reached what
/// was requested.
pub fn write(
    directories: &[PathBuf],
    out: &OutputDirectory,
    columns: &[String],
    averages: &Averages,
    json: bool,
) -> Result<ExitCode, Failure> {
    let merged = merge(directories, columns, averages)?;
    for folder in &merged.unfinished {
        complain!("omitted: {} has not finished", folder.display());
    }
    for (folder, why) in &merged.failed {
        complain!("omitted: {} failed: {why}", folder.display());
    }
    let files = out.write(&merged.report, Vec::new())?;
    let table = &merged.report.tables[0];
    if json {
        say!("{:#}", table.to_json());
        return Ok(verdict(&merged.report));
    }
    say!("{}", shown(table).to_text());
    say!("{} members", merged.members);
    for finding in &merged.report.findings {
        say!("- {finding}");
    }
    for path in files {
        say!("{}", path.display());
    }
    Ok(verdict(&merged.report))
}

/// The rows that the terminal shows.
fn shown(table: &Table) -> Table {
    let columns: Vec<String> = table.columns().iter().map(|name| (*name).to_owned()).collect();
    let at = columns.iter().position(|name| name == "quantity").unwrap_or(0);
    let mut few = Table::with_columns(table.name, columns);
    let is_shown = |row: &&Vec<Value>| matches!(&row[at], Value::Text(name) if SHOWN.contains(&name.as_str()) || name.starts_with("mean."));
    table.rows().iter().filter(is_shown).for_each(|row| few.push(row.clone()));
    few
}
