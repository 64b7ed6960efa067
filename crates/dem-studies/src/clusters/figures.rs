//! Figures of the study.

use dem_report::drawing::{line, linear};
use dem_report::report::Figure;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::results::{Moment, Results, Tested};
use crate::triaxial::point::{Course, Point};

/// All figures.
pub fn all(results: &Results) -> Vec<Figure> {
    let scan = vec![strength(results), volume(results), friction(results), peaks(results)];
    let mut figures = vec![Figure { name: "clusters", panels: scan }];
    // the circles of the first assembly, as figure 5 of the paper has them of its own
    let first = |moment| results.probed.iter().find(move |probed| probed.moment == moment);
    let panels: Vec<LinePlot> = [Moment::AtRest, Moment::Moving]
        .into_iter()
        .filter_map(first)
        .flat_map(|probed| {
            let titled = |panel: &LinePlot| LinePlot {
                title: format!("{} (seed {}, {})", panel.title, probed.seed, probed.moment.name()),
                ..panel.clone()
            };
            probed.panels.iter().map(titled).collect::<Vec<_>>()
        })
        .collect();
    if !panels.is_empty() {
        figures.push(Figure { name: "clusters_probes", panels });
    }
    figures
}

/// One curve for a shape, the mean of its assemblies, and that of the larger assembly.
fn curves(results: &Results, value: impl Fn(&Point) -> f64) -> Vec<Series> {
    let points = |course: &Course| course.points.iter().map(|p| [100.0 * p.strain, value(p)]).collect::<Vec<_>>();
    let mut curves: Vec<Series> = Vec::new();
    for scanned in &results.scanned {
        let all: Vec<Vec<[f64; 2]>> = scanned.tested.iter().map(|tested| points(&tested.course)).collect();
        let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
        let mean = |k: usize| {
            let sum = all.iter().fold([0.0, 0.0], |sum, one| [sum[0] + one[k][0], sum[1] + one[k][1]]);
            sum.map(|x| x / all.len() as f64)
        };
        curves.push(line(scanned.shape.label(), (0..shortest).map(mean).collect(), SeriesStyle::Line));
    }
    if let Some(larger) = &results.larger {
        let label = format!("{}, {} clusters", results.best().shape.label(), larger.clusters);
        curves.push(line(label, points(&larger.course), SeriesStyle::Dashes));
    }
    curves
}

fn strength(results: &Results) -> LinePlot {
    let mut curves = curves(results, |point| point.q_over_p);
    let peak = results.options.peak;
    let end = 100.0 * results.options.strain;
    curves.push(line(format!("peak {peak}"), vec![[0.0, peak], [end, peak]], SeriesStyle::Dashes));
    linear("Strength, means of the assemblies", "axial compression [%]", "q/p [-]", curves)
}

fn volume(results: &Results) -> LinePlot {
    let curves = curves(results, |point| 100.0 * point.volumetric_strain);
    linear("Volume", "axial compression [%]", "volumetric compression [%]", curves)
}

fn friction(results: &Results) -> LinePlot {
    let mut curves: Vec<Series> = Vec::new();
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for scanned in &results.scanned {
        let points: Vec<[f64; 2]> = scanned.preparations.iter().map(|one| [one.friction, one.void_ratio]).collect();
        (low, high) = points.iter().fold((low, high), |(a, b), point| (a.min(point[0]), b.max(point[0])));
        curves.push(line(scanned.shape.label(), points, SeriesStyle::Line));
    }
    let asked = results.options.void_ratio;
    curves.push(line(format!("{asked}"), vec![[low, asked], [high, asked]], SeriesStyle::Dashes));
    linear("Void ratio after compression", "friction of the compression [-]", "void ratio [-]", curves)
}

fn peaks(results: &Results) -> LinePlot {
    let curve = |scanned: &super::results::Scanned| {
        let point = |tested: &Tested| [tested.void_ratio(), tested.peak()];
        line(scanned.shape.label(), scanned.tested.iter().map(point).collect(), SeriesStyle::Markers)
    };
    let mut curves: Vec<Series> = results.scanned.iter().map(curve).collect();
    let asked = [results.options.void_ratio, results.options.peak];
    curves.push(line("paper", vec![asked], SeriesStyle::Markers));
    linear("Peaks", "void ratio [-]", "largest q/p [-]", curves)
}
