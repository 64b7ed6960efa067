//! The loop over rigid bodies, as many at once as a width has lanes, with the columns of their members.

use std::ops::{Add, Mul, Sub};

use dem_contact::fused_integration::Course;
use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::bodies::in_lanes::BodiesInLanes;
use dem_core::bodies::placing::{MemberColumns, MembersInLanes, cut};
use dem_core::bodies::template::Template;
use dem_core::cell::Cell;
use dem_core::frozen;
use dem_core::lanes::{LaneTask, Lanes, Mask, Vector, Width};
use rayon::prelude::*;

use super::extent::Extent;
use super::mobile::{Mobile, MobileTask};
use crate::fields::motion::Load;
use crate::forces::trial_loads::TrialLoads;
use crate::state::world::World;

/// Bodies per unit of parallel work.
const BLOCK: usize = 64;

/// Displacements, velocities or rates of them, of the centres and in angular momenta.
#[derive(Clone, Copy)]
pub(super) struct Twists<R: Lanes> {
    linear: Vector<R>,
    angular: Vector<R>,
}

impl<R: Lanes> Add for Twists<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl<R: Lanes> Sub for Twists<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }
}

impl<R: Lanes> Mul<f64> for Twists<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        let factor = R::splat(factor);
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }
}

/// Rigid bodies as an integrator reads and moves them, one per lane.
pub(super) struct RigidBodies<'a, 'b, R: Lanes> {
    /// Place in the table of the first one.
    first: usize,
    bodies: &'a mut [Body],
    state: BodiesInLanes<R>,
    members: MembersInLanes<'a>,
    columns: &'a mut MemberColumns<'b>,
    cell: &'a Cell,
    /// Orientations at which the rotation of the step begins, none in a pass that goes on with a step.
    start: Option<[R; 4]>,
    longest_squared: R,
}

impl<R: Lanes> RigidBodies<'_, '_, R> {
    /// Takes the loads that have just been evaluated for those of the state.
    #[inline(always)]
    pub fn accept(&mut self, loads: &TrialLoads) {
        let loads = &loads.bodies[self.first..][..R::LANES];
        (self.state.force, self.state.torque) = in_lanes(loads);
        for (body, load) in self.bodies.iter_mut().zip(loads) {
            body.field_dissipation += load.dissipated;
        }
    }

    #[inline(always)]
    fn released(&self, twists: Twists<R>) -> Twists<R> {
        Twists {
            linear: self.state.release(twists.linear, self.bodies, frozen::TRANSLATION),
            angular: self.state.release(twists.angular, self.bodies, frozen::ROTATION),
        }
    }

    /// Rates of the velocities by forces and torques.
    #[inline(always)]
    fn acceleration_by(&self, (force, torque): (Vector<R>, Vector<R>)) -> Twists<R> {
        self.released(Twists { linear: force * (R::splat(1.0) / self.state.mass), angular: torque })
    }

    #[inline(always)]
    fn place(&mut self) {
        let longest = self.columns.place(&self.state, self.bodies, &self.members, self.cell);
        self.longest_squared = longest.maximum(self.longest_squared);
    }

    /// What was done to them.
    #[inline(always)]
    fn extent(&self) -> Extent {
        let BodiesInLanes { position, velocity, angular_momentum, orientation: [x, y, z, w], .. } = self.state;
        let zero = Vector::zero();
        let sum = (position.dot(zero) + velocity.dot(zero)) + angular_momentum.dot(zero);
        let sum = sum + (Vector::new(x, y, z).dot(zero) + w * R::zero());
        let longest = self.longest_squared;
        Extent {
            longest_squared: (0..R::LANES)
                .fold(0.0, |longest_squared: f64, lane| longest_squared.max(longest.lane(lane))),
            finite: sum.at_most(R::zero()).all(),
        }
    }
}

/// Forces and torques of some loads.
#[inline(always)]
fn in_lanes<R: Lanes>(loads: &[Load]) -> (Vector<R>, Vector<R>) {
    let [fx, fy, fz] = R::columns(|lane| loads[lane].force.as_ref());
    let [tx, ty, tz] = R::columns(|lane| loads[lane].torque.as_ref());
    (Vector::new(fx, fy, fz), Vector::new(tx, ty, tz))
}

impl<R: Lanes> Mobile for RigidBodies<'_, '_, R> {
    type Twist = Twists<R>;

    #[inline(always)]
    fn begin(&mut self) {
        self.columns.begin(&mut self.state, self.bodies, self.cell);
        self.start = Some(self.state.orientation);
    }

    #[inline(always)]
    fn begin_behind(&mut self, offset: Twists<R>) {
        self.begin();
        // members where forces were last evaluated: the free rotation is reversible
        let now = self.state;
        self.state.position -= offset.linear;
        self.state.rotate(-offset.angular);
        self.columns.place(&self.state, self.bodies, &self.members, self.cell);
        self.columns.previous_position.copy_from_slice(self.columns.position);
        let before = self.state;
        self.start = Some(before.orientation);
        self.state = BodiesInLanes { previous_position: before.position, ..now };
        self.columns.place(&self.state, self.bodies, &self.members, self.cell);
    }

    #[inline(always)]
    fn velocity(&self) -> Twists<R> {
        self.released(Twists { linear: self.state.velocity, angular: self.state.angular_momentum })
    }

    #[inline(always)]
    fn set_velocity(&mut self, velocity: Twists<R>) {
        (self.state.velocity, self.state.angular_momentum) = (velocity.linear, velocity.angular);
        self.columns.set_velocities(&self.state, &self.members, self.cell);
    }

    #[inline(always)]
    fn acceleration(&self) -> Twists<R> {
        self.acceleration_by((self.state.force, self.state.torque))
    }

    #[inline(always)]
    fn acceleration_on_trial(&self, loads: &TrialLoads) -> Twists<R> {
        self.acceleration_by(in_lanes(&loads.bodies[self.first..][..R::LANES]))
    }

    #[inline(always)]
    fn shift(&mut self, displacement: Twists<R>) {
        let start = match self.start {
            Some(start) => start,
            None => self.state.orientation_before_step(),
        };
        self.state.position += displacement.linear;
        self.state.rotate(displacement.angular);
        self.place();
        self.columns.note_rotation(&mut self.state, start, &self.members, self.cell);
    }
}

/// What is done to rigid bodies.
pub(super) trait BodyTask: Sync {
    /// Does it to those in lanes.
    fn act<R: Lanes>(&self, bodies: &mut RigidBodies<R>);
}

impl<T: MobileTask> BodyTask for T {
    #[inline(always)]
    fn act<R: Lanes>(&self, bodies: &mut RigidBodies<R>) {
        MobileTask::act(self, bodies);
    }
}

/// What a pass over bodies found out.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyExtent {
    /// Of the members.
    pub extent: Extent,
    /// Square of the largest deviation of a member from its predicted path \[m²\].
    pub deviation_squared: f64,
}

impl BodyExtent {
    const NOTHING: Self = Self { extent: Extent::NOTHING, deviation_squared: 0.0 };

    fn and(self, other: Self) -> Self {
        Self {
            extent: self.extent.and(other.extent),
            deviation_squared: self.deviation_squared.max(other.deviation_squared),
        }
    }
}

/// Bodies that follow each other in the table, with their members.
struct Block<'a> {
    first: usize,
    bodies: &'a mut [Body],
    members: MemberColumns<'a>,
    /// Predicted displacements of the members, if there are any.
    course: &'a [Course],
}

/// Lets every rigid body act, in parallel, and compares the moves of members with their predicted paths, if there are any.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
pub(super) fn each(world: &mut World, course: Option<&[Course]>, task: &impl BodyTask) -> BodyExtent {
    let World { particles: p, cell, .. } = world;
    if p.bodies.is_empty() {
        return BodyExtent::NOTHING;
    }
    let slots = p.independent()..p.owned();
    let parts: Vec<_> = p.bodies.blocks(BLOCK).map(|(bodies, members)| (bodies.len(), members.len())).collect();
    let course = course.map_or(&[][..], |course| &course[slots.clone()]);
    let templates = p.bodies.templates.clone();
    let mut bodies = &mut p.bodies.all[..];
    let mut members = MemberColumns {
        position: &mut p.position[slots.clone()],
        previous_position: &mut p.previous_position[slots.clone()],
        image: &mut p.image[slots.clone()],
        velocity: &mut p.velocity[slots.clone()],
        angular_velocity: &mut p.angular_velocity[slots.clone()],
        orientation: &mut p.orientation[slots.clone()],
        rotation_increment: &mut p.rotation_increment[slots],
        arm: &mut p.bodies.arm,
        mobility: &mut p.bodies.mobility,
    };
    let (mut first, mut first_member) = (0, 0);
    let blocks: Vec<Block> = parts
        .into_iter()
        .map(|(count, count_of_members)| {
            let block = Block {
                first,
                bodies: cut(&mut bodies, count),
                members: members.cut(count_of_members),
                course: course.get(first_member..first_member + count_of_members).unwrap_or(&[]),
            };
            first += count;
            first_member += count_of_members;
            block
        })
        .collect();
    let width = Width::fastest();
    let run = |block: Block| width.run(Acting { block, templates: &templates, cell, task });
    blocks.into_par_iter().map(run).reduce(|| BodyExtent::NOTHING, BodyExtent::and)
}

/// Bodies that act, as many at once as a width has lanes.
struct Acting<'a, T> {
    block: Block<'a>,
    templates: &'a [Template],
    cell: &'a Cell,
    task: &'a T,
}

impl<T: BodyTask> LaneTask for Acting<'_, T> {
    type Output = BodyExtent;

    #[inline(always)]
    fn run<R: Lanes>(self) -> BodyExtent {
        let Self { block: Block { mut first, mut bodies, mut members, mut course }, templates, cell, task } = self;
        let mut all = BodyExtent::NOTHING;
        while bodies.len() >= R::LANES {
            let group = cut(&mut bodies, R::LANES);
            all = all.and(act::<R, T>(task, first, group, &mut members, &mut course, templates, cell));
            first += R::LANES;
        }
        while !bodies.is_empty() {
            let group = cut(&mut bodies, 1);
            all = all.and(act::<f64, T>(task, first, group, &mut members, &mut course, templates, cell));
            first += 1;
        }
        all
    }
}

/// Lets the bodies in lanes act, whose members come first in the columns.
#[inline(always)]
fn act<R: Lanes, T: BodyTask>(
    task: &T,
    first: usize,
    bodies: &mut [Body],
    columns: &mut MemberColumns,
    course: &mut &[Course],
    templates: &[Template],
    cell: &Cell,
) -> BodyExtent {
    let members = MembersInLanes::of::<R>(bodies, templates);
    let count = members.all;
    let mut columns = columns.cut(count);
    let state = BodiesInLanes::<R>::load(bodies);
    let (start, longest_squared) = (None, R::zero());
    let mut these = RigidBodies { first, bodies, state, members, columns: &mut columns, cell, start, longest_squared };
    task.act(&mut these);
    let extent = these.extent();
    these.state.store(these.bodies);
    let mut deviation_squared = 0.0;
    if !course.is_empty() {
        let (predicted, rest) = course.split_at(count);
        *course = rest;
        for ((&[x, y, z], &now), &before) in predicted.iter().zip(&*columns.position).zip(&*columns.previous_position) {
            let deviation = now - before - DVec3::new(x.into(), y.into(), z.into());
            deviation_squared = f64::max(deviation_squared, deviation.length_squared());
        }
    }
    BodyExtent { extent, deviation_squared }
}
