//! `dem examples`: the examples of the repository, which are in the program.

mod shipped;

use std::path::{Path, PathBuf};

use clap::Args;

use self::shipped::{SHIPPED, Shipped};
use crate::failure::{ExitCode, Failure};
use crate::new_files::write_new;
use crate::shell;
use crate::terminal::{say, say_text};

#[derive(Args)]
pub struct Arguments {
    /// Print this example. Default: list all.
    name: Option<String>,
    /// Copy the example with the files it needs, or all of them, into a folder. Default: the present one. Nothing is overwritten.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    copy: Option<PathBuf>,
}

impl Arguments {
    /// Whether files are written.
    pub fn copies(&self) -> bool {
        self.copy.is_some()
    }
}

/// Lists the examples, prints one, or copies what is asked for.
pub fn examples(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let chosen = arguments.name.as_deref().map(find).transpose()?;
    match (&arguments.copy, chosen) {
        (None, None) => list(),
        (None, Some(example)) => say_text(format_args!("{}", example.text())),
        (Some(folder), None) => copy(folder, &SHIPPED.iter().collect::<Vec<_>>())?,
        (Some(folder), Some(example)) => copy(folder, &example.with_files())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The example of a name, with or without its suffix.
fn find(name: &str) -> Result<&'static Shipped, Failure> {
    let found = SHIPPED.iter().find(|example| example.path == name || example.name() == Some(name));
    found.ok_or_else(|| {
        let near = dem_io::nearest(name, SHIPPED.iter().filter_map(Shipped::name));
        let hint = near.map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        Failure::input(format!("there is no example {name:?}{hint}; `dem examples` lists them"))
    })
}

/// Scenes with how long they run and their titles.
fn list() {
    let scenes: Vec<&Shipped> = SHIPPED.iter().filter(|example| example.name().is_some()).collect();
    let widest = |text: fn(&Shipped) -> &str| scenes.iter().map(|scene| text(scene).chars().count()).max().unwrap_or(0);
    let [name, time] = [widest(|scene| scene.name().unwrap_or("")), widest(Shipped::run_time)];
    say!("{:name$}  {:>time$}  on two cores", "example", "runs");
    for scene in scenes {
        say!("{:name$}  {:>time$}  {}", scene.name().unwrap_or(""), scene.run_time(), scene.title());
    }
}

fn copy(folder: &Path, examples: &[&Shipped]) -> Result<(), Failure> {
    // the present folder needs no name
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    let files: Vec<_> = examples.iter().map(|example| (folder.join(example.path), example.bytes.to_vec())).collect();
    write_new(&files)?;
    for (path, _) in &files {
        say!("{}", path.display());
    }
    if let Some(first) = examples.first() {
        say!("\nnext: dem run {}", shell::path(&folder.join(first.path)));
    }
    Ok(())
}
