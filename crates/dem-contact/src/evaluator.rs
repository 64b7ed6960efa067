//! Evaluation of one chunk of candidates: selection, geometry, law, wrench.
//!
//! The candidates of a chunk belong to one pair of materials, so one law serves all of them. A first pass selects the candidates to look
//! at from positions and radii alone; the second computes them in groups of as many as the processor has lanes. A
//! group that is not full is filled up with copies of its last contact, whose results are not stored, so that every contact is
//! computed by the same instructions.

use dem_core::contact_list::CHUNK;
use dem_core::history::{ContactWork, FieldSpec};
use dem_core::lanes::{LaneTask, MOST_LANES, Mask, Real, Vector};

use crate::contact_forces::{NOT_TOUCHING, Wrench};
use crate::geometry::{self, Bodies, Levers, Slots, StepContext};
use crate::law::{ContactLaw, Kinematics, LaneLaw, Mode, Record, Response};

/// How the contacts of a group are put to a law.
pub trait Evaluator<L: ContactLaw>: Send + Sync + 'static {
    /// Answers for one group. `start` and `end` are rows of history by lane; only the first `lanes` rows are written.
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &[&[f64]; MOST_LANES],
        end: &mut EndRows,
        lanes: usize,
    ) -> Response<R>;
}

/// Rows of history that a group writes.
pub struct EndRows<'a> {
    records: &'a mut [f64],
    stride: usize,
    row: [usize; MOST_LANES],
}

impl EndRows<'_> {
    #[inline(always)]
    fn row(&mut self, lane: usize) -> &mut [f64] {
        &mut self.records[self.row[lane] * self.stride..][..self.stride]
    }
}

/// All lanes at once, for laws written in lanes.
pub struct Lanes;

impl<L: LaneLaw> Evaluator<L> for Lanes {
    #[inline(always)]
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &[&[f64]; MOST_LANES],
        end: &mut EndRows,
        lanes: usize,
    ) -> Response<R> {
        let (response, record) = law.respond_in_lanes(kinematics, &L::Record::<R>::load(|lane| start[lane]));
        record.store(|lane, at, numbers| {
            if lane < lanes {
                end.row(lane)[at..at + numbers.len()].copy_from_slice(numbers);
            }
        });
        response
    }
}

/// One contact after the other, for laws that need more than `+ − × ÷ √`; the geometry is still computed in lanes.
pub struct OneByOne;

impl<L: ContactLaw> Evaluator<L> for OneByOne {
    #[inline(always)]
    fn respond<R: Real>(
        law: &L,
        kinematics: &Kinematics<R>,
        start: &[&[f64]; MOST_LANES],
        end: &mut EndRows,
        lanes: usize,
    ) -> Response<R> {
        let mut answers = [const { None::<Response> }; MOST_LANES];
        for (lane, answer) in answers.iter_mut().enumerate().take(lanes) {
            *answer = Some(law.respond(&kinematics.lane(lane), start[lane], end.row(lane)));
        }
        let answer = |lane: usize| answers[lane.min(lanes - 1)].unwrap_or_default();
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

/// Bodies of a group: slots of the first, slots or walls of the second, features of walls.
pub(crate) struct Group {
    first: Slots,
    second: Slots,
    feature: [u32; MOST_LANES],
}

impl Group {
    /// The candidates that `number` gives by lane.
    #[inline(always)]
    fn new<R: Real>(input: &ChunkInput, number: impl Fn(usize) -> usize) -> Self {
        let mut group = Self { first: [0; MOST_LANES], second: [0; MOST_LANES], feature: [0; MOST_LANES] };
        let (first, second) = (input.first, &input.second[..input.first.len()]);
        for lane in 0..R::LANES {
            let k = number(lane);
            group.first[lane] = first[k] as usize;
            group.second[lane] = second[k] as usize;
            group.feature[lane] = input.feature.get(k).copied().unwrap_or(0);
        }
        group
    }
}

/// How the second body enters: monomorphised, so that the loop over contacts has no branch on it.
pub(crate) trait Partner<R: Real> {
    /// Where candidates are within `range` of touching.
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask;

    /// Kinematics of contacts.
    fn kinematics(context: &StepContext, bodies: &Bodies, group: &Group) -> (Kinematics<R>, Levers<R>);
}

/// Pairs of spheres.
pub(crate) struct Spheres;

impl<R: Real> Partner<R> for Spheres {
    #[inline(always)]
    fn are_near(context: &StepContext, bodies: &Bodies, group: &Group, range: f64) -> R::Mask {
        geometry::pairs_are_near::<R>(context, bodies, &group.first, &group.second, range)
    }
    #[inline(always)]
    fn kinematics(context: &StepContext, bodies: &Bodies, group: &Group) -> (Kinematics<R>, Levers<R>) {
        geometry::pairs(context, bodies, &group.first, &group.second)
    }
}

/// Spheres and walls, one at a time: their shapes branch.
pub(crate) struct Walls;

impl Partner<f64> for Walls {
    #[inline]
    fn are_near(context: &StepContext, _bodies: &Bodies, group: &Group, range: f64) -> bool {
        let wall = &context.walls[group.second[0]];
        let surface = geometry::wall_surface(context, group.first[0], wall, group.feature[0]);
        surface.distance < context.particles.radius[group.first[0]] + range
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
    pub context: &'a StepContext<'a>,
}

/// What one chunk reads.
pub(crate) struct ChunkInput<'a> {
    pub first: &'a [u32],
    pub second: &'a [u32],
    /// Features of walls; empty for pairs.
    pub feature: &'a [u32],
    pub touching: &'a [u16],
    pub records: &'a [f64],
    /// Record of a contact without history.
    pub empty: &'a [f64],
}

/// What one chunk writes.
pub(crate) struct ChunkOutput<'a> {
    pub local: &'a mut [u16],
    pub wrench: &'a mut [Wrench],
    pub mode: &'a mut [Mode],
    pub count: &'a mut u32,
    pub touching: &'a mut [u16],
    pub records: &'a mut [f64],
    pub separated: &'a mut Vec<(u32, ContactWork)>,
    pub largest: &'a mut f64,
}

/// Evaluates the candidates of a chunk that are pairs of spheres.
pub(crate) fn evaluate_pairs<'b, L: ContactLaw, E: Evaluator<L>>(
    segment: &SegmentInput<'b, L>,
    input: &ChunkInput<'b>,
    output: &mut ChunkOutput<'b>,
) {
    segment.context.width.run(Chunk::<L, E, Spheres> { segment, input, output, kind: std::marker::PhantomData });
}

/// Evaluates the candidates of a chunk that are spheres and walls.
pub(crate) fn evaluate_walls<L: ContactLaw, E: Evaluator<L>>(
    segment: &SegmentInput<L>,
    input: &ChunkInput,
    output: &mut ChunkOutput,
) {
    evaluate_chunk::<f64, L, E, Walls>(segment, input, output);
}

struct Chunk<'a, 'b, L, E, P> {
    segment: &'a SegmentInput<'b, L>,
    input: &'a ChunkInput<'b>,
    output: &'a mut ChunkOutput<'b>,
    kind: std::marker::PhantomData<(E, P)>,
}

impl<L: ContactLaw, E: Evaluator<L>> LaneTask for Chunk<'_, '_, L, E, Spheres> {
    type Output = ();
    #[inline(always)]
    fn run<R: Real>(self) {
        evaluate_chunk::<R, L, E, Spheres>(self.segment, self.input, self.output);
    }
}

/// Candidates to look at.
struct Selection {
    count: usize,
    candidate: [u16; CHUNK],
    /// Number of the record of the start of the step, or [`NOT_TOUCHING`].
    record: [u16; CHUNK],
}

/// Selects the candidates that are near at the end of the step or touched at its start: the law sees the step in which a contact
/// separates. Without a branch on the outcome, which nothing could predict.
#[inline(always)]
fn select<R: Real, P: Partner<R>>(
    context: &StepContext,
    bodies: &Bodies,
    range: f64,
    input: &ChunkInput,
    selection: &mut Selection,
) {
    let candidates = input.first.len();
    let mut old = 0;
    for at in (0..candidates).step_by(R::LANES) {
        let group = Group::new::<R>(input, |lane| (at + lane).min(candidates - 1));
        let near = P::are_near(context, bodies, &group, range).bits();
        for lane in 0..R::LANES.min(candidates - at) {
            let k = (at + lane) as u16;
            let touched = input.touching.get(old).copied() == Some(k);
            // no more are selected than were looked at
            selection.candidate[selection.count % CHUNK] = k;
            selection.record[selection.count % CHUNK] = if touched { old as u16 } else { NOT_TOUCHING };
            selection.count += usize::from(touched) | (near >> lane & 1) as usize;
            old += usize::from(touched);
        }
    }
}

#[inline(always)]
fn evaluate_chunk<R: Real, L: ContactLaw, E: Evaluator<L>, P: Partner<R>>(
    segment: &SegmentInput<L>,
    input: &ChunkInput,
    output: &mut ChunkOutput,
) {
    let &SegmentInput { law, fields, range, stride, context } = segment;
    let bodies = context.bodies();
    let mut selection = Selection { count: 0, candidate: [0; CHUNK], record: [0; CHUNK] };
    select::<R, P>(context, &bodies, range, input, &mut selection);
    output.local.fill(NOT_TOUCHING);
    output.separated.clear();

    let mut count = 0;
    let mut largest = 0.0f64;
    for at in (0..selection.count).step_by(R::LANES) {
        let lanes = R::LANES.min(selection.count - at);
        let group = Group::new::<R>(input, |lane| selection.candidate[(at + lane.min(lanes - 1)) % CHUNK] as usize);
        let (kinematics, levers) = P::kinematics(context, &bodies, &group);
        // or is within range of a law that acts at a distance
        let touches = R::splat(-range).less(kinematics.overlap1).bits() & ((1 << lanes) - 1);

        // contacts that touch go to the next free rows, those that separate behind them, to be read and overwritten
        let mut start = [input.empty; MOST_LANES];
        let mut row = [0; MOST_LANES];
        let kept = touches.count_ones() as usize;
        let (mut next, mut spare) = (count, count + kept);
        for lane in 0..R::LANES {
            let record = selection.record[(at + lane.min(lanes - 1)) % CHUNK];
            if record != NOT_TOUCHING {
                start[lane] = &input.records[record as usize * stride..][..stride];
            }
            let touching = (touches >> lane & 1) as usize;
            row[lane] = if touching == 1 { next } else { spare };
            next += touching;
            spare += 1 - touching;
        }
        let mut end = EndRows { records: &mut *output.records, stride, row };
        let response = E::respond(law, &kinematics, &start, &mut end, lanes);

        let force = response.tangential_force - kinematics.normal1 * response.normal_force;
        let first = levers.first.cross(response.tangential_force) + response.couple;
        let second = -levers.second.cross(force) - response.couple;
        let columns = [force.x, force.y, force.z, first.x, first.y, first.z, second.x, second.y, second.z];
        R::rows(&columns, |lane, wrench| {
            if touches >> lane & 1 == 1 {
                output.wrench[row[lane]] = bytemuck::cast(wrench);
            }
        });
        let apart = if range > 0.0 { kinematics.overlap1.at_most(R::zero()).bits() } else { 0 };
        let (loaded, slides) = (response.loaded.bits(), response.slides.bits());
        for lane in 0..lanes {
            let k = selection.candidate[at + lane];
            if touches >> lane & 1 == 1 {
                let is_apart = apart >> lane & 1 == 1;
                let mode = Mode::of(loaded >> lane & 1 == 1, slides >> lane & 1 == 1);
                output.mode[row[lane]] = if is_apart { Mode::Apart } else { mode };
                output.touching[row[lane]] = k;
                output.local[k as usize] = row[lane] as u16;
            } else if selection.record[at + lane] != NOT_TOUCHING {
                let mut work = ContactWork::default();
                work.add_record(fields, end.row(lane));
                output.separated.push((u32::from(k), work));
            }
        }
        count += kept;
        // a division for the few contacts that raise it
        if kinematics.overlap1.greater(R::splat(largest) * kinematics.smaller_radius).any() {
            for lane in 0..lanes {
                largest = largest.max(kinematics.overlap1.lane(lane) / kinematics.smaller_radius.lane(lane));
            }
        }
    }
    *output.count = count as u32;
    *output.largest = largest;
}

/// Kinematics of one contact.
pub(crate) fn kinematics_of<P: Partner<f64>>(
    context: &StepContext,
    first: usize,
    second: usize,
    feature: u32,
) -> (Kinematics, Levers) {
    let group = Group { first: [first; MOST_LANES], second: [second; MOST_LANES], feature: [feature; MOST_LANES] };
    P::kinematics(context, &context.bodies(), &group)
}
