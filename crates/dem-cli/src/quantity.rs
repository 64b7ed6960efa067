//! Quantities on the command line.

use dem_studies::given;

use crate::failure::Failure;

/// A number with a unit, in SI; zero needs none.
///
/// # Errors
/// A text of another form, named with its option.
pub fn quantity(option: &'static str, unit: &str, text: &str) -> Result<f64, Failure> {
    Ok(given::quantity(option, unit, text)?)
}
