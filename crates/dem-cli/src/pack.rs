//! `dem pack`

use std::path::{Path, PathBuf};

use clap::Args;
use dem_workloads::WorkloadError;
use dem_workloads::packing_preparation::{Container, Method, Options, Record, Start, prepare_packing};

use crate::failure::{ExitCode, Failure, INTERRUPTED, SHORTFALL};
use crate::quantity::{quantity, share};
use crate::terminal::{complain, say, tell};
use crate::threads::{interrupt_flag, pool};

#[derive(Args)]
pub struct Arguments {
    /// random-sequential, deposition, growth or compression.
    method: String,
    /// Directory for the packing [default: runs/pack_METHOD].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the run that is in the directory.
    #[arg(long)]
    force: bool,
    /// Spheres, or bodies.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().count)]
    count: u64,
    /// Seed of all random numbers.
    #[arg(long, value_name = "SEED", default_value_t = Options::default().seed)]
    seed: u64,
    /// Sizes as in a scene; of bodies those of spheres of equal volume.
    #[arg(long, value_name = "TABLE", default_value_t = Options::default().sizes)]
    sizes: String,
    /// Shape of rigid bodies as in a scene, in place of spheres.
    #[arg(long, value_name = "TABLE")]
    clump: Option<String>,
    /// Container of the packing: periodic, box or cylinder. With deposition, `periodic` means a floor and periodic sides.
    #[arg(long, value_name = "NAME", default_value = "periodic")]
    container: String,
    /// Initial positions for growth and compression: random, or lattice for a dilute cubic lattice of n x n x n spheres.
    #[arg(long, value_name = "NAME", default_value = "random")]
    start: String,
    /// Width in mean diameters before the packing forms [default: a cube; 10 with deposition and in containers].
    #[arg(long, value_name = "DIAMETERS")]
    width: Option<f64>,
    /// Target packing fraction; the friction coefficient of the preparation is searched for it.
    #[arg(long, value_name = "PHI", value_parser = share)]
    fraction: Option<f64>,
    /// Tolerance of the target packing fraction.
    #[arg(long, value_name = "PHI", default_value_t = Options::default().tolerance, value_parser = share)]
    tolerance: f64,
    /// Pressure of growth and compression, for example "2 kPa" [default: 1 kPa].
    #[arg(long, value_name = "P")]
    pressure: Option<String>,
    /// Friction coefficient of the packing.
    #[arg(long, value_name = "MU", default_value_t = Options::default().friction, value_parser = share)]
    friction: f64,
    /// Friction coefficient of the preparation [default: 0; that of the packing with deposition].
    #[arg(long, value_name = "MU", value_parser = share)]
    preparation_friction: Option<f64>,
    /// Bounds of the friction coefficients that the search may try.
    #[arg(long, value_name = "LOW,HIGH", value_delimiter = ',', num_args = 1.., value_parser = share)]
    friction_bounds: Vec<f64>,
    /// Maximum number of preparations in a search.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().trials)]
    trials: u64,
    /// Largest rate of compression and growth as an inertial number, in units of sqrt(p/density)/d.
    #[arg(long, value_name = "RATE", default_value_t = Options::default().rate)]
    rate: f64,
    /// Stiffness number k_n/(p d) that sets the springs of the default contact law.
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().stiffness_number, conflicts_with = "contact")]
    stiffness_number: f64,
    /// Contact law and its parameters as in a scene, without friction, in place of linear springs.
    #[arg(long, value_name = "TABLE")]
    contact: Option<String>,
    /// Material as in a scene.
    #[arg(long, value_name = "TABLE")]
    material: Option<String>,
    /// Maximum number of steps in one phase.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().max_steps)]
    max_steps: u64,
    /// Threads; the results do not depend on it [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print the record as JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn options(&self) -> Result<Options, Failure> {
        let friction_bounds = match self.friction_bounds.as_slice() {
            [] => Options::default().friction_bounds,
            &[low, high] => [low, high],
            other => {
                let count = other.len();
                return Err(Failure::input(format!("--friction-bounds: {count} numbers, expected two, as in 0,1")));
            }
        };
        Ok(Options {
            method: Method::from_name(&self.method)?,
            seed: self.seed,
            count: self.count,
            sizes: self.sizes.clone(),
            clump: self.clump.clone(),
            container: Container::from_name(&self.container)?,
            start: Start::from_name(&self.start)?,
            width: self.width,
            fraction: self.fraction,
            tolerance: self.tolerance,
            pressure: self.pressure.as_deref().map(|text| quantity("--pressure", "Pa", text)).transpose()?,
            friction: self.friction,
            preparation_friction: self.preparation_friction,
            friction_bounds,
            trials: self.trials,
            rate: self.rate,
            stiffness_number: self.stiffness_number,
            contact: self.contact.clone(),
            material: self.material.clone(),
            max_steps: self.max_steps,
        })
    }
}

/// Prepares a packing.
pub fn pack(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options = arguments.options()?;
    let default = || Path::new("runs").join(format!("pack_{}", options.method.name()));
    let directory = arguments.out.clone().unwrap_or_else(default);
    let pool = pool(arguments.threads)?;
    let interrupted = interrupt_flag();
    let mut report = |text: &str| tell!("{text}");
    let prepared = pool.install(|| prepare_packing(&options, &directory, arguments.force, &interrupted, &mut report));
    let record = match prepared {
        Err(WorkloadError::Interrupted) => {
            complain!("interrupted: no packing yet; run the same command again to continue");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        other => other?,
    };
    if arguments.json {
        say!("{:#}", record.to_json());
    } else {
        print_record(&record, &directory);
    }
    if let Some(shortfall) = &record.shortfall {
        complain!("request not met: {shortfall}");
        return Ok(SHORTFALL.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn print_record(record: &Record, directory: &Path) {
    let options = &record.options;
    say!("packing by {}, seed {}", options.method.name(), options.seed);
    say!("  particles          {}", record.particles);
    say!("  packing fraction   {:.4}, porosity {:.4}", record.fraction, 1.0 - record.fraction);
    let [x, y, z] = record.lengths;
    say!("  lengths            {x:.6} x {y:.6} x {z:.6} m");
    if let Some(friction) = record.preparation_friction {
        let trials = match record.trials.len() {
            0 => "as given".to_owned(),
            count => format!("found in {count} preparations"),
        };
        say!("  friction           {} now, {friction} in the preparation ({trials})", options.friction);
    }
    if let (Some(pressure), Some(stiffness)) = (record.pressure, record.stiffness_number) {
        say!("  pressure           {pressure:.5} Pa, stiffness number k_n/(p d) = {stiffness:.0}");
    }
    say!(
        "  coordination       {:.3}, {:.3} without {} rattlers",
        record.coordination,
        record.coordination_without_rattlers,
        record.rattlers
    );
    say!("  overlap/radius     {:.4} % at most", 100.0 * record.overlap_ratio);
    say!("  steps              {}, {:.1} s of wall time", record.steps, record.wall_seconds);
    say!("  results            {}: packing.csv, packing.toml, packing.json and a run", directory.display());
}
