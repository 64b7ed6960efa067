//! Figures of a campaign: the points and circles of each way to find the irreversible part, and how far laws are apart.

use std::f64::consts::TAU;

use dem_report::drawing::{line, linear};
use dem_report::report::Figure;
use dem_view::{LinePlot, Series as Curve, SeriesStyle};

use super::analysis::{Results, Split};
use super::circle::Side;
use super::plane::Plane;

/// Width of a panel over its height, for circles to look like circles.
const ASPECT: f64 = 3.5;

/// All figures.
pub fn all(results: &Results) -> Vec<Figure> {
    if results.description.plane == Plane::General {
        return Vec::new();
    }
    let splits = [Split::Unload, Split::Elastic];
    let panels: Vec<LinePlot> = splits.into_iter().filter_map(|split| circles(results, split)).collect();
    let mut figures = Vec::new();
    if !panels.is_empty() {
        figures.push(Figure { name: "probe", panels });
    }
    let panels: Vec<LinePlot> = splits.into_iter().filter_map(|split| against_steps(results, split)).collect();
    if !panels.is_empty() {
        figures.push(Figure { name: "probe_differences", panels });
    }
    figures
}

/// Points and circles of the first way in which the strain was applied.
fn circles(results: &Results, split: Split) -> Option<LinePlot> {
    let first = results.series.first()?.procedure;
    let mut curves: Vec<Curve> = Vec::new();
    let (mut low, mut high, mut across) = (0.0f64, 0.0f64, 0.0f64);
    for (k, series) in results.series.iter().enumerate() {
        let same = (series.procedure.steps, series.procedure.relax, series.procedure.magnitude)
            == (first.steps, first.relax, first.magnitude);
        let points: Vec<[f64; 2]> = results.points(k, split).iter().map(|p| p.place.map(|x| 1e6 * x)).collect();
        if !same || points.is_empty() {
            continue;
        }
        for [x, y] in &points {
            (low, high, across) = (low.min(*y), high.max(*y), across.max(x.abs()));
        }
        curves.push(line(results.legend(series), points, SeriesStyle::Markers));
        for side in [Side::Loading, Side::Unloading] {
            let found = results.circles.iter().find(|c| c.series == k && c.split == split && c.side == side);
            let Some(circle) = found.map(|c| c.circle) else { continue };
            let point = |i: i32| {
                let (sine, cosine) = libm::sincos(TAU * f64::from(i) / 180.0);
                [1e6 * (circle.centre[0] + circle.radius * cosine), 1e6 * (circle.centre[1] + circle.radius * sine)]
            };
            let label =
                if side == Side::Loading { format!("{}, circle", results.legend(series)) } else { String::new() };
            curves.push(line(label, (0..=180).map(point).collect(), SeriesStyle::Line));
        }
    }
    if curves.is_empty() {
        return None;
    }
    // the axes, so long that one unit is as long upwards as across
    let half = (0.55 * (high - low)).max(across / ASPECT);
    let middle = 0.5 * (low + high);
    curves.push(line("", vec![[-ASPECT * half, 0.0], [ASPECT * half, 0.0]], SeriesStyle::Dashes));
    curves.push(line("", vec![[0.0, middle - half], [0.0, middle + half]], SeriesStyle::Dashes));
    let way = match split {
        Split::Unload => "left after the stress was brought back",
        Split::Elastic => "beside that of the elastic stiffness",
    };
    let title = format!("Irreversible strain {way}, over the stress, in its direction");
    let [x, y] = match results.description.plane {
        Plane::Deviatoric => ["axial [1/MPa]", "lateral [1/MPa]"],
        Plane::Rendulic | Plane::General => ["volumetric [1/MPa]", "deviatoric [1/MPa]"],
    };
    Some(linear(title, x, y, curves))
}

/// Difference of plastic moduli against the number of steps, if there are several.
fn against_steps(results: &Results, split: Split) -> Option<LinePlot> {
    let description = &results.description;
    if description.steps.len() < 2 {
        return None;
    }
    let relax = *description.relax.first()?;
    let magnitude = results.series.first()?.procedure.magnitude;
    let mut curves = Vec::new();
    for (law, (label, _)) in description.laws.iter().enumerate() {
        let mut points: Vec<[f64; 2]> = results
            .differences
            .iter()
            .filter(|d| d.split == split)
            .map(|d| (&results.series[d.series], d.relative))
            .filter(|(s, _)| s.law == law && s.procedure.relax == relax && s.procedure.magnitude == magnitude)
            .map(|(s, relative)| [f64::from(s.procedure.steps), 100.0 * relative])
            .collect();
        points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        if !points.is_empty() {
            let dropped = if description.dropped(law) > 0 { " (histories dropped)" } else { "" };
            curves.push(line(format!("{label}{dropped}"), points, SeriesStyle::Line));
        }
    }
    if curves.is_empty() {
        return None;
    }
    let title = format!("Plastic modulus against that of {}, by {}", description.laws[0].0, split.name());
    Some(linear(title, "steps of the strain", "difference [%]", curves))
}
