//! Loads on particles other than contacts: external loads, fields, guides.

use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::lanes::{Lanes, Vector};
use dem_core::particles::ExternalLoad;

use crate::fields::body_forces::StepFields;
use crate::fields::motion::{Load, Motion};
use crate::guides::guide::Guides;
use crate::guides::led::GuidedMotion;

/// Loads on particles other than contacts, at the end of a step.
#[derive(Clone, Copy)]
pub struct OtherLoads<'a> {
    external: &'a [ExternalLoad],
    /// Fields over the step.
    pub fields: StepFields<'a>,
    guides: &'a Guides,
}

impl<'a> OtherLoads<'a> {
    /// From their parts.
    pub fn new(external: &'a [ExternalLoad], fields: StepFields<'a>, guides: &'a Guides) -> Self {
        Self { external, fields, guides }
    }

    /// Whether uniform gravity is all there is.
    #[inline(always)]
    pub fn are_plain(&self) -> bool {
        self.external.is_empty() && !self.fields.does_work() && self.guides.is_idle()
    }

    /// Whether all of it can be computed for several particles at once.
    #[inline(always)]
    pub fn go_in_lanes(&self) -> bool {
        self.guides.is_idle() && (!self.fields.does_work() || self.fields.go_in_lanes())
    }

    /// Load of the user on the particle in a slot, if there are any.
    pub fn external(&self, slot: usize) -> Option<&ExternalLoad> {
        self.external.get(slot)
    }

    /// Loads of the user on some particles from a slot on: force \[N\] and torque \[N m\].
    #[inline(always)]
    pub fn external_in_lanes<R: Lanes>(&self, slot: usize) -> Option<(Vector<R>, Vector<R>)> {
        let loads = self.external.get(slot..slot + R::LANES)?;
        Some((Vector::from_lanes(|lane| loads[lane].force), Vector::from_lanes(|lane| loads[lane].torque)))
    }

    /// Total load of the particle in a slot, from the force and torque of its contacts; `motion` is evaluated only by
    /// fields that do work and by guides.
    #[inline(always)]
    pub fn complete(
        &self,
        slot: usize,
        mass: f64,
        mut force: DVec3,
        mut torque: DVec3,
        motion: impl Fn() -> Motion,
    ) -> Load {
        if let Some(external) = self.external.get(slot) {
            force += external.force;
            torque += external.torque;
        }
        let mut load = if self.fields.does_work() {
            let mut motion = motion();
            if !self.guides.is_idle() {
                // what holds a bead on its path is part of its load
                motion.load_before = None;
            }
            self.fields.apply(&motion, force, torque)
        } else {
            Load { force: force + mass * self.fields.gravity(), torque, dissipated: 0.0 }
        };
        if !self.guides.is_idle() {
            let motion = || {
                let Motion { mass, position, velocity, .. } = motion();
                GuidedMotion { mass, position, velocity, angular_momentum: DVec3::ZERO }
            };
            (load.force, load.torque) = self.guides.constrain(slot, load.force, load.torque, motion);
        }
        load
    }

    /// Total load of a rigid body, from the force and torque of the contacts and external loads of its members.
    #[inline(always)]
    pub fn complete_body(&self, body: &Body, force: DVec3, torque: DVec3) -> Load {
        let mut load = if self.fields.does_work() {
            let mut motion = Motion::of_body(body);
            if !self.guides.is_idle() {
                motion.load_before = None;
            }
            self.fields.apply(&motion, force, torque)
        } else {
            Load { force: force + body.mass * self.fields.gravity(), torque, dissipated: 0.0 }
        };
        if !self.guides.is_idle() {
            let (slot, motion) = (body.first as usize, || GuidedMotion::of_body(body));
            (load.force, load.torque) = self.guides.constrain(slot, load.force, load.torque, motion);
        }
        load
    }
}
