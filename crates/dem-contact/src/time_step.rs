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
    // `stretch` is the ratio of the effective mass to the inertia of the motion
    let critical = |k: f64, stretch: f64| {
        let viscosity = stretch * stiffness.viscosity;
        if k > 0.0 {
            let ratio = stiffness.damping_ratio + 0.5 * viscosity / (stretch * k * effective_mass).sqrt();
            fractions.contact * damping_factor(ratio) * (2.0 * (effective_mass / (stretch * k)).sqrt())
        } else if viscosity > 0.0 {
            fractions.contact * 2.0 * effective_mass / viscosity
        } else {
            f64::INFINITY
        }
    };
    let detail = format!("{} at {speed:.3} m/s", kernel.key());
    let bounds = [
        Bound {
            criterion: "normal contact oscillation",
            time_step: critical(stiffness.normal, 1.0),
            detail: detail.clone(),
        },
        Bound {
            criterion: "tangential contact oscillation",
            // a sphere turns under T at its lever: the effective inertia of tangential motion is m*/3.5
            time_step: critical(stiffness.tangential, 3.5),
            detail: detail.clone(),
        },
        Bound {
            criterion: "rolling contact oscillation",
            // the inertia of relative rotation of two solid spheres is at least 2/5 m* r*²
            time_step: critical(stiffness.rolling / (effective_radius * effective_radius), 2.5),
            detail: detail.clone(),
        },
        Bound {
            criterion: "contact duration",
            time_step: fractions.duration * kernel.contact_duration(a, b, effective_radius, effective_mass, speed),
            detail,
        },
    ];
    // a law without tangential or rolling stiffness does not bound the step there
    bounds.into_iter().filter(|bound| bound.time_step.is_finite()).collect()
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
    // `2ζω` of viscosities that do not scale with the mass, with the row sums of the same theorem
    let mut decay = vec![0.0f64; p.len()];
    for kernel in kernels {
        kernel.visit(list, context, &mut |c| {
            let mut add = |slot: usize, lever_squared: f64| {
                translation[slot] += c.stiffness.normal + c.stiffness.tangential;
                rotation[slot] += c.stiffness.tangential * lever_squared + c.stiffness.rolling;
                damping[slot] = damping[slot].max(c.stiffness.damping_ratio);
                let viscosity = 2.0 * c.stiffness.viscosity;
                decay[slot] +=
                    (2.0 * viscosity * p.inverse_mass[slot]).max(viscosity * lever_squared / p.inertia(slot));
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
            let omega = omega_squared.sqrt();
            let step = fraction * damping_factor(damping[slot] + 0.5 * decay[slot] / omega) * 2.0 / omega;
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use dem_core::material::{Material, PairMaterial};

    use super::*;
    use crate::ParameterValue;
    use crate::registry::{self, PairParameters};

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
        let bounds = contact_bounds(kernel.as_ref(), 0, 0, 1.0, 2.0, 0.1, &fractions);
        ["normal contact oscillation", "tangential contact oscillation"]
            .iter()
            .map(|name| bounds.iter().find(|bound| bound.criterion == *name).map_or(f64::INFINITY, |b| b.time_step))
            .collect()
    }

    /// `m* x'' + ν x' + k x = 0` is damped by `ν/2√(k m*)` of critical, and tangentially by √(3.5 k/k_t) times that.
    #[test]
    fn contact_damping_counts_as_the_share_of_critical_that_it_is() {
        let normal = 3.0 / (2.0 * (50.0f64 * 2.0).sqrt());
        let tangential = 3.5 * 3.0 / (2.0 * (3.5 * 25.0f64 * 2.0).sqrt());
        let found = bounds(0.1, 3.0, 0.5);
        assert!((found[0] / bounds(0.1 + normal, 0.0, 0.5)[0] - 1.0).abs() < 1e-15);
        assert!((found[1] / bounds(0.1 + tangential, 0.0, 0.5)[1] - 1.0).abs() < 1e-15);
        assert!(
            (bounds(0.1, 3.0, 0.0)[1] - 2.0 * 2.0 / (3.5 * 3.0)).abs() < 1e-15,
            "without a spring it still limits the step"
        );
        assert_eq!(bounds(0.1, 0.0, 0.0)[1], f64::INFINITY);
    }
}
