//! Fabric and mobilised friction of the contacts, virial of all forces between pairs.

use dem_contact::contact_forces::{ContactView, Wrench};
use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;

use super::branches::branch;
use crate::state::world::World;

/// Sums over the contacts that touch, walls included in friction and virial; the virial holds pairs that act on each other at a distance, too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fabric {
    /// Mean of n ⊗ n over contacts of two particles: xx, yy, zz, xy, xz, yz; its trace is 1, or 0 without a contact.
    pub tensor: [f64; 6],
    /// Sum of the magnitudes of the tangential forces over that of the normal forces of contacts, without forces at a distance \[-\]; zero
    /// without a force.
    pub mobilised_friction: f64,
    /// Sum of force on the first body times branch, symmetric part: xx, yy, zz, xy, xz, yz \[J\]. All forces of pairs count, those of contacts
    /// with their dashpots and those at a distance, of pairs that touch and of others: over a volume it is the stress of Love and Weber that
    /// balances the loads on the assembly but for its motion, positive in tension. The branch to a wall ends at the contact point.
    pub virial: [f64; 6],
}

/// A contact that touches, or a pair that acts at a distance.
pub(super) struct Acting {
    /// Whether both bodies are particles.
    pub is_pair: bool,
    pub touches: bool,
    /// Where the branch begins, the centre of the first sphere or body \[m\].
    pub start: DVec3,
    pub normal: DVec3,
    /// Force on the first body \[N\].
    pub force: DVec3,
    /// That of the contact alone, without a force at a distance \[N\].
    pub contact_force: DVec3,
    /// From the centre of the first sphere or body to that of the second, or to the contact point on a wall \[m\].
    pub branch: DVec3,
}

/// The present contacts, and the pairs that act at a distance.
pub(super) fn acting(world: &World) -> Vec<Acting> {
    let mut contacts = Vec::new();
    world.visit_contacts(&mut |c| contacts.extend(Acting::of(world, c)));
    contacts
}

impl Acting {
    /// A contact, if it is one.
    fn of(world: &World, c: &ContactView) -> Option<Self> {
        let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, Wrench::force_on_first);
        let touches = c.touches;
        (touches || force != DVec3::ZERO).then(|| {
            let contact_force = contact_force(c, force);
            let p = &world.particles;
            let (is_pair, start) = (c.key.kind == PartnerKind::Particle, p.position[c.first] - p.arm(c.first));
            Self { is_pair, touches, start, normal: c.normal, force, contact_force, branch: branch(world, c) }
        })
    }
}

/// The part of the force on the first body of a contact that is not a force at a distance \[N\].
pub(crate) fn contact_force(c: &ContactView, force: DVec3) -> DVec3 {
    if c.energy.near_field == 0.0 {
        return force;
    }
    if !c.touches {
        return DVec3::ZERO;
    }
    let pressing = c.elastic_force + c.dashpot_force(force);
    force - c.normal * (force.dot(c.normal) + pressing)
}

/// Fabric of the present contacts and their virial.
pub fn fabric(world: &World) -> Fabric {
    let sums = world.sum_over_contacts(|c| {
        let Some(contact) = Acting::of(world, c) else { return [0.0; 15] };
        let [vxx, vyy, vzz, vxy, vxz, vyz] = product(contact.force, contact.branch, 1.0);
        let Acting { is_pair, touches, normal: n, contact_force, .. } = contact;
        if !touches {
            return [vxx, vyy, vzz, vxy, vxz, vyz, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        }
        let pressing = contact_force.dot(n);
        let tangential = (contact_force - pressing * n).length();
        let (pair, [xx, yy, zz, xy, xz, yz]) = if is_pair { (1.0, product(n, n, 1.0)) } else { (0.0, [0.0; 6]) };
        [vxx, vyy, vzz, vxy, vxz, vyz, xx, yy, zz, xy, xz, yz, pair, tangential, pressing.abs()]
    });
    let [vxx, vyy, vzz, vxy, vxz, vyz, xx, yy, zz, xy, xz, yz, pairs, tangential, normal] = sums;
    Fabric {
        tensor: [xx, yy, zz, xy, xz, yz].map(|sum| sum / f64::max(pairs, 1.0)),
        mobilised_friction: if normal > 0.0 { tangential / normal } else { 0.0 },
        virial: [vxx, vyy, vzz, vxy, vxz, vyz],
    }
}

/// The symmetric part of `share a ⊗ b`: xx, yy, zz, xy, xz, yz.
pub(super) fn product(a: DVec3, b: DVec3, share: f64) -> [f64; 6] {
    let mixed = |i: usize, k: usize| 0.5 * (a[i] * b[k] + a[k] * b[i]);
    [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]].map(|[i, k]| share * mixed(i, k))
}
