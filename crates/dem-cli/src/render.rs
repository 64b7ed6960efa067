//! `dem render`

use std::path::{Path, PathBuf};

use clap::Args;
use dem_core::DVec3;
use dem_io::snapshot::{Frame, SnapshotReader};
use dem_report::given::quantities;
use dem_sim::builder::{self, Surroundings};
use dem_sim::run::{PictureRequest, render_frame};

use crate::failure::{ExitCode, Failure, expect_suffix};
use crate::quantity::{degrees, share};
use crate::run::default_directory;
use crate::shell;
use crate::terminal::say;

#[derive(Args)]
pub struct Arguments {
    /// Snapshot file or run directory.
    source: PathBuf,
    /// Number of the frame; negative counts from the end.
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    frame: i64,
    /// PNG to write. Default: render.png beside the snapshots.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Field that colours the spheres: height, speed, a column of the snapshots, body, or a column of rigid bodies as in bodies/mass.
    #[arg(long, alias = "color", default_value = "height")]
    colour: String,
    /// Range of the colours, for example 0,0.1. Default: that of the values.
    #[arg(long, value_name = "MIN,MAX", allow_hyphen_values = true)]
    range: Option<String>,
    /// Angle of the eye about the vertical, plain in degrees or as in "0.5 rad"; 0 looks from the +x side.
    #[arg(long, default_value_t = -60.0, allow_hyphen_values = true, value_parser = degrees)]
    azimuth: f64,
    /// Angle of the eye above the horizontal, plain in degrees or with a unit.
    #[arg(long, default_value_t = 20.0, allow_hyphen_values = true, value_parser = degrees)]
    elevation: f64,
    /// Magnification.
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    zoom: f64,
    /// Point in the middle of the picture as x,y,z with a unit, for example "0,0,40 mm".
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    look_at: Option<String>,
    /// Parallel projection.
    #[arg(long)]
    orthographic: bool,
    /// Clip the half-space beyond a plane: point and normal as x,y,z,nx,ny,nz, the point with a unit unless
    /// it is the origin, for example "0,0,40 mm,0,-1,0".
    #[arg(long, value_name = "X,Y,Z,NX,NY,NZ", allow_hyphen_values = true)]
    cut: Option<String>,
    /// Size of the picture in pixels, for example 1600x1200.
    #[arg(long, default_value = "1600x1200")]
    size: String,
    /// Leave the walls out.
    #[arg(long)]
    no_walls: bool,
}

/// Draws a picture of a frame.
pub fn render(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(out) = &arguments.out {
        expect_suffix("--out", out, &["png"])?;
    }
    let path =
        if arguments.source.is_dir() { arguments.source.join("snapshots.vtkhdf") } else { arguments.source.clone() };
    refuse_scene(&path, "render")?;
    let reader = SnapshotReader::open(&path)?;
    let frame = reader.read(frame_index(&reader, &path, arguments.frame)?)?;
    let empty = String::new();
    let text = reader.metadata().get("scene").unwrap_or(&empty);
    let surroundings = surroundings_of(text, path.parent().unwrap_or(Path::new("")), &frame);
    if surroundings.is_none() {
        tracing::warn!("the snapshot does not hold a readable scene: walls are left out");
    }
    let (walls, up) = surroundings.map_or_else(|| (Vec::new(), DVec3::Z), |around| (around.walls, around.up));
    let request = PictureRequest {
        colour: arguments.colour.clone(),
        azimuth: arguments.azimuth,
        elevation: arguments.elevation,
        zoom: arguments.zoom,
        look_at: arguments.look_at.as_deref().map(|text| point("--look-at", text)).transpose()?,
        orthographic: arguments.orthographic,
        cut: arguments.cut.as_deref().map(parse_cut).transpose()?,
        range: arguments.range.as_deref().map(parse_range).transpose()?,
        size: parse_size(&arguments.size)?,
        walls: !arguments.no_walls,
    };
    let title = reader.metadata().get("title").unwrap_or(&empty);
    let image = render_frame(&frame, &walls, up, title, &request).map_err(Failure::input)?;
    let out = arguments.out.clone().unwrap_or_else(|| path.parent().unwrap_or(Path::new("")).join("render.png"));
    dem_io::atomic::write_atomically(&out, &image)?;
    say!("{}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// Says of a scene that it is none of the results that a command takes.
pub fn refuse_scene(path: &Path, command: &str) -> Result<(), Failure> {
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(());
    }
    let (scene, out) = (shell::path(path), shell::path(&default_directory(path, "")));
    Err(Failure::input(format!(
        "{} is a scene, expected the results of a run of it: dem run {scene}, then dem {command} {out}",
        path.display()
    )))
}

/// Index of a frame of the snapshots in `path`; negative numbers count from the end.
pub fn frame_index(reader: &SnapshotReader, path: &Path, number: i64) -> Result<usize, Failure> {
    let count = reader.frames().len() as i64;
    let index = if number < 0 { count.saturating_add(number) } else { number };
    if !(0..count).contains(&index) {
        return Err(Failure::input(format!(
            "--frame {number}: {} has {count} frames, expected {} to {}",
            path.display(),
            -count,
            count - 1
        )));
    }
    Ok(index as usize)
}

/// What the scene stored in the file puts around the particles of a frame; meshes are next to the file.
fn surroundings_of(scene: &str, folder: &Path, frame: &Frame) -> Option<Surroundings> {
    let loaded = builder::parse_scene_in(folder, "snapshot", scene, &[]);
    let mut surroundings = loaded.and_then(|loaded| builder::surroundings(&loaded)).ok()?;
    surroundings.place_walls(frame);
    Some(surroundings)
}

fn numbers<const N: usize>(option: &str, text: &str) -> Result<[f64; N], Failure> {
    let values: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>())
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::input(format!("{option} {text}: {error}")))?;
    <[f64; N]>::try_from(values).map_err(|_| Failure::input(format!("{option} {text}: expected {N} numbers")))
}

fn parse_cut(text: &str) -> Result<(DVec3, DVec3), Failure> {
    let Some((at, _)) = text.match_indices(',').nth(2) else {
        return Err(Failure::input(format!("--cut {text}: expected 6 numbers")));
    };
    Ok((point("--cut", &text[..at])?, DVec3::from_array(numbers("--cut", &text[at + 1..])?)))
}

/// Three lengths.
fn point(option: &'static str, text: &str) -> Result<DVec3, Failure> {
    let values = quantities(option, "m", text, "finite", f64::is_finite)?;
    let three = <[f64; 3]>::try_from(values);
    three.map(DVec3::from_array).map_err(|_| Failure::input(format!("{option} {text}: expected 3 lengths")))
}

fn parse_range(text: &str) -> Result<(f64, f64), Failure> {
    let [min, max] = numbers("--range", text)?;
    Ok((min, max))
}

fn parse_size(text: &str) -> Result<(u32, u32), Failure> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parsed.ok_or_else(|| Failure::input(format!("--size {text}: expected WIDTHxHEIGHT, for example 1600x1200")))
}
