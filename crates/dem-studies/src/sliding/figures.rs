//! Figures of displacement control: 1 and 3 to 11 of the source.

use dem_reference::finite_sliding::Path;
use dem_reference::hysteretic_sliding::{Form, Instant, Reading};
use dem_report::report::Figure;
use dem_view::{LinePlot, Series, SeriesStyle};

use super::cases::{Cases, PathCase};
use super::engine::{Motion, Until};
use super::setup::Setup;
use crate::error::StudyError;

/// Points of a drawn closed form.
const POINTS: usize = 160;

/// All figures of displacement control.
pub fn all(cases: &Cases) -> Result<Vec<Figure>, StudyError> {
    Ok(vec![
        evolution(cases)?,
        force_over_path(cases)?,
        hysteresis(cases)?,
        reversals(cases)?,
        velocities("sliding_figure_6", "Figure 6", &cases.paths[..1]),
        restitution("sliding_figure_7", "Figure 7, line", &cases.paths[..1]),
        contact_time("sliding_figure_8", "Figure 8, line", &cases.paths[..1]),
        velocities("sliding_figure_9", "Figure 9", &cases.paths[1..]),
        restitution("sliding_figure_10", "Figure 10", &cases.paths),
        contact_time("sliding_figure_11", "Figure 11", &cases.paths),
    ])
}

pub(super) fn panel(title: impl Into<String>, x_label: &str, y_label: &str, series: Vec<Series>) -> LinePlot {
    let (x_label, y_label) = (x_label.to_owned(), y_label.to_owned());
    LinePlot { title: title.into(), x_label, y_label, series, ..LinePlot::default() }
}

pub(super) fn series(label: impl Into<String>, style: SeriesStyle, points: Vec<[f64; 2]>) -> Series {
    Series { label: label.into(), points, style }
}

fn line(label: impl Into<String>, points: Vec<[f64; 2]>) -> Series {
    series(label, SeriesStyle::Line, points)
}

/// About twenty of many points.
pub(super) fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    points.iter().copied().step_by((points.len() / 20).max(1)).collect()
}

fn of(instants: &[Instant], pick: impl Fn(&Instant) -> [f64; 2]) -> Vec<[f64; 2]> {
    instants.iter().map(pick).collect()
}

/// The length of a step of the engine for a velocity \[s\].
fn step(cases: &Cases, case: &PathCase, velocity: f64) -> f64 {
    2.0 * case.exact.end() / (velocity * f64::from(cases.options.steps))
}

/// Figure 1: path, velocity and forces over time for four velocities on the line, and the loop of the slow one.
fn evolution(cases: &Cases) -> Result<Figure, StudyError> {
    let case = cases.line();
    let critical = case.exact.critical_velocity();
    let end = 2.5 * case.exact.contact_time(1.02 * critical)?;
    let mut motions: Vec<(f64, Motion)> = Vec::new();
    for factor in [0.8, 1.02, 1.5, 3.0] {
        let velocity = factor * critical;
        let time_step = step(cases, case, velocity);
        let motion = case.setup.slide(velocity, time_step, Until { time: end, turns: false }, &[])?;
        motions.push((factor, motion));
    }
    let over_time = |pick: fn(&Instant) -> f64| -> Vec<Series> {
        let curve = |(factor, motion): &(f64, Motion)| {
            line(format!("v0 = {factor} v_crit"), of(&motion.instants, |i| [i.time, pick(i)]))
        };
        motions.iter().map(curve).collect()
    };
    let slow = &motions[0].1.instants;
    let panels = vec![
        panel("Figure 1a, path (line, engine)", "t [s]", "s [m]", over_time(|i| i.position)),
        panel("Figure 1b, velocity", "t [s]", "v [m/s]", over_time(|i| i.velocity)),
        panel("Figure 1c, force along the path", "t [s]", "T* [N]", over_time(|i| i.along)),
        panel("Figure 1c, force across the path", "t [s]", "N* [N]", over_time(|i| i.across)),
        panel(
            "Figure 1d, v0 = 0.8 v_crit",
            "s [m]",
            "force [N]",
            vec![line("T*", of(slow, |i| [i.position, i.along])), line("N*", of(slow, |i| [i.position, i.across]))],
        ),
    ];
    Ok(Figure { name: "sliding_figure_1", panels })
}

/// Figure 3: force along the path for three velocities, those of the line, on every path; leftward in the source.
fn force_over_path(cases: &Cases) -> Result<Figure, StudyError> {
    let critical = cases.line().exact.critical_velocity();
    let mut panels = Vec::new();
    for factor in [1.0, 1.5, 3.0] {
        let velocity = factor * critical;
        let end = 4.0 * cases.line().exact.end() / velocity * if factor == 1.0 { 2.5 } else { 2.0 };
        let mut curves = Vec::new();
        for case in &cases.paths {
            let time_step = step(cases, case, velocity);
            let motion = case.setup.slide(velocity, time_step, Until { time: end, turns: false }, &[])?;
            curves.push(line(case.name, of(&motion.instants, |i| [i.time, i.along])));
        }
        let title = format!("Figure 3, v0 = {factor:.1} v_crit of the line (engine)");
        panels.push(panel(title, "t [s]", "T* [N]", curves));
    }
    Ok(Figure { name: "sliding_figure_3", panels })
}

/// Figure 4: a sphere that does not pass, with the forms of hysteresis and its powers.
fn hysteresis(cases: &Cases) -> Result<Figure, StudyError> {
    let case = cases.line();
    let velocity = 0.7 * case.exact.critical_velocity();
    let (end, time_step) = (40.0, step(cases, case, velocity));
    let mut panels = Vec::new();
    for (letter, form, name) in [
        ("a", Form::NonIncremental, "non-incremental"),
        ("b", Form::Incremental, "incremental"),
        ("c", Form::Coulomb, "Coulomb's friction"),
    ] {
        let setup = Setup { form, ..case.setup.clone() };
        let motion = setup.slide(velocity, time_step, Until { time: end, turns: false }, &[])?;
        let published = Setup { form, reading: Reading::Path, ..case.setup.clone() };
        let published = published.slide(velocity, time_step, Until { time: end, turns: false }, &[])?;
        let exact = case.hysteretic(form, cases.options.power, Reading::Path)?;
        let reference = exact.motion(velocity, end, 0.05, &[]);
        let curves = vec![
            line("T*, engine", of(&motion.instants, |i| [i.time, i.along])),
            line("T*, engine, published reading", of(&published.instants, |i| [i.time, i.along])),
            series("T*, event by event, published reading", SeriesStyle::Dashes, of(&reference, |i| [i.time, i.along])),
            line("N*, engine", of(&motion.instants, |i| [i.time, i.across])),
        ];
        panels.push(panel(format!("Figure 4{letter}, {name}, v0 = 0.7 v_crit"), "t [s]", "force [N]", curves));
    }
    let mut curves = Vec::new();
    for power in [0.5, 1.0 / 3.0, 0.25] {
        let setup = Setup { power, ..case.setup.clone() };
        let motion = setup.slide(velocity, time_step, Until { time: end, turns: false }, &[])?;
        curves.push(line(format!("p = {power:.2}"), of(&motion.instants, |i| [i.position, i.along])));
    }
    panels.push(panel("Figure 4d, powers, incremental (engine)", "s [m]", "T* [N]", curves));
    Ok(Figure { name: "sliding_figure_4", panels })
}

/// Figure 5: two reversals by impulses on the way of a sphere that would just pass.
fn reversals(cases: &Cases) -> Result<Figure, StudyError> {
    let case = cases.line();
    let velocity = 1.05 * case.exact.critical_velocity();
    let passage = case.exact.contact_time(velocity)?;
    let impulses = [0.4 * passage, 0.6 * passage];
    let (end, time_step) = (4.0 * passage, step(cases, case, velocity));
    let motion = case.setup.slide(velocity, time_step, Until { time: end, turns: false }, &impulses)?;
    let exact = case.hysteretic(Form::Incremental, cases.options.power, Reading::Path)?;
    let reference = exact.motion(velocity, end, 0.05, &impulses);
    let both = |title: &str, x: &str, y: &str, pick: fn(&Instant) -> [f64; 2]| {
        let curves = vec![
            line("engine", of(&motion.instants, pick)),
            series("event by event", SeriesStyle::Dashes, of(&reference, pick)),
        ];
        panel(title, x, y, curves)
    };
    let panels = vec![
        both("Figure 5a, velocity", "t [s]", "v [m/s]", |i| [i.time, i.velocity]),
        both("Figure 5b, path", "t [s]", "s [m]", |i| [i.time, i.position]),
        both("Figure 5c, force along the path", "s [m]", "T* [N]", |i| [i.position, i.along]),
        both("Figure 5c, force across the path", "s [m]", "N* [N]", |i| [i.position, i.across]),
        both("Figure 5d, force along the path", "t [s]", "T* [N]", |i| [i.time, i.along]),
    ];
    Ok(Figure { name: "sliding_figure_5", panels })
}

/// Figures 6 and 9: velocity over the path, exact and by the engine.
fn velocities(name: &'static str, title: &str, paths: &[PathCase]) -> Figure {
    let panels = paths.iter().map(|case| {
        let mut curves = Vec::new();
        for passage in case.passages.iter().filter(|passage| passage.motion.parting.is_some()).step_by(2) {
            let factor = passage.velocity / case.exact.critical_velocity();
            let at = |k: usize| (2.0 * k as f64 / POINTS as f64 - 1.0) * case.exact.end();
            let exact = (0..=POINTS).map(|k| [at(k), case.exact.velocity(at(k), passage.velocity)]).collect();
            curves.push(line(format!("v0 = {factor:.2} v_crit"), exact));
            let engine = of(&passage.motion.instants, |i| [i.position, i.velocity]);
            curves.push(series("", SeriesStyle::Markers, thinned(&engine)));
        }
        panel(format!("{title}: {} (lines exact, markers engine)", case.name), "s [m]", "v [m/s]", curves)
    });
    Figure { name, panels: panels.collect() }
}

/// Curves over the initial velocity: exact, by the five-point rule and by the engine.
fn over_velocity(
    paths: &[PathCase],
    exact: impl Fn(&PathCase, f64) -> f64,
    approximate: impl Fn(&PathCase, f64) -> f64,
    engine: impl Fn(f64, [f64; 2]) -> f64,
) -> Vec<Series> {
    let mut curves = Vec::new();
    for case in paths {
        let critical = case.exact.critical_velocity();
        // dense near the critical velocity, where everything changes
        let velocities: Vec<f64> =
            (1..=POINTS).map(|k| critical * (1.005 + 2.2 * (k as f64 / POINTS as f64).powi(3))).collect();
        let curve = |value: &dyn Fn(f64) -> f64| velocities.iter().map(|&v| [v, value(v)]).collect();
        let name = if case.setup.path == Path::Line { "line" } else { case.name };
        curves.push(line(format!("{name}, exact"), curve(&|v| exact(case, v))));
        curves.push(series(format!("{name}, five points"), SeriesStyle::Dashes, curve(&|v| approximate(case, v))));
        let points = case.passages.iter().filter_map(|p| Some([p.velocity, engine(p.velocity, p.motion.parting?)]));
        curves.push(series(format!("{name}, engine"), SeriesStyle::Markers, points.collect()));
    }
    curves
}

/// Figures 7 and 10.
fn restitution(name: &'static str, title: &str, paths: &[PathCase]) -> Figure {
    let curves = over_velocity(
        paths,
        |case, v| case.exact.restitution(v),
        |case, v| (1.0 - (case.exact.loss_velocity_lobatto() / v).powi(2)).sqrt(),
        |v, [_, parted]| parted / v,
    );
    Figure { name, panels: vec![panel(format!("{title}: restitution"), "v0 [m/s]", "e_s [-]", curves)] }
}

/// Figures 8 and 11.
fn contact_time(name: &'static str, title: &str, paths: &[PathCase]) -> Figure {
    let curves = over_velocity(
        paths,
        |case, v| case.exact.contact_time(v).unwrap_or(f64::NAN),
        |case, v| case.exact.contact_time_lobatto(v),
        |_, [time, _]| time,
    );
    Figure { name, panels: vec![panel(format!("{title}: time of contact"), "v0 [m/s]", "t_c [s]", curves)] }
}
