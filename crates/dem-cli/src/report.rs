//! `dem report`

use std::path::PathBuf;

use clap::Args;
use dem_analysis::ensemble::{Averages, is_ensemble, merge};
use dem_analysis::run_record::RunRecord;
use dem_analysis::run_report;
use dem_io::atomic::write_atomically;
use dem_report::page::Page;

use crate::failure::{ExitCode, Failure, expect_suffix};
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Run directory, or directory of an ensemble, a triaxial test, a probe or a study.
    run: PathBuf,
    /// File of the page. Default: report.html in the directory.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the page.
pub fn report(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(out) = &arguments.out {
        expect_suffix("--out", out, &["html", "htm"])?;
    }
    let page = if is_ensemble(&arguments.run) {
        let merged = merge(std::slice::from_ref(&arguments.run), &[], &Averages::default())?;
        let mut page = Page::new(&arguments.run.display().to_string());
        page.paragraph(&format!("{} finished members.", merged.members));
        for folder in &merged.unfinished {
            page.verdict(false, &format!("Omitted: {} has not finished", folder.display()));
        }
        for (folder, why) in &merged.failed {
            page.verdict(false, &format!("Omitted: {} failed: {why}", folder.display()));
        }
        page.report(&merged.report)?;
        page.finish()
    } else if run_report::is_study(&arguments.run) {
        run_report::study_html(&arguments.run)?
    } else {
        run_report::html(&RunRecord::read(&arguments.run)?)?
    };
    let path = arguments.out.clone().unwrap_or_else(|| arguments.run.join("report.html"));
    write_atomically(&path, page.as_bytes())?;
    say!("{}", path.display());
    Ok(ExitCode::SUCCESS)
}
