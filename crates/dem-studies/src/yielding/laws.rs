//! The bodies of the study, and every law with the restitution that it must give.

use std::f64::consts::PI;

use dem_reference::plastic_impact::{self, PlasticSpring};

use super::options::Options;
use crate::error::StudyError;
use crate::named_choice::NamedChoice;
use crate::sphere_and_partner::{Partner, SphereAndPartner};

/// Unloading stiffness of the plastic spring at its limit over that of loading.
const STIFFER: f64 = 4.0;
/// The same of the spring with two stiffnesses.
const TWICE: f64 = 2.0;
/// Share of the overlap that the Edinburgh law leaves.
const PLASTICITY: f64 = 0.7;
/// Pull of the plastic spring over its stiffness of loading.
const PULL: f64 = 0.3;
/// β of the viscoelastic spheres at 1 m/s.
const CREEP: f64 = 0.2;

/// A closed form.
#[derive(Clone, Copy, Debug)]
enum Closed {
    Thornton { yield_speed: f64 },
    Constant(f64),
    Stiffening { loading: f64, stiffening: f64 },
    Spring(PlasticSpring),
    Viscoelastic { modulus: f64, time: f64 },
}

/// A law of the study.
pub struct PlasticLaw {
    /// Short name.
    pub label: &'static str,
    /// The law with its parameters, as `--law` takes it.
    pub law: NamedChoice,
    closed: Closed,
}

/// Sphere and wall.
pub struct Bodies<'a> {
    options: &'a Options,
    modulus: f64,
    mass: f64,
}

impl<'a> Bodies<'a> {
    /// Of options.
    pub fn new(options: &'a Options) -> Self {
        let material = options.material;
        Self {
            options,
            modulus: 0.5 * material.young_modulus / (1.0 - material.poisson_ratio * material.poisson_ratio),
            mass: 4.0 / 3.0 * PI * options.radius.powi(3) * material.density,
        }
    }

    /// The bodies with a law.
    ///
    /// # Errors
    /// No integrator of this name.
    pub fn with(&self, law: &NamedChoice) -> Result<SphereAndPartner, StudyError> {
        Ok(SphereAndPartner {
            sphere: self.options.material,
            partner_material: self.options.material,
            partner: Partner::Wall,
            radius: self.options.radius,
            friction: 0.3,
            restitution: 1.0,
            law: law.clone(),
            integrator: NamedChoice::integrator("velocity-verlet")?,
            lever: "half".to_owned(),
            gravity: 0.0,
        })
    }

    /// Expected restitution.
    pub fn expected(&self, law: &PlasticLaw, speed: f64) -> f64 {
        match law.closed {
            Closed::Thornton { yield_speed } => plastic_impact::thornton(speed / yield_speed),
            Closed::Constant(restitution) => restitution,
            Closed::Stiffening { loading, stiffening } => {
                plastic_impact::stiffening_spring(loading, stiffening, self.mass, speed)
            }
            Closed::Spring(spring) => spring.restitution(self.mass, speed),
            Closed::Viscoelastic { modulus, time } => {
                plastic_impact::viscoelastic_spheres(self.options.radius, self.mass, modulus, time, speed)
            }
        }
    }

    /// The laws. Springs are as stiff as Hertz's at the largest overlap of an elastic impact at 1 m/s, which is the limit overlap of the plastic spring.
    ///
    /// # Errors
    /// A law that does not exist.
    pub fn laws(&self) -> Result<Vec<PlasticLaw>, StudyError> {
        let (radius, mass, pressure) = (self.options.radius, self.mass, self.options.yield_pressure);
        let hertz = 4.0 / 3.0 * self.modulus * radius.sqrt();
        let loading = hertz * (1.25 * mass / hertz).powf(0.2);
        // overlap of a spring at 1 m/s
        let overlap = (mass / loading).sqrt();
        let stiffening = (TWICE - 1.0) / overlap;
        let spring = |cohesive: f64| PlasticSpring {
            loading,
            unloading_limit: STIFFER * loading,
            cohesive,
            limit_overlap: overlap,
        };
        let luding = |pull: f64| {
            let depth = overlap * (1.0 - 1.0 / STIFFER) / (2.0 * radius);
            format!(
                "luding:loading_stiffness={loading:?},unloading_stiffness_limit={:?},cohesive_stiffness={:?},plasticity_depth={depth:?}",
                STIFFER * loading,
                pull * loading
            )
        };
        let time = CREEP / (1.5 * (hertz / mass).powf(0.4));
        let law = |label, text: String, closed| -> Result<PlasticLaw, StudyError> {
            Ok(PlasticLaw { label, law: NamedChoice::law(&text)?, closed })
        };
        Ok(vec![
            law(
                "thornton-ning",
                format!("thornton-ning:yield_pressure={pressure:?}"),
                Closed::Thornton { yield_speed: plastic_impact::yield_speed(radius, mass, self.modulus, pressure) },
            )?,
            law(
                "walton-braun",
                format!("walton-braun:loading_stiffness={loading:?},unloading_stiffness={:?}", TWICE * loading),
                Closed::Constant(plastic_impact::two_springs(TWICE)),
            )?,
            law(
                "walton-braun, stiffening",
                format!("walton-braun:loading_stiffness={loading:?},stiffening={stiffening:?}"),
                Closed::Stiffening { loading, stiffening },
            )?,
            law("luding", luding(0.0), Closed::Spring(spring(0.0)))?,
            law("luding with a pull", luding(PULL), Closed::Spring(spring(PULL * loading)))?,
            law(
                "edinburgh",
                format!("edinburgh:plasticity_ratio={PLASTICITY}"),
                Closed::Constant(plastic_impact::edinburgh(PLASTICITY)),
            )?,
            law(
                "viscoelastic",
                format!("hertz-mindlin:dissipation_time={time:?}"),
                Closed::Viscoelastic { modulus: self.modulus, time },
            )?,
        ])
    }
}
