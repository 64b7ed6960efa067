//! Frames of a run directory, with what its scene puts around the particles.

use std::path::Path;
use std::sync::Arc;

use dem_core::DMat3;
use dem_io::snapshot::{Frame, SnapshotReader};
use dem_report::ReportError;
use dem_sim::builder;
use dem_sim::run::cell_edges;
use dem_sim::scene::Scene;

use super::assembly::Assembly;
use crate::error::AnalysisError;

/// Snapshots that were opened.
pub struct Source {
    reader: SnapshotReader,
    scene: builder::LoadedScene,
}

impl Source {
    /// Opens a run directory or a file of snapshots.
    ///
    /// # Errors
    /// A file that cannot be opened, is damaged, or holds no scene or no frame.
    pub fn open(path: &Path) -> Result<Self, AnalysisError> {
        let file = if path.is_dir() { path.join("snapshots.vtkhdf") } else { path.to_path_buf() };
        let reader = SnapshotReader::open(&file)?;
        if reader.frames().is_empty() {
            return Err(AnalysisError::Snapshots(format!("{} holds no frame", file.display())));
        }
        let text = reader.metadata().get("scene").map(String::as_str).unwrap_or_default();
        let folder = file.parent().unwrap_or(Path::new(""));
        let scene = builder::parse_scene_in(folder, "scene of the snapshots", text, &[])?;
        Ok(Self { reader, scene })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene.scene
    }

    /// Title of the scene.
    pub fn title(&self) -> &str {
        &self.scene.scene.title
    }

    /// Numbers of the frames over the time `window` \[s\] up to a frame, or of this frame only; at least one, in order. Negative numbers
    /// count from the end.
    ///
    /// # Errors
    /// A frame that does not exist, a window that is no time.
    pub fn frames(&self, last: i64, window: Option<f64>) -> Result<Vec<usize>, AnalysisError> {
        let frames = self.reader.frames();
        let count = frames.len() as i64;
        let index = if last < 0 { count.saturating_add(last) } else { last };
        if !(0..count).contains(&index) {
            let allowed = format!("{} to {} for {count} frames", -count, count - 1);
            return Err(ReportError::Option { option: "--frame", value: last.to_string(), allowed }.into());
        }
        let index = index as usize;
        let window = window.unwrap_or(0.0);
        if !(window >= 0.0 && window.is_finite()) {
            let allowed = "a time of at least 0 s".to_owned();
            return Err(ReportError::Option { option: "--window", value: window.to_string(), allowed }.into());
        }
        let from = frames[index].time - window;
        Ok((0..=index).filter(|&k| k == index || frames[k].time >= from).collect())
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// A damaged file, a scene that cannot be built, a cell that is sheared.
    pub fn assembly(&self, index: usize) -> Result<Assembly, AnalysisError> {
        let frame = self.reader.read(index)?;
        let mut surroundings = builder::surroundings(&self.scene)?;
        surroundings.place_walls(&frame);
        if self.scene.scene.stages.iter().any(|stage| stage.deform.is_some()) {
            surroundings.cell.set_matrix(edges_of_cell(&frame)?);
        }
        Assembly::new(&frame, Arc::new(surroundings))
    }
}

/// Edges of the cell of a frame, which lie along the axes, as columns \[m\].
fn edges_of_cell(frame: &Frame) -> Result<DMat3, AnalysisError> {
    let why = "the cell of the scene deforms, and they do not hold its edges";
    let edges = cell_edges(frame).ok_or_else(|| AnalysisError::Snapshots(why.to_owned()))?;
    let numbers = edges.to_cols_array();
    let along_the_axes = numbers
        .iter()
        .enumerate()
        .all(|(k, &number)| if k % 4 == 0 { number > 0.0 && number.is_finite() } else { number == 0.0 });
    if along_the_axes {
        return Ok(edges);
    }
    let why = format!("the cell at {} s is sheared or damaged; expected edges along the axes", frame.time);
    Err(AnalysisError::Snapshots(why))
}
