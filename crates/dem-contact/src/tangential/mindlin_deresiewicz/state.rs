//! What a Mindlin–Deresiewicz contact remembers, and a step of those whose slip has left its straight line.

use dem_core::lanes::{LaneMask, Lanes, MOST_LANES, Vector, array};
use glam::DVec2;

use super::loading_history::LoadingHistory;
use super::places::{ACROSS, BRANCHES, CIRCLES, DROPPED, EDGE, ENERGY, FORCE, IN_PLANE};
use super::plane_history::PlaneHistory;

/// The stored state of a contact, with entries for N branches.
#[derive(Clone, Copy)]
pub(super) struct State<R: Lanes, const N: usize> {
    /// Direction of positive slip of the history.
    pub axis: Vector<R>,
    /// Tangential force against the axis \[N\].
    pub opposing: R,
    /// Tangential force against the slip, the part across the axis \[N\].
    pub across: Vector<R>,
    /// Elastic energy of the tangential load \[J\].
    pub energy: R,
    /// Overlap at which the contact area ends.
    pub edge: R,
    /// One if the history is one in the plane, else zero.
    pub in_plane: R,
    /// On a straight line all of the history, in the plane number of branches and circles.
    pub history: LoadingHistory<R, N>,
    /// Slopes of the branches of a history in the plane, along the axis and across it.
    pub slopes: [[R; 2]; N],
}

impl<R: Lanes, const N: usize> State<R, N> {
    /// The state of a record with entries for `branches`; `number` gives the value of an entry. At most `room` branches
    /// are remembered.
    #[inline(always)]
    pub fn new(number: impl Fn(usize) -> R, branches: usize, room: usize) -> Self {
        let circle = |i: usize| if i < branches { number(CIRCLES + i) } else { R::zero() };
        let slope = |i: usize, part: usize| {
            if i < branches { number(CIRCLES + branches + 2 * i + part) } else { R::zero() }
        };
        Self {
            axis: Vector::new(number(0), number(1), number(2)),
            opposing: number(FORCE),
            across: Vector::new(number(ACROSS), number(ACROSS + 1), number(ACROSS + 2)),
            energy: number(ENERGY),
            edge: number(EDGE),
            in_plane: number(IN_PLANE),
            history: LoadingHistory::new(number(BRANCHES), number(DROPPED), array(circle), room),
            slopes: array(|i| [slope(i, 0), slope(i, 1)]),
        }
    }

    /// The value of an entry of a record with entries for `branches`.
    #[inline(always)]
    pub fn number(&self, place: usize, branches: usize) -> R {
        let (signed_count, dropped, circles) = self.history.record();
        match place {
            0 => self.axis.x,
            1 => self.axis.y,
            2 => self.axis.z,
            FORCE => self.opposing,
            ENERGY => self.energy,
            EDGE => self.edge,
            BRANCHES => signed_count,
            DROPPED => dropped,
            ACROSS => self.across.x,
            9 => self.across.y,
            10 => self.across.z,
            IN_PLANE => self.in_plane,
            _ => {
                let behind = place - CIRCLES;
                match behind.checked_sub(branches) {
                    None => circles[behind],
                    Some(slope) => self.slopes[slope / 2][slope % 2],
                }
            }
        }
    }
}

/// A step of histories in the plane, one after the other: few operations, and different ones for each contact.
pub(super) struct PlaneStep<R: Lanes> {
    /// Edges at the start and the end.
    pub edge0: R,
    pub edge1: R,
    /// Slip along the axis and across it, in the unit of the edges.
    pub slip: [R; 2],
}

/// The result; see [`super::loading_history::Load`].
pub(super) struct PlaneLoad<R: Lanes> {
    pub force: [R; 2],
    pub energy: R,
    pub slides: R::Mask,
}

impl<R: Lanes> PlaneStep<R> {
    /// Takes the step in the lanes of `mask`; those not in `was_in_plane` come from a straight line.
    #[inline(always)]
    pub fn take<const N: usize>(
        &self,
        mask: R::Mask,
        was_in_plane: R::Mask,
        history: &mut LoadingHistory<R, N>,
        slopes: &mut [[R; 2]; N],
        room: usize,
    ) -> PlaneLoad<R> {
        let (branches, dropped, circles) = history.record();
        let mut after = [PlaneHistory::<N>::default(); MOST_LANES];
        let mut loads = [(DVec2::ZERO, 0.0); MOST_LANES];
        for lane in 0..R::LANES {
            if !mask.lane(lane) {
                continue;
            }
            let circle = |i: usize| circles[i].lane(lane);
            let slope = |i: usize| DVec2::new(slopes[i][0].lane(lane), slopes[i][1].lane(lane));
            let (count, lost) = (branches.lane(lane), dropped.lane(lane));
            let mut moved = if was_in_plane.lane(lane) {
                PlaneHistory::<N>::new(count, lost, room, |i| (circle(i), slope(i)))
            } else {
                PlaneHistory::<N>::of_line(count, lost, room, circle)
            };
            let slip = DVec2::new(self.slip[0].lane(lane), self.slip[1].lane(lane));
            let edge1 = self.edge1.lane(lane);
            moved.advance(self.edge0.lane(lane), edge1, slip);
            loads[lane] = moved.load(edge1);
            after[lane] = moved;
        }
        let circles = array(|i| R::from_lanes(|lane| after[lane].branch(i).0));
        *slopes = array(|i| {
            let slope = |lane: usize| after[lane].branch(i).1;
            [R::from_lanes(|lane| slope(lane).x), R::from_lanes(|lane| slope(lane).y)]
        });
        let (branches, dropped) =
            (R::from_lanes(|lane| after[lane].branches()), R::from_lanes(|lane| after[lane].dropped()));
        history.replace(mask, branches, dropped, circles);
        let slides = R::from_lanes(|lane| if after[lane].slides() { 1.0 } else { 0.0 });
        PlaneLoad {
            force: [R::from_lanes(|lane| loads[lane].0.x), R::from_lanes(|lane| loads[lane].0.y)],
            energy: R::from_lanes(|lane| loads[lane].1),
            slides: slides.greater(R::zero()),
        }
    }
}
