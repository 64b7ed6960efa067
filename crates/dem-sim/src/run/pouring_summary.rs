//! What sources have poured, and what they had no room for.

use serde::Serialize;

use crate::insertion::pouring::PouringLimit;
use crate::insertion::pouring_source::PouringSource;

/// What a source that pours has come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PouringSummary {
    /// Name of the source.
    pub source: String,
    /// Particles poured.
    pub particles: u64,
    /// Their mass \[kg\].
    pub mass: f64,
    /// Particles requested of it; null if no number was requested.
    pub asked_particles: Option<u64>,
    /// Mass requested of it \[kg\]; null if no mass was requested.
    pub asked_mass: Option<f64>,
    /// Time in which a particle was due and found no place \[s\].
    pub blocked_time: f64,
    /// Whether some of the requested particles are still missing and it finds no place for them.
    pub lacks_room: bool,
}

impl PouringSummary {
    /// Of a source.
    pub(super) fn of(source: &PouringSource) -> Self {
        let pouring = &source.pouring;
        let (asked_particles, asked_mass) = match pouring.settings().limit {
            Some(PouringLimit::Count(count)) => (Some(count), None),
            Some(PouringLimit::Mass(mass)) => (None, Some(mass)),
            None => (None, None),
        };
        Self {
            source: source.name.clone(),
            particles: pouring.count(),
            mass: pouring.mass(),
            asked_particles,
            asked_mass,
            blocked_time: pouring.blocked_time(),
            lacks_room: source.lacks_room(),
        }
    }

    /// How much of what was requested it has poured.
    pub fn describe(&self) -> String {
        let Self { source, particles, mass, .. } = self;
        let poured = match (self.asked_particles, self.asked_mass) {
            (Some(asked), _) => format!("{particles} of {asked} particles"),
            (None, Some(asked)) => format!("{particles} particles, {mass:.4e} of {asked:.4e} kg"),
            (None, None) => format!("{particles} particles, {mass:.4e} kg"),
        };
        let room = if self.lacks_room { ", no room for more in its region" } else { "" };
        format!("{source}: {poured}{room}")
    }
}
