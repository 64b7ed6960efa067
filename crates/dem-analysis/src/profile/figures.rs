//! Figures of a profile.

use dem_report::drawing::{line, linear};
use dem_report::report::Figure;
use dem_report::table::Table;
use dem_view::{LinePlot, SeriesStyle};

use super::axis::Axis;
use super::near_wall::de_klerk;
use super::results::Results;
use super::tables::distance_from_wall;

/// Columns that are drawn if none are named.
const FIELDS: [&str; 4] = ["solid_fraction", "coordination", "pressure_Pa", "granular_temperature_m2_s2"];
/// Most panels of a figure.
const MOST_PANELS: usize = 16;
/// Distance from the wall up to which the near-wall figure goes \[diameters\].
const NEAR: f64 = 5.0;

/// All figures.
pub fn all(results: &Results, profile: &Table, fields: &[String]) -> Vec<Figure> {
    let position = profile.columns()[0];
    let places = profile.numbers(position);
    let label = format!("{} [m]", results.bins.axis.name());
    let named: Vec<&str> =
        if fields.is_empty() { FIELDS.to_vec() } else { fields.iter().map(String::as_str).collect() };
    let panel = |name: &str| {
        let points: Vec<[f64; 2]> = places.iter().zip(profile.numbers(name)).map(|(x, y)| [*x, y]).collect();
        // what no bin has cannot be drawn
        points
            .iter()
            .any(|point| point[1].is_finite())
            .then(|| linear("", &label, &with_unit(name), vec![line("", points, SeriesStyle::Line)]))
    };
    let mut panels: Vec<LinePlot> = named.iter().take(MOST_PANELS).filter_map(|name| panel(name)).collect();
    if let Some(first) = panels.first_mut() {
        first.title.clone_from(&results.title);
    }
    let mut figures = Vec::new();
    if !panels.is_empty() {
        figures.push(Figure { name: "profile", panels });
    }
    figures.extend(near_wall(results));
    if let Some(found) = &results.radial_distribution {
        let width = found.width / results.last.mean_diameter();
        let points = found.values.iter().enumerate().map(|(bin, g)| [(bin as f64 + 0.5) * width, *g]).collect();
        let title = format!("{} centres", found.centres);
        let panel = linear(title, "distance [mean diameters]", "g", vec![line("", points, SeriesStyle::Line)]);
        figures.push(Figure { name: "radial_distribution", panels: vec![panel] });
    }
    if let Some(found) = &results.contact_numbers {
        let share = |&particles: &usize| particles as f64 / results.last.grains.count() as f64;
        let points: Vec<[f64; 2]> = found.distribution.iter().enumerate().map(|(n, p)| [n as f64, share(p)]).collect();
        let title = format!("{} particles", results.last.grains.count());
        let panel = linear(title, "contacts", "share of particles", vec![line("", points, SeriesStyle::Markers)]);
        figures.push(Figure { name: "contact_numbers", panels: vec![panel] });
    }
    figures
}

fn near_wall(results: &Results) -> Option<Figure> {
    let waves = results.waves.as_ref()?;
    if results.bins.axis != Axis::Radius {
        return None;
    }
    let diameter = results.last.mean_diameter();
    let bins = distance_from_wall(&results.bins, &results.sums, results.times.len(), diameter);
    let measured: Vec<[f64; 2]> = bins.iter().filter(|bin| bin.0 <= NEAR).map(|bin| [bin.0, 1.0 - bin.1]).collect();
    let published = (0..=500).map(|k| NEAR * f64::from(k) / 500.0).map(|z| [z, de_klerk(z, waves.bulk)]).collect();
    let series = vec![
        line("this packing", measured, SeriesStyle::Line),
        line("de Klerk (2003), equal spheres", published, SeriesStyle::Dashes),
    ];
    let panel = linear(results.title.clone(), "distance from the wall [mean diameters]", "porosity", series);
    Some(Figure { name: "near_wall", panels: vec![panel] })
}

/// The name of a column with its unit in brackets.
fn with_unit(column: &str) -> String {
    for (end, unit) in [("_m2_s2", "m²/s²"), ("_m_s", "m/s"), ("_Pa", "Pa")] {
        if let Some(name) = column.strip_suffix(end) {
            return format!("{} [{unit}]", name.replace('_', " "));
        }
    }
    column.replace('_', " ")
}
