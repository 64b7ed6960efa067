//! `dem plot`

use std::path::{Path, PathBuf};

use clap::Args;
use dem_analysis::plot::request::Condition;
use dem_analysis::plot::{Request, draw};
use dem_io::atomic::write_atomically;
use dem_report::given::quantity;
use dem_sim::run::plot_series;
use dem_view::{FigureSize, LinePlot, POINT, draw_pdf, draw_png, draw_svg};

use crate::failure::{ExitCode, Failure, expect_suffix};
use crate::terminal::say;

/// Formats of figures, by the suffix of the file.
const FORMATS: [&str; 3] = ["svg", "pdf", "png"];

#[derive(Args)]
pub struct Arguments {
    /// Directory of a run or study, or a CSV file; several are drawn in the same panels. Alone, a run draws its own plots again.
    #[arg(required = true, value_name = "RUN")]
    runs_and_columns: Vec<String>,
    /// File to write: .svg, .pdf or .png. Default: an SVG in the first directory, named by the columns.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Table of the directory, for example courses. Default: the first that has the columns, series.csv before others.
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// A curve for every value of this column.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Draw only rows in which a column has a value, for example probe=0 or time=last.
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    conditions: Vec<String>,
    /// Logarithmic axes: x, y or xy.
    #[arg(long, value_name = "AXES")]
    log: Option<String>,
    /// Ends of the abscissa as FROM:TO in the unit drawn; either may be left out.
    #[arg(long, value_name = "FROM:TO", allow_hyphen_values = true)]
    x_range: Option<String>,
    /// Ends of the ordinates.
    #[arg(long, value_name = "FROM:TO", allow_hyphen_values = true)]
    y_range: Option<String>,
    /// Name of the abscissa, for example "t [s]"; v_z, m s^-1 and \\sigma are typeset.
    #[arg(long, value_name = "TEXT")]
    x_label: Option<String>,
    /// Name of the ordinates.
    #[arg(long, value_name = "TEXT")]
    y_label: Option<String>,
    /// Line above the figure.
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,
    /// Draw points in place of lines.
    #[arg(long)]
    points: bool,
    /// Width and height, for example 85x60mm. Default: 152.4 mm wide.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<String>,
    /// Size of the type, for example 8pt or "3 mm".
    #[arg(long, value_name = "SIZE")]
    font_size: Option<String>,
    /// Dots per inch of a PNG.
    #[arg(long, value_name = "N", default_value_t = 200.0)]
    dpi: f64,
}

/// Draws columns, or the plots of a run directory.
pub fn plot(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let words = &arguments.runs_and_columns;
    // what is in front and is there; the first one is a run in any case
    let count = words.iter().take_while(|word| Path::new(word).exists()).count().max(1);
    let (sources, columns) = words.split_at(count);
    if columns.is_empty() {
        return own_plots(arguments, sources);
    }
    let mut request = Request::of_columns(columns)?;
    request.sources = sources.iter().map(PathBuf::from).collect();
    request.table.clone_from(&arguments.table);
    request.by.clone_from(&arguments.by);
    request.conditions = arguments.conditions.iter().map(|text| condition(text)).collect::<Result<_, _>>()?;
    request.title.clone_from(&arguments.title);
    request.labels = [arguments.x_label.clone(), arguments.y_label.clone()];
    request.logarithmic = match arguments.log.as_deref() {
        None => [false, false],
        Some("x") => [true, false],
        Some("y") => [false, true],
        Some("xy") => [true, true],
        Some(other) => return Err(Failure::input(format!("--log {other}, expected x, y or xy"))),
    };
    request.ends =
        [range("--x-range", arguments.x_range.as_deref())?, range("--y-range", arguments.y_range.as_deref())?];
    request.points = arguments.points;
    let out = arguments.out.clone().unwrap_or_else(|| default_file(&request));
    expect_suffix("--out", &out, &FORMATS)?;
    let panels = draw(&request)?;
    let file = file(&panels, size(arguments, panels.len())?, arguments.dpi, &out)?;
    write_atomically(&out, &file)?;
    say!("{}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// Draws the plots of runs again.
fn own_plots(arguments: &Arguments, runs: &[String]) -> Result<ExitCode, Failure> {
    if arguments.out.is_some() || arguments.table.is_some() {
        return Err(Failure::input("expected columns behind the run, as in `dem plot RUN time kinetic_energy`"));
    }
    for run in runs {
        for path in plot_series(Path::new(run))? {
            say!("{}", path.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A name for the figure in the first directory, or beside the first table.
fn default_file(request: &Request) -> PathBuf {
    let names: Vec<&str> = request.panels.iter().flatten().map(|column| column.name.as_str()).collect();
    // names of files have an end
    let mut name: String =
        names.join("_").chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(80).collect();
    name.push_str(&format!("_over_{}.svg", request.x.name));
    match request.sources.first() {
        Some(source) if source.is_dir() => source.join(name),
        Some(source) => source.with_file_name(name),
        None => PathBuf::from(name),
    }
}

fn file(panels: &[LinePlot], size: FigureSize, dpi: f64, out: &Path) -> Result<Vec<u8>, Failure> {
    let suffix = out.extension().map(|suffix| suffix.to_string_lossy().to_lowercase());
    let drawn = match suffix.as_deref() {
        Some("png") => draw_png(panels, size, dpi).and_then(|image| image.encode_png()),
        Some("pdf") => draw_pdf(panels, size),
        _ => draw_svg(panels, size).map(String::into_bytes),
    };
    drawn.map_err(Failure::input)
}

fn size(arguments: &Arguments, panels: usize) -> Result<FigureSize, Failure> {
    let mut size = FigureSize::for_panels(panels);
    if let Some(text) = &arguments.size {
        let refused =
            || Failure::input(format!("--size {text}, expected width and height with a unit, for example 85x60mm"));
        let (width, height) = text.split_once(['x', '×']).ok_or_else(refused)?;
        let height = height.trim();
        let unit = height.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim();
        // the unit may stand behind both or the second
        let width = width.trim().trim_end_matches(unit);
        let side = |number: &str| quantity("--size", "mm", &format!("{} {unit}", number.trim()));
        let height = height.trim_end_matches(unit);
        size = FigureSize::with_sides(1e3 * side(width)?, 1e3 * side(height)?, panels);
    }
    if let Some(text) = &arguments.font_size {
        size.text = match text.strip_suffix("pt").map(|points| points.trim().parse::<f64>()) {
            Some(Ok(points)) => points * POINT,
            Some(Err(_)) => {
                return Err(Failure::input(format!("--font-size {text}, expected a size such as 8pt or \"3 mm\"")));
            }
            None => 1e3 * quantity("--font-size", "mm", text)?,
        };
    }
    Ok(size)
}

fn condition(text: &str) -> Result<Condition, Failure> {
    match text.split_once('=') {
        Some((column, value)) if !column.trim().is_empty() => {
            Ok(Condition { column: column.trim().to_owned(), value: value.trim().to_owned() })
        }
        _ => Err(Failure::input(format!("--where {text}, expected COLUMN=VALUE, for example probe=0 or time=last"))),
    }
}

fn range(option: &str, text: Option<&str>) -> Result<[Option<f64>; 2], Failure> {
    let Some(text) = text else { return Ok([None; 2]) };
    let refused = || Failure::input(format!("{option} {text}, expected FROM:TO, for example 0:2.5, 0: or :2.5"));
    let (from, to) = text.split_once(':').ok_or_else(refused)?;
    let end = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<f64>().ok().filter(|end| end.is_finite()).map(Some).ok_or_else(refused),
    };
    Ok([end(from)?, end(to)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_be_open() {
        let read = |text: &str| range("--x-range", Some(text)).ok();
        assert_eq!(read("0:2.5"), Some([Some(0.0), Some(2.5)]));
        assert_eq!((read(":-1"), read("1e-3:")), (Some([None, Some(-1.0)]), Some([Some(1e-3), None])));
        for text in ["", "1", "a:b", "nan:1", "inf:"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
