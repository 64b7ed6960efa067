//! Measures of a world.

pub(crate) mod bed;
pub(crate) mod chosen_contacts;
pub(crate) mod contact_counts;
pub(crate) mod coordination;
pub(crate) mod empty_places;
pub(crate) mod equilibrium;
pub(crate) mod fabric;
pub(crate) mod force_chains;
pub(crate) mod guided;
pub(crate) mod kinematics;
pub(crate) mod mobilised;
pub(crate) mod names;
pub(crate) mod packing;
pub(crate) mod region;
pub(crate) mod series;
pub(crate) mod servos;
pub(crate) mod stress;

pub use crate::state::measured_region::MeasuredRegion;
pub use bed::{TouchingSets, bed, bed_height};
pub use chosen_contacts::{ChosenContact, chosen_contact_columns, chosen_contact_rows};
pub use contact_counts::{contact_numbers, largest_overlap_ratio};
pub use coordination::{Coordination, coordination};
pub use empty_places::{EmptyPlaces, volume_weighted_diameter};
pub use equilibrium::unbalanced_force;
pub use fabric::{Fabric, fabric};
pub use force_chains::{ForceChains, force_chains};
pub use guided::guide_columns;
pub use kinematics::up;
pub use mobilised::mobilised_share;
pub use names::{column_name, wall_columns};
pub use packing::{NoBulk, bulk_packing_fraction, cell_is_sample};
pub use region::{region_columns, region_values};
pub use series::{COLUMNS_OF_WORKS, SERIES_NAMES, SeriesSource, series_columns, series_row, value};
pub use servos::servo_columns;
pub use stress::{StressMeasure, cell_columns, deviator, inertial_number, porosity};
