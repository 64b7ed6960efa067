//! What an evaluation of the contacts leaves behind: the wrench and mode of every contact that touches.

use bytemuck::{Pod, Zeroable};
use dem_core::DVec3;
use dem_core::contact_list::{CHUNK, ContactKey, ContactList};
use dem_core::history::ContactWork;

use crate::geometry::Levers;
use crate::law::{ElasticEnergy, Mode, Stiffness};

/// Marks a candidate that does not touch in [`ContactForces::local`].
pub const NOT_TOUCHING: u16 = u16::MAX;

/// Force and torques of one contact.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Wrench {
    /// Force on the first body; the opposite acts on the second \[N\].
    pub force: DVec3,
    /// Torque on the first body about its centre \[N m\].
    pub torque_first: DVec3,
    /// Torque on the second body about its centre or the wall's reference point \[N m\].
    pub torque_second: DVec3,
}

/// Result of an evaluation: wrenches of the touching candidates of all segments.
#[derive(Clone, Debug, Default)]
pub struct ContactForces {
    /// Largest overlap in proportion to the smaller radius in the last evaluation \[-\].
    pub largest_overlap_ratio: f64,
    /// For every candidate its number among the touching ones of its chunk, or [`NOT_TOUCHING`].
    pub local: Vec<u16>,
    pub(crate) wrench: Vec<Wrench>,
    pub(crate) mode: Vec<Mode>,
}

impl ContactForces {
    /// Room for the candidates of a list; nothing touches until the next evaluation.
    pub fn sized(list: &ContactList) -> Self {
        let places = list.first.len().next_multiple_of(CHUNK);
        Self {
            largest_overlap_ratio: 0.0,
            local: vec![NOT_TOUCHING; places],
            // zero pages: what no contact uses never becomes resident
            wrench: bytemuck::allocation::zeroed_vec(places),
            mode: vec![Mode::Open; places],
        }
    }

    /// Wrench of a candidate, if it touches.
    #[inline]
    pub fn get(&self, candidate: usize) -> Option<&Wrench> {
        let local = self.local[candidate];
        if local == NOT_TOUCHING { None } else { Some(&self.wrench[candidate / CHUNK * CHUNK + local as usize]) }
    }

    /// Wrench of a candidate, zero if it does not touch.
    #[inline(always)]
    pub fn get_or_zero(&self, candidate: usize) -> &Wrench {
        const ZERO: &Wrench = &Wrench { force: DVec3::ZERO, torque_first: DVec3::ZERO, torque_second: DVec3::ZERO };
        let local = self.local[candidate];
        let found = self.wrench.get(candidate / CHUNK * CHUNK + local as usize % CHUNK).unwrap_or(ZERO);
        if local == NOT_TOUCHING { ZERO } else { found }
    }

    pub(crate) fn put(&mut self, candidate: usize, local: u16, wrench: Wrench, mode: Mode) {
        let at = candidate / CHUNK * CHUNK + local as usize;
        self.local[candidate] = local;
        self.wrench[at] = wrench;
        self.mode[at] = mode;
    }

    /// Whether the surfaces of a candidate touch: false for pairs that attract or repel each other at a distance.
    #[inline]
    pub fn touches(&self, candidate: usize) -> bool {
        self.mode(candidate).is_some_and(|mode| mode != Mode::Apart)
    }

    /// Mode of a candidate, if it touches.
    pub fn mode(&self, candidate: usize) -> Option<Mode> {
        let local = self.local[candidate];
        if local == NOT_TOUCHING { None } else { Some(self.mode[candidate / CHUNK * CHUNK + local as usize]) }
    }
}

/// A contact list with the forces on it.
pub struct LoadedList<'a> {
    /// The list.
    pub list: &'a ContactList,
    /// Forces of its touching candidates.
    pub forces: &'a ContactForces,
}

/// A contact as seen by outputs, energy sums and the time-step bound: it touches, or is within the range of its law.
#[derive(Clone, Copy, Debug)]
pub struct ContactView {
    /// Identity.
    pub key: ContactKey,
    /// Place in the contact list.
    pub candidate: usize,
    /// Slot of the first particle.
    pub first: usize,
    /// Slot of the second particle, or number of the wall.
    pub second: usize,
    /// Unit normal from the first body to the second.
    pub normal: DVec3,
    /// Overlap \[m\]; negative within the range of a law that acts at a distance.
    pub overlap: f64,
    /// From the centre of the first body to that of the second, or to the contact point on a wall \[m\].
    pub branch: DVec3,
    /// Levers of the contact point \[m\].
    pub levers: Levers,
    /// Tangent stiffness.
    pub stiffness: Stiffness,
    /// Elastic energy.
    pub energy: ElasticEnergy,
    /// Elastic slip \[m\].
    pub elastic_slip: DVec3,
    /// Work so far.
    pub work: ContactWork,
}
