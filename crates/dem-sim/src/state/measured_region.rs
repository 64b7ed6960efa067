//! A part of space whose contents the series reports.

use crate::insertion::region::Region;

/// A part of space that is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRegion {
    /// Name, part of those of its columns.
    pub name: String,
    /// Where it is.
    pub region: Region,
}
