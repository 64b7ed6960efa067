//! Random sequential addition of rigid bodies: as that of spheres, with the members of bodies against all that is there.
//!
//! Each body has its orientation before places are tried for it, so that orientations are distributed as they are meant to be however full the region
//! becomes. The largest bodies go first. Where places are hard to find, all bodies are shifted at random without overlapping until holes open, but not
//! turned. No list of voxels proves that a region is full, as it does for spheres: an attempt ends after 200 cycles of shifts, or 40 without a new body.

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::addition_settings::{AdditionTarget, SectionPlane, SequentialAddition};
use super::body_source::{BodySource, NewGrain, nearest_image};
use super::error::InsertionError;
use super::obstacles::Occupied;
use super::region::Region;
use super::sequential_addition::{check_settings, draw_radii, measure_of};
use super::size_distribution::SizeDistribution;
use super::uniform;

/// Places that are tried for a body before all others are shifted.
const TRIALS: usize = 3000;
/// Rounds of shifts between two such tries.
const SWEEPS: usize = 10;
/// Cycles without a new body after which the region counts as full.
const FRUITLESS_CYCLES: u32 = 40;
/// Cycles of one attempt at most.
const MAXIMUM_CYCLES: u32 = 200;

/// Adds bodies to `region`, and their members to `occupied`. Sizes are radii of spheres of equal volume.
///
/// # Errors
/// [`InsertionError::NoRoomForBody`], [`InsertionError::FullOfBodies`], [`InsertionError::BodiesInPlane`], [`InsertionError::TooMany`] and the errors of
/// the settings, the region and the sizes for what is out of range. `occupied` is then left with what was placed.
pub fn add_bodies(
    settings: &SequentialAddition,
    region: &Region,
    sizes: &SizeDistribution,
    bodies: &BodySource,
    occupied: &mut Occupied<'_>,
    rng: &mut Pcg64Mcg,
) -> Result<Vec<NewGrain>, InsertionError> {
    check_settings(settings)?;
    sizes.validate()?;
    region.validate(occupied.periodic())?;
    if settings.plane.is_some() && matches!(settings.target, AdditionTarget::PackingFraction(_)) {
        return Err(InsertionError::BodiesInPlane);
    }
    let radii = draw_radii(settings, &measure_of(region), sizes, rng)?;
    let mut addition = Addition { settings, region, bodies, occupied, placed: Vec::new() };
    let (mut step, mut fruitless, mut cycles) = (0.3, 0, 0);
    for (number, &radius) in radii.iter().enumerate() {
        let orientation = bodies.orientations.of(number as u64);
        while !addition.place(NewGrain { centre: DVec3::ZERO, radius, orientation }, rng)? {
            if addition.placed.is_empty() {
                return Err(InsertionError::NoRoomForBody { radius });
            }
            if fruitless >= FRUITLESS_CYCLES || cycles >= MAXIMUM_CYCLES {
                let solid: f64 = addition.placed.iter().map(|body| volume(body.grain.radius)).sum();
                return Err(InsertionError::FullOfBodies {
                    reached: addition.placed.len(),
                    target: radii.len(),
                    packing_fraction: solid / region.volume(),
                });
            }
            (fruitless, cycles) = (fruitless + 1, cycles + 1);
            step = addition.shift_all(step, rng);
        }
        fruitless = 0;
    }
    Ok(addition.placed.into_iter().map(|body| body.grain).collect())
}

fn volume(radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius
}

/// A body that has its place.
struct Placed {
    grain: NewGrain,
    /// Index of its first member in what is occupied.
    first: usize,
}

struct Addition<'a, 'walls> {
    settings: &'a SequentialAddition,
    region: &'a Region,
    bodies: &'a BodySource,
    occupied: &'a mut Occupied<'walls>,
    placed: Vec<Placed>,
}

impl Addition<'_, '_> {
    /// Tries places for a body, and puts it into the first one that is free.
    fn place(&mut self, grain: NewGrain, rng: &mut Pcg64Mcg) -> Result<bool, InsertionError> {
        let periodic = *self.occupied.periodic();
        let [smallest, _] = self.bodies.member_radii();
        // the centre of mass lies between those of the members, which keep from the faces
        let Some(centres) = self.region.centres(smallest * grain.radius, &periodic) else { return Ok(false) };
        for _ in 0..TRIALS {
            let centre = match self.settings.plane {
                None => centres.sample(rng),
                Some(SectionPlane { axis, coordinate }) => {
                    let (mut lower, mut upper) = centres.bounds();
                    (lower[axis], upper[axis]) = (coordinate, coordinate);
                    uniform::in_box(rng, lower, upper)
                }
            };
            let grain = NewGrain { centre, ..grain };
            let members = self.bodies.members(&grain);
            let gap = self.settings.gap;
            let is_free = |(x, r): &(DVec3, f64)| !self.occupied.overlaps(*x, *r, gap);
            if self.bodies.is_inside(&members, self.region, &periodic) && members.iter().all(is_free) {
                let first = self.occupied.len();
                for (x, r) in members {
                    self.occupied.insert(x, r)?;
                }
                self.placed.push(Placed { grain, first });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shifts every body some times by up to a step, in proportion to its radius; returns the step that the next cycle takes, which follows the share of
    /// shifts that were free, towards four in ten.
    fn shift_all(&mut self, mut step: f64, rng: &mut Pcg64Mcg) -> f64 {
        let periodic = *self.occupied.periodic();
        for _ in 0..SWEEPS {
            let mut accepted = 0;
            for index in 0..self.placed.len() {
                let Placed { grain, first } = self.placed[index];
                let mut shift = uniform::in_box(rng, DVec3::NEG_ONE, DVec3::ONE);
                if let Some(plane) = self.settings.plane {
                    shift[plane.axis] = 0.0;
                }
                let moved = grain.centre + step * grain.radius * shift;
                let moved = NewGrain { centre: nearest_image(self.region, &periodic, moved), ..grain };
                let members = self.bodies.members(&moved);
                if self.bodies.is_inside(&members, self.region, &periodic)
                    && self.occupied.relocate_all(first, members.iter().map(|&(x, _)| x), self.settings.gap)
                {
                    self.placed[index].grain = moved;
                    accepted += 1;
                }
            }
            let share = f64::from(accepted) / self.placed.len().max(1) as f64;
            step = (step * if share < 0.4 { 0.9 } else { 1.1 }).clamp(1e-6, 1.0);
        }
        step
    }
}
