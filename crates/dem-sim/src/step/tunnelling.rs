//! Spheres that move so far in a step that they may pass through what they should meet.
//!
//! A sphere that comes nearer to a wall, or to another sphere, by more than its radius in one step may be on the other
//! side without ever having touched it. The bound of the displacements, which every step provides, shows whether a
//! check is necessary. Velocities are peculiar where a cell deforms: what the cell carries along keeps its neighbours.

use dem_broadphase::{Automatic, Broadphase};
use dem_core::DVec3;
use dem_core::contact_list::CandidateRows;
use dem_core::particles::NO_BODY;
use dem_core::wall::{Shape, Wall};

use crate::environment::memory;
use crate::error::StepError;
use crate::state::world::World;
use crate::time_step::state_bounds::room;

/// A meeting that a step may miss.
#[derive(Clone, Copy)]
struct Meeting {
    /// Displacement in the step in proportion to the radius.
    ratio: f64,
    /// Id of the sphere.
    particle: u64,
    with: Partner,
    /// Relative speed \[m/s\].
    speed: f64,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Partner {
    Particle(u64),
    Wall(usize),
}

/// Looks for spheres that moved by more than a radius in the step that has ended, relative to what they may meet. No sphere and no wall moved by
/// more than `farthest` \[m\] together with another.
///
/// # Errors
/// The sphere that moved farthest in proportion to its radius.
pub(crate) fn check(world: &World, farthest: f64, smallest_radius: f64) -> Result<(), StepError> {
    if farthest <= smallest_radius {
        return Ok(());
    }
    let mut worst: Option<Meeting> = None;
    let mut note = |new: Meeting| {
        let worse = |old: &Meeting| {
            new.ratio > old.ratio || new.ratio == old.ratio && (new.particle, new.with) < (old.particle, old.with)
        };
        if worst.as_ref().is_none_or(worse) {
            worst = Some(new);
        }
    };
    meetings_with_walls(world, &mut note);
    meetings_of_pairs(world, &mut note);
    let Some(Meeting { ratio, particle, with, speed }) = worst else { return Ok(()) };
    let partner = match with {
        Partner::Particle(id) => format!("particle {id}"),
        Partner::Wall(number) => format!("wall \"{}\"", world.walls[number].name),
    };
    Err(StepError::TooFast { step: world.step, particle, partner, ratio, speed, time_step: world.time_step })
}

fn meetings_with_walls(world: &World, note: &mut impl FnMut(Meeting)) {
    let p = &world.particles;
    for (number, wall) in world.walls.iter().enumerate().filter(|(_, wall)| wall.active) {
        for slot in 0..p.len() {
            let (centre, radius) = (p.position[slot], p.radius[slot]);
            let speed = approach(wall, centre, p.velocity[slot]);
            let way = speed * world.time_step;
            if way > radius && wall.distance(centre).abs() < way + radius {
                note(Meeting { ratio: way / radius, particle: p.id[slot], with: Partner::Wall(number), speed });
            }
        }
    }
}

/// Speed of a sphere against a wall \[m/s\]. A surface that moves along itself comes no nearer.
fn approach(wall: &Wall, centre: DVec3, velocity: DVec3) -> f64 {
    let axis = wall.pose.orientation.conjugate() * wall.angular_velocity;
    let turned = if wall.angular_velocity == DVec3::ZERO || wall.shape.is_invariant_about(axis) {
        DVec3::ZERO
    } else {
        wall.angular_velocity.cross(centre - wall.pose.position)
    };
    let relative = velocity - wall.velocity - turned;
    match wall.shape {
        Shape::Plane { normal, .. } => relative.dot(wall.pose.orientation * normal).abs(),
        _ => relative.length(),
    }
}

fn meetings_of_pairs(world: &World, note: &mut impl FnMut(Meeting)) {
    let (p, time_step) = (&world.particles, world.time_step);
    let smallest = p.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let longest = p.velocity.iter().map(|v| v.length() * time_step).fold(0.0, f64::max);
    if !(2.0 * longest > smallest && longest.is_finite()) {
        return;
    }
    let mut rows = CandidateRows::default();
    let mut margin = (2.0 * longest).min(room(world));
    // as far as there is memory for
    while Automatic::default().candidates_within(p, &world.cell, margin, memory::most_pairs(), &mut rows).is_err() {
        margin *= 0.5;
        if margin < smallest {
            return;
        }
    }
    for (slot, row) in rows.row.windows(2).enumerate() {
        for &partner in &rows.partner[row[0] as usize..row[1] as usize] {
            let other = partner as usize;
            if p.body[slot] != NO_BODY && p.body[slot] == p.body[other] {
                continue;
            }
            let radius = p.radius[slot].min(p.radius[other]);
            let speed = (p.velocity[slot] - p.velocity[other]).length();
            let way = speed * time_step;
            let branch = world.cell.nearest_image(p.position[other] - p.position[slot]);
            if way > radius && branch.length() - p.radius[slot] - p.radius[other] < way {
                let (particle, with) = (p.id[slot].min(p.id[other]), p.id[slot].max(p.id[other]));
                note(Meeting { ratio: way / radius, particle, with: Partner::Particle(with), speed });
            }
        }
    }
}
