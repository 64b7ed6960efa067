//! Hertz until a largest pressure, plastic beyond, after Thornton.
//!
//! | symbol | meaning |
//! |---|---|
//! | p_y | largest pressure, `yield_pressure` |
//! | a_y = π r* p_y/2E* | contact radius at which the pressure in the middle is p_y |
//! | a | contact radius, √(r* δ) on first loading |
//! | r_p | effective radius of the dented surfaces |
//!
//! First loading is Hertz up to a_y and then `N = F_y + π p_y (a² − a_y²) = F_y + π p_y r* (δ − δ_y)`, F_y Hertz's force at a_y. After the largest radius A beyond a_y
//! unloading is Hertz again, with `r_p = (4/3) E* A³/N(A)`, and shifted so that the area stays: `δ_p = A²/r* − A²/r_p`, where the force ends.
//!
//! The restitution above the yield speed `v_y = √(π⁵ r*³ p_y⁵/(30 m* E*⁴))` is `(6√3/5)^(1/2) (1 − x²/6)^(1/2) [x/(x + 2√(6/5 − x²/5))]^(1/4)` with x = v_y/v.
//!
//! Plastic work is what was put in less what Hertz gives back, `(8/15) E* A⁵/r_p²`: a function of A in closed form.
//!
//! Source: C. Thornton, J. Appl. Mech. 64 (1997) 383. The dent is forgotten when the undeformed spheres part.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use super::memory::plastic_work;
use crate::law::{Derived, Kinematics};
use crate::normal::{NormalModel, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::with_dashpot;
use crate::submodels::damping::NO_TENSION;
use crate::submodels::dashpot::Dashpot;

/// Largest pressure.
pub(super) const YIELD_PRESSURE: ParameterSpec = ParameterSpec {
    name: "yield_pressure",
    unit: "Pa",
    meaning: "largest pressure that the contact bears, 1.6 times the yield stress in a metal",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

/// Dashpot beside plastic deformation.
pub(super) const DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "damping_ratio",
    unit: "-",
    meaning: "dashpot in addition to the plastic deformation, as a fraction of the critical one of the present area",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct Thornton {
    young_modulus: f64,
    yield_pressure: f64,
    dashpot: Dashpot,
    no_tension: bool,
}

/// A contact after a largest radius.
#[derive(Clone, Copy)]
struct Dent<R> {
    /// r_p \[m\].
    radius: R,
    /// δ_p \[m\].
    depth: R,
}

impl Thornton {
    /// `4/3 E*` \[Pa\].
    #[inline(always)]
    fn modulus<R: Real>(&self) -> R {
        R::parameter(4.0 / 3.0 * self.young_modulus)
    }

    /// a_y \[m\].
    #[inline(always)]
    fn yield_radius<R: Real>(&self, effective_radius: R) -> R {
        R::parameter(std::f64::consts::FRAC_PI_2 * self.yield_pressure / self.young_modulus) * effective_radius
    }

    /// Force of first loading at a contact radius \[N\].
    #[inline(always)]
    fn loading<R: Real>(&self, effective_radius: R, a: R) -> R {
        let limit = self.yield_radius(effective_radius);
        let elastic = a.minimum(limit);
        let hertz = self.modulus::<R>() * elastic * elastic * elastic / effective_radius;
        let beyond = a.maximum(limit);
        hertz + R::parameter(std::f64::consts::PI * self.yield_pressure) * (beyond - limit) * (beyond + limit)
    }

    #[inline(always)]
    fn dent<R: Real>(&self, effective_radius: R, largest: R) -> Dent<R> {
        let yields = largest.greater(self.yield_radius(effective_radius));
        let ratio = self.modulus::<R>() * largest * largest * largest / self.loading(effective_radius, largest);
        let radius = R::select(yields, ratio, effective_radius);
        let squared = largest * largest;
        Dent { radius, depth: squared / effective_radius - squared / radius }
    }

    /// Contact radius of unloading \[m\].
    #[inline(always)]
    fn unloaded_radius<R: Real>(&self, dent: Dent<R>, overlap: R) -> R {
        (dent.radius * (overlap - dent.depth).maximum(R::zero())).sqrt()
    }

    /// Force of unloading at a contact radius \[N\].
    #[inline(always)]
    fn unloading<R: Real>(&self, dent: Dent<R>, a: R) -> R {
        self.modulus::<R>() * a * a * a / dent.radius
    }

    /// Energy that unloading from a contact radius gives back \[J\].
    #[inline(always)]
    fn elastic<R: Real>(&self, dent: Dent<R>, a: R) -> R {
        let squared = a * a;
        R::parameter(8.0 / 15.0 * self.young_modulus) * squared * squared * a / (dent.radius * dent.radius)
    }

    /// Work of plastic deformation up to a largest radius \[J\].
    #[inline(always)]
    fn plastic<R: Real>(&self, effective_radius: R, largest: R) -> R {
        let limit = self.yield_radius(effective_radius);
        let hertz = Dent { radius: effective_radius, depth: R::zero() };
        let squared = (largest - limit) * (largest + limit) / effective_radius;
        let pressure = R::parameter(std::f64::consts::FRAC_PI_2 * self.yield_pressure) * effective_radius;
        let put_in =
            self.elastic(hertz, limit) + (self.loading(effective_radius, limit) + pressure * squared) * squared;
        let kept = self.elastic(self.dent(effective_radius, largest), largest);
        R::select(largest.greater(limit), put_in - kept, R::zero())
    }

    /// Speed above which impacts deform plastically \[m/s\].
    pub fn yield_speed(&self, effective_radius: f64, effective_mass: f64) -> f64 {
        let hertz = Dent { radius: effective_radius, depth: 0.0 };
        (2.0 * self.elastic(hertz, self.yield_radius(effective_radius)) / effective_mass).sqrt()
    }

    fn largest_of(record: &[f64]) -> f64 {
        record.first().copied().unwrap_or(0.0)
    }

    fn radius_of(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> (Dent<f64>, f64) {
        let dent = self.dent(effective_radius, Self::largest_of(record));
        (dent, self.unloaded_radius(dent, overlap))
    }
}

impl NormalModel for Thornton {
    const KEY: &'static str = "thornton-ning";
    /// Largest contact radius and plastic work.
    type Record<R: Real> = [R; 2];

    fn parameters() -> Vec<ParameterSpec> {
        vec![YIELD_PRESSURE, DAMPING_RATIO, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        Ok(Self {
            young_modulus: pair.effective_young_modulus,
            yield_pressure: parameters.number(YIELD_PRESSURE.name),
            dashpot: Dashpot::Ratio(parameters.number(DAMPING_RATIO.name)),
            no_tension: parameters.flag(NO_TENSION.name),
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let largest = FieldSpec {
            name: "largest_contact_radius",
            unit: "m",
            meaning: "largest radius of the contact area since the contact formed",
            width: 1,
            role: FieldRole::State,
        };
        vec![largest, plastic_work()]
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        let a = (effective_radius * overlap.maximum(R::zero())).sqrt();
        R::parameter(2.0 * self.young_modulus) * a
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (dent, a) = self.radius_of(effective_radius, overlap, record);
        self.unloading(dent, a)
    }

    fn area_overlap(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (_, a) = self.radius_of(effective_radius, overlap, record);
        a * a / effective_radius
    }

    fn dashpot(&self) -> Dashpot {
        self.dashpot
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let limit = self.yield_radius(effective_radius);
        let hertz = Dent { radius: effective_radius, depth: 0.0 };
        let kinetic = 0.5 * effective_mass * speed * speed;
        let beyond = kinetic - self.elastic(hertz, limit);
        if beyond <= 0.0 {
            let a = libm::pow(kinetic * 15.0 * effective_radius * effective_radius / (8.0 * self.young_modulus), 0.2);
            return a * a / effective_radius;
        }
        // F_y x + ½ π p_y r* x² of the overlap beyond yield
        let slope = std::f64::consts::PI * self.yield_pressure * effective_radius;
        let force = self.loading(effective_radius, limit);
        limit * limit / effective_radius + 2.0 * beyond / (force + (force * force + 2.0 * slope * beyond).sqrt())
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        if speed > 0.0 {
            // loading takes between that of Hertz and of a spring, 1.47 and 1.57 of overlap over speed; unloading no longer
            std::f64::consts::PI * self.impact_overlap(effective_radius, effective_mass, speed) / speed
        } else {
            f64::INFINITY
        }
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (dent, a) = self.radius_of(effective_radius, overlap, record);
        self.elastic(dent, a)
    }

    fn derived(&self) -> Vec<Derived> {
        let ratio = self.yield_radius(1.0);
        vec![
            Derived { name: "effective Young's modulus E*", value: self.young_modulus, unit: "Pa" },
            Derived { name: "contact radius at yield over the effective radius", value: ratio, unit: "-" },
        ]
    }

    #[inline(always)]
    fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        &[largest0, work0]: &[R; 2],
    ) -> (NormalResponse<R>, [R; 2]) {
        let (zero, radius) = (R::zero(), k.effective_radius);
        let virgin = (radius * k.overlap1.maximum(zero)).sqrt();
        let largest1 = largest0.maximum(virgin);
        let (before, after) = (self.dent(radius, largest0), self.dent(radius, largest1));
        let contact_radius0 = self.unloaded_radius(before, k.overlap0);
        let elastic0 = self.unloading(before, contact_radius0);
        let loads = largest0.at_most(virgin);
        let contact_radius1 = R::select(loads, virgin, self.unloaded_radius(after, k.overlap1));
        let elastic1 = R::select(loads, self.loading(radius, virgin), self.unloading(after, contact_radius1));
        let stiffness = R::parameter(2.0 * self.young_modulus) * contact_radius1;
        let viscosity = self.dashpot.viscosity(stiffness, k.effective_mass).unwrap_or(zero);
        let force1 = with_dashpot(elastic1, viscosity * k.overlap_rate, self.no_tension);
        let dashpot_force = force1 - elastic1;
        let force0 = with_dashpot(elastic0, dashpot0, true);
        let response = NormalResponse {
            force0,
            force1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0: force0,
            limit1: force1,
            elastic_limit0: elastic0,
            elastic_limit1: elastic1,
            contact_radius0,
            contact_radius1,
            viscosity,
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
        };
        let work = self.plastic(radius, largest1) - self.plastic(radius, largest0);
        (response, [largest1, work0 + work])
    }
}
