//! `dem new`: a scene to begin with.

mod templates;

use std::path::{Path, PathBuf};

use clap::Args;

use self::templates::{TEMPLATES, Template};
use crate::failure::{ExitCode, Failure};
use crate::new_files::write_new;
use crate::run::default_directory;
use crate::shell;
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Name of the scene: NAME.toml is written, with what it needs in a folder NAME beside it. Nothing is overwritten.
    #[arg(required_unless_present = "list")]
    name: Option<PathBuf>,
    /// Scene to begin with: container, hopper, drum, triaxial, heap or mixer.
    #[arg(long, value_name = "TEMPLATE", default_value = "container")]
    template: String,
    /// List the templates.
    #[arg(long, conflicts_with = "name")]
    list: bool,
}

impl Arguments {
    /// Whether only the list is asked for.
    pub fn lists(&self) -> bool {
        self.list
    }
}

/// Writes a scene and says which commands come next.
pub fn new(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(name) = arguments.name.as_ref().filter(|_| !arguments.list) else {
        say!("{}", list());
        return Ok(ExitCode::SUCCESS);
    };
    let chosen = TEMPLATES.iter().find(|template| template.name == arguments.template);
    let template = chosen.ok_or_else(|| {
        Failure::input(format!("--template {}: expected one of these templates\n{}", arguments.template, list()))
    })?;
    let scene = scene_path(name)?;
    write_new(&files(template, &scene))?;
    tell_next(template, &scene);
    Ok(ExitCode::SUCCESS)
}

/// The templates, a line each.
fn list() -> String {
    let lines =
        TEMPLATES.iter().map(|Template { name, about, run_time, .. }| format!("{name:<10} {run_time:>5}  {about}"));
    let heading = format!("{:<10} {:>5}  on two cores", "template", "runs");
    std::iter::once(heading).chain(lines).collect::<Vec<_>>().join("\n")
}

/// The file of a scene that is named with or without its suffix.
fn scene_path(name: &Path) -> Result<PathBuf, Failure> {
    let refused = |expected: &str| Failure::input(format!("NAME = {:?}, {expected}", name.display().to_string()));
    let last = name.file_name().and_then(|last| last.to_str()).unwrap_or_default();
    let stem = last.strip_suffix(".toml").unwrap_or(last);
    // it stands in the scene, in commands and in names of directories
    let is_plain = |c: char| c.is_alphanumeric() || " _-.".contains(c);
    if stem.trim_matches(['.', ' ']).is_empty() || stem.starts_with('-') || !stem.chars().all(is_plain) {
        return Err(refused("expected letters and digits, with spaces, _, - and . between them"));
    }
    if name.parent().is_some_and(|folder| folder != Path::new("") && !folder.is_dir()) {
        return Err(refused("whose folder does not exist"));
    }
    Ok(name.with_file_name(format!("{stem}.toml")))
}

/// What is written where: the scene after the files that it names.
fn files(template: &Template, scene: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = scene.with_extension("");
    let beside = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut text = template.scene.to_owned();
    let mut all = Vec::new();
    for &(file, bytes) in template.files {
        text = text.replace(&format!("\"{file}\""), &format!("\"{beside}/{file}\""));
        all.push((folder.join(file), bytes.to_vec()));
    }
    all.push((scene.to_path_buf(), text.into_bytes()));
    all
}

fn tell_next(template: &Template, scene: &Path) {
    let run = default_directory(scene, "");
    let movie = shell::path(&run.with_extension("gif"));
    let (scene, run) = (shell::path(scene), shell::path(&run));
    say!("{scene}: {}", template.about);
    say!();
    say!("next");
    say!("  dem check {scene}");
    say!("  dem run {scene}            # {} on two cores", template.run_time);
    say!("  dem view {run} --open");
    say!("  dem render {run} --frames all --out {movie}");
}
