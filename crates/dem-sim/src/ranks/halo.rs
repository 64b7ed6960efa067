//! Which particles another rank needs as ghosts.
//!
//! A rank tells the others the box of its own particles, in units of the edges of the cell, and the largest radius among them. A particle of
//! another rank is a ghost there if it may touch something in that box before the next exchange: if it is nearer than both radii, the range of
//! the laws and a margin. The halo holds until two particles may have approached each other by the margin.
//!
//! A rigid body is a ghost as a whole where any of its members is needed: members of one body do not touch each other, and a body comes and goes with
//! all of them. It belongs to a rank by its centre, so that members may stick out of the part of space of their rank; the box covers them.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::particles::Particles;

use super::decomposition::{place_in, widths};

/// Steps that a halo is to last.
const STEPS: f64 = 100.0;
/// Margins in proportion to the smallest and to the largest radius.
const THINNEST: f64 = 0.1;
const WIDEST: f64 = 1.0;
/// Before it is known how fast particles are, likewise.
const FIRST: f64 = 0.2;

/// Where the particles of a rank are, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Corners of the box of its centres, in units of the edges of the cell.
    pub low: DVec3,
    pub high: DVec3,
    /// Smallest and largest radius \[m\].
    pub radii: [f64; 2],
    /// Number of particles.
    pub count: f64,
}

impl Extent {
    /// That of no particles.
    pub const NOTHING: Self =
        Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY, radii: [f64::INFINITY, 0.0], count: 0.0 };

    /// That of the particles that are no ghosts.
    pub fn of(particles: &Particles, cell: &Cell) -> Self {
        let mut extent = Self::NOTHING;
        for slot in 0..particles.independent() {
            extent.add(place_in(cell, particles.position[slot]), particles.radius[slot]);
        }
        for body in &particles.bodies.all {
            // the images of members next to the centre: a body across a periodic face would make the box as wide as the cell
            let centre = place_in(cell, body.position);
            for slot in body.members() {
                extent.add(centre + cell.inverse() * particles.arm(slot), particles.radius[slot]);
            }
        }
        extent
    }

    /// Adds a particle in a place.
    pub fn add(&mut self, place: DVec3, radius: f64) {
        (self.low, self.high) = (self.low.min(place), self.high.max(place));
        let [smallest, largest] = self.radii;
        self.radii = [smallest.min(radius), largest.max(radius)];
        self.count += 1.0;
    }

    /// As a message.
    pub fn to_bytes(self) -> Vec<u8> {
        let numbers = [self.low.to_array(), self.high.to_array(), [self.radii[0], self.radii[1], self.count]].concat();
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// From a message.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let words = bytes.as_chunks().0.iter().map(|word| f64::from_le_bytes(*word));
        let numbers: [f64; 9] = words.collect::<Vec<f64>>().try_into().ok()?;
        let [ax, ay, az, bx, by, bz, smallest, largest, count] = numbers;
        Some(Self { low: DVec3::new(ax, ay, az), high: DVec3::new(bx, by, bz), radii: [smallest, largest], count })
    }

    /// Slots of the particles, of those that are no ghosts, that a rank of this extent needs as ghosts, of bodies all members; `reach` is the largest
    /// distance between surfaces that counts \[m\].
    pub fn needed(&self, particles: &Particles, cell: &Cell, reach: f64) -> Vec<u32> {
        if self.count == 0.0 {
            return Vec::new();
        }
        let widths = widths(cell);
        let (middle, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low));
        let is_needed = |slot: usize| {
            let place = place_in(cell, particles.position[slot]);
            // rounding must leave nothing out
            let reach = (particles.radius[slot] + self.radii[1] + reach) * (1.0 + 1e-9);
            (0..3).all(|k| {
                let mut distance = place[k] - middle[k];
                if cell.periodic[k] {
                    distance -= distance.round();
                }
                (distance.abs() - half[k]) * widths[k] <= reach
            })
        };
        let mut needed: Vec<u32> =
            (0..particles.independent()).filter(|&slot| is_needed(slot)).map(|slot| slot as u32).collect();
        for body in particles.bodies.all.iter().filter(|body| body.members().any(is_needed)) {
            needed.extend(body.first..body.first + body.count);
        }
        needed
    }
}

/// Margin of a halo, given the extents of all ranks and how far particles move in a step \[m\].
pub(crate) fn margin(extents: &[Extent], step: f64) -> f64 {
    let smallest = extents.iter().map(|extent| extent.radii[0]).fold(f64::INFINITY, f64::min);
    let largest = extents.iter().map(|extent| extent.radii[1]).fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    let wanted = if step.is_finite() { 2.0 * STEPS * step } else { FIRST * smallest };
    let margin = wanted.clamp((THINNEST * smallest).min(WIDEST * largest), WIDEST * largest);
    // in any case for some steps
    if step.is_finite() { margin.max(16.0 * step) } else { margin }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use dem_core::DQuat;
    use dem_core::cell::FacePolicy;
    use dem_core::particles::NewParticle;
    use dem_testkit::bodies::dimer;

    #[test]
    fn a_particle_is_needed_where_it_is_within_reach_of_the_box_or_of_its_images() {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(10.0), [true, false, false], [[FacePolicy::Open; 2]; 3]);
        let mut own = Particles::default();
        for x in [1.0, 2.0] {
            own.push(NewParticle::at_rest(DVec3::new(x, 5.0, 5.0), 0.5, 1.0));
        }
        let extent = Extent::of(&own, &cell);
        assert_eq!(Extent::from_bytes(&extent.to_bytes()), Some(extent));
        assert_eq!(Extent::from_bytes(&[0; 8]), None);
        let mut others = Particles::default();
        for (x, y) in [(3.2, 5.0), (3.4, 5.0), (9.8, 5.0), (9.6, 5.0), (1.5, 6.3), (1.5, 6.2)] {
            others.push(NewParticle::at_rest(DVec3::new(x, y, 5.0), 0.5, 1.0));
        }
        assert_eq!(extent.needed(&others, &cell, 0.25), [0, 2, 5]);
        let nobody = Extent::of(&Particles::default(), &cell);
        assert!(nobody.needed(&others, &cell, 1e9).is_empty());
    }

    /// Two members, one on either side of a periodic face: the box is as wide as the body, and whoever needs one member needs both.
    #[test]
    fn a_body_counts_with_all_its_members_where_it_is() {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(10.0), [true, false, false], [[FacePolicy::Open; 2]; 3]);
        let mut particles = Particles::default();
        particles.bodies.templates = Arc::new(vec![dimer(0.5, 0.8)]);
        particles.push(NewParticle::at_rest(DVec3::splat(5.0), 0.1, 1.0));
        particles.push_body(dem_testkit::bodies::body(DVec3::new(9.9, 5.0, 5.0), DQuat::IDENTITY));
        particles.place_members(0, &cell);
        let members = [1, 2].map(|slot| particles.position[slot].x);
        assert!((members[0] - 9.5).abs() < 1e-12 && (members[1] - 0.3).abs() < 1e-12, "{members:?}");
        let mut near = Particles::default();
        for x in [9.0, 0.9] {
            near.push(NewParticle::at_rest(DVec3::new(x, 5.0, 5.0), 0.1, 1.0));
        }
        for (slots, needed) in [(vec![0], vec![1, 2]), (vec![1], vec![1, 2]), (vec![], vec![])] {
            let mut own = near.clone();
            own.rearrange(&slots);
            assert_eq!(Extent::of(&own, &cell).needed(&particles, &cell, 0.0), needed);
        }
        particles.rearrange(&[1, 2]);
        let extent = Extent::of(&particles, &cell);
        assert!((extent.low.x - 0.95).abs() < 1e-12 && (extent.high.x - 1.03).abs() < 1e-12, "{extent:?}");
        assert_eq!(extent.needed(&near, &cell, 0.0), [0, 1]);
    }

    #[test]
    fn margins_last_for_some_steps() {
        let extent = Extent { low: DVec3::ZERO, high: DVec3::ONE, radii: [1.0, 3.0], count: 2.0 };
        assert_eq!(margin(&[extent], f64::INFINITY), 0.2);
        assert_eq!(margin(&[extent], 0.0), 0.1);
        assert_eq!(margin(&[extent], 0.005), 1.0);
        assert_eq!(margin(&[extent], 1.0), 16.0);
        assert_eq!(margin(&[], 1.0), 0.0);
    }
}
