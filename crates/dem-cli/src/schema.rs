//! `dem schema`

use std::process::ExitCode;

use dem_sim::scene::Scene;

use crate::failure::Failure;
use crate::terminal::say;

/// Prints the JSON Schema of scene files.
pub fn schema() -> Result<ExitCode, Failure> {
    let schema = schemars::schema_for!(Scene);
    say!("{}", serde_json::to_string_pretty(&schema).map_err(Failure::input)?);
    Ok(ExitCode::SUCCESS)
}
