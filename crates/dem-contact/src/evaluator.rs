//! Evaluation of one chunk of candidates: geometry, law, wrench of those that are near.
//!
//! The candidates of a chunk belong to one pair of materials, so one law serves all of them. Those near enough to touch are computed in
//! groups of as many as the processor has lanes. A group that is not full is filled up with copies of its last contact, whose results
//! are not kept, so that every contact is computed by the same instructions.
//!
//! Wrenches go where their candidates are among the near ones, zero for those that do not touch. What a step remembers of a contact that
//! does not touch goes to a place that a later contact or nobody uses: storing without asking is cheaper than branches that nothing could
//! predict. Where all contacts of a group touch, as most do in a dense packing, their rows follow each other.

use std::marker::PhantomData;

use dem_core::contact_list::CHUNK;
use dem_core::history::{ChunkHistory, ContactWork, FieldSpec};
use dem_core::lanes::{LaneTask, MOST_LANES, Mask, Real, Vector};

use crate::contact_forces::ForceChunk;
use crate::geometry::{self, Bodies, Levers, Slots, StepContext};
use crate::lane_bits;
use crate::law::{ContactLaw, Kinematics, LaneLaw, Record, Response};
use crate::near_list::NearChunk;
use crate::selection::{IN_ORDER, choose, is_sparse, select};

/// How the contacts of a group are put to a law.
pub trait Evaluator<L: ContactLaw>: Send + Sync + 'static {
    /// Numbers per record, for laws that know it when they are compiled.
    const WIDTH: Option<usize>;

    /// Answers for one group. `start` and `end` are rows of history by lane; the first `lanes` are contacts, the others copies.
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &StartRows,
        end: &mut EndRows,
        lanes: usize,
    ) -> Response<R>;
}

/// Which rows of history belong to the lanes of a group.
#[derive(Clone, Copy)]
enum Rows {
    /// One after the other from this one on.
    Consecutive(usize),
    /// By lane.
    Scattered([usize; MOST_LANES]),
}

impl Rows {
    #[inline(always)]
    fn of(&self, lane: usize) -> usize {
        match self {
            Self::Consecutive(first) => first + lane,
            Self::Scattered(rows) => rows[lane],
        }
    }
}

/// Rows of history that a group reads.
pub struct StartRows<'a> {
    records: &'a [f64],
    stride: usize,
    rows: Rows,
}

impl<'a> StartRows<'a> {
    #[inline(always)]
    fn row(&self, lane: usize) -> &'a [f64] {
        &self.records[self.rows.of(lane) * self.stride..][..self.stride]
    }
}

/// Rows of history that a group writes.
pub struct EndRows<'a> {
    records: &'a mut [f64],
    stride: usize,
    rows: Rows,
}

impl EndRows<'_> {
    #[inline(always)]
    fn row(&mut self, lane: usize) -> &mut [f64] {
        &mut self.records[self.rows.of(lane) * self.stride..][..self.stride]
    }
}

/// All lanes at once, for laws written in lanes.
pub struct Lanes;

impl<L: LaneLaw> Evaluator<L> for Lanes {
    const WIDTH: Option<usize> = Some(L::Record::<f64>::WIDTH);

    #[inline(always)]
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &StartRows,
        end: &mut EndRows,
        _lanes: usize,
    ) -> Response<R> {
        let width = L::Record::<f64>::WIDTH;
        // one check of bounds for all rows where they follow each other
        let before = match start.rows {
            Rows::Consecutive(first) => {
                let block = &start.records[first * width..][..R::LANES * width];
                L::Record::<R>::load(|lane| &block[lane * width..][..width])
            }
            Rows::Scattered(_) => L::Record::<R>::load(|lane| start.row(lane)),
        };
        let (response, after) = law.respond_in_lanes(kinematics, &before);
        match end.rows {
            Rows::Consecutive(first) => {
                let block = &mut end.records[first * width..][..R::LANES * width];
                after.store(|lane, at, numbers| block[lane * width + at..][..numbers.len()].copy_from_slice(numbers));
            }
            Rows::Scattered(_) => {
                after.store(|lane, at, numbers| end.row(lane)[at..][..numbers.len()].copy_from_slice(numbers));
            }
        }
        response
    }
}

/// One contact after the other, for laws that need more than `+ − × ÷ √`; the geometry is still computed in lanes.
pub struct OneByOne;

impl<L: ContactLaw> Evaluator<L> for OneByOne {
    const WIDTH: Option<usize> = None;

    #[inline(always)]
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &StartRows,
        end: &mut EndRows,
        lanes: usize,
    ) -> Response<R> {
        let mut answers = [Response::default(); MOST_LANES];
        let contacts = kinematics.split();
        for (lane, answer) in answers.iter_mut().enumerate().take(lanes) {
            *answer = respond_alone(law, &contacts[lane], start.row(lane), end.row(lane));
        }
        let answer = |lane: usize| answers[lane];
        let truth = |flag: fn(&Response) -> bool| {
            R::zero().less(R::from_lanes(|lane| if flag(&answer(lane)) { 1.0 } else { 0.0 }))
        };
        Response {
            normal_force: R::from_lanes(|lane| answer(lane).normal_force),
            tangential_force: Vector::from_lanes(|lane| answer(lane).tangential_force.into()),
            couple: Vector::from_lanes(|lane| answer(lane).couple.into()),
            loaded: truth(|answer| answer.loaded),
            slides: truth(|answer| answer.slides),
        }
    }
}

/// Out of line: compiled once for a law, not once for every width.
#[inline(never)]
fn respond_alone<L: ContactLaw>(law: &L, contact: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
    law.respond(contact, start, end)
}

/// In lanes where the records are as long as those that the law was compiled for, else one by one.
pub struct LanesOrOneByOne;

impl<L: LaneLaw> Evaluator<L> for LanesOrOneByOne {
    const WIDTH: Option<usize> = None;

    #[inline(always)]
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &StartRows,
        end: &mut EndRows,
        lanes: usize,
    ) -> Response<R> {
        if start.stride == L::Record::<f64>::WIDTH {
            Lanes::respond(law, kinematics, start, end, lanes)
        } else {
            OneByOne::respond(law, kinematics, start, end, lanes)
        }
    }
}

/// Bodies of a group: slots of the first, slots or walls of the second, features of walls.
pub(crate) struct Group {
    first: Slots,
    second: Slots,
    feature: [u32; MOST_LANES],
}

impl Group {
    /// The candidates whose numbers in the chunk are given by lane.
    #[inline(always)]
    pub fn new<R: Real>(input: &ChunkInput, number: &[usize; MOST_LANES]) -> Self {
        let mut group = Self { first: [0; MOST_LANES], second: [0; MOST_LANES], feature: [0; MOST_LANES] };
        for lane in 0..R::LANES {
            let k = number[lane] % CHUNK;
            group.first[lane] = input.first[k] as usize;
            group.second[lane] = input.second[k] as usize;
            group.feature[lane] = input.feature.get(k).copied().unwrap_or(0);
        }
        group
    }
}

/// How the second body enters: monomorphised, so that the loop over contacts has no branch on it.
pub(crate) trait Partner<R: Real> {
    /// Whether wrenches go by the numbers of candidates in their chunk instead of by their places among the near ones.
    const BY_NUMBER: bool;

    /// Where candidates are within `range` of touching.
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask;

    /// Kinematics of contacts.
    fn kinematics(context: &StepContext, bodies: &Bodies, group: &Group) -> (Kinematics<R>, Levers<R>);
}

/// Pairs of spheres.
pub(crate) struct Spheres;

impl<R: Real> Partner<R> for Spheres {
    const BY_NUMBER: bool = false;

    #[inline(always)]
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask {
        geometry::pairs_are_near::<R>(context, bodies, &group.first, &group.second, range)
    }
    #[inline(always)]
    fn kinematics(context: &StepContext, bodies: &Bodies, group: &Group) -> (Kinematics<R>, Levers<R>) {
        geometry::pairs(context, bodies, &group.first, &group.second)
    }
}

/// Spheres and walls, one at a time: their shapes branch. Walls may move, so what is near is found anew in every evaluation.
pub(crate) struct Walls;

impl Partner<f64> for Walls {
    const BY_NUMBER: bool = true;

    #[inline]
    fn are_near(context: &StepContext, _bodies: &Bodies, group: &Group, range: f64) -> bool {
        let wall = &context.walls[group.second[0]];
        let surface = geometry::wall_surface(context, group.first[0], wall, group.feature[0]);
        surface.is_nearest && surface.distance < context.particles.radius[group.first[0]] + range
    }
    #[inline]
    fn kinematics(context: &StepContext, _bodies: &Bodies, group: &Group) -> (Kinematics, Levers) {
        geometry::wall(context, group.first[0], &context.walls[group.second[0]], group.feature[0])
    }
}

/// What is common to the chunks of a segment.
pub(crate) struct SegmentInput<'a, L> {
    pub law: &'a L,
    pub fields: &'a [FieldSpec],
    pub range: f64,
    pub stride: usize,
    /// The margin to select near candidates with \[m\], or none if the last selection still holds.
    pub select: Option<f64>,
    pub context: &'a StepContext<'a>,
}

/// What one chunk reads.
pub(crate) struct ChunkInput<'a> {
    /// Number of candidates.
    pub candidates: usize,
    /// Slots of the first particles; places beyond the candidates hold anything.
    pub first: &'a [u32; CHUNK],
    /// Slots of the second particles or numbers of the walls.
    pub second: &'a [u32; CHUNK],
    /// Features of walls; empty for pairs.
    pub feature: &'a [u32],
    /// Candidates that touched at the start of the step, ascending, and a last number that no candidate has.
    pub touching: &'a [u16],
    /// Their records, and a last one of zeros for contacts without history.
    pub records: &'a [f64],
}

/// What one chunk writes.
pub(crate) struct ChunkOutput<'a> {
    pub near: NearChunk<'a>,
    pub forces: ForceChunk<'a>,
    pub separated: &'a mut Vec<(u32, ContactWork)>,
    pub largest: &'a mut f64,
}

/// Evaluates the candidates of a chunk that are pairs of spheres.
pub(crate) fn evaluate_pairs<L: ContactLaw, E: Evaluator<L>>(
    segment: &SegmentInput<L>,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
) {
    segment.context.width.run(Chunk::<L, E, Spheres> { segment, input, history, output, kind: PhantomData });
}

/// Evaluates the candidates of a chunk that are spheres and walls.
pub(crate) fn evaluate_walls<L: ContactLaw, E: Evaluator<L>>(
    segment: &SegmentInput<L>,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
) {
    evaluate_chunk::<f64, L, E, Walls>(segment, input, history, output);
}

struct Chunk<'a, 's, 'i, 'o, L, E, P> {
    segment: &'a SegmentInput<'s, L>,
    input: &'a ChunkInput<'i>,
    history: &'a mut ChunkHistory,
    output: &'a mut ChunkOutput<'o>,
    kind: PhantomData<(E, P)>,
}

impl<L: ContactLaw, E: Evaluator<L>> LaneTask for Chunk<'_, '_, '_, '_, L, E, Spheres> {
    type Output = ();
    #[inline(always)]
    fn run<R: Real>(self) {
        evaluate_chunk::<R, L, E, Spheres>(self.segment, self.input, self.history, self.output);
    }
}

/// Which of a group's `lanes` near candidates touched at the start of the step; `touching` starts at the first that may be one of them.
#[inline(always)]
fn known_lanes<R: Real>(touching: &[u16], near: &[u16], lanes: usize) -> u32 {
    // most often all of them; lengths that the compiler knows spare a call
    if lanes == R::LANES && touching.get(..R::LANES) == near.get(..R::LANES) {
        return (1 << R::LANES) - 1;
    }
    let (mut known, mut old) = (0, 0);
    for (lane, k) in near.iter().enumerate().take(lanes) {
        let touched = touching[old] == *k;
        known |= u32::from(touched) << lane;
        old += usize::from(touched);
    }
    known
}

/// A number for every lane.
#[inline(always)]
pub(crate) fn numbers(number: impl Fn(usize) -> usize) -> [usize; MOST_LANES] {
    let mut all = [0; MOST_LANES];
    let mut lane = 0;
    while lane < MOST_LANES {
        all[lane] = number(lane);
        lane += 1;
    }
    all
}

#[inline(always)]
fn evaluate_chunk<R: Real, L: ContactLaw, E: Evaluator<L>, P: Partner<R>>(
    segment: &SegmentInput<L>,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
) {
    let &SegmentInput { law, fields, range, context, .. } = segment;
    let stride = E::WIDTH.unwrap_or(segment.stride);
    let bodies = context.bodies();
    if let Some(margin) = segment.select {
        select::<R, P>(context, &bodies, range + margin, input, &mut output.near, &mut output.forces);
    }
    output.separated.clear();

    let chosen;
    let (candidates, places, near) = if !P::BY_NUMBER && is_sparse(input, &output.near) {
        chosen = choose::<R, P>(context, &bodies, range, input, &output.near, &output.forces);
        (&chosen.candidate, &chosen.place, chosen.count)
    } else if P::BY_NUMBER {
        (&*output.near.candidate, &*output.near.candidate, *output.near.count as usize)
    } else {
        (&*output.near.candidate, &IN_ORDER, *output.near.count as usize)
    };
    history.make_room(near.next_multiple_of(MOST_LANES), stride);
    let (touching_end, records_end) = history.places();
    let all = (1u32 << R::LANES) - 1;
    let (mut count, mut old) = (0, 0);
    let mut largest = 0.0f64;
    for at in (0..near).step_by(R::LANES) {
        let lanes = R::LANES.min(near - at);
        let number = numbers(|lane| candidates[(at + lane) % CHUNK] as usize);
        let group = Group::new::<R>(input, &number);
        let (kinematics, levers) = P::kinematics(context, &bodies, &group);
        // or is within range of a law that acts at a distance
        let touching = R::splat(-range).less(kinematics.overlap1);
        let touches = touching.bits() & ((1 << lanes) - 1);
        let kept = touches.count_ones() as usize;

        // contacts that touch go to the next free rows, all others behind them, to be overwritten
        let known = known_lanes::<R>(&input.touching[old..], &candidates[at..at + R::LANES], lanes);
        let before = if known == all { Rows::Consecutive(old) } else { rows_before::<R>(known, old, input) };
        let after = if touches == all { Rows::Consecutive(count) } else { rows_after::<R>(touches, count) };
        let start = StartRows { records: input.records, stride, rows: before };
        let mut end = EndRows { records: &mut *records_end, stride, rows: after };
        old += known.count_ones() as usize;
        let response = E::respond(law, &kinematics, &start, &mut end, lanes);

        let force = response.tangential_force - kinematics.normal1 * response.normal_force;
        let moment = kinematics.normal1.cross(response.tangential_force);
        let force = Vector::select(touching, force, Vector::zero());
        let moment = Vector::select(touching, moment, Vector::zero());
        let columns =
            [force.x, force.y, force.z, levers.first_length, moment.x, moment.y, moment.z, levers.second_length];
        let place = |lane: usize| places[(at + lane) % CHUNK] as usize % CHUNK;
        let wrenches = &mut *output.forces.wrench;
        // copies have no history and so another wrench than the contact whose place they share
        R::rows(&columns, |lane, wrench| {
            if lane < lanes {
                wrenches[place(lane)] = bytemuck::cast(wrench);
            }
        });
        if let Some(couples) = &mut output.forces.couple {
            let couple = Vector::select(touching, response.couple, Vector::zero());
            R::rows(&[couple.x, couple.y, couple.z], |lane, couple| {
                if lane < lanes {
                    couples[place(lane)] = couple.into();
                }
            });
        }
        if let Some(torques) = &mut output.forces.wall_torque {
            let torque = -levers.second.cross(force) - response.couple;
            R::rows(&[torque.x, torque.y, torque.z], |lane, torque| torques[place(lane)] = torque.into());
        }
        let apart = if range > 0.0 { kinematics.overlap1.at_most(R::zero()).bits() } else { 0 };
        let modes = lane_bits::modes(response.loaded.bits(), response.slides.bits(), apart, !touches);
        for lane in 0..lanes {
            output.forces.mode[place(lane)] = modes[lane];
        }
        if touches == all {
            touching_end[count..count + R::LANES].copy_from_slice(&candidates[at..at + R::LANES]);
        } else {
            // backwards, so that a contact has the last word over its copies
            for lane in (0..R::LANES).rev() {
                touching_end[end.rows.of(lane)] = number[lane] as u16;
            }
        }
        let mut parted = known & !touches;
        while parted != 0 {
            let lane = parted.trailing_zeros() as usize;
            let mut work = ContactWork::default();
            work.add_record(fields, end.row(lane));
            output.separated.push((number[lane] as u32, work));
            parted &= parted - 1;
        }
        count += kept;
        // a division for the few contacts that raise it
        if kinematics.overlap1.greater(R::splat(largest) * kinematics.smaller_radius).any() {
            for lane in 0..lanes {
                largest = largest.max(kinematics.overlap1.lane(lane) / kinematics.smaller_radius.lane(lane));
            }
        }
    }
    history.close(count, stride);
    *output.largest = largest;
}

/// Where contacts that touched at the start of the step have their records; those that did not have that of zeros.
#[inline(always)]
fn rows_before<R: Real>(known: u32, old: usize, input: &ChunkInput) -> Rows {
    let mut rows = [input.touching.len() - 1; MOST_LANES];
    let below = lane_bits::below(known);
    for lane in 0..R::LANES {
        if known >> lane & 1 == 1 {
            rows[lane] = old + below[lane] as usize;
        }
    }
    Rows::Scattered(rows)
}

/// Where contacts that touch put their records, from row `count` on; those that do not come behind them.
#[inline(always)]
fn rows_after<R: Real>(touches: u32, count: usize) -> Rows {
    let mut rows = [0; MOST_LANES];
    let (below, kept) = (lane_bits::below(touches), touches.count_ones() as usize);
    for lane in 0..R::LANES {
        let below = below[lane] as usize;
        rows[lane] = count + if touches >> lane & 1 == 1 { below } else { kept + lane - below };
    }
    Rows::Scattered(rows)
}

/// Kinematics of one contact.
pub(crate) fn kinematics_of_pair(context: &StepContext, first: usize, second: usize) -> (Kinematics, Levers) {
    geometry::pairs(context, &context.bodies(), &[first; MOST_LANES], &[second; MOST_LANES])
}
