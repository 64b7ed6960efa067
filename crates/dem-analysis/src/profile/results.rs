//! What a profile finds out.

use super::assembly::Assembly;
use super::averages::BinSums;
use super::bins::Bins;
use super::bond_order::BondOrder;
use super::contact_numbers::ContactNumbers;
use super::near_wall::Waves;
use super::radial_distribution::RadialDistribution;

/// Everything that was found out.
pub struct Results {
    /// Title of the scene.
    pub title: String,
    /// Times of the frames \[s\].
    pub times: Vec<f64>,
    /// The bins.
    pub bins: Bins,
    /// Sums over all frames.
    pub sums: Vec<BinSums>,
    /// The last frame.
    pub last: Assembly,
    /// Whether all frames hold contacts.
    pub has_contacts: bool,
    /// `None` of a region that is too small.
    pub radial_distribution: Option<RadialDistribution>,
    /// `None` without contacts.
    pub contact_numbers: Option<ContactNumbers>,
    /// `None` also where sizes are too different.
    pub bond_order: Option<BondOrder>,
    /// Only of shells up to the wall of a container.
    pub waves: Option<Waves>,
}
