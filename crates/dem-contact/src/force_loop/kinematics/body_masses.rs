//! The effective mass of contacts of which a sphere belongs to a rigid body.
//!
//! A force along the normal n at the arm ρ from the centre of mass meets `1/M + (ρ × n)·I⁻¹(ρ × n)` of a body, and the sum of both bodies is the
//! inverse of the effective mass: with it a contact without friction has the restitution and the duration that are those of two spheres of that
//! mass, wherever a body is hit. It is out of line: inlined, what only bodies need would cost all others.

use dem_core::DVec3;
use dem_core::lanes::{Lanes, MOST_LANES, Places, Vector};
use dem_core::particles::Particles;

use crate::force_loop::kinematics::deformed_pairs::{Columns, columns};

/// Inverse of the effective masses \[1/kg\] of contacts between spheres in slots `i` and `j`, or walls, with normals and levers from the centres of
/// the spheres.
#[inline(always)]
pub(crate) fn inverse_masses<R: Lanes>(
    particles: &Particles,
    i: &Places,
    j: Option<&Places>,
    normal: Vector<R>,
    [first, second]: [R; 2],
) -> R {
    let levers = [first.to_lanes(), second.to_lanes()];
    let inverse = one_by_one(particles, R::LANES, i, j, &columns(normal), &levers);
    R::from_lanes(|lane| inverse[lane])
}

#[cold]
#[inline(never)]
fn one_by_one(
    p: &Particles,
    lanes: usize,
    i: &Places,
    j: Option<&Places>,
    normal: &Columns,
    levers: &[[f64; MOST_LANES]; 2],
) -> [f64; MOST_LANES] {
    let members = p.independent()..p.owned();
    let of = |slot: u32, normal: DVec3, lever: f64| {
        let slot = slot as usize;
        if !members.contains(&slot) {
            return p.inverse_mass[slot];
        }
        let arm = p.bodies.arm[slot - members.start] + normal * lever;
        p.bodies.of_slot(slot, members.start).inverse_mass_at(arm, normal)
    };
    let mut inverse = [0.0; MOST_LANES];
    for lane in 0..lanes {
        let n = DVec3::new(normal[0][lane], normal[1][lane], normal[2][lane]);
        let of_second = j.map_or(0.0, |j| of(j[lane], -n, levers[1][lane]));
        inverse[lane] = of(i[lane], n, levers[0][lane]) + of_second;
    }
    inverse
}
