//! Sums and averages in the bins of a profile.
//!
//! A particle belongs to a bin with the share of its volume that lies there. So do its mass, its contacts and its velocity; the granular
//! temperature is a third of the mean square of the velocity relative to the mean velocity of the bin, over the particles and all frames.
//! The stress is that of Love and Weber with the part of every branch vector that lies in the bin (I. Goldhirsch, Granular Matter 12 (2010)
//! 239, averaged over the bin), `σ = (1/V) Σ f ⊗ l`, f on the particle that the branch l starts from: positive in tension. A branch to a wall
//! ends at the contact point. Of a rigid body every sphere counts with its share, and branches begin and end at the centre of mass.

use dem_core::DVec3;
use rayon::prelude::*;

use super::assembly::Assembly;
use super::bins::Bins;

/// Parts in which particles and contacts are summed, whatever the number of threads.
const PARTS: usize = 16;

/// What one bin holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BinSums {
    /// Spheres that reach into it.
    pub spheres: f64,
    /// Solid volume \[m³\].
    pub volume: f64,
    /// Particles, each with its share; a rigid body is one.
    pub particles: f64,
    /// Contacts with particles, with the shares of the particles.
    pub pair_contacts: f64,
    /// Contacts with walls, with the shares of the particles.
    pub wall_contacts: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Mean velocity, along the directions of the profile \[m/s\].
    pub velocity: DVec3,
    /// Mass times the square of the velocity relative to the mean \[J\].
    pub fluctuation: f64,
    /// Sum of force times branch \[J\]; row: direction of the force, column: of the branch.
    pub virial: [[f64; 3]; 3],
}

impl BinSums {
    fn add_velocity(&mut self, mass: f64, velocity: DVec3) {
        if mass == 0.0 {
            return;
        }
        self.mass += mass;
        let before = velocity - self.velocity;
        self.velocity += before * (mass / self.mass);
        self.fluctuation += mass * before.dot(velocity - self.velocity);
    }

    /// Joins the sums of other particles or another frame.
    pub fn join(&mut self, other: &Self) {
        self.spheres += other.spheres;
        self.volume += other.volume;
        self.particles += other.particles;
        self.pair_contacts += other.pair_contacts;
        self.wall_contacts += other.wall_contacts;
        let mass = self.mass + other.mass;
        if other.mass > 0.0 {
            let apart = other.velocity - self.velocity;
            self.fluctuation += other.fluctuation + apart.length_squared() * (self.mass * other.mass / mass);
            self.velocity += apart * (other.mass / mass);
            self.mass = mass;
        }
        for (row, more) in self.virial.iter_mut().zip(other.virial) {
            for (sum, term) in row.iter_mut().zip(more) {
                *sum += term;
            }
        }
    }

    /// A third of the mean square of the relative velocity \[m²/s²\].
    pub fn granular_temperature(&self) -> f64 {
        self.fluctuation / (3.0 * self.mass)
    }
}

/// Sums over the particles and contacts of a frame, one for each bin.
pub fn sums(assembly: &Assembly, bins: &Bins) -> Vec<BinSums> {
    let grains = &assembly.grains;
    // of grains, by the rows that stand for them
    let mut contacts = vec![(0.0, 0.0); assembly.len()];
    for contact in assembly.contact_list() {
        let first = grains.of(contact.first);
        match contact.second {
            Some(second) => {
                contacts[first].0 += 1.0;
                contacts[grains.of(second)].0 += 1.0;
            }
            None => contacts[first].1 += 1.0,
        }
    }
    let particle = |sums: &mut Vec<BinSums>, k: usize| {
        let whole = crate::volume::sphere(assembly.radius[k]);
        bins.shares_of_sphere(assembly.position[k], assembly.radius[k], |bin, volume, shift| {
            let share = volume / whole;
            let basis = bins.basis(assembly.position[k] + shift);
            let velocity = DVec3::from_array(basis.map(|direction| assembly.velocity[k].dot(direction)));
            let sum = &mut sums[bin];
            sum.spheres += 1.0;
            sum.volume += grains.filling[k] * volume;
            let (of_grain, contacts) = (share * grains.share[k], contacts[grains.of(k)]);
            sum.particles += of_grain;
            sum.pair_contacts += of_grain * contacts.0;
            sum.wall_contacts += of_grain * contacts.1;
            sum.add_velocity(share * assembly.mass[k], velocity);
        });
    };
    let list = assembly.contact_list();
    let contact = |sums: &mut Vec<BinSums>, k: usize| {
        let contact = &list[k];
        bins.shares_of_line(contact.start, contact.branch, |bin, share, middle| {
            let basis = bins.basis(middle);
            for (row, direction) in sums[bin].virial.iter_mut().zip(basis) {
                let force = share * contact.force.dot(direction);
                for (sum, along) in row.iter_mut().zip(basis) {
                    *sum += force * contact.branch.dot(along);
                }
            }
        });
    };
    let mut total = vec![BinSums::default(); bins.count()];
    in_parts(&mut total, assembly.len(), particle);
    in_parts(&mut total, list.len(), contact);
    total
}

/// Lets every item add to sums of its part, and joins the parts in order.
fn in_parts(total: &mut [BinSums], items: usize, add: impl Fn(&mut Vec<BinSums>, usize) + Sync) {
    let size = items.div_ceil(PARTS).max(1);
    let parts: Vec<Vec<BinSums>> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            let mut sums = vec![BinSums::default(); total.len()];
            (part * size..((part + 1) * size).min(items)).for_each(|item| add(&mut sums, item));
            sums
        })
        .collect();
    for part in parts {
        for (sum, more) in total.iter_mut().zip(&part) {
            sum.join(more);
        }
    }
}
