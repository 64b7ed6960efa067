//! One attempt at a random sequential addition: plain trials, then voxel lists.

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::addition_settings::{CLASS_WIDTH, SectionPlane, SequentialAddition};
use super::error::InsertionError;
use super::obstacles::Occupied;
use super::region::Region;
use super::sphere::NewSphere;
use super::uniform;
use super::voxel_list::VoxelList;

/// Failures in a row after which the voxel list replaces plain trials: an acceptance of
/// about one in a thousand, where a list begins to pay.
const PLAIN_TRIALS: usize = 1000;
/// Trials from one voxel list before it is refined, at least.
const LEAST_TRIALS: usize = 256;
/// A list is refined when fewer than one trial in this many succeeds.
const REFINE_BELOW: usize = 16;
/// Voxels of a list for several sizes at most: refined without bound, it would resolve room
/// that only the smaller ones can take.
const MOST_SHARED: usize = 1 << 17;
/// Rounds without success after which a list that cannot be refined counts as empty.
const STALLED_ROUNDS: usize = 16;

/// Where centres of one radius may lie, apart from other spheres and walls.
pub(super) struct CentreDomain {
    region: Region,
    plane: Option<SectionPlane>,
}

impl CentreDomain {
    pub fn new(region: &Region, radius: f64, plane: Option<SectionPlane>, occupied: &Occupied<'_>) -> Option<Self> {
        let region = region.centres(radius, occupied.periodic())?;
        Some(Self { region, plane })
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let (mut lower, mut upper) = self.region.bounds();
        if let Some(plane) = self.plane {
            lower[plane.axis] = plane.coordinate;
            upper[plane.axis] = plane.coordinate;
        }
        (lower, upper)
    }

    pub fn contains(&self, point: DVec3) -> bool {
        self.region.contains(point)
    }

    /// A point that is in the domain for a region in space, and may be for a section.
    fn sample(&self, rng: &mut Pcg64Mcg) -> DVec3 {
        if self.plane.is_none() {
            return self.region.sample(rng);
        }
        let (lower, upper) = self.bounds();
        uniform::in_box(rng, lower, upper)
    }
}

/// One attempt.
pub(super) struct Sequence<'a, 'walls> {
    pub settings: &'a SequentialAddition,
    pub region: &'a Region,
    /// Radii of all spheres, falling.
    radii: &'a [f64],
    pub occupied: &'a mut Occupied<'walls>,
    /// Index in `occupied` of the first sphere of this attempt.
    pub first: usize,
    pub placed: Vec<NewSphere>,
    pub relaxation_cycles: u32,
    pub saturated_at: Option<usize>,
}

impl<'a, 'walls> Sequence<'a, 'walls> {
    pub fn new(
        settings: &'a SequentialAddition,
        region: &'a Region,
        radii: &'a [f64],
        occupied: &'a mut Occupied<'walls>,
    ) -> Self {
        Self {
            settings,
            region,
            radii,
            first: occupied.len(),
            occupied,
            placed: Vec::new(),
            relaxation_cycles: 0,
            saturated_at: None,
        }
    }

    /// Adds spheres until all are placed or the next one provably fits nowhere.
    pub(super) fn fill(&mut self, rng: &mut Pcg64Mcg) -> Result<bool, InsertionError> {
        while let Some(&radius) = self.radii.get(self.placed.len()) {
            let Some(domain) = self.domain(radius) else {
                return Ok(false);
            };
            let mut found = false;
            for _ in 0..PLAIN_TRIALS {
                let point = domain.sample(rng);
                if self.place_if_free(&domain, point, radius)? {
                    found = true;
                    break;
                }
            }
            if found {
                continue;
            }
            let shared = radius * (1.0 - CLASS_WIDTH);
            let end = self.radii.partition_point(|other| *other >= shared);
            let smallest = self.radii[end - 1];
            let Some(domain) = self.domain(smallest) else {
                return Ok(false);
            };
            let list = VoxelList::covering(domain.bounds(), smallest, &self.closed(&domain, smallest));
            if !self.fill_from(list, end, rng)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Places the spheres up to index `end` from a list that contains the free places of the smallest of them, and
    /// returns whether all found a place.
    fn fill_from(&mut self, mut list: VoxelList, end: usize, rng: &mut Pcg64Mcg) -> Result<bool, InsertionError> {
        let smallest = self.radii[end - 1];
        let mut stalled = 0;
        while !list.is_empty() {
            let trials = list.len().max(LEAST_TRIALS);
            let before = self.placed.len();
            for _ in 0..trials {
                let radius = self.radii[self.placed.len()];
                let Some(domain) = self.domain(radius) else {
                    return Ok(false);
                };
                let point = list.sample(rng);
                if self.place_if_free(&domain, point, radius)? && self.placed.len() == end {
                    return Ok(true);
                }
            }
            let added = self.placed.len() - before;
            let next = self.radii[self.placed.len()];
            let Some(domain) = self.domain(smallest) else {
                return Ok(false);
            };
            if added == 0 && next > smallest {
                // The list is of smaller spheres than the next: continue with the larger half.
                let half = self.placed.len() + (end - self.placed.len()) / 2;
                let smallest_of_half = self.radii[half - 1];
                let mut own = list.clone();
                if let Some(domain) = self.domain(smallest_of_half) {
                    own.drop_closed(&self.closed(&domain, smallest_of_half));
                }
                if !self.fill_from(own, half, rng)? {
                    return Ok(false);
                }
                let closed = self.closed(&domain, smallest);
                if list.len() > MOST_SHARED || !list.subdivide(&closed) {
                    list.drop_closed(&closed);
                }
            } else if added * REFINE_BELOW >= trials {
                list.drop_closed(&self.closed(&domain, smallest));
            } else if !list.subdivide(&self.closed(&domain, smallest)) {
                list.drop_closed(&self.closed(&domain, smallest));
                stalled = if added == 0 { stalled + 1 } else { 0 };
                if stalled == STALLED_ROUNDS {
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    pub fn domain(&self, radius: f64) -> Option<CentreDomain> {
        CentreDomain::new(self.region, radius, self.settings.plane, self.occupied)
    }

    /// Whether no point within `half` of `point` can be the centre of a sphere of this
    /// radius: all of them are outside, or all are covered by the same sphere or wall.
    fn closed(&self, domain: &CentreDomain, radius: f64) -> impl Fn(DVec3, f64) -> bool {
        move |point, half| {
            let slack = crate::insertion::sphere::ROUNDING * radius;
            domain.region.distance_outside(point) > half + slack
                || self.occupied.overlaps(point, radius - half, self.settings.gap)
        }
    }

    fn place_if_free(&mut self, domain: &CentreDomain, centre: DVec3, radius: f64) -> Result<bool, InsertionError> {
        if !domain.contains(centre) || self.occupied.overlaps(centre, radius, self.settings.gap) {
            return Ok(false);
        }
        self.occupied.insert(centre, radius)?;
        self.placed.push(NewSphere { centre, radius });
        Ok(true)
    }
}
