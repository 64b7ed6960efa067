//! Finds the likely cause of an overlap that is too large.

use dem_contact::contact_forces::ContactView;
use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;

use crate::overlap_cause::OverlapCause;
use crate::resolution::LARGEST_MOVE;
use crate::state::world::World;

/// Cosine of the angle between the normals of two walls from which on a sphere between them has no way out.
const FACING: f64 = -0.5;

/// The cause of the worst contact of a world.
pub(crate) fn of(world: &World, worst: &ContactView) -> OverlapCause {
    let p = &world.particles;
    let radius = |slot: usize| p.radius[slot];
    // the force of a deep overlap may have turned the sphere back within the step
    let speed = |slot: usize, normal: DVec3| {
        let moved = world.cell.nearest_image(p.position[slot] - p.previous_position[slot]) / world.time_step;
        p.velocity[slot].dot(normal).max(moved.dot(normal))
    };
    if worst.key.kind == PartnerKind::Particle {
        let closing = speed(worst.first, worst.normal) + speed(worst.second, -worst.normal);
        let per_step = closing * world.time_step / radius(worst.first).min(radius(worst.second));
        return if per_step > LARGEST_MOVE { OverlapCause::LongStep { per_step } } else { soft(world) };
    }
    let of_wall = |wall: usize, normal: DVec3, branch: DVec3| {
        let wall = &world.walls[wall];
        let arm = p.position[worst.first] + branch - wall.pose.position;
        -(wall.velocity + wall.angular_velocity.cross(arm)).dot(normal)
    };
    let wall_speed = of_wall(worst.second, worst.normal, worst.branch);
    if let Some(other) = facing(world, worst) {
        return OverlapCause::BetweenWalls {
            other: world.walls[other.second].name.clone(),
            ratio: other.overlap / radius(worst.first),
            closing: wall_speed + of_wall(other.second, other.normal, other.branch),
        };
    }
    let holds = world.wall_servos.iter().find(|servo| servo.wall == worst.second && servo.hold().is_some());
    if let Some(servo) = holds {
        return OverlapCause::PressingWall { force: servo.force(&world.walls) };
    }
    let own = speed(worst.first, worst.normal);
    let share = |speed: f64| speed * world.time_step / radius(worst.first);
    if wall_speed > own.max(0.0) {
        return OverlapCause::ClosingWall { speed: wall_speed, per_step: share(wall_speed) };
    }
    let per_step = share(own + wall_speed);
    if per_step > LARGEST_MOVE { OverlapCause::LongStep { per_step } } else { soft(world) }
}

fn soft(world: &World) -> OverlapCause {
    let closes =
        world.walls.iter().filter(|wall| wall.active && wall.velocity != DVec3::ZERO && wall.force != DVec3::ZERO);
    OverlapCause::SoftContact { walls: closes.map(|wall| wall.name.clone()).collect() }
}

/// The deepest contact of the same sphere with another wall that faces the first one.
fn facing(world: &World, worst: &ContactView) -> Option<ContactView> {
    let mut found: Option<ContactView> = None;
    let context = world.context();
    for kernel in &world.kernels {
        kernel.visit(&world.list, &context, &mut |c| {
            let is_other = c.key.kind == PartnerKind::Wall && c.first == worst.first && c.second != worst.second;
            let deeper = |than: &ContactView| c.overlap > than.overlap || c.overlap == than.overlap && c.key < than.key;
            let faces = c.touches && c.normal.dot(worst.normal) < FACING;
            if is_other && faces && found.as_ref().is_none_or(deeper) {
                found = Some(*c);
            }
        });
    }
    found
}
