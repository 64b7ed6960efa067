//! What a kernel keeps of one segment: histories, near candidates and how long their selection holds.

use dem_core::contact_list::{CHUNK, ContactList, PartnerKind, Segment};
use dem_core::history::HistoryStore;
use dem_core::wall::Pose;
use rayon::prelude::*;

use crate::force_loop::kernel::chunk_data::Ended;
use crate::force_loop::kinematics::geometry::{Reach, StepContext};
use crate::force_loop::kinematics::wall_geometry;
use crate::force_loop::neighbours::near_list::{Certain, NearList};

/// What is done with the histories that an evaluation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// They are on trial until `ForceKernel::commit`; another evaluation instead starts again from the histories before.
    Trial,
    /// The step is accepted whatever comes out: they replace the histories before, which saves half the memory.
    Final,
}

/// Contacts of one segment.
#[derive(Debug)]
pub(crate) struct SegmentState {
    pub segment: Segment,
    pub store: HistoryStore,
    pub near: NearList,
    /// Per chunk, the work terms of the contacts that separated in the evaluation on trial.
    pub separated: Vec<Vec<Ended>>,
    /// Per chunk, the contacts with walls that are not nearest any more.
    leaving: Vec<Vec<u16>>,
    /// Whether the last selection of near candidates was made for more than one evaluation.
    lasting: bool,
    /// Poses of the walls at that selection.
    poses: Vec<Pose>,
}

/// Cosine of the angle by which the normals of two features may differ at most if a contact passes from one to the other: in one step a
/// sphere turns far less around an edge.
const LEAST_AGREEMENT: f64 = 0.9;

impl SegmentState {
    pub fn new(segment: &Segment, store: HistoryStore) -> Self {
        Self {
            segment: segment.clone(),
            store,
            near: NearList::default(),
            separated: Vec::new(),
            leaving: Vec::new(),
            poses: Vec::new(),
            lasting: false,
        }
    }

    /// How far to select near candidates, or none if the last selection still holds.
    pub fn reach(&mut self, context: &StepContext, chunks: usize) -> Option<Reach> {
        let on_walls = self.segment.partner == PartnerKind::Wall;
        let has_chunks = self.near.has_chunks(chunks);
        // how far particles have moved is counted from the selection of pairs on
        let renew = context.selection.renew || !on_walls && !has_chunks;
        let poses = || context.walls.iter().map(|wall| wall.pose);
        let held_still = || !on_walls || poses().eq(self.poses.iter().copied());
        if self.lasting && has_chunks && !renew && held_still() {
            return None;
        }
        self.lasting = renew;
        if self.lasting && on_walls {
            self.poses.clear();
            self.poses.extend(poses());
        }
        Some(if self.lasting { context.selection.reach(context.time_step) } else { Reach::NOW })
    }

    /// Gives the records of contacts whose spheres have passed to another feature of the same wall to the contacts
    /// there: a sphere that rolls over an edge, or is held at a distance within `range` \[m\], has one contact with one history. Records on trial are left alone,
    /// committed ones change their name only: an evaluation at other positions returns them.
    ///
    /// While a selection of near candidates `holds`, what is certain of it need not be checked.
    pub fn transfer_histories(&mut self, list: &ContactList, context: &StepContext, range: f64, holds: bool) {
        let Self { segment, store, leaving, near, .. } = self;
        let start = segment.start as usize;
        let place = |candidate: usize| {
            let wall = &context.walls[list.second[candidate] as usize];
            let slot = list.first[candidate] as usize;
            (slot, wall_geometry::surface(context, slot, wall, list.feature(segment, candidate)))
        };
        leaving.resize_with(store.chunks(), Vec::new);
        store.committed.par_iter().zip(leaving.par_iter_mut()).enumerate().for_each(|(chunk, (history, leaving))| {
            leaving.clear();
            let touching = history.touching();
            leaving.extend(touching[..touching.len() - 1].iter().filter(|&&k| {
                let candidate = start + chunk * CHUNK + k as usize;
                if holds && near.certain(chunk * CHUNK + k as usize) == Certain::Nearest {
                    return false;
                }
                let hands_on = context.walls[list.second[candidate] as usize].shape.hands_contacts_on();
                hands_on && !place(candidate).1.is_nearest
            }));
        });
        for (chunk, contacts) in leaving.iter().enumerate() {
            for &k in contacts {
                let from = chunk * CHUNK + k as usize;
                let (slot, surface) = place(start + from);
                let same = |candidate: &usize| {
                    (list.first[*candidate], list.second[*candidate])
                        == (list.first[start + from], list.second[start + from])
                };
                // the candidates of a sphere and a wall are adjacent, in order of features
                let first = (start..start + from).rev().take_while(same).last().unwrap_or(start + from);
                let mut heir = None;
                for candidate in (first..segment.end as usize).take_while(same) {
                    let (_, other) = place(candidate);
                    let agreement = other.normal.dot(surface.normal);
                    if other.is_nearest
                        && other.distance < context.particles.radius[slot] + range
                        && agreement > heir.map_or(LEAST_AGREEMENT, |(best, _)| best)
                        && store.place(candidate - start).is_none()
                    {
                        heir = Some((agreement, candidate - start));
                    }
                }
                if let Some((_, to)) = heir {
                    store.rename(from, to);
                }
            }
        }
    }

    pub fn holds(&self, segment: &Segment) -> bool {
        self.segment.partner == segment.partner && self.segment.materials == segment.materials
    }
}
