//! What to study.

use dem_report::ReportError;

use crate::material::Material;

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Material of sphere and wall.
    pub material: Material,
    /// Radius \[m\].
    pub radius: f64,
    /// Energy of one face \[J/m²\].
    pub surface_energy: f64,
    /// Time steps per duration of an impact, and points of each leg of the pull-off curves.
    pub steps: f64,
}

impl Default for Options {
    /// A sphere of half a millimetre with E* = 2 GPa.
    fn default() -> Self {
        let material = Material {
            name: "",
            source: "E* = 2 GPa between equal bodies",
            density: 2500.0,
            young_modulus: 3.75e9,
            poisson_ratio: 0.25,
        };
        Self { material, radius: 0.5e-3, surface_energy: 0.05, steps: 4000.0 }
    }
}

impl Options {
    /// Refuses what is out of range.
    pub(super) fn check(&self) -> Result<(), ReportError> {
        let refused = |option, value: f64, allowed: &str| {
            Err(ReportError::Option { option, value: value.to_string(), allowed: allowed.into() })
        };
        for (option, value) in [("--radius", self.radius), ("--surface-energy", self.surface_energy)] {
            if !(value > 0.0 && value.is_finite()) {
                return refused(option, value, "a positive number");
            }
        }
        if !(100.0..=1e5).contains(&self.steps) {
            return refused("--steps", self.steps, "100 to 100000");
        }
        Ok(())
    }
    /// The refusal of a surface energy that presses the sphere by more than a share of its radius.
    pub(super) fn too_strong(&self, share: f64, largest: f64) -> ReportError {
        ReportError::Option {
            option: "--surface-energy",
            value: self.surface_energy.to_string(),
            allowed: format!(
                "so little that the contact stays small: it would press the sphere by {:.1} % of its radius, expected up to {} %",
                100.0 * share,
                100.0 * largest
            ),
        }
    }
}
