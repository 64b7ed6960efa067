//! Overlaid series and profiles of the laws.

use dem_analysis::ensemble::{self, Finished};
use dem_report::drawing::linear;
use dem_report::report::Figure;
use dem_view::{Series, SeriesStyle};

use super::quantities::Measured;

/// All figures; the seeds of a law share a colour.
pub fn all(runs: &[Vec<Measured>]) -> Vec<Figure> {
    let finished: Vec<Vec<Finished>> =
        runs.iter().map(|run| run.iter().map(|result| result.finished.clone()).collect()).collect();
    let groups: Vec<&[Finished]> = finished.iter().map(Vec::as_slice).collect();
    let mut figures = ensemble::overlaid_series(&groups);
    let curve = |run: &Vec<Measured>| {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for result in run {
            points.extend(&result.porosity);
            points.push([f64::NAN; 2]);
        }
        Series { label: run[0].finished.parameters[0].readable(), points, style: SeriesStyle::Line }
    };
    if runs.iter().flatten().any(|result| !result.porosity.is_empty()) {
        let panel = linear("Porosity of slabs", "height [m]", "porosity [-]", runs.iter().map(curve).collect());
        figures.push(Figure { name: "porosity", panels: vec![panel] });
    }
    figures
}
