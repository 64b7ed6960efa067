//! Criteria for the time step. `auto` takes the smallest and names it.

use dem_core::bodies::body::Body;
use dem_core::contact_list::{ContactKey, ContactList};
use dem_core::eigenvalue::largest_eigenvalue;
use dem_core::figure::Figure;
use dem_core::particles::frozen;
use dem_core::{DMat3, DVec3};
use rayon::prelude::*;

use crate::force_loop::kernel::force_kernel::ForceKernel;
use crate::force_loop::kinematics::geometry::StepContext;
use crate::law::Dashpots;

/// A bound of the time step and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Name of the criterion.
    pub criterion: &'static str,
    /// Largest admissible step \[s\].
    pub time_step: f64,
    /// What it was computed for.
    pub detail: String,
}

/// Fractions of the critical steps that are used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fractions {
    /// Of `2/ω` of a single contact.
    pub contact: f64,
    /// Of `2/ω_max` of a particle with all its contacts.
    pub particle: f64,
    /// Of `1/γ_max` of a particle with the dashpots of all its contacts.
    pub damping: f64,
    /// Of the duration of an impact.
    pub duration: f64,
    /// Of the Rayleigh time.
    pub rayleigh: f64,
}

impl Default for Fractions {
    /// Impacts are resolved by 25 steps, stability of oscillations is met with a margin of 3 to 5. The bound of the damping is strict, and what is
    /// damped that much need not be resolved.
    fn default() -> Self {
        Self { contact: 0.2, particle: 0.3, damping: 0.9, duration: 0.04, rayleigh: 0.2 }
    }
}

/// Slots per unit of parallel work.
const BLOCK: usize = 256;

/// Reduction of the stable step by damping with the ratio ζ, `√(1+ζ²) − ζ`. As a quotient, because the difference of
/// large numbers would be zero, or NaN and so no bound.
fn damping_factor(ratio: f64) -> f64 {
    1.0 / (libm::hypot(1.0, ratio) + ratio)
}

/// Rayleigh time of a sphere, `π r √(ρ/G)/(0.1631 ν + 0.8766)` \[s\].
pub fn rayleigh_time(radius: f64, density: f64, shear_modulus: f64, poisson_ratio: f64) -> f64 {
    std::f64::consts::PI * radius * (density / shear_modulus).sqrt() / (0.1631 * poisson_ratio + 0.8766)
}

/// Criteria that a single contact meets, in the order of [`contact_steps`].
pub const CONTACT_CRITERIA: [&str; 5] = [
    "normal contact oscillation",
    "tangential contact oscillation",
    "rolling contact oscillation",
    "contact duration",
    "pull of adhesion",
];

/// Largest steps that a single contact of materials `a` and `b` hit at `speed` \[m/s\] admits, for each of [`CONTACT_CRITERIA`] \[s\]; infinite
/// where a law has no stiffness.
pub fn contact_steps(
    kernel: &dyn ForceKernel,
    (a, b): (u16, u16),
    effective_radius: f64,
    effective_mass: f64,
    speed: f64,
    fractions: &Fractions,
) -> [f64; 5] {
    let overlap = kernel.impact_overlap(a, b, effective_radius, effective_mass, speed);
    let stiffness = kernel.stiffness(a, b, effective_radius, overlap);
    let dashpots = kernel.dashpots(a, b, effective_radius, effective_mass, overlap);
    let critical = |k: f64, viscosity: f64, inertia: f64| {
        if k > 0.0 {
            let ratio = 0.5 * viscosity / (k * inertia).sqrt();
            fractions.contact * damping_factor(ratio) * (2.0 * (inertia / k).sqrt())
        } else if viscosity > 0.0 {
            fractions.contact * 2.0 * inertia / viscosity
        } else {
            f64::INFINITY
        }
    };
    [
        critical(stiffness.normal, dashpots.normal, effective_mass),
        // a sphere turns under T at its lever arm: the effective inertia of tangential motion is m*/3.5
        critical(stiffness.tangential, dashpots.tangential, effective_mass / 3.5),
        // the inertia of relative rotation of two solid spheres is at least 2/5 m* r*²
        critical(stiffness.rolling, dashpots.rolling, 0.4 * effective_mass * effective_radius * effective_radius),
        fractions.duration * kernel.contact_duration(a, b, effective_radius, effective_mass, speed),
        fractions.duration * kernel.pull_duration(a, b, effective_radius, effective_mass, speed),
    ]
}

/// The same as bounds with their numbers, without those that do not bound.
pub fn contact_bounds(
    kernel: &dyn ForceKernel,
    (a, b): (u16, u16),
    effective_radius: f64,
    effective_mass: f64,
    speed: f64,
    fractions: &Fractions,
) -> Vec<Bound> {
    let steps = contact_steps(kernel, (a, b), effective_radius, effective_mass, speed, fractions);
    let bounds = CONTACT_CRITERIA.into_iter().zip(steps).filter(|(_, step)| step.is_finite());
    let detail = format!("{} at {} m/s", kernel.key(), Figure::new(speed, 3));
    bounds.map(|(criterion, time_step)| Bound { criterion, time_step, detail: detail.clone() }).collect()
}

/// The tightest bound by the present contacts of a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleBound {
    /// Largest admissible step \[s\].
    pub time_step: f64,
    /// Id of the particle.
    pub particle: u64,
    /// Number of its contacts.
    pub contacts: usize,
    /// Its stiffest contact.
    pub stiffest: ContactKey,
}

/// Damping of a particle by the dashpots of all its contacts.
///
/// The dissipation of a contact is at most twice the sum of what the motion of either body alone would cost. No motion of an assembly decays
/// faster than at twice the largest eigenvalue, over its particles, of the matrix of the dissipation of one alone,
/// `[[A, B], [Bᵀ, C]]` with `A = Σ(c_n n⊗n + c_t (1 − n⊗n))/m`, `C = Σ(c_t L² (1 − n⊗n) + c_r 1)/I` and `B` the cross product with
/// `Σ c_t L n/√(m I)`. It is bounded by that of the matrix of their norms. Among contacts in all directions A and C come to a third and two thirds of
/// sums that leave directions out, and B to little.
struct TotalDamping {
    /// `Σ(c_n n⊗n + c_t (1 − n⊗n))` \[N s/m\].
    translation: DMat3,
    /// `Σ(c_t L² (1 − n⊗n) + c_r 1)` \[N m s/rad\].
    rotation: DMat3,
    /// `Σ c_t L n` \[N s\].
    coupling: DVec3,
}

impl TotalDamping {
    const NONE: Self = Self { translation: DMat3::ZERO, rotation: DMat3::ZERO, coupling: DVec3::ZERO };

    fn add(&mut self, dashpots: &Dashpots, normal: DVec3, lever: f64) {
        let along = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        let across = DMat3::IDENTITY - along;
        self.translation += along * dashpots.normal + across * dashpots.tangential;
        self.rotation +=
            across * (dashpots.tangential * lever * lever) + DMat3::from_diagonal(DVec3::splat(dashpots.rolling));
        self.coupling += normal * (dashpots.tangential * lever);
    }

    /// Bound γ of the rate of decay \[1/s\].
    fn fastest_decay(&self, inverse_mass: f64, inertia: f64) -> f64 {
        let a = largest_eigenvalue(self.translation) * inverse_mass;
        let c = largest_eigenvalue(self.rotation) / inertia;
        let b_squared = self.coupling.length_squared() * inverse_mass / inertia;
        let half = 0.5 * (a - c);
        a + c + 2.0 * (half * half + b_squared).sqrt()
    }
}

/// Tightest per-particle bound of the present contacts.
///
/// Oscillations: `ω² = 2 Σ(k_n + k_t)/m` for translation and `ω² = 2 Σ(k_t L² + k_r)/I` for rotation, after Gershgorin with either motion by
/// itself. It is an estimate: where both go together, as in two spheres that roll on each other, ω may be up to 1.2 times as high, which the
/// fraction covers.
///
/// Damping: by all dashpots together (`TotalDamping`). With forces that use the velocity at the end of the step,
/// velocity Verlet is stable for `γ Δt + (ω Δt/2)² < 1`; the bound is the root of `γ Δt/g + (ω Δt/2f)² = 1` with the
/// fractions g and f.
///
/// Sums run in canonical order, so that the bound does not depend on slots.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a minimum")]
pub fn particle_bound(
    kernels: &[Box<dyn ForceKernel>],
    list: &ContactList,
    context: &StepContext,
    fractions: &Fractions,
) -> Option<ParticleBound> {
    // ties by id, so that the name does not depend on slots
    let tighter = |a: ParticleBound, b: ParticleBound| {
        let first = a.time_step < b.time_step || a.time_step == b.time_step && a.particle < b.particle;
        if first { a } else { b }
    };
    let p = context.particles;
    let listed = list.incidence_row.len().saturating_sub(1);
    let of_spheres = (0..listed.min(p.independent()))
        .into_par_iter()
        .with_min_len(BLOCK)
        .map_init(Vec::new, |record, slot| bound_of(slot, kernels, list, context, fractions, record))
        .flatten_iter()
        .reduce_with(tighter);
    let bodies = if listed == p.len() { &p.bodies.all[..] } else { &[] };
    let of_bodies = bodies
        .par_iter()
        .with_min_len(BLOCK)
        .map_init(Vec::new, |record, body| bound_of_body(body, kernels, list, context, fractions, record))
        .flatten_iter()
        .reduce_with(tighter);
    of_spheres.into_iter().chain(of_bodies).reduce(tighter)
}

/// Bound of the particle in a slot, if anything touches it; `record` takes histories.
fn bound_of(
    slot: usize,
    kernels: &[Box<dyn ForceKernel>],
    list: &ContactList,
    context: &StepContext,
    fractions: &Fractions,
    record: &mut Vec<f64>,
) -> Option<ParticleBound> {
    let p = context.particles;
    let row = list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize;
    let cannot_turn = frozen::ROTATION.iter().all(|bit| p.frozen[slot] & bit != 0);
    let (inverse_mass, inertia) = (p.inverse_mass[slot], if cannot_turn { f64::INFINITY } else { p.inertia(slot) });
    let (mut translation, mut rotation, mut damping, mut contacts) = (0.0, 0.0, TotalDamping::NONE, 0);
    let mut stiffest: Option<(f64, ContactKey)> = None;
    for &entry in &list.incidence[row] {
        let candidate = (entry >> 1) as usize;
        let Some(segment) = list.segment_of(candidate) else { continue };
        // computed for both particles: copies of all contacts took a fifth of the memory of a run
        let Some(c) = kernels[segment.law].view(list, segment, candidate, context, record) else { continue };
        let lever = if entry & 1 == 0 { c.levers.first } else { c.levers.second };
        let (k, lever_squared) = (&c.stiffness, lever.length_squared());
        translation += k.normal + k.tangential;
        rotation += k.tangential * lever_squared + k.rolling;
        // for either body the normal points to the other one
        damping.add(&c.dashpots, if entry & 1 == 0 { c.normal } else { -c.normal }, lever_squared.sqrt());
        contacts += 1;
        let own = k.normal + k.tangential;
        if stiffest.is_none_or(|(most, _)| own > most) {
            stiffest = Some((own, c.key));
        }
    }
    let omega_squared = (2.0 * translation * inverse_mass).max(2.0 * rotation / inertia);
    let damping = damping.fastest_decay(inverse_mass, inertia) * fractions.particle / fractions.damping;
    // the root in a form that holds without springs and without dashpots
    let rate = damping + libm::hypot(damping, omega_squared.sqrt());
    let (_, stiffest) = stiffest.filter(|_| rate > 0.0)?;
    let time_step = fractions.particle * 2.0 / rate;
    Some(ParticleBound { time_step, particle: p.id[slot], contacts, stiffest })
}

/// Bound of a rigid body, if anything touches it.
///
/// The stiffness that a motion of the body alone meets is `Σ Σ_d k_d w_d w_dᵀ` with the six numbers `w_d = (d/√M, I^(−½) (ρ × d))` of a direction d at the
/// arm ρ of a contact. Its largest eigenvalue is at most the sum of those of its two diagonal blocks, and that of the assembly at most twice as large:
/// with an own block for the rotation this is rigorous, unlike the estimate for spheres. Dashpots go the same way.
fn bound_of_body(
    body: &Body,
    kernels: &[Box<dyn ForceKernel>],
    list: &ContactList,
    context: &StepContext,
    fractions: &Fractions,
    record: &mut Vec<f64>,
) -> Option<ParticleBound> {
    let p = context.particles;
    let first_member = p.bodies.first_member();
    let cannot_turn = frozen::ROTATION.iter().all(|&bit| body.frozen as u8 & bit != 0);
    let inverse_root = if cannot_turn { DVec3::ZERO } else { body.moments.map(|moment| 1.0 / moment.sqrt()) };
    let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let [mut stiffness, mut viscosity] = [[DMat3::ZERO; 2]; 2];
    let mut stiffest: Option<(f64, ContactKey)> = None;
    let mut contacts = 0;
    for slot in body.first as usize..(body.first + body.count) as usize {
        for &entry in &list.incidence[list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize] {
            let candidate = (entry >> 1) as usize;
            let Some(segment) = list.segment_of(candidate) else { continue };
            let Some(c) = kernels[segment.law].view(list, segment, candidate, context, record) else { continue };
            // a wall keeps the lever from its own reference point as its second one
            let is_first = entry & 1 == 0;
            let lever: DVec3 = if is_first { c.levers.first } else { c.levers.second }.into();
            let arm = p.bodies.arm[slot - first_member] + lever;
            let (u, v) = c.normal.any_orthonormal_pair();
            let springs = [c.stiffness.normal, c.stiffness.tangential, c.stiffness.tangential];
            let dashpots = [c.dashpots.normal, c.dashpots.tangential, c.dashpots.tangential];
            for (k, direction) in [c.normal, u, v].into_iter().enumerate() {
                let turning = inverse_root * body.to_principal(arm.cross(direction));
                for (blocks, of_contact) in [(&mut stiffness, springs[k]), (&mut viscosity, dashpots[k])] {
                    blocks[0] += outer(direction) * of_contact;
                    blocks[1] += outer(turning) * of_contact;
                }
            }
            let rolling = DMat3::from_diagonal(inverse_root * inverse_root);
            stiffness[1] += rolling * c.stiffness.rolling;
            viscosity[1] += rolling * c.dashpots.rolling;
            contacts += 1;
            let own = c.stiffness.normal + c.stiffness.tangential;
            if stiffest.is_none_or(|(most, _)| own > most) {
                stiffest = Some((own, c.key));
            }
        }
    }
    let largest = |[translation, rotation]: [DMat3; 2]| {
        largest_eigenvalue(translation) * body.inverse_mass() + largest_eigenvalue(rotation)
    };
    let omega_squared = 2.0 * largest(stiffness);
    let damping = 2.0 * largest(viscosity) * fractions.particle / fractions.damping;
    let rate = damping + libm::hypot(damping, omega_squared.sqrt());
    let (_, stiffest) = stiffest.filter(|_| rate > 0.0)?;
    let time_step = fractions.particle * 2.0 / rate;
    Some(ParticleBound { time_step, particle: p.id[body.first as usize], contacts, stiffest })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use dem_core::material::{Material, PairMaterial};

    use super::*;
    use crate::ParameterValue;
    use crate::registry::{self, PairParameters};

    /// `2ζ` times the factor is 1 − 1/4ζ² and goes to one, however large ζ is.
    #[test]
    fn no_damping_is_too_large_to_bound_the_step() {
        assert_eq!(damping_factor(0.0), 1.0);
        assert!((damping_factor(0.75) - 0.5).abs() < 1e-15);
        for ratio in [1e4, 1e9, 1e160, 1e300] {
            let (found, expected) = (2.0 * ratio * damping_factor(ratio), 1.0 - 0.25 / ratio / ratio);
            assert!((found - expected).abs() < 1e-15, "{ratio}: {found}");
        }
    }

    /// Two spheres that roll on each other are damped as a mass of m*/3.5 is; simple cubic lattices that spin, by 4/3 Z c_t L²/I.
    #[test]
    fn fastest_decay_is_that_of_motions_in_closed_form() {
        let (mass, radius, viscosity) = (2.0, 0.3, 5.0);
        let inertia = 0.4 * mass * radius * radius;
        let dashpots = Dashpots { normal: 0.1, tangential: viscosity, rolling: 0.0 };
        let mut one = TotalDamping::NONE;
        one.add(&dashpots, DVec3::new(0.6, 0.0, 0.8), radius);
        let expected = viscosity * 3.5 / (0.5 * mass);
        let found = one.fastest_decay(1.0 / mass, inertia);
        assert!((found / expected - 1.0).abs() < 1e-7, "{found}, expected {expected}");
        let mut six = TotalDamping::NONE;
        for axis in DVec3::AXES {
            six.add(&dashpots, axis, radius);
            six.add(&dashpots, -axis, radius);
        }
        let expected = 4.0 / 3.0 * 6.0 * viscosity * radius * radius / inertia;
        let found = six.fastest_decay(1.0 / mass, inertia);
        assert!((found / expected - 1.0).abs() < 1e-7, "{found}, expected {expected}");
    }

    fn bounds(damping_ratio: f64, contact_damping: f64, stiffness_ratio: f64) -> Vec<f64> {
        let material = Material { name: String::new(), density: 1.0, young_modulus: 1.0, poisson_ratio: 0.25 };
        let given: BTreeMap<_, _> = [
            ("normal_stiffness", 50.0),
            ("friction", 0.5),
            ("stiffness_ratio", stiffness_ratio),
            ("damping_ratio", damping_ratio),
            ("contact_damping", contact_damping),
        ]
        .map(|(name, x)| (name.to_owned(), ParameterValue::Number(x)))
        .into();
        let pair = PairMaterial::new(&material, &material);
        let pairs = PairParameters { materials: 1, pairs: vec![Some((pair, given))] };
        let kernel = (registry::find("kuhn").unwrap().build)(&pairs).unwrap();
        let fractions = Fractions { contact: 1.0, ..Fractions::default() };
        let bounds = contact_bounds(kernel.as_ref(), (0, 0), 1.0, 2.0, 0.1, &fractions);
        ["normal contact oscillation", "tangential contact oscillation"]
            .iter()
            .map(|name| bounds.iter().find(|bound| bound.criterion == *name).map_or(f64::INFINITY, |b| b.time_step))
            .collect()
    }

    /// `m* x'' + (c + ν) x' + k x = 0` is damped by `(c + ν)/2√(k m*)` of critical; tangential motion, which has no other dashpot here, by
    /// √(3.5 k/k_t) times the part of ν.
    #[test]
    fn contact_damping_counts_as_the_share_of_critical_that_it_is() {
        let normal = 3.0 / (2.0 * (50.0f64 * 2.0).sqrt());
        let tangential = 3.5 * 3.0 / (2.0 * (3.5 * 25.0f64 * 2.0).sqrt());
        let found = bounds(0.1, 3.0, 0.5);
        assert!((found[0] / bounds(0.1 + normal, 0.0, 0.5)[0] - 1.0).abs() < 1e-14);
        assert!((found[1] / bounds(0.1, 0.0, 0.5)[1] / damping_factor(tangential) - 1.0).abs() < 1e-14);
        assert!(
            (bounds(0.1, 3.0, 0.0)[1] - 2.0 * 2.0 / (3.5 * 3.0)).abs() < 1e-14,
            "without a spring it still limits the step"
        );
        assert_eq!(bounds(0.1, 0.0, 0.0)[1], f64::INFINITY);
    }
}
