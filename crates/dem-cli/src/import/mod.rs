//! `dem import`

mod arguments;
mod materials;
mod notes;
mod particles;
mod scene;
mod units;

use std::path::{Path, PathBuf};

use dem_io::atomic::write_atomically;
use dem_io::exchange::{ForeignFormat, ForeignState, ReadRequest, read};
use dem_sim::builder;

pub use self::arguments::Arguments;
use self::notes::Notes;
use self::units::Units;
use crate::failure::{ExitCode, Failure};
use crate::quantity::quantity;
use crate::terminal::say;

/// Makes a table and a scene out of a file of another code.
pub fn import(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let file = &arguments.file;
    let (table, scene) = outputs(arguments)?;
    let request = ReadRequest { format: arguments.format()?, frame: arguments.frame, ..ReadRequest::default() };
    let density = arguments.density.as_deref().map(|text| quantity("--density", "kg/m^3", text)).transpose()?;
    if let Some(density) = density.filter(|density| *density <= 0.0) {
        return Err(Failure::input(format!("--density = {density}, expected a density above 0")));
    }
    let mut state = read(file, request).map_err(Failure::input)?;
    if state.particles.is_empty() {
        return Err(Failure::input(format!("{} holds no particles in frame {}", file.display(), state.frame)));
    }
    let mut notes =
        Notes { assumed: std::mem::take(&mut state.assumed), left_out: std::mem::take(&mut state.left_out) };
    let units = Units::of(&state, arguments, &mut notes)?;
    units.apply(&mut state).map_err(|why| Failure::input(format!("{}: {why}", file.display())))?;
    let materials = materials::of(&state, density, &mut notes);
    let placed =
        particles::place(&mut state, &mut notes).map_err(|why| Failure::input(format!("{}: {why}", file.display())))?;
    let source = described(file, &state);
    let table_name = table.file_name().unwrap_or_default().to_string_lossy();
    let text = scene::text(&source, &table_name, &state, &materials, &placed, &mut notes);
    let rows = particles::table(&state, &materials);
    tried(&text, &rows, &table_name)?;
    write_atomically(&table, &rows)?;
    write_atomically(&scene, text.as_bytes())?;
    say!("{source}");
    notes.assumed.iter().for_each(|note| say!("assumed: {note}"));
    notes.left_out.iter().for_each(|note| say!("left out: {note}"));
    say!("{}", table.display());
    say!("{}", scene.display());
    Ok(ExitCode::SUCCESS)
}

/// Paths of the table and the scene; nothing that is there is replaced.
fn outputs(arguments: &Arguments) -> Result<(PathBuf, PathBuf), Failure> {
    let stem = match &arguments.out {
        Some(out) => out.clone(),
        None => {
            let name = arguments.file.file_name().unwrap_or_default().to_string_lossy();
            // `dump.lammps.gz` is `dump`
            PathBuf::from(name.split('.').find(|part| !part.is_empty()).unwrap_or("imported"))
        }
    };
    let name = stem.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".toml").or(name.strip_suffix(".csv")).unwrap_or(&name);
    if name.is_empty() || name.contains(dem_io::is_harmful) || name.contains(['"', '\\']) {
        return Err(Failure::input(format!(
            "--out {}: expected a plain name for NAME.csv and NAME.toml",
            stem.display()
        )));
    }
    let both = (stem.with_file_name(format!("{name}.csv")), stem.with_file_name(format!("{name}.toml")));
    for path in [&both.0, &both.1] {
        if path.exists() {
            return Err(Failure::input(format!("{} is there, expected another name with --out", path.display())));
        }
    }
    let folder = stem.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Failure::input(format!("--out {}: there is no directory {}", stem.display(), folder.display())));
    }
    Ok(both)
}

/// The source of the particles in a sentence.
fn described(file: &Path, state: &ForeignState) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let step = state.step.map_or_else(String::new, |step| format!(", step {step}"));
    let single = matches!(state.format, ForeignFormat::LammpsData | ForeignFormat::Yade | ForeignFormat::Pfc);
    let frame = if single { String::new() } else { format!(", frame {}", state.frame) };
    format!("{name} ({}{frame}{step}): {} particles", state.format.name(), state.particles.len())
}

/// Builds the scene from both files in a folder of their own, so that none is left that `dem check` refuses.
fn tried(text: &str, rows: &[u8], table_name: &str) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(dem_io::Error::system("create directory", &std::env::temp_dir()))?;
    let (table, scene) = (folder.path().join(table_name), folder.path().join("imported.toml"));
    std::fs::write(&table, rows).map_err(dem_io::Error::system("write", &table))?;
    std::fs::write(&scene, text).map_err(dem_io::Error::system("write", &scene))?;
    let built = builder::load_scene(&scene, &[]).and_then(|loaded| builder::build(&loaded).map(|_| ()));
    built.map_err(|error| {
        Failure::input(format!("no scene can be made of this file; that which was tried says:\n{error}"))
    })
}
