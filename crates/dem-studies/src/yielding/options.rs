//! What to study.

use dem_report::ReportError;

use crate::material::{MATERIALS, Material};

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Material of sphere and wall.
    pub material: Material,
    /// Radius \[m\].
    pub radius: f64,
    /// Largest pressure of `thornton-ning` \[Pa\].
    pub yield_pressure: f64,
    /// Speeds \[m/s\].
    pub speeds: Vec<f64>,
    /// Time steps per duration of an impact.
    pub steps: f64,
}

impl Default for Options {
    /// A steel sphere of half a millimetre.
    fn default() -> Self {
        let steel = MATERIALS.iter().find(|material| material.name == "steel").copied();
        Self {
            material: steel.unwrap_or(MATERIALS[0]),
            radius: 0.5e-3,
            yield_pressure: 5e8,
            speeds: vec![0.003, 0.01, 0.03, 0.1, 0.2, 0.5, 1.0, 2.0],
            steps: 2000.0,
        }
    }
}

impl Options {
    /// Refuses what is out of range.
    pub(super) fn check(&self) -> Result<(), ReportError> {
        let refused =
            |option, value: String, allowed: &str| Err(ReportError::Option { option, value, allowed: allowed.into() });
        for (option, value) in [("--radius", self.radius), ("--yield-pressure", self.yield_pressure)] {
            if !(value > 0.0 && value.is_finite()) {
                return refused(option, value.to_string(), "a positive number");
            }
        }
        if !(100.0..=1e5).contains(&self.steps) {
            return refused("--steps", self.steps.to_string(), "100 to 100000");
        }
        if let Some(speed) = self.speeds.iter().find(|speed| !(**speed > 0.0 && speed.is_finite())) {
            return refused("--speed", speed.to_string(), "positive speeds");
        }
        if self.speeds.is_empty() {
            return refused("--speed", "nothing".into(), "at least one speed");
        }
        Ok(())
    }
}
