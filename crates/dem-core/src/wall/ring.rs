//! Directions in which a sphere near the axis of a concave surface touches it.
//!
//! A sphere on the axis of a cone, tube or hole that is too narrow for it touches it all around. A contact at the nearest point only would
//! jump from side to side whenever the centre crosses the axis, with a force that is as large on one side as it was on the other. Near the axis
//! the surface is therefore touched in several directions at equal angles, of which the first is that of the nearest point: each
//! where the plane that touches the surface there is overlapped, with a force of its own. The sum of their forces is continuous across the axis,
//! vanishes across it there, and has a potential. It is that of the surface with as many facets, which a mesh would have; so
//! a finer mesh, a coarser one and the smooth surface hold a sphere alike.
//!
//! A sphere in a wide tube overlaps one of these planes only, that at the nearest point: nothing changes for it.
//!
//! # Limits
//!
//! - The directions turn with the sphere about the axis: friction holds what slides over the surface, not what is carried around in it.
//! - They count while the centre is nearer to the axis than half the radius of the ring of nearest points. Those next to the first end
//!   there with a jump if the overlap exceeds a fifteenth of that radius.
//! - In a dish so flat that opposite sides meet at less than [`SHALLOW`](super::mesh::SHALLOW) only the nearest point counts, as in shallow
//!   valleys of meshes.

use glam::{DVec2, DVec3};

use super::mesh::SHALLOW;

/// Most directions.
pub(super) const MOST: u32 = 12;
/// Numbers of directions, the largest that is allowed counts.
const NUMBERS: [u32; 5] = [MOST, 6, 4, 3, 2];
/// How far from the axis the centre may be for other directions than the first to count, in proportion to the radius of the ring.
pub(super) const NEAR_AXIS: f64 = 0.5;
/// Nearer to the axis than this, in proportion to the size of the surface, the directions are those of the body: rounding would turn them.
pub(super) const ON_AXIS: f64 = 1e-7;

/// In how many directions a ring is touched whose normals have the part `across` perpendicular to the axis: as many as have
/// neighbours that meet at more than [`SHALLOW`], like the faces of a mesh that are touched side by side.
pub(super) fn directions(across: f64) -> u32 {
    let steep = libm::sin(0.5 * SHALLOW);
    NUMBERS
        .into_iter()
        .find(|&number| across * libm::sin(std::f64::consts::PI / f64::from(number)) > steep)
        .unwrap_or(1)
}

/// Cosine and sine of `turn` parts of the full circle, of `number` equal ones. Their sums over all of them vanish to the last bit.
pub(super) fn direction(turn: u32, number: u32) -> DVec2 {
    const HALF_ROOT: f64 = 0.866_025_403_784_438_6;
    const COSINES: [f64; MOST as usize] =
        [1.0, HALF_ROOT, 0.5, 0.0, -0.5, -HALF_ROOT, -1.0, -HALF_ROOT, -0.5, 0.0, 0.5, HALF_ROOT];
    let twelfth = (turn * (MOST / number) % MOST) as usize;
    DVec2::new(COSINES[twelfth], COSINES[(twelfth + 9) % MOST as usize])
}

/// The directions from the centre of a hollow ball to the corners of an icosahedron, of which the first is `first` (unit).
pub(super) fn corner_of_icosahedron(number: u32, first: DVec3) -> DVec3 {
    let fifth = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / 10.0;
        let (u, v) = first.any_orthonormal_pair();
        u * libm::cos(angle) + v * libm::sin(angle)
    };
    // tan = 2 between neighbours
    let (along, across) = (0.2f64.sqrt(), 2.0 * 0.2f64.sqrt());
    match number {
        0 => first,
        1..=5 => first * along + fifth(2 * number) * across,
        6..=10 => fifth(2 * number + 1) * across - first * along,
        _ => -first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_in_balance() {
        for number in NUMBERS {
            let sum: DVec2 = (0..number).map(|k| direction(k, number)).sum();
            assert!(sum.length() < 1e-15, "{number}: {sum}");
            let squares: f64 = (0..number).map(|k| direction(k, number).x.powi(2)).sum();
            let expected = if number == 2 { 2.0 } else { 0.5 * f64::from(number) };
            assert!((squares - expected).abs() < 1e-15);
        }
        let first = DVec3::new(0.6, 0.0, -0.8);
        let corners: Vec<DVec3> = (0..MOST).map(|k| corner_of_icosahedron(k, first)).collect();
        assert!(corners.iter().sum::<DVec3>().length() < 1e-14);
        for corner in &corners {
            assert!((corner.length() - 1.0).abs() < 1e-15);
            let near = corners.iter().filter(|other| (other.dot(*corner) - 0.2f64.sqrt()).abs() < 1e-12).count();
            assert_eq!(near, 5, "neighbours of {corner}");
        }
    }

    #[test]
    fn flat_rings_are_touched_in_fewer_directions() {
        assert_eq!([1.0, 0.38, 0.36, 0.15, 0.12, 0.1, 0.09, 0.0].map(directions), [12, 12, 6, 4, 3, 2, 1, 1]);
    }
}
