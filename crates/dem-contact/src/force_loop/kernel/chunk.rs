//! Evaluation of one chunk of candidates: geometry, law, wrench of those that are near.
//!
//! The candidates of a chunk belong to one pair of materials, so one law serves all of them. Those near enough to touch
//! are computed in groups of as many as there are SIMD lanes. A group that is not full is padded with copies of its
//! last contact, whose results are not kept, so that every contact is computed by the same instructions.
//!
//! Wrenches are stored by the index of their candidates among the near ones, zero for those that do not touch.

use std::marker::PhantomData;

use dem_core::contact_list::{CHUNK, PartnerKind};
use dem_core::history::ChunkHistory;
use dem_core::lanes::{LaneMask, LaneTask, Lanes, MOST_LANES, Mask, Rows, SourceRows, TargetRows, Vector, put};

use crate::force_loop::kernel::chunk_data::{ChunkInput, ChunkOutput, SegmentInput};
use crate::force_loop::kernel::evaluator::{EndRecords, Evaluator, OneByOne, Scratch};
use crate::force_loop::kernel::group_law::{GroupLaw, Grouped, InGroups};
use crate::force_loop::kernel::mode_bytes;
use crate::force_loop::kernel::pulled_group::PulledGroup;
use crate::force_loop::kinematics::partner::{AHEAD, Group, Partner, Spheres, Walls, known_lanes, numbers_at};
use crate::force_loop::neighbours::near_selection::{choose, is_sparse};
use crate::law::{ContactLaw, Kinematics};
use crate::pair_law::PairLaw;
use crate::pull::Pulled;

/// Evaluates the candidates of a chunk, all of which have partners of one kind, under a law in lanes. Where there are
/// no lanes, contacts are evaluated one at a time.
pub(crate) fn evaluate_in_lanes<L: ContactLaw, E: Evaluator<L>>(
    law: &L,
    segment: &SegmentInput,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
    scratch: &mut Scratch,
    partner: PartnerKind,
) {
    if partner == PartnerKind::Wall {
        return evaluate_in_shared_loop::<L, E>(law, segment, input, history, output, scratch, partner);
    }
    let chunk = Chunk::<L, E, Spheres> { law, segment, input, history, output, scratch, kind: PhantomData };
    if let Err(chunk) = segment.context.width.run_in_lanes_beside::<L::Home, _>(chunk) {
        let Chunk { history, output, scratch, .. } = chunk;
        evaluate_one_by_one(law.as_pair_law(), segment, input, history, output, scratch, partner);
    }
}

/// The same in the loop that all laws share, for which only the response is compiled for each law.
pub(crate) fn evaluate_in_shared_loop<L: ContactLaw, E: Evaluator<L>>(
    law: &L,
    segment: &SegmentInput,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
    scratch: &mut Scratch,
    partner: PartnerKind,
) {
    let grouped = Grouped { law, width: segment.context.width, evaluator: PhantomData::<E> };
    evaluate_groups(&grouped, law.as_pair_law(), segment, input, history, output, scratch, partner);
}

/// The same under a law in lanes with a pull laid over it.
pub(crate) fn evaluate_pulled<L: ContactLaw, E: Evaluator<L>>(
    (law, pulled): (&L, &Pulled),
    segment: &SegmentInput,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
    scratch: &mut Scratch,
    partner: PartnerKind,
) {
    let width = segment.context.width;
    let grouped = Grouped { law, width, evaluator: PhantomData::<E> };
    let group = PulledGroup { law: &grouped, overlay: pulled.overlay(), column: pulled.width(), width };
    evaluate_groups(&group, pulled.as_pair_law(), segment, input, history, output, scratch, partner);
}

/// The loop that all laws share. Where there are no lanes, contacts are evaluated one at a time under `alone`.
#[expect(clippy::too_many_arguments, reason = "those of the other loops, and the law in two forms")]
fn evaluate_groups(
    group: &dyn GroupLaw,
    alone: &dyn PairLaw,
    segment: &SegmentInput,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
    scratch: &mut Scratch,
    partner: PartnerKind,
) {
    let width = segment.context.width;
    let left = match partner {
        PartnerKind::Particle => {
            let kind = PhantomData::<(InGroups, Spheres)>;
            let chunk = Chunk { law: group, segment, input, history, output, scratch, kind };
            width.run_in_lanes_beside::<Spheres, _>(chunk).map_err(|chunk| (chunk.history, chunk.output, chunk.scratch))
        }
        PartnerKind::Wall => {
            let kind = PhantomData::<(InGroups, Walls)>;
            let chunk = Chunk { law: group, segment, input, history, output, scratch, kind };
            width.run_in_lanes_beside::<Walls, _>(chunk).map_err(|chunk| (chunk.history, chunk.output, chunk.scratch))
        }
    };
    if let Err((history, output, scratch)) = left {
        evaluate_one_by_one(alone, segment, input, history, output, scratch, partner);
    }
}

/// The same, one contact at a time under laws of any type; only the geometry is computed in lanes.
pub(crate) fn evaluate_one_by_one(
    law: &dyn PairLaw,
    segment: &SegmentInput,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
    scratch: &mut Scratch,
    partner: PartnerKind,
) {
    let width = segment.context.width;
    let kind = PhantomData::<(OneByOne, Spheres)>;
    match partner {
        PartnerKind::Particle => width.run(Chunk { law, segment, input, history, output, scratch, kind }),
        PartnerKind::Wall => {
            let kind = PhantomData::<(OneByOne, Walls)>;
            width.run(Chunk { law, segment, input, history, output, scratch, kind });
        }
    }
}

struct Chunk<'a, 's, 'i, 'o, L: ?Sized, E, P> {
    law: &'a L,
    segment: &'a SegmentInput<'s>,
    input: &'a ChunkInput<'i>,
    history: &'a mut ChunkHistory,
    output: &'a mut ChunkOutput<'o>,
    scratch: &'a mut Scratch,
    kind: PhantomData<(E, P)>,
}

impl<L: ?Sized, E: Evaluator<L>> LaneTask for Chunk<'_, '_, '_, '_, L, E, Spheres> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        evaluate_chunk::<R, L, E, Spheres>(self.law, self.segment, self.input, self.history, self.output, self.scratch);
    }
}

impl<L: ?Sized, E: Evaluator<L>> LaneTask for Chunk<'_, '_, '_, '_, L, E, Walls> {
    type Output = ();
    #[inline(always)]
    fn run<R: Lanes>(self) {
        evaluate_chunk::<R, L, E, Walls>(self.law, self.segment, self.input, self.history, self.output, self.scratch);
    }
}

#[inline(always)]
fn evaluate_chunk<R: Lanes, L: ?Sized, E: Evaluator<L>, P: Partner<R>>(
    law: &L,
    segment: &SegmentInput,
    input: &ChunkInput,
    history: &mut ChunkHistory,
    output: &mut ChunkOutput,
    scratch: &mut Scratch,
) {
    let &SegmentInput { fields, range, needs, context, .. } = segment;
    let stride = E::WIDTH.unwrap_or(segment.stride);
    let bodies = context.bodies();
    output.separated.clear();

    let chosen;
    // where wrenches go, unless they follow each other
    let (candidates, places, near) = if segment.hands_on || is_sparse(input, &output.near) {
        if P::BY_NUMBER {
            output.forces.forget(&output.near);
        } else if segment.in_frames {
            output.forces.clear_wrenches(*output.near.count as usize);
        }
        chosen = choose::<R, P>(context, &bodies, (range, needs), input, &output.near, &output.forces);
        (&chosen.candidate, Some(&chosen.place), chosen.count)
    } else if P::BY_NUMBER {
        (&*output.near.candidate, Some(&*output.near.candidate), *output.near.count as usize)
    } else {
        (&*output.near.candidate, None, *output.near.count as usize)
    };
    history.make_room(near.next_multiple_of(MOST_LANES), stride);
    let (touching_end, numbers_end, room_end) = history.places();
    let (numbers_start, room_start) = input.records;
    scratch.fit(stride, context.width);
    let (mut count, mut old) = (0, 0);
    let mut largest = 0.0f64;
    let mut ahead = input.ahead.in_parts(near.div_ceil(R::LANES));
    for at in (0..near).step_by(R::LANES) {
        let lanes = R::LANES.min(near - at);
        let full = (1u32 << lanes) - 1;
        let number = numbers_at(candidates, at);
        let mut slots = [[0; MOST_LANES]; 2];
        let group = match places {
            Some(_) => Group::new::<R>(input, output.near.certain, &number, &mut slots),
            None => Group::next::<R>(&output.near, at, &mut slots),
        };
        let later = (at + AHEAD) % CHUNK;
        let first = || R::places(input.first, &numbers_at(candidates, later));
        let second = || match places {
            Some(_) => R::places(input.second, &numbers_at(candidates, later)),
            None => output.near.second.as_chunks().0[later / MOST_LANES],
        };
        if !ahead.asks_for_bodies() {
            P::prefetch(&bodies, first, second, needs);
        }
        ahead.ask(|block| bodies.prefetch_block(block, needs));
        let (kinematics, levers) = P::kinematics(context, &bodies, &group, needs, range);
        let known = known_lanes::<R>(&input.touching[old..], &number) & full;
        let overlaps = R::zero().less(kinematics.overlap1);
        // or is within range of a law that acts at a distance, which is asked only where it matters
        let apart = if segment.begins_by_touch { known } else { full } & !overlaps.bits();
        let touching = if range > 0.0 && apart != 0 {
            (-reach::<R, L, E>(law, segment, &kinematics, known)).less(kinematics.overlap1)
        } else {
            overlaps
        };
        let touches = touching.bits() & full;
        let kept = touches.count_ones() as usize;

        let parted = known & !touches;
        let rows = Rows { first: old, room: room_start, set: known };
        let start = SourceRows::new::<R>(numbers_start, rows, stride);
        let rows = Rows { first: count, room: room_end, set: touches };
        let rows = TargetRows::new::<R>(numbers_end, rows, stride);
        let mut end = EndRecords::new(rows, parted, &mut *scratch);
        old += known.count_ones() as usize;
        let response = E::respond(law, &kinematics, &start, &mut end, lanes);

        let normal_force = R::select(touching, response.normal_force, R::zero());
        let tangential_force = Vector::select(touching, response.tangential_force, Vector::zero());
        let force = tangential_force.minus_scaled(kinematics.normal1, normal_force);
        let moment = kinematics.normal1.cross(tangential_force);
        let columns =
            [force.x, force.y, force.z, levers.first_length, moment.x, moment.y, moment.z, levers.second_length];
        let place = places.map(|places| numbers_at(places, at));
        let place = |lane: usize| place.map_or(at + lane, |place| place[lane] as usize) % CHUNK;
        let wrenches = &mut *output.forces.wrench;
        let apart =
            if range > 0.0 && !segment.touches_apart { kinematics.overlap1.at_most(R::zero()).bits() } else { 0 };
        let modes = mode_bytes::modes::<R>(response.loaded.bits(), response.slides.bits(), apart, !touches);
        if lanes < R::LANES {
            // copies have no history and so another wrench than the contact whose entry they share
            let mut rows = [[0.0; 8]; MOST_LANES];
            R::store_next_eights(&columns, &mut rows, 0);
            for (lane, &row) in rows[..lanes].iter().enumerate() {
                wrenches[place(lane)] = bytemuck::cast(row);
                output.forces.mode[place(lane)] = modes.to_le_bytes()[lane];
            }
        } else if let Some(places) = places {
            let (mut to, numbers) = ([0; MOST_LANES], numbers_at(places, at));
            for lane in 0..R::LANES {
                to[lane] = u32::from(numbers[lane]) % CHUNK as u32;
                output.forces.mode[to[lane] as usize] = modes.to_le_bytes()[lane];
            }
            R::store_eights(&columns, bytemuck::cast_slice_mut(wrenches), &to);
        } else {
            R::store_next_eights(&columns, bytemuck::cast_slice_mut(wrenches), at);
            put(&modes.to_le_bytes()[..R::LANES], &mut output.forces.mode[at..]);
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
            R::rows(&[torque.x, torque.y, torque.z], |lane, torque| {
                if lane < lanes {
                    torques[place(lane)] = torque.into();
                }
            });
        }
        // there is room for a whole group: it starts at or before the position where those before it would end if all
        // of them touched
        put(&R::squeezed(touches, &number)[..R::LANES], &mut touching_end[count..]);
        if parted != 0 {
            scratch.separate(fields, parted, &number, output.separated);
        }
        count += kept;
        // divides only for the few contacts that raise it
        if kinematics.overlap1.greater(R::splat(largest) * kinematics.smaller_radius).any() {
            for lane in 0..lanes {
                largest = largest.max(kinematics.overlap1.lane(lane) / kinematics.smaller_radius.lane(lane));
            }
        }
    }
    history.close(count);
    *output.largest = largest;
}

/// Distance between surfaces up to which each contact of a group persists, given which of them touched at the start of
/// the step \[m\].
#[inline(always)]
fn reach<R: Lanes, L: ?Sized, E: Evaluator<L>>(
    law: &L,
    segment: &SegmentInput,
    kinematics: &Kinematics<R>,
    known: u32,
) -> R {
    let range = E::range(law, kinematics.effective_radius);
    if segment.begins_by_touch {
        R::from_lanes(|lane| if known >> lane & 1 == 1 { range.lane(lane) } else { 0.0 })
    } else {
        range
    }
}
