//! `dem triaxial`

use std::path::PathBuf;

use clap::Args;
use dem_report::output_directory::OutputDirectory;
use dem_studies::named_choice::separate;
use dem_studies::probe::LawChoice;
use dem_studies::triaxial::{Bounds, Held, Options, Path, check, forget, is_unfinished, run};

use crate::failure::{ExitCode, Failure};
use crate::quantity::{quantity, share};
use crate::run::{SceneArguments, default_directory};
use crate::study::show;
use crate::threads::pool;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Start with the particles of a saved state (checkpoint or run directory) instead of those of the scene; the stages of the scene stay the same.
    #[arg(long, value_name = "STATE")]
    from: Option<PathBuf>,
    /// Directory for tables, figures and states. Default: runs/ and the name of the scene with `_triaxial` behind it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the test that is in the directory, and begin anew.
    #[arg(long)]
    force: bool,
    /// Threads; the results do not depend on it. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Stress path of the last stage, in place of that of the scene: constant-p, drained or undrained.
    #[arg(long, value_name = "PATH", requires = "rate", requires = "pressure")]
    path: Option<String>,
    /// Mean stress (constant-p) or lateral stress (drained), positive in compression, for example "100 kPa".
    #[arg(long, value_name = "STRESS", requires = "path", allow_hyphen_values = true)]
    pressure: Option<String>,
    /// Strain rate along the axis, positive in compression, for example "0.5 1/s".
    #[arg(long, value_name = "RATE", requires = "path", allow_hyphen_values = true)]
    rate: Option<String>,
    /// Magnitude of the axial strain at which the test ends.
    #[arg(long, value_name = "STRAIN", value_parser = share)]
    strain: Option<f64>,
    /// Axis of loading.
    #[arg(long, value_name = "x|y|z", default_value = "z")]
    axis: String,
    /// Fractions of the peak of q/p at which states are saved, at rest, for dem probe.
    #[arg(long = "fraction", value_name = "SHARE,..", value_delimiter = ',', default_values_t = Options::default().fractions, value_parser = share)]
    fractions: Vec<f64>,
    /// Leave out the repetitions at a third of the rate and with three times the stiffness.
    #[arg(long)]
    once: bool,
    /// Comma-separated laws under which the test is repeated from the same state: NAME or NAME:key=value,key=value.
    #[arg(long = "law", visible_alias = "laws", value_name = "A,B")]
    laws: Vec<String>,
    /// Let such a law start with empty contact histories if its history fields differ from those of the law of the scene.
    #[arg(long)]
    drop_histories: bool,
    /// Number of points on each stress-strain curve, 10 to 100000.
    #[arg(long, value_name = "N", default_value_t = Options::default().points)]
    points: u64,
    /// Largest relative deviation of the stresses from their targets at any point of a curve; above it, exit code 3.
    #[arg(long, value_name = "SHARE", default_value_t = Bounds::default().stress_error, value_parser = share)]
    stress_error: f64,
    /// Largest inertial number at any point of a curve; above it, exit code 3.
    #[arg(long, value_name = "NUMBER", default_value_t = Bounds::default().inertial_number)]
    inertial_number: f64,
    /// Print the first table as a JSON array.
    #[arg(long)]
    json: bool,
}

/// Does a test and writes what came out. The same command continues an interrupted one.
pub fn triaxial(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let out = arguments.out.clone().unwrap_or_else(|| default_directory(&arguments.scene.scene, "_triaxial"));
    let axis = ["x", "y", "z"].iter().position(|axis| *axis == arguments.axis);
    let axis = axis.ok_or_else(|| Failure::input(format!("--axis = {}, expected x, y or z", arguments.axis)))?;
    let options = Options {
        scene: arguments.scene.scene.clone(),
        set: arguments.scene.set.clone(),
        from: arguments.from.clone(),
        path: path(arguments)?,
        strain: arguments.strain,
        fractions: arguments.fractions.clone(),
        repeats: !arguments.once,
        laws: separate(&arguments.laws).iter().map(|law| LawChoice::parse(law)).collect::<Result<_, _>>()?,
        drop_histories: arguments.drop_histories,
        points: arguments.points,
        axis,
        bounds: Bounds { stress_error: arguments.stress_error, inertial_number: arguments.inertial_number },
    };
    let pool = pool(arguments.threads)?;
    // what is there goes for no test that cannot begin
    check(&options)?;
    let directory = directory(&out, arguments.force)?;
    let report = pool.install(|| run(&options, &out))?;
    let code = show(&report, &directory, arguments.json)?;
    forget(&out)?;
    Ok(code)
}

/// The directory of a test: a new one, or that of an interrupted one.
fn directory(out: &std::path::Path, force: bool) -> Result<OutputDirectory, Failure> {
    const COMMAND: &str = "dem triaxial";
    if is_unfinished(out) && !force {
        return Ok(OutputDirectory::going_on(out, COMMAND, is_unfinished)?);
    }
    let directory = OutputDirectory::new(out, COMMAND, force)?;
    if force {
        forget(out)?;
    }
    Ok(directory)
}

fn path(arguments: &Arguments) -> Result<Option<Path>, Failure> {
    let (Some(name), Some(pressure), Some(rate)) = (&arguments.path, &arguments.pressure, &arguments.rate) else {
        return Ok(None);
    };
    let held = Held::from_name(name)
        .ok_or_else(|| Failure::input(format!("--path = {name}, expected one of {}", Held::NAMES.join(", "))))?;
    let (pressure, rate) = (quantity("--pressure", "Pa", pressure)?, quantity("--rate", "1/s", rate)?);
    if !(pressure > 0.0 && pressure.is_finite()) {
        return Err(Failure::input(format!("--pressure = {pressure} Pa, expected a pressure above 0")));
    }
    if rate == 0.0 || !rate.is_finite() {
        return Err(Failure::input(format!("--rate = {rate} 1/s, expected a rate other than 0")));
    }
    Ok(Some(Path { held, pressure, rate }))
}
