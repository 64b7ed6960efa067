//! Figure of the study: lines are closed forms, discs impacts.

use dem_report::report::Figure;
use dem_view::{AxisScale, LinePlot, Series, SeriesStyle};

use super::results::Results;

/// All figures.
pub fn all(results: &Results<'_>) -> Vec<Figure> {
    let speeds = results.impacts.iter().map(|impact| impact.speed);
    let (least, most) =
        speeds.fold((f64::INFINITY, 0.0_f64), |(least, most), speed| (least.min(speed), most.max(speed)));
    let span = (most / least).max(2.0);
    let mut series = Vec::new();
    for law in &results.laws {
        let points = (0..=600).map(|k| least * span.powf(f64::from(k) / 600.0));
        let points = points.map(|speed| [speed, results.bodies.expected(law, speed)]).collect();
        series.push(Series { label: law.label.to_owned(), points, style: SeriesStyle::Line });
    }
    for number in 0..results.laws.len() {
        let own = results.impacts.iter().filter(|impact| impact.law == number);
        let points = own.map(|impact| [impact.speed, impact.rebound.restitution]).collect();
        // the same colours come again from the eighth series on
        let label = if number == 0 { "impacts of each".to_owned() } else { String::new() };
        series.push(Series { label, points, style: SeriesStyle::Markers });
    }
    let panel = LinePlot {
        title: "rebound of spheres that yield or creep".into(),
        x_label: "speed [m/s]".into(),
        y_label: "restitution".into(),
        series,
        x_scale: AxisScale::Logarithmic,
        ..LinePlot::default()
    };
    vec![Figure { name: "yield", panels: vec![panel] }]
}
