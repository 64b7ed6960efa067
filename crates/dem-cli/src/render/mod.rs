//! `dem render`

mod counter;
mod encoder;
mod ffmpeg;
mod film;
mod folder;
mod frames;
mod options;
mod source;
mod target;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dem_sim::run::{PictureRequest, PictureSeries, Survey};

use self::counter::Counter;
use self::encoder::Properties;
pub use self::frames::frame_index;
use self::frames::frame_indices;
use self::source::Source;
pub use self::source::refuse_scene;
use self::target::Target;
use crate::failure::{ExitCode, Failure, INTERRUPTED, expect_suffix};
use crate::quantity::{degrees, share};
use crate::terminal::say;
use crate::threads::interrupt_flag;

/// What the camera is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fit {
    /// All frames of the run.
    Run,
    /// The frames that are shown.
    Shown,
}

#[derive(Args)]
pub struct Arguments {
    /// Snapshot file or run directory.
    source: PathBuf,
    /// Number of the frame; negative counts from the end.
    #[arg(long, default_value_t = -1, allow_negative_numbers = true)]
    frame: i64,
    /// Frames of a film: all, a..b with both ends included, a..b:n for every n-th, or a list such as 0,5,-1.
    #[arg(long, value_name = "FRAMES", allow_hyphen_values = true, conflicts_with = "frame")]
    frames: Option<String>,
    /// PNG to write, by default render.png beside the snapshots; for a film a name that ends in .mp4 (through ffmpeg), .gif or .apng, or a folder
    /// for single pictures, as in frames/.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Frames of a film in a second.
    #[arg(long, value_name = "RATE", default_value_t = 25.0)]
    fps: f64,
    /// What the camera is fitted to, besides the walls: all frames of the run, or those that are shown. Default: run for one frame, shown for a film.
    #[arg(long, value_enum)]
    fit: Option<Fit>,
    /// Field that colours the spheres: height, speed, a column of the snapshots, body, or a column of rigid bodies as in bodies/mass.
    #[arg(long, visible_alias = "color", default_value = "height")]
    colour: String,
    /// Range of the colours, for example 0,0.1. Default: that of the values in the frames that are shown.
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
    /// Size of the pictures in pixels, for example 640x480. Default: 1600x1200; 800x600 for .gif and .apng.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<String>,
    /// Look of a wall: opaque, cut (opaque and cut by --cut), translucent or hidden; for each wall once. Default: what moves is opaque unless it hides
    /// more than a fifth of the particles, other walls are translucent.
    #[arg(long, value_name = "NAME=LOOK")]
    wall: Vec<String>,
    /// Leave the walls out.
    #[arg(long)]
    no_walls: bool,
}

/// Draws a picture of a frame, or a film.
pub fn render(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let target = match &arguments.frames {
        Some(_) => Some(Target::of(arguments.out.as_deref())?),
        None => None,
    };
    if let (Some(out), None) = (&arguments.out, &target) {
        expect_picture(out)?;
    }
    let source = Source::open(&arguments.source)?;
    let frames = match &arguments.frames {
        Some(text) => frame_indices(&source.reader, &source.path, text)?,
        None => vec![frame_index(&source.reader, &source.path, arguments.frame)?],
    };
    let request = request(arguments, target.as_ref())?;
    let mut survey = Survey::new(&request, &source.scenery).map_err(Failure::input)?;
    let fit = arguments.fit.unwrap_or(if target.is_some() { Fit::Shown } else { Fit::Run });
    look_at_frames(&source, &mut survey, &frames, fit)?;
    let series = survey.series(&source.times()).map_err(Failure::input)?;
    let Some(target) = target else { return picture(arguments, &source, &series, frames[0]) };
    let film = Properties { size: request.size, rate: arguments.fps, frames: &frames };
    let interrupted = interrupt_flag();
    let is_made = film::make(&source, &series, &target, &film, &interrupted)?;
    Ok(if is_made { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// Writes the picture of one frame.
fn picture(
    arguments: &Arguments,
    source: &Source,
    series: &PictureSeries<'_>,
    index: usize,
) -> Result<ExitCode, Failure> {
    let frame = source.read(index, &|table, column| series.needs(table, column))?;
    let image = series.draw(&frame).and_then(|image| image.encode_png()).map_err(Failure::input)?;
    let out = arguments.out.clone().unwrap_or_else(|| source.folder().join("render.png"));
    dem_io::atomic::write_atomically(&out, &image)?;
    say!("{}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// Lets a survey see the frames that are shown, and those that the camera is fitted to.
fn look_at_frames(source: &Source, survey: &mut Survey<'_>, shown: &[usize], fit: Fit) -> Result<(), Failure> {
    let mut is_shown = vec![false; source.reader.frames().len()];
    shown.iter().for_each(|&index| is_shown[index] = true);
    let mut counter = Counter::new("looking at frame", is_shown.len());
    for (index, &is_shown) in is_shown.iter().enumerate() {
        if is_shown {
            let frame = source.read(index, &|table, column| survey.needs(table, column))?;
            survey.fit(&frame).map_err(Failure::input)?;
            if survey.colour(&frame).is_err() {
                // once more with all columns, which the message names
                survey.colour(&source.read(index, &|_, _| true)?).map_err(Failure::input)?;
            }
        } else if fit == Fit::Run {
            let frame = source.read(index, &Survey::needs_to_fit)?;
            survey.fit(&frame).map_err(Failure::input)?;
        }
        counter.show(index + 1);
    }
    counter.finish();
    Ok(())
}

/// What is asked for in the options.
fn request(arguments: &Arguments, target: Option<&Target>) -> Result<PictureRequest, Failure> {
    let default_size = target.map_or(PictureRequest::default().size, Target::default_size);
    Ok(PictureRequest {
        colour: arguments.colour.clone(),
        azimuth: arguments.azimuth,
        elevation: arguments.elevation,
        zoom: arguments.zoom,
        look_at: arguments.look_at.as_deref().map(|text| options::point("--look-at", text)).transpose()?,
        orthographic: arguments.orthographic,
        cut: arguments.cut.as_deref().map(options::cut).transpose()?,
        range: arguments.range.as_deref().map(options::range).transpose()?,
        size: arguments.size.as_deref().map_or(Ok(default_size), options::size)?,
        walls: !arguments.no_walls,
        wall_looks: arguments.wall.iter().map(|text| options::wall(text)).collect::<Result<_, _>>()?,
    })
}

/// Refuses a name that is not that of one picture.
fn expect_picture(out: &Path) -> Result<(), Failure> {
    let is_film = out
        .extension()
        .is_some_and(|suffix| ["mp4", "gif", "apng"].iter().any(|film| suffix.eq_ignore_ascii_case(film)));
    if is_film {
        let message = "is a film, which needs --frames, for example --frames all; of one frame a name that ends in .png is expected";
        return Err(Failure::input(format!("--out {} {message}", out.display())));
    }
    expect_suffix("--out", out, &["png"])
}
