//! Fabric, mobilised friction and virial of the contacts.

use dem_contact::contact_forces::Wrench;
use dem_core::DVec3;
use dem_core::contact_list::{ContactKey, PartnerKind};

use crate::world::World;

/// Sums over the contacts that touch, walls included in friction and virial.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fabric {
    /// Mean of n ⊗ n over contacts of two particles: xx, yy, zz, xy, xz, yz; its trace is 1, or 0 without a contact.
    pub tensor: [f64; 6],
    /// Sum of the magnitudes of the tangential forces over that of the normal forces \[-\]; zero without a force.
    pub mobilised_friction: f64,
    /// Sum of force on the first body times branch, symmetric part: xx, yy, zz, xy, xz, yz \[J\]; over a volume it is the contact stress of
    /// Love and Weber, positive in tension. The branch to a wall ends at the contact point.
    pub virial: [f64; 6],
}

/// A contact that touches.
pub(super) struct Touching {
    pub key: ContactKey,
    /// Slot of the first body.
    pub first: usize,
    pub normal: DVec3,
    /// Force on the first body \[N\].
    pub force: DVec3,
    /// From the centre of the first body to that of the second, or to the contact point on a wall \[m\].
    pub branch: DVec3,
}

/// The present contacts in order of their keys.
pub(super) fn touching(world: &World) -> Vec<Touching> {
    let mut contacts = Vec::new();
    world.visit_contacts(&mut |c| {
        if c.overlap > 0.0 {
            let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, Wrench::force_on_first);
            contacts.push(Touching { key: c.key, first: c.first, normal: c.normal, force, branch: c.branch });
        }
    });
    contacts
}

/// Fabric of the present contacts, summed in order of their keys.
pub fn fabric(world: &World) -> Fabric {
    let mut found = Fabric::default();
    let (mut pairs, mut tangential, mut normal) = (0u64, 0.0, 0.0);
    for Touching { key, normal: n, force, branch, .. } in &touching(world) {
        let pressing = force.dot(*n);
        normal += pressing.abs();
        tangential += (*force - pressing * *n).length();
        add(&mut found.virial, *force, *branch, 1.0);
        if key.kind == PartnerKind::Particle {
            pairs += 1;
            add(&mut found.tensor, *n, *n, 1.0);
        }
    }
    if pairs > 0 {
        found.tensor.iter_mut().for_each(|sum| *sum /= pairs as f64);
    }
    if normal > 0.0 {
        found.mobilised_friction = tangential / normal;
    }
    found
}

/// Adds the symmetric part of `share a ⊗ b`: xx, yy, zz, xy, xz, yz.
pub(super) fn add(sums: &mut [f64; 6], a: DVec3, b: DVec3, share: f64) {
    let mixed = |i: usize, k: usize| 0.5 * (a[i] * b[k] + a[k] * b[i]);
    for (sum, [i, k]) in sums.iter_mut().zip([[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]]) {
        *sum += share * mixed(i, k);
    }
}
