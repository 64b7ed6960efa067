//! Adhesion of soft bodies with a large surface energy, after Johnson, Kendall and Roberts.
//!
//! | symbol | meaning |
//! |---|---|
//! | γ, w = 2γ | energy of one face, work of adhesion |
//! | a | radius of the contact area, larger than Hertz's, and not zero where surfaces are pulled |
//! | a_f = (πγ r*²/4E*)^(1/3), s = √(a/a_f) | radius at which the contact snaps, and the measure of the area here |
//! | F_c = 3πγ r* | force that pulls the bodies apart |
//!
//! The published pair of equations `δ = a²/r* − 2√(πγ a/E*)`, `N = 4E* a³/3r* − 4√(πγE*) a^(3/2)` is, in units of the contact,
//! `δ r*/a_f² = s⁴ − 4s` and `N = (πγ r*/3)(s⁶ − 6s³)` with s ≥ 1. Newton's method solves the first for s − 1 from a start that is exact at both
//! ends; four steps reach rounding for every overlap.
//!
//! Surfaces attract each other from their first touch on, δ ≥ 0, until the contact ends: at the `fold` s = 1, `δ = −3a_f²/r*`, where it can hold no longer
//! whatever moves the bodies, or at the `peak` s³ = 3 of the pull, where a dead weight would tear it. Both jumps lose energy: (24/5) 4^(1/3) πγ a_f² at
//! touch, and (4/5) πγ a_f² at the fold, so that bodies stick below `v_s = √(2W/m*)`, W the sum of both, and rebound with `√(1 − v_s²/v²)` above.
//!
//! A step in which a contact snaps is booked as `adhesion_work` with what it has lost in its finite length, so that the balance closes; the sum tends to these
//! jumps with the step.
//!
//! The energy of the contact has an elastic part `πγ a_f² (2/15 s¹⁰ − 4/3 s⁷ + 4s⁴)` and one of the faces that are joined, `−2πγ a_f² s⁴ = −w π a²`.
//!
//! Friction is limited by the elastic force plus `2F_c`. The dashpot is that of Hertz with the area of this contact; it may not pull more than
//! the contact does. `restitution` is that of the same bodies without adhesion.
//!
//! Sources: K. L. Johnson, K. Kendall, A. D. Roberts, Proc. R. Soc. Lond. A 324 (1971) 301; end at the fold, work of sticking: C. Thornton, Z. Ning, Powder
//! Technol. 99 (1998) 154; limit of friction: C. Thornton, J. Phys. D 24 (1991) 1942, C. Thornton, K. K. Yin, Powder Technol. 65 (1991) 153. Left out: the
//! peeling of the contact by shear.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Real, functions};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{Hertz, NormalModel, NormalResponse};
use crate::parameter::{LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::{
    PULL_OFF, RESTITUTION_AT_SPEED, SURFACE_ENERGY, WORK_OF_ADHESION, surface_energy, tabor_number, with_dashpot,
};
use crate::submodels::damping::{DAMPING_RATIO, NO_TENSION, RESTITUTION};
use crate::submodels::dashpot::Dashpot;

/// `4^(1/3)`, which is s at zero overlap.
const AT_TOUCH: f64 = 1.587_401_051_968_199_4;
/// `3^(1/3)`, which is s at the peak of the pull, and the distance of the surfaces there in units of the contact.
const AT_PEAK: f64 = 1.442_249_570_307_408_4;
/// Distance of the surfaces at the fold in units of the contact.
const FOLD: f64 = 3.0;

/// The ends of a contact in scenes.
const SEPARATION: ParameterSpec = ParameterSpec {
    name: "separation",
    unit: "-",
    meaning: "where a contact ends: at the fold, where no equilibrium is left, or at the peak of the pull, as in LAMMPS",
    kind: ParameterKind::Choice(&["fold", "peak"]),
};

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct Jkr {
    hertz: Hertz,
    surface_energy: f64,
    /// `(πγ/4E*)^(1/3)`, times `r*^(2/3)` the radius at the fold.
    size: f64,
    /// Distance of the surfaces at the end of a contact, in units of the contact.
    end: f64,
}

/// Energy of a contact, elastic and of the faces together, in units of `πγ a_f²`; zero when apart.
#[inline(always)]
pub(crate) fn potential<R: Real>(s: R) -> R {
    let (cube, fourth) = (s * s * s, s * s * s * s);
    let inner = R::constant(1.5).minus_product(cube, R::constant(1.0).minus_product(R::constant(0.1), cube));
    R::constant(4.0 / 3.0) * fourth * inner
}

/// s of a contact whose surfaces overlap by d in units of the contact, −3 or more; what is less counts as that.
#[inline(always)]
pub(crate) fn root<R: Real>(d: R) -> R {
    let one = R::constant(1.0);
    let c = (d + R::constant(FOLD)).maximum(R::zero());
    let h = (c * R::constant(1.0 / 6.0)).sqrt();
    let mut e = h / (one + h * R::constant(1.0 / 2.449_489_742_783_178)).sqrt();
    let [four, six, twelve] = [R::constant(4.0), R::constant(6.0), R::constant(12.0)];
    for _ in 0..4 {
        let squared = e * e;
        let value = ((e + four) * e + six) * squared - c;
        e -= value / (((four * e + twelve) * e + twelve) * e);
    }
    one + R::select(c.greater(R::zero()), e, R::zero())
}

/// Normal force of a contact in units of `πγ r*/3`; zero for s = 0, of bodies that do not touch.
#[inline(always)]
pub(crate) fn force<R: Real>(s: R) -> R {
    let cube = s * s * s;
    cube * (cube - R::constant(6.0))
}

impl Jkr {
    /// From the surface energy γ \[J/m²\].
    pub(crate) fn with_surface_energy(hertz: Hertz, energy: f64) -> Self {
        let size = libm::cbrt(std::f64::consts::PI * energy / (4.0 * hertz.young_modulus()));
        Self { hertz, surface_energy: energy, size, end: FOLD }
    }

    /// Without a dashpot, for surfaces of an effective Young's modulus E* \[Pa\].
    pub(crate) fn elastic(young_modulus: f64, energy: f64) -> Self {
        Self::with_surface_energy(Hertz::elastic(young_modulus), energy)
    }

    /// Radius a_f at the fold \[m\], and the unit of overlaps a_f²/r* \[m\].
    #[inline(always)]
    pub(crate) fn units<R: Real>(&self, effective_radius: R) -> [R; 2] {
        let radius = R::parameter(self.size) * functions::cbrt(effective_radius * effective_radius);
        [radius, radius * radius / effective_radius]
    }

    /// Unit of energies, `πγ a_f²` \[J\].
    #[inline(always)]
    pub(crate) fn energy_unit<R: Real>(&self, fold_radius: R) -> R {
        R::parameter(std::f64::consts::PI * self.surface_energy) * fold_radius * fold_radius
    }

    /// `2F_c` \[N\].
    #[inline(always)]
    pub(crate) fn twice_pull_off<R: Real>(&self, effective_radius: R) -> R {
        R::parameter(6.0 * std::f64::consts::PI * self.surface_energy) * effective_radius
    }

    /// Unit of forces, `πγ r*/3` \[N\].
    #[inline(always)]
    pub(crate) fn force_unit<R: Real>(&self, effective_radius: R) -> R {
        R::parameter(std::f64::consts::PI / 3.0 * self.surface_energy) * effective_radius
    }

    /// Work lost at touch and at the end, in units of `πγ a_f²`.
    fn lost(&self) -> [f64; 2] {
        [-potential(AT_TOUCH), potential(if self.end == FOLD { 1.0 } else { AT_PEAK })]
    }

    /// Speed below which bodies stick \[m/s\].
    pub fn sticking_speed(&self, effective_radius: f64, effective_mass: f64) -> f64 {
        let [radius, _] = self.units(effective_radius);
        let work = self.energy_unit(radius) * self.lost().iter().sum::<f64>();
        (2.0 * work / effective_mass).sqrt()
    }

    /// Speed at which a head-on impact that begins with `speed` meets the surfaces after the attraction at touch \[m/s\].
    fn drawn_in(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let [radius, _] = self.units(effective_radius);
        let gain = self.energy_unit(radius) * self.lost()[0];
        (speed * speed + 2.0 * gain / effective_mass).sqrt()
    }

    fn memory(record: &[f64]) -> f64 {
        record.first().copied().unwrap_or(0.0)
    }
}

impl NormalModel for Jkr {
    const KEY: &'static str = "jkr";
    /// s, zero before the first touch, and the work of adhesion.
    type Record<R: Real> = [R; 2];

    fn parameters() -> Vec<ParameterSpec> {
        vec![SURFACE_ENERGY, WORK_OF_ADHESION, SEPARATION, RESTITUTION, DAMPING_RATIO, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let model = Self::with_surface_energy(Hertz::new(parameters, pair)?, surface_energy(parameters)?);
        let end = if parameters.choice(SEPARATION.name) == "peak" { AT_PEAK } else { FOLD };
        Ok(Self { end, ..model })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![
            FieldSpec {
                name: "contact_size",
                unit: "-",
                meaning: "square root of the contact radius over that at which the contact snaps; 0 before the first touch",
                width: 1,
                role: FieldRole::State,
            },
            super::memory::adhesion_work(),
        ]
    }

    fn holds_on(&self) -> bool {
        true
    }

    #[inline(always)]
    fn range<R: Real>(&self, effective_radius: R) -> R {
        let [_, unit] = self.units(effective_radius);
        R::parameter(self.end) * unit
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        let [radius, unit] = self.units(effective_radius);
        let s = root(overlap / unit);
        // while the contact is drawn out its stiffness falls, and past the peak it is negative: no less than that of a pull F_c over the reach
        let area = (s * s).maximum(R::constant(2.0));
        R::parameter(2.0 * self.hertz.young_modulus()) * radius * area
    }

    fn elastic_force(&self, effective_radius: f64, _overlap: f64, record: &[f64]) -> f64 {
        self.force_unit(effective_radius) * force(Self::memory(record))
    }

    fn has_area_of_spheres(&self) -> bool {
        false
    }

    fn area_overlap(&self, effective_radius: f64, _overlap: f64, record: &[f64]) -> f64 {
        let ([_, unit], s) = (self.units(effective_radius), Self::memory(record));
        unit * (s * s) * (s * s)
    }

    fn dashpot(&self) -> Dashpot {
        self.hertz.dashpot()
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let speed = self.drawn_in(effective_radius, effective_mass, speed);
        self.hertz.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let speed = self.drawn_in(effective_radius, effective_mass, speed);
        self.hertz.contact_duration(effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, _speed: f64) -> f64 {
        let [_, unit] = self.units(effective_radius);
        let reach = effective_mass * FOLD * unit / (0.5 * self.twice_pull_off(effective_radius));
        std::f64::consts::PI * reach.sqrt()
    }

    fn elastic_energy(&self, effective_radius: f64, _overlap: f64, record: &[f64]) -> f64 {
        let ([radius, _], s) = (self.units(effective_radius), Self::memory(record));
        self.energy_unit(radius) * (potential(s) + 2.0 * s * s * s * s)
    }

    fn adheres(&self) -> bool {
        true
    }

    fn adhesion_energy(&self, effective_radius: f64, _overlap: f64, record: &[f64]) -> f64 {
        let ([radius, _], s) = (self.units(effective_radius), Self::memory(record));
        self.energy_unit(radius) * (-2.0 * s * s * s * s)
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let sticking = self.sticking_speed(effective_radius, effective_mass);
        let kept = (1.0 - (sticking / speed).powi(2)).max(0.0).sqrt();
        vec![
            Derived { name: PULL_OFF, value: 0.5 * self.twice_pull_off(effective_radius), unit: "N" },
            Derived { name: "speed below which bodies stick", value: sticking, unit: "m/s" },
            Derived { name: RESTITUTION_AT_SPEED, value: kept, unit: "-" },
            tabor_number(effective_radius, self.hertz.young_modulus(), self.surface_energy),
        ]
    }

    fn derived(&self) -> Vec<Derived> {
        let energy = Derived { name: "surface energy of one face", value: self.surface_energy, unit: "J/m^2" };
        self.hertz.derived().into_iter().chain([energy]).collect()
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, dashpot0: R, &[s0, work0]: &[R; 2]) -> (NormalResponse<R>, [R; 2]) {
        let zero = R::zero();
        let [fold, unit] = self.units(k.effective_radius);
        let touched = s0.greater(zero);
        let holds = (-(R::parameter(self.end) * unit)).less(k.overlap1);
        let s1 = R::select(holds, root(k.overlap1 / unit), zero);
        let force_unit = self.force_unit(k.effective_radius);
        let (elastic0, elastic1) = (force_unit * force(s0), force_unit * force(s1));
        let (contact_radius0, contact_radius1) = (fold * (s0 * s0), fold * (s1 * s1));
        let stiffness = R::parameter(2.0 * self.hertz.young_modulus()) * contact_radius1;
        let viscosity = self.hertz.dashpot().viscosity(stiffness, k.effective_mass).unwrap_or(zero);
        let force1 = with_dashpot(elastic1, viscosity * k.overlap_rate, self.hertz.allows_no_tension());
        let dashpot_force = force1 - elastic1;
        let force0 = with_dashpot(elastic0, dashpot0, true);
        let pull = self.twice_pull_off(k.effective_radius);
        let (limit0, limit1) = (R::select(touched, elastic0 + pull, zero), R::select(holds, elastic1 + pull, zero));
        let response = NormalResponse {
            force0,
            force1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0,
            limit1,
            elastic_limit0: limit0,
            elastic_limit1: limit1,
            contact_radius0,
            contact_radius1,
            viscosity,
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
        };
        // where the force jumps, what the step has put in less what the contact has gained: so that a step books what it has lost
        let jumps = (touched | holds) & !(touched & holds);
        let put_in = R::constant(0.5) * (elastic0 + elastic1) * (k.overlap1 - k.overlap0);
        let gained = self.energy_unit(fold) * (potential(s1) - potential(s0));
        (response, [s1, work0 + R::select(jumps, put_in - gained, zero)])
    }
}
