//! `dem study surface`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dem_analysis::AnalysisError;
use dem_analysis::surface::{Kind, Options, run};
use dem_report::Report;
use dem_report::given::quantity;

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Run directory, snapshot file, or directory of an ensemble; its angles are then tabulated against its parameters.
    run: PathBuf,
    /// What kind of surface it is.
    #[arg(long, value_enum)]
    kind: KindName,
    /// Number of the last frame; negative counts from the end.
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    frame: i64,
    /// Average the frames of the last time T, for example "100 ms". Default: one frame.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    window: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum KindName {
    /// A heap, or the crater left in a hopper, about a vertical axis.
    Heap,
    /// A bed in a drum with a horizontal axis.
    Drum,
}

impl Arguments {
    /// What the study looks at.
    pub fn runs(&self) -> &[PathBuf] {
        std::slice::from_ref(&self.run)
    }
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, AnalysisError> {
    let kind = match arguments.kind {
        KindName::Heap => Kind::Heap,
        KindName::Drum => Kind::Drum,
    };
    let window = arguments.window.as_deref().map(|text| quantity("--window", "s", text)).transpose()?;
    run(&Options { run: arguments.run.clone(), kind, frame: arguments.frame, window })
}
