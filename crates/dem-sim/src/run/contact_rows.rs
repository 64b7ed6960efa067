//! Contacts of a frame: visited while steps wait, put in order while they go on.

use dem_contact::Mode;
use dem_contact::contact_forces::Wrench;
use dem_contact::law::ElasticEnergy;
use dem_core::contact_list::{ContactKey, PartnerKind};
use dem_core::energy::EnergyLedger;
use dem_core::exact_sum::sums_of;
use dem_core::history::ContactWork;
use dem_io::snapshot::{Column, ColumnSpec, Table};
use glam::DVec3;

use super::columns::Columns;
use crate::ledger::{book_contacts, energies_of_contact};
use crate::measure::contact_force;
use crate::world::World;

/// Name of the table.
pub(super) const TABLE: &str = "contacts";

/// What a frame tells of a contact.
struct Row {
    key: ContactKey,
    normal: DVec3,
    overlap: f64,
    touches: bool,
    /// Of the contact, without a force at a distance.
    force: DVec3,
    slip: DVec3,
    mode: Mode,
    branch: DVec3,
    energy: ElasticEnergy,
    work: ContactWork,
}

impl Row {
    fn normal_force(&self) -> f64 {
        -self.force.dot(self.normal)
    }

    fn tangential_force(&self) -> DVec3 {
        self.force + self.normal * self.normal_force()
    }
}

/// Contacts of one instant, those at a distance included.
#[derive(Default)]
pub(super) struct ContactRows {
    rows: Vec<Row>,
}

impl ContactRows {
    /// Takes the present contacts in the place of earlier ones and counts those that touch, for each particle by slot.
    pub(super) fn record(&mut self, world: &World, numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.resize(world.particles.len(), 0);
        let rows = &mut self.rows;
        rows.clear();
        let context = world.context();
        for kernel in &world.kernels {
            kernel.visit(&world.list, &context, &mut |c| {
                if c.touches {
                    numbers[c.first] += 1;
                    if c.key.kind == PartnerKind::Particle {
                        numbers[c.second] += 1;
                    }
                }
                let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, Wrench::force_on_first);
                rows.push(Row {
                    key: c.key,
                    normal: c.normal,
                    overlap: c.overlap,
                    touches: c.touches,
                    force: contact_force(c, force),
                    slip: c.elastic_slip,
                    mode: world.forces.mode(c.candidate).unwrap_or_default(),
                    branch: c.branch,
                    energy: c.energy,
                    work: c.work,
                });
            });
        }
    }

    /// Memory that they take \[byte\].
    pub(super) fn size(&self) -> usize {
        self.rows.len() * size_of::<Row>()
    }

    /// Puts the contacts in order of their keys.
    pub(super) fn sort(&mut self) {
        self.rows.sort_unstable_by_key(|row| row.key);
    }

    /// Adds what the contacts hold and have dissipated.
    pub(super) fn book(&self, ledger: &mut EnergyLedger) {
        let rows = &self.rows;
        book_contacts(ledger, sums_of(rows.len(), |at| energies_of_contact(&rows[at].energy, &rows[at].work)));
    }

    /// The table of those that touch, in their present order, in the memory of `former` columns.
    pub(super) fn table(&self, former: Vec<Column>) -> Table {
        let rows = || self.rows.iter().filter(|row| row.touches);
        let mut columns = Columns::in_place_of(former);
        columns.push(
            ColumnSpec::new("first", "1", "id of the first particle, the lower of a pair", 1),
            rows().map(|r| r.key.first),
        );
        columns.push(
            ColumnSpec::new("second", "1", "id of the second particle, or number of the wall", 1),
            rows().map(|r| r.key.second),
        );
        columns.push(
            ColumnSpec::new("partner", "1", "0: particle, 1: wall", 1),
            rows().map(|r| u8::from(r.key.kind == PartnerKind::Wall)),
        );
        columns.push(
            ColumnSpec::new("feature", "1", "feature of the wall; 0 for pairs", 1),
            rows().map(|r| r.key.feature),
        );
        columns.push_vectors(
            ColumnSpec::new("normal", "1", "unit normal from the first body to the second", 3),
            rows().map(|r| r.normal),
        );
        columns.push(ColumnSpec::new("overlap", "m", "overlap", 1), rows().map(|r| r.overlap));
        columns.push(
            ColumnSpec::new("normal_force", "N", "normal force of the contact, positive when it pushes the bodies apart; forces at a distance are no part of it", 1),
            rows().map(Row::normal_force),
        );
        columns.push_vectors(
            ColumnSpec::new("tangential_force", "N", "tangential force on the first body", 3),
            rows().map(Row::tangential_force),
        );
        columns.push_vectors(
            ColumnSpec::new("slip", "m", "elastic slip held by the tangential spring", 3),
            rows().map(|r| r.slip),
        );
        columns.push(ColumnSpec::new("mode", "1", "0: open, 1: stick, 2: slide", 1), rows().map(|r| r.mode as u8));
        columns.push_vectors(
            ColumnSpec::new("branch", "m", "from the first centre to the second, or to the contact point on a wall", 3),
            rows().map(|r| r.branch),
        );
        Table { name: TABLE.to_owned(), rows: rows().count(), columns: columns.finish() }
    }
}
