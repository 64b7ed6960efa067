//! Which candidates are passed to the law: a selection of near pairs that holds for some steps, and in each step those
//! of them that touch.
//!
//! Where most near candidates touch, as in a packing at rest, all of them are passed to the law. Where particles fly
//! about, a large fraction of the pairs within any margin does not touch, and filtering out those that do not costs a
//! tenth of what the law costs. No result depends on either: a candidate that does not touch has no effect.

use std::marker::PhantomData;

use dem_core::contact_list::{CHUNK, PartnerKind};
use dem_core::lanes::{LaneMask, LaneTask, Lanes, MOST_LANES, put};

use crate::force_loop::kernel::chunk_data::{ChunkInput, SegmentInput};
use crate::force_loop::kernel::mode_bytes;
use crate::force_loop::kinematics::geometry::{Bodies, ROUNDING, Reach, StepContext};
use crate::force_loop::kinematics::partner::{AHEAD, Group, Numbers, Partner, Spheres, Walls, known_lanes, numbers_at};
use crate::force_loop::neighbours::near_list::{Certain, NearChunk};
use crate::force_loop::reduction::wrench::NOT_NEAR;
use crate::force_loop::reduction::written::ForceChunk;
use crate::law::Needs;

/// Near candidates are checked one by one where fewer than this fraction of them, in tenths, touched in the step
/// before.
const DENSE: usize = 8;

/// Selects the candidates that are within reach, will be while they keep their velocities, or touched at the start of
/// the step: the law is evaluated in the step in which a contact separates. Returns how many entries have a new
/// meaning: none of them touches any more.
pub(crate) fn select(
    segment: &SegmentInput,
    reach: Reach,
    input: &ChunkInput,
    near: &mut NearChunk,
    place: &mut [u16; CHUNK],
    partner: PartnerKind,
) -> usize {
    let &SegmentInput { range, needs, context, .. } = segment;
    let margin = reach.margin;
    let reach = Reach { margin: range + margin, ..reach };
    match partner {
        PartnerKind::Particle => {
            context.width.run(Selection {
                context,
                reach,
                margin,
                needs,
                input,
                near,
                partner: PhantomData::<Spheres>,
            });
            lay_out(near, place);
            *near.count as usize
        }
        PartnerKind::Wall => {
            context.width.run(Selection { context, reach, margin, needs, input, near, partner: PhantomData::<Walls> });
            input.candidates
        }
    }
}

struct Selection<'a, 'i, 'n, P> {
    context: &'a StepContext<'a>,
    reach: Reach,
    /// That of the reach without the range of the law.
    margin: f64,
    needs: Needs,
    input: &'a ChunkInput<'i>,
    near: &'a mut NearChunk<'n>,
    partner: PhantomData<P>,
}

impl LaneTask for Selection<'_, '_, '_, Spheres> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        self.select::<R>();
    }
}

impl LaneTask for Selection<'_, '_, '_, Walls> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        self.select::<R>();
    }
}

impl<P> Selection<'_, '_, '_, P> {
    #[inline(always)]
    fn select<R: Lanes>(self)
    where
        P: Partner<R>,
    {
        let Self { context, reach, margin, needs, input, near, .. } = self;
        let bodies = &context.bodies();
        let (mut count, mut old) = (0, 0);
        let mut slots = [[0; MOST_LANES]; 2];
        let mut ahead = input.ahead.in_parts(input.candidates.div_ceil(R::LANES));
        for at in (0..input.candidates).step_by(R::LANES) {
            let mut number = [0; MOST_LANES];
            for lane in 0..MOST_LANES {
                number[lane] = (at + lane).min(input.candidates - 1) as u16;
            }
            if P::BY_NUMBER {
                let later = |all: &[u32; CHUNK]| std::array::from_fn(|lane| all[(at + AHEAD + lane) % CHUNK]);
                P::prefetch(bodies, || later(input.first), || later(input.second), needs);
            }
            ahead.ask(|block| bodies.prefetch_courses_of_block(block));
            let group = Group::new::<R>(input, near.certain, &number, &mut slots);
            let is_near = P::come_near(context, bodies, &group, reach.margin, reach.time).bits();
            let here = (1 << R::LANES.min(input.candidates - at)) - 1;
            let touched = known_lanes::<R>(&input.touching[old..], &number) & here;
            old += touched.count_ones() as usize;
            let mut set = (touched | is_near) & here;
            if P::BY_NUMBER {
                let selected = set;
                for lane in (0..R::LANES).filter(|lane| selected >> lane & 1 == 1) {
                    let certainty = P::certainty(context, bodies, &group, lane);
                    let speed = bodies.velocity.get(group.first_slot(lane)).length();
                    let moves = (margin + speed * reach.time) * (1.0 + ROUNDING);
                    near.certain[number[lane] as usize % CHUNK] =
                        if certainty > moves { Certain::Nearest } else { Certain::Nothing };
                    if certainty < -moves && touched >> lane & 1 == 0 {
                        set &= !(1 << lane);
                    }
                }
            }
            // no more are selected than were checked
            count += keep::<R>(set, &number, &mut near.candidate[count..]);
        }
        *near.count = count as u32;
        // a group that is not full is padded with copies
        if let Some(last) = count.checked_sub(1) {
            let end = count.next_multiple_of(MOST_LANES).min(CHUNK);
            let last = near.candidate[last];
            near.candidate[count..end].fill(last);
            for at in 0..end {
                let number = near.candidate[at] as usize % CHUNK;
                (near.first[at], near.second[at]) = (input.first[number], input.second[number]);
            }
        }
    }
}

/// Writes the numbers of the lanes in a set to the start of a column, in order, and arbitrary values behind them up to
/// the end of a group; returns how many lanes are in the set.
#[inline(always)]
fn keep<R: Lanes>(set: u32, number: &Numbers, column: &mut [u16]) -> usize {
    put(&R::squeezed(set, number)[..R::LANES], column);
    set.count_ones() as usize
}

/// Notes where the wrenches of a new selection go.
fn lay_out(near: &NearChunk, place: &mut [u16; CHUNK]) {
    place.fill(NOT_NEAR);
    for (at, &k) in near.candidate[..*near.count as usize].iter().enumerate() {
        place[k as usize % CHUNK] = at as u16;
    }
}

/// Near candidates that are passed to the law, and where their wrenches go.
pub(crate) struct Chosen {
    /// Numbers in the chunk, ascending; the last group is padded with copies.
    pub candidate: [u16; CHUNK],
    /// Numbers among the near ones, or in the chunk if wrenches go by these.
    pub place: [u16; CHUNK],
    /// How many.
    pub count: usize,
}

/// Whether so many near candidates do not touch that it pays to filter out those that do.
#[inline(always)]
pub(crate) fn is_sparse(input: &ChunkInput, near: &NearChunk) -> bool {
    10 * input.touching.len() < DENSE * *near.count as usize
}

/// The near candidates that touch now, touched at the start of the step or have a wrench from the last evaluation that must not stay;
/// of those with walls none has.
#[inline(always)]
pub(crate) fn choose<R: Lanes, P: Partner<R>>(
    context: &StepContext,
    bodies: &Bodies,
    (range, needs): (f64, Needs),
    input: &ChunkInput,
    near: &NearChunk,
    forces: &ForceChunk,
) -> Chosen {
    let mut chosen = Chosen { candidate: [0; CHUNK], place: [0; CHUNK], count: 0 };
    let total = *near.count as usize;
    let (mut count, mut old) = (0, 0);
    let mut slots = [[0; MOST_LANES]; 2];
    for at in (0..total).step_by(R::LANES) {
        let number = numbers_at(near.candidate, at);
        let group = if P::BY_NUMBER {
            let later = numbers_at(near.candidate, (at + AHEAD) % CHUNK);
            P::prefetch(bodies, || R::places(input.first, &later), || R::places(input.second, &later), needs);
            Group::new::<R>(input, near.certain, &number, &mut slots)
        } else {
            Group::next::<R>(near, at, &mut slots)
        };
        let touching = P::are_near(context, bodies, &group, range).bits();
        // numbers of modes are small, only that of what does not touch has its highest bit
        let loaded = if P::BY_NUMBER { 0 } else { !mode_bytes::highest(&forces.mode[at..], R::LANES) };
        let here = (1 << R::LANES.min(total - at)) - 1;
        let known = known_lanes::<R>(&input.touching[old..], &number) & here;
        old += known.count_ones() as usize;
        let set = (touching | loaded | known) & here;
        // no more are chosen than were checked
        let mut place = number;
        if !P::BY_NUMBER {
            for lane in 0..MOST_LANES {
                place[lane] = (at + lane) as u16;
            }
        }
        keep::<R>(set, &place, &mut chosen.place[count..]);
        count += keep::<R>(set, &number, &mut chosen.candidate[count..]);
    }
    chosen.count = count;
    let end = count.next_multiple_of(R::LANES).min(CHUNK);
    if let Some(last) = count.checked_sub(1) {
        let (candidate, place) = (chosen.candidate[last], chosen.place[last]);
        chosen.candidate[count..end].fill(candidate);
        chosen.place[count..end].fill(place);
    }
    chosen
}
