//! `dem check`

mod checked;
mod json;
mod pace;
mod text;

use clap::Args;
use dem_io::document::{Override, SceneError};
use dem_sim::builder::{self, LoadedScene, load_scene};
use dem_sim::run::RunError;
use dem_sim::simulation::Simulation;

use self::checked::Checked;
use crate::failure::{ExitCode, Failure};
use crate::run::SceneArguments;
use crate::terminal::{say, say_text};
use crate::threads::pool;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Number of threads for the timed steps of the estimate. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print a JSON object; if the scene has errors, it lists them.
    #[arg(long)]
    json: bool,
}

/// Builds a scene and shows what follows from it.
pub fn check(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let SceneArguments { scene, set } = &arguments.scene;
    let overrides = set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let refused = |error: SceneError| {
        let all = builder::all_errors(scene, &overrides, error);
        if arguments.json {
            say!("{:#}", json::errors(&scene.display().to_string(), &all));
        }
        Failure::scene(&all)
    };
    let pool = pool(arguments.threads)?;
    let loaded = load_scene(scene, &overrides).map_err(refused)?;
    let mut simulation = pool.install(|| builder::build(&loaded)).map_err(refused)?;
    pool.install(|| simulation.initialise()).map_err(|error| Failure::from(RunError::from(error)))?;
    let name = scene.display().to_string();
    let checked = Checked::new(&name, &loaded, &simulation);
    let measured =
        |simulation: Simulation, particles| pool.install(|| pace::measure(simulation, particles, arguments.threads));
    // the steps that are timed change the simulation: everything else is reported before
    if arguments.json {
        let (mut object, particles) = (json::facts(&checked), checked.particles);
        object["estimate"] = json::estimate(&measured(simulation, particles));
        say!("{object:#}");
    } else {
        let (told, particles) = (text::facts(&checked), checked.particles);
        say_text(format_args!("{told}"));
        say_text(format_args!("{}", text::estimate(&measured(simulation, particles))));
    }
    Ok(ExitCode::SUCCESS)
}

/// What a check finds out about a scene, as data; `name` is what it is called by. The steps that are timed change the simulation, which is used up.
pub fn as_data(name: &str, loaded: &LoadedScene, simulation: Simulation) -> serde_json::Value {
    let checked = Checked::new(name, loaded, &simulation);
    let (mut object, particles) = (json::facts(&checked), checked.particles);
    object["estimate"] = json::estimate(&pace::measure(simulation, particles, None));
    object
}
