//! The controller of cells and walls: which rate brings a load to its target, from what resists the motion and how fast it answers.
//!
//! A load that lags behind its target by e requires the rate `a + e/(K τ) + r` with `dr/dt = e/(20 K τ²)`: far away the
//! load is approached exponentially with the time τ, the anticipated rate a holds it against what else is known to
//! move, and the integral r takes over what a has missed. K is load per displacement, of a cell stress per strain. If K
//! is not less than what resists, the true response is slower than τ, never unstable.

/// Time of the integral in response times.
const INTEGRAL: f64 = 20.0;

/// Gains of one step, in the units of a cell (Pa, 1/s) or a wall (N, m/s).
#[derive(Clone, Copy, Debug)]
pub struct Controller {
    /// Load per displacement; zero if nothing resists.
    pub stiffness: f64,
    /// Response time τ \[s\].
    pub response: f64,
    /// Length of the step \[s\].
    pub time_step: f64,
    /// Bound of the rate.
    pub max_rate: f64,
    /// Error beyond which the integral does not grow faster: without rates to hold against, a load is reached without
    /// the integral, which would carry it beyond the target after a long displacement.
    pub integrated: f64,
}

impl Controller {
    /// Rate for an error of the load and an anticipated rate; moves the integral on.
    pub fn rate(&self, error: f64, anticipated: f64, integral: &mut f64) -> f64 {
        let gain = 1.0 / (self.stiffness * self.response);
        // without contacts nothing resists, and the bound of the rate is all there is
        if !gain.is_finite() {
            *integral = 0.0;
            return if error == 0.0 { 0.0 } else { self.max_rate.copysign(error) };
        }
        let rate = anticipated + error * gain + *integral;
        if rate.abs() > self.max_rate {
            return self.max_rate.copysign(rate);
        }
        let more =
            error.clamp(-self.integrated, self.integrated) * gain * (self.time_step / (INTEGRAL * self.response));
        *integral = (*integral + more).clamp(-self.max_rate, self.max_rate);
        rate
    }
}
