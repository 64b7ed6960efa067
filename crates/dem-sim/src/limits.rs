//! Numbers beyond all use.

use dem_io::units::LARGEST;

/// Whether a number is one, and not beyond all use.
pub(crate) fn within(value: f64) -> bool {
    value.abs() <= LARGEST
}
