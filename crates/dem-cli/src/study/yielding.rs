//! `dem study yield`

use clap::Args;
use dem_report::Report;
use dem_report::given::{quantities, quantity};
use dem_studies::StudyError;
use dem_studies::material::Material;
use dem_studies::yielding::{Options, run};

use super::Output;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Material of sphere and wall: a name, or DENSITY,YOUNG_MODULUS,POISSON_RATIO, as in "1200 kg/m^3, 2 GPa, 0.35".
    #[arg(long, value_name = "MATERIAL", default_value = "steel")]
    material: String,
    /// Radius of the sphere.
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, default_value = "0.5 mm")]
    radius: String,
    /// Largest pressure that a contact of thornton-ning bears.
    #[arg(long, value_name = "PRESSURE", allow_hyphen_values = true, default_value = "500 MPa")]
    yield_pressure: String,
    /// Speeds of the impacts, as in "0.01,0.1,1 m/s".
    #[arg(
        long = "speed",
        visible_alias = "speeds",
        value_name = "LIST",
        allow_hyphen_values = true,
        default_value = "0.003,0.01,0.03,0.1,0.2,0.5,1,2 m/s"
    )]
    speeds: String,
    /// Time steps per duration of an impact, 100 to 100000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().steps)]
    steps: f64,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    run(&Options {
        material: Material::parse("--material", &arguments.material)?,
        radius: quantity("--radius", "m", &arguments.radius)?,
        yield_pressure: quantity("--yield-pressure", "Pa", &arguments.yield_pressure)?,
        speeds: quantities("--speed", "m/s", &arguments.speeds, "positive", |x| x > 0.0)?,
        steps: arguments.steps,
    })
}
