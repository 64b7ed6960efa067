//! `dem check`

use std::process::ExitCode;

use clap::Args;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::figure::Figure;
use dem_sim::builder;
use dem_sim::driven;
use dem_sim::measure;
use dem_sim::memory::BYTES_PER_PARTICLE;
use dem_sim::step_control::StepControl;

use crate::failure::Failure;
use crate::run::SceneArguments;
use crate::terminal::say;

/// Particle-steps per second and core that the estimate of the run time reckons with.
const NOMINAL_RATE: f64 = 5e6;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
}

/// Builds a scene and shows what follows from it.
pub fn check(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let loaded = arguments.scene.load()?;
    let mut simulation = builder::build(&loaded)?;
    simulation.initialise().map_err(|error| Failure::from(dem_sim::run::RunError::from(error)))?;
    let world = &simulation.world;
    let materials = &world.materials;

    say!("{}: the scene is sound", arguments.scene.scene.display());
    say!("\nmaterials");
    for m in materials {
        say!(
            "  {}: density {} kg/m^3, Young's modulus {:e} Pa, Poisson's ratio {}, shear modulus {:.4e} Pa",
            m.name,
            m.density,
            m.young_modulus,
            m.poisson_ratio,
            m.shear_modulus()
        );
    }
    say!("\ncontact");
    for pair in simulation.contact.pairs() {
        let (a, b) = (pair.first, pair.second);
        say!("  {} - {}: {}", materials[a].name, materials[b].name, pair.law);
        for (name, value) in &pair.parameters {
            say!("    {name} = {value}");
        }
        let kernel = &world.kernels[world.laws.get(a as u16, b as u16) as usize];
        for derived in kernel.derived(a as u16, b as u16) {
            say!("    {}: {:.6} {}", derived.name, Scientific(derived.value), derived.unit);
        }
    }
    let default = if simulation.is_domain_given { "" } else { ", as the scene gives none" };
    say!("\ndomain");
    say!("  {}{default}; faces {}", world.cell.describe_box(), describe_faces(&world.cell));
    say!("\nwalls");
    for (number, wall) in world.walls.iter().enumerate() {
        let state = if wall.active { "" } else { ", not there yet" };
        let moving = world.describe_motion(number);
        say!("  {} ({}){moving}{state}", wall.name, materials[wall.material as usize].name);
        if let dem_core::wall::Shape::Mesh { mesh, .. } = &wall.shape {
            let [facets, faces, edges, vertices] = mesh.counts();
            let (low, high) = wall.shape.bounds().unwrap_or_default();
            let (low, high) = (low + wall.pose.position, high + wall.pose.position);
            say!("    {facets} facets: {faces} faces, {edges} edges, {vertices} vertices");
            say!("    from {low} to {high} m");
        }
    }
    say!("\nparticles");
    say!("  {} at the start, {} touching pairs", world.particles.len(), world.contact_count().pairs);
    let mut total = world.particles.len() as f64;
    for source in &simulation.sources {
        let settings = source.pouring.settings();
        let limit = match settings.limit {
            Some(dem_sim::insertion::PouringLimit::Count(count)) => {
                total += count as f64;
                format!("{count} particles")
            }
            Some(dem_sim::insertion::PouringLimit::Mass(mass)) => {
                total += mass / (settings.density * settings.sizes.mean_volume());
                format!("{mass} kg")
            }
            None => "no limit".to_owned(),
        };
        say!("  source {}: {limit}, radius {:.4e} to {:.4e} m", source.name, source.smallest, source.largest);
    }
    say!("\ntime step");
    let choice = &simulation.time_step;
    say!(
        "  {:.4e} s, {}; impacts up to {} m/s expected",
        choice.time_step,
        match choice.control {
            StepControl::Given => "as given",
            StepControl::Automatic => "the largest that all criteria admit",
            StepControl::Adaptive => "the first of an adaptive one",
        },
        Figure::new(choice.expected_speed, 3)
    );
    if let Some(deepest) = &choice.deepest {
        let (between, percent) = (&deepest.between, 100.0 * deepest.overlap_ratio);
        say!("  overlap in such an impact of {between}: {} % of the radius", Figure::new(percent, 2));
    }
    if let Some(range) = choice.range {
        say!("  adaptive between {:.4e} and {:.4e} s", range.smallest, range.largest);
    }
    say!("  bounds, the tightest first:");
    for bound in &choice.bounds {
        say!("  {:.4e} s  {} ({})", bound.time_step, bound.criterion, bound.detail);
    }
    let later = driven::bounds_of_stages(&simulation);
    if !later.is_empty() {
        say!("  bounds by what stages set in motion:");
    }
    for (stage, bound) in &later {
        let effect = match choice.control {
            _ if bound.time_step >= choice.time_step => "",
            StepControl::Given => ": the given step is longer",
            StepControl::Automatic | StepControl::Adaptive => ": the step becomes as short then",
        };
        say!("  {:.4e} s  {} ({}; stage \"{stage}\"){effect}", bound.time_step, bound.criterion, bound.detail);
    }
    say!("\nstages");
    for stage in &simulation.stages {
        say!("  {}: {} actions", stage.name, stage.actions.len());
    }
    say!("\nestimate");
    say!("  memory {:.1} MB for {total:.0} particles", 1e-6 * BYTES_PER_PARTICLE as f64 * total);
    match simulation.end {
        Some(end) => say!(
            "  at most {:.0} steps to t = {end} s, {:.0} s of wall time at {:.0} million particle-steps/s per core",
            end / choice.time_step,
            end / choice.time_step * total / NOMINAL_RATE,
            NOMINAL_RATE / 1e6
        ),
        None => say!("  {:.0} steps per simulated second", 1.0 / choice.time_step),
    }
    say!("  {} columns in series.csv", measure::series_columns(world).len());
    Ok(ExitCode::SUCCESS)
}

fn face(policy: FacePolicy) -> &'static str {
    match policy {
        FacePolicy::Open => "open",
        FacePolicy::Reflect => "reflect",
        FacePolicy::Error => "error",
    }
}

/// What happens at the faces of each axis, lower and upper.
fn describe_faces(cell: &Cell) -> String {
    let policy = |k: usize, side: usize| if cell.periodic[k] { "periodic" } else { face(cell.faces[k][side]) };
    let axis = |k: usize| match (policy(k, 0), policy(k, 1)) {
        (low, high) if low == high => format!("{} {low}", ["x", "y", "z"][k]),
        (low, high) => format!("{} {low} and {high}", ["x", "y", "z"][k]),
    };
    [0, 1, 2].map(axis).join(", ")
}

/// Prints very large and very small numbers in scientific notation.
struct Scientific(f64);

impl std::fmt::Display for Scientific {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if size != 0.0 && !(1e-3..1e5).contains(&size) {
            write!(f, "{:.5e}", self.0)
        } else {
            write!(f, "{:.6}", self.0)
        }
    }
}
