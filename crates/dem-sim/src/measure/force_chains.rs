//! Force chains after J. F. Peters, M. Muthuswamy, J. Wibowo and A. Tordesillas, Physical Review E 72 (2005) 041307.
//!
//! A particle has the stress `(1/V) Σ f ⊗ l` of its contacts, f the force on it, l the vector from its centre to the
//! contact and V its volume. Its load is the most compressive principal stress with its direction. Two particles that
//! touch are linked if the loads of both are above the mean of all particles that bear a force, and the line from
//! centre to centre is within 45 degrees of both directions. Linked particles, at least three, are a force chain; where
//! links branch, the branches belong to it. A rigid body counts as one particle with its centre of mass and its volume.

use dem_contact::contact_forces::ContactView;
use dem_contact::geometry::StepContext;
use dem_core::contact_list::PartnerKind;
use dem_core::particles::sphere_volume;
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

use super::bed::TouchingSets;
use super::branches::branch;
use super::fabric::contact_force;
use crate::deformation::stress::{outer, symmetric};
use crate::state::world::World;

/// Square of the cosine of the largest angle between a branch and the direction of a load: 45 degrees.
const ALIGNED: f64 = 0.5;
/// Particles of the shortest chain.
const SHORTEST: usize = 3;

/// The force chains of an assembly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceChains {
    /// How many.
    pub chains: usize,
    /// Fraction of all particles that belong to one \[-\].
    pub share: f64,
    /// Mean number of particles in one; zero without any.
    pub length: f64,
}

/// Force chains of the present contact forces.
pub fn force_chains(world: &World) -> ForceChains {
    let p = &world.particles;
    let context = world.context();
    // by the slots that stand for grains; the other members of bodies bear nothing
    let of_slot = |record: &mut Vec<f64>, slot: usize| {
        let (members, volume) = match p.body_of(slot) {
            None => (slot..slot + 1, sphere_volume(p.radius[slot])),
            Some(body) if body.first as usize == slot => (slot..slot + body.count as usize, p.bodies.volume_of(body)),
            Some(_) => return (false, Load { compression: 0.0, direction: DVec3::ZERO }),
        };
        let stress =
            members.map(|slot| stress(world, &context, slot, record)).fold(DMat3::ZERO, |sum, more| sum + more);
        (stress != DMat3::ZERO, Load::of(symmetric(stress) * (1.0 / volume)))
    };
    let loads: Vec<(bool, Load)> = (0..p.len()).into_par_iter().map_init(Vec::new, of_slot).collect();
    let bearing = loads.iter().filter(|(bears, _)| *bears).count();
    if bearing == 0 {
        return ForceChains::default();
    }
    let mean = p.sum(|slot| loads[slot].1.compression) / bearing as f64;
    let mut sets = TouchingSets::new(p.len());
    world.visit_contacts(&mut |c| {
        if c.key.kind != PartnerKind::Particle {
            return;
        }
        let (branch, first, second) = (branch(world, c), p.grain(c.first), p.grain(c.second));
        let aligned = |slot: usize| {
            let load = &loads[slot].1;
            load.direction.dot(branch).powi(2) >= ALIGNED * branch.length_squared() && load.compression > mean
        };
        if aligned(first) && aligned(second) && force(world, c).is_some() {
            sets.join(first, second);
        }
    });
    drop(loads);
    let lengths = lengths_of_chains(sets);
    let particles: usize = lengths.iter().sum();
    ForceChains {
        chains: lengths.len(),
        share: particles as f64 / world.movers().count() as f64,
        length: if lengths.is_empty() { 0.0 } else { particles as f64 / lengths.len() as f64 },
    }
}

/// Numbers of particles of the sets that are not too short.
fn lengths_of_chains(sets: TouchingSets) -> Vec<usize> {
    let mut sizes = sets.sizes();
    sizes.retain(|&size| size >= SHORTEST);
    sizes
}

/// Force of a contact on its first body, if there is any.
fn force(world: &World, c: &ContactView) -> Option<DVec3> {
    let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, |wrench| wrench.force_on_first());
    let force = contact_force(c, force);
    (c.touches && force != DVec3::ZERO).then_some(force)
}

/// Stress of a particle times its volume \[J\]: its contacts in order of their partners' ids.
fn stress(world: &World, context: &StepContext, slot: usize, record: &mut Vec<f64>) -> DMat3 {
    let (p, list) = (&world.particles, &world.list);
    let Some(&[start, end]) = list.incidence_row.get(slot..slot + 2) else { return DMat3::ZERO };
    let row = &list.incidence[start as usize..end as usize];
    // each contact is visited twice: all at once would take more memory than the particles
    let of_entry = |&entry: &u32| {
        let c = world.view((entry >> 1) as usize, context, record)?;
        let force = force(world, &c)?;
        // the contact divides the line between two centres as their radii do
        let share = match c.key.kind {
            PartnerKind::Particle => {
                let (one, other) = (p.radius[c.first], p.radius[c.second]);
                one / (one + other)
            }
            PartnerKind::Wall => 1.0,
        };
        // from the centre of the sphere, then from that of the body
        let (lever, arm) = if entry & 1 == 0 { (share, p.arm(c.first)) } else { (1.0 - share, -p.arm(c.second)) };
        let of_sphere = outer(force, c.branch) * lever;
        Some(if p.bodies.is_empty() { of_sphere } else { of_sphere + outer(force, arm) })
    };
    row.iter().filter_map(of_entry).fold(DMat3::ZERO, |sum, stress| sum + stress)
}

/// The most compressive principal stress.
struct Load {
    /// Its magnitude, positive in compression \[Pa\].
    compression: f64,
    /// Its direction.
    direction: DVec3,
}

impl Load {
    /// Of a symmetric stress, positive in tension \[Pa\], by rotations of Jacobi.
    fn of(stress: DMat3) -> Self {
        let (mut m, mut axes) = (stress.to_cols_array_2d(), DMat3::IDENTITY);
        let scale = m.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        // quadratic convergence: 3 × 3 matrices are diagonal after four or five rounds
        for _ in 0..12 {
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                if m[i][j].abs() <= f64::EPSILON * scale {
                    continue;
                }
                let ratio = (m[j][j] - m[i][i]) / (2.0 * m[i][j]);
                let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
                let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                let sine = tangent * cosine;
                for k in 0..3 {
                    let (a, b) = (m[k][i], m[k][j]);
                    (m[k][i], m[k][j]) = (cosine * a - sine * b, sine * a + cosine * b);
                }
                for k in 0..3 {
                    let (a, b) = (m[i][k], m[j][k]);
                    (m[i][k], m[j][k]) = (cosine * a - sine * b, sine * a + cosine * b);
                }
                let (a, b) = (axes.col(i), axes.col(j));
                (*axes.col_mut(i), *axes.col_mut(j)) = (a * cosine - b * sine, a * sine + b * cosine);
            }
        }
        let least = (0..3).fold(0, |least, k| if m[k][k] < m[least][least] { k } else { least });
        Self { compression: 0.0 - m[least][least], direction: axes.col(least) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_compressive_principal_stress_of_a_known_tensor() {
        // in its own axes −5, −2, 3, turned
        let q = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.8);
        let load = Load::of(q * DMat3::from_diagonal(DVec3::new(-2.0, -5.0, 3.0)) * q.transpose());
        assert!((load.compression - 5.0).abs() < 1e-14, "{}", load.compression);
        assert!((load.direction.dot(q.y_axis).abs() - 1.0).abs() < 1e-14, "{}", load.direction);
        assert_eq!(Load::of(DMat3::ZERO).compression, 0.0);
    }

    #[test]
    fn sets_of_fewer_than_three_are_no_chains() {
        let mut sets = TouchingSets::new(11);
        let links = [(0, 1), (2, 3), (3, 4), (6, 7), (7, 8), (8, 6), (8, 9)];
        links.into_iter().for_each(|(one, other)| sets.join(one, other));
        assert_eq!(lengths_of_chains(sets), [3, 4]);
        assert!(lengths_of_chains(TouchingSets::new(0)).is_empty());
    }
}
