//! Insertion of spheres at a rate while a simulation runs.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use super::body_source::{BodySource, NewGrain};
use super::error::{InsertionError, check};
use super::periodic_lengths::PeriodicLengths;
use super::region::Region;
use super::size_distribution::SizeDistribution;

/// Spheres one call places at most; the others stay owed.
const MOST_PER_CALL: usize = 4096;
/// Error of a sum of time steps, in spheres, that must not delay a sphere by a step.
const SUM_ERROR: f64 = 1e-9;

/// How fast spheres are added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PouringRate {
    /// Spheres per time `[1/s]`.
    NumberPerSecond(f64),
    /// Mass per time `[kg/s]`.
    MassPerSecond(f64),
}

/// When pouring ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PouringLimit {
    /// After so many spheres.
    Count(u64),
    /// After so much mass, to the nearest sphere `[kg]`.
    Mass(f64),
}

/// What is poured, where and how fast.
#[derive(Debug, Clone, PartialEq)]
pub struct PouringSettings {
    /// Rate.
    pub rate: PouringRate,
    /// Where spheres appear, uniformly over the places where they lie inside.
    pub region: Region,
    /// Sizes.
    pub sizes: SizeDistribution,
    /// Rigid bodies in place of spheres; sizes are then those of spheres of equal volume.
    pub bodies: Option<Arc<BodySource>>,
    /// Density of the spheres, mass over volume of bodies `[kg/m³]`.
    pub density: f64,
    /// Velocity of new spheres `[m/s]`.
    pub velocity: DVec3,
    /// End; `None` for never.
    pub limit: Option<PouringLimit>,
    /// Gap kept between new spheres `[m]`.
    pub gap: f64,
    /// Random places tried for a sphere in one call, 1 to 100 000.
    pub trials: u32,
    /// Periodic axes of the domain.
    pub periodic: PeriodicLengths,
}

impl PouringSettings {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`InsertionError::Value`] naming the number, the errors of region and sizes, and
    /// [`InsertionError::NoRoom`] where the largest sphere does not fit into the region.
    pub fn validate(&self) -> Result<(), InsertionError> {
        self.periodic.validate()?;
        self.region.validate(&self.periodic)?;
        self.sizes.validate()?;
        let (name, rate) = match self.rate {
            PouringRate::NumberPerSecond(rate) => ("number of spheres per second", rate),
            PouringRate::MassPerSecond(rate) => ("mass per second", rate),
        };
        check(name, rate, rate > 0.0, "above 0")?;
        check("density", self.density, self.density > 0.0, "above 0")?;
        check("gap", self.gap, self.gap >= 0.0, "at least 0")?;
        check("number of trials", f64::from(self.trials), (1..=100_000).contains(&self.trials), "1 to 100000")?;
        for axis in 0..3 {
            check("velocity", self.velocity[axis], true, "finite")?;
        }
        if let Some(PouringLimit::Mass(mass)) = self.limit {
            check("mass to be poured", mass, mass >= 0.0, "at least 0")?;
        }
        let largest = self.sizes.max_radius();
        // a body keeps its orientation, and has to fit in whichever it has
        let radius = self.bodies.as_ref().map_or(largest, |bodies| bodies.bounding_radius(largest));
        if self.periodic.holds(radius, self.gap) && self.region.centres(radius, &self.periodic).is_some() {
            Ok(())
        } else {
            Err(InsertionError::NoRoom { radius })
        }
    }
}

/// What pouring has done so far: all that a checkpoint must keep.
///
/// Floating-point numbers are serialised as their bits, so that no text format rounds them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PouringState {
    rng: Pcg64Mcg,
    /// Spheres, or mass, due but not placed.
    #[serde(with = "bits")]
    owed: f64,
    count: u64,
    #[serde(with = "bits")]
    mass: f64,
    /// Radius of the next sphere, kept until it fits: else large ones would become rare.
    #[serde(with = "bits")]
    next_radius: f64,
    #[serde(with = "bits")]
    blocked_time: f64,
    finished: bool,
}

/// Pouring at a rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Pouring {
    settings: PouringSettings,
    state: PouringState,
}

impl Pouring {
    /// A pouring that starts now; the first sphere is due after one interval.
    ///
    /// # Errors
    /// As [`PouringSettings::validate`].
    pub fn new(settings: PouringSettings, mut rng: Pcg64Mcg) -> Result<Self, InsertionError> {
        settings.validate()?;
        let next_radius = settings.sizes.sample(&mut rng);
        let state =
            PouringState { rng, owed: 0.0, count: 0, mass: 0.0, next_radius, blocked_time: 0.0, finished: false };
        let mut pouring = Self { settings, state };
        pouring.state.finished = pouring.is_at_limit();
        Ok(pouring)
    }

    /// A pouring that continues from a saved state.
    ///
    /// # Errors
    /// As [`PouringSettings::validate`], and [`InsertionError::Value`] for a state that no
    /// pouring with these settings leaves behind.
    pub fn resume(settings: PouringSettings, state: PouringState) -> Result<Self, InsertionError> {
        settings.validate()?;
        let sizes = settings.sizes.min_radius()..=settings.sizes.max_radius();
        check(
            "saved next radius",
            state.next_radius,
            sizes.contains(&state.next_radius),
            "a radius of the size distribution",
        )?;
        check("saved owed amount", state.owed, true, "finite")?;
        check("saved mass", state.mass, state.mass >= 0.0, "at least 0")?;
        check("saved blocked time", state.blocked_time, state.blocked_time >= 0.0, "at least 0")?;
        Ok(Self { settings, state })
    }

    /// The spheres or bodies that appear in a step of `time_step` `[s]`, at most 4096.
    ///
    /// `is_free` returns whether a sphere, or a member of a body, with this centre `[m]` and radius `[m]` is clear of the spheres and
    /// walls of the simulation; clearance of the new spheres among themselves is seen to here. A sphere that finds no place in
    /// the set number of trials stays owed, with all after it, for the next call.
    ///
    /// # Errors
    /// [`InsertionError::Value`] for a time step that is negative or not finite.
    pub fn due(
        &mut self,
        time_step: f64,
        is_free: &mut dyn FnMut(DVec3, f64) -> bool,
    ) -> Result<Vec<NewGrain>, InsertionError> {
        check("time step", time_step, time_step >= 0.0, "at least 0")?;
        let mut spheres: Vec<NewGrain> = Vec::new();
        if self.state.finished {
            return Ok(spheres);
        }
        self.state.owed += time_step
            * match self.settings.rate {
                PouringRate::NumberPerSecond(rate) | PouringRate::MassPerSecond(rate) => rate,
            };
        while !self.state.finished && spheres.len() < MOST_PER_CALL {
            let price = self.price();
            if self.state.owed < price * (1.0 - SUM_ERROR) {
                break;
            }
            let Some(sphere) = self.find_place(&spheres, is_free) else {
                self.state.blocked_time += time_step;
                break;
            };
            spheres.push(sphere);
            self.state.owed -= price;
            self.state.count += 1;
            self.state.mass += self.mass_of(sphere.radius);
            self.state.next_radius = self.settings.sizes.sample(&mut self.state.rng);
            self.state.finished = self.is_at_limit();
        }
        Ok(spheres)
    }

    /// Whether it owes spheres that it found no place for.
    pub fn is_blocked(&self) -> bool {
        // one may have become due just now
        !self.state.finished && self.state.owed >= 2.0 * self.price()
    }

    /// The settings.
    pub fn settings(&self) -> &PouringSettings {
        &self.settings
    }

    /// Velocity of the spheres that appear `[m/s]`.
    pub fn velocity(&self) -> DVec3 {
        self.settings.velocity
    }

    /// The state a checkpoint keeps.
    pub fn state(&self) -> &PouringState {
        &self.state
    }

    /// Spheres placed so far.
    pub fn count(&self) -> u64 {
        self.state.count
    }

    /// Mass placed so far `[kg]`.
    pub fn mass(&self) -> f64 {
        self.state.mass
    }

    /// Mass due by now and not placed `[kg]`; up to one sphere is normal, more means that
    /// the region is too small for the rate.
    pub fn owed_mass(&self) -> f64 {
        let owed = self.state.owed.max(0.0);
        match self.settings.rate {
            PouringRate::NumberPerSecond(_) => owed * self.settings.density * self.settings.sizes.mean_volume(),
            PouringRate::MassPerSecond(_) => owed,
        }
    }

    /// Sum of the time steps in which a sphere was due and found no place `[s]`.
    pub fn blocked_time(&self) -> f64 {
        self.state.blocked_time
    }

    /// Whether the limit is reached.
    pub fn is_finished(&self) -> bool {
        self.state.finished
    }

    /// What must be owed for the next sphere to appear.
    fn price(&self) -> f64 {
        match self.settings.rate {
            PouringRate::NumberPerSecond(_) => 1.0,
            PouringRate::MassPerSecond(_) => self.mass_of(self.state.next_radius),
        }
    }

    fn mass_of(&self, radius: f64) -> f64 {
        self.settings.density * 4.0 / 3.0 * PI * radius * radius * radius
    }

    fn is_at_limit(&self) -> bool {
        match self.settings.limit {
            None => false,
            Some(PouringLimit::Count(count)) => self.state.count >= count,
            // One more sphere would end further from the limit than none.
            Some(PouringLimit::Mass(mass)) => self.state.mass + 0.5 * self.mass_of(self.state.next_radius) > mass,
        }
    }

    fn find_place(&mut self, placed: &[NewGrain], is_free: &mut dyn FnMut(DVec3, f64) -> bool) -> Option<NewGrain> {
        let radius = self.state.next_radius;
        let Self { settings, state } = self;
        let PouringSettings { region, periodic, gap, .. } = settings;
        let Some(bodies) = settings.bodies.as_deref() else {
            let centres = region.centres(radius, periodic)?;
            for _ in 0..settings.trials {
                let centre = centres.sample(&mut state.rng);
                let clear = placed.iter().all(|other| {
                    let apart = periodic.shortest(centre, other.centre);
                    let needed = radius + other.radius + *gap;
                    apart.length_squared() >= needed * needed
                });
                if clear && is_free(centre, radius) {
                    return Some(NewGrain { centre, radius, orientation: DQuat::IDENTITY });
                }
            }
            return None;
        };
        let orientation = bodies.orientations.of(state.count);
        let centres = region.centres(bodies.member_radii()[0] * radius, periodic)?;
        let others: Vec<_> = placed.iter().map(|other| (other, bodies.members(other))).collect();
        for _ in 0..settings.trials {
            let grain = NewGrain { centre: centres.sample(&mut state.rng), radius, orientation };
            let members = bodies.members(&grain);
            if bodies.is_inside(&members, region, periodic)
                && others
                    .iter()
                    .all(|(other, of_it)| bodies.are_clear((&grain, &members), (other, of_it), *gap, periodic))
                && members.iter().all(|&(centre, radius)| is_free(centre, radius))
            {
                return Some(grain);
            }
        }
        None
    }
}

/// Floating-point numbers as their 64 bits.
mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(value.to_bits())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}
