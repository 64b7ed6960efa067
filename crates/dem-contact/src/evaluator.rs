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
use dem_core::history::{ChunkHistory, ContactWork, END, FieldSpec};
use dem_core::lanes::{LaneTask, MOST_LANES, Mask, Places, Real, Vector};

use crate::contact_forces::ForceChunk;
use crate::geometry::{self, Bodies, Levers, Slots, StepContext};
use crate::lane_bits;
use crate::law::{ContactLaw, Kinematics, LaneLaw, Record, Response};
use crate::near_list::NearChunk;
use crate::selection::{choose, is_sparse, select};
use crate::wrench::LINE;

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

/// Rows of history that a group reads.
pub struct StartRows<'a> {
    records: &'a [f64],
    stride: usize,
    rows: Places,
}

impl<'a> StartRows<'a> {
    #[inline(always)]
    fn row(&self, lane: usize) -> &'a [f64] {
        &self.records[self.rows[lane] * self.stride..][..self.stride]
    }
}

/// Rows of history that a group writes.
pub struct EndRows<'a> {
    records: &'a mut [f64],
    stride: usize,
    rows: Places,
}

impl EndRows<'_> {
    #[inline(always)]
    fn row(&mut self, lane: usize) -> &mut [f64] {
        &mut self.records[self.rows[lane] * self.stride..][..self.stride]
    }
}

/// Where rows of a table start.
#[inline(always)]
fn starts(rows: &Places, stride: usize) -> Places {
    let mut starts = [0; MOST_LANES];
    let mut lane = 0;
    while lane < MOST_LANES {
        starts[lane] = rows[lane] * stride;
        lane += 1;
    }
    starts
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
        let before = L::Record::<R>::load(start.records, &starts(&start.rows, width), 0);
        let (response, after) = law.respond_in_lanes(kinematics, &before);
        after.store(end.records, &starts(&end.rows, width), 0);
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

/// Candidates by which bodies are asked for before they are read.
const AHEAD: usize = 2 * MOST_LANES;

/// Bodies of a group: slots of the first, slots or walls of the second, features of walls.
pub(crate) struct Group {
    first: Slots,
    second: Slots,
    feature: [u32; MOST_LANES],
}

impl Group {
    /// The candidates whose numbers in the chunk are given by lane.
    #[inline(always)]
    pub fn new<R: Real>(input: &ChunkInput, number: &Numbers) -> Self {
        let mut feature = [0; MOST_LANES];
        if !input.feature.is_empty() {
            for lane in 0..R::LANES {
                feature[lane] = input.feature.get(number[lane] as usize % CHUNK).copied().unwrap_or(0);
            }
        }
        Self { first: R::places(input.first, number), second: R::places(input.second, number), feature }
    }

    /// The near pairs from a place on.
    #[inline(always)]
    pub fn next<R: Real>(near: &NearChunk, at: usize) -> Self {
        let mut group = Self { first: [0; MOST_LANES], second: [0; MOST_LANES], feature: [0; MOST_LANES] };
        let (first, second) = (&near.first[at..][..R::LANES], &near.second[at..][..R::LANES]);
        let mut lane = 0;
        while lane < R::LANES {
            (group.first[lane], group.second[lane]) = (first[lane] as usize, second[lane] as usize);
            lane += 1;
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

    /// Asks for the second bodies of candidates from a place on; the first ones follow each other.
    fn prefetch(_bodies: &Bodies, _input: &ChunkInput, _candidates: &[u16; CHUNK], _at: usize) {}

    /// Kinematics of contacts; the tangential velocity may be left out if it is not needed.
    fn kinematics(
        context: &StepContext,
        bodies: &Bodies,
        group: &Group,
        needs_tangential_velocity: bool,
    ) -> (Kinematics<R>, Levers<R>);
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
    fn prefetch(bodies: &Bodies, input: &ChunkInput, candidates: &[u16; CHUNK], at: usize) {
        if bodies.are_many() {
            bodies.prefetch::<R>(&R::places(input.second, &numbers_at(candidates, at % CHUNK)));
        }
    }
    #[inline(always)]
    fn kinematics(
        context: &StepContext,
        bodies: &Bodies,
        group: &Group,
        needs_tangential_velocity: bool,
    ) -> (Kinematics<R>, Levers<R>) {
        geometry::pairs(context, bodies, &group.first, &group.second, needs_tangential_velocity)
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
    fn kinematics(context: &StepContext, _bodies: &Bodies, group: &Group, _: bool) -> (Kinematics, Levers) {
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

/// Numbers of candidates in their chunk by lane.
pub(crate) type Numbers = [u16; MOST_LANES];

/// Numbers from a place on; zeros behind the last.
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
pub(crate) fn known_lanes<R: Real>(touching: &[u16], number: &Numbers) -> u32 {
    let among = match touching.first_chunk() {
        Some(among) => *among,
        None => last_numbers(touching, 0, END),
    };
    R::found(number, &among)
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
    let needs_tangential_velocity = law.needs_tangential_velocity();
    if let Some(margin) = segment.select {
        select::<R, P>(context, &bodies, range + margin, input, &mut output.near, &mut output.forces);
    }
    output.separated.clear();

    let chosen;
    // where wrenches go, unless they follow each other
    let (candidates, places, near) = if !P::BY_NUMBER && is_sparse(input, &output.near) {
        chosen = choose::<R, P>(context, &bodies, range, input, &output.near, &output.forces);
        (&chosen.candidate, Some(&chosen.place), chosen.count)
    } else if P::BY_NUMBER {
        (&*output.near.candidate, Some(&*output.near.candidate), *output.near.count as usize)
    } else {
        (&*output.near.candidate, None, *output.near.count as usize)
    };
    history.make_room(near.next_multiple_of(MOST_LANES), stride);
    let (touching_end, records_end) = history.places();
    let all = (1u32 << R::LANES) - 1;
    let without = input.touching.len() - 1;
    let (mut count, mut old) = (0, 0);
    let mut largest = 0.0f64;
    for at in (0..near).step_by(R::LANES) {
        let lanes = R::LANES.min(near - at);
        let full = (1u32 << lanes) - 1;
        let number = numbers_at(candidates, at);
        let group = match places {
            Some(_) => Group::new::<R>(input, &number),
            None => Group::next::<R>(&output.near, at),
        };
        P::prefetch(&bodies, input, candidates, at + AHEAD);
        let (kinematics, levers) = P::kinematics(context, &bodies, &group, needs_tangential_velocity);
        // or is within range of a law that acts at a distance
        let touching = R::splat(-range).less(kinematics.overlap1);
        let touches = touching.bits() & full;
        let kept = touches.count_ones() as usize;

        // those that touch go to the next free rows, all others behind them, to be overwritten; those without history have that of zeros
        let known = known_lanes::<R>(&input.touching[old..], &number) & full;
        let before = R::numbered(known, old, &[without; MOST_LANES]);
        let after = R::numbered(!touches & all, count + kept, &[0; MOST_LANES]);
        let after = R::numbered(touches, count, &after);
        let start = StartRows { records: input.records, stride, rows: before };
        let mut end = EndRows { records: &mut *records_end, stride, rows: after };
        old += known.count_ones() as usize;
        let response = E::respond(law, &kinematics, &start, &mut end, lanes);

        let normal_force = R::select(touching, response.normal_force, R::zero());
        let tangential_force = Vector::select(touching, response.tangential_force, Vector::zero());
        let force = tangential_force - kinematics.normal1 * normal_force;
        let moment = kinematics.normal1.cross(tangential_force);
        let columns =
            [force.x, force.y, force.z, levers.first_length, moment.x, moment.y, moment.z, levers.second_length];
        let place = places.map(|places| numbers_at(places, at));
        let place = |lane: usize| place.map_or(at + lane, |place| place[lane] as usize) % CHUNK;
        let wrenches = &mut *output.forces.wrench;
        let apart = if range > 0.0 { kinematics.overlap1.at_most(R::zero()).bits() } else { 0 };
        let modes = lane_bits::modes(response.loaded.bits(), response.slides.bits(), apart, !touches);
        if lanes < R::LANES {
            // copies have no history and so another wrench than the contact whose place they share
            R::rows(&columns, |lane, wrench| {
                if lane < lanes {
                    wrenches[place(lane)] = bytemuck::cast(wrench);
                }
            });
            for lane in 0..lanes {
                output.forces.mode[place(lane)] = modes[lane];
            }
        } else if places.is_none() {
            R::store_next_rows(&columns, bytemuck::cast_slice_mut(wrenches), at * LINE);
            output.forces.mode[at..][..R::LANES].copy_from_slice(&modes[..R::LANES]);
        } else {
            let mut start = [0; MOST_LANES];
            for lane in 0..R::LANES {
                start[lane] = place(lane) * LINE;
                output.forces.mode[place(lane)] = modes[lane];
            }
            R::store_rows(&columns, bytemuck::cast_slice_mut(wrenches), &start, 0);
        }
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
        // there is room for a whole group: it starts where those before it would end if all of them touched, or earlier
        touching_end[count..][..R::LANES].copy_from_slice(&R::squeezed(touches, &number)[..R::LANES]);
        let mut parted = known & !touches;
        while parted != 0 {
            let lane = parted.trailing_zeros() as usize;
            let mut work = ContactWork::default();
            work.add_record(fields, end.row(lane));
            output.separated.push((u32::from(number[lane]), work));
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

/// Kinematics of one contact.
pub(crate) fn kinematics_of_pair(context: &StepContext, first: usize, second: usize) -> (Kinematics, Levers) {
    geometry::pairs(context, &context.bodies(), &[first; MOST_LANES], &[second; MOST_LANES], true)
}
