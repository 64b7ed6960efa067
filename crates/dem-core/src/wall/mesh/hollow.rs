//! Faces that close around an axis in shallow valleys: cones, hoppers and tubes of many facets.
//!
//! In shallow valleys only the nearest face counts. Where a sphere overlaps such a ring all around, the nearest face brings along those in the
//! directions of [`ring`](super::super::ring), as the smooth surface does.

use std::f64::consts::TAU;

use glam::DVec3;

use super::division::Chain;
use super::{Face, HalfSpace};
use crate::wall::ring;

/// A face as seen from the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stave {
    face: u32,
    origin: DVec3,
    /// Normal towards the axis.
    inward: DVec3,
}

/// The one of a ring that is nearest to a point inside. Near the axis all are equally far but for rounding, so that many have nearer ones on
/// neither side.
pub(super) fn leader(ring: &[Stave], point: DVec3) -> Option<u32> {
    let distance = |stave: &Stave| (point - stave.origin).dot(stave.inward);
    let mut nearest = ring.first().map(|stave| (distance(stave), stave.face))?;
    for stave in &ring[1..] {
        let other = distance(stave);
        if other < nearest.0 {
            nearest = (other, stave.face);
        }
    }
    Some(nearest.1)
}

/// What a face of a ring needs of the others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hollow {
    /// Number of the ring.
    pub ring: u32,
    /// A point of the axis.
    origin: DVec3,
    /// Unit vector of the axis.
    axis: DVec3,
    /// Normal of the face towards the axis.
    inward: DVec3,
    /// Part of the normals perpendicular to the axis.
    across: f64,
    /// Sides behind which the ring does not go on.
    ends: Vec<HalfSpace>,
    /// Points near the axis are farther from the face than this \[m\].
    least_height: f64,
    /// Faces that make this one count, too, when they are the nearest, ascending.
    pub leaders: Vec<u32>,
}

impl Hollow {
    /// Whether a point at a height over the face, on either side, sees it from inside, between the ends of the ring, and is near the axis.
    #[inline]
    pub fn surrounds(&self, face: &Face, point: DVec3, height: f64) -> bool {
        // nearly all that touch are not
        height.abs() >= self.least_height && self.is_near_axis(face, point)
    }

    /// How far a point at a height over the face may move before it may be near the axis \[m\].
    pub fn stays_aside(&self, height: f64) -> f64 {
        (self.least_height - height.abs()).max(0.0)
    }

    fn is_near_axis(&self, face: &Face, point: DVec3) -> bool {
        let offset = point - self.origin;
        let along = self.axis * offset.dot(self.axis);
        let from_face = (self.origin + along - face.origin).dot(self.inward);
        let reach = ring::NEAR_AXIS * self.across * from_face;
        (offset - along).length_squared() < reach * reach
            && reach > 0.0
            && (point - face.origin).dot(self.inward) > 0.0
            && self.ends.iter().all(|side| side.depth(point) >= 0.0)
    }

    /// How far points are from the face at least that are near the axis, given what is at its ends and its corners \[m\].
    ///
    /// A foot between two ends across the axis is, seen along the axis, no nearer to it than the corners are, and the point is as far along or where
    /// the ring is wider. Within [`ring::NEAR_AXIS`] of the distance of the axis from the face, at least the rest of it is left.
    fn least_height(&self, face: &Face, ends: &[HalfSpace], corners: &[DVec3]) -> f64 {
        let are_across = ends.len() >= 2
            && ends.iter().all(|side| {
                let along = side.inward.cross(face.normal);
                along.dot(self.axis).abs() < 1e-6
            });
        let from_axis = |corner: &DVec3| {
            let along = self.axis * (*corner - self.origin).dot(self.axis);
            (self.origin + along - face.origin).dot(self.inward)
        };
        let nearest = corners.iter().map(from_axis).fold(f64::INFINITY, f64::min);
        if are_across && nearest.is_finite() { 0.98 * (1.0 - ring::NEAR_AXIS) * nearest.max(0.0) } else { 0.0 }
    }

    /// Whether [`Self::surrounds`] may be true of a place within `margin` of a point \[m\].
    pub fn may_surround(&self, face: &Face, point: DVec3, margin: f64) -> bool {
        let offset = point - self.origin;
        let along = self.axis * offset.dot(self.axis);
        let from_face = (self.origin + along - face.origin).dot(self.inward) + margin;
        let reach = ring::NEAR_AXIS * self.across * from_face + margin;
        from_face > 0.0
            && (offset - along).length_squared() < reach * reach
            && self.ends.iter().all(|side| side.depth(point) >= -margin)
    }
}

/// Notes which faces belong to rings, which it returns; `middle` has a point inside the outline of each.
pub(super) fn note_hollows(faces: &mut [Face], middle: &[DVec3], chains: &[Chain]) -> Vec<Vec<Stave>> {
    let mut rings = Vec::new();
    let mut corners: Vec<Vec<DVec3>> = vec![Vec::new(); faces.len()];
    let mut ends: Vec<Vec<HalfSpace>> = vec![Vec::new(); faces.len()];
    for chain in chains {
        for &(face, side) in &chain.owners {
            let goes_on = chain.owners.iter().any(|(other, _)| faces[face as usize].shallow.contains(other));
            if !goes_on {
                ends[face as usize].push(side);
            }
            corners[face as usize].extend([chain.start, chain.end]);
        }
    }
    let mut is_known = vec![false; faces.len()];
    for first in 0..faces.len() {
        let Some(members) = cycle_of(faces, first as u32, &mut is_known) else { continue };
        let Some(hollows) = hollows_of(faces, &members, middle) else { continue };
        let stave = |(&face, hollow): (&u32, &Hollow)| Stave {
            face,
            origin: faces[face as usize].origin,
            inward: hollow.inward,
        };
        let staves = members.iter().zip(&hollows).map(stave).collect();
        for (&member, hollow) in members.iter().zip(hollows) {
            let ends = std::mem::take(&mut ends[member as usize]);
            let least_height = hollow.least_height(&faces[member as usize], &ends, &corners[member as usize]);
            faces[member as usize].hollow =
                Some(Box::new(Hollow { ring: rings.len() as u32, ends, least_height, ..hollow }));
        }
        rings.push(staves);
    }
    rings
}

/// The faces of the ring that a face belongs to in turn, if each has one shallow valley on either side and the last meets the first.
fn cycle_of(faces: &[Face], first: u32, is_known: &mut [bool]) -> Option<Vec<u32>> {
    let (mut members, mut next) = (Vec::new(), first);
    loop {
        let face = &faces[next as usize];
        if is_known[next as usize] || face.outline.is_empty() {
            return None;
        }
        let &[a, b] = face.shallow.as_slice() else { return None };
        is_known[next as usize] = true;
        let before = members.last().copied();
        members.push(next);
        next = if before == Some(a) { b } else { a };
        if next == first && members.len() > 2 {
            return Some(members);
        }
    }
}

/// What the faces of a ring know of each other, but for their ends; none if they do not turn once around an axis.
fn hollows_of(faces: &[Face], members: &[u32], middle: &[DVec3]) -> Option<Vec<Hollow>> {
    let count = members.len() as f64;
    let face = |k: usize| &faces[members[k % members.len()] as usize];
    let centre = members.iter().map(|&member| middle[member as usize]).sum::<DVec3>() / count;
    let inward = |k: usize| {
        let Face { origin, normal, .. } = *face(k);
        if (centre - origin).dot(normal) < 0.0 { -normal } else { normal }
    };
    let axis: DVec3 = (0..members.len()).map(|k| inward(k).cross(inward(k + 1))).sum();
    let axis = axis.try_normalize()?;
    let outward = |k: usize| axis * inward(k).dot(axis) - inward(k);
    let mut azimuth = vec![0.0];
    for k in 0..members.len() {
        let (a, b) = (outward(k), outward(k + 1));
        let turn = libm::atan2(a.cross(b).dot(axis), a.dot(b));
        if turn <= 0.0 {
            return None;
        }
        azimuth.push(azimuth[k] + turn);
    }
    let turned = azimuth.pop()?;
    let across = (0..members.len()).map(|k| outward(k).length()).sum::<f64>() / count;
    let number = ring::directions(across);
    let is_fine = members.len() as u32 >= 3 * number || (members.len() as u32).is_multiple_of(number);
    if (turned - TAU).abs() > 1e-6 || number < 2 || !is_fine {
        return None;
    }
    // from where the faces are equally far
    let skew: DVec3 = (0..members.len()).map(|k| outward(k) * (centre - face(k).origin).dot(inward(k))).sum();
    let origin = centre + skew * (2.0 / (count * across * across));
    let outwards: Vec<DVec3> = (0..members.len()).map(outward).collect();
    let mut leaders: Vec<Vec<u32>> = vec![Vec::new(); members.len()];
    for leader in 0..members.len() {
        for led in in_balance(&outwards, &azimuth, leader, number) {
            if led != leader {
                leaders[led].push(members[leader]);
            }
        }
    }
    let hollow = |(k, mut leaders): (usize, Vec<u32>)| {
        leaders.sort_unstable();
        leaders.dedup();
        Hollow { ring: 0, origin, axis, inward: inward(k), across, ends: Vec::new(), least_height: 0.0, leaders }
    };
    Some(leaders.into_iter().enumerate().map(hollow).collect())
}

/// The faces in a `number` of directions at equal angles from that of the `leader`. Of the two that lie beside a direction either is taken, so
/// that all of them together push as little across the axis as possible.
fn in_balance(outward: &[DVec3], azimuth: &[f64], leader: usize, number: u32) -> Vec<usize> {
    let count = azimuth.len();
    let choices: Vec<[usize; 2]> = (1..number)
        .map(|turn| {
            let towards = (azimuth[leader] + TAU * f64::from(turn) / f64::from(number)) % TAU;
            let after = azimuth.partition_point(|&own| own <= towards);
            let beside = [(after + count - 1) % count, after % count];
            let apart = beside.map(|face| {
                let turn = (azimuth[face] - towards).rem_euclid(TAU);
                turn.min(TAU - turn)
            });
            // one that lies in the direction is not given up for its neighbour
            let slack = 1e-6 * TAU / count as f64;
            match apart {
                [a, _] if a < slack => [beside[0]; 2],
                [_, b] if b < slack => [beside[1]; 2],
                [a, b] if b < a => [beside[1], beside[0]],
                _ => beside,
            }
        })
        .collect();
    let mut led: Vec<usize> = choices.iter().map(|choice| choice[0]).collect();
    let mut sum = outward[leader] + led.iter().map(|&face| outward[face]).sum::<DVec3>();
    let mut is_better = true;
    while is_better {
        is_better = false;
        for (led, choice) in led.iter_mut().zip(&choices) {
            let other = if *led == choice[0] { choice[1] } else { choice[0] };
            let changed = sum - outward[*led] + outward[other];
            if changed.length() < sum.length() * (1.0 - 1e-9) && other != leader {
                (*led, sum, is_better) = (other, changed, true);
            }
        }
    }
    led
}
