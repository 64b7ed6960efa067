//! Branches of contacts: from the centre of what moves on one side to that on the other, where stress comes from.
//!
//! The stress of a volume is the mean of `f ⊗ x` over the forces on its boundary. It equals the sum of Love and Weber over contacts if every
//! grain is in balance and branches go from centre of mass to centre of mass: of bodies, not of their members.

use dem_contact::contact_forces::ContactView;
use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;

use crate::state::world::World;

/// From the centre of mass of the first sphere or body of a contact to that of the second, across the periodic faces that the contact crosses, or to
/// the contact point on a wall \[m\].
pub fn branch(world: &World, c: &ContactView) -> DVec3 {
    let p = &world.particles;
    if !p.bodies.have_members() {
        return c.branch;
    }
    let from_first = p.arm(c.first) + c.branch;
    match c.key.kind {
        PartnerKind::Particle => from_first - p.arm(c.second),
        PartnerKind::Wall => from_first,
    }
}
