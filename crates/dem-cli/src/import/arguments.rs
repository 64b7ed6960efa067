//! What `dem import` is asked for.

use std::path::PathBuf;

use clap::Args;
use dem_io::exchange::ForeignFormat;

use crate::failure::Failure;

#[derive(Args)]
pub struct Arguments {
    /// File of another code, plain or gzip.
    pub file: PathBuf,
    /// Format: lammps-data, lammps-dump, liggghts-dump, xyz (extended XYZ), yade, mercury or pfc. Default: that which the content has.
    #[arg(long)]
    format: Option<String>,
    /// Names of the files that are written, NAME.csv and NAME.toml. Default: that of the file, in the present directory.
    #[arg(long, value_name = "NAME")]
    pub out: Option<PathBuf>,
    /// Number of the frame; negative counts from the end.
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    pub frame: i64,
    /// Length of one unit of the file, for example "1 mm". Default: what the file says, or 1 m.
    #[arg(long, value_name = "LENGTH")]
    pub length_unit: Option<String>,
    /// Time of one unit of the file, for example "1 ms". Default: what the file says, or 1 s.
    #[arg(long, value_name = "TIME")]
    pub time_unit: Option<String>,
    /// Mass of one unit of the file, for example "1 mg". Default: what the file says, or 1 kg.
    #[arg(long, value_name = "MASS")]
    pub mass_unit: Option<String>,
    /// Density of particles whose density or mass the file does not give, for example "2500 kg/m^3".
    #[arg(long, value_name = "DENSITY")]
    pub density: Option<String>,
}

impl Arguments {
    /// The format that is asked for.
    pub fn format(&self) -> Result<Option<ForeignFormat>, Failure> {
        let Some(name) = self.format.as_deref() else { return Ok(None) };
        let format = ForeignFormat::from_name(name);
        format.map(Some).ok_or_else(|| {
            Failure::input(format!("--format {name}: expected one of {}, liggghts-dump", ForeignFormat::names()))
        })
    }
}
