//! Contacts of a frame, in order of their keys.

use dem_contact::contact_forces::{ContactView, Wrench};
use dem_core::contact_list::PartnerKind;
use dem_core::energy::EnergyLedger;
use dem_core::exact_sum::BlockSum;
use dem_core::lanes::Width;
use dem_core::particles::NO_BODY;
use dem_io::snapshot::{Column, ColumnSpec, Table};
use glam::DVec3;

use super::columns::Columns;
use crate::measure::bodies::has_bodies;
use crate::measure::branches::branch;
use crate::measure::fabric::contact_force;
use crate::state::energy::{OF_CONTACTS, book_contacts, energies_of_contact};
use crate::state::world::World;

/// Name of the table.
pub(crate) const TABLE: &str = "contacts";

/// Takes what a frame reports of the present contacts, those at a distance included: adds what they hold and have
/// dissipated to `ledger` and counts those that touch, for each particle by slot. `order` has the slots in order of
/// ids.
///
/// Contacts that touch become rows of a table in the memory of `former` columns, if there is to be one. They are visited in order of their
/// keys and go straight to its columns: what is known of all contacts takes several times the memory of the table.
pub(crate) fn record(
    world: &World,
    order: &[u32],
    numbers: &mut Vec<u32>,
    ledger: &mut EnergyLedger,
    former: Option<Vec<Column>>,
) -> Option<Table> {
    numbers.clear();
    numbers.resize(world.particles.len(), 0);
    let mut rows = former.map(|former| Rows::in_place_of(former, within_range(world), has_bodies(world)));
    let mut sums = BlockSum::<OF_CONTACTS>::new(Width::fastest());
    world.visit_contacts_in_order(order, &mut |c| {
        sums.add(energies_of_contact(&c.energy, &c.work));
        if !c.touches {
            return;
        }
        numbers[c.first] += 1;
        if c.key.kind == PartnerKind::Particle {
            numbers[c.second] += 1;
        }
        if let Some(rows) = &mut rows {
            rows.push(world, c);
        }
    });
    book_contacts(ledger, sums.finish().map(|sum| sum.value()));
    rows.map(Rows::into_table)
}

/// Number of contacts that laws remember, those at a distance included.
fn within_range(world: &World) -> usize {
    let kinds = [PartnerKind::Particle, PartnerKind::Wall];
    world.kernels.iter().flat_map(|kernel| kinds.map(|kind| kernel.within_range(kind))).sum()
}

/// The table of those that touch on its way.
struct Rows {
    columns: Columns,
    first: Vec<u64>,
    second: Vec<u64>,
    partner: Vec<u8>,
    feature: Vec<u32>,
    normal: Vec<f64>,
    overlap: Vec<f64>,
    normal_force: Vec<f64>,
    tangential_force: Vec<f64>,
    slip: Vec<f64>,
    mode: Vec<u8>,
    branch: Vec<f64>,
    bodies: Option<OfBodies>,
}

/// What the table has where there may be rigid bodies.
struct OfBodies {
    first: Vec<u32>,
    second: Vec<u32>,
    branch: Vec<f64>,
}

impl Rows {
    /// None yet, with room for `room`.
    fn in_place_of(former: Vec<Column>, room: usize, with_bodies: bool) -> Self {
        let mut columns = Columns::in_place_of(former);
        // in the order of the table
        Self {
            first: columns.memory(room),
            second: columns.memory(room),
            partner: columns.memory(room),
            feature: columns.memory(room),
            normal: columns.memory(3 * room),
            overlap: columns.memory(room),
            normal_force: columns.memory(room),
            tangential_force: columns.memory(3 * room),
            slip: columns.memory(3 * room),
            mode: columns.memory(room),
            branch: columns.memory(3 * room),
            bodies: with_bodies.then(|| OfBodies {
                first: columns.memory(room),
                second: columns.memory(room),
                branch: columns.memory(3 * room),
            }),
            columns,
        }
    }

    fn push(&mut self, world: &World, c: &ContactView) {
        let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, Wrench::force_on_first);
        // of the contact, without a force at a distance
        let force = contact_force(c, force);
        let normal_force = -force.dot(c.normal);
        self.first.push(c.key.first);
        self.second.push(c.key.second);
        self.partner.push(u8::from(c.key.kind == PartnerKind::Wall));
        self.feature.push(c.key.feature);
        self.normal.extend(c.normal.to_array());
        self.overlap.push(c.overlap);
        self.normal_force.push(normal_force);
        self.tangential_force.extend((force + c.normal * normal_force).to_array());
        self.slip.extend(c.elastic_slip.to_array());
        self.mode.push(world.forces.mode(c.candidate).unwrap_or_default() as u8);
        self.branch.extend(c.branch.to_array());
        if let Some(bodies) = &mut self.bodies {
            let body = &world.particles.body;
            bodies.first.push(body[c.first]);
            bodies.second.push(if c.key.kind == PartnerKind::Particle { body[c.second] } else { NO_BODY });
            bodies.branch.extend(branch(world, c).to_array());
        }
    }

    fn into_table(self) -> Table {
        let (mut columns, rows) = (self.columns, self.first.len());
        columns.put(ColumnSpec::new("first", "1", "id of the first particle, the lower of a pair", 1), self.first);
        columns.put(ColumnSpec::new("second", "1", "id of the second particle, or number of the wall", 1), self.second);
        columns.put(ColumnSpec::new("partner", "1", "0: particle, 1: wall", 1), self.partner);
        columns.put(ColumnSpec::new("feature", "1", "feature of the wall; 0 for pairs", 1), self.feature);
        columns.put(ColumnSpec::new("normal", "1", "unit normal from the first body to the second", 3), self.normal);
        columns.put(ColumnSpec::new("overlap", "m", "overlap", 1), self.overlap);
        columns.put(
            ColumnSpec::new("normal_force", "N", "normal force of the contact, positive when it pushes the bodies apart; forces at a distance are no part of it", 1),
            self.normal_force,
        );
        columns.put(
            ColumnSpec::new("tangential_force", "N", "tangential force on the first body", 3),
            self.tangential_force,
        );
        columns.put(ColumnSpec::new("slip", "m", "elastic slip held by the tangential spring", 3), self.slip);
        columns.put(ColumnSpec::new("mode", "1", "0: open, 1: stick, 2: slide", 1), self.mode);
        columns.put(
            ColumnSpec::new("branch", "m", "from the first centre to the second, or to the contact point on a wall", 3),
            self.branch,
        );
        if let Some(bodies) = self.bodies {
            columns.put(
                ColumnSpec::new("first_body", "1", "rigid body of the first particle; 4294967295 without one", 1),
                bodies.first,
            );
            columns.put(
                ColumnSpec::new("second_body", "1", "rigid body of the second particle; 4294967295 without one", 1),
                bodies.second,
            );
            columns.put(
                ColumnSpec::new(
                    "body_branch",
                    "m",
                    "from the first centre of mass, that of the body of a sphere, to the second, or to the contact point on a wall: stress is its sum with forces",
                    3,
                ),
                bodies.branch,
            );
        }
        Table { name: TABLE.to_owned(), rows, columns: columns.finish() }
    }
}
