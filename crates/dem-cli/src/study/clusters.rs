//! `dem study clusters`

use clap::Args;
use dem_report::Report;
use dem_report::given::numbers;
use dem_studies::StudyError;
pub use dem_studies::clusters::ASSEMBLIES as KEPT;
use dem_studies::clusters::{Options, Shape, forget, run};

use super::Output;
use crate::quantity::share;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Shapes: radius and distance of the six outer spheres in radii of the central one.
    #[arg(long = "shape", value_name = "RADIUS:DISTANCE,..", value_delimiter = ',', default_values_t = Shape::FAMILY.map(|shape| shape.label()))]
    shapes: Vec<String>,
    /// Assemblies of each shape, 2 to 10000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().seeds)]
    seeds: u64,
    /// Clusters in an assembly, 30 to 1000000.
    #[arg(long, value_name = "COUNT", default_value_t = Options::default().clusters)]
    clusters: u64,
    /// Friction during the compression: rising values between which the one for the void ratio is searched, 0 to 10; at least two.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, default_value = "0.05,0.15")]
    preparation_friction: String,
    /// Void ratio of the sample before the test.
    #[arg(long, value_name = "RATIO", default_value_t = Options::default().void_ratio)]
    void_ratio: f64,
    /// Peak of q/p that decides which shape is repeated with more clusters and probed.
    #[arg(long, value_name = "RATIO", default_value_t = Options::default().peak)]
    peak: f64,
    /// Axial strain at which a test ends.
    #[arg(long, value_name = "STRAIN", default_value_t = Options::default().strain, value_parser = share)]
    strain: f64,
    /// Clusters in one larger assembly of that shape; 0 leaves it out.
    #[arg(long, value_name = "COUNT", default_value_t = 4096)]
    larger: u64,
    /// q/p of the states that are probed.
    #[arg(long, value_name = "RATIO", default_value_t = Options::default().probed_at)]
    probe_at: f64,
    /// Directions of the stress probes of that shape; 0 leaves them out.
    #[arg(long, value_name = "COUNT", default_value_t = 24)]
    directions: usize,
    /// Relaxation steps at fixed cell after each of the 30 steps of a probe, up to 100000.
    #[arg(long, value_name = "N", default_value_t = Options::default().relax)]
    relax: u32,
    /// Change a value of the scene examples/triaxial_clusters.toml; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let frictions = &arguments.preparation_friction;
    let options = Options {
        shapes: arguments.shapes.iter().map(|text| Shape::parse(text)).collect::<Result<_, _>>()?,
        seeds: arguments.seeds,
        clusters: arguments.clusters,
        frictions: numbers("--preparation-friction", frictions, "0 to 10", |x| (0.0..=10.0).contains(&x))?,
        void_ratio: arguments.void_ratio,
        peak: arguments.peak,
        strain: arguments.strain,
        larger: Some(arguments.larger).filter(|&count| count > 0),
        probed_at: arguments.probe_at,
        directions: Some(arguments.directions).filter(|&count| count > 0),
        relax: arguments.relax,
        set: arguments.set.clone(),
    };
    let folder = arguments.output.place("clusters", &[]);
    options.check()?;
    if arguments.output.force {
        forget(&folder)?;
    }
    run(&options, &folder)
}
