//! Energies and momentum of a world. Sums over particles and contacts are [exact](dem_core::exact_sum): they do not depend on the order in
//! which these lie.

use dem_contact::law::ElasticEnergy;
use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::energy::EnergyLedger;
use dem_core::history::{ContactWork, FurtherWork};

use super::world::World;

/// Numbers of the ledger that are sums over contacts.
pub(crate) const OF_CONTACTS: usize = 11 + FurtherWork::COUNT;

impl World {
    /// The energy ledger of the present state.
    pub fn energy(&self) -> EnergyLedger {
        let mut ledger = self.energy_without_contacts();
        book_contacts(&mut ledger, self.sum_over_contacts(|c| energies_of_contact(&c.energy, &c.work)));
        ledger
    }

    /// The energy ledger for people and files: what is unknown, because a law [keeps no work terms](Self::keeps_work),
    /// is NaN.
    pub fn known_energy(&self) -> EnergyLedger {
        self.only_known(self.energy())
    }

    /// Whether all laws keep the work terms of their contacts.
    pub fn keeps_work(&self) -> bool {
        self.kernels.iter().all(|kernel| kernel.keeps_work())
    }

    /// A ledger in which what is unknown is NaN.
    pub(crate) fn only_known(&self, ledger: EnergyLedger) -> EnergyLedger {
        if self.keeps_work() {
            return ledger;
        }
        let unknown = f64::NAN;
        EnergyLedger {
            elastic_tangential: unknown,
            friction: unknown,
            viscous: unknown,
            stiffness: unknown,
            released: unknown,
            ..ledger
        }
    }

    /// The energy ledger without what present contacts hold and have dissipated.
    pub(crate) fn energy_without_contacts(&self) -> EnergyLedger {
        let p = &self.particles;
        let separated = &self.accumulated.separated;
        let of_sphere = |slot: usize| {
            let unwrapped = self.cell.unwrap(p.position[slot], p.image[slot]);
            [
                0.5 * p.mass[slot] * p.velocity[slot].length_squared(),
                0.5 * p.inertia(slot) * p.angular_velocity[slot].length_squared(),
                -p.mass[slot] * self.fields.potential_gravity().dot(unwrapped),
                p.field_dissipation[slot],
            ]
        };
        let of_body = |body: &Body| {
            let [translation, rotation] = body.kinetic_energy();
            let unwrapped = self.cell.unwrap(body.position, body.image);
            let gravity = -body.mass * self.fields.potential_gravity().dot(unwrapped);
            [translation, rotation, gravity, body.field_dissipation]
        };
        let [kinetic_translation, kinetic_rotation, gravity, fields] = self.sums_over_movers(of_sphere, of_body);
        EnergyLedger {
            kinetic_translation,
            kinetic_rotation,
            gravity,
            fields: self.accumulated.fields_of_removed + fields,
            friction: separated.friction,
            viscous: separated.viscous,
            stiffness: separated.stiffness,
            rolling: separated.rolling,
            twisting: separated.twisting,
            released: separated.elastic_tangential + separated.elastic_rolling + separated.released,
            further: separated.further,
            walls: self.accumulated.walls + self.walls.iter().map(|wall| wall.work).sum::<f64>(),
            cell: self.accumulated.cell,
            exchanged: self.accumulated.exchanged,
            ..EnergyLedger::default()
        }
    }

    /// Kinetic energy of all that moves \[J\].
    pub fn kinetic_energy(&self) -> f64 {
        let [energy] = self.sums_of_movers(|mover| {
            let translation = 0.5 * self.mass_of(mover) * self.velocity_of(mover).length_squared();
            [translation + self.energy_of_spin(mover, self.spin_of(mover))]
        });
        energy
    }

    /// Linear momentum \[kg m/s\] and angular momentum about the origin \[kg m²/s\].
    pub fn momentum(&self) -> (DVec3, DVec3) {
        let p = &self.particles;
        let parts = |linear: DVec3, position: DVec3, spin: DVec3| {
            let angular = position.cross(linear) + spin;
            [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
        };
        let of_sphere = |slot: usize| {
            let linear = p.mass[slot] * p.velocity[slot];
            parts(linear, p.position[slot], p.inertia(slot) * p.angular_velocity[slot])
        };
        let of_body = |body: &Body| parts(body.mass * body.velocity, body.position, body.angular_momentum);
        let [px, py, pz, lx, ly, lz] = self.sums_over_movers(of_sphere, of_body);
        (DVec3::new(px, py, pz), DVec3::new(lx, ly, lz))
    }
}

/// What of a contact the ledger sums \[J\].
pub(crate) fn energies_of_contact(energy: &ElasticEnergy, work: &ContactWork) -> [f64; OF_CONTACTS] {
    let [plastic, adhesion] = work.further;
    [
        energy.normal,
        energy.adhesion,
        energy.tangential,
        energy.rolling,
        energy.near_field,
        work.friction,
        work.viscous,
        work.stiffness,
        work.rolling,
        work.twisting,
        work.released,
        plastic,
        adhesion,
    ]
}

/// Adds the sums of [`energies_of_contact`] to a ledger.
pub(crate) fn book_contacts(ledger: &mut EnergyLedger, sums: [f64; OF_CONTACTS]) {
    let [plastic, adhesion] = &mut ledger.further;
    let numbers = [
        &mut ledger.elastic_normal,
        &mut ledger.adhesion,
        &mut ledger.elastic_tangential,
        &mut ledger.elastic_rolling,
        &mut ledger.near_field,
        &mut ledger.friction,
        &mut ledger.viscous,
        &mut ledger.stiffness,
        &mut ledger.rolling,
        &mut ledger.twisting,
        &mut ledger.released,
        plastic,
        adhesion,
    ];
    for (number, sum) in numbers.into_iter().zip(sums) {
        *number += sum;
    }
}
