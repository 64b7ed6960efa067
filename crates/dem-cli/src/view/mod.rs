//! `dem view`

mod frames;
mod live;
mod loopback;

use std::path::{Path, PathBuf};

use clap::Args;
use dem_analysis::interactive::{Recording, page_of_scene};
use dem_page::GENERATOR;
use dem_sim::builder::load_scene;

use crate::failure::{ExitCode, Failure, expect_suffix};
use crate::shell;
use crate::terminal::say;
use frames::chosen_frames;
use live::Live;

/// Name of the page in the directory of a run.
const PAGE: &str = "view.html";
/// Length of a page beyond which it is said how to make it shorter \[byte\].
const LONG: usize = 50_000_000;
/// Port that is served if none is asked for.
const PORT: &str = "8642";

#[derive(Args)]
pub struct Arguments {
    /// Run directory, snapshot file, or a scene, which is shown as it is at its start.
    source: PathBuf,
    /// Page to write. Default: view.html beside the snapshots, the name of a scene with .html in the present directory.
    #[arg(long, value_name = "FILE", conflicts_with = "serve")]
    out: Option<PathBuf>,
    /// Frames of the page: all, one number, or a range FIRST..LAST or FIRST..LAST:EVERY, either end of which may be left out; negative numbers count
    /// from the end.
    #[arg(long, value_name = "FRAMES", default_value = "all", allow_hyphen_values = true, conflicts_with = "serve")]
    frames: String,
    /// Field that colours the spheres at first: height, speed, a column of the snapshots, body, or a column of rigid bodies as in bodies/mass.
    #[arg(long, alias = "color", default_value = "height")]
    colour: String,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Serve the picture to browsers of this machine instead of writing a page, for runs that are too large for one and for a run in progress,
    /// whose new frames appear by themselves; port 0 takes any that is free.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = PORT)]
    serve: Option<u16>,
    /// Replace a file that dem view has not written.
    #[arg(long, conflicts_with = "serve")]
    force: bool,
}

/// Writes or serves an interactive picture.
pub fn view(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(out) = &arguments.out {
        expect_suffix("--out", out, &["html"])?;
    }
    let source = &arguments.source;
    if source.extension().is_some_and(|extension| extension == "toml") {
        return view_scene(arguments);
    }
    let path = snapshots_in(source)?;
    if let Some(port) = arguments.serve {
        return serve(&path, port, arguments);
    }
    let out = arguments.out.clone().unwrap_or_else(|| path.with_file_name(PAGE));
    check_out(&out, arguments.force)?;
    let recording = Recording::open(&path)?;
    note_missing_walls(recording.knows_walls());
    let frames = chosen_frames(&arguments.frames, recording.frames().len())
        .map_err(|why| Failure::input(format!("--frames {}: {} {why}", arguments.frames, path.display())))?;
    let page = recording.page(&frames, &arguments.colour)?;
    if page.len() > LONG {
        let megabytes = page.len() / 1_000_000;
        tracing::warn!(
            "the page has {megabytes} MB, which browsers are slow to open: take fewer frames, as with --frames ..:{}, or use --serve, which sends a frame when it is looked at",
            (page.len() / LONG + 1).max(2)
        );
    }
    write(&out, &page, arguments)
}

/// Shows a scene before it runs.
fn view_scene(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let source = &arguments.source;
    if arguments.serve.is_some() || arguments.frames != "all" {
        let option = if arguments.serve.is_some() { "--serve" } else { "--frames" };
        return Err(Failure::input(format!("{option}: {} is a scene, expected a run", source.display())));
    }
    let name = source.file_stem().unwrap_or(source.as_os_str());
    let out = arguments.out.clone().unwrap_or_else(|| Path::new(name).with_extension("html"));
    check_out(&out, arguments.force)?;
    let page = page_of_scene(&load_scene(source, &[])?, &arguments.colour)?;
    write(&out, &page, arguments)
}

/// The snapshot file of a directory, or the file itself.
fn snapshots_in(source: &Path) -> Result<PathBuf, Failure> {
    if !source.is_dir() {
        return Ok(source.to_path_buf());
    }
    let path = source.join("snapshots.vtkhdf");
    if path.exists() {
        return Ok(path);
    }
    let what =
        "holds no snapshots.vtkhdf, expected the directory of a run that writes snapshots, a snapshot file or a scene";
    Err(Failure::input(format!("{} {what}", source.display())))
}

fn note_missing_walls(knows_walls: bool) {
    if !knows_walls {
        tracing::warn!("the snapshots do not hold a readable scene: walls are left out");
    }
}

/// Refuses to replace what a user has written.
fn check_out(out: &Path, force: bool) -> Result<(), Failure> {
    if force || out.symlink_metadata().is_err() {
        return Ok(());
    }
    let head = dem_io::regular_file::read(out).map_err(dem_io::Error::system("read", out))?;
    // pages begin with what wrote them
    let is_own = String::from_utf8_lossy(&head[..head.len().min(512)]).contains(GENERATOR);
    if is_own {
        return Ok(());
    }
    Err(Failure::input(format!("{} exists and is no page of dem view: give another --out, or --force", out.display())))
}

fn write(out: &Path, page: &str, arguments: &Arguments) -> Result<ExitCode, Failure> {
    dem_io::atomic::write_atomically(out, page.as_bytes())?;
    say!("{}", out.display());
    if arguments.open {
        let address = std::path::absolute(out).map_err(dem_io::Error::system("find", out))?;
        open_in_browser(&address);
    }
    Ok(ExitCode::SUCCESS)
}

/// A browser that does not open is no failure: the page is there, and its address is said.
fn open_in_browser(address: impl AsRef<std::ffi::OsStr>) {
    if let Err(error) = open::that_detached(address) {
        tracing::warn!("no browser could be opened: {error}");
    }
}

/// Answers browsers until it is interrupted.
fn serve(path: &Path, port: u16, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let live = Live::open(path, &arguments.colour)?;
    note_missing_walls(live.knows_walls());
    let listener = loopback::listen(port).map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => "another program uses this port".to_owned(),
            _ => error.to_string(),
        };
        Failure::input(format!("--serve {port}: {why}, expected a free port; 0 takes any"))
    })?;
    let key = loopback::key().map_err(Failure::input)?;
    let port = listener.local_addr().map_err(Failure::input)?.port();
    let address = format!("http://127.0.0.1:{port}/{key}/");
    say!("{address}");
    let run = shell::path(path.parent().unwrap_or(path));
    tracing::info!("serves {run} to browsers of this machine; Ctrl-C ends it");
    tracing::info!("from another machine: ssh -N -L {port}:127.0.0.1:{port} USER@HOST there, then the same address");
    if arguments.open {
        open_in_browser(&address);
    }
    loopback::serve(&listener, &key, move |path| live.answer(path));
    Ok(ExitCode::SUCCESS)
}
