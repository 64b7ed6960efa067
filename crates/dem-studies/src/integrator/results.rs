//! What the study finds out.

use dem_sim::integrators::Scheme;

use super::cost::Cost;
use super::energy::EnergyCourse;
use super::order::Convergence;
use super::rolling::Rolling;

/// Everything that was found out.
pub struct Results {
    /// The schemes.
    pub schemes: Vec<Scheme>,
    /// Steps of the undamped oscillation.
    pub steps: u64,
    /// Errors over the time step.
    pub convergence: Vec<Convergence>,
    /// Energy of the undamped oscillation.
    pub oscillation: Vec<EnergyCourse>,
    /// Energy of the gas.
    pub gas: Vec<EnergyCourse>,
    /// Rolling spheres.
    pub rolling: Vec<Rolling>,
    /// Costs of a step, if it was timed.
    pub costs: Vec<Cost>,
}
