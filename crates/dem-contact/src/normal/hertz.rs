//! Hertz with a dashpot in proportion to `√(m* dN/dδ)`, which makes the restitution independent of the speed.
//!
//! | symbol | meaning |
//! |---|---|
//! | E* | effective Young's modulus, `1/E* = Σ(1−ν²)/E` |
//! | a = √(r* δ) | contact radius |
//! | d* = 2ζ √(m* 2E* a) | dashpot |
//!
//! `N = max(0, 4/3 E* √r* δ^(3/2) + d* δ')`.
//!
//! With a `dissipation_time` A the dashpot is that of viscoelastic spheres instead, `d* = A 2E* a`, so that
//! `N = k_H (δ^(3/2) + 3/2 A √δ δ')` with `k_H = 4/3 E* √r*`. The restitution then falls with the speed and depends on
//! `β = 3/2 A (k_H/m*)^(2/5) v^(1/5)` alone: `e = 1 − C₁ β + 3/5 C₁² β² − …` with `C₁ = 4/5 (5/4)^(3/5) Γ(3/5) Γ(3/2)/Γ(21/10) = 1.15345`
//! where tension is allowed up to the end of the overlap; a clip of tension raises it. With a `restitution_speed` beside the `restitution` A follows for every
//! contact from its effective mass and radius, so that all have that restitution at that speed.
//!
//! Sources: N. V. Brilliantov, F. Spahn, J.-M. Hertzsch, T. Pöschel, Phys. Rev. E 53 (1996) 5382 and G. Kuwabara, K. Kono, Jpn. J. Appl.
//! Phys. 26 (1987) 1230 for viscoelastic spheres; H. Hertz (1882); damping after Y. Tsuji, T. Tanaka, T. Ishida, Powder Technol. 71 (1992) 239. For a target e the
//! ratio is `ζ = √(5/6) (−ln e)/√(π² + ln² e)` if tension is allowed; without the factor `√(5/6)`, as often printed, the
//! achieved restitution is lower.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalModel, NormalResponse};
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::damping::{DAMPING_RATIO, DISSIPATION_TIME, Damping, NO_TENSION, RESTITUTION, Spring};
use crate::submodels::dashpot::Dashpot;
use crate::submodels::viscoelastic::{self, Creep, RESTITUTION_SPEED};

/// Hertz with damping.
#[derive(Clone, Copy, Debug)]
pub struct Hertz {
    young_modulus: f64,
    damping: Damping,
    /// Instead of the dashpot of `damping`.
    creep: Option<Creep>,
    no_tension: bool,
}

/// A restitution that falls with the speed.
const RESTITUTION_OF_IMPACT: &str = "restitution at the expected speed";

/// Ratio of the duration of an undamped Hertz impact to (largest overlap)/(speed): `4/5 · √π Γ(2/5)/Γ(9/10)`.
const DURATION_FACTOR: f64 = 2.943_275_1;

impl Hertz {
    /// Without a dashpot.
    pub(super) fn elastic(young_modulus: f64) -> Self {
        Self {
            young_modulus,
            damping: Damping { dashpot: Dashpot::NONE, restitution: Some(1.0) },
            creep: None,
            no_tension: true,
        }
    }

    /// E* \[Pa\].
    #[inline(always)]
    pub(super) fn young_modulus(&self) -> f64 {
        self.young_modulus
    }

    /// Whether the dashpot may not pull.
    #[inline(always)]
    pub(super) fn allows_no_tension(&self) -> bool {
        self.no_tension
    }

    /// `k_H` of `N = k_H δ^(3/2)` \[N/m^(3/2)\].
    pub(super) fn coefficient(&self, effective_radius: f64) -> f64 {
        4.0 / 3.0 * self.young_modulus * effective_radius.sqrt()
    }
}

impl NormalModel for Hertz {
    const KEY: &'static str = "hertz";
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        vec![RESTITUTION, RESTITUTION_SPEED, DAMPING_RATIO, DISSIPATION_TIME, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let no_tension = parameters.flag("no_tension");
        let young_modulus = pair.effective_young_modulus;
        let damping = Damping::from_parameters(parameters, Spring::Hertz, no_tension)?;
        let Some(speed) = parameters.optional(RESTITUTION_SPEED.name) else {
            return Ok(Self { young_modulus, damping, creep: None, no_tension });
        };
        let Some(restitution) = parameters.optional(RESTITUTION.name) else {
            let message = format!("= {speed} [m/s], expected only with {}", RESTITUTION.name);
            return Err(LawError::new(RESTITUTION_SPEED.name, message));
        };
        let creep = Some(Creep::new(restitution, speed, young_modulus, no_tension)?);
        // the restitution depends on the speed
        Ok(Self { young_modulus, damping: Damping { dashpot: Dashpot::NONE, restitution: None }, creep, no_tension })
    }

    fn kind(&self) -> NormalKind {
        NormalKind::Hertz
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        R::parameter(2.0 * self.young_modulus) * (effective_radius * overlap.maximum(R::zero())).sqrt()
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        4.0 / 3.0 * self.young_modulus * (effective_radius * overlap).sqrt() * overlap
    }

    fn dashpot(&self) -> Dashpot {
        self.damping.dashpot
    }

    fn dashpot_viscosity(&self, stiffness: f64, effective_radius: f64, effective_mass: f64) -> Option<f64> {
        self.damper(stiffness, effective_radius, effective_mass)
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // (5/4 m* v² / k_H)^(2/5)
        libm::pow(1.25 * effective_mass * speed * speed / self.coefficient(effective_radius), 0.4)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        if speed > 0.0 {
            DURATION_FACTOR * self.impact_overlap(effective_radius, effective_mass, speed) / speed
        } else {
            f64::INFINITY
        }
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        0.4 * self.coefficient(effective_radius) * overlap * overlap * overlap.sqrt()
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let time = match (self.creep, self.damping.dashpot) {
            (Some(creep), _) => creep.time(effective_radius, effective_mass),
            (None, Dashpot::Time(time)) => time,
            _ => return Vec::new(),
        };
        let beta = viscoelastic::dissipation(time, self.coefficient(effective_radius), effective_mass, speed);
        let value = viscoelastic::restitution(beta, self.no_tension);
        vec![
            Derived { name: "dissipation time of the contact", value: time, unit: "s" },
            Derived { name: RESTITUTION_OF_IMPACT, value, unit: "-" },
        ]
    }

    fn derived(&self) -> Vec<Derived> {
        let modulus = Derived { name: "effective Young's modulus E*", value: self.young_modulus, unit: "Pa" };
        let Some(creep) = self.creep else {
            return std::iter::once(modulus).chain(self.damping.derived()).collect();
        };
        vec![modulus, Derived { name: "dissipation β at the speed of the restitution", value: creep.beta, unit: "-" }]
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, dashpot0: R, start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        let (mut response, record) = self.respond_unclipped(k, dashpot0, start);
        let zero = R::zero();
        if self.no_tension {
            response.force1 = response.force1.maximum(zero);
            response.dashpot_force = response.force1 - response.elastic1;
        }
        response.force0 = response.force0.maximum(zero);
        (response.limit0, response.limit1) = (response.force0, response.force1);
        let works = (dashpot0 + response.dashpot_force) * (k.overlap1 - k.overlap0);
        // the step in which the motion reverses returns no work
        response.viscous_work = (R::constant(0.5) * works).maximum(zero);
        (response, record)
    }
}

impl Hertz {
    /// Viscosity of the dashpot beside a stiffness \[N/m\], if there is one \[N s/m\].
    #[inline(always)]
    fn damper<R: Real>(&self, stiffness: R, effective_radius: R, effective_mass: R) -> Option<R> {
        match self.creep {
            Some(creep) => {
                // its power shall not stand in the way of what all other contacts do
                std::hint::cold_path();
                Some(creep.time(effective_radius, effective_mass) * stiffness)
            }
            None => self.damping.dashpot.viscosity(stiffness, effective_mass),
        }
    }

    /// The response with a dashpot that may pull, without its work.
    #[inline(always)]
    pub(super) fn respond_unclipped<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        _start: &[R; 0],
    ) -> (NormalResponse<R>, [R; 0]) {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let contact_radius0 = (k.effective_radius * overlap0).sqrt();
        let contact_radius1 = (k.effective_radius * overlap1).sqrt();
        let elastic = R::parameter(4.0 / 3.0 * self.young_modulus);
        let (elastic0, elastic1) = (elastic * contact_radius0 * overlap0, elastic * contact_radius1 * overlap1);
        let stiffness = R::parameter(2.0 * self.young_modulus) * contact_radius1;
        let viscosity = self.damper(stiffness, k.effective_radius, k.effective_mass).unwrap_or(zero);
        let force1 = elastic1.plus_product(viscosity, k.overlap_rate);
        let response = NormalResponse {
            force0: elastic0 + dashpot0,
            force1,
            dashpot_force: force1 - elastic1,
            elastic0,
            elastic1,
            limit0: elastic0 + dashpot0,
            limit1: force1,
            elastic_limit0: elastic0,
            elastic_limit1: elastic1,
            contact_radius0,
            contact_radius1,
            viscosity,
            viscous_work: zero,
        };
        (response, [])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_factor_is_the_ratio_of_gamma_functions() {
        let gamma = libm::tgamma;
        let exact = 0.8 * std::f64::consts::PI.sqrt() * gamma(0.4) / gamma(0.9);
        assert!((DURATION_FACTOR - exact).abs() < 1e-6, "{exact}");
    }

    /// Speeds after and before a head-on impact of viscoelastic spheres.
    fn restitution(beta: f64, no_tension: bool) -> f64 {
        let (modulus, radius, mass, speed) = (1e9, 5e-3, 1e-3, 0.7);
        let law = |time| Hertz {
            young_modulus: modulus,
            damping: Damping { dashpot: Dashpot::Time(time), restitution: None },
            creep: None,
            no_tension,
        };
        let stiffness = law(0.0).coefficient(radius) / mass;
        let law = law(beta / (1.5 * libm::pow(stiffness, 0.4) * libm::pow(speed, 0.2)));
        let force = |overlap: f64, rate: f64| {
            let k = kinematics(radius, mass, overlap, rate);
            law.respond(&k, 0.0, &[]).0.force1
        };
        // Runge and Kutta, of fourth order in the root of the time: the force starts with the root of the overlap
        let rate = |s: f64, x: f64, v: f64| (2.0 * s * v, -2.0 * s * force(x, v) / mass);
        let duration = law.contact_duration(radius, mass, speed);
        let h = duration.sqrt() / 20_000.0;
        let (mut s, mut x, mut v) = (0.0, 0.0, speed);
        loop {
            let (x1, v1) = rate(s, x, v);
            let (x2, v2) = rate(s + 0.5 * h, x + 0.5 * h * x1, v + 0.5 * h * v1);
            let (x3, v3) = rate(s + 0.5 * h, x + 0.5 * h * x2, v + 0.5 * h * v2);
            let (x4, v4) = rate(s + h, x + h * x3, v + h * v3);
            x += h / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4);
            v += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
            s += h;
            if x <= 0.0 || v < 0.0 && no_tension && force(x, v) <= 0.0 {
                return -v / speed;
            }
        }
    }

    fn kinematics(effective_radius: f64, effective_mass: f64, overlap: f64, overlap_rate: f64) -> Kinematics {
        use crate::frame::{Transport, TransportKind};
        use dem_core::lanes::Vector;
        let (normal, none) = (Vector::new(0.0, 0.0, 1.0), Vector::zero());
        Kinematics {
            normal0: normal,
            normal1: normal,
            overlap0: overlap,
            overlap1: overlap,
            overlap_rate,
            slip: none,
            tangential_velocity: none,
            relative_spin: none,
            relative_rotation: none,
            transport: Transport::new(TransportKind::Exact, normal, normal, none, none),
            effective_radius,
            effective_mass,
            smaller_radius: 2.0 * effective_radius,
            centre_distance: f64::INFINITY,
            near_field_distance: f64::INFINITY,
            time_step: 1.0,
            time: 0.0,
        }
    }

    #[test]
    fn viscoelastic_spheres_have_the_restitution_of_their_differential_equation() {
        let expected = [
            (0.01, 0.988_545, 0.988_547),
            (0.05, 0.944_260, 0.944_397),
            (0.2, 0.797_550, 0.800_965),
            (0.5, 0.573_825, 0.595_251),
        ];
        for (beta, with_tension, clipped) in expected {
            for (no_tension, expected) in [(false, with_tension), (true, clipped)] {
                let found = restitution(beta, no_tension);
                assert!((found - expected).abs() < 2e-6, "{beta} {no_tension}: {found}, expected {expected}");
            }
        }
        let gamma = libm::tgamma;
        let c1 = 0.8 * libm::pow(1.25, 0.6) * gamma(0.6) * gamma(1.5) / gamma(2.1);
        assert!((c1 - 1.153_45).abs() < 1e-5, "{c1}");
        let small = restitution(0.01, false);
        assert!((small - (1.0 - 0.01 * c1 + 0.6 * 1e-4 * c1 * c1)).abs() < 1e-6, "{small}");
    }

    #[test]
    fn one_way_of_damping_is_taken_and_the_dashpot_is_in_proportion_to_the_stiffness() {
        let pair = PairMaterial {
            effective_young_modulus: 1e9,
            effective_shear_modulus: 2.5e8,
            shear_moduli: [4e8; 2],
            poisson_ratios: [0.25; 2],
        };
        let law = |names: &[&str]| {
            let given = names.iter().map(|&name| (name.to_owned(), crate::ParameterValue::Number(1e-6))).collect();
            Hertz::new(&ParameterSet::resolve(&Hertz::parameters(), given)?, &pair)
        };
        let viscoelastic = law(&["dissipation_time"]).unwrap();
        let stiffness = viscoelastic.stiffness(1e-3, 1e-6);
        assert_eq!(viscoelastic.dashpot().viscosity(stiffness, 1e-3), Some(1e-6 * stiffness));
        assert!(law(&["dissipation_time", "restitution"]).is_err());
        assert!(
            law(&["dissipation_time", "restitution_speed"]).unwrap_err().to_string().contains("only with restitution")
        );
        assert!(law(&["restitution", "restitution_speed"]).unwrap_err().to_string().contains("<= value <= 1"));
        let missing = law(&[]).unwrap_err().to_string();
        assert!(missing.contains("restitution or damping_ratio or dissipation_time"), "{missing}");
    }
}
