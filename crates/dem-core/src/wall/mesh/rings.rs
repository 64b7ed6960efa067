//! Which faces of a mesh close around an axis in shallow valleys, and what they know of each other.

use std::f64::consts::TAU;

use glam::DVec3;

use super::chain::Chain;
use super::features::Face;
use super::half_space::HalfSpace;
use super::hollow::{Hollow, Stave};
use crate::wall::ring;

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
            let Face { origin, normal, .. } = faces[member as usize];
            let least_height = hollow.least_height(origin, normal, &ends, &corners[member as usize]);
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
