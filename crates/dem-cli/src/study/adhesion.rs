//! `dem study adhesion`

use clap::Args;
use dem_report::Report;
use dem_report::given::quantity;
use dem_studies::StudyError;
use dem_studies::adhesion::{Options, run};
use dem_studies::material::Material;

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Material of sphere and wall: a name, or DENSITY,YOUNG_MODULUS,POISSON_RATIO, as in "1200 kg/m^3, 2 GPa, 0.35".
    #[arg(long, value_name = "MATERIAL", default_value = "2500 kg/m^3, 3.75 GPa, 0.25")]
    material: String,
    /// Radius of the sphere.
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, default_value = "0.5 mm")]
    radius: String,
    /// Surface energy of one face.
    #[arg(long, value_name = "ENERGY", allow_hyphen_values = true, default_value = "0.05 J/m^2")]
    surface_energy: String,
    /// Time steps per duration of an impact, and points of each leg of the pull-off curves, 100 to 100000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().steps)]
    steps: f64,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    run(&Options {
        material: Material::parse("--material", &arguments.material)?,
        radius: quantity("--radius", "m", &arguments.radius)?,
        surface_energy: quantity("--surface-energy", "J/m^2", &arguments.surface_energy)?,
        steps: arguments.steps,
    })
}
