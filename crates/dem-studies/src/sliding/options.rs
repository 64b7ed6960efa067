//! What to study.

use dem_reference::hysteretic_sliding::Reading;
use dem_report::ReportError;
use dem_sim::integrators::{INTEGRATORS, find};

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Largest overlap in radii, 0.001 to 0.5.
    pub overlap: f64,
    /// Coefficient of friction, 0.05 to 1.
    pub friction: f64,
    /// Poisson's ratio, 0 to 0.49.
    pub poisson_ratio: f64,
    /// Power of the hysteresis, 0.1 to 1.
    pub power: f64,
    /// Time steps in the time in which the path is passed at the initial velocity, 500 to 10⁶.
    pub steps: u32,
    /// Integrator, with its default options.
    pub integrator: String,
    /// What the transitions of the engine are measured by; comparisons of reversals are made with both.
    pub reading: Reading,
}

impl Default for Options {
    fn default() -> Self {
        let integrator = INTEGRATORS[0].key.to_owned();
        Self {
            overlap: 0.28,
            friction: 0.6,
            poisson_ratio: 0.3,
            power: 0.5,
            steps: 10_000,
            integrator,
            reading: Reading::Contact,
        }
    }
}

impl Options {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The first option that is.
    pub fn check(&self) -> Result<(), ReportError> {
        let numbers = [
            ("--overlap", self.overlap, 0.001, 0.5),
            ("--friction", self.friction, 0.05, 1.0),
            ("--poisson", self.poisson_ratio, 0.0, 0.49),
            ("--power", self.power, 0.1, 1.0),
            ("--steps", f64::from(self.steps), 500.0, 1e6),
        ];
        for (option, value, least, most) in numbers {
            if !(least..=most).contains(&value) {
                return Err(ReportError::Option {
                    option,
                    value: value.to_string(),
                    allowed: format!("{least} to {most}"),
                });
            }
        }
        if find(&self.integrator).is_none() {
            let allowed = INTEGRATORS.iter().map(|entry| entry.key).collect::<Vec<_>>().join(", ");
            return Err(ReportError::Option { option: "--integrator", value: self.integrator.clone(), allowed });
        }
        Ok(())
    }
}
