//! A pull between spheres that touch, laid over any law: the simplified models of cohesion.
//!
//! | `adhesion` | pull for δ > 0 |
//! |---|---|
//! | `sjkr` | k A, A the area of the circle in which the spheres intersect |
//! | `sjkr2` | k A, `A = 4π r* δ` |
//! | `constant` | F_a |
//!
//! k is the `cohesion_energy_density`. Of spheres with the sum s of radii at the distance d of centres the circle has the area
//! `π (s² − d²) (d² − (rᵢ − rⱼ)²)/4d²`, next to 2π r* δ for small overlaps: twice the area of Hertz. Of a sphere on a wall it has `π (2r δ − δ²)`.
//!
//! The pull of the first two vanishes with the overlap: they have no adhesion energy in the sense of surfaces, and the force that pulls bodies apart
//! depends on their stiffness. No pull takes part in any limit: friction, rolling and twisting are limited by the force of the law alone, and
//! `no_tension` clips that force alone, so that a dashpot may leave the whole pull. Nor is energy lost: the potential is `−k ∫A dδ` or `−F_a δ`.
//!
//! `sjkr` and `sjkr2` are so named in LIGGGHTS; a constant pull is the JKRAdhesive of MercuryDPM and the jkr of DIRT.

use std::f64::consts::PI;
use std::sync::Arc;

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec, stride};
use dem_core::lanes::{Real, Width};

use crate::law::{Dashpots, Derived, ElasticEnergy, Films, Kinematics, LawDescription, Needs, Response, Stiffness};
use crate::pair_law::PairLaw;
use crate::parameter::{Interval, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::PULL_OFF;

const ADHESION: &str = "adhesion";

const DENSITY: ParameterSpec = ParameterSpec {
    name: "cohesion_energy_density",
    unit: "J/m^3",
    meaning: "pull per area of the circle in which two spheres intersect",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

const PULL: ParameterSpec = ParameterSpec {
    name: "pull",
    unit: "N",
    meaning: "pull while two bodies touch",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

/// The words in scenes and their parameters.
pub fn choice() -> ModelChoice {
    ModelChoice {
        choice: ParameterSpec {
            name: ADHESION,
            unit: "-",
            meaning: "pull between bodies that touch, beside the normal force of the law",
            kind: ParameterKind::Choice(&["none", "sjkr", "sjkr2", "constant"]),
        },
        models: vec![("none", Vec::new()), ("sjkr", vec![DENSITY]), ("sjkr2", vec![DENSITY]), ("constant", vec![PULL])],
    }
}

/// Fields that a pull adds to the history of a law.
pub fn fields() -> [FieldSpec; 1] {
    [FieldSpec {
        name: "pull_energy",
        unit: "J",
        meaning: "energy given up to the pull, zero or less",
        width: 1,
        role: FieldRole::State,
    }]
}

/// The pull of a pair of materials.
#[derive(Clone, Copy, Debug)]
enum Pull {
    Circle(f64),
    Linear(f64),
    Constant(f64),
}

impl Pull {
    /// Force \[N\] and its integral over the overlap \[J\].
    #[inline(always)]
    fn of<R: Real>(self, k: &Kinematics<R>) -> [R; 2] {
        let (overlap, radius) = (k.overlap1, k.effective_radius);
        match self {
            Self::Constant(force) => [R::parameter(force), R::parameter(force) * overlap],
            Self::Linear(density) => {
                let slope = R::parameter(density * 4.0 * PI) * radius;
                [slope * overlap, R::constant(0.5) * slope * overlap * overlap]
            }
            Self::Circle(density) => {
                let (r, distance) = (k.smaller_radius, k.centre_distance);
                let third = overlap * R::constant(1.0 / 3.0);
                let on_wall = R::constant(PI) * overlap;
                let on_wall = [on_wall * (R::constant(2.0) * r - overlap), on_wall * overlap * (r - third)];
                let (inverse, sum) = (R::constant(1.0) / distance, distance + overlap);
                // (rᵢ − rⱼ)²/d
                let difference = (sum * (sum - R::constant(4.0) * radius)).maximum(R::zero()) * inverse;
                let between = R::constant(0.25 * PI) * overlap;
                let between = [
                    between * (sum + distance) * (R::constant(1.0) - difference * inverse),
                    between * overlap * (sum - third - difference),
                ];
                let is_between = distance.less(R::constant(f64::INFINITY));
                [0, 1].map(|n| R::parameter(density) * R::select(is_between, between[n], on_wall[n]))
            }
        }
    }
}

/// The pull of a pair of materials, if it has one.
#[derive(Clone, Copy, Debug)]
pub struct Overlay(Option<Pull>);

impl Overlay {
    /// The pull that parameters choose, to be laid over a law.
    ///
    /// # Errors
    /// A pull beside an adhesive law.
    pub fn new(parameters: &ParameterSet, law: &dyn PairLaw) -> Result<Self, LawError> {
        let word = parameters.choice(ADHESION);
        let pull = match word {
            "sjkr" => Some(Pull::Circle(parameters.number(DENSITY.name))),
            "sjkr2" => Some(Pull::Linear(parameters.number(DENSITY.name))),
            "constant" => Some(Pull::Constant(parameters.number(PULL.name))),
            _ => None,
        };
        if pull.is_some() && law.adheres() {
            let message =
                format!("= \"{word}\", expected \"none\" with an adhesive law, which already attracts the bodies");
            return Err(LawError::new(ADHESION, message));
        }
        Ok(Self(pull))
    }

    /// Force and energy of contacts, zero where the surfaces do not touch.
    #[inline(always)]
    fn of<R: Real>(self, k: &Kinematics<R>) -> [R; 2] {
        let zero = R::zero();
        let Some(pull) = self.0 else { return [zero; 2] };
        let touches = zero.less(k.overlap1);
        pull.of(k).map(|number| R::select(touches, number, zero))
    }

    /// Takes the pull of contacts from their normal force. Returns the number of their records.
    #[inline(always)]
    pub(crate) fn lay<R: Real>(self, k: &Kinematics<R>, response: &mut Response<R>) -> R {
        let [force, energy] = self.of(k);
        response.normal_force -= force;
        -energy
    }
}

/// A law with a pull, one contact at a time.
pub struct Pulled {
    law: Arc<dyn PairLaw>,
    /// Numbers in the record of the law.
    width: usize,
    overlay: Overlay,
}

impl Pulled {
    /// A pull over a law.
    pub fn new(law: Arc<dyn PairLaw>, overlay: Overlay) -> Self {
        Self { width: stride(&law.fields()), law, overlay }
    }

    /// Numbers in the record of the law.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The pull alone.
    pub(crate) fn overlay(&self) -> Overlay {
        self.overlay
    }
}

impl PairLaw for Pulled {
    fn as_pair_law(&self) -> &dyn PairLaw {
        self
    }

    fn key(&self) -> &'static str {
        self.law.key()
    }

    fn description(&self) -> LawDescription {
        self.law.description()
    }

    fn fields(&self) -> Vec<FieldSpec> {
        self.law.fields().into_iter().chain(fields()).collect()
    }

    fn range(&self, effective_radius: f64) -> f64 {
        self.law.range(effective_radius)
    }

    fn begins_by_touch(&self) -> bool {
        self.law.begins_by_touch()
    }

    fn adheres(&self) -> bool {
        self.overlay.0.is_some() || self.law.adheres()
    }

    fn touches_apart(&self) -> bool {
        self.law.touches_apart()
    }

    fn films(&self) -> Option<Films> {
        self.law.films()
    }

    fn fill_bridge(&self, effective_radius: f64, overlap: f64, volume: f64, record: &mut [f64]) {
        self.law.fill_bridge(effective_radius, overlap, volume, &mut record[..self.width]);
    }

    fn needs(&self) -> Needs {
        self.law.needs()
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness {
        // a pull takes of the stiffness and never adds to it
        self.law.stiffness(effective_radius, overlap)
    }

    fn near_field_stiffness(&self, distance: f64) -> f64 {
        self.law.near_field_stiffness(distance)
    }

    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.law.elastic_normal_force(effective_radius, overlap, record.get(..self.width).unwrap_or_default())
    }

    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        self.law.dashpots(effective_radius, effective_mass, overlap)
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.contact_duration(effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.pull_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        let (law, pull) = record.split_at(self.width);
        let energy = self.law.elastic_energy(effective_radius, overlap, law);
        ElasticEnergy { adhesion: energy.adhesion + pull[0], ..energy }
    }

    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3> {
        self.law.tangential_force_without_dashpots(effective_radius, overlap, &record[..self.width])
    }

    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.tangential_spring_force(effective_radius, overlap, &record[..self.width])
    }

    fn undamped_normal_force(&self, k: &Kinematics, record: &[f64]) -> f64 {
        self.law.undamped_normal_force(k, &record[..self.width]) - self.overlay.of(k)[0]
    }

    fn lubricates(&self) -> bool {
        self.law.lubricates()
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.elastic_slip(effective_radius, overlap, &record[..self.width])
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let pull_off = match self.overlay.0 {
            Some(Pull::Constant(value)) => Some(Derived { name: PULL_OFF, value, unit: "N" }),
            // what parts bodies then depends on their stiffness
            Some(Pull::Circle(_) | Pull::Linear(_)) | None => None,
        };
        self.law.facts(effective_radius, effective_mass, speed).into_iter().chain(pull_off).collect()
    }

    fn derived(&self) -> Vec<Derived> {
        self.law.derived()
    }

    fn respond_alone(&self, width: Width, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        let (law_end, end) = end.split_at_mut(self.width);
        let mut response = self.law.respond_alone(width, k, &start[..self.width], law_end);
        end[0] = self.overlay.lay(k, &mut response);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pull is the derivative of the energy, and the areas are what they are said to be.
    #[test]
    fn pulls_belong_to_their_energies_and_areas() {
        let (ri, rj) = (1.0, 0.6);
        let at = |overlap: f64| Kinematics {
            overlap1: overlap,
            effective_radius: ri * rj / (ri + rj),
            smaller_radius: rj,
            centre_distance: ri + rj - overlap,
            ..Kinematics::head_on(1.0, 0.0, 0.0)
        };
        let on_wall = |overlap: f64| Kinematics {
            overlap1: overlap,
            effective_radius: rj,
            smaller_radius: rj,
            centre_distance: f64::INFINITY,
            ..Kinematics::head_on(1.0, 0.0, 0.0)
        };
        for pull in [Pull::Circle(3.0), Pull::Linear(3.0), Pull::Constant(3.0)] {
            for kinematics in [&at as &dyn Fn(f64) -> Kinematics, &on_wall] {
                for overlap in [1e-3, 0.05, 0.3] {
                    let h = 1e-4 * overlap;
                    let slope =
                        (pull.of(&kinematics(overlap + h))[1] - pull.of(&kinematics(overlap - h))[1]) / (2.0 * h);
                    let force = pull.of(&kinematics(overlap))[0];
                    assert!((slope / force - 1.0).abs() < 1e-6, "{pull:?} at {overlap}: {slope} {force}");
                }
            }
        }
        // the circle of intersection, by its radius
        let (overlap, d) = (0.3, ri + rj - 0.3);
        let along = (d * d + ri * ri - rj * rj) / (2.0 * d);
        let area = PI * (ri * ri - along * along);
        assert!((Pull::Circle(1.0).of(&at(overlap))[0] / area - 1.0).abs() < 1e-12);
        // of small overlaps: sjkr2 has twice the area of sjkr, and that is twice the one of Hertz
        let small = 1e-9;
        let [circle, linear] = [Pull::Circle(1.0), Pull::Linear(1.0)].map(|pull| pull.of(&at(small))[0]);
        let hertz = PI * at(small).effective_radius * small;
        assert!((circle / hertz - 2.0).abs() < 1e-6 && (linear / circle - 2.0).abs() < 1e-6);
    }
}
