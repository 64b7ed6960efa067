//! Contacts at the friction limit or all but there.

use dem_contact::{Mode, ParameterValue};
use dem_core::contact_list::PartnerKind;

use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;

/// Distance from the limit, in proportion to it, within which a contact counts.
const NEAR: f64 = 1e-5;

/// Fraction of contacts, walls included, that slide or whose tangential force is within 0.001 % of the coefficient of
/// friction times the elastic normal force \[-\].
pub fn mobilised_share(world: &World, contact: &ContactDefinition) -> f64 {
    let materials = world.materials.len();
    let mut friction = vec![0.0; materials * materials];
    for pair in contact.pairs() {
        let given = pair.parameters.iter().find(|(name, _)| name == "friction");
        if let Some((_, ParameterValue::Number(value))) = given {
            friction[pair.first * materials + pair.second] = *value;
            friction[pair.second * materials + pair.first] = *value;
        }
    }
    let p = &world.particles;
    let (mut mobilised, mut total) = (0, 0);
    world.each_contact(&mut |c| {
        if !c.touches {
            return;
        }
        total += 1;
        let second = match c.key.kind {
            PartnerKind::Particle => p.material[c.second],
            PartnerKind::Wall => world.walls[c.second].material,
        };
        let coefficient = friction[p.material[c.first] as usize * materials + second as usize];
        let is_near = world.forces.get(c.candidate).is_some_and(|wrench| {
            let force = wrench.force_on_first();
            let along = force.dot(c.normal);
            let limit = coefficient * (-along - c.dashpot_force(force));
            limit > 0.0 && (force - c.normal * along).length() >= (1.0 - NEAR) * limit
        });
        mobilised += usize::from(is_near || world.forces.mode(c.candidate) == Some(Mode::Slide));
    });
    let [mobilised, total] = [mobilised, total].map(|count| world.whole.count(count));
    if total == 0 { 0.0 } else { mobilised as f64 / total as f64 }
}
