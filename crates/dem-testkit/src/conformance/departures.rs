//! Laws that depart from a property by design, with the reason.

use super::Departure;

/// All of them.
pub const DEPARTURES: &[Departure] = &[];
