//! What a wall presses on, from the present contacts.

use std::collections::BTreeSet;

use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;
use dem_core::wall::{Shape, Wall};

use crate::state::world::World;
use crate::wall_servos::assembly::Assembly;

/// Second body of a contact: slot of a particle or number of a wall.
enum Partner {
    Particle(usize),
    Wall(usize),
}

struct Contact {
    first: usize,
    second: Partner,
    /// Force per strain along the direction, times the branch along it \[N m\].
    stiffness: f64,
}

impl Assembly {
    /// Of the wall with a number, pressing along a unit vector. Sums are exact, in whatever order contacts lie.
    pub fn of(world: &World, number: usize, direction: DVec3) -> Self {
        let p = &world.particles;
        let surface = surface_along(&world.walls[number], direction);
        let far_side = (0..p.owned()).map(|slot| p.position[slot].dot(direction) + p.radius[slot] - surface);
        let mut found = Self {
            stiffness: 0.0,
            mass: 0.0,
            density: world.mean_diameter_and_density().1,
            far_side: world.whole.largest(far_side.fold(f64::NEG_INFINITY, f64::max)),
        };
        let mut contacts: Vec<Contact> = Vec::new();
        let context = world.context();
        for kernel in &world.kernels {
            kernel.visit(&world.list, &context, &mut |c| {
                // by the overlap: after a restart there are histories but no forces yet
                if c.touches {
                    let (along, branch) = (c.normal.dot(direction).powi(2), c.branch.dot(direction));
                    let stiffness = c.stiffness.normal * along + c.stiffness.tangential * (1.0 - along);
                    contacts.push(Contact {
                        first: c.first,
                        second: match c.key.kind {
                            PartnerKind::Particle => Partner::Particle(c.second),
                            PartnerKind::Wall => Partner::Wall(c.second),
                        },
                        stiffness: stiffness * branch * branch,
                    });
                }
            });
        }
        let connected = connected_with(number, &contacts, world);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for slot in (0..p.owned()).filter(|&slot| connected[slot]) {
            let x = p.position[slot].dot(direction);
            (low, high) = (low.min(x - p.radius[slot]), high.max(x + p.radius[slot]));
        }
        let (low, high) = (world.whole.smallest(low), world.whole.largest(high));
        if low > high {
            return found;
        }
        found.mass = world.sum_over_particles(|slot| if connected[slot] { p.mass[slot] } else { 0.0 });
        let [sum] = world.sums_over(contacts.len(), |at| {
            let Contact { first, stiffness, .. } = contacts[at];
            [if connected[first] && first < p.owned() { stiffness } else { 0.0 }]
        });
        found.stiffness = sum / (high - low).powi(2);
        found
    }
}

/// Which particles, by slots, are connected with a wall through contacts of particles, those of other parts included.
fn connected_with(wall: usize, contacts: &[Contact], world: &World) -> Vec<bool> {
    let p = &world.particles;
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); p.len()];
    let mut connected = vec![false; p.len()];
    let mut pending = Vec::new();
    for body in &p.bodies.all {
        for slot in body.first + 1..body.first + body.count {
            neighbours[body.first as usize].push(slot);
            neighbours[slot as usize].push(body.first);
        }
    }
    for contact in contacts {
        match contact.second {
            Partner::Particle(second) => {
                neighbours[contact.first].push(second as u32);
                neighbours[second].push(contact.first as u32);
            }
            Partner::Wall(second) if second == wall => pending.push(contact.first as u32),
            Partner::Wall(_) => {}
        }
    }
    loop {
        let is_over = pending.is_empty();
        while let Some(slot) = pending.pop() {
            if !std::mem::replace(&mut connected[slot as usize], true) {
                pending.extend_from_slice(&neighbours[slot as usize]);
            }
        }
        // paths may lead through other parts
        if world.whole.is_alone() || !world.whole.any(!is_over) {
            return connected;
        }
        let own = (0..p.owned()).filter(|&slot| connected[slot]).map(|slot| p.id[slot]);
        let all: BTreeSet<u64> = world.whole.gather(own.collect()).into_iter().collect();
        let ghosts = p.owned()..p.len();
        pending.extend(ghosts.filter(|&slot| !connected[slot] && all.contains(&p.id[slot])).map(|slot| slot as u32));
    }
}

/// Place of the foremost point of a wall along a direction \[m\].
fn surface_along(wall: &Wall, direction: DVec3) -> f64 {
    let local = wall.pose.orientation.conjugate() * direction;
    let foremost = match (&wall.shape, wall.shape.bounds()) {
        (Shape::Plane { point, .. }, _) => point.dot(local),
        (_, Some((low, high))) => (low * local).max(high * local).element_sum(),
        // without an end, like the plane
        (_, None) => 0.0,
    };
    wall.pose.position.dot(direction) + foremost
}
