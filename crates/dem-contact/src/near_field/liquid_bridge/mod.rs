//! The capillary and viscous force of a liquid bridge between two spheres, or a sphere and a wall.
//!
//! A bridge forms when the surfaces touch and lives until they are a rupture distance S_c apart (hysteresis). With the gap
//! `S = max(h, 0)` it pulls with `F = 2π R σ f`, in contact with F at S = 0. σ is the surface tension, θ the contact angle, V the
//! volume of the bridge, `V* = V/R³`, and `R = 2r*`: the radius of equal spheres, twice that of a sphere on a plane wall.
//!
//! | `bridge_form` | f |
//! |---|---|
//! | `willett` | `ln f = f₁ − f₂ exp(f₃ ln x + f₄ ln² x)`, `x = (S/2)√(R/V)`, polynomials f₁ to f₄ in ln V* and θ: a regression to solutions of the Young-Laplace equation |
//! | `willett-closed` | `cos θ/(1 + 2.1x + 10x²)` |
//! | `lambert` | `cos θ (1 − S/√(S² + q))`, `q = 2V/(πR)` |
//! | `rabinovich` | the same `+ sin α sin(θ + α)`, `α² = (√(S² + q) − S)/R` |
//! | `soulie` | `½ (c + exp(aS/R + b))`, `a = −1.1 V*^(−0.53)`, `b = (−0.148 ln V* − 0.96)θ² − 0.0082 ln V* + 0.48`, `c = 0.0018 ln V* + 0.078` |
//!
//! The regression is for `V* < 0.1` and `θ < 50°`. Against the Young-Laplace equation it was found to be within 3.4 % up to 0.7 of the
//! rupture distance and within 10 % beyond, for V* from 10⁻⁴ to 10⁻². It turns over for very small volumes; outside `10⁻⁵ ≤ V* ≤ 1` the
//! closed form takes its place. The closed form is 4 to 20 % high at contact, and near rupture 15 % (θ = 0) to 47 % (θ = 40°) low;
//! `rabinovich` is up to 66 % high at θ = 40°.
//!
//! Rupture: `S_c = R (1 + θ/2)(V*^(1/3) + V*^(2/3)/10)` (`willett`; V* counts as at most 1 in the second term) or
//! `(1 + θ/2) V^(1/3)` (`lian`).
//!
//! With a viscosity η the liquid lubricates, `S_e = max(S, separation_minimum)`: the normal force `6π η r*² δ'/S_e` and the tangential
//! one `−6π η r* (8/15 ln(r*/S_e) + 0.9588) v_t`, which is never less than zero. Both act in contact, too, next to the friction of
//! the solid contact and outside its limit.
//!
//! Energy: `U = −∫ F` from the gap to S_c, and in contact, where the pull is constant, less by `F(0) δ`. It is zero at rupture, so that
//! nothing is lost there; what is lost is `∫ F` from 0 to S_c when the bridge forms, because before it did not pull: adhesion work.
//! U is computed when the ledger is summed and not in every step. The viscous work of a step is the mean viscosity times Δ²/Δt with the
//! displacement Δ, so that it is never negative.
//!
//! Where the liquid comes from is `bridge_liquid`: with `fixed` every bridge has the volume `bridge_volume`, from nowhere. With `films`
//! each sphere has a film, and a bridge that forms takes a share of both: `film_share`, or without it the share of a film that is nearer to
//! the other sphere than its shadow, `½ (1 − √(1 − r_j²/(r_i + r_j)²))` (½ at a wall). `bridge_volume` is then the most that a bridge takes; less than
//! a thousandth of it makes none. The law reads the volume in the record, and marks bridges that have broken by a negative one; who keeps the films fills
//! and empties records between steps.
//!
//! Departures: unequal spheres are taken as equal ones of the radius 2r* in all forms.
//!
//! Sources: C. D. Willett, M. J. Adams, S. A. Johnson, J. P. K. Seville, Langmuir 16 (2000) 9396; P. Lambert, A. Chau, A. Delchambre,
//! S. Régnier, Langmuir 24 (2008) 3157; Y. I. Rabinovich, M. S. Esayanur, B. M. Moudgil, Langmuir 21 (2005) 10992; F. Soulié, F. Cherblanc,
//! M. S. El Youssoufi, C. Saix, Int. J. Numer. Anal. Methods Geomech. 30 (2006) 213; G. Lian, C. Thornton, M. J. Adams, J. Colloid
//! Interface Sci. 161 (1993) 138; A. J. Goldman, R. G. Cox, H. Brenner, Chem. Eng. Sci. 22 (1967) 637.

mod forms;
#[cfg(test)]
mod tests;
mod validity;

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use dem_core::history::{FieldRole, FieldSpec, FurtherWork};

use self::forms::{Curve, Form};
pub use self::validity::beyond_validity;
use super::parameters::SEPARATION_MINIMUM;
use crate::law::{Dashpots, Derived, Films, Kinematics, Response};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::BRIDGE_PULL;

const SURFACE_TENSION: ParameterSpec = ParameterSpec {
    name: "surface_tension",
    unit: "N/m",
    meaning: "surface tension σ of the liquid",
    kind: ParameterKind::Required(Interval::POSITIVE),
};
const CONTACT_ANGLE: ParameterSpec = ParameterSpec {
    name: "contact_angle",
    unit: "rad",
    meaning: "contact angle θ of the liquid on the surfaces; at most 50 deg with bridge_form = \"willett\"",
    kind: ParameterKind::Required(Interval { low: 0.0, includes_low: true, high: FRAC_PI_2, includes_high: false }),
};
const BRIDGE_VOLUME: ParameterSpec = ParameterSpec {
    name: "bridge_volume",
    unit: "m^3",
    meaning: "volume V of each liquid bridge; with bridge_liquid = \"films\" that of the largest",
    kind: ParameterKind::Required(Interval::POSITIVE),
};
const BRIDGE_LIQUID: ParameterSpec = ParameterSpec {
    name: "bridge_liquid",
    unit: "-",
    meaning: "where the liquid of bridges comes from: the same volume for each from nowhere, or the films of the spheres, which get it back",
    kind: ParameterKind::Choice(&["fixed", "films"]),
};
const FILM_SHARE: ParameterSpec = ParameterSpec {
    name: "film_share",
    unit: "-",
    meaning: "share of the film of each sphere that a bridge takes, with bridge_liquid = \"films\"; without it that of the part of the sphere that faces the other one",
    kind: ParameterKind::Optional(Interval { low: 0.0, includes_low: false, high: 1.0, includes_high: true }),
};
const BRIDGE_FORM: ParameterSpec = ParameterSpec {
    name: "bridge_form",
    unit: "-",
    meaning: "capillary force over the distance of the surfaces",
    kind: ParameterKind::Choice(&["willett", "willett-closed", "lambert", "rabinovich", "soulie"]),
};
const BRIDGE_RUPTURE: ParameterSpec = ParameterSpec {
    name: "bridge_rupture",
    unit: "-",
    meaning: "distance of the surfaces at which a bridge breaks",
    kind: ParameterKind::Choice(&["willett", "lian"]),
};
const LIQUID_VISCOSITY: ParameterSpec = ParameterSpec {
    name: "liquid_viscosity",
    unit: "Pa s",
    meaning: "dynamic viscosity η of the liquid; needs separation_minimum",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// Largest contact angle of the regression \[rad\].
const REGRESSION_ANGLE: f64 = 50.0 / 180.0 * PI;
/// Largest ∛V* in the correction of the rupture distance: beyond, the bridge is larger than the spheres.
const LARGEST_EDGE: f64 = 1.0;

/// Least volume of a bridge that films fill, in proportion to the largest: thinner ones would be stiffer than the time step allows.
const LEAST_FILLED: f64 = 1e-3;

/// Numbers that a record has for a bridge: its volume, which is zero if there is none, and works.
pub(super) const WIDTH: usize = 3;

/// What they mean.
pub(super) fn fields() -> [FieldSpec; WIDTH] {
    let field = |name, unit, meaning, role| FieldSpec { name, unit, meaning, width: 1, role };
    [
        field("bridge_volume", "m^3", "volume of the liquid bridge, zero if there is none", FieldRole::Liquid),
        field(
            "bridge_work",
            "J",
            "energy dissipated when liquid bridges formed, of a pair that is still within range",
            FieldRole::Further(FurtherWork::Adhesion),
        ),
        field(
            "bridge_viscous_work",
            "J",
            "energy dissipated by the viscosity of liquid bridges, of a pair that is still within range",
            FieldRole::ViscousWork,
        ),
    ]
}

/// The liquid between a pair of materials.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiquidBridge {
    surface_tension: f64,
    /// θ \[rad\].
    angle: f64,
    /// Volume of bridges, or of the largest.
    volume: f64,
    /// `∛V` of that volume \[m\].
    edge: f64,
    films: Option<Films>,
    form: Form,
    /// Whether rupture is that of Willett et al.
    corrected_rupture: bool,
    viscosity: f64,
    /// The smallest S_e \[m\].
    smallest: f64,
}

impl LiquidBridge {
    /// Its parameters.
    pub fn parameters() -> Vec<ParameterSpec> {
        vec![
            SURFACE_TENSION,
            CONTACT_ANGLE,
            BRIDGE_VOLUME,
            BRIDGE_LIQUID,
            FILM_SHARE,
            BRIDGE_FORM,
            BRIDGE_RUPTURE,
            LIQUID_VISCOSITY,
            SEPARATION_MINIMUM,
        ]
    }

    /// From its parameters.
    ///
    /// # Errors
    /// A contact angle that the form does not know, or a viscosity without a smallest separation.
    pub fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        let (angle, form) = (parameters.number(CONTACT_ANGLE.name), Form::of(parameters.choice(BRIDGE_FORM.name)));
        if form == Form::Willett && angle > REGRESSION_ANGLE * (1.0 + 1e-12) {
            let message = format!(
                "= {} deg, expected 0 <= value <= 50 deg with {} = \"willett\", a regression that ends there; the other forms take up to 90 deg",
                angle.to_degrees(),
                BRIDGE_FORM.name
            );
            return Err(LawError::new(CONTACT_ANGLE.name, message));
        }
        let (viscosity, smallest) =
            (parameters.number(LIQUID_VISCOSITY.name), parameters.optional(SEPARATION_MINIMUM.name));
        match smallest {
            None if viscosity > 0.0 => {
                let message = format!("missing: needed with {} = {viscosity}", LIQUID_VISCOSITY.name);
                return Err(LawError::new(SEPARATION_MINIMUM.name, message));
            }
            Some(smallest) if viscosity == 0.0 => {
                let message = format!("= {smallest} [m], expected only with {} > 0", LIQUID_VISCOSITY.name);
                return Err(LawError::new(SEPARATION_MINIMUM.name, message));
            }
            _ => {}
        }
        let share = parameters.optional(FILM_SHARE.name);
        let volume = parameters.number(BRIDGE_VOLUME.name);
        let films = match (parameters.choice(BRIDGE_LIQUID.name), share) {
            ("films", share) => Some(Films { share, largest: volume, least: LEAST_FILLED * volume }),
            (_, Some(share)) => {
                let message = format!("= {share}, expected only with {} = \"films\"", BRIDGE_LIQUID.name);
                return Err(LawError::new(FILM_SHARE.name, message));
            }
            (_, None) => None,
        };
        Ok(Self {
            surface_tension: parameters.number(SURFACE_TENSION.name),
            angle,
            volume,
            edge: libm::cbrt(volume),
            films,
            form,
            corrected_rupture: parameters.choice(BRIDGE_RUPTURE.name) != "lian",
            viscosity,
            smallest: smallest.unwrap_or(f64::INFINITY),
        })
    }

    /// Distance of the surfaces that no bridge of this volume survives, whatever the bodies \[m\].
    pub fn range(&self) -> f64 {
        self.rupture(self.edge, 0.0)
    }

    /// Rupture distance of a bridge of the volume `edge`³ between bodies of the effective radius R/2 \[m\].
    fn rupture(&self, edge: f64, radius: f64) -> f64 {
        let correction = if self.corrected_rupture { 1.0 + 0.1 * (edge / radius).min(LARGEST_EDGE) } else { 1.0 };
        (1.0 + 0.5 * self.angle) * edge * correction
    }

    /// How bridges share the films of spheres, if they do.
    pub fn films(&self) -> Option<Films> {
        self.films
    }

    /// The volume of a bridge whose record has one \[m³\].
    fn volume_of(&self, held: f64) -> f64 {
        if self.films.is_some() { held } else { self.volume }
    }

    /// The force of a bridge of a volume \[m³\] between bodies of an effective radius over the distance of their surfaces.
    fn between(&self, effective_radius: f64, bridge: f64) -> Between {
        let radius = 2.0 * effective_radius;
        let volume = bridge / (radius * radius * radius);
        // a cube root in every step would be a fifth of the run
        let edge = if bridge == self.volume { self.edge } else { libm::cbrt(bridge) };
        let strength = TAU * radius * self.surface_tension;
        Between {
            curve: Curve::new(self.form, volume, self.angle),
            radius,
            volume,
            strength,
            rupture: self.rupture(edge, radius),
        }
    }

    /// Steepest slope of the force \[N/m\].
    pub fn stiffness(&self, effective_radius: f64) -> f64 {
        // the thinnest is the steepest
        let volume = self.films.map_or(self.volume, |films| films.least);
        let between = self.between(effective_radius, volume);
        between.force(0.0) * self.form.steepness() / (between.radius * between.volume.sqrt())
    }

    /// Viscosities of the normal and the tangential motion at an overlap \[N s/m\].
    fn viscosities(&self, effective_radius: f64, overlap: f64) -> [f64; 2] {
        if self.viscosity == 0.0 {
            return [0.0; 2];
        }
        let gap = (-overlap).max(self.smallest);
        let drag = 6.0 * PI * self.viscosity * effective_radius;
        let along = 8.0 / 15.0 * libm::log(effective_radius / gap) + 0.9588;
        [drag * effective_radius / gap, drag * along.max(0.0)]
    }

    /// The same for bounds of the time step.
    pub fn dashpots(&self, effective_radius: f64, overlap: f64) -> Dashpots {
        let [normal, tangential] = self.viscosities(effective_radius, overlap);
        Dashpots { normal, tangential, rolling: 0.0 }
    }

    /// Whether the liquid is viscous.
    pub fn is_viscous(&self) -> bool {
        self.viscosity > 0.0
    }

    /// Pull over a gap of a bridge whose record has a volume \[N\].
    pub fn pull(&self, effective_radius: f64, gap: f64, held: f64) -> f64 {
        if held > 0.0 { self.between(effective_radius, self.volume_of(held)).force(gap.max(0.0)) } else { 0.0 }
    }

    /// Energy at an overlap of a bridge whose record has a volume \[J\].
    pub fn energy(&self, effective_radius: f64, overlap: f64, held: f64) -> f64 {
        self.between(effective_radius, self.volume_of(held)).energy(overlap)
    }

    /// Fills a bridge with a volume \[m³\] at an overlap, and books what it has cost.
    pub fn fill(&self, effective_radius: f64, overlap: f64, volume: f64, record: &mut [f64; WIDTH]) {
        record[0] = volume;
        record[1] -= self.between(effective_radius, volume).energy(overlap.max(0.0));
    }

    /// The record of a bridge that has broken: what was done stays booked, and what films have filled is to go back to them.
    pub fn broken(&self, start: &[f64; WIDTH]) -> [f64; WIDTH] {
        let [volume, work, viscous] = *start;
        [if self.films.is_some() { 0.0 - volume.abs() } else { 0.0 }, work, viscous]
    }

    /// Adds the force of a bridge, if there is one; `start` and the result are the numbers of the record.
    pub fn respond(&self, k: &Kinematics, start: &[f64; WIDTH], response: &mut Response) -> [f64; WIDTH] {
        let [volume, mut work, mut viscous] = *start;
        let (is_held, gap) = (volume > 0.0, (-k.overlap1).max(0.0));
        if !is_held && (k.overlap1 <= 0.0 || self.films.is_some()) {
            return self.broken(start);
        }
        let held = self.volume_of(volume);
        let between = self.between(k.effective_radius, held);
        if gap >= between.rupture {
            return self.broken(start);
        }
        if !is_held {
            work -= between.energy(k.overlap0.max(0.0));
        }
        response.normal_force -= between.force(gap);
        if self.viscosity > 0.0 {
            let [before, now] = [k.overlap0, k.overlap1].map(|overlap| self.viscosities(k.effective_radius, overlap));
            response.normal_force += now[0] * k.overlap_rate;
            response.tangential_force = response.tangential_force.minus_scaled(k.tangential_velocity, now[1]);
            let approach = k.overlap1 - k.overlap0;
            let sum = (before[0] + now[0]) * approach * approach + (before[1] + now[1]) * k.slip.length_squared();
            viscous += 0.5 * sum / k.time_step;
        }
        [held, work, viscous]
    }

    /// Pull of a bridge of the largest volume between bodies that touch, for `dem check`.
    pub fn pull_at_contact(&self, effective_radius: f64) -> Derived {
        Derived { name: BRIDGE_PULL, value: self.between(effective_radius, self.volume).force(0.0), unit: "N" }
    }

    /// Quantities to show in `dem check`.
    pub fn derived(&self) -> Derived {
        Derived { name: "largest rupture distance of liquid bridges", value: self.range(), unit: "m" }
    }
}

/// What a bridge does between bodies of one effective radius.
struct Between {
    curve: Curve,
    /// R \[m\].
    radius: f64,
    /// V*.
    volume: f64,
    /// `2π R σ` \[N\].
    strength: f64,
    /// S_c \[m\].
    rupture: f64,
}

impl Between {
    /// Pull at a distance of the surfaces \[N\].
    fn force(&self, distance: f64) -> f64 {
        self.strength * self.curve.force(distance / self.radius)
    }

    /// Energy at an overlap, zero from rupture on \[J\].
    fn energy(&self, overlap: f64) -> f64 {
        let gap = (-overlap).max(0.0);
        if gap >= self.rupture {
            return 0.0;
        }
        let integral = self.curve.integral(gap / self.radius, self.rupture / self.radius);
        let constant = if overlap > 0.0 { self.force(0.0) * overlap } else { 0.0 };
        -self.strength * self.radius * integral - constant
    }
}
