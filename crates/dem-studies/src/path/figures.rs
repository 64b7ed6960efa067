//! Figures of the study: force loops, forces in the plane, the turn of a sliding force.

use dem_reference::constant_load_slip::ConstantLoad;
use dem_report::report::Figure;
use dem_view::{AxisScale, LinePlot, Series, SeriesStyle};

use super::driven_contact::Answer;
use super::histories::View;
use super::results::{Followed, Results, exact_turn};

/// All figures.
pub fn all(results: &Results) -> Vec<Figure> {
    let mut figures: Vec<Figure> =
        results.paths.iter().map(|path| Figure { name: path.figure, panels: vec![panel(results, path)] }).collect();
    if !results.turns.is_empty() {
        figures.push(Figure { name: "path_turn", panels: vec![turn(results)] });
    }
    figures
}

fn line(label: impl Into<String>, points: Vec<[f64; 2]>, style: SeriesStyle) -> Series {
    Series { label: label.into(), points, style }
}

fn panel(results: &Results, path: &Followed) -> LinePlot {
    let limit = results.pair.friction * results.scale.normal_force;
    if path.view == View::Normal {
        return pressing(path);
    }
    let point = |slip: [f64; 2], force: [f64; 2]| match path.view {
        View::Loop | View::Normal => [slip[0] / results.scale.slip, force[0] / limit],
        View::Plane => [force[0] / limit, force[1] / limit],
    };
    let mut series: Vec<Series> = Vec::new();
    for (law, answers) in &path.laws {
        let points = answers.iter().map(|a| point(a.slip, a.tangential_force)).collect();
        series.push(line(law.as_str(), points, SeriesStyle::Line));
    }
    if let Some((_, answers)) = path.laws.first() {
        let points = answers.iter().zip(&path.foundation).map(|(a, &force)| point(a.slip, force)).collect();
        series.push(line("springs", points, SeriesStyle::Dashes));
        series.extend(loading_curves(results, path, answers));
    }
    let (x_label, y_label) = match path.view {
        View::Loop | View::Normal => ("slip over that of sliding at the reference load", "tangential force over μN"),
        View::Plane => ("tangential force along x over μN", "along y over μN"),
    };
    let x_label =
        if results.friction > 0.0 { x_label.to_owned() } else { format!("{x_label} (μ = {})", results.pair.friction) };
    LinePlot { title: path.summary.to_owned(), x_label, y_label: y_label.into(), series, ..LinePlot::default() }
}

/// A path without slip.
fn pressing(path: &Followed) -> LinePlot {
    let of = |(law, answers): &(String, Vec<Answer>)| {
        let points = answers.iter().map(|a| [a.overlap, a.normal_force]).collect();
        line(law.as_str(), points, SeriesStyle::Line)
    };
    LinePlot {
        title: path.summary.to_owned(),
        x_label: "overlap [m]".into(),
        y_label: "normal force [N]".into(),
        series: path.laws.iter().map(of).collect(),
        ..LinePlot::default()
    }
}

/// First loading under the loads between which a path with a varying overlap goes.
fn loading_curves(results: &Results, path: &Followed, answers: &[Answer]) -> Vec<Series> {
    let overlaps = match path.figure {
        "path_rising_load" => [0.5, 1.0],
        "path_falling_load" => [0.6, 1.0],
        _ => return Vec::new(),
    };
    if results.friction == 0.0 {
        return Vec::new();
    }
    let limit = results.pair.friction * results.scale.normal_force;
    let farthest = answers.iter().map(|a| a.slip[0]).fold(0.0, f64::max);
    let curve = |share: f64| {
        let load = ConstantLoad::at_overlap(&results.pair, share * results.scale.overlap);
        let point = |k: i32| {
            let slip = farthest * f64::from(k) / 100.0;
            [slip / results.scale.slip, load.loading(slip) / limit]
        };
        line(format!("loading at {share} of the overlap"), (0..=100).map(point).collect(), SeriesStyle::Dashes)
    };
    overlaps.map(curve).to_vec()
}

fn turn(results: &Results) -> LinePlot {
    let mut series: Vec<Series> =
        results.turns.iter().map(|turn| line(turn.law.as_str(), turn.angles.clone(), SeriesStyle::Line)).collect();
    if let Some(turn) = results.turns.first() {
        let points = turn.angles.iter().map(|&[length, _]| [length, exact_turn(length)]).collect();
        series.push(line("exact for a linear spring", points, SeriesStyle::Dashes));
    }
    LinePlot {
        title: "A sliding contact moved once across its force (Kuhn and others, figure 4)".into(),
        x_label: "movement over μN/k".into(),
        y_label: "angle to the movement [°]".into(),
        series,
        x_scale: AxisScale::Logarithmic,
        ..LinePlot::default()
    }
}
