//! `dem check`

mod json;
mod pace;
mod text;

use std::process::ExitCode;

use clap::Args;
use dem_io::document::{Override, SceneError};
use dem_sim::builder::{self, LoadedScene, Seam, load_scene};
use dem_sim::insertion::PouringLimit;
use dem_sim::run::RunError;
use dem_sim::scene_check;
use dem_sim::scene_check::doubts;
use dem_sim::scene_check::{HeldImpact, LoadOverlap, deepest_held_impact, deepest_under_load};
use dem_sim::simulation::{PouringSource, Simulation};

use crate::failure::Failure;
use crate::run::SceneArguments;
use crate::terminal::{say, say_text};
use crate::threads::pool;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Threads of the steps that are timed for the estimate. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print a JSON object, that of the errors if there are any.
    #[arg(long)]
    json: bool,
}

/// A scene that was built, and what follows from it.
struct Checked<'a> {
    scene: &'a str,
    simulation: &'a Simulation,
    doubts: Vec<String>,
    load: Option<LoadOverlap>,
    held: Option<HeldImpact>,
    stage_bounds: Vec<(String, dem_contact::time_step::Bound)>,
    /// Particles at the start and those that will be poured.
    particles: f64,
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
    // the steps that are timed change the simulation: everything else is told before
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

impl<'a> Checked<'a> {
    fn new(scene: &'a str, loaded: &LoadedScene, simulation: &'a Simulation) -> Self {
        let poured = simulation.sources.iter().filter_map(count_of);
        let particles = poured.fold(simulation.world.particles.len() as f64, |all, count| all + count);
        Self {
            scene,
            simulation,
            doubts: doubts(loaded, simulation).into_iter().chain(seams(simulation)).collect(),
            load: deepest_under_load(simulation),
            held: deepest_held_impact(simulation),
            stage_bounds: scene_check::bounds_of_stages(simulation),
            particles,
        }
    }
}

/// Particles that a source will pour, if it has a limit.
fn count_of(source: &PouringSource) -> Option<f64> {
    let settings = source.pouring.settings();
    settings.limit.map(|limit| match limit {
        PouringLimit::Count(count) => count as f64,
        PouringLimit::Mass(mass) => mass / (settings.density * settings.sizes.mean_volume()),
    })
}

/// Walls that go on in one plane and are pushed against twice where they meet.
fn seams(simulation: &Simulation) -> impl Iterator<Item = String> {
    let walls = &simulation.world.walls;
    builder::seams(walls).into_iter().map(|Seam { walls: [first, second], lines, ends: [start, end] }| {
        let lines = if lines == 1 { "a line".to_owned() } else { format!("{lines} lines, the first") };
        format!(
            "walls \"{}\" and \"{}\" lie in one plane and meet along {lines}, from {start} to {end} m: a sphere there touches both and is pushed by both; one wall of both has one contact",
            walls[first].name, walls[second].name
        )
    })
}
