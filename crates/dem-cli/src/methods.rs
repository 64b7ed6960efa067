//! `dem methods`

use std::path::PathBuf;

use clap::Args;
use dem_analysis::methods::Methods;
use dem_analysis::run_record::RunRecord;

use crate::failure::{ExitCode, Failure};
use crate::terminal::say_text;

#[derive(Args)]
pub struct Arguments {
    /// Run directory.
    run: PathBuf,
    /// Print the references instead, as entries of BibTeX.
    #[arg(long)]
    bibtex: bool,
}

/// Prints the paragraph and its references.
pub fn methods(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let methods = Methods::of(&RunRecord::read(&arguments.run)?);
    say_text(format_args!("{}", if arguments.bibtex { methods.to_bibtex() } else { methods.to_text() }));
    Ok(ExitCode::SUCCESS)
}
