//! `dem study`: computations that answer one question and end in tables, plots and a statement.
//!
//! Adding a study is a file with `Arguments` and a function `report` from them, and a line in `studies!`.

mod beverloo;
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

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use dem_studies::{Report, StudyError};

use crate::failure::Failure;
use crate::terminal::say;
use crate::threads::pool;

/// What all studies take.
#[derive(Args)]
pub struct Output {
    /// Directory for tables and figures [default: runs/study_NAME].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the first table as a JSON array instead of text.
    #[arg(long)]
    json: bool,
    /// Threads; the results do not depend on it, but for times that are measured. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

macro_rules! studies {
    ($($(#[$doc:meta])* $variant:ident => $module:ident,)*) => {
        /// The studies.
        #[derive(Subcommand)]
        pub enum Study {
            $($(#[$doc])* $variant($module::Arguments),)*
        }

        /// Runs a study and writes what came out.
        pub fn study(study: &Study) -> Result<ExitCode, Failure> {
            match study {
                $(Study::$variant(arguments) => {
                    let report = pool(arguments.output.threads)?.install(|| $module::report(arguments))?;
                    arguments.output.finish(stringify!($module), &report)
                })*
            }
        }
    };
}

studies! {
    /// Oblique impacts of a sphere: what laws make of them, beside reference solutions.
    Impact => impact,
    /// Force loops of laws along prescribed paths of load and slip.
    Path => path,
    /// Accuracy and cost of the parameterizations of a rotation.
    Rotation => rotation,
    /// A loaded sample turned by 90 degrees: which transports of tangential forces give its stress back.
    RotationObjectivity => rotation_objectivity,
    /// Order, energy, cost and published examples of every integrator.
    Integrator => integrator,
    /// A container filled in the plane with and without rotation: rest, energy, order of the packing.
    Slice => slice,
    /// Two spheres sliding over each other on a prescribed path.
    Sliding => sliding,
    /// A silo against Janssen's law: runs that are given, or a small silo filled in two ways from several seeds.
    Janssen => janssen,
    /// A hopper against Beverloo's law: its outlet in several sizes.
    Beverloo => beverloo,
    /// The steady rate at which a run discharges.
    Discharge => discharge,
    /// The angle of the free surface of a heap or in a drum.
    Surface => surface,
}

impl Output {
    /// Writes the files of a report, prints its first table and its findings.
    fn finish(&self, name: &str, report: &Report) -> Result<ExitCode, Failure> {
        let default = || Path::new("runs").join(format!("study_{name}"));
        show(report, &self.out.clone().unwrap_or_else(default), self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the files of a report, prints its first table and its findings, or the table only as JSON.
pub fn show(report: &Report, out: &Path, json: bool) -> Result<(), Failure> {
    let files = report.write(out)?;
    if json {
        let table = report.tables.first().map_or_else(|| serde_json::json!([]), dem_studies::Table::to_json);
        say!("{table:#}");
        return Ok(());
    }
    if let Some(table) = report.tables.first() {
        say!("{}", table.to_text());
    }
    for finding in &report.findings {
        say!("- {finding}");
    }
    say!();
    for path in files {
        say!("{}", path.display());
    }
    Ok(())
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Scene(error) => error.into(),
            StudyError::Run(error) => error.into(),
            StudyError::Convergence { .. }
            | StudyError::Member(_)
            | StudyError::Simulation(_)
            | StudyError::Step(_) => Self::simulation(error),
            error => Self::input(error),
        }
    }
}
