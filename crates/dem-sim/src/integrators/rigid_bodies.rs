//! The loop over rigid bodies, with the columns of their members.

use dem_contact::fused_integration::Course;
use dem_core::bodies::body::Body;
use dem_core::bodies::placing::{MemberColumns, cut};
use dem_core::bodies::template::Template;
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Lanes, Width};
use dem_core::twist::Twist;
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use super::extent::Extent;
use super::mobile::{Mobile, MobileTask};
use crate::fields::motion::Load;
use crate::forces::trial_loads::TrialLoads;
use crate::state::world::World;

/// Bodies per unit of parallel work.
const BLOCK: usize = 64;

/// One rigid body as an integrator reads and moves it.
pub(super) struct RigidBody<'a, 'b> {
    /// Its place in the table.
    pub index: usize,
    body: &'a mut Body,
    template: &'a Template,
    cell: &'a Cell,
    members: &'a mut MemberColumns<'b>,
    /// Orientation at which the rotation of the step begins.
    start: DQuat,
    longest_squared: f64,
}

impl RigidBody<'_, '_> {
    /// Takes the loads that have just been evaluated for those of the state.
    #[inline(always)]
    pub fn accept(&mut self, load: &Load) {
        self.body.force = load.force;
        self.body.torque = load.torque;
        self.body.field_dissipation += load.dissipated;
    }

    /// Rate of the velocity by a force and a torque.
    #[inline(always)]
    pub fn acceleration_by(&self, force: DVec3, torque: DVec3) -> Twist {
        self.body.released(Twist::new(force * (1.0 / self.body.mass), torque))
    }

    #[inline(always)]
    fn place(&mut self) {
        let longest = self.members.place(self.body, self.template, self.cell);
        self.longest_squared = self.longest_squared.max(longest);
    }

    #[inline(always)]
    fn is_finite(&self) -> bool {
        let b = &*self.body;
        b.position.is_finite()
            && b.velocity.is_finite()
            && b.angular_momentum.is_finite()
            && b.orientation().is_finite()
    }
}

impl Mobile for RigidBody<'_, '_> {
    #[inline(always)]
    fn begin(&mut self, offset: Twist) {
        self.members.begin(self.body, self.cell);
        self.start = self.body.orientation();
        if offset == Twist::ZERO {
            return;
        }
        // members where forces were last evaluated
        let (position, orientation) = (self.body.position, self.body.orientation);
        self.body.position -= offset.linear;
        // the free rotation is reversible
        self.body.rotate(-offset.angular);
        self.members.place(self.body, self.template, self.cell);
        self.members.previous_position.copy_from_slice(self.members.position);
        (self.body.previous_position, self.start) = (self.body.position, self.body.orientation());
        (self.body.position, self.body.orientation) = (position, orientation);
        self.members.place(self.body, self.template, self.cell);
    }

    #[inline(always)]
    fn velocity(&self) -> Twist {
        self.body.released(Twist::new(self.body.velocity, self.body.angular_momentum))
    }

    #[inline(always)]
    fn set_velocity(&mut self, velocity: Twist) {
        (self.body.velocity, self.body.angular_momentum) = (velocity.linear, velocity.angular);
        self.members.set_velocities(self.body, self.cell);
    }

    #[inline(always)]
    fn acceleration(&self) -> Twist {
        self.acceleration_by(self.body.force, self.body.torque)
    }

    #[inline(always)]
    fn acceleration_on_trial(&self, loads: &TrialLoads) -> Twist {
        let Load { force, torque, .. } = loads.bodies[self.index];
        self.acceleration_by(force, torque)
    }

    #[inline(always)]
    fn shift(&mut self, displacement: Twist) {
        self.body.position += displacement.linear;
        self.body.rotate(displacement.angular);
        self.place();
        self.members.note_rotation(self.body, self.start, self.cell);
    }
}

/// What is done to rigid bodies.
pub(super) trait BodyTask: Sync {
    /// Does it to one.
    fn act(&self, body: &mut RigidBody);
}

impl<T: MobileTask> BodyTask for T {
    #[inline(always)]
    fn act(&self, body: &mut RigidBody) {
        MobileTask::act(self, body);
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
        inverse_diagonal: &mut p.bodies.inverse_diagonal,
        inverse_products: &mut p.bodies.inverse_products,
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
    let run = |block: Block| width.run_alone(Acting { block, templates: &templates, cell, task });
    blocks.into_par_iter().map(run).reduce(|| BodyExtent::NOTHING, BodyExtent::and)
}

/// Bodies that act one after the other, compiled with the instructions of a width: rotations have products in sums.
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
        let Self { block: Block { first, bodies, mut members, mut course }, templates, cell, task } = self;
        let mut all = BodyExtent::NOTHING;
        for (index, body) in (first..).zip(bodies) {
            let count = body.count as usize;
            let start = body.orientation();
            let template = &templates[body.template as usize];
            let mut own = members.cut(count);
            let mut one = RigidBody { index, body, template, cell, members: &mut own, start, longest_squared: 0.0 };
            task.act(&mut one);
            let mut found = BodyExtent {
                extent: Extent { longest_squared: one.longest_squared, finite: one.is_finite() },
                deviation_squared: 0.0,
            };
            if !course.is_empty() {
                let (predicted, rest) = course.split_at(count);
                course = rest;
                for ((&[x, y, z], &now), &before) in predicted.iter().zip(&*own.position).zip(&*own.previous_position) {
                    let deviation = now - before - DVec3::new(x.into(), y.into(), z.into());
                    found.deviation_squared = found.deviation_squared.max(deviation.length_squared());
                }
            }
            all = all.and(found);
        }
        all
    }
}
