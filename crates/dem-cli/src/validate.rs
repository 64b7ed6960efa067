//! `dem validate`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dem_studies::validation::{Effort, all_pass, page, run, select, table};

use crate::failure::Failure;

#[derive(Args)]
pub struct Arguments {
    /// Coarser steps: seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// Only this case; repeat for several.
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    /// Print the checks as a JSON array instead of a table.
    #[arg(long)]
    json: bool,
    /// Write `validation.html`, one page with all tables and figures, into this directory.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// Runs the validation cases; exit code 1 if any check fails.
pub fn validate(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let effort = if arguments.quick { Effort::Quick } else { Effort::Full };
    let outcomes = run(&select(&arguments.cases)?, effort);
    let checks = table(&outcomes);
    if let Some(directory) = &arguments.report {
        std::fs::create_dir_all(directory).map_err(dem_io::Error::system("create directory", directory))?;
        let path = directory.join("validation.html");
        dem_io::atomic::write_atomically(&path, page::html(&outcomes)?.as_bytes())?;
        eprintln!("{}", path.display());
    }
    if arguments.json {
        println!("{:#}", checks.to_json());
    } else {
        // sources and weaknesses are for the page
        println!("{}", checks.without(&["source", "weakness"]).to_text());
        for outcome in &outcomes {
            println!("{}: {:.1} s", outcome.case.name, outcome.duration.as_secs_f64());
        }
    }
    Ok(if all_pass(&outcomes) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
