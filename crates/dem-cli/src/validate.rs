//! `dem validate`

use std::path::{Path, PathBuf};

use clap::Args;
use dem_report::Report;
use dem_report::output_directory::OutputDirectory;
use dem_validation::{Effort, all_pass, count_of_references, markdown, page, run, select, table};

use crate::failure::{ExitCode, Failure};
use crate::terminal::{say, tell};
use crate::threads::pool;

#[derive(Args)]
pub struct Arguments {
    /// Use coarser steps: seconds instead of minutes.
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
    /// Replace the page that is in that directory.
    #[arg(long, requires = "report")]
    force: bool,
    /// Write the claims and results of all cases between the markers of this Markdown page.
    #[arg(long, value_name = "FILE", conflicts_with = "cases")]
    markdown: Option<PathBuf>,
    /// Threads; the results do not depend on it. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Runs the validation cases; exit code 1 if any check fails.
pub fn validate(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let effort = if arguments.quick { Effort::Quick } else { Effort::Full };
    let cases = select(&arguments.cases)?;
    // a page that cannot be written to must not cost minutes
    let directory = arguments.report.as_deref();
    let directory = directory.map(|path| OutputDirectory::new(path, "dem validate", arguments.force)).transpose()?;
    let page = arguments.markdown.as_deref().map(read_page).transpose()?;
    let outcomes = pool(arguments.threads)?.install(|| run(&cases, effort));
    if let Some((path, text)) = page {
        let written = markdown::replace(&text, &markdown::text(&outcomes, effort))?;
        dem_io::atomic::write_atomically(path, written.as_bytes())?;
        tell!("{}", path.display());
    }
    let checks = table(&outcomes);
    if let Some(directory) = &directory {
        let page = ("validation.html".to_owned(), page::html(&outcomes)?.into_bytes());
        for path in directory.write(&Report::default(), vec![page])? {
            tell!("{}", path.display());
        }
    }
    if arguments.json {
        say!("{:#}", checks.to_json());
    } else {
        // sources and weaknesses are for the page
        say!("{}", checks.without(&["source", "weakness"]).to_text());
        for outcome in &outcomes {
            say!("{}: {:.1} s", outcome.case.name, outcome.duration.as_secs_f64());
        }
        say!("{}", count_of_references(&outcomes));
    }
    Ok(if all_pass(&outcomes) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The page to write to, which must have the marks.
fn read_page(path: &Path) -> Result<(&Path, String), Failure> {
    let text = dem_io::regular_file::read_to_string(path).map_err(dem_io::Error::system("read", path))?;
    markdown::replace(&text, "")?;
    Ok((path, text))
}
