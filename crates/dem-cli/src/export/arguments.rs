//! What `dem export` is asked for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// A format of particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ParticleFormat {
    /// A row for each particle.
    Csv,
    /// XML PolyData of VTK.
    Vtp,
    /// Text dump of LAMMPS.
    LammpsDump,
    /// Extended XYZ.
    Xyz,
}

impl ParticleFormat {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Vtp => "vtp",
            Self::LammpsDump => "lammps-dump",
            Self::Xyz => "xyz",
        }
    }

    /// Endings of the names of its files, that of new ones first.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["csv"],
            Self::Vtp => &["vtp"],
            Self::LammpsDump => &["dump", "lammpstrj", "lammpsdump"],
            Self::Xyz => &["xyz", "extxyz"],
        }
    }

    /// Whether a file holds several frames.
    pub fn holds_many(self) -> bool {
        matches!(self, Self::LammpsDump | Self::Xyz)
    }
}

#[derive(Args)]
pub struct Arguments {
    /// Run directory or snapshot file.
    pub source: PathBuf,
    /// Number of a frame, all if not given; negative counts from the end.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub frame: Option<i64>,
    /// Every N-th frame.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "frame",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Frames A to B, both included, every N-th; negative numbers count from the end, as in -10..-1.
    #[arg(long, value_name = "all|A..B[:N]", allow_hyphen_values = true, conflicts_with_all = ["frame", "every"])]
    pub frames: Option<String>,
    /// Directory to write to, with --format a file where one is written. Default: beside the snapshots.
    #[arg(long, value_name = "DIR|FILE")]
    pub out: Option<PathBuf>,
    /// Write the surface of the spheres and rigid bodies of one frame, the last if none is given, as triangles in metres to this STL file, and nothing else.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["every", "frames", "out"])]
    pub surface: Option<PathBuf>,
    /// Pieces of an edge of the icosahedron that stands for a sphere, 1 to 64: 20 times its square triangles for each.
    #[arg(long, value_name = "N", default_value_t = 6, requires = "surface",
        value_parser = clap::value_parser!(u32).range(1..=64))]
    pub resolution: u32,
    /// Write the particles, and nothing else, in a format that other programs read: csv (with its own columns a table for `fill`), vtp (VTK, ParaView), lammps-dump or
    /// xyz (extended XYZ).
    #[arg(long, conflicts_with = "surface")]
    pub format: Option<ParticleFormat>,
    /// Particles with their centres in a region: box:X,Y,Z,X,Y,Z (two corners) or cylinder:X,Y,Z,RADIUS,HEIGHT (centre of its lower end, along z; cylinder-x,
    /// cylinder-y), with units, that of the last holding for those without.
    #[arg(long, requires = "format", allow_hyphen_values = true)]
    pub region: Option<String>,
    /// Particles of a material, or with numbers, as in ids:0..99,120; may be repeated.
    #[arg(long = "group", value_name = "MATERIAL|ids:A..B", requires = "format")]
    pub groups: Vec<String>,
    /// Columns of the snapshots to write beside positions and ids, for example radius,velocity,force. Default: as the format is used.
    #[arg(long, value_name = "A,B", value_delimiter = ',', requires = "format")]
    pub columns: Vec<String>,
    /// Write contacts as lines, too; with --format vtp.
    #[arg(long, requires = "format")]
    pub contacts: bool,
    /// Replace files that are there.
    #[arg(long, requires = "format")]
    pub force: bool,
}
