//! Sums of the contact forces on particles, the fields and the guides.
//!
//! The contacts of a particle are added in canonical order: those with other particles by their ids, then those with
//! walls. Four components of force and four of torque are added in SIMD lanes, the fourth of each being padding,
//! because that is what processors add at once.

use dem_contact::sums::{ForceColumns, GroupSums};
use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Lanes, Width};
use dem_core::particles::ExternalLoad;

use crate::fields::body_forces::Fields;
use crate::fields::motion::{Load, Motion};
use crate::fields::porosity::Porosity;
use crate::guides::guide::Guides;
use crate::state::other_loads::OtherLoads;
use crate::state::world::World;

/// The loads of a world other than contacts, taken out of it while contacts are evaluated: the world has none of them
/// until [`Self::put_back`].
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
    /// Loads other than contacts.
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

    /// Total load of the particle in a slot; `motion` is evaluated only by fields that do work and by guides.
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
