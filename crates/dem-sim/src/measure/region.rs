//! What the regions of a scene hold: particles, coordination and stress.
//!
//! The stress is that of all forces between pairs, contacts and forces at a distance, after Love and Weber with the
//! part of every branch that lies in the region (I. Goldhirsch, Granular Matter 12 (2010) 239, averaged over the
//! region), `σ = (1/V) Σ s f ⊗ l`, s the fraction of the branch l inside, symmetric part, positive in tension. So the
//! stress of two neighbouring regions is the mean of theirs by volume, and the region needs no particle to be fully
//! inside. A branch to a wall ends at the contact point. A rigid body counts as one particle, and its branches begin at its
//! centre of mass.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_io::series::SeriesColumn;

use super::contact_counts::grain_contacts;
use super::fabric::{Acting, acting, product};
use super::names::column_name;
use crate::state::measured_region::MeasuredRegion;
use crate::state::world::World;

/// Names of the columns of one region.
pub fn region_columns(region: &str) -> Vec<String> {
    describe(region).into_iter().map(|column| column.name).collect()
}

/// The columns of a region with their units and meanings.
pub(super) fn describe(region: &str) -> Vec<SeriesColumn> {
    let prefix = column_name(region);
    let column = |end: &str, unit, meaning| SeriesColumn::new(format!("region_{prefix}_{end}"), unit, meaning);
    let mut columns = vec![
        column("particles", "-", format!("particles with their centres in region {region}, a rigid body counted once")),
        column(
            "coordination",
            "-",
            format!("mean number of contacts with particles of the particles of region {region}"),
        ),
    ];
    for (end, text) in ["xx", "yy", "zz", "xy", "xz", "yz"].into_iter().zip([
        "mean stress of all forces of contacts and of pairs at a distance (Love-Weber, branches by their share inside) of region",
        "the same along y and y, region",
        "the same along z and z, region",
        "the same along x and y, symmetric part, region",
        "the same along x and z, symmetric part, region",
        "the same along y and z, symmetric part, region",
    ]) {
        columns.push(column(&format!("stress_{end}"), "Pa", format!("{text} {region}, positive in tension")));
    }
    columns
}

/// Values of the columns of all regions, one region after the other.
pub fn region_values(world: &World) -> Vec<f64> {
    if world.regions.is_empty() {
        return Vec::new();
    }
    let (contacts, numbers, images) = (acting(world), grain_contacts(world), images(&world.cell));
    let mut values = Vec::new();
    for MeasuredRegion { region, .. } in &world.regions {
        let inside = world.movers().filter(|&mover| region.contains(world.centre_of(mover)));
        let contacts_of = |mover| numbers[world.slots_of(mover).start as usize].0 as usize;
        let (count, ends) = inside.fold((0, 0), |(n, ends), mover| (n + 1, ends + contacts_of(mover)));
        let (count, ends) = (world.whole.count(count), world.whole.count(ends));
        values.extend([count as f64, if count > 0 { ends as f64 / count as f64 } else { 0.0 }]);
        let sums = world.sums_over(contacts.len(), |at| {
            let Acting { start, force, branch, .. } = contacts[at];
            let share: f64 = images.iter().map(|&shift| region.share_of_line(start + shift, branch)).sum();
            if share > 0.0 { product(force, branch, share) } else { [0.0; 6] }
        });
        values.extend(sums.map(|sum| sum / region.volume()));
    }
    values
}

/// Displacements to the images of a contact that may reach into the domain.
fn images(cell: &Cell) -> Vec<DVec3> {
    let mut images = vec![DVec3::ZERO];
    for k in (0..3).filter(|&k| cell.periodic[k]) {
        let edge = cell.matrix().col(k);
        images = images.iter().flat_map(|&shift| [shift, shift - edge, shift + edge]).collect();
    }
    images
}
