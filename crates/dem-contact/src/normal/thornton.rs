//! Hertz until a largest pressure and plastic beyond, without adhesion or with that of Johnson, Kendall and Roberts, after Thornton and Ning.
//!
//! | symbol | meaning |
//! |---|---|
//! | p_y | largest pressure, `yield_pressure` |
//! | γ, c = 4√(πγE*) | surface energy of one face, zero without adhesion |
//! | a | contact radius, `δ = a²/r* − 2√(πγ a/E*)` on first loading |
//! | a_y | that at which the pressure in the middle is p_y, `p_y = 2E* a_y/πr* − 2√(γE*/πa_y)` |
//! | A | largest contact radius so far |
//! | r_p | effective radius of the dented surfaces |
//!
//! First loading is elastic up to a_y, `N = 4E* a³/3r* − c a^(3/2)`, and then `N = N(a_y) + π p_y (a² − a_y²) − c a_y (√a − √a_y)`: the integral of the published
//! stiffness. After the largest radius A beyond a_y unloading is elastic again, with `r_p = 4E* A³/3(N(A) + c A^(3/2))`, and shifted by
//! `δ_p = A²/r* − A²/r_p`, so that the area stays. Without adhesion the force ends at δ_p; with it the contact ends at the fold of r_p, and a return
//! into the dent touches again at δ_p. The dent is forgotten when the undeformed spheres part.
//!
//! Without adhesion the restitution above the yield speed `v_y = √(π⁵ r*³ p_y⁵/(30 m* E*⁴))` is `(6√3/5)^(1/2) (1 − x²/6)^(1/2) [x/(x + 2√(6/5 − x²/5))]^(1/4)` with
//! x = v_y/v.
//!
//! The energy of a contact is `(8/15) E* a⁵/r_p² − (2/3) c a^(7/2)/r_p + 4πγ a²`, that of the joined faces `−2πγ a²`. Plastic work is what was put in on first
//! loading less what these gain: a function of A in closed form. Friction is limited by `N + 6πγ r_p`.
//!
//! Sources: C. Thornton, J. Appl. Mech. 64 (1997) 383; C. Thornton, Z. Ning, Powder Technol. 99 (1998) 154.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use super::jkr::{Jkr, root};
use super::memory::{adhesion_work, plastic_work};
use crate::law::{Derived, Kinematics};
use crate::normal::{NormalModel, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::{
    RESTITUTION_AT_SPEED, SURFACE_ENERGY, WORK_OF_ADHESION, optional_surface_energy, with_dashpot,
};
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
    /// Adhesion, in the form of the model without yield.
    adhesion: Option<Jkr>,
    surface_energy: f64,
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

/// `a^(3/2)`
#[inline(always)]
fn power<R: Real>(a: R) -> R {
    a * a.sqrt()
}

impl Thornton {
    /// `4/3 E*` \[Pa\].
    #[inline(always)]
    fn modulus<R: Real>(&self) -> R {
        R::parameter(4.0 / 3.0 * self.young_modulus)
    }

    /// c \[N/m^(3/2)\].
    #[inline(always)]
    fn pull<R: Real>(&self) -> R {
        R::parameter(4.0 * (std::f64::consts::PI * self.surface_energy * self.young_modulus).sqrt())
    }

    /// Elastic force at a contact radius of surfaces of an effective radius \[N\].
    #[inline(always)]
    fn elastic_at<R: Real>(&self, radius: R, a: R) -> R {
        let hertz = self.modulus::<R>() * a * a * a / radius;
        if self.adhesion.is_some() { hertz - self.pull::<R>() * power(a) } else { hertz }
    }

    /// a_y \[m\].
    #[inline(always)]
    fn yield_radius<R: Real>(&self, radius: R) -> R {
        let pi = std::f64::consts::PI;
        let slope = R::parameter(2.0 * self.young_modulus / pi) / radius;
        let mut a = R::parameter(self.yield_pressure) / slope;
        if self.adhesion.is_some() {
            // concave and increasing: Newton's method from below does not pass the root
            let root = R::parameter((self.surface_energy * self.young_modulus / pi).sqrt());
            for _ in 0..8 {
                let inverse_root = R::constant(1.0) / a.sqrt();
                let excess = slope * a - R::constant(2.0) * root * inverse_root - R::parameter(self.yield_pressure);
                a -= excess / (slope + root * inverse_root / a);
            }
        }
        a
    }

    /// Contact radius at which virgin surfaces snap together \[m\].
    #[inline(always)]
    fn touching_radius<R: Real>(&self, radius: R) -> R {
        self.radius_at(Dent { radius, depth: R::zero() }, R::zero())
    }

    /// Force of first loading at a contact radius \[N\].
    #[inline(always)]
    fn loading<R: Real>(&self, radius: R, limit: R, a: R) -> R {
        let elastic = self.elastic_at(radius, a.minimum(limit));
        let beyond = a.maximum(limit);
        let plastic = R::parameter(std::f64::consts::PI * self.yield_pressure) * (beyond - limit) * (beyond + limit);
        let force = elastic + plastic;
        if self.adhesion.is_some() { force - self.pull::<R>() * limit * (beyond.sqrt() - limit.sqrt()) } else { force }
    }

    #[inline(always)]
    fn dent<R: Real>(&self, radius: R, limit: R, largest: R) -> Dent<R> {
        let yields = largest.greater(limit);
        let mut force = self.loading(radius, limit, largest);
        if self.adhesion.is_some() {
            force += self.pull::<R>() * power(largest);
        }
        let ratio = self.modulus::<R>() * largest * largest * largest / force;
        let dented = R::select(yields, ratio, radius);
        let squared = largest * largest;
        Dent { radius: dented, depth: squared / radius - squared / dented }
    }

    /// Elastic contact radius at an overlap; beyond the fold that of the fold \[m\].
    #[inline(always)]
    fn radius_at<R: Real>(&self, dent: Dent<R>, overlap: R) -> R {
        let overlap = overlap - dent.depth;
        match self.adhesion {
            None => (dent.radius * overlap.maximum(R::zero())).sqrt(),
            Some(jkr) => {
                let [fold, unit] = jkr.units(dent.radius);
                let s = root(overlap / unit);
                fold * s * s
            }
        }
    }

    /// Elastic energy at a contact radius \[J\], and with that of the joined faces.
    #[inline(always)]
    fn energies<R: Real>(&self, radius: R, a: R) -> [R; 2] {
        let squared = a * a;
        let hertz = R::parameter(8.0 / 15.0 * self.young_modulus) * squared * squared * a / (radius * radius);
        if self.adhesion.is_none() {
            return [hertz; 2];
        }
        let faces = R::parameter(2.0 * std::f64::consts::PI * self.surface_energy) * squared;
        let mixed = R::constant(2.0 / 3.0) * self.pull::<R>() * power(a) * squared / radius;
        [hertz - mixed + faces + faces, hertz - mixed + faces]
    }

    /// Work of plastic deformation up to a largest radius \[J\].
    #[inline(always)]
    fn plastic<R: Real>(&self, radius: R, limit: R, largest: R) -> R {
        let pressure = R::parameter(std::f64::consts::PI * self.yield_pressure);
        let yields;
        let put_in;
        let before;
        if self.adhesion.is_none() {
            yields = largest.greater(limit);
            let squared = (largest - limit) * (largest + limit) / radius;
            let slope = R::constant(0.5) * pressure * radius;
            put_in = (self.loading(radius, limit, limit) + slope * squared) * squared;
            [_, before] = self.energies(radius, limit);
        } else {
            // surfaces that yield where they snap together have done so from there on
            let from = limit.maximum(self.touching_radius(radius));
            yields = largest.greater(from);
            let (pull, root) = (self.pull::<R>() * limit, limit.sqrt());
            let base = self.elastic_at(radius, limit) - pressure * limit * limit + pull * root;
            let pinch = R::parameter((std::f64::consts::PI * self.surface_energy / self.young_modulus).sqrt());
            let integral = |a: R| {
                let (squared, root) = (a * a, a.sqrt());
                base * (squared / radius - R::constant(2.0) * pinch * root)
                    + pressure * squared * (R::constant(0.5) * squared / radius - R::constant(0.4) * pinch * root)
                    + pull * a * (pinch - R::constant(0.8) * a * root / radius)
            };
            put_in = integral(largest) - integral(from);
            [_, before] = self.energies(self.dent(radius, limit, from).radius, from);
        }
        let [_, after] = self.energies(self.dent(radius, limit, largest).radius, largest);
        R::select(yields, put_in - (after - before), R::zero())
    }

    /// Speed above which impacts without adhesion deform plastically \[m/s\].
    pub fn yield_speed(&self, effective_radius: f64, effective_mass: f64) -> f64 {
        let [_, energy] = self.energies(effective_radius, self.yield_radius(effective_radius));
        (2.0 * energy / effective_mass).max(0.0).sqrt()
    }

    /// Dent and contact radius of a record, and whether the surfaces touch.
    fn state(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> (Dent<f64>, f64) {
        let largest = record.first().copied().unwrap_or(0.0);
        let dent = self.dent(effective_radius, self.yield_radius(effective_radius), largest);
        let touches = self.adhesion.is_none() || record.get(1).is_some_and(|&attached| attached > 0.0);
        (dent, if touches { self.radius_at(dent, overlap) } else { 0.0 })
    }
}

impl NormalModel for Thornton {
    const KEY: &'static str = "thornton-ning";
    /// Largest contact radius, whether the surfaces touch (with adhesion), plastic work and work of adhesion.
    type Record<R: Real> = [R; 4];

    fn parameters() -> Vec<ParameterSpec> {
        vec![YIELD_PRESSURE, SURFACE_ENERGY, WORK_OF_ADHESION, DAMPING_RATIO, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let young_modulus = pair.effective_young_modulus;
        let energy = optional_surface_energy(parameters)?;
        Ok(Self {
            young_modulus,
            yield_pressure: parameters.number(YIELD_PRESSURE.name),
            adhesion: energy.map(|energy| Jkr::elastic(young_modulus, energy)),
            surface_energy: energy.unwrap_or(0.0),
            dashpot: Dashpot::Ratio(parameters.number(DAMPING_RATIO.name)),
            no_tension: parameters.flag(NO_TENSION.name),
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, unit, meaning| FieldSpec { name, unit, meaning, width: 1, role: FieldRole::State };
        vec![
            field("largest_contact_radius", "m", "largest radius of the contact area since the contact formed"),
            field("attached", "-", "with adhesion, 1 while the surfaces touch, 0 in a dent that they were torn from"),
            plastic_work(),
            adhesion_work(),
        ]
    }

    fn holds_on(&self) -> bool {
        self.adhesion.is_some()
    }

    #[inline(always)]
    fn range<R: Real>(&self, effective_radius: R) -> R {
        match self.adhesion {
            // a dented contact ends before one that is not
            Some(jkr) => jkr.range(effective_radius),
            None => R::zero(),
        }
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        match self.adhesion {
            Some(jkr) => jkr.stiffness(effective_radius, overlap),
            None => {
                let a = (effective_radius * overlap.maximum(R::zero())).sqrt();
                R::parameter(2.0 * self.young_modulus) * a
            }
        }
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (dent, a) = self.state(effective_radius, overlap, record);
        self.elastic_at(dent.radius, a)
    }

    fn has_area_of_spheres(&self) -> bool {
        false
    }

    fn area_overlap(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (_, a) = self.state(effective_radius, overlap, record);
        a * a / effective_radius
    }

    fn dashpot(&self) -> Dashpot {
        self.dashpot
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // adhesion draws in what it makes stiffer: left out
        let limit = std::f64::consts::FRAC_PI_2 * self.yield_pressure / self.young_modulus * effective_radius;
        let hertz = |a: f64| 8.0 / 15.0 * self.young_modulus * a.powi(5) / (effective_radius * effective_radius);
        let kinetic = 0.5 * effective_mass * speed * speed;
        let beyond = kinetic - hertz(limit);
        if beyond <= 0.0 {
            let a = libm::pow(kinetic * 15.0 * effective_radius * effective_radius / (8.0 * self.young_modulus), 0.2);
            return a * a / effective_radius;
        }
        // F_y x + ½ π p_y r* x² of the overlap beyond yield
        let slope = std::f64::consts::PI * self.yield_pressure * effective_radius;
        let force = self.modulus::<f64>() * limit.powi(3) / effective_radius;
        limit * limit / effective_radius + 2.0 * beyond / (force + (force * force + 2.0 * slope * beyond).sqrt())
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // surfaces that adhere draw each other in, however slow they meet
        let adhesive =
            self.adhesion.map_or(f64::INFINITY, |jkr| jkr.contact_duration(effective_radius, effective_mass, speed));
        if speed > 0.0 {
            // loading takes between that of Hertz and of a spring, 1.47 and 1.57 of overlap over speed; unloading no longer
            let plastic = std::f64::consts::PI * self.impact_overlap(effective_radius, effective_mass, speed) / speed;
            plastic.min(adhesive)
        } else {
            adhesive
        }
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // a dent pulls more, over a length that grows less
        let Some(jkr) = self.adhesion else { return f64::INFINITY };
        let largest = (effective_radius * self.impact_overlap(effective_radius, effective_mass, speed)).sqrt();
        let dent = self.dent(effective_radius, self.yield_radius(effective_radius), largest);
        jkr.pull_duration(dent.radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (dent, a) = self.state(effective_radius, overlap, record);
        self.energies(dent.radius, a)[0]
    }

    fn adheres(&self) -> bool {
        self.adhesion.is_some()
    }

    fn adhesion_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let (_, a) = self.state(effective_radius, overlap, record);
        -2.0 * std::f64::consts::PI * self.surface_energy * a * a
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let yield_speed = self.yield_speed(effective_radius, effective_mass);
        let mut all =
            vec![Derived { name: "speed above which impacts deform plastically", value: yield_speed, unit: "m/s" }];
        match self.adhesion {
            Some(jkr) => {
                let facts = jkr.facts(effective_radius, effective_mass, speed);
                all.extend(facts.into_iter().filter(|fact| fact.name != RESTITUTION_AT_SPEED));
            }
            None => {
                let x = (yield_speed / speed).min(1.0);
                let ratio = x / (x + 2.0 * (1.2 - 0.2 * x * x).sqrt());
                let value = (1.2 * 3.0f64.sqrt() * (1.0 - x * x / 6.0)).sqrt() * ratio.sqrt().sqrt();
                all.push(Derived { name: RESTITUTION_AT_SPEED, value, unit: "-" });
            }
        }
        all
    }

    fn derived(&self) -> Vec<Derived> {
        let ratio = std::f64::consts::FRAC_PI_2 * self.yield_pressure / self.young_modulus;
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
        &[largest0, attached0, plastic0, adhesion0]: &[R; 4],
    ) -> (NormalResponse<R>, [R; 4]) {
        let (zero, one, radius) = (R::zero(), R::constant(1.0), k.effective_radius);
        let limit = self.yield_radius(radius);
        let before = self.dent(radius, limit, largest0);
        let (mut touched, mut touches) = (zero.at_most(zero), zero.at_most(zero));
        if let Some(jkr) = self.adhesion {
            let reach = -jkr.range(before.radius);
            let over_dent = k.overlap1 - before.depth;
            touched = attached0.greater(zero);
            let inside = (-jkr.range(radius)).less(k.overlap1);
            touches = ((touched & reach.less(over_dent)) | zero.at_most(over_dent)) & inside;
        }
        let virgin = self.radius_at(Dent { radius, depth: zero }, k.overlap1);
        let mut largest1 = R::select(touches, largest0.maximum(virgin), largest0);
        if self.adhesion.is_some() {
            // where they first meet they snap together
            let snaps = touches & largest0.at_most(zero);
            largest1 = R::select(snaps, largest1.maximum(self.touching_radius(radius)), largest1);
        }
        let after = self.dent(radius, limit, largest1);
        let contact_radius0 = R::select(touched, self.radius_at(before, k.overlap0), zero);
        let elastic0 = self.elastic_at(before.radius, contact_radius0);
        let loads = touches & largest1.at_most(virgin);
        let unloaded = R::select(touches, self.radius_at(after, k.overlap1), zero);
        let contact_radius1 = R::select(loads, virgin, unloaded);
        let elastic1 =
            R::select(loads, self.loading(radius, limit, virgin), self.elastic_at(after.radius, contact_radius1));
        let stiffness = R::parameter(2.0 * self.young_modulus) * contact_radius1;
        let viscosity = self.dashpot.viscosity(stiffness, k.effective_mass).unwrap_or(zero);
        let force1 = with_dashpot(elastic1, viscosity * k.overlap_rate, self.no_tension);
        let dashpot_force = force1 - elastic1;
        let force0 = with_dashpot(elastic0, dashpot0, true);
        let (mut limit0, mut limit1) = ([force0, elastic0], [force1, elastic1]);
        if let Some(jkr) = self.adhesion {
            let (pull0, pull1) = (jkr.twice_pull_off(before.radius), jkr.twice_pull_off(after.radius));
            limit0 = [R::select(touched, elastic0 + pull0, zero); 2];
            limit1 = [R::select(touches, elastic1 + pull1, zero); 2];
        }
        let response = NormalResponse {
            force0,
            force1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0: limit0[0],
            limit1: limit1[0],
            elastic_limit0: limit0[1],
            elastic_limit1: limit1[1],
            contact_radius0,
            contact_radius1,
            viscosity,
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
        };
        let work = self.plastic(radius, limit, largest1) - self.plastic(radius, limit, largest0);
        let mut adhesion1 = adhesion0;
        if self.adhesion.is_some() {
            // where the surfaces snap, as in the model without yield
            let jumps = (touched | touches) & !(touched & touches);
            let put_in = R::constant(0.5) * (elastic0 + elastic1) * (k.overlap1 - k.overlap0);
            let [_, held0] = self.energies(before.radius, contact_radius0);
            let [_, held1] = self.energies(after.radius, contact_radius1);
            adhesion1 += R::select(jumps, put_in - (held1 - held0) - work, zero);
        }
        let attached1 = if self.adhesion.is_some() { R::select(touches, one, zero) } else { zero };
        (response, [largest1, attached1, plastic0 + work, adhesion1])
    }
}
