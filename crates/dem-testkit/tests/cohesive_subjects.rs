//! Contacts in which pull and dent are as large as the load, for the tests of adhesive and plastic laws.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_testkit::conformance::driven_pair::DrivenPair;
use dem_testkit::conformance::path::{OVERLAP, Pose, RADII};
use dem_testkit::floor_impact::OF_YOUNG_MODULUS;
use dem_testkit::worlds;

/// A law with parameters.
#[derive(Clone)]
pub struct Subject {
    /// For messages.
    pub name: &'static str,
    pub law: &'static str,
    pub given: BTreeMap<String, ParameterValue>,
    /// Whether it pulls bodies that overlap.
    pub pulls: bool,
    /// Overlap at which it pulls after a load, in units of [`OVERLAP`].
    pub pulled: f64,
    /// Force that jumps without a loss where the bodies touch and part \[N\].
    pub jump: f64,
}

/// Effective modulus of the driven pair \[Pa\].
pub const MODULUS: f64 = 1e10 * OF_YOUNG_MODULUS;

/// Effective radius of the driven pair \[m\].
pub fn radius() -> f64 {
    RADII[0] * RADII[1] / (RADII[0] + RADII[1])
}

/// Surface energy with which the unit a_f²/r* of soft adhesive contacts is a length \[m\].
pub fn energy_of_unit(unit: f64) -> f64 {
    4.0 * MODULUS * (unit / radius()).sqrt() * unit / PI
}

/// Yield pressure of a contact that yields at an overlap \[m\], without adhesion.
fn pressure_of(overlap: f64) -> f64 {
    2.0 * MODULUS * (overlap / radius()).sqrt() / PI
}

impl Subject {
    fn new(name: &'static str, law: &'static str, numbers: &[(&str, f64)]) -> Self {
        let given = worlds::parameters(&[numbers, &[("friction", 0.4)]].concat(), &[]);
        Self { name, law, given, pulls: false, pulled: f64::NAN, jump: 0.0 }
    }

    fn with(mut self, words: &[(&str, &str)]) -> Self {
        self.given.extend(worlds::words(words));
        self
    }

    fn pulling(self, pulled: f64) -> Self {
        Self { pulls: true, pulled, ..self }
    }

    fn jumping(self, jump: f64) -> Self {
        Self { jump, ..self }
    }

    /// The same without what does not depend on speed but a dashpot.
    pub fn damped(&self, ratio: f64, no_tension: bool) -> Self {
        let mut subject = self.clone();
        subject.given.remove("restitution");
        subject.given.extend(worlds::parameters(&[("damping_ratio", ratio)], &[("no_tension", no_tension)]));
        subject
    }

    /// Two spheres in a pose.
    pub fn pair(&self, pose: &Pose) -> DrivenPair {
        DrivenPair::new(self.law, &self.given, pose, false)
    }
}

/// All of them.
pub fn subjects() -> Vec<Subject> {
    let elastic = ("restitution", 1.0);
    let soft = ("surface_energy", energy_of_unit(0.5 * OVERLAP));
    // Hertz balances the pull at the overlap
    let hertz = 4.0 / 3.0 * MODULUS * radius().sqrt() * OVERLAP.powf(1.5);
    let stiff = ("surface_energy", hertz / (4.0 * PI * radius()));
    let yields = ("yield_pressure", pressure_of(0.2 * OVERLAP));
    let spring = [("loading_stiffness", 1e6), ("stiffness_ratio", 0.8)];
    let two = [spring[0], spring[1], ("unloading_stiffness_limit", 5e6), ("cohesive_stiffness", 2e6)];
    // the limit overlap is 2 OVERLAP
    let deep = [&two[..], &[("plasticity_depth", 0.8 * OVERLAP / radius())]].concat();
    let sticky = [("plasticity_ratio", 0.7), ("surface_energy", 1500.0)];
    let pull = 0.3e6 * OVERLAP;
    let linear = [("normal_stiffness", 1e6), ("stiffness_ratio", 0.8), elastic];
    vec![
        Subject::new("jkr", "jkr", &[soft, elastic]).pulling(-0.6),
        Subject::new("jkr, to the peak", "jkr", &[soft, elastic]).with(&[("separation", "peak")]).pulling(-0.4),
        Subject::new("dmt", "dmt", &[stiff, elastic]).pulling(0.3).jumping(hertz),
        Subject::new("thornton-ning", "thornton-ning", &[yields]),
        Subject::new(
            "thornton-ning, adhesive",
            "thornton-ning",
            &[("yield_pressure", pressure_of(OVERLAP)), ("surface_energy", energy_of_unit(0.2 * OVERLAP))],
        )
        .pulling(0.1),
        Subject::new("walton-braun", "walton-braun", &[&spring[..], &[("unloading_stiffness", 3e6)]].concat()),
        Subject::new(
            "walton-braun, stiffening",
            "walton-braun",
            &[&spring[..], &[("stiffening", 2.0 / OVERLAP)]].concat(),
        ),
        Subject::new("luding", "luding", &deep).pulling(0.25),
        Subject::new("luding, literal", "luding", &deep).with(&[("memory", "literal")]).pulling(0.25),
        Subject::new("edinburgh", "edinburgh", &sticky).pulling(0.5),
        Subject::new("edinburgh, linear", "edinburgh", &[&sticky[..], &spring, &[("constant_pull", pull)]].concat())
            .with(&[("exponent", "linear"), ("stiffness_rule", "constant")])
            .pulling(0.4)
            .jumping(pull),
        Subject::new("sjkr", "hertz-mindlin", &[elastic, ("cohesion_energy_density", 5e7)])
            .with(&[("adhesion", "sjkr")])
            .pulling(0.05),
        Subject::new("constant pull", "linear", &[&linear[..], &[("pull", pull)]].concat())
            .with(&[("adhesion", "constant")])
            .pulling(0.2)
            .jumping(pull),
    ]
}

/// A way in units of [`OVERLAP`]: apart, loaded, unloaded, loaded deeper, pulled, loaded again, apart.
pub fn corners(subject: &Subject) -> Vec<f64> {
    let pulled = if subject.pulls { subject.pulled } else { 0.5 };
    vec![-0.21, 1.0, 0.62, 1.43, pulled, 0.83, -3.1]
}

/// Pose at an overlap in units of [`OVERLAP`].
pub fn at(overlap: f64) -> Pose {
    Pose::still(overlap * OVERLAP, DVec3::X)
}

/// Poses from one overlap to another in units of [`OVERLAP`], while the first sphere slips by a multiple of that length.
pub fn leg(from: f64, to: f64, slip: f64, steps: u32) -> impl Iterator<Item = Pose> {
    (1..=steps).map(move |k| {
        let mut pose = at(from + (to - from) * f64::from(k) / f64::from(steps));
        pose.rotation[0] = DVec3::Z * (slip * OVERLAP / f64::from(steps) / RADII[0]);
        pose
    })
}
