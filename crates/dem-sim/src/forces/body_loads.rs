//! Loads on rigid bodies: the sums of those on their members, and fields.

use dem_contact::sums::{ForceColumns, GROUP, GroupSums};
use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::lanes::{LaneTask, Lanes, Width};
use dem_core::particles::Particles;
use rayon::prelude::*;

use super::components::ForceEvaluation;
use super::particle_loads::force_and_torque;
use super::trial_loads::TrialLoads;
use crate::fields::motion::Load;
use crate::state::other_loads::OtherLoads;

/// Bodies, and members, per unit of parallel work.
const BLOCK: usize = 256;

impl ForceEvaluation {
    /// What has been evaluated and not accepted yet.
    pub(crate) fn trial_loads(&self) -> TrialLoads<'_> {
        TrialLoads { force: &self.force, torque: &self.torque, bodies: &self.body_loads }
    }

    /// Sums the loads on all bodies from the forces \[N\] and torques \[N m\] of contacts on particles. Returns whether all are finite.
    pub(crate) fn sum_bodies(&mut self, p: &Particles, force: &[DVec3], torque: &[DVec3], others: &OtherLoads) -> bool {
        let bodies = &p.bodies;
        let on = |body: &Body| load_on(p, body, force, torque, others);
        bodies.all.par_iter().with_min_len(BLOCK).map(on).collect_into_vec(&mut self.body_loads);
        self.body_loads.iter().all(|load| load.force.is_finite() && load.torque.is_finite())
    }
}

/// Puts the sums of the contacts of members, from the slot `first` on, into columns.
pub(crate) fn sum_members(
    contacts: ForceColumns,
    first: usize,
    force: &mut [DVec3],
    torque: &mut [DVec3],
    width: Width,
) {
    let blocks = force.par_chunks_mut(BLOCK).zip(torque.par_chunks_mut(BLOCK)).enumerate();
    blocks.for_each(|(block, (force, torque))| {
        width.run(MemberSums { contacts, first: first + block * BLOCK, force, torque });
    });
}

/// Members whose slots follow each other, and the sums of their contacts.
pub(crate) struct MemberSums<'a> {
    /// Where the sums can be taken from.
    pub contacts: ForceColumns<'a>,
    /// Slot of the first one.
    pub first: usize,
    /// Forces \[N\].
    pub force: &'a mut [DVec3],
    /// Torques \[N m\].
    pub torque: &'a mut [DVec3],
}

impl LaneTask for MemberSums<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { contacts, first, force, torque } = self;
        let (mut sums, mut done) = (GroupSums::default(), 0);
        while done < force.len() {
            let (group, from) = ((first + done) / GROUP, (first + done) % GROUP);
            let of_group = contacts.sums_of_group::<R>(group, &mut sums);
            let count = (GROUP - from).min(force.len() - done);
            for k in 0..count {
                (force[done + k], torque[done + k]) = force_and_torque(&of_group.0[from + k]);
            }
            done += count;
        }
    }
}

/// Load on a body: contacts and external loads of its members in their order, then fields and guides.
pub(crate) fn load_on(p: &Particles, body: &Body, forces: &[DVec3], torques: &[DVec3], others: &OtherLoads) -> Load {
    let first = body.first as usize;
    let first_member = first - p.independent();
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for k in 0..body.count as usize {
        let (on_member, torque_on_member) = (forces[first + k], torques[first + k]);
        force += on_member;
        torque += torque_on_member + p.bodies.arm[first_member + k].cross(on_member);
        if let Some(external) = others.external(first + k) {
            force += external.force;
            torque += external.torque;
        }
    }
    others.complete_body(body, force, torque)
}
