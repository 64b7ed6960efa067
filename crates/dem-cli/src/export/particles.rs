//! Particles of frames in files that other programs read.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use dem_core::cell::Cell;
use dem_io::atomic::{Unfinished, write_atomically};
use dem_io::exchange::{
    OutgoingCell, ParticleFrame, collection, write_csv, write_extended_xyz, write_lammps_dump, write_vtp,
};
use dem_io::snapshot::{Cells, Frame, SnapshotReader};
use dem_sim::builder;
use dem_sim::run::{cell_edges, contact_lines};

use super::arguments::{Arguments, ParticleFormat};
use super::files::{Targets, expect_free};
use super::frames::chosen;
use super::selection::{Selected, Selection};
use crate::failure::{ExitCode, Failure};
use crate::terminal::say;

/// Length of a cell beyond which it has no end \[m\].
const ENDLESS: f64 = 1e50;

/// Writes particles of frames.
pub fn export_particles(
    reader: &SnapshotReader,
    snapshots: &Path,
    format: ParticleFormat,
    arguments: &Arguments,
) -> Result<ExitCode, Failure> {
    if arguments.contacts && format != ParticleFormat::Vtp {
        return Err(Failure::input(format!("--contacts: {} has no lines, expected --format vtp", format.name())));
    }
    let folder = snapshots.parent().unwrap_or(Path::new(""));
    let frames = chosen(reader, snapshots, arguments)?;
    let targets = Targets::of(arguments, format, folder, frames.len())?;
    let lines =
        |name: &str| reader.metadata().get(name).map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let materials = lines("materials").unwrap_or_default();
    let cell = cell_of(reader, folder);
    let selection = Selection::new(arguments, format, &materials, &cell)?;
    let files = Files { format, targets, force: arguments.force, with_contacts: arguments.contacts };
    files.expect_free(&frames)?;
    let (mut written, mut particles, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
    let mut one: Option<BufWriter<Unfinished>> = None;
    let mut is_nothing = true;
    for &index in &frames {
        let frame = reader.read(index)?;
        if index == frames[0] {
            selection.check(arguments, &frame)?;
        }
        let mut cell = cell;
        if let Some(edges) = cell_edges(&frame) {
            cell.set_matrix(edges);
        }
        let selected = selection.of(&frame);
        is_nothing &= selected.positions.is_empty();
        let outgoing = outgoing(&frame, &selected, &cell, &materials);
        let path = files.targets.file(format, index);
        if let (Targets::One(path), true) = (&files.targets, format.holds_many()) {
            let is_first = one.is_none();
            let out = match &mut one {
                Some(out) => out,
                None => one.insert(BufWriter::new(begin(path)?)),
            };
            let done = match format {
                ParticleFormat::Xyz => write_extended_xyz(out, &outgoing),
                _ => write_lammps_dump(out, &outgoing, is_first),
            };
            done.map_err(dem_io::Error::system("write", path))?;
        } else {
            save(&path, |out| match format {
                ParticleFormat::Vtp => {
                    write_vtp(out, frame.time, Cells::Vertices, &selected.positions, &selected.columns)
                }
                _ => write_csv(out, &outgoing),
            })?;
            particles.push((frame.time, path.clone()));
            written.push(path);
        }
        if arguments.contacts {
            let lines = contact_lines(&frame).ok_or_else(|| {
                let what = "holds no contacts, which `contacts = true` in [output] of the scene adds";
                Failure::input(format!("frame {index} of {} {what}", snapshots.display()))
            })?;
            let path = files.targets.contacts(index);
            let Selected { positions, columns } = selection.of_lines(&frame, &lines);
            save(&path, |out| write_vtp(out, frame.time, Cells::Lines, &positions, &columns))?;
            contacts.push((frame.time, path.clone()));
            written.push(path);
        }
    }
    if let (Some(out), Targets::One(path)) = (one, &files.targets) {
        let unfinished = out.into_inner().map_err(|error| dem_io::Error::system("write", path)(error.into_error()))?;
        unfinished.finish_as(path)?;
        written.push(path.clone());
    }
    if let (Targets::Each(directory), ParticleFormat::Vtp) = (&files.targets, format) {
        for (name, list) in [("particles.pvd", &particles), ("contacts.pvd", &contacts)] {
            if !list.is_empty() {
                let path = directory.join(name);
                write_atomically(&path, collection(&beside(list)).as_bytes())?;
                written = vec![path].into_iter().chain(written).collect();
            }
        }
    }
    if is_nothing {
        tracing::warn!("no particle is in the region and the groups that were asked for: the files hold none");
    }
    for path in written {
        say!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Files to write.
struct Files {
    format: ParticleFormat,
    targets: Targets,
    force: bool,
    with_contacts: bool,
}

impl Files {
    /// Refuses to begin if one of them is there.
    fn expect_free(&self, frames: &[usize]) -> Result<(), Failure> {
        for &index in frames {
            expect_free(&self.targets.file(self.format, index), self.force)?;
            if self.with_contacts {
                expect_free(&self.targets.contacts(index), self.force)?;
            }
        }
        let directory = match &self.targets {
            Targets::Each(directory) => directory.as_path(),
            Targets::One(path) => path.parent().unwrap_or(Path::new("")),
        };
        if !directory.as_os_str().is_empty() {
            std::fs::create_dir_all(directory).map_err(dem_io::Error::system("create directory", directory))?;
        }
        Ok(())
    }
}

/// A file that takes its name when it is complete.
fn begin(path: &Path) -> Result<Unfinished, Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(Unfinished::begin(folder)?)
}

/// Writes a file as a whole.
fn save(path: &Path, write: impl FnOnce(&mut BufWriter<Unfinished>) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(begin(path)?);
    write(&mut out).and_then(|()| out.flush()).map_err(dem_io::Error::system("write", path))?;
    let unfinished = out.into_inner().map_err(|error| dem_io::Error::system("write", path)(error.into_error()))?;
    Ok(unfinished.finish_as(path)?)
}

/// Times and names of files beside a collection.
fn beside(files: &[(f64, PathBuf)]) -> Vec<(f64, String)> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(|(time, path)| (*time, name(path))).collect()
}

/// The cell of the scene in the snapshots, without limits if there is no readable scene.
fn cell_of(reader: &SnapshotReader, folder: &Path) -> Cell {
    let text = reader.metadata().get("scene").map(String::as_str).unwrap_or_default();
    let loaded = builder::parse_scene_in(folder, "scene of the snapshots", text, &[]);
    match loaded.and_then(|loaded| builder::surroundings(&loaded)) {
        Ok(around) => around.cell,
        Err(_) => {
            tracing::warn!("the snapshots do not hold a readable scene: the cell is left out");
            Cell::unbounded()
        }
    }
}

fn outgoing<'a>(frame: &Frame, selected: &'a Selected, cell: &Cell, materials: &'a [String]) -> ParticleFrame<'a> {
    let matrix = cell.matrix();
    let edges = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let has_ends = edges.iter().all(|edge| edge.length() < ENDLESS);
    ParticleFrame {
        step: frame.step,
        time: frame.time,
        cell: has_ends.then_some(OutgoingCell { origin: cell.origin, edges, periodic: cell.periodic }),
        positions: &selected.positions,
        columns: &selected.columns,
        materials,
    }
}
