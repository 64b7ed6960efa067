//! Force chains after J. F. Peters, M. Muthuswamy, J. Wibowo and A. Tordesillas, Physical Review E 72 (2005) 041307.
//!
//! A particle has the stress `(1/V) Σ f ⊗ l` of its contacts, f the force on it, l the way from its centre to the contact and V its volume. Its
//! load is the most compressive principal stress with its direction. Two particles that touch are linked if the loads of both are
//! above the mean of all particles that bear a force, and the way from centre to centre is within 45 degrees of both directions.
//! Linked particles, at least three, are a force chain; where links branch, the branches belong to it.

use dem_core::contact_list::PartnerKind;
use dem_core::particles::sphere_volume;
use dem_core::{DMat3, DVec3};

use super::fabric::contact_force;
use crate::deformation::stress::{outer, symmetric};
use crate::world::World;

/// Square of the cosine of the largest angle between a branch and the direction of a load: 45 degrees.
const ALIGNED: f64 = 0.5;
/// Particles of the shortest chain.
const SHORTEST: usize = 3;

/// The force chains of an assembly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceChains {
    /// How many.
    pub chains: usize,
    /// Share of all particles that belong to one \[-\].
    pub share: f64,
    /// Mean number of particles in one; zero without any.
    pub length: f64,
}

struct Contact {
    candidate: usize,
    first: usize,
    /// None for contacts with walls.
    second: Option<usize>,
    force: DVec3,
    branch: DVec3,
}

/// Force chains of the present contact forces.
pub fn force_chains(world: &World) -> ForceChains {
    let p = &world.particles;
    let mut contacts: Vec<Contact> = Vec::new();
    world.visit_contacts(&mut |c| {
        let force = world.forces.get(c.candidate).map_or(DVec3::ZERO, |wrench| wrench.force_on_first());
        let force = contact_force(c, force);
        if c.touches && force != DVec3::ZERO {
            let second = (c.key.kind == PartnerKind::Particle).then_some(c.second);
            contacts.push(Contact { candidate: c.candidate, first: c.first, second, force, branch: c.branch });
        }
    });
    let stress = stresses(world, &contacts);
    let loads: Vec<Load> =
        (0..p.len()).map(|slot| Load::of(symmetric(stress[slot]) * (1.0 / sphere_volume(p.radius[slot])))).collect();
    let bearing = stress.iter().filter(|&&stress| stress != DMat3::ZERO).count();
    if bearing == 0 {
        return ForceChains::default();
    }
    let mean = p.sum(|slot| loads[slot].compression) / bearing as f64;
    let links = |contact: &Contact| {
        let second = contact.second?;
        let aligned = |load: &Load| {
            load.direction.dot(contact.branch).powi(2) >= ALIGNED * contact.branch.length_squared()
                && load.compression > mean
        };
        (aligned(&loads[contact.first]) && aligned(&loads[second])).then_some((contact.first, second))
    };
    let lengths = sizes_of_chains(p.len(), contacts.iter().filter_map(links));
    let particles: usize = lengths.iter().sum();
    ForceChains {
        chains: lengths.len(),
        share: particles as f64 / p.len() as f64,
        length: if lengths.is_empty() { 0.0 } else { particles as f64 / lengths.len() as f64 },
    }
}

/// Stress of every particle times its volume \[J\], by slots: contacts of each in order of their partners' ids.
fn stresses(world: &World, contacts: &[Contact]) -> Vec<DMat3> {
    let (p, list) = (&world.particles, &world.list);
    let mut place = vec![usize::MAX; list.first.len()];
    for (at, contact) in contacts.iter().enumerate() {
        place[contact.candidate] = at;
    }
    let of_entry = |entry: u32| {
        let contact = contacts.get(place[(entry >> 1) as usize])?;
        // the contact divides the way between two centres as their radii do
        let share = contact.second.map_or(1.0, |second| {
            let (one, other) = (p.radius[contact.first], p.radius[second]);
            one / (one + other)
        });
        Some(outer(contact.force, contact.branch) * if entry & 1 == 0 { share } else { 1.0 - share })
    };
    let of_slot = |slot: usize| {
        let Some(&[start, end]) = list.incidence_row.get(slot..slot + 2) else { return DMat3::ZERO };
        let row = &list.incidence[start as usize..end as usize];
        row.iter().filter_map(|&entry| of_entry(entry)).fold(DMat3::ZERO, |sum, stress| sum + stress)
    };
    (0..p.len()).map(of_slot).collect()
}

/// Numbers of particles of the sets that links connect, without those that are too short.
fn sizes_of_chains(particles: usize, links: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut linked: Vec<Vec<usize>> = vec![Vec::new(); particles];
    for (one, other) in links {
        linked[one].push(other);
        linked[other].push(one);
    }
    let mut seen = vec![false; particles];
    let mut sizes = Vec::new();
    for start in 0..particles {
        let (mut pending, mut size) = (vec![start], 0);
        while let Some(slot) = pending.pop() {
            if !std::mem::replace(&mut seen[slot], true) {
                size += 1;
                pending.extend_from_slice(&linked[slot]);
            }
        }
        if size >= SHORTEST {
            sizes.push(size);
        }
    }
    sizes
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
        let links = [(0, 1), (2, 3), (3, 4), (6, 7), (7, 8), (8, 6), (8, 9)];
        assert_eq!(sizes_of_chains(11, links.into_iter()), [3, 4]);
        assert!(sizes_of_chains(0, std::iter::empty()).is_empty());
    }
}
