//! The effective mass of contacts of which a sphere belongs to a rigid body.
//!
//! A force along the normal n at the arm ρ from the centre of mass meets `1/M + (ρ × n)·I⁻¹(ρ × n)` of a body, and the sum of both bodies is the
//! inverse of the effective mass: with it a contact without friction has the restitution and the duration that are those of two spheres of that
//! mass, wherever a body is hit. The contact point lies on the normal through the centre of the sphere, so that ρ may end there.
//!
//! It is out of line and goes through memory: inlined, what only bodies need would cost all others.

use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, Places, Vector, Width, put};
use dem_core::particles::Particles;

use crate::force_loop::kinematics::deformed_pairs::{Columns, columns, load};

/// What the turning of bodies adds to the inverse masses \[1/kg\] of contacts between spheres in slots `i` and `j`, or walls, with given normals.
#[inline(always)]
pub(crate) fn of_turning<R: Lanes>(
    particles: &Particles,
    width: Width,
    i: &Places,
    j: Option<&Places>,
    normal: Vector<R>,
) -> R {
    let inverse = of_all(particles, width, R::LANES, i, j, &columns(normal));
    R::from_lanes(|lane| inverse[lane])
}

#[inline(never)]
fn of_all(
    particles: &Particles,
    width: Width,
    lanes: usize,
    i: &Places,
    j: Option<&Places>,
    normal: &Columns,
) -> [f64; MOST_LANES] {
    let first = particles.independent() as u32;
    let mut inverse = [0.0; MOST_LANES];
    let mobility = &particles.bodies.mobility;
    width.run(InverseMasses { mobility, first, lanes, i, j, normal, inverse: &mut inverse });
    inverse
}

struct InverseMasses<'a> {
    mobility: &'a [[f64; 8]],
    /// Slot of the first member.
    first: u32,
    lanes: usize,
    i: &'a Places,
    j: Option<&'a Places>,
    normal: &'a Columns,
    inverse: &'a mut [f64; MOST_LANES],
}

impl LaneTask for InverseMasses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        for at in (0..self.lanes).step_by(R::LANES) {
            let Vector { x, y, z } = load::<R>(self.normal, at);
            let squares = [x * x, y * y, z * z, y * z, z * x, x * y];
            let mut rows = self.rows::<R>(self.i, at);
            if let Some(second) = self.j {
                let others = self.rows::<R>(second, at);
                // one sum of both: contacts do not depend on which body is the first
                for k in 0..6 {
                    rows[k] += others[k];
                }
            }
            let own = (rows[0] * squares[0]).plus_product(rows[1], squares[1]).plus_product(rows[2], squares[2]);
            let mixed = (rows[3] * squares[3]).plus_product(rows[4], squares[4]).plus_product(rows[5], squares[5]);
            let inverse = own.plus_product(R::splat(2.0), mixed);
            put(&inverse.to_lanes()[..R::LANES], &mut self.inverse[at..]);
        }
    }
}

impl InverseMasses<'_> {
    /// Mobilities of the spheres on one side from a lane on: zero for spheres by themselves. Lanes beyond the last have copies of it.
    #[inline(always)]
    fn rows<R: Lanes>(&self, slots: &Places, at: usize) -> [R; 8] {
        R::columns(|lane| {
            let slot = slots[(at + lane).min(self.lanes - 1)];
            // spheres by themselves come before all members
            self.mobility.get(slot.wrapping_sub(self.first) as usize).unwrap_or(&[0.0; 8])
        })
    }
}
