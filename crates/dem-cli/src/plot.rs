//! `dem plot`

use std::path::PathBuf;

use clap::Args;
use dem_sim::run::plot_series;

use crate::failure::{ExitCode, Failure};
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Run directory.
    run: PathBuf,
}

/// Draws the plots of a run directory.
pub fn plot(arguments: &Arguments) -> Result<ExitCode, Failure> {
    for path in plot_series(&arguments.run)? {
        say!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}
