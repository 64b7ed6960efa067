//! `dem study path`

use std::path::PathBuf;

use clap::Args;
use dem_report::Report;
use dem_report::given::quantity;
use dem_studies::StudyError;
use dem_studies::material::Material;
use dem_studies::path::{Options, histories, run};

use super::Output;
use super::impact::laws;
use crate::quantity::share;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub output: Output,
    /// Comma-separated laws, each NAME or NAME:key=value,key=value; "all" for every law that needs no choice of models [default:
    /// linear, mindlin-total, hertz-mindlin, mindlin-deresiewicz, mdr].
    #[arg(long = "law", visible_alias = "laws", value_name = "A,B")]
    laws: Vec<String>,
    /// Named paths: constant-load, nested-loops, rising-load, falling-load, trembling-load, circle; several between commas [default: all,
    /// or none with --file].
    #[arg(long = "path", visible_alias = "paths", value_name = "A,B", value_delimiter = ',')]
    paths: Vec<String>,
    /// Table of points: overlap_m or normal_force_N, slip_x_m and perhaps slip_y_m.
    #[arg(long, value_name = "CSV")]
    file: Option<PathBuf>,
    /// Material of the sphere: a name, or DENSITY,YOUNG_MODULUS,POISSON_RATIO, as in "1200 kg/m^3, 2 GPa, 0.35".
    #[arg(long, value_name = "MATERIAL", default_value = "aluminium-oxide")]
    sphere: String,
    /// Material of the wall.
    #[arg(long, value_name = "MATERIAL", default_value = "soda-lime-glass")]
    wall: String,
    /// Radius.
    #[arg(long, value_name = "LENGTH", default_value = "2.5 mm")]
    radius: String,
    /// Coefficient of friction.
    #[arg(long, allow_hyphen_values = true, default_value_t = Options::default().friction, value_parser = share)]
    friction: f64,
    /// Overlap that named paths are scaled by.
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, default_value = "15 um")]
    overlap: String,
    /// Time per point of a path; it affects only dashpots.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, default_value = "1 s")]
    time_step: String,
}

/// Runs the study.
pub fn report(arguments: &Arguments) -> Result<Report, StudyError> {
    let defaults = Options::default();
    let paths =
        if arguments.paths.is_empty() && arguments.file.is_none() { defaults.paths } else { arguments.paths.clone() };
    run(&Options {
        laws: laws(&arguments.laws, &defaults.laws)?,
        sphere: Material::parse("--sphere", &arguments.sphere)?,
        wall: Material::parse("--wall", &arguments.wall)?,
        radius: quantity("--radius", "m", &arguments.radius)?,
        friction: arguments.friction,
        overlap: quantity("--overlap", "m", &arguments.overlap)?,
        time_step: quantity("--time-step", "s", &arguments.time_step)?,
        paths,
        given: arguments.file.as_deref().map(histories::read).transpose()?,
    })
}
