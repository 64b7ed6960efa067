//! `dem info`

use std::path::{Path, PathBuf};

use clap::Args;
use dem_analysis::ensemble::is_ensemble;
use dem_io::checkpoint::CheckpointReader;
use dem_io::snapshot::SnapshotReader;
use dem_report::output_directory::MEMBERS;
use dem_sim::builder::load_scene;
use dem_sim::checkpoint;
use serde_json::{Map, Value, json};

use crate::failure::{ExitCode, Failure};
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Run directory, checkpoint, snapshot file or scene.
    path: PathBuf,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows what a file or a run directory holds.
pub fn info(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let path = &arguments.path;
    let found = if path.is_dir() {
        directory(path)?
    } else {
        match path.extension().and_then(|e| e.to_str()) {
            Some("ckpt") => vec![checkpoint(path)?],
            Some("vtkhdf" | "hdf5" | "h5") => vec![snapshots(path)?],
            Some("toml") => vec![scene(path)?],
            _ => {
                return Err(Failure::input(format!(
                    "{}: expected a run directory, a .ckpt, a .vtkhdf or a .toml file",
                    path.display()
                )));
            }
        }
    };
    if arguments.json {
        say!("{:#}", found.iter().map(Holding::to_json).collect::<Value>());
    } else {
        found.iter().for_each(Holding::print);
    }
    Ok(ExitCode::SUCCESS)
}

/// What a file holds.
struct Holding {
    kind: &'static str,
    path: PathBuf,
    facts: Vec<(String, String)>,
    /// A summary, as it stands in its file.
    text: Option<String>,
}

impl Holding {
    fn new(kind: &'static str, path: &Path) -> Self {
        Self { kind, path: path.to_path_buf(), facts: Vec::new(), text: None }
    }

    fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.facts.push((name.to_owned(), value.to_string()));
        self
    }

    fn print(&self) {
        say!("{} {}", self.kind, self.path.display());
        if let Some(text) = &self.text {
            say!("{text}");
        }
        let width = self.facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(12);
        for (name, value) in &self.facts {
            say!("  {name:width$} {value}");
        }
    }

    fn to_json(&self) -> Value {
        let facts: Map<String, Value> = self.facts.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let summary = self.text.as_ref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        json!({ "kind": self.kind, "path": self.path.display().to_string(), "facts": facts, "summary": summary })
    }
}

fn scene(path: &Path) -> Result<Holding, Failure> {
    let loaded = load_scene(path, &[])?;
    let scene = &loaded.scene;
    Ok(Holding::new("scene", path)
        .with("title", &scene.title)
        .with("fingerprint", checkpoint::scene_fingerprint(&loaded.resolved()))
        .with("law", &scene.contact.law)
        .with("materials", scene.materials.keys().cloned().collect::<Vec<_>>().join(", "))
        .with("walls", scene.walls.len())
        .with("sources", scene.particles.len())
        .with("stages", scene.stages.len()))
}

fn directory(path: &Path) -> Result<Vec<Holding>, Failure> {
    let mut run = Holding::new("run", path);
    run.text = dem_io::regular_file::read_to_string(&path.join("summary.json")).ok();
    let mut rest = Vec::new();
    let frames = path.join("snapshots.vtkhdf");
    if frames.exists() {
        rest.push(snapshots(&frames)?);
    }
    for (_, state) in dem_io::checkpoint_folder::list(&path.join("checkpoints"))? {
        rest.push(checkpoint(&state)?);
    }
    if run.text.is_none() && rest.is_empty() {
        let what = if is_ensemble(path) {
            format!("an ensemble: its runs are in {}", path.join(MEMBERS).display())
        } else {
            "no run: it has neither summary.json nor snapshots nor checkpoints".to_owned()
        };
        return Err(Failure::input(format!("{} holds {what}", path.display())));
    }
    rest.insert(0, run);
    Ok(rest)
}

fn checkpoint(path: &Path) -> Result<Holding, Failure> {
    let reader =
        CheckpointReader::open(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let facts =
        checkpoint::describe(&reader).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let mut found = Holding::new("checkpoint", path);
    found.facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(found)
}

fn snapshots(path: &Path) -> Result<Holding, Failure> {
    let reader = SnapshotReader::open(path)?;
    let mut found = Holding::new("snapshots", path);
    for (name, value) in reader.metadata() {
        if name != "scene" {
            found = found.with(name, value.replace('\n', ", "));
        }
    }
    let frames = reader.frames();
    found = found.with("frames", frames.len());
    if let (Some(first), Some(last)) = (frames.first(), frames.last()) {
        found = found.with("from", format!("step {}, t = {} s", first.step, first.time));
        found = found.with("to", format!("step {}, t = {} s", last.step, last.time));
    }
    Ok(found)
}
