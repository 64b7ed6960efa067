//! Figures of force control: 13 to 15 of the source.

use dem_reference::quadrature::gauss;
use dem_reference::sliding_under_force::{Centrifugal, SlidingUnderForce, limiting_drive};
use dem_report::report::Figure;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::cases::{Cases, DriveCase};
use super::figures::{panel, series, thinned};
use crate::error::StudyError;

/// Points of a drawn motion.
const POINTS: usize = 200;
/// Drives that are drawn, by their places among the cases.
const DRAWN: [usize; 3] = [0, 3, 5];

/// All figures of force control.
pub fn all(cases: &Cases) -> Result<Vec<Figure>, StudyError> {
    Ok(vec![evolution(cases), velocities(cases), contact_time(cases)?])
}

/// A motion: time, angle, velocity.
fn motion(exact: &SlidingUnderForce, centrifugal: Centrifugal) -> Vec<[f64; 3]> {
    let travel = exact.parting(centrifugal) - exact.start();
    let rate = |root: f64| 4.0 * root / exact.velocity(exact.start() + root * root, centrifugal);
    let mut time = 0.0;
    let mut all = vec![[0.0, exact.start(), 0.0]];
    for k in 1..=POINTS {
        let root = |k: usize| travel.sqrt() * k as f64 / POINTS as f64;
        time += gauss(rate, root(k - 1), root(k), 1);
        let angle = exact.start() + root(k) * root(k);
        all.push([time, angle, exact.velocity(angle, centrifugal)]);
    }
    all
}

fn drawn(cases: &Cases) -> impl Iterator<Item = &DriveCase> {
    DRAWN.iter().filter_map(|&k| cases.drives.get(k))
}

/// Point of a curve at an instant of the exact solution.
type ExactPoint<'a> = &'a dyn Fn(&DriveCase, Centrifugal, [f64; 3]) -> [f64; 2];

/// Figure 13: with the centrifugal load, without it, and by the engine.
fn evolution(cases: &Cases) -> Figure {
    let curves = |exact: ExactPoint, engine: &dyn Fn([f64; 4]) -> [f64; 2]| {
        let mut all: Vec<Series> = Vec::new();
        for case in drawn(cases) {
            let of = |centrifugal| {
                motion(&case.exact, centrifugal).into_iter().map(|m| exact(case, centrifugal, m)).collect()
            };
            let name = format!("T0 = {} T_mu", case.over_limit);
            all.push(series(name.clone(), SeriesStyle::Line, of(Centrifugal::Included)));
            all.push(series(format!("{name}, a_n = 0"), SeriesStyle::Dashes, of(Centrifugal::LeftOut)));
            let points: Vec<[f64; 2]> = case.motion.instants.iter().map(|&instant| engine(instant)).collect();
            all.push(series("", SeriesStyle::Markers, thinned(&points)));
        }
        all
    };
    let title = |letter: &str, what: &str| format!("Figure 13{letter}, {what} (lines exact, markers engine)");
    let path = curves(&|_, _, [t, a, _]| [t, 2.0 * a], &|[t, s, ..]| [t, s]);
    let velocity = curves(&|_, _, [t, _, v]| [t, v], &|[t, _, v, _]| [t, v]);
    let load = curves(&|case, c, [t, a, _]| [t, case.exact.normal_force(a, c)], &|[t, _, _, n]| [t, n]);
    let mu = cases.options.friction;
    let thrust = |case: &DriveCase, a: f64, n: f64| a.sin() + case.drive * a.cos() - mu * n;
    let mut along: Vec<Series> = Vec::new();
    for case in drawn(cases) {
        for (centrifugal, style, note) in
            [(Centrifugal::Included, SeriesStyle::Line, ""), (Centrifugal::LeftOut, SeriesStyle::Dashes, ", a_n = 0")]
        {
            let points = motion(&case.exact, centrifugal).into_iter();
            let points = points.map(|[_, a, _]| [2.0 * a, thrust(case, a, case.exact.normal_force(a, centrifugal))]);
            along.push(series(format!("T0 = {} T_mu{note}", case.over_limit), style, points.collect()));
        }
        let engine: Vec<[f64; 2]> =
            case.motion.instants.iter().map(|&[_, s, _, n]| [s, thrust(case, 0.5 * s, n)]).collect();
        along.push(series("", SeriesStyle::Markers, thinned(&engine)));
    }
    let panels: Vec<LinePlot> = vec![
        panel(title("a", "path"), "t [s]", "s [m]", path),
        panel(title("b", "velocity"), "t [s]", "v [m/s]", velocity),
        panel(title("c", "load of the contact"), "t [s]", "N [N]", load),
        panel(title("d", "force along the path"), "s [m]", "T* [N]", along),
    ];
    Figure { name: "sliding_figure_13", panels }
}

/// Figure 14: velocity over the path, by equation 43 and by the engine.
fn velocities(cases: &Cases) -> Figure {
    let mut curves = Vec::new();
    for case in &cases.drives {
        let exact = motion(&case.exact, Centrifugal::Included).into_iter().map(|[_, a, v]| [2.0 * a, v]).collect();
        curves.push(series(format!("T0 = {} T_mu", case.over_limit), SeriesStyle::Line, exact));
        let engine: Vec<[f64; 2]> = case.motion.instants.iter().map(|&[_, s, v, _]| [s, v]).collect();
        curves.push(series("", SeriesStyle::Markers, thinned(&engine)));
    }
    let title = "Figure 14, velocity under force control (lines equation 43, markers engine)";
    Figure { name: "sliding_figure_14", panels: vec![panel(title, "s [m]", "v [m/s]", curves)] }
}

/// Figure 15: contact time over the drive.
fn contact_time(cases: &Cases) -> Result<Figure, StudyError> {
    let (mu, height) = (cases.options.friction, 1.0 - 0.5 * cases.options.overlap);
    let limit = limiting_drive(mu, 1.0, height);
    let (mut exact, mut without, mut approximate) = (Vec::new(), Vec::new(), Vec::new());
    for k in 1..=POINTS {
        let over = 1.0 + 1.2 * (k as f64 / POINTS as f64).powi(2) + 1e-3;
        let sphere = SlidingUnderForce::new(1.0, 1.0, mu, 1.0, over * limit, height)?;
        exact.push([over, sphere.contact_time(Centrifugal::Included)?]);
        without.push([over, sphere.contact_time(Centrifugal::LeftOut)?]);
        approximate.push([over, sphere.contact_time_elliptic()?]);
    }
    let engine = cases.drives.iter().filter_map(|case| Some([case.over_limit, case.motion.parting?[0]])).collect();
    let curves = vec![
        series("exact", SeriesStyle::Line, exact),
        series("a_n = 0", SeriesStyle::Dashes, without),
        series("equation 47", SeriesStyle::Dashes, approximate),
        series("engine", SeriesStyle::Markers, engine),
    ];
    let title = "Figure 15, time of contact under force control";
    Ok(Figure { name: "sliding_figure_15", panels: vec![panel(title, "T0/T_mu [-]", "t_c [s]", curves)] })
}
