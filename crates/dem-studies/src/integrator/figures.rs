//! Figures of the study.

use dem_report::drawing::{line, logarithmic, power_law};
use dem_report::report::Figure;
use dem_report::statistics::median_ratio;
use dem_sim::integrators::Scheme;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::energy::EnergyCourse;
use super::order::Motion;
use super::results::Results;

/// All figures.
pub fn all(results: &Results) -> Vec<Figure> {
    let orders = |motions: &[Motion]| motions.iter().map(|&motion| order(results, motion)).collect();
    let mut figures = vec![
        Figure { name: "integrator_order_conservative", panels: orders(&[Motion::Spring, Motion::Hertz]) },
        Figure { name: "integrator_order_dissipative", panels: orders(&[Motion::Dashpot, Motion::StickSlip]) },
        Figure {
            name: "integrator_energy",
            panels: vec![
                energy("Undamped oscillation on a Hertz contact", "relative change of energy", &results.oscillation),
                energy("Gas of elastic spheres", "change of energy / kinetic energy", &results.gas),
            ],
        },
    ];
    if !results.costs.is_empty() {
        figures.push(Figure { name: "integrator_cost", panels: vec![cost(results)] });
    }
    figures
}

fn order(results: &Results, motion: Motion) -> LinePlot {
    let shown = |scheme: &Scheme| motion == Motion::Dashpot || differs_without_damping(scheme);
    let cases: Vec<_> =
        results.convergence.iter().filter(|case| case.motion == motion && shown(&case.scheme)).collect();
    let mut series: Vec<Series> = cases
        .iter()
        .map(|case| line(short(&case.scheme.to_string()), case.errors.clone(), SeriesStyle::Line))
        .collect();
    let abscissae = || cases.first().into_iter().flat_map(|case| &case.errors).map(|point| point[0]);
    if let Some(coarsest) = abscissae().next() {
        let powers: &[(i32, &str)] = if motion == Motion::StickSlip {
            &[(1, "order 1"), (2, "order 2")]
        } else {
            &[(1, "order 1"), (2, "order 2"), (5, "order 5")]
        };
        for &(power, label) in powers {
            let fine = abscissae().filter(|x| (x / coarsest).powi(power) > 1e-13);
            series.push(power_law(label, 0.3 / coarsest.powi(power), power, fine));
        }
    }
    logarithmic(motion.key(), "time step / period", "error / amplitude", series)
}

fn energy(title: &str, label: &str, courses: &[EnergyCourse]) -> LinePlot {
    let size = |course: &EnergyCourse| {
        let points: Vec<[f64; 2]> =
            course.changes.iter().map(|&[steps, change]| [steps, change.abs().max(1e-15)]).collect();
        line(short(&course.scheme.to_string()), points, SeriesStyle::Line)
    };
    let shown = courses.iter().filter(|course| differs_without_damping(&course.scheme));
    logarithmic(title, "steps", label, shown.map(size).collect())
}

/// Cost and accuracy together: what a period at a given error costs.
fn cost(results: &Results) -> LinePlot {
    let series = results.schemes.iter().zip(&results.costs).filter_map(|(scheme, cost)| {
        let case = results.convergence.iter().find(|case| case.motion == Motion::Dashpot && case.scheme == *scheme)?;
        let ratio = median_ratio(&cost.rounds, &results.costs[0].rounds);
        let points = case.errors.iter().map(|&[step, error]| [ratio / step, error]).collect();
        Some(line(short(&scheme.to_string()), points, SeriesStyle::Line))
    });
    logarithmic(
        "Error of a damped oscillation against its cost in a dense packing",
        "cost of a period in steps of velocity Verlet",
        "error / amplitude",
        series.collect(),
    )
}

/// Whether the scheme is another one than its neighbour in the registry where forces do not depend on velocities.
fn differs_without_damping(scheme: &Scheme) -> bool {
    !scheme.options.contains_key("corrected")
}

/// Names that fit a legend.
fn short(scheme: &str) -> String {
    scheme.replace("generalized-trapezoidal", "trapezoidal").replace("corrected=false", "uncorrected").replace('"', "")
}
