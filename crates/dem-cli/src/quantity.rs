//! Quantities on the command line.

use dem_io::units::{DimensionVector, parse_quantity};

use crate::failure::Failure;

/// A number in SI, or with a unit.
///
/// # Errors
/// A text that is neither, named with its option.
pub fn quantity(option: &str, unit: &str, text: &str) -> Result<f64, Failure> {
    let dimension = DimensionVector::from_unit_text(unit).map_err(Failure::input)?;
    text.parse()
        .or_else(|_| parse_quantity(text, dimension))
        .map_err(|error| Failure::input(format!("{option}: {error}")))
}
