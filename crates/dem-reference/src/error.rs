//! What can go wrong in a reference.

/// A reference without a solution.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// An argument out of range.
    #[error("{argument} = {value}, expected {allowed}")]
    Argument {
        /// Its name.
        argument: &'static str,
        /// What was given.
        value: String,
        /// What is possible.
        allowed: String,
    },
    /// A numerical method that did not reach its tolerance.
    #[error("{method} did not converge: {detail}")]
    Convergence {
        /// The method.
        method: &'static str,
        /// Residual, tolerance, iterations.
        detail: String,
    },
}

/// Refuses what is not a positive finite number.
///
/// # Errors
/// Any other number.
pub(crate) fn positive(argument: &'static str, value: f64) -> Result<(), ReferenceError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ReferenceError::Argument { argument, value: value.to_string(), allowed: "a positive number".into() })
}
