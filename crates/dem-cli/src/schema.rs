//! `dem schema`

use crate::failure::{ExitCode, Failure};
use crate::terminal::say;

/// Prints the JSON Schema of scene files.
pub fn schema() -> Result<ExitCode, Failure> {
    let schema = dem_sim::scene::schema();
    say!("{}", serde_json::to_string_pretty(&schema).map_err(Failure::input)?);
    Ok(ExitCode::SUCCESS)
}
