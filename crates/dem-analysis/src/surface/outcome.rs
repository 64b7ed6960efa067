//! What the study leaves behind.

use dem_report::drawing::{line, linear};
use dem_report::report::{Figure, Report};
use dem_report::statistics::MeanEstimate;
use dem_report::table::Table;
use dem_view::SeriesStyle;

use super::options::{Kind, Options};
use super::relief::{DIAMETERS, LEAST_CELLS, Relief, Slice, slices};
use crate::error::AnalysisError;

/// Most slices of a figure.
const MOST_LINES: usize = 16;

/// The angle of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceAngle {
    /// Mean over the slices, positive where the height grows along them \[degree\].
    pub angle: f64,
    /// Half the width of its 95 % interval \[degree\].
    pub half_width: f64,
}

impl SurfaceAngle {
    /// Of some slices: from their scatter, or from that of the cells about the line if there is one slice only. `None` without any.
    pub fn of(slices: &[Slice]) -> Option<Self> {
        let angles: Vec<f64> = slices.iter().map(|slice| libm::atan(slice.line.slope).to_degrees()).collect();
        let found = MeanEstimate::of(&angles);
        match slices {
            [] => None,
            [only] => {
                let slope = only.line.slope;
                let half_width = (only.line.slope_half_width / (1.0 + slope * slope)).to_degrees();
                Some(Self { angle: found.mean, half_width })
            }
            _ => Some(Self { angle: found.mean, half_width: found.half_width }),
        }
    }
}

/// Slices with a line, and their angle.
///
/// # Errors
/// A surface that is too small for a line, with the size that it needs.
pub fn angle(options: &Options, reliefs: &[Relief]) -> Result<(Vec<Slice>, SurfaceAngle), AnalysisError> {
    let found = slices(reliefs);
    let Some(angle) = SurfaceAngle::of(&found) else {
        let cell = reliefs.iter().map(|relief| relief.cell).fold(0.0, f64::max);
        let needed = LEAST_CELLS as f64 * cell;
        let size = match options.kind {
            Kind::Heap => {
                // a cone of this angle, which stands on two diameters of scattered grains, 0.6 full
                let tangent = libm::tan(25f64.to_radians());
                let radius = LEAST_CELLS as f64 * DIAMETERS + DIAMETERS / tangent;
                let spheres = 1.2 * radius.powi(3) * tangent;
                format!(
                    "slopes of {needed:.3} m from the axis to the foot, {:.0} mean diameters, some {:.0} spheres at 25 deg",
                    LEAST_CELLS as f64 * DIAMETERS,
                    100.0 * (spheres / 100.0).ceil()
                )
            }
            Kind::Drum => format!("a surface {needed:.3} m long, {:.0} mean diameters", LEAST_CELLS as f64 * DIAMETERS),
        };
        return Err(AnalysisError::Unsuitable {
            run: options.run.display().to_string(),
            why: format!(
                "its surface is too small for a line: a slice needs {LEAST_CELLS} cells of two diameters, {size}"
            ),
        });
    };
    Ok((found, angle))
}

/// The report.
///
/// # Errors
/// A surface that is too small for a line.
pub fn report(options: &Options, reliefs: &[Relief]) -> Result<Report, AnalysisError> {
    let (found, angle) = angle(options, reliefs)?;
    let times: Vec<f64> = reliefs.iter().map(|relief| relief.time).collect();
    let (first, last) = (times.first().copied().unwrap_or(f64::NAN), times.last().copied().unwrap_or(f64::NAN));
    let mut table = Table::new("surface", &["angle_deg", "half_width_deg", "slices", "frames", "from_s", "to_s"]);
    let size = angle.angle.abs();
    table.push([
        size.into(),
        angle.half_width.into(),
        found.len().into(),
        reliefs.len().into(),
        first.into(),
        last.into(),
    ]);
    let mut cells = Table::new("surface_slices", &["slice", "place_m", "height_m", "in_line", "slope"]);
    for (number, slice) in found.iter().enumerate() {
        for point in &slice.points {
            let in_line = slice.middle.contains(point);
            cells.push([number.into(), point[0].into(), point[1].into(), in_line.into(), slice.line.slope.into()]);
        }
    }
    let what = match (options.kind, angle.angle > 0.0) {
        (Kind::Drum, _) => "the surface in the drum",
        (Kind::Heap, false) => "the heap (angle of repose)",
        (Kind::Heap, true) => "what rises from the axis outwards (drained angle of repose)",
    };
    let finding = format!(
        "Inclination of {what}: {size:.2} +- {:.2} deg (95 %, from the scatter of {} slices), over {} frames from {first:.4} to {last:.4} s.",
        angle.half_width,
        found.len(),
        reliefs.len()
    );
    let mut series: Vec<_> = found
        .iter()
        .take(MOST_LINES)
        .enumerate()
        .map(|(number, slice)| line(format!("slice {number}"), slice.points.clone(), SeriesStyle::Markers))
        .collect();
    let ends = found
        .iter()
        .flat_map(|slice| &slice.middle)
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| [low.min(p[0]), high.max(p[0])]);
    let mean = |of: fn(&Slice) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let (slope, intercept) = (libm::tan(angle.angle.to_radians()), mean(|slice| slice.line.intercept));
    series.push(line(format!("{size:.1} deg"), ends.map(|x| [x, intercept + slope * x]).to_vec(), SeriesStyle::Line));
    let label = if options.kind == Kind::Heap { "distance from the axis [m]" } else { "place across the axis [m]" };
    let panel = linear("Height of the surface", label, "height [m]", series);
    Ok(Report {
        tables: vec![table, cells],
        figures: vec![Figure { name: "surface", panels: vec![panel] }],
        findings: vec![finding],
        ..Report::default()
    })
}
