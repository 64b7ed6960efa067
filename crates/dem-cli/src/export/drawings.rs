//! Drawings of frames: contacts, walls, the cell and rigid bodies as lines, triangles and points, and surfaces as STL.

use std::path::{Path, PathBuf};

use dem_core::cell::Cell;
use dem_io::snapshot::{Frame, SnapshotReader, SnapshotWriter};
use dem_io::stl;
use dem_sim::builder::{self, Surroundings};
use dem_sim::run::{body_points, cell_edges, cell_lines, contact_lines, grain_surfaces, wall_surfaces};

use super::arguments::Arguments;
use super::frames::chosen;
use crate::failure::{ExitCode, Failure};
use crate::render::frame_index;
use crate::terminal::say;

/// What can be drawn of a frame; none if there is nothing of the kind.
type Drawing = fn(&Frame, &Surroundings, &Cell) -> Option<Frame>;

/// Files and what they hold.
const DRAWINGS: [(&str, Drawing); 4] = [
    ("contacts.vtkhdf", |frame, _, _| contact_lines(frame)),
    ("walls.vtkhdf", |frame, around, cell| {
        (!around.walls.is_empty()).then(|| wall_surfaces(frame, &around.walls, cell))
    }),
    ("cell.vtkhdf", |frame, _, cell| cell_lines(frame, cell)),
    ("bodies.vtkhdf", |frame, _, _| body_points(frame)),
];

/// Writes contacts, walls, the cell and rigid bodies of frames as lines, triangles and points.
pub fn export_drawings(reader: &SnapshotReader, path: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let frames = chosen(reader, path, arguments)?;
    let text = reader.metadata().get("scene").map(String::as_str).unwrap_or_default();
    let scene = builder::parse_scene_in(folder, "scene of the snapshots", text, &[])?;
    let mut around = builder::surroundings(&scene)?;
    let out = arguments.out.as_deref().unwrap_or(folder);
    std::fs::create_dir_all(out).map_err(dem_io::Error::system("create directory", out))?;
    let mut files = DRAWINGS.map(|(name, drawing)| (File { path: out.join(name), reader, writer: None }, drawing));
    for index in frames {
        let frame = reader.read(index)?;
        around.place_walls(&frame);
        let mut cell = around.cell;
        if let Some(edges) = cell_edges(&frame) {
            cell.set_matrix(edges);
        }
        for (file, drawing) in &mut files {
            if let Some(drawn) = drawing(&frame, &around, &cell) {
                file.append(&drawn)?;
            }
        }
    }
    let mut nothing = true;
    for (file, _) in files {
        if let Some(path) = file.finish()? {
            say!("{}", path.display());
            nothing = false;
        }
    }
    if nothing {
        let what = "holds neither contacts nor rigid bodies, and its scene has neither walls nor a bounded cell";
        return Err(Failure::input(format!("{} {what}", path.display())));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the surfaces of the grains of one frame.
pub fn export_surface(
    reader: &SnapshotReader,
    path: &Path,
    file: &Path,
    arguments: &Arguments,
) -> Result<ExitCode, Failure> {
    let index = frame_index(reader, path, arguments.frame.unwrap_or(-1))?;
    let frame = reader.read(index)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let text = reader.metadata().get("scene").map(String::as_str).unwrap_or_default();
    let scene = builder::parse_scene_in(folder, "scene of the snapshots", text, &[])?;
    let mut cell = builder::surroundings(&scene)?.cell;
    if let Some(edges) = cell_edges(&frame) {
        cell.set_matrix(edges);
    }
    let triangles = grain_surfaces(&frame, &cell, arguments.resolution).unwrap_or_default();
    if triangles.is_empty() {
        return Err(Failure::input(format!("{} holds no spheres in frame {index}", path.display())));
    }
    stl::write(file, &triangles)?;
    say!("{}", file.display());
    Ok(ExitCode::SUCCESS)
}

/// A file that takes its name when it is complete.
struct File<'a> {
    path: PathBuf,
    reader: &'a SnapshotReader,
    writer: Option<SnapshotWriter>,
}

impl File<'_> {
    fn unfinished(&self) -> PathBuf {
        self.path.with_extension("vtkhdf.part")
    }

    fn append(&mut self, frame: &Frame) -> Result<(), Failure> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let path = self.unfinished();
                if path.exists() {
                    std::fs::remove_file(&path).map_err(dem_io::Error::system("remove", &path))?;
                }
                self.writer.insert(SnapshotWriter::create(&path, self.reader.metadata())?)
            }
        };
        Ok(writer.append(frame)?)
    }

    /// Its name, if there is anything in it.
    fn finish(mut self) -> Result<Option<PathBuf>, Failure> {
        if self.writer.take().is_none() {
            return Ok(None);
        }
        std::fs::rename(self.unfinished(), &self.path)
            .map_err(dem_io::Error::system("rename a new file to", &self.path))?;
        Ok(Some(self.path.clone()))
    }
}

impl Drop for File<'_> {
    fn drop(&mut self) {
        if self.writer.is_some() {
            // the failure was reported; the partial file is of no use
            let _ = std::fs::remove_file(self.unfinished());
        }
    }
}
