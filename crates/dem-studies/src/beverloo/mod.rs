//! Beverloo's law: the rate at which grains leave through an outlet.
//!
//! W. A. Beverloo, H. A. Leniger, J. van de Velde, The flow of granular solids through orifices, Chem. Eng. Sci. 15 (1961) 260:
//!
//! ```text
//! W = C ρ √g (D − k d)^(5/2)
//! ```
//!
//! with the outlet D, the mean diameter d of the grains and the density ρ of the bulk. C and k are of the material; a fit of both from few
//! outlets tells little, because a larger k is made up for by a larger exponent. Here k is given, and the exponent and C are fitted.

mod course;
mod outcome;

#[cfg(test)]
mod tests;

use dem_report::ReportError;
use dem_report::given::within;
use dem_report::parallel_runs::side_by_side;
use dem_report::report::Report;

use crate::error::StudyError;
use course::Course;

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Outlet diameters in mean sphere diameters, 3 to 15; at least three values.
    pub outlets: Vec<f64>,
    /// Spheres in the hopper, 200 to 100,000.
    pub particles: u64,
    /// Seed of all runs.
    pub seed: u64,
    /// The k of the law, 0 to 2.5.
    pub k: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { outlets: vec![6.0, 7.0, 8.0, 9.0], particles: 5000, seed: 7, k: 1.4 }
    }
}

impl Options {
    fn check(&self) -> Result<(), StudyError> {
        within("--particles", self.particles, 200, 100_000)?;
        let refused = |option, value: String, allowed: &str| {
            Err(ReportError::Option { option, value, allowed: allowed.to_owned() }.into())
        };
        if !(0.0..=2.5).contains(&self.k) {
            return refused("--k", self.k.to_string(), "0 to 2.5");
        }
        let mut sorted = self.outlets.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.dedup();
        if sorted.len() < 3 || sorted.len() < self.outlets.len() {
            return refused("--outlets", format!("{:?}", self.outlets), "at least three different ones");
        }
        Ok(())
    }
}

/// Runs the hopper with every outlet and fits the law.
///
/// # Errors
/// An option out of range; a scene that cannot be built or run; an outlet that clogs.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let courses = side_by_side(&options.outlets, |&outlet| Course::run(outlet, options.particles, options.seed))?;
    Ok(outcome::report(&courses, options.k))
}
