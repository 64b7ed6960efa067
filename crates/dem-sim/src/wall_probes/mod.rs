//! Pressure and shear on walls, bin by bin, averaged over the time between two outputs, and the contacts with the facets of meshes.
//!
//! A contact counts in the bin of its point on the wall with its force at the end of every step, times the length of the step. Sums over
//! the contacts of a step are [exact](dem_core::exact_sum): contacts may lie in any order.

pub(crate) mod chart;
pub(crate) mod facet_loads;
pub(crate) mod probes;
pub(crate) mod row;

pub use chart::{Binned, Chart, Surface};
pub use probes::{WallProbe, WallProbes};
pub use row::ProbeRow;
