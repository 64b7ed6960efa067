//! The effective mass of contacts of which a sphere belongs to a rigid body.
//!
//! A force along the normal n at the arm ρ from the centre of mass meets `1/M + (ρ × n)·I⁻¹(ρ × n)` of a body, and the sum of both bodies is the
//! inverse of the effective mass: with it a contact without friction has the restitution and the duration that are those of two spheres of that
//! mass, wherever a body is hit. The contact point lies on the normal through the centre of the sphere, so that ρ may end there.
//!
//! It is out of line and goes through memory: inlined, what only bodies need would cost all others.

use std::ops::Range;

use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, Places, Vector, VectorColumn, Width};
use dem_core::particles::Particles;

use crate::force_loop::kinematics::deformed_pairs::{Columns, columns, load};

/// Inverse of the effective masses \[1/kg\] of contacts between spheres in slots `i` and `j`, or walls, with given normals.
#[inline(always)]
pub(crate) fn inverse_masses<R: Lanes>(
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
    let mut inverse = [0.0; MOST_LANES];
    width.run(InverseMasses { particles, lanes, i, j, normal, inverse: &mut inverse });
    inverse
}

struct InverseMasses<'a> {
    particles: &'a Particles,
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
        let p = self.particles;
        let members = p.independent()..p.owned();
        let bodies = &p.bodies;
        let (arm, diagonal, products): (VectorColumn, VectorColumn, VectorColumn) =
            (bodies.arm[..].into(), bodies.inverse_diagonal[..].into(), bodies.inverse_products[..].into());
        for at in (0..self.lanes).step_by(R::LANES) {
            let normal = load::<R>(self.normal, at);
            let mut inverse = R::zero();
            let (first, second) = (Side::of(self.i, at, self.lanes, &members), self.j);
            inverse += R::pick(&p.inverse_mass, &first.slots);
            if first.has_members {
                inverse += turning::<R>(&first, normal, arm, diagonal, products);
            }
            if let Some(second) = second {
                let second = Side::of(second, at, self.lanes, &members);
                inverse += R::pick(&p.inverse_mass, &second.slots);
                if second.has_members {
                    inverse += turning::<R>(&second, normal, arm, diagonal, products);
                }
            }
            self.inverse[at..at + R::LANES].copy_from_slice(&inverse.to_lanes()[..R::LANES]);
        }
    }
}

/// The spheres on one side of some contacts.
struct Side {
    slots: Places,
    /// Numbers of those that are members of bodies, zero for others.
    members: Places,
    /// One for members, zero for others.
    are_members: [f64; MOST_LANES],
    has_members: bool,
}

impl Side {
    /// Those from a lane on; of lanes beyond the last, copies of that.
    #[inline(always)]
    fn of(all: &Places, at: usize, lanes: usize, members: &Range<usize>) -> Self {
        let mut side = Self {
            slots: [0; MOST_LANES],
            members: [0; MOST_LANES],
            are_members: [0.0; MOST_LANES],
            has_members: false,
        };
        for lane in 0..MOST_LANES {
            let slot = all[(at + lane).min(lanes - 1)];
            side.slots[lane] = slot;
            if members.contains(&(slot as usize)) {
                side.members[lane] = slot - members.start as u32;
                side.are_members[lane] = 1.0;
                side.has_members = true;
            }
        }
        side
    }
}

/// `(ρ × n)·I⁻¹(ρ × n)`, zero for spheres by themselves.
#[inline(always)]
fn turning<R: Lanes>(
    side: &Side,
    normal: Vector<R>,
    arm: VectorColumn,
    diagonal: VectorColumn,
    products: VectorColumn,
) -> R {
    let l = R::pick_vectors(arm, &side.members).cross(normal);
    let square = Vector::new(l.x * l.x, l.y * l.y, l.z * l.z);
    let mixed = Vector::new(l.y * l.z, l.z * l.x, l.x * l.y);
    let (diagonal, products) = (R::pick_vectors(diagonal, &side.members), R::pick_vectors(products, &side.members));
    (diagonal.dot(square) + R::splat(2.0) * products.dot(mixed)) * R::next(&side.are_members, 0)
}
