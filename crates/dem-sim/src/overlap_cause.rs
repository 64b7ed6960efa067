//! Why an overlap is too large, as far as the state of a world tells.

use std::fmt;

use dem_contact::contact_forces::ContactView;
use dem_core::DVec3;
use dem_core::contact_list::PartnerKind;
use dem_core::figure::Figure;

use crate::stability::LARGEST_MOVE;
use crate::world::World;

/// Cosine of the angle between the normals of two walls from which on a sphere between them has no way out.
const FACING: f64 = -0.5;

/// The likely cause of an overlap.
#[derive(Clone, Debug, PartialEq)]
pub enum OverlapCause {
    /// Two walls squeeze the sphere.
    BetweenWalls {
        /// The wall beside the one that it overlaps most.
        other: String,
        /// Overlap with that wall in proportion to the radius.
        ratio: f64,
        /// Speed at which the two close on the sphere \[m/s\].
        closing: f64,
    },
    /// A stage has put the wall there.
    NewWall {
        /// Name of the stage.
        stage: String,
    },
    /// The wall presses with a force.
    PressingWall {
        /// The force \[N\].
        force: f64,
    },
    /// The wall moves towards the sphere, faster than the sphere towards the wall.
    ClosingWall {
        /// Speed of the wall along the normal \[m/s\].
        speed: f64,
        /// Way in a step in proportion to the radius.
        per_step: f64,
    },
    /// The two approach each other by more in a step than is resolved.
    LongStep {
        /// Way in a step in proportion to the smaller radius.
        per_step: f64,
    },
    /// The contact is too soft for its load; `walls` move and are loaded meanwhile.
    SoftContact {
        /// Their names.
        walls: Vec<String>,
    },
}

impl fmt::Display for OverlapCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = |x: f64| Figure::new(x, 3);
        match self {
            Self::BetweenWalls { other, ratio, closing } => {
                write!(
                    f,
                    "it is jammed between this wall and wall \"{other}\", which it overlaps by {}",
                    figure(*ratio)
                )?;
                if *closing > 0.0 { write!(f, "; they close at {} m/s", figure(*closing)) } else { Ok(()) }
            }
            Self::NewWall { stage } => write!(f, "stage \"{stage}\" has put this wall where spheres are"),
            Self::PressingWall { force } => {
                write!(f, "the wall presses with {} N, for which the contact is too soft", figure(*force))
            }
            Self::ClosingWall { speed, per_step } => {
                write!(f, "the wall closes on it at {} m/s", figure(*speed))?;
                if *per_step > LARGEST_MOVE {
                    write!(
                        f,
                        ", {} of the radius per step: the time step is too long, or the wall too fast",
                        figure(*per_step)
                    )
                } else {
                    write!(f, ": stop the wall where spheres are packed, or let it press with a force (motion.servo)")
                }
            }
            Self::LongStep { per_step } => write!(
                f,
                "they approach each other by {} of the radius per step, {LARGEST_MOVE} are resolved: the time step is too long",
                figure(*per_step)
            ),
            Self::SoftContact { walls } => {
                write!(f, "the material is too soft for the load or the speed of the impact")?;
                match walls.as_slice() {
                    [] => Ok(()),
                    [wall] => write!(f, ", or wall \"{wall}\" closes on the spheres"),
                    walls => write!(f, ", or walls close on the spheres: {}", walls.join(", ")),
                }
            }
        }
    }
}

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
        return OverlapCause::PressingWall { force: servo.force(world) };
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
