//! The fit, and what the study leaves behind.

use dem_report::drawing::{line, linear, logarithmic};
use dem_report::report::{Figure, Report};
use dem_report::statistics::StraightLine;
use dem_report::table::Table;
use dem_view::SeriesStyle;

use super::course::Course;

/// The exponent of the law.
const EXPONENT: f64 = 2.5;
/// Part of it by which the fitted one may be off.
const TOLERANCE: f64 = 0.05;
/// Points of a curve.
const POINTS: usize = 50;

/// Fit of the law to some rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Exponent, and half the width of its 95 % interval.
    pub exponent: [f64; 2],
    /// C with the exponent 5/2, mean over the outlets \[-\].
    pub constant: f64,
    /// Largest difference of a rate from the law with that C, in proportion to the law \[-\].
    pub deviation: f64,
}

impl Fit {
    /// To the rates of several outlets.
    pub fn of(courses: &[Course], k: f64) -> Self {
        let points = courses.iter().map(|course| [width(course, k), course.rate.rate]);
        let logarithms: Vec<[f64; 2]> = points.map(|point| point.map(libm::log)).collect();
        let found = StraightLine::through(&logarithms);
        let constants: Vec<f64> = courses.iter().map(|course| course.rate.rate / scale(course, k)).collect();
        let constant = constants.iter().sum::<f64>() / constants.len() as f64;
        let deviation = constants.iter().map(|c| (c / constant - 1.0).abs()).fold(0.0, f64::max);
        Self { exponent: [found.slope, found.slope_half_width], constant, deviation }
    }
}

/// D − k d \[m\].
fn width(course: &Course, k: f64) -> f64 {
    course.outlet - k * course.diameter
}

/// ρ √g (D − k d)^(5/2) \[kg/s\].
fn scale(course: &Course, k: f64) -> f64 {
    course.density * course.gravity.sqrt() * libm::pow(width(course, k), EXPONENT)
}

/// The report of the study.
pub fn report(courses: &[Course], k: f64) -> Report {
    let fit = Fit::of(courses, k);
    let mut table = Table::new(
        "beverloo",
        &[
            "outlet_diameters",
            "outlet_m",
            "rate_kg_s",
            "rate_half_width_kg_s",
            "trend",
            "spheres_in_window",
            "bulk_density_kg_m3",
            "law_kg_s",
            "difference_from_law",
        ],
    );
    for course in courses {
        let law = fit.constant * scale(course, k);
        table.push([
            (course.outlet / course.diameter).into(),
            course.outlet.into(),
            course.rate.rate.into(),
            course.rate.half_width.into(),
            course.rate.trend.into(),
            ((course.rate.mass / course.sphere).round() as u64).into(),
            course.density.into(),
            law.into(),
            (course.rate.rate / law - 1.0).into(),
        ]);
    }
    let mut constants =
        Table::new("beverloo_fit", &["k", "exponent", "exponent_half_width", "constant", "largest_difference"]);
    let [exponent, half_width] = fit.exponent;
    constants.push([k, exponent, half_width, fit.constant, fit.deviation].map(Into::into));
    let off = exponent / EXPONENT - 1.0;
    let findings = vec![
        format!(
            "Over {} outlets, with k = {k} given: exponent {exponent:.3} +- {half_width:.3} (95 %), {:+.1} % off 5/2 (asked for: within {:.0} %, \
             {}).",
            courses.len(),
            100.0 * off,
            100.0 * TOLERANCE,
            if off.abs() <= TOLERANCE { "kept" } else { "not kept" }
        ),
        format!(
            "C = {:.3} with the exponent 5/2 and the density of the bed at rest; no rate differs from that law by more than {:.1} %. Published \
             values for flat bottoms lie between 0.55 and 0.65.",
            fit.constant,
            100.0 * fit.deviation
        ),
    ];
    Report { tables: vec![table, constants], figures: figures(courses, k, &fit), findings, ..Report::default() }
}

fn figures(courses: &[Course], k: f64, fit: &Fit) -> Vec<Figure> {
    let Some(any) = courses.first() else { return Vec::new() };
    let ends = courses
        .iter()
        .fold([f64::INFINITY, 0.0f64], |[low, high], course| [low.min(width(course, k)), high.max(width(course, k))]);
    let law = (0..=POINTS).map(|j| ends[0] + (ends[1] - ends[0]) * j as f64 / POINTS as f64).map(|w| {
        let like = Course { outlet: w + k * any.diameter, ..any.clone() };
        [w, fit.constant * scale(&like, k)]
    });
    let measured = courses.iter().map(|course| [width(course, k), course.rate.rate]).collect();
    let series = vec![
        line("measured", measured, SeriesStyle::Markers),
        line(format!("Beverloo, C = {:.3}", fit.constant), law.collect(), SeriesStyle::Dashes),
    ];
    let left = courses.iter().map(|course| {
        line(format!("D/d = {:.1}", course.outlet / course.diameter), course.left.clone(), SeriesStyle::Line)
    });
    let rates = logarithmic("Rate of discharge", &format!("D - {k} d [m]"), "rate [kg/s]", series);
    vec![
        Figure { name: "beverloo", panels: vec![rates] },
        Figure {
            name: "beverloo_discharge",
            panels: vec![linear("Mass that has left", "time since opening [s]", "mass [kg]", left.collect())],
        },
    ]
}
