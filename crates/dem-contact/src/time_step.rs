//! Criteria for the time step. `auto` takes the smallest and names it.

use dem_core::contact_list::PartnerKind;

use crate::geometry::StepContext;
use crate::kernel::ForceKernel;
use dem_core::contact_list::ContactList;

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
    /// Of the duration of an impact.
    pub duration: f64,
    /// Of the Rayleigh time.
    pub rayleigh: f64,
}

impl Default for Fractions {
    /// Impacts are resolved by 25 steps, stability is met with a margin of 3 to 5.
    fn default() -> Self {
        Self { contact: 0.2, particle: 0.3, duration: 0.04, rayleigh: 0.2 }
    }
}

/// Reduction of the stable step by damping with the ratio ζ, `√(1+ζ²) − ζ`.
pub fn damping_factor(ratio: f64) -> f64 {
    (1.0 + ratio * ratio).sqrt() - ratio
}

/// Rayleigh time of a sphere, `π r √(ρ/G)/(0.1631 ν + 0.8766)` \[s\].
pub fn rayleigh_time(radius: f64, density: f64, shear_modulus: f64, poisson_ratio: f64) -> f64 {
    std::f64::consts::PI * radius * (density / shear_modulus).sqrt() / (0.1631 * poisson_ratio + 0.8766)
}

/// Bounds of a single contact of materials `a` and `b` hit at `speed` \[m/s\].
pub fn contact_bounds(
    kernel: &dyn ForceKernel,
    a: u16,
    b: u16,
    effective_radius: f64,
    effective_mass: f64,
    speed: f64,
    fractions: &Fractions,
) -> Vec<Bound> {
    let overlap = kernel.impact_overlap(a, b, effective_radius, effective_mass, speed);
    let stiffness = kernel.stiffness(a, b, effective_radius, overlap);
    let damped = damping_factor(stiffness.damping_ratio);
    let critical = |k: f64| if k > 0.0 { 2.0 * (effective_mass / k).sqrt() } else { f64::INFINITY };
    let detail = format!("{} at {speed:.3} m/s", kernel.key());
    vec![
        Bound {
            criterion: "normal contact oscillation",
            time_step: fractions.contact * damped * critical(stiffness.normal),
            detail: detail.clone(),
        },
        Bound {
            criterion: "tangential contact oscillation",
            // a sphere turns under T at its lever: the effective inertia of tangential motion is m*/3.5
            time_step: fractions.contact * damped * critical(3.5 * stiffness.tangential),
            detail: detail.clone(),
        },
        Bound {
            criterion: "rolling contact oscillation",
            // the inertia of relative rotation of two solid spheres is at least 2/5 m* r*²
            time_step: fractions.contact
                * critical(2.5 * stiffness.rolling / (effective_radius * effective_radius)),
            detail: detail.clone(),
        },
        Bound {
            criterion: "contact duration",
            time_step: fractions.duration * kernel.contact_duration(a, b, effective_radius, effective_mass, speed),
            detail,
        },
    ]
}

/// Per-particle bound of the present contacts (Gershgorin), with the id of the particle that sets it.
///
/// `ω² ≤ 2 Σ(k_n + k_t)/m` for translation and `ω² ≤ 2 Σ k_t L²/I` for rotation, to which the
/// stiffness against rolling adds.
pub fn particle_bound(
    kernels: &[Box<dyn ForceKernel>],
    list: &ContactList,
    context: &StepContext,
    fraction: f64,
) -> Option<Bound> {
    let p = context.particles;
    let mut translation = vec![0.0; p.len()];
    let mut rotation = vec![0.0; p.len()];
    let mut damping = vec![0.0f64; p.len()];
    for kernel in kernels {
        kernel.visit(list, context, &mut |c| {
            let mut add = |slot: usize, lever_squared: f64| {
                translation[slot] += c.stiffness.normal + c.stiffness.tangential;
                rotation[slot] += c.stiffness.tangential * lever_squared + c.stiffness.rolling;
                damping[slot] = damping[slot].max(c.stiffness.damping_ratio);
            };
            add(c.first, c.levers.first.length_squared());
            if c.key.kind == PartnerKind::Particle {
                add(c.second, c.levers.second.length_squared());
            }
        });
    }
    let mut tightest: Option<(f64, u64)> = None;
    for slot in 0..p.len() {
        let omega_squared =
            (2.0 * translation[slot] * p.inverse_mass[slot]).max(2.0 * rotation[slot] / p.inertia(slot));
        if omega_squared > 0.0 {
            let step = fraction * damping_factor(damping[slot]) * 2.0 / omega_squared.sqrt();
            // ties by id, so that the name does not depend on slots
            if tightest.is_none_or(|(t, id)| step < t || step == t && p.id[slot] < id) {
                tightest = Some((step, p.id[slot]));
            }
        }
    }
    tightest.map(|(time_step, id)| Bound {
        criterion: "stiffness of a particle's contacts",
        time_step,
        detail: format!("particle {id}"),
    })
}
