//! The bodies of a group of candidates, pairs of spheres or spheres and walls, as the loop over a chunk reads them.

use dem_core::contact_list::CHUNK;
use dem_core::history::END;
use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, put};

use crate::force_loop::kernel::chunk_data::ChunkInput;
use crate::force_loop::kinematics::geometry::{self, Bodies, Levers, Slots, StepContext};
use crate::force_loop::kinematics::wall_geometry::{self, Meetings};
use crate::force_loop::neighbours::near_list::{Certain, NearChunk};
use crate::law::{Kinematics, Needs};

/// Prefetch distance of bodies, in candidates.
pub(crate) const AHEAD: usize = 2 * MOST_LANES;

/// Bodies of a group: slots of the first, slots or walls of the second, features of walls.
pub(crate) struct Group<'a> {
    first: &'a Slots,
    second: &'a Slots,
    feature: [u32; MOST_LANES],
    certain: [Certain; MOST_LANES],
}

impl<'a> Group<'a> {
    /// The candidates whose numbers in the chunk are given by lane; `slots` takes theirs. `certain` has what is certain of them by numbers.
    #[inline(always)]
    pub fn new<R: Lanes>(
        input: &ChunkInput,
        certain: &[Certain; CHUNK],
        number: &Numbers,
        slots: &'a mut [Slots; 2],
    ) -> Self {
        let (mut feature, mut of_lanes) = ([0; MOST_LANES], [Certain::Nothing; MOST_LANES]);
        if !input.feature.is_empty() {
            for lane in 0..R::LANES {
                let number = number[lane] as usize % CHUNK;
                feature[lane] = input.feature.get(number).copied().unwrap_or(0);
                of_lanes[lane] = certain[number];
            }
        }
        *slots = [R::places(input.first, number), R::places(input.second, number)];
        let [first, second] = slots;
        Self { first, second, feature, certain: of_lanes }
    }

    /// The near pairs from a position on, that of the first lane of a group; `slots` may take theirs.
    #[inline(always)]
    pub fn next<R: Lanes>(near: &'a NearChunk, at: usize, slots: &'a mut [Slots; 2]) -> Self {
        let (feature, certain) = ([0; MOST_LANES], [Certain::Nothing; MOST_LANES]);
        // a copy on the stack would keep a group from being read before the group before is done
        if R::LANES == MOST_LANES {
            let (first, second) = (near.first.as_chunks().0, near.second.as_chunks().0);
            return Self { first: &first[at / MOST_LANES], second: &second[at / MOST_LANES], feature, certain };
        }
        let (first, second) = (&near.first[at..][..R::LANES], &near.second[at..][..R::LANES]);
        put(first, &mut slots[0]);
        put(second, &mut slots[1]);
        let [first, second] = slots;
        Self { first, second, feature, certain }
    }

    /// Slot of the first body of a lane.
    pub fn first_slot(&self, lane: usize) -> usize {
        self.first[lane] as usize
    }

    /// The group as spheres and features of walls.
    #[inline(always)]
    fn meetings(&self) -> Meetings<'_> {
        Meetings { slot: self.first, wall: self.second, feature: &self.feature, certain: &self.certain }
    }
}

/// How the second body enters: monomorphised, so that the loop over contacts has no branch on it.
pub(crate) trait Partner<R: Lanes> {
    /// Whether wrenches are indexed by the numbers of candidates in their chunk instead of by their numbers among the
    /// near ones.
    const BY_NUMBER: bool;

    /// Where candidates are within `range` of touching.
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask;

    /// Where candidates are or may come within `range` of touching if they keep their velocities for some time \[s\].
    fn come_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64, time: f64) -> R::Mask;

    /// How far the first body of a lane may move before the result may change whether it can touch the second \[m\]:
    /// positive if it can, negative if it cannot, zero if that is not known.
    fn certainty(_context: &StepContext, _bodies: &Bodies, _group: &Group, _lane: usize) -> f64 {
        0.0
    }

    /// Prefetches the bodies of a later group that are not adjacent to those of the groups before, given the first and
    /// the second ones.
    fn prefetch(bodies: &Bodies, first: impl FnOnce() -> Slots, second: impl FnOnce() -> Slots, needs: Needs);

    /// Kinematics of contacts under a law of some `range`; what is not needed may be left out.
    fn kinematics(
        context: &StepContext,
        bodies: &Bodies,
        group: &Group,
        needs: Needs,
        range: f64,
    ) -> (Kinematics<R>, Levers<R>);
}

/// Pairs of spheres.
pub(crate) struct Spheres;

impl<R: Lanes> Partner<R> for Spheres {
    const BY_NUMBER: bool = false;

    #[inline(always)]
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask {
        geometry::pairs_are_near::<R>(context, bodies, group.first, group.second, range)
    }
    #[inline(always)]
    fn come_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64, time: f64) -> R::Mask {
        if time > 0.0 {
            geometry::pairs_come_near::<R>(context, bodies, group.first, group.second, range, time)
        } else {
            geometry::pairs_are_near::<R>(context, bodies, group.first, group.second, range)
        }
    }
    #[inline(always)]
    fn prefetch(bodies: &Bodies, _: impl FnOnce() -> Slots, second: impl FnOnce() -> Slots, needs: Needs) {
        if bodies.are_many() {
            bodies.prefetch::<R>(&second(), needs);
        }
    }
    #[inline(always)]
    fn kinematics(
        context: &StepContext,
        bodies: &Bodies,
        group: &Group,
        needs: Needs,
        _: f64,
    ) -> (Kinematics<R>, Levers<R>) {
        geometry::pairs(context, bodies, group.first, group.second, needs)
    }
}

/// Spheres and walls.
pub(crate) struct Walls;

impl<R: Lanes> Partner<R> for Walls {
    const BY_NUMBER: bool = true;

    #[inline(always)]
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask {
        wall_geometry::are_near::<R>(context, bodies, &group.meetings(), range)
    }
    #[inline(always)]
    fn come_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64, time: f64) -> R::Mask {
        wall_geometry::come_near::<R>(context, bodies, &group.meetings(), range, time)
    }
    fn certainty(context: &StepContext, bodies: &Bodies, group: &Group, lane: usize) -> f64 {
        wall_geometry::certainty(context, bodies, &group.meetings(), lane)
    }
    #[inline(always)]
    fn prefetch(bodies: &Bodies, first: impl FnOnce() -> Slots, _: impl FnOnce() -> Slots, needs: Needs) {
        bodies.prefetch::<R>(&first(), needs);
    }
    #[inline(always)]
    fn kinematics(
        context: &StepContext,
        bodies: &Bodies,
        group: &Group,
        _: Needs,
        range: f64,
    ) -> (Kinematics<R>, Levers<R>) {
        wall_geometry::walls(context, bodies, &group.meetings(), range)
    }
}

/// Numbers of candidates in their chunk by lane.
pub(crate) type Numbers = [u16; MOST_LANES];

/// Numbers from a position on; zeros behind the last.
#[inline(always)]
pub(crate) fn numbers_at(numbers: &[u16], at: usize) -> Numbers {
    match numbers.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(numbers) => *numbers,
        None => last_numbers(numbers, at, 0),
    }
}

#[cold]
#[inline(never)]
fn last_numbers(numbers: &[u16], at: usize, behind: u16) -> Numbers {
    std::array::from_fn(|lane| numbers.get(at + lane).copied().unwrap_or(behind))
}

/// Which of a group's candidates touched at the start of the step; `touching` starts at the first that may be one of them.
#[inline(always)]
pub(crate) fn known_lanes<R: Lanes>(touching: &[u16], number: &Numbers) -> u32 {
    let among = match touching.first_chunk() {
        Some(among) => *among,
        None => last_numbers(touching, 0, END),
    };
    R::found(number, &among)
}

/// Kinematics of one contact.
pub(crate) fn kinematics_of_pair(context: &StepContext, first: usize, second: usize) -> (Kinematics, Levers) {
    context.width.run_alone(OnePair { context, slots: [first as u32, second as u32] })
}

struct OnePair<'a> {
    context: &'a StepContext<'a>,
    slots: [u32; 2],
}

impl LaneTask for OnePair<'_> {
    type Output = (Kinematics, Levers);
    #[inline(always)]
    fn run<R: Lanes>(self) -> (Kinematics, Levers) {
        let [first, second] = self.slots.map(|slot| [slot; MOST_LANES]);
        geometry::pairs(self.context, &self.context.bodies(), &first, &second, Needs::EVERYTHING)
    }
}
