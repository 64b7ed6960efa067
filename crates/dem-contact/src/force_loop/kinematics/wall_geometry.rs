//! From positions and rotations to the kinematics of contacts of spheres and walls.
//!
//! All of it is computed in lanes like the kinematics of pairs, but for the points of shapes that branch too much. The
//! slip is that of [`crate::force_loop::kinematics::geometry`] with the mean lever arm from the reference point of the
//! wall.

use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, Vector};
use dem_core::wall::{Pose, SurfacePoint, SurfacePoints, Wall};

use crate::force_loop::kinematics::geometry::{
    Bodies, Levers, ROUNDING, SMALLEST_INVERSE_MASS, SlipForm, Slots, StepContext, effective_mass, turned_by,
};
use crate::force_loop::kinematics::{body_masses, sphere_masses};
use crate::force_loop::neighbours::near_list::Certain;
use crate::frame::Transport;
use crate::law::Kinematics;

/// Distances in proportion to the radius beyond which nothing acts. A face that is open is infinitely far away.
const FAR: f64 = 1e6;

/// Spheres and features of walls by lane.
#[derive(Clone, Copy)]
pub(crate) struct Meetings<'a> {
    /// Slots of the spheres.
    pub slot: &'a Slots,
    /// Numbers of the walls.
    pub wall: &'a Slots,
    /// Features of the walls.
    pub feature: &'a [u32; MOST_LANES],
    /// What is certain of them.
    pub certain: &'a [Certain; MOST_LANES],
}

impl Meetings<'_> {
    #[inline(always)]
    fn wall<'w>(&self, context: &StepContext<'w>, lane: usize) -> &'w Wall {
        &context.walls[self.wall[lane] as usize]
    }

    /// Surface points nearest to the centres of the spheres, given where they are, for a pose of each wall. Whether
    /// they can be touched is determined for those that are nearer than `reach` \[m\].
    #[inline(always)]
    fn surfaces<R: Lanes>(
        &self,
        context: &StepContext,
        pose: impl Fn(&Wall) -> &Pose,
        centres: Vector<R>,
        reach: R,
    ) -> SurfacePoints<R> {
        let wall = self.wall(context, 0);
        // they mostly are: candidates are sorted by walls
        let same = self.wall[..R::LANES].iter().all(|&number| number == self.wall[0]);
        if same && let Some(found) = wall.surface_points(pose(wall), self.feature, centres) {
            return found;
        }
        let mut points = [SurfacePoint::NONE; MOST_LANES];
        for (lane, point) in points.iter_mut().enumerate().take(R::LANES) {
            let wall = self.wall(context, lane);
            let is_nearest = self.certain[lane] == Certain::Nearest;
            let reach = if is_nearest { 0.0 } else { reach.lane(lane) };
            *point = wall.surface_point_within(pose(wall), self.feature[lane], centres.lane(lane), reach);
            point.is_nearest |= is_nearest;
        }
        SurfacePoints::from_lanes(|lane| points[lane])
    }
}

/// Surface point of a wall's feature nearest to a particle at the end of the step.
#[inline]
pub(crate) fn surface(context: &StepContext, slot: usize, wall: &Wall, feature: u32) -> SurfacePoint {
    wall.surface_point(&wall.pose, feature, context.bodies().position.get(slot))
}

/// How far the sphere of a lane may move before the result may change whether it can touch its feature, see
/// [`Wall::certainty`] \[m\].
pub(crate) fn certainty(context: &StepContext, bodies: &Bodies, meetings: &Meetings, lane: usize) -> f64 {
    let centre = bodies.position.get(meetings.slot[lane] as usize);
    meetings.wall(context, lane).certainty(meetings.feature[lane], centre)
}

/// Where spheres are within `range` of features that they can touch.
#[inline(always)]
pub(crate) fn are_near<R: Lanes>(context: &StepContext, bodies: &Bodies, meetings: &Meetings, range: f64) -> R::Mask {
    let reach = (R::pick(bodies.radius, meetings.slot) + R::splat(range)) * R::splat(1.0 + ROUNDING);
    let centres = R::pick_vectors(bodies.position, meetings.slot);
    let surfaces = meetings.surfaces(context, |wall| &wall.pose, centres, reach);
    surfaces.is_nearest & surfaces.distance.less(reach)
}

/// Where spheres that keep their velocities for some `time` \[s\] may come within `range` of features, whether they can touch them now or
/// only from where they will be.
#[inline(always)]
pub(crate) fn come_near<R: Lanes>(
    context: &StepContext,
    bodies: &Bodies,
    meetings: &Meetings,
    range: f64,
    time: f64,
) -> R::Mask {
    let centres = R::pick_vectors(bodies.position, meetings.slot);
    let surfaces = meetings.surfaces(context, |wall| &wall.pose, centres, R::zero());
    let course = R::pick_vectors(bodies.velocity, meetings.slot).length_squared().sqrt() * R::splat(time);
    let reach = R::pick(bodies.radius, meetings.slot) + R::splat(range) + course;
    surfaces.distance.less(reach * R::splat(1.0 + ROUNDING))
}

/// Effective radius of a sphere on a surface of the mean `curvature` \[1/m\], which counts only if the wall requires
/// it.
#[inline]
pub fn effective_radius(radius: f64, wall: &Wall, curvature: f64) -> f64 {
    if !wall.curved_contact {
        return radius;
    }
    let curvature = 1.0 / radius + curvature;
    // a hollow tighter than the sphere touches along a ring, which no point contact describes
    if curvature > 1e-3 / radius { 1.0 / curvature } else { 1e3 * radius }
}

/// Kinematics of spheres and features of walls under a law of some `range` \[m\]; j is the wall, with infinite radius and mass.
#[inline(always)]
pub(crate) fn walls<R: Lanes>(
    context: &StepContext,
    bodies: &Bodies,
    meetings: &Meetings,
    range: f64,
) -> (Kinematics<R>, Levers<R>) {
    let half = R::splat(0.5);
    let (wall, slot) = (|lane: usize| meetings.wall(context, lane), meetings.slot);
    let (x1, x0) = (R::pick_vectors(bodies.position, slot), R::pick_vectors(bodies.previous_position, slot));
    let radius = R::pick(bodies.radius, slot);
    // what is farther away does not act in any case
    let reach = (radius + R::splat(range)) * R::splat(1.0 + ROUNDING);
    let ends = meetings.surfaces(context, |wall| &wall.pose, x1, reach);
    let starts = meetings.surfaces(context, |wall| &wall.previous_pose, x0, R::zero());
    let (normal1, normal0) = (-ends.normal, -starts.normal);
    let farthest = radius * R::splat(FAR);
    let gap = radius - ends.distance.minimum(farthest);
    let overlap0 = radius - starts.distance.minimum(farthest);
    // where another feature is nearer the contact with this one is over, however close it still is
    let overlap1 = R::select(ends.is_nearest, gap, gap.minimum(R::splat(0.0 - range)));
    let share = R::splat(context.overlap_share_of_walls);
    let lever = radius.minus_product(share, overlap1);

    // lever arm of the contact point from the wall's reference point
    let (reference1, reference0) = (
        Vector::<R>::from_lanes(|lane| wall(lane).pose.position),
        Vector::<R>::from_lanes(|lane| wall(lane).previous_pose.position),
    );
    let arm1 = (x1 - reference1).plus_scaled(normal1, lever);
    let (ai, aw) = (
        R::pick_vectors(bodies.rotation_increment, slot),
        Vector::<R>::from_lanes(|lane| wall(lane).rotation_increment),
    );
    let (wi, ww) =
        (R::pick_vectors(bodies.angular_velocity, slot), Vector::<R>::from_lanes(|lane| wall(lane).angular_velocity));
    let wall_velocity = Vector::<R>::from_lanes(|lane| wall(lane).velocity).plus_cross(ww, arm1);
    let mut v = R::pick_vectors(bodies.velocity, slot).plus_cross(wi, normal1 * lever) - wall_velocity;
    let mut moved = (x1 - x0) - (reference1 - reference0);
    if context.has_belts {
        // what slides along itself drags along and does not push
        v -= Vector::<R>::from_lanes(|lane| wall(lane).motion.surface_velocity).reject(normal1);
        moved -= Vector::<R>::from_lanes(|lane| wall(lane).pose.slid - wall(lane).previous_pose.slid);
    }
    let arm0 = |lever: R| (x0 - reference0).plus_scaled(normal0, lever);
    let u = match context.slip {
        SlipForm::Finite => {
            let mean_lever = (normal0 + normal1) * (half * lever);
            moved.plus_cross(ai, mean_lever) - aw.cross((arm0(lever) + arm1) * half)
        }
        SlipForm::FirstOrder => v * R::splat(context.time_step),
        SlipForm::StartPoints => {
            let lever0 = radius.minus_product(share, overlap0);
            moved + turned_by(ai, normal0 * lever0) - turned_by(aw, arm0(lever0))
        }
    };
    let mut inverse_mass = R::pick(bodies.inverse_mass, slot);
    if context.has_bodies {
        inverse_mass += body_masses::of_turning(context.particles, context.width, slot, None, normal1);
    }
    if context.counts_spheres {
        inverse_mass = sphere_masses::inverse_masses(context.particles, slot, None);
    }
    inverse_mass = inverse_mass.maximum(R::splat(SMALLEST_INVERSE_MASS));

    let kinematics = Kinematics {
        normal0,
        normal1,
        overlap0,
        overlap1,
        overlap_rate: v.dot(normal1),
        slip: u.reject(normal1),
        tangential_velocity: v.reject(normal1),
        relative_spin: wi - ww,
        relative_rotation: ai - aw,
        transport: Transport::new(context.transport, normal0, normal1, ai, aw),
        effective_radius: R::from_lanes(|lane| {
            effective_radius(bodies.radius[slot[lane] as usize], wall(lane), ends.curvature.lane(lane))
        }),
        effective_mass: effective_mass(R::splat(1.0) / inverse_mass),
        smaller_radius: radius,
        centre_distance: R::splat(f64::INFINITY),
        near_field_distance: if range > 0.0 {
            let takes_part = |lane: usize| wall(lane).near_field;
            R::from_lanes(|lane| if takes_part(lane) { ends.distance.lane(lane) } else { f64::INFINITY })
        } else {
            R::splat(f64::INFINITY)
        },
        time_step: R::splat(context.time_step),
        time: R::splat(context.time),
    };
    (kinematics, Levers { first_length: lever, second_length: R::zero(), first: normal1 * lever, second: arm1 })
}

/// Kinematics of one contact, and the lever arms of its contact point, under a law of some `range` \[m\].
pub fn wall(context: &StepContext, slot: usize, wall: usize, feature: u32, range: f64) -> (Kinematics, Levers) {
    context.width.run_alone(OneMeeting { context, slot: slot as u32, wall: wall as u32, feature, range })
}

struct OneMeeting<'a> {
    context: &'a StepContext<'a>,
    slot: u32,
    wall: u32,
    feature: u32,
    range: f64,
}

impl LaneTask for OneMeeting<'_> {
    type Output = (Kinematics, Levers);
    #[inline(always)]
    fn run<R: Lanes>(self) -> (Kinematics, Levers) {
        let (slot, wall, feature) = ([self.slot; MOST_LANES], [self.wall; MOST_LANES], [self.feature; MOST_LANES]);
        let certain = [Certain::Nothing; MOST_LANES];
        let meetings = Meetings { slot: &slot, wall: &wall, feature: &feature, certain: &certain };
        walls::<f64>(self.context, &self.context.bodies(), &meetings, self.range)
    }
}
