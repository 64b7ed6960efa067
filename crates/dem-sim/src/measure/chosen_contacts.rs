//! Contacts that a user wants to follow: force, overlap and slip at every row of the series.

use std::collections::BTreeMap;

use dem_contact::Mode;
use dem_contact::contact_forces::Wrench;
use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;
use dem_core::particles::NO_BODY;
use dem_io::series::SeriesColumn;

use super::bodies::has_bodies;
use super::fabric::contact_force;
use crate::state::world::World;

/// A contact that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChosenContact {
    /// Id of the particle, the lower one of two.
    pub first: u64,
    /// Whether the other body is a particle or a wall.
    pub kind: PartnerKind,
    /// Id of the other particle, or number of the wall.
    pub second: u64,
}

/// The columns of a row.
const COLUMNS: [(&str, &str, &str); 16] = [
    ("step", "-", "steps done"),
    ("time", "s", "time"),
    ("first", "-", "id of the first particle, the lower of a pair"),
    ("second", "-", "id of the second particle, or number of the wall in the scene, from 0"),
    ("partner", "-", "0: particle, 1: wall"),
    ("feature", "-", "feature of the wall, one row for each that is touched; 0 for pairs"),
    ("overlap", "m", "overlap, negative while the bodies are apart"),
    (
        "normal_force",
        "N",
        "normal force of the contact, positive when it pushes the bodies apart; forces at a distance are no part of it",
    ),
    ("tangential_force", "N", "magnitude of the tangential force"),
    ("tangential_force_x", "N", "tangential force on the first body, component x"),
    ("tangential_force_y", "N", "the same, component y"),
    ("tangential_force_z", "N", "the same, component z"),
    ("slip_x", "m", "elastic slip held by the tangential spring, component x"),
    ("slip_y", "m", "the same, component y"),
    ("slip_z", "m", "the same, component z"),
    ("mode", "-", "0: open, 1: stick, 2: slide"),
];

/// Further columns of runs that may have rigid bodies.
const COLUMNS_OF_BODIES: [(&str, &str, &str); 2] = [
    ("first_body", "-", "id of the rigid body of the first particle; 4294967295 without one"),
    ("second_body", "-", "the same of the second particle; 4294967295 for a wall"),
];

/// Columns of [`chosen_contact_rows`].
pub fn chosen_contact_columns(world: &World) -> Vec<SeriesColumn> {
    let of_bodies = has_bodies(world).then_some(COLUMNS_OF_BODIES).into_iter().flatten();
    let all = COLUMNS.into_iter().chain(of_bodies);
    all.map(|(name, unit, meaning)| SeriesColumn::new(name, unit, meaning)).collect()
}

/// What is reported of a touching contact.
struct Touching {
    feature: u32,
    overlap: f64,
    normal_force: f64,
    tangential_force: DVec3,
    slip: DVec3,
    mode: Mode,
}

/// A row for each of the chosen contacts whose bodies are there, in the given order; several for one that touches several features of a wall.
pub fn chosen_contact_rows(world: &World, chosen: &[ChosenContact]) -> Vec<Vec<f64>> {
    let mut touching: BTreeMap<ChosenContact, Vec<Touching>> =
        chosen.iter().map(|&contact| (contact, Vec::new())).collect();
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            let contact = ChosenContact { first: c.key.first, kind: c.key.kind, second: c.key.second };
            let Some(found) = touching.get_mut(&contact).filter(|_| c.touches) else { return };
            let force = contact_force(c, world.forces.get(c.candidate).map_or(DVec3::ZERO, Wrench::force_on_first));
            let normal_force = -force.dot(c.normal);
            found.push(Touching {
                feature: c.key.feature,
                overlap: c.overlap,
                normal_force,
                tangential_force: force + c.normal * normal_force,
                slip: c.elastic_slip,
                mode: world.forces.mode(c.candidate).unwrap_or_default(),
            });
        });
    }
    let slots = slots_of(world, chosen);
    let mut rows = Vec::new();
    for contact in chosen {
        let mut found = touching.remove(contact).unwrap_or_default();
        found.sort_unstable_by_key(|touching| touching.feature);
        if found.is_empty()
            && let Some(gap) = gap(world, contact, &slots)
        {
            let (tangential_force, slip) = (DVec3::ZERO, DVec3::ZERO);
            let mode = Mode::default();
            found.push(Touching { feature: 0, overlap: -gap, normal_force: 0.0, tangential_force, slip, mode });
        }
        rows.extend(found.iter().map(|touching| row(world, contact, touching, &slots)));
    }
    rows
}

fn row(world: &World, contact: &ChosenContact, touching: &Touching, slots: &BTreeMap<u64, usize>) -> Vec<f64> {
    let Touching { feature, overlap, normal_force, tangential_force, slip, mode } = touching;
    let partner = f64::from(u8::from(contact.kind == PartnerKind::Wall));
    let mut row = vec![world.step as f64, world.time, contact.first as f64, contact.second as f64, partner];
    row.extend([f64::from(*feature), *overlap, *normal_force, tangential_force.length()]);
    row.extend(tangential_force.to_array());
    row.extend(slip.to_array());
    row.push(f64::from(*mode as u8));
    if has_bodies(world) {
        let body = |id: u64| f64::from(slots.get(&id).map_or(NO_BODY, |&slot| world.particles.body[slot]));
        let second = if contact.kind == PartnerKind::Wall { f64::from(NO_BODY) } else { body(contact.second) };
        row.extend([body(contact.first), second]);
    }
    row
}

/// Distance between the surfaces of two bodies that do not touch \[m\]; none if one of them is not there.
fn gap(world: &World, contact: &ChosenContact, slots: &BTreeMap<u64, usize>) -> Option<f64> {
    let p = &world.particles;
    let first = *slots.get(&contact.first)?;
    match contact.kind {
        PartnerKind::Particle => {
            let second = *slots.get(&contact.second)?;
            let branch = world.cell.nearest_image(p.position[second] - p.position[first]);
            Some(branch.length() - p.radius[first] - p.radius[second])
        }
        PartnerKind::Wall => {
            let wall = world.walls.get(contact.second as usize).filter(|wall| wall.active)?;
            Some(wall.distance(p.position[first]) - p.radius[first])
        }
    }
}

/// Slots of the particles that are there.
fn slots_of(world: &World, chosen: &[ChosenContact]) -> BTreeMap<u64, usize> {
    let mut ids: Vec<u64> = chosen.iter().map(|contact| contact.first).collect();
    ids.extend(chosen.iter().filter(|contact| contact.kind == PartnerKind::Particle).map(|contact| contact.second));
    ids.sort_unstable();
    let all = world.particles.id.iter().enumerate();
    all.filter(|(_, id)| ids.binary_search(id).is_ok()).map(|(slot, &id)| (id, slot)).collect()
}
