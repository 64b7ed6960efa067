//! Figures of the study.

use std::f64::consts::PI;

use dem_reference::adhesive_contact::{Separation, restitution};
use dem_reference::liquid_bridge::PULLS;
use dem_report::report::Figure;
use dem_view::{AxisScale, LinePlot, Series, SeriesStyle};

use super::results::Results;

/// Most points of a drawn curve.
const MOST_POINTS: usize = 800;

/// All figures.
pub fn all(results: &Results<'_>) -> Vec<Figure> {
    vec![
        Figure { name: "adhesion_pull_off", panels: vec![elastic(results), plastic(results)] },
        Figure { name: "adhesion_impacts", panels: vec![impacts(results)] },
        Figure { name: "adhesion_bridges", panels: vec![bridges(results, 1e-3, 0.0), bridges(results, 1e-2, 40.0)] },
    ]
}

fn series(label: impl Into<String>, points: Vec<[f64; 2]>, style: SeriesStyle) -> Series {
    Series { label: label.into(), points, style }
}

/// Curves of laws, in units of the contact: overlap over `a_f²/r`, force over `πγr`.
fn curves(results: &Results<'_>, title: &str, labels: &[&str], limit: [f64; 2]) -> LinePlot {
    let c = results.setup.contact;
    let (unit, force) = (c.overlap_unit(), PI * c.surface_energy * c.radius);
    let [low, high] = limit;
    let mut all = Vec::new();
    for curve in results.curves.iter().filter(|curve| labels.contains(&curve.label)) {
        let points: Vec<[f64; 2]> = curve
            .answers
            .iter()
            .map(|a| [a.overlap / unit, a.normal_force / force])
            .filter(|[x, _]| (low..=high).contains(x))
            .collect();
        let stride = (points.len() / MOST_POINTS).max(1);
        // where the force jumps no point may be left out
        let kept = |k: usize| k.is_multiple_of(stride) || k > 0 && (points[k][1] - points[k - 1][1]).abs() > 0.3;
        let drawn = (0..points.len()).filter(|&k| kept(k) || k + 1 < points.len() && kept(k + 1)).map(|k| points[k]);
        all.push(series(curve.label, drawn.collect(), SeriesStyle::Line));
    }
    LinePlot {
        title: title.into(),
        x_label: "overlap over a_f²/r*".into(),
        y_label: "normal force over πγr*".into(),
        series: all,
        ..LinePlot::default()
    }
}

fn elastic(results: &Results<'_>) -> LinePlot {
    let labels = ["jkr", "dmt", "sjkr", "sjkr2", "constant", "van-der-waals"];
    curves(results, "pressed and pulled apart, elastic laws", &labels, [-4.0, 9.0])
}

fn plastic(results: &Results<'_>) -> LinePlot {
    let labels = ["jkr", "thornton-ning", "luding", "edinburgh"];
    curves(results, "the same, laws that yield", &labels, [-4.0, 17.0])
}

fn impacts(results: &Results<'_>) -> LinePlot {
    let setup = &results.setup;
    let [fold, peak] = [Separation::Fold, Separation::Peak].map(|end| setup.contact.sticking_speed(setup.mass, end));
    let ratios: Vec<f64> = (0..=300).map(|k| 0.5 * 20.0f64.powf(f64::from(k) / 300.0)).collect();
    let curve = |of: &dyn Fn(f64) -> f64| ratios.iter().map(|&ratio| [ratio, of(ratio)]).collect();
    let dented = setup.dented();
    let yielding = |ratio: f64| dented.restitution(setup.mass, ratio * fold).unwrap_or(f64::NAN);
    let mut all = vec![
        series("jkr", curve(&|ratio| restitution(ratio, 1.0)), SeriesStyle::Line),
        series("jkr (peak)", curve(&|ratio| restitution(ratio, peak / fold)), SeriesStyle::Line),
        series("dmt", curve(&|_| 1.0), SeriesStyle::Line),
        series("thornton-ning", curve(&yielding), SeriesStyle::Line),
    ];
    let points = results.impacts.iter().map(|impact| [impact.speed[1], impact.restitution[1]]).collect();
    all.push(series("impacts", points, SeriesStyle::Markers));
    LinePlot {
        title: "rebound of an adhesive sphere".into(),
        x_label: "speed over that below which jkr sticks".into(),
        y_label: "restitution".into(),
        series: all,
        x_scale: AxisScale::Logarithmic,
        ..LinePlot::default()
    }
}

fn bridges(results: &Results<'_>, volume: f64, angle: f64) -> LinePlot {
    let is_shown = |of: [f64; 2]| of == [volume, angle];
    let mut all = Vec::new();
    for bridge in results.bridges.iter().filter(|bridge| is_shown([bridge.volume, bridge.angle])) {
        let stride = (bridge.curve.len() / MOST_POINTS).max(1);
        let mut points: Vec<[f64; 2]> = bridge.curve.iter().copied().step_by(stride).collect();
        // rupture
        points.extend([[bridge.rupture, bridge.pull(bridge.rupture)], [bridge.rupture, 0.0]]);
        all.push(series(bridge.form, points, SeriesStyle::Line));
    }
    let exact = PULLS.iter().filter(|pull| is_shown([pull.volume, pull.angle]));
    let points = exact.map(|pull| [pull.distance, pull.force]).collect();
    all.push(series("Young-Laplace", points, SeriesStyle::Markers));
    LinePlot {
        title: format!("liquid bridge of the volume {volume} R³, contact angle {angle}°"),
        x_label: "distance of the surfaces over R".into(),
        y_label: "pull over 2πRσ".into(),
        series: all,
        ..LinePlot::default()
    }
}
