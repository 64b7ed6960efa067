//! A bed of dimers: that of the spheres, those that touch joined in pairs.

use std::f64::consts::PI;
use std::sync::Arc;

use dem_broadphase::{Automatic, Broadphase};
use dem_core::bodies::new_body::NewBody;
use dem_core::bodies::template::{Member, Template};
use dem_core::contact_list::CandidateRows;
use dem_core::particles::{NewParticle, Particles};
use dem_core::{DQuat, DVec3};
use dem_sim::world::World;

/// Two equal spheres that touch, along the axis of the least moment.
fn template(radius: f64, material: u16) -> Template {
    let volume = 8.0 / 3.0 * PI * radius.powi(3);
    let along = 0.4 * radius * radius;
    let across = along + radius * radius;
    let member = |side: f64| Member { position: DVec3::new(side * radius, 0.0, 0.0), radius, material, share: 0.5 };
    Template {
        name: "dimer".to_owned(),
        members: vec![member(-1.0), member(1.0)],
        volume,
        moments: DVec3::new(along, across, across) * volume,
        principal: DQuat::IDENTITY,
        centre: DVec3::ZERO,
        bounding_radius: 2.0 * radius,
    }
}

/// Joins every sphere, in the order of ids, with the nearest one that it touches and that is not joined yet. Some stay alone. All spheres of the bed
/// have one radius and one material.
pub(super) fn join(world: &mut World) {
    let old = std::mem::take(&mut world.particles);
    let Some(&radius) = old.radius.first() else { return };
    let mut rows = CandidateRows::default();
    Automatic::default().candidates(&old, &world.cell, 0.0, &mut rows);
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); old.len()];
    for (slot, row) in rows.row.windows(2).enumerate() {
        for &partner in &rows.partner[row[0] as usize..row[1] as usize] {
            near[slot].push(partner as usize);
            near[partner as usize].push(slot);
        }
    }
    let way = |a: usize, b: usize| world.cell.nearest_image(old.position[b] - old.position[a]);
    let mut joined = vec![false; old.len()];
    let mut particles = Particles::default();
    particles.bodies.templates = Arc::new(vec![template(radius, old.material[0])]);
    let density = old.mass[0] / dem_core::particles::sphere_volume(radius);
    let mut pairs = Vec::new();
    for slot in old.slots_by_id().into_iter().map(|slot| slot as usize) {
        if joined[slot] {
            continue;
        }
        let touching =
            near[slot].iter().copied().filter(|&other| !joined[other] && way(slot, other).length() < 2.0 * radius);
        let nearest = touching.min_by(|&a, &b| way(slot, a).length().total_cmp(&way(slot, b).length()));
        joined[slot] = true;
        match nearest {
            Some(other) => {
                joined[other] = true;
                pairs.push((slot, way(slot, other)));
            }
            None => {
                let alone = NewParticle {
                    material: old.material[slot],
                    group: old.group[slot],
                    ..NewParticle::at_rest(old.position[slot], radius, density)
                };
                particles.push(alone);
            }
        }
    }
    world.particles = particles;
    for (slot, way) in pairs {
        world.insert_body(NewBody {
            template: 0,
            scale: 1.0,
            position: old.position[slot] + way * 0.5,
            orientation: DQuat::from_rotation_arc(DVec3::X, way.normalize_or(DVec3::X)),
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            density,
            material: None,
            group: old.group[slot],
            frozen: old.frozen[slot],
        });
    }
}
