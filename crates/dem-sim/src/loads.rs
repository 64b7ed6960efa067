//! Sums of the contact forces on particles, the fields and the guides.
//!
//! The contacts of a particle are added in canonical order: those with other particles by their ids, then those with walls. Four numbers
//! of force and four of torque go side by side through every addition, the fourth for nothing, because that is what processors add at once.

use dem_contact::sums::{ForceColumns, GroupSums};
use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Lanes, Vector, Width};
use dem_core::particles::ExternalLoad;

use crate::fields::{Fields, Load, Motion, Porosity, StepFields};
use crate::guides::{GuidedMotion, Guides};
use crate::world::World;

/// What acts on particles beside contacts, at the end of a step.
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

    /// Loads of the user on some particles from a slot on: force \[N\] and torque \[N m\].
    #[inline(always)]
    pub fn external_in_lanes<R: Lanes>(&self, slot: usize) -> Option<(Vector<R>, Vector<R>)> {
        let loads = self.external.get(slot..slot + R::LANES)?;
        Some((Vector::from_lanes(|lane| loads[lane].force), Vector::from_lanes(|lane| loads[lane].torque)))
    }

    /// Total load of the particle in a slot, from the force and torque of its contacts; `motion` is asked only by fields that do work and by guides.
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
            load.force = self.guides.constrain(slot, load.force, || {
                let Motion { mass, position, velocity, .. } = motion();
                GuidedMotion { mass, position, velocity }
            });
        }
        load
    }
}

/// What is held of a world that acts beside contacts, while these are evaluated: the world has none of it until [`Self::put_back`].
pub(crate) struct HeldLoads {
    external: Vec<ExternalLoad>,
    fields: Fields,
    porosity: Porosity,
    guides: Guides,
    start: f64,
    time_step: f64,
}

impl HeldLoads {
    /// Takes it.
    pub fn take(world: &mut World) -> Self {
        Self {
            external: std::mem::take(&mut world.particles.external),
            fields: world.fields,
            porosity: std::mem::take(&mut world.porosity),
            guides: std::mem::take(&mut world.guides),
            start: world.time,
            time_step: world.time_step,
        }
    }

    /// As loads at the end of the step.
    pub fn loads(&self) -> OtherLoads<'_> {
        let fields = self.fields.over_step(&self.porosity, self.start, self.time_step);
        OtherLoads::new(&self.external, fields, &self.guides)
    }

    /// Puts it back.
    pub fn put_back(self, world: &mut World) {
        (world.particles.external, world.porosity, world.guides) = (self.external, self.porosity, self.guides);
    }
}

/// Everything that acts on particles at the end of a step.
#[derive(Clone, Copy)]
pub struct Loads<'a> {
    contacts: ForceColumns<'a>,
    /// What acts beside contacts.
    pub others: OtherLoads<'a>,
}

impl<'a> Loads<'a> {
    /// Loads of the last evaluation of a world's contacts, with fields at the end of a step of that length \[s\].
    pub fn new(world: &'a World, time_step: f64) -> Self {
        Self::of(world.forces.columns(), world.other_loads(time_step))
    }

    /// Loads from their parts.
    pub fn of(contacts: ForceColumns<'a>, others: OtherLoads<'a>) -> Self {
        Self { contacts, others }
    }

    /// Total load of the particle in a slot; `motion` is asked only by fields that do work and by guides.
    #[inline(always)]
    pub fn on(&self, slot: usize, mass: f64, motion: impl Fn() -> Motion) -> Load {
        let (force, torque) = force_and_torque(&self.contacts.sum_of(slot));
        self.others.complete(slot, mass, force, torque, motion)
    }

    /// Sums of the contacts of the particles of a group, as [`ForceColumns::sums_of_group`] gives them.
    #[inline(always)]
    pub fn sums_of_contacts<'b, R: Lanes>(&'b self, group: usize, sums: &'b mut GroupSums) -> &'b GroupSums {
        self.contacts.sums_of_group::<R>(group, sums)
    }

    /// The same, by the lanes of a width.
    pub fn sums_of_contacts_by<'b>(&'b self, width: Width, group: usize, sums: &'b mut GroupSums) -> &'b GroupSums {
        width.run(SumsOfContacts { loads: self, group, sums })
    }
}

struct SumsOfContacts<'a> {
    loads: &'a Loads<'a>,
    group: usize,
    sums: &'a mut GroupSums,
}

impl<'a> LaneTask for SumsOfContacts<'a> {
    type Output = &'a GroupSums;

    #[inline(always)]
    fn run<R: Lanes>(self) -> &'a GroupSums {
        self.loads.sums_of_contacts::<R>(self.group, self.sums)
    }
}

/// Force and torque of the sums of a particle's contacts.
#[inline(always)]
pub fn force_and_torque(&[fx, fy, fz, _, tx, ty, tz, _]: &[f64; 8]) -> (DVec3, DVec3) {
    (DVec3::new(fx, fy, fz), DVec3::new(tx, ty, tz))
}
