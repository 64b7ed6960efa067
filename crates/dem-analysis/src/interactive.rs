//! The interactive picture of a run, of its frames as they are in its snapshots, and of the beginning of a scene.

use std::path::{Path, PathBuf};

use dem_core::DVec3;
use dem_io::snapshot::{Frame, FrameInfo, SnapshotReader};
use dem_page::PageWriter;
use dem_sim::builder::{self, LoadedScene, Surroundings};
use dem_sim::run::{
    Names, cell_edges, check_field, frame as frame_of_world, interactive_facets, interactive_fields, interactive_frame,
    interactive_scene,
};
use dem_view::ViewError;
use dem_view::interactive::{FieldSpec, FrameArrays, SceneArrays};

use crate::error::AnalysisError;

/// A snapshot file that is shown.
pub struct Recording {
    path: PathBuf,
    reader: SnapshotReader,
    setting: Setting,
}

/// What is known of a scene besides its frames.
struct Setting {
    title: String,
    names: Names,
    /// None if the scene cannot be read.
    around: Option<Surroundings>,
}

impl Recording {
    /// Opens a snapshot file. A scene in it that cannot be read, or whose meshes are not there, costs the walls, and nothing else.
    ///
    /// # Errors
    /// A file that is no snapshot file.
    pub fn open(path: &Path) -> Result<Self, AnalysisError> {
        let reader = SnapshotReader::open(path)?;
        let text = |name: &str| reader.metadata().get(name).map(String::as_str).unwrap_or_default();
        let folder = path.parent().unwrap_or(Path::new(""));
        let loaded = builder::parse_scene_in(folder, "scene of the snapshots", text("scene"), &[]);
        let around = loaded.as_ref().ok().and_then(|loaded| builder::surroundings(loaded).ok());
        let names = Names {
            materials: loaded.map(|loaded| loaded.scene.materials.keys().cloned().collect()).unwrap_or_default(),
            sources: text("sources").lines().map(str::to_owned).collect(),
        };
        let setting = Setting { title: text("title").to_owned(), names, around };
        Ok(Self { path: path.to_path_buf(), reader, setting })
    }

    /// Whether walls can be shown.
    pub fn knows_walls(&self) -> bool {
        self.setting.around.is_some()
    }

    /// Title of the run.
    pub fn title(&self) -> &str {
        &self.setting.title
    }

    /// Steps and times of the frames.
    pub fn frames(&self) -> &[FrameInfo] {
        self.reader.frames()
    }

    /// Whether the frames of another reading of the file continue those of this one.
    pub fn goes_on_in(&self, later: &Self) -> bool {
        later.frames().starts_with(self.frames()) && later.reader.metadata() == self.reader.metadata()
    }

    /// What is shown of a frame.
    ///
    /// # Errors
    /// A frame that there is not, or that cannot be read.
    pub fn arrays(&self, index: usize) -> Result<FrameArrays, AnalysisError> {
        let frame = self.reader.read(index)?;
        let fields = interactive_fields(&frame, &self.setting.names);
        self.setting.arrays(&frame, &fields)
    }

    /// What stays of the scene, from its first frame and those given.
    ///
    /// # Errors
    /// A field that there is not, a file without frames.
    pub fn scene<'a>(
        &self,
        first_field: &str,
        frames: impl IntoIterator<Item = &'a FrameArrays>,
    ) -> Result<SceneArrays, AnalysisError> {
        if self.frames().is_empty() {
            return Err(AnalysisError::Snapshots(format!("{} holds no frame", self.path.display())));
        }
        let frame = self.reader.read(0)?;
        let fields = interactive_fields(&frame, &self.setting.names);
        self.setting.scene(&frame, frames, fields, first_field)
    }

    /// The page that holds these frames.
    ///
    /// # Errors
    /// As [`Self::arrays`] and [`Self::scene`]; a page that would be too long.
    pub fn page(&self, frames: &[usize], first_field: &str) -> Result<String, AnalysisError> {
        // a mistaken name is told before all frames are read
        self.scene(first_field, [])?;
        let mut writer = PageWriter::new();
        let mut described = Vec::new();
        for &index in frames {
            let arrays = self.arrays(index)?;
            described.push(FrameArrays { columns: Vec::new(), ..arrays.clone() });
            writer.push(arrays).map_err(refused)?;
        }
        writer.finish(&self.scene(first_field, &described)?).map_err(refused)
    }
}

/// Spheres of all frames of a picture within another page: some 7 MB.
const WITHIN: usize = 150_000;
/// Most frames of it.
const FRAMES_WITHIN: usize = 20;

/// A short interactive picture of a snapshot file for a page about the run: as many frames at equal distances as keep it small, the last one among them. None
/// for a file without frames, and for one of which a single frame is large.
///
/// # Errors
/// As [`Recording::page`].
pub fn page_within(path: &Path) -> Result<Option<String>, AnalysisError> {
    let recording = Recording::open(path)?;
    let Some(last) = recording.frames().len().checked_sub(1) else { return Ok(None) };
    let count = recording.arrays(last)?.count;
    let frames = FRAMES_WITHIN.min(WITHIN / count.max(1)).min(last + 1);
    let chosen: Vec<usize> = match frames {
        0 => return Ok(None),
        1 => vec![last],
        _ => (0..frames).map(|k| k * last / (frames - 1)).collect(),
    };
    recording.page(&chosen, "height").map(Some)
}

impl Setting {
    fn arrays(&self, frame: &Frame, fields: &[FieldSpec]) -> Result<FrameArrays, AnalysisError> {
        let Some(around) = &self.around else {
            return interactive_frame(frame, &[], None, DVec3::Z, fields).map_err(refused);
        };
        let mut placed = around.clone();
        placed.place_walls(frame);
        if let Some(edges) = cell_edges(frame) {
            placed.cell.set_matrix(edges);
        }
        interactive_frame(frame, &placed.walls, Some(&placed.cell), placed.up, fields).map_err(refused)
    }

    fn scene<'a>(
        &self,
        frame: &Frame,
        frames: impl IntoIterator<Item = &'a FrameArrays>,
        fields: Vec<FieldSpec>,
        first_field: &str,
    ) -> Result<SceneArrays, AnalysisError> {
        check_field(first_field, &fields).map_err(refused)?;
        let up = self.around.as_ref().map_or(DVec3::Z, |around| around.up);
        let (walls, cell) = match &self.around {
            Some(around) => {
                let mut placed = around.clone();
                placed.place_walls(frame);
                (placed.walls, Some(placed.cell))
            }
            None => (Vec::new(), None),
        };
        let facets = interactive_facets(frame);
        Ok(interactive_scene(&self.title, up, &walls, cell.as_ref(), frames, fields, first_field, facets))
    }
}

/// The page of a scene as it is at its start; nothing is run.
///
/// # Errors
/// A scene that cannot be built, a field that there is not.
pub fn page_of_scene(loaded: &LoadedScene, first_field: &str) -> Result<String, AnalysisError> {
    let simulation = builder::build(loaded)?;
    let frame = frame_of_world(&simulation.world, false);
    let names = Names {
        materials: loaded.scene.materials.keys().cloned().collect(),
        sources: loaded.scene.particles.iter().map(|source| source.name.clone()).collect(),
    };
    let title = loaded.scene.title.clone();
    let setting = Setting { title, names, around: Some(builder::surroundings(loaded)?) };
    let fields = interactive_fields(&frame, &setting.names);
    let arrays = setting.arrays(&frame, &fields)?;
    let scene = setting.scene(&frame, [&arrays], fields, first_field)?;
    let mut writer = PageWriter::new();
    writer.push(arrays).map_err(refused)?;
    writer.finish(&scene).map_err(refused)
}

fn refused(error: ViewError) -> AnalysisError {
    AnalysisError::Snapshots(error.to_string())
}
