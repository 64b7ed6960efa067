//! `dem study sliding`

use clap::Args;
use dem_report::Report;
use dem_studies::StudyError;
use dem_studies::sliding::{Options, Reading, run};

use super::Output;
use crate::quantity::share;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Largest overlap in radii, 0.001 to 0.5.
    #[arg(long, value_name = "RATIO", default_value_t = Options::default().overlap, value_parser = share)]
    overlap: f64,
    /// Coefficient of friction, 0.05 to 1.
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().friction, value_parser = share)]
    friction: f64,
    /// Poisson's ratio, 0 to 0.49.
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().poisson_ratio, value_parser = share)]
    poisson: f64,
    /// Power of the hysteresis, 0.1 to 1.
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().power)]
    power: f64,
    /// Time steps in a passage at the initial velocity, 500 to 1e6.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().steps)]
    steps: u32,
    /// Time integrator, with its default options.
    #[arg(long, value_name = "NAME", default_value_t = Options::default().integrator)]
    integrator: String,
    /// How the transition after a reversal is measured: contact (by the slip and the load at the reversal, as in the law) or published (by the
    /// distance along the path and the load at the end of the transition).
    #[arg(long, value_name = "WORD", default_value = Reading::ALL[0].0, value_parser = Reading::ALL.map(|(word, _)| word))]
    reading: String,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let &Arguments { overlap, friction, poisson, power, steps, ref integrator, ref reading, .. } = arguments;
    let reading = Reading::ALL.iter().find(|(word, _)| word == reading).map_or(Reading::Contact, |&(_, known)| known);
    run(&Options { overlap, friction, poisson_ratio: poisson, power, steps, integrator: integrator.clone(), reading })
}
