//! The effective mass of contacts of which a sphere belongs to a rigid body.
//!
//! A force along the normal n at the arm ρ from the centre of mass meets `1/M + (ρ × n)·I⁻¹(ρ × n)` of a body, and the sum of both bodies is the
//! inverse of the effective mass: with it a contact without friction has the restitution and the duration that are those of two spheres of that
//! mass, wherever a body is hit. The contact point lies on the normal through the centre of the sphere, so that ρ may end there.
//!
//! It is out of line and goes through memory: inlined, what only bodies need would cost all others.

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

#[cold]
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
        let columns: [VectorColumn; 3] =
            [(&bodies.arm[..]).into(), (&bodies.inverse_diagonal[..]).into(), (&bodies.inverse_products[..]).into()];
        for at in (0..self.lanes).step_by(R::LANES) {
            let normal = load::<R>(self.normal, at);
            let mut inverse = R::zero();
            for side in [Some(self.i), self.j].into_iter().flatten() {
                // of lanes beyond, copies of the last
                let slots: Places = std::array::from_fn(|lane| side[(at + lane).min(self.lanes - 1)]);
                inverse += R::pick(&p.inverse_mass, &slots);
                let is_member = slots.map(|slot| members.contains(&(slot as usize)));
                if is_member.iter().any(|&is| is) {
                    let member: Places =
                        std::array::from_fn(
                            |lane| if is_member[lane] { slots[lane] - members.start as u32 } else { 0 },
                        );
                    let [arm, diagonal, products] = columns.map(|column| R::pick_vectors(column, &member));
                    let l = arm.cross(normal);
                    let square = Vector::new(l.x * l.x, l.y * l.y, l.z * l.z);
                    let mixed = Vector::new(l.y * l.z, l.z * l.x, l.x * l.y);
                    let turning = diagonal.dot(square) + R::splat(2.0) * products.dot(mixed);
                    inverse += turning * R::from_lanes(|lane| if is_member[lane] { 1.0 } else { 0.0 });
                }
            }
            self.inverse[at..at + R::LANES].copy_from_slice(&inverse.to_lanes()[..R::LANES]);
        }
    }
}
