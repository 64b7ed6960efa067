//! `dem profile`

use std::path::{Path, PathBuf};

use clap::Args;
use dem_analysis::profile::{Axis, Options, Region, run};
use dem_report::output_directory::OutputDirectory;

use crate::failure::{ExitCode, Failure};
use crate::quantity::quantity;
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Run directory or snapshot file.
    run: PathBuf,
    /// Slabs across x, y or z, or shells about the axis of a cylinder (r).
    #[arg(long, value_name = "x|y|z|r")]
    axis: String,
    /// Number of bins, 1 to 10000. Default: slabs of half a mean diameter, shells of a tenth.
    #[arg(long, value_name = "N")]
    bins: Option<u64>,
    /// box:X,Y,Z,X,Y,Z (two corners) or cylinder:X,Y,Z,RADIUS,HEIGHT (centre of its lower end, along z; cylinder-x, cylinder-y), with
    /// units, that of the last holding for those without. Default: the container; shells keep three mean diameters from the ends of the bed.
    #[arg(long, allow_hyphen_values = true)]
    region: Option<String>,
    /// Average the frames of the last time T, for example "100 ms". Default: one frame.
    #[arg(long, value_name = "T")]
    window: Option<String>,
    /// Number of the last frame; negative counts from the end.
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    frame: i64,
    /// Column to draw, one panel each; may be repeated.
    #[arg(long = "field", value_name = "COLUMN")]
    fields: Vec<String>,
    /// Grid spacing of the coarse-grained fields, for example "2 mm". Default: half a mean diameter.
    #[arg(long, value_name = "LENGTH")]
    grid: Option<String>,
    /// Cutoff radius of the coarse-graining kernel, for example "6 mm". Default: one and a half mean diameters.
    #[arg(long, value_name = "LENGTH")]
    kernel: Option<String>,
    /// Directory for tables, figures and fields. Default: profile in the run directory, or beside the snapshot file.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the profile that is in the directory.
    #[arg(long)]
    force: bool,
    /// Print the profile as a JSON array.
    #[arg(long)]
    json: bool,
}

/// Columns of the profile that the terminal shows; the files have all.
const SHOWN: [&str; 8] = [
    "solid_fraction",
    "porosity",
    "spheres",
    "coordination",
    "wall_contacts",
    "velocity_z_m_s",
    "granular_temperature_m2_s2",
    "pressure_Pa",
];

/// Takes a profile and writes what came out.
pub fn profile(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let in_unit = |option: &'static str, unit: &str, text: &Option<String>| {
        text.as_deref().map(|text| quantity(option, unit, text)).transpose()
    };
    let options = Options {
        run: arguments.run.clone(),
        axis: Axis::parse(&arguments.axis)?,
        bins: arguments.bins,
        region: arguments.region.as_deref().map(Region::parse).transpose()?,
        window: in_unit("--window", "s", &arguments.window)?,
        frame: arguments.frame,
        fields: arguments.fields.clone(),
        grid: in_unit("--grid", "m", &arguments.grid)?,
        kernel: in_unit("--kernel", "m", &arguments.kernel)?,
    };
    let beside = || {
        let folder =
            if arguments.run.is_dir() { &arguments.run } else { arguments.run.parent().unwrap_or(Path::new("")) };
        folder.join("profile")
    };
    let directory =
        OutputDirectory::new(&arguments.out.clone().unwrap_or_else(beside), "dem profile", arguments.force)?;
    let found = run(&options)?;
    let files = found.write_into(&directory)?;
    let table = &found.report.tables[0];
    if arguments.json {
        say!("{:#}", table.to_json());
        return Ok(ExitCode::SUCCESS);
    }
    let shown: Vec<&str> =
        if options.fields.is_empty() { SHOWN.to_vec() } else { options.fields.iter().map(String::as_str).collect() };
    let hidden: Vec<&str> = table.columns()[1..].iter().copied().filter(|name| !shown.contains(name)).collect();
    say!("{}", table.without(&hidden).to_text());
    for finding in &found.report.findings {
        say!("- {finding}");
    }
    say!();
    for path in files {
        say!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}
