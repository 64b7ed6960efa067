//! Figures of the study. Laws are lines, references dashes, measured points discs.

use dem_reference::kharaz::{Quantity, measured_rebounds};
use dem_reference::scaled_impact;
use dem_report::report::Figure;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::case::{Case, Scales};
use super::collision::{Collision, Moment};
use super::results::Results;
use super::solutions::{ANNULI, SLIDING, Solution};
use crate::error::StudyError;

/// Most points of a drawn history.
const MOST_POINTS: usize = 600;

/// All figures.
pub fn all(results: &Results) -> Result<Vec<Figure>, StudyError> {
    let mut figures = vec![Figure { name: "impact_rebound", panels: rebounds(results) }];
    let curves = Curves::of(results);
    if curves.laws.is_empty() {
        return Ok(figures);
    }
    for (name, quantities) in [
        ("impact_normal", &[NORMAL_FORCE, NORMAL_VELOCITY][..]),
        ("impact_tangential_force", &[TANGENTIAL_FORCE][..]),
        ("impact_contact_velocity", &[CONTACT_VELOCITY][..]),
        ("impact_force_displacement", &[FORCE_DISPLACEMENT][..]),
    ] {
        let angles = results.shown_angles();
        // the normal motion of elastic impacts is the same under all angles; the source shows it at its second one
        let second = &angles[angles.len().min(2).saturating_sub(1)..angles.len().min(2)];
        let shown = if name == "impact_normal" { second } else { &angles[..] };
        let panels = shown.iter().flat_map(|&angle| quantities.iter().map(move |q| (angle, q)));
        figures.push(Figure { name, panels: panels.map(|(angle, q)| curves.panel(angle, q)).collect() });
    }
    Ok(figures)
}

fn line(label: &str, points: Vec<[f64; 2]>, style: SeriesStyle) -> Series {
    Series { label: label.to_owned(), points, style }
}

/// A quantity of the rebound over the angle.
struct ReboundQuantity {
    label: &'static str,
    of_law: fn(&Collision) -> f64,
    of_solution: fn(&Solution, &Case) -> f64,
    measured: Option<Quantity>,
}

const REBOUND_QUANTITIES: [ReboundQuantity; 4] = [
    ReboundQuantity {
        label: "tangential restitution e_t",
        of_law: Collision::tangential_restitution,
        of_solution: |solution, _| solution.rebound.tangential_restitution,
        measured: Some(Quantity::TangentialRestitution),
    },
    ReboundQuantity {
        label: "contact point's rebound angle [°]",
        of_law: |collision| collision.contact_angle().to_degrees(),
        of_solution: |solution, _| solution.rebound.contact_angle().to_degrees(),
        measured: Some(Quantity::ContactAngle),
    },
    ReboundQuantity {
        label: "centre's rebound angle [°]",
        of_law: |collision| collision.centre_angle().to_degrees(),
        of_solution: |solution, _| solution.rebound.centre_angle().to_degrees(),
        measured: None,
    },
    ReboundQuantity {
        label: "spin after the impact [rad/s]",
        of_law: |collision| collision.end().spin,
        of_solution: Solution::spin,
        measured: Some(Quantity::Spin),
    },
];

fn rebounds(results: &Results) -> Vec<LinePlot> {
    REBOUND_QUANTITIES.iter().map(|quantity| rebound(results, quantity)).collect()
}

fn rebound(results: &Results, quantity: &ReboundQuantity) -> LinePlot {
    let mut series = Vec::new();
    for law in &results.options.laws {
        let own = results.main_cases().filter(|(case, _)| case.bodies.law.label == law.label);
        let points: Vec<[f64; 2]> = own.map(|(case, c)| [case.angle, (quantity.of_law)(c)]).collect();
        let style = if points.len() == 1 { SeriesStyle::Markers } else { SeriesStyle::Line };
        series.push(line(&law.label, points, style));
    }
    for name in [ANNULI, SLIDING] {
        let own = results.solutions.iter().filter(|solution| solution.name == name);
        let lowest = results.solutions.first().map_or(0.0, |s| s.oblique.pair.critical_angle().to_degrees());
        let points: Vec<[f64; 2]> = own
            // below the critical angle the closed form has no meaning
            .filter(|solution| name == ANNULI || solution.angle >= lowest)
            .map(|solution| [solution.angle, (quantity.of_solution)(solution, &results.cases[0])])
            .collect();
        if points.len() > 1 {
            series.push(line(name, points, SeriesStyle::Dashes));
        }
    }
    if let (Some(wanted), true) = (quantity.measured, results.options.is_kharaz()) {
        let range = results.options.angles.iter().fold([f64::INFINITY, 0.0_f64], |r, &a| [r[0].min(a), r[1].max(a)]);
        let measured = measured_rebounds()
            .into_iter()
            .filter(|point| point.quantity == wanted && point.angle >= range[0] - 5.0 && point.angle <= range[1] + 5.0);
        let points: Vec<[f64; 2]> = measured.map(|point| [point.angle, point.value]).collect();
        if !points.is_empty() {
            series.push(line("measured, Kharaz et al.", points, SeriesStyle::Markers));
        }
    }
    LinePlot {
        x_label: "angle of incidence [°]".into(), y_label: quantity.label.into(), series, ..LinePlot::default()
    }
}

/// Two dimensionless quantities of a history against each other.
pub struct HistoryQuantity {
    /// Name of the abscissa.
    pub x_label: &'static str,
    /// Name of the ordinate.
    pub y_label: &'static str,
    /// Point of a law.
    pub of_law: fn(&Moment, &Scales, f64) -> [f64; 2],
    /// Point of a solution.
    pub of_solution: fn(&scaled_impact::Moment) -> [f64; 2],
}

const TIME: &str = "τ*, time over duration";

/// Normal force over time.
pub const NORMAL_FORCE: HistoryQuantity = HistoryQuantity {
    x_label: TIME,
    y_label: "f_n*",
    of_law: |m, scales, duration| [m.time / duration, m.normal_force / scales.normal_force],
    of_solution: |m| [m.time, m.normal_force],
};

/// Normal velocity over time.
pub const NORMAL_VELOCITY: HistoryQuantity = HistoryQuantity {
    x_label: TIME,
    y_label: "v_n*, 1 at touch",
    of_law: |m, scales, duration| [m.time / duration, m.normal_velocity / scales.normal_speed],
    of_solution: |m| [m.time, m.normal_velocity],
};

/// Tangential force over time.
pub const TANGENTIAL_FORCE: HistoryQuantity = HistoryQuantity {
    x_label: TIME,
    y_label: "f_t*",
    of_law: |m, scales, duration| [m.time / duration, m.tangential_force / scales.tangential_force],
    of_solution: |m| [m.time, m.tangential_force],
};

/// Contact velocity over time.
pub const CONTACT_VELOCITY: HistoryQuantity = HistoryQuantity {
    x_label: TIME,
    y_label: "ψ, contact velocity",
    of_law: |m, scales, duration| [m.time / duration, m.contact_velocity / scales.velocity],
    of_solution: |m| [m.time, m.psi],
};

/// Tangential force over slip.
pub const FORCE_DISPLACEMENT: HistoryQuantity = HistoryQuantity {
    x_label: "δ_t*, slip over μ δ_max/κ",
    y_label: "f_t*",
    of_law: |m, scales, _| [m.displacement / scales.displacement, m.tangential_force / scales.tangential_force],
    of_solution: |m| [m.displacement, m.tangential_force],
};

/// Histories to draw.
pub struct Curves<'a> {
    /// Those of laws.
    pub laws: Vec<(&'a Case, &'a Collision, Scales)>,
    /// Solutions.
    pub solutions: Vec<&'a Solution>,
}

impl<'a> Curves<'a> {
    fn of(results: &'a Results) -> Self {
        let laws = results.main_cases().filter_map(|(case, c)| Some((case, c, case.scales().ok()?)));
        let solutions = results.solutions.iter().filter(|s| s.name == ANNULI);
        Self { laws: laws.collect(), solutions: solutions.collect() }
    }

    /// Panel of an angle.
    pub fn panel(&self, angle: f64, quantity: &HistoryQuantity) -> LinePlot {
        let mut series = Vec::new();
        for (case, collision, scales) in self.laws.iter().filter(|(case, ..)| case.angle == angle) {
            let point = |m: &Moment| (quantity.of_law)(m, scales, collision.contact_time);
            let points = thinned(&collision.history).map(point).collect();
            series.push(line(&case.bodies.law.label, points, SeriesStyle::Line));
        }
        for solution in self.solutions.iter().filter(|solution| solution.angle == angle) {
            let points = thinned(&solution.history).map(quantity.of_solution).collect();
            series.push(line(solution.name, points, SeriesStyle::Dashes));
        }
        LinePlot {
            title: format!("{angle}°"),
            x_label: quantity.x_label.into(),
            y_label: quantity.y_label.into(),
            series,
            ..LinePlot::default()
        }
    }
}

/// Some of the entries, the last included.
fn thinned<T>(all: &[T]) -> impl Iterator<Item = &T> {
    let stride = all.len().div_ceil(MOST_POINTS).max(1);
    let last = all.len().saturating_sub(1);
    all.iter().enumerate().filter(move |(k, _)| k % stride == 0 || *k == last).map(|(_, entry)| entry)
}
