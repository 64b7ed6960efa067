//! Bounds of the time step by what drives a run: walls, guides and gravity that swing or turn, walls and cells that press, cells that deform.
//!
//! A motion that the step does not resolve is another motion: a plate that shakes with 1.6 steps a period is a plate that jumps. Fifty steps
//! a period leave `(2π/50)²/24 = 0.07 %` of the speed between two poses, well below what contacts resolve.

use std::f64::consts::TAU;

use dem_contact::time_step::Bound;
use dem_core::DVec3;
use dem_core::figure::Figure;
use dem_core::wall::{Motion, Shape, Wall};

use crate::deformation::control::{Component, Control};
use crate::guides::guide::Drive;
use crate::guides::path::Path;
use crate::resolution::LARGEST_MOVE;
use crate::state::world::World;

/// Fraction of a period that a step may take.
pub(crate) const SHARE_OF_PERIOD: f64 = 0.02;
/// Fraction of the response time of a controller: its gain holds for the time until it decides again, and a fifth of
/// the error is left to it then.
pub(crate) const SHARE_OF_RESPONSE: f64 = 0.25;

/// Fraction of the time between two rows of a table of a motion: what changes from row to row is resolved as a period
/// of twenty steps is at least.
const SHARE_OF_ROW: f64 = 0.1;

/// Names of criteria.
pub(crate) const ROWS: &str = "rows of a table of a motion";
pub(crate) const PERIOD: &str = "period of a motion";
pub(crate) const RESPONSE: &str = "response of a servo";
pub(crate) const STRAIN: &str = "strain per step";
pub(crate) const WALL_MOVE: &str = "displacement of a wall per step";

/// The bounds of what drives a world now, in any order.
pub(crate) fn bounds(world: &World) -> Vec<Bound> {
    let mut found = Vec::new();
    for wall in world.walls.iter().filter(|wall| wall.active) {
        found.extend(bounds_of_motion(world, wall, &wall.motion));
    }
    for servo in world.wall_servos.iter().filter(|servo| world.walls[servo.wall].active) {
        if let Some(response) = servo.response_time() {
            found.push(of_response(response, &format!("wall \"{}\"", world.walls[servo.wall].name)));
        }
    }
    if let Some(deformation) = &world.deformation
        && let Some(control) = &deformation.control
    {
        found.extend(bound_of_rates(control));
        found.extend(deformation.response_time(&world.cell).map(|response| of_response(response, "the cell")));
    }
    let gravity = world.fields.gravity_rotation.length();
    if gravity > 0.0 && world.fields.gravity != DVec3::ZERO {
        found.push(of_period(TAU / gravity, &format!("gravity turns at {} rad/s", Figure::new(gravity, 4))));
    }
    for guide in world.guides.list() {
        if let (Path::Circle { radius, .. }, Drive::Prescribed(speed)) = (guide.path, guide.drive)
            && speed != 0.0
        {
            let detail = format!("guide \"{}\" at {} m/s", guide.name, Figure::new(speed.abs(), 4));
            found.push(of_period(TAU * radius / speed.abs(), &detail));
        }
        if let Some(spin) =
            guide.spin.map(DVec3::length).filter(|&spin| spin > 0.0 && !world.particles.bodies.is_empty())
        {
            let detail = format!("guide \"{}\" turns bodies at {} rad/s", guide.name, Figure::new(spin, 4));
            found.push(of_period(TAU / spin, &detail));
        }
    }
    found
}

fn of_period(period: f64, detail: &str) -> Bound {
    let detail = format!("{detail}, a period of {period:.4e} s");
    Bound { criterion: PERIOD, time_step: SHARE_OF_PERIOD * period, detail }
}

fn of_response(response: f64, what: &str) -> Bound {
    let detail = format!("{what} responds within {response:.4e} s");
    Bound { criterion: RESPONSE, time_step: SHARE_OF_RESPONSE * response, detail }
}

/// Bounds of a wall that moves along a motion.
pub(crate) fn bounds_of_motion(world: &World, wall: &Wall, motion: &Motion) -> Vec<Bound> {
    let mut found = Vec::new();
    let name = &wall.name;
    if motion.amplitude != DVec3::ZERO && motion.frequency > 0.0 {
        found.push(of_period(
            1.0 / motion.frequency,
            &format!("wall \"{name}\" swings at {} Hz", Figure::new(motion.frequency, 4)),
        ));
    }
    if let Some(course) = &motion.course {
        let interval = course.shortest_interval();
        let detail = format!("wall \"{name}\", the shortest time between two rows is {interval:.4e} s");
        found.push(Bound { criterion: ROWS, time_step: SHARE_OF_ROW * interval, detail });
    }
    let spin = motion.spin_bound();
    let axis = motion.course.as_ref().map_or(motion.angular_velocity, |course| course.axis());
    let turns_into_itself = spin > 0.0 && wall.shape.is_invariant_about(wall.pose.orientation.conjugate() * axis);
    if spin > 0.0 && !turns_into_itself {
        found.push(of_period(TAU / spin, &format!("wall \"{name}\" turns at {} rad/s", Figure::new(spin, 4))));
    }
    let p = &world.particles;
    let smallest = p.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let along = |v: DVec3| match wall.shape {
        // what moves along itself goes nowhere
        Shape::Plane { normal, .. } if spin == 0.0 => v.dot(wall.pose.orientation * normal).abs(),
        _ => v.length(),
    };
    let of_course = motion.course.as_ref().map_or(0.0, |course| course.fastest());
    let mut speed = along(motion.velocity) + TAU * motion.frequency * along(motion.amplitude) + of_course;
    if spin > 0.0 && !turns_into_itself {
        let reference = wall.pose.position;
        let farthest = p.position.iter().zip(&p.radius).map(|(x, r)| (*x - reference).length() + r).fold(0.0, f64::max);
        let own = wall.shape.bounds().map_or(f64::INFINITY, |(low, high)| low.abs().max(high.abs()).length());
        speed += spin * farthest.min(own);
    }
    if speed > 0.0 && smallest.is_finite() {
        let detail = format!("{LARGEST_MOVE} r, wall \"{name}\" at {} m/s", Figure::new(speed, 4));
        found.push(Bound { criterion: WALL_MOVE, time_step: LARGEST_MOVE * smallest / speed, detail });
    }
    found
}

/// Neighbours of equal size in a cell that deforms at a rate come nearer by their distance, two radii, times the strain.
pub(crate) fn bound_of_rates(control: &Control) -> Option<Bound> {
    let rates = (0..9).filter_map(|k| match control.component(k / 3, k % 3) {
        Component::Rate(rate) => Some(rate * rate),
        Component::Stress(_) | Component::Unasked => None,
    });
    let rate = rates.sum::<f64>().sqrt();
    (rate > 0.0).then(|| Bound {
        criterion: STRAIN,
        time_step: 0.5 * LARGEST_MOVE / rate,
        detail: format!("the cell deforms at {rate:.4e} 1/s"),
    })
}
