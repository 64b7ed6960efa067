//! Two spheres, of which one slides over the other along a path.

use dem_reference::finite_sliding::Path;
use dem_reference::hysteretic_sliding::{Form, Reading};

/// Two spheres of radius 1 m with `k_n` = 1 N/m^(3/2), the upper one of 1 kg on a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Largest overlap of the path \[m\].
    pub overlap: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Poisson's ratio.
    pub poisson_ratio: f64,
    /// Power of the hysteresis.
    pub power: f64,
    /// Form of the hysteresis.
    pub form: Form,
    /// Who knows of it: the contact law, or the guided sphere its path.
    pub reading: Reading,
    /// Path.
    pub path: Path,
    /// Path coordinate at which the spheres meet, positive \[m\].
    pub end: f64,
    /// Integrator.
    pub integrator: String,
}
