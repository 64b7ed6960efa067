//! Profiles and structure of a packing, from the snapshots of a run.
//!
//! The solid fraction of a bin is the sum of the exact volumes that the spheres have in common with it; coordination, stress, velocity and
//! granular temperature are averages in the same bins (`averages.rs`). Of the last frame there are also fields on a grid, the radial
//! distribution function, the distribution of contact numbers and the order of the Voronoi neighbours.

pub mod assembly;
pub mod averages;
mod axis;
pub mod bins;
mod bond_order;
mod coarse_graining;
mod columns;
mod contact_numbers;
mod container;
mod figures;
mod findings;
pub mod grains;
mod near_wall;
mod neighbours;
mod radial_distribution;
mod region;
mod results;
pub mod source;
mod tables;
mod voronoi;

#[cfg(test)]
mod body_tests;
#[cfg(test)]
pub(crate) mod test_packings;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use dem_io::snapshot::{GridFields, write_grid_fields};
use dem_report::ReportError;
use dem_report::output_directory::OutputDirectory;
use dem_report::report::Report;

pub use axis::Axis;
pub use region::Region;

use crate::error::AnalysisError;
use assembly::Assembly;
use averages::{BinSums, sums};
use bins::Bins;
use bond_order::{LARGEST_SPREAD, bond_order};
use contact_numbers::ContactNumbers;
use near_wall::waves;
use radial_distribution::radial_distribution;
use results::Results;
use source::Source;

/// Bins over one mean diameter, unless their number is given: shells are meant to resolve the layers at a wall.
const SLABS_PER_DIAMETER: f64 = 2.0;
const SHELLS_PER_DIAMETER: f64 = 10.0;
/// Spacing of the grid and reach of the kernel in mean diameters, unless they are given.
const GRID: [f64; 2] = [0.5, 1.5];

/// What to take a profile of.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Run directory or file of snapshots.
    pub run: PathBuf,
    /// Along what.
    pub axis: Axis,
    /// Number of bins, 1 to 10,000.
    pub bins: Option<u64>,
    /// Region; that of the container if not given.
    pub region: Option<Region>,
    /// Time over which frames are averaged \[s\].
    pub window: Option<f64>,
    /// Last frame, negative from the end.
    pub frame: i64,
    /// Columns that are drawn; some of all kinds if empty.
    pub fields: Vec<String>,
    /// Spacing of the grid \[m\].
    pub grid: Option<f64>,
    /// Reach of the kernel \[m\].
    pub kernel: Option<f64>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Tables, the first of which is the profile; figures and findings.
    pub report: Report,
    /// Fields of the last frame on a grid.
    pub fields: GridFields,
}

/// Name of the file of the fields.
const FIELDS_FILE: &str = "fields.vtkhdf";

impl Profile {
    /// Writes the report and `fields.vtkhdf` into a directory; returns the files.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, directory: &Path) -> Result<Vec<PathBuf>, AnalysisError> {
        let mut files = self.report.write(directory)?;
        let path = directory.join(FIELDS_FILE);
        write_grid_fields(&path, &self.fields)?;
        files.push(path);
        Ok(files)
    }
}

impl Profile {
    /// As [`Self::write`], into a directory of which it is known whose it is.
    ///
    /// # Errors
    /// A file that cannot be written, or is not to be replaced.
    pub fn write_into(&self, directory: &OutputDirectory) -> Result<Vec<PathBuf>, AnalysisError> {
        let folder = tempfile::tempdir().map_err(dem_io::Error::system("create", Path::new("a temporary folder")))?;
        let path = folder.path().join(FIELDS_FILE);
        write_grid_fields(&path, &self.fields)?;
        let fields = std::fs::read(&path).map_err(dem_io::Error::system("read", &path))?;
        Ok(directory.write(&self.report, vec![(FIELDS_FILE.to_owned(), fields)])?)
    }
}

/// Takes the profile.
///
/// # Errors
/// Snapshots that cannot be read, options out of range, a region without particles, frames over which the cell deforms.
pub fn run(options: &Options) -> Result<Profile, AnalysisError> {
    let source = Source::open(&options.run)?;
    let frames = source.frames(options.frame, options.window)?;
    tables::check_fields(options.axis, &options.fields)?;
    let last = source.assembly(frames[frames.len() - 1])?;
    let bins = bins_of(options, &last)?;
    let mut total = vec![BinSums::default(); bins.count()];
    let mut times = Vec::with_capacity(frames.len());
    let mut has_contacts = true;
    let mut add = |assembly: &Assembly| {
        times.push(assembly.time);
        has_contacts &= assembly.contacts.is_some();
        total.iter_mut().zip(sums(assembly, &bins)).for_each(|(all, more)| all.join(&more));
    };
    for &frame in &frames[..frames.len() - 1] {
        let assembly = source.assembly(frame)?;
        if assembly.surroundings.cell.matrix() != last.surroundings.cell.matrix() {
            let (value, allowed) =
                (format!("{} s", options.window.unwrap_or(0.0)), "a time in which the cell keeps its shape");
            return Err(ReportError::Option { option: "--window", value, allowed: allowed.to_owned() }.into());
        }
        add(&assembly);
    }
    add(&last);
    if total.iter().all(|sum| sum.volume <= 0.0) {
        let value = bins.region.describe();
        let allowed = "a region that particles reach into".to_owned();
        return Err(ReportError::Option { option: "--region", value, allowed }.into());
    }
    let diameter = last.mean_diameter();
    let fields = coarse_graining::coarse_grained(
        &last,
        options.grid.unwrap_or(GRID[0] * diameter),
        options.kernel.unwrap_or(GRID[1] * diameter),
    )?;
    let inner = bins.region.shrunk(diameter).unwrap_or(bins.region);
    let results = Results {
        title: source.title().to_owned(),
        waves: if options.axis == Axis::Radius && options.region.is_none() {
            waves(&tables::distance_from_wall(&bins, &total, times.len(), diameter))
        } else {
            None
        },
        radial_distribution: radial_distribution(&last, &bins.region),
        contact_numbers: ContactNumbers::new(&last),
        bond_order: if last.size_spread() <= LARGEST_SPREAD { bond_order(&last, &inner) } else { None },
        times,
        bins,
        sums: total,
        last,
        has_contacts,
    };
    let tables = tables::all(&results);
    let figures = figures::all(&results, &tables[0], &options.fields);
    Ok(Profile { report: Report { figures, findings: findings::all(&results), tables, ..Report::default() }, fields })
}

fn bins_of(options: &Options, last: &Assembly) -> Result<Bins, AnalysisError> {
    let cell = &last.surroundings.cell;
    let region = match options.region {
        Some(region) => region.in_cell(cell),
        None => Region::around(last, options.axis)?,
    };
    let per_diameter = if options.axis == Axis::Radius { SHELLS_PER_DIAMETER } else { SLABS_PER_DIAMETER };
    let one = Bins::new(options.axis, region, 1, cell)?;
    let suiting = (one.width() / last.mean_diameter() * per_diameter).round().clamp(1.0, bins::MOST_BINS as f64);
    Bins::new(options.axis, region, options.bins.unwrap_or(suiting as u64), cell)
}
