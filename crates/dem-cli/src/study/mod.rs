//! `dem study`: computations that answer one question and end in tables, plots and a statement.
//!
//! Adding a study is a file with `Arguments` and a function `report` from them, and a line in `studies!`.

mod adhesion;
mod beverloo;
mod clusters;
mod discharge;
mod impact;
mod integrator;
mod janssen;
mod path;
mod rotation;
mod rotation_objectivity;
mod slice;
mod sliding;
mod surface;
mod yielding;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use dem_report::Report;
use dem_report::output_directory::OutputDirectory;

use crate::failure::{ExitCode, Failure};
use crate::terminal::{complain, say};
use crate::threads::pool;

/// What all studies take.
#[derive(Args)]
pub struct Output {
    /// Directory for tables and figures [default: runs/study_NAME, of a study of runs runs/study_NAME_RUN].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the results of the same study that are in the directory.
    #[arg(long)]
    force: bool,
    /// Print the first table as a JSON array instead of text.
    #[arg(long)]
    json: bool,
    /// Number of threads; the results do not depend on it, except for measured times. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// The runs that a study reads, if it does.
macro_rules! runs_of {
    ($arguments:ident) => {
        &[]
    };
    ($arguments:ident $runs:ident) => {
        $arguments.$runs()
    };
}

/// The name of a study on the command line: that of its module, unless that is a word of the language.
macro_rules! name_of {
    ($module:ident) => {
        stringify!($module)
    };
    ($module:ident $name:literal) => {
        $name
    };
}

/// The folder in which a study keeps what it has done, if it does.
macro_rules! kept_by {
    ($module:ident) => {
        None
    };
    ($module:ident $kept:ident) => {
        Some($module::$kept)
    };
}

macro_rules! studies {
    ($($(#[$doc:meta])* $variant:ident => $module:ident $(named $name:literal)? $(of $runs:ident)? $(keeping $kept:ident)?,)*) => {
        /// The studies.
        #[derive(Subcommand)]
        pub enum Study {
            $($(#[$doc])* $variant($module::Arguments),)*
        }

        /// Runs a study and writes what came out.
        pub fn study(study: &Study) -> Result<ExitCode, Failure> {
            match study {
                $(Study::$variant(arguments) => {
                    let runs = runs_of!(arguments $($runs)?);
                    let directory = arguments.output.directory(name_of!($module $($name)?), runs, kept_by!($module $($kept)?))?;
                    let report = pool(arguments.output.threads)?.install(|| $module::report(arguments))?;
                    show(&report, &directory, arguments.output.json)
                })*
            }
        }
    };
}

studies! {
    /// Oblique impacts of a sphere under several contact laws, compared with reference solutions.
    Impact => impact,
    /// Force-displacement loops of contact laws along prescribed paths of load and slip.
    Path => path,
    /// Adhesive laws: pull-off curves, impacts through sticking, energy lost, liquid bridges; compared with closed forms.
    Adhesion => adhesion,
    /// Restitution over the speed under laws that yield or creep, compared with closed forms.
    Yield => yielding named "yield",
    /// Accuracy and cost of the parameterizations of a rotation.
    Rotation => rotation,
    /// A loaded sample rotated by 90 degrees: which transports of tangential forces preserve its stress (objectivity).
    RotationObjectivity => rotation_objectivity,
    /// Order, energy, cost and published examples of every integrator.
    Integrator => integrator,
    /// A container filled in two dimensions, with and without rotation of the particles: rest, energy, order of the packing.
    Slice => slice,
    /// Two spheres sliding over each other on a prescribed path.
    Sliding => sliding,
    /// Silo pressure compared with Janssen's law: in given runs, or in a small silo filled in two ways from several seeds.
    Janssen => janssen of runs,
    /// Assemblies of octahedral clusters of spheres: the shape whose void ratio and strength are those of a published sample, probed.
    Clusters => clusters keeping KEPT,
    /// Discharge of a hopper compared with Beverloo's law, for several outlet sizes.
    Beverloo => beverloo,
    /// The steady rate at which a run discharges.
    Discharge => discharge of runs,
    /// The angle of the free surface of a heap or in a drum.
    Surface => surface of runs,
}

impl Output {
    /// The directory of a study, named by it and the runs it reads. A study that keeps what it has done in a folder goes on there.
    fn directory(&self, name: &str, runs: &[PathBuf], kept: Option<&str>) -> Result<OutputDirectory, Failure> {
        let command = format!("dem study {}", name.replace('_', "-"));
        let place = self.place(name, runs);
        Ok(match kept.filter(|_| !self.force) {
            Some(kept) => OutputDirectory::going_on(&place, &command, |path| path.join(kept).is_dir())?,
            None => OutputDirectory::new(&place, &command, self.force)?,
        })
    }

    /// Its path.
    fn place(&self, name: &str, runs: &[PathBuf]) -> PathBuf {
        let default = || Path::new("runs").join(format!("study_{name}{}", named(runs)));
        self.out.clone().unwrap_or_else(default)
    }
}

/// An ending for names of directories that says which runs results are of.
fn named(runs: &[PathBuf]) -> String {
    let Some(first) = runs.first() else { return String::new() };
    // of a file of snapshots the run it belongs to
    let folder = if first.is_file() { first.parent().unwrap_or(first) } else { first };
    let name = folder.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    match runs.len() - 1 {
        0 => format!("_{name}"),
        more => format!("_{name}_and_{more}_more"),
    }
}

/// Writes the files of a report, prints its first table and its findings, or the table only as JSON. Exit code 3 shows
/// that the result is not what was requested.
pub fn show(report: &Report, directory: &OutputDirectory, json: bool) -> Result<ExitCode, Failure> {
    let files = directory.write(report, Vec::new())?;
    let table = report.tables.first();
    if json {
        let table = table.map_or_else(|| serde_json::json!([]), dem_report::Table::to_json);
        say!("{table:#}");
    } else {
        if let Some(table) = table {
            say!("{}", table.to_text());
        }
        for finding in &report.findings {
            say!("- {finding}");
        }
        say!();
        for path in files {
            say!("{}", path.display());
        }
    }
    Ok(verdict(report))
}

/// Reports what is not as it was requested, and the exit code for it.
pub fn verdict(report: &Report) -> ExitCode {
    for shortfall in &report.shortfalls {
        complain!("request not met: {shortfall}");
    }
    if report.shortfalls.is_empty() { ExitCode::SUCCESS } else { crate::failure::SHORTFALL.into() }
}
