//! The pairs of a run of slots, found in lanes: a particle against as many as the processor has lanes.

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_core::lanes::{LaneMask, Lanes, MOST_LANES, Vector};
use rayon::prelude::*;

/// Spheres that one thread takes at least.
const BLOCK: usize = 4096;

/// Spheres in the order of their bins.
#[derive(Clone, Debug, Default)]
pub struct SortedSpheres {
    /// Slots.
    pub slot: Vec<u32>,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    radius: Vec<f64>,
}

impl SortedSpheres {
    /// Takes the spheres in the order of `self.slot`. Behind the last come some that are nowhere, so that lanes may read them.
    pub fn fill(&mut self, position: &[DVec3], radius: &[f64]) {
        let padded = self.slot.len() + MOST_LANES;
        for column in [&mut self.x, &mut self.y, &mut self.z, &mut self.radius] {
            column.clear();
            column.resize(padded, f64::NAN);
        }
        let columns = (&mut self.x, &mut self.y, &mut self.z, &mut self.radius).into_par_iter();
        self.slot.par_iter().zip(columns).with_min_len(BLOCK).for_each(|(&slot, (x, y, z, sorted_radius))| {
            let centre = position[slot as usize];
            (*x, *y, *z) = (centre.x, centre.y, centre.z);
            *sorted_radius = radius[slot as usize];
        });
    }

    #[inline(always)]
    fn load<R: Lanes>(&self, at: usize) -> (Vector<R>, R) {
        let [x, y, z, radius] = [&self.x[at..], &self.y[at..], &self.z[at..], &self.radius[at..]];
        (
            Vector::new(R::from_lanes(|lane| x[lane]), R::from_lanes(|lane| y[lane]), R::from_lanes(|lane| z[lane])),
            R::from_lanes(|lane| radius[lane]),
        )
    }
}

/// Partners found so far, written in groups.
pub struct Found {
    /// All of them.
    pub partner: Vec<u32>,
    latest: [u32; Self::ROOM],
    count: usize,
}

impl Found {
    const ROOM: usize = 128;

    /// None yet, with room for some.
    pub fn with_capacity(partners: usize) -> Self {
        Self { partner: Vec::with_capacity(partners), latest: [0; Self::ROOM], count: 0 }
    }

    /// Writes those of the `lanes` slots that are in the set.
    #[inline(always)]
    fn add(&mut self, slots: &[u32], lanes: usize, set: u32) {
        if self.count + MOST_LANES > Self::ROOM {
            self.close();
        }
        // written in any case, kept if in the set: a branch would not be predictable
        let mut lane = 0;
        while lane < lanes {
            self.latest[self.count % Self::ROOM] = slots[lane];
            self.count += (set >> lane & 1) as usize;
            lane += 1;
        }
    }

    /// Appends what was found; returns how many there are in all.
    #[inline(always)]
    pub fn close(&mut self) -> usize {
        self.partner.extend_from_slice(&self.latest[..self.count]);
        self.count = 0;
        self.partner.len()
    }
}

/// One sphere against runs of sorted ones.
pub struct Search<'a> {
    /// All spheres.
    pub spheres: &'a SortedSpheres,
    /// The cell.
    pub cell: &'a Cell,
    /// Whether differences may need the nearest image.
    pub periodic: bool,
    /// Gap up to which a pair is near \[m\].
    pub margin: f64,
}

impl Search<'_> {
    /// Finds the partners of the sphere `rank`, whose slot is `slot`, in `runs` of ranks. `once` leaves out slots below its own.
    #[inline(always)]
    pub fn look<R: Lanes>(&self, rank: usize, once: Option<u32>, runs: &[(u32, u32)], found: &mut Found) {
        let (x, radius) = self.spheres.load::<f64>(rank);
        let (centre, radius) = (Vector::<R>::splat(DVec3::from(x)), R::splat(radius));
        let margin = R::splat(self.margin);
        for &(start, end) in runs {
            let (mut at, end) = (start as usize, end as usize);
            while at < end {
                let lanes = if end - at < R::LANES { end - at } else { R::LANES };
                let (other, other_radius) = self.spheres.load::<R>(at);
                let mut d = other - centre;
                if self.periodic {
                    d -= self.cell.image_shift_in_lanes(d);
                }
                let range = radius + other_radius + margin;
                // every product rounded by itself, as in the other broadphases: all find the same pairs
                let squared = d.x * d.x + d.y * d.y + d.z * d.z;
                let near = squared.less(range * range).bits();
                let slots = &self.spheres.slot[at..at + lanes];
                let set = match once {
                    None => near,
                    Some(own) => near & above(slots, own),
                };
                found.add(slots, lanes, set);
                at += R::LANES;
            }
        }
    }
}

/// The set of slots above one.
#[inline(always)]
fn above(slots: &[u32], own: u32) -> u32 {
    let mut set = 0;
    let mut lane = 0;
    while lane < slots.len() {
        set |= u32::from(slots[lane] > own) << lane;
        lane += 1;
    }
    set
}
