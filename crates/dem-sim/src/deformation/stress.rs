//! Sums over contacts and particles that make the stress of a periodic cell, in order of ids.

use dem_core::contact_list::PartnerKind;
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::forces::BLOCK;
use crate::id_order::IdOrder;
use crate::world::World;

/// Stress times volume \[J\].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StressSums {
    /// `Σ f ⊗ l` over pairs, f the force on the first and l the way from its centre to that of the second.
    pub contacts: DMat3,
    /// `Σ m v ⊗ v` over particles, of peculiar velocities.
    pub motion: DMat3,
}

/// `a ⊗ b`, row by a, column by b.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The symmetric part.
pub fn symmetric(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}

/// `a : b`
pub fn contraction(a: DMat3, b: DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

impl StressSums {
    /// Of the contact forces and velocities of the last accepted evaluation.
    pub fn of(world: &World, order: &mut IdOrder) -> Self {
        let p = &world.particles;
        let list = &world.list;
        order.follow(&p.id);
        let first_wall = list.segments.iter().find(|s| s.partner == PartnerKind::Wall).map_or(u32::MAX, |s| s.start);
        let has_list = list.incidence_row.len() == p.len() + 1;
        let of_particle = |slot: usize| {
            let mut sums =
                Self { contacts: DMat3::ZERO, motion: outer(p.velocity[slot] * p.mass[slot], p.velocity[slot]) };
            let row =
                if has_list { list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize } else { 0..0 };
            // every pair once, with its first particle
            for &entry in list.incidence[row].iter().filter(|&&entry| entry & 1 == 0 && entry >> 1 < first_wall) {
                let candidate = (entry >> 1) as usize;
                if let Some(wrench) = world.forces.get(candidate) {
                    let second = list.second[candidate] as usize;
                    let branch = world.cell.nearest_image(p.position[second] - p.position[slot]);
                    sums.contacts += outer(wrench.force_on_first(), branch);
                }
            }
            sums
        };
        let add =
            |sum: Self, more: Self| Self { contacts: sum.contacts + more.contacts, motion: sum.motion + more.motion };
        let blocks: Vec<Self> = order
            .slots()
            .par_chunks(BLOCK)
            .map(|slots| slots.iter().map(|&slot| of_particle(slot as usize)).fold(Self::ZERO, add))
            .collect();
        blocks.into_iter().fold(Self::ZERO, add)
    }

    /// No stress.
    pub const ZERO: Self = Self { contacts: DMat3::ZERO, motion: DMat3::ZERO };

    /// Symmetric part of the stress of contacts and motion in a volume \[m³\], positive in tension \[Pa\].
    pub fn stress(&self, volume: f64) -> DMat3 {
        (symmetric(self.contacts) - self.motion) * (1.0 / volume)
    }
}
