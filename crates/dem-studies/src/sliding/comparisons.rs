//! The engine and the closed forms against the references, with the agreement that is asked for.

use dem_reference::finite_sliding::Path;
use dem_reference::hysteretic_sliding::{Form, Instant, Reading};
use dem_reference::sliding_under_force::Centrifugal;

use super::cases::{Cases, PathCase};
use super::engine::Until;
use super::options::Options;
use super::setup::Setup;
use crate::error::StudyError;

/// A result and what it is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Path or drive, and what was measured.
    pub quantity: String,
    /// How the result was obtained: `engine`, `elliptic`, `quadrature`, `integral over the distance`.
    pub method: &'static str,
    /// The value that it should have.
    pub reference: f64,
    /// Where that comes from.
    pub source: &'static str,
    /// The result.
    pub result: f64,
    /// Largest admissible distance from the reference.
    pub tolerance: f64,
}

impl Comparison {
    /// Whether the result agrees.
    pub fn passes(&self) -> bool {
        (self.result - self.reference).abs() <= self.tolerance
    }
}

/// Where the references come from.
const QUADRATURE: &str = "adaptive quadrature of the published integrals";
const EVENTS: &str = "event-by-event integration of equations 2 and 3";

/// Relative agreement asked for of critical velocities.
const OF_CRITICAL_VELOCITY: f64 = 1e-4;
/// Agreement asked for of restitution, absolute, and of contact times, relative.
const OF_RESTITUTION: f64 = 1e-3;
const OF_CONTACT_TIME: f64 = 1e-3;
/// Agreement asked for of the places of reversals and of rest, in proportion to half the path.
const OF_REVERSAL: f64 = 1e-4;
/// Coefficients of friction with which a slow sphere is stopped before the end of the line.
const LITTLE_FRICTION: [f64; 3] = [0.3, 0.2, 0.05];
/// Speed over that at the start of a sphere that is at rest.
const AT_REST: f64 = 1e-3;
/// Reversals that are compared; with little friction there may be fewer.
const COMPARED_REVERSALS: usize = 3;

/// All comparisons of the study with given options.
///
/// # Errors
/// As [`super::run`].
pub fn comparisons(options: &Options) -> Result<Vec<Comparison>, StudyError> {
    options.check()?;
    of(&Cases::new(options)?)
}

/// All comparisons of computed cases.
pub(super) fn of(cases: &Cases) -> Result<Vec<Comparison>, StudyError> {
    let mut rows = Vec::new();
    for case in &cases.paths {
        critical_velocities(case, cases.options.steps, &mut rows)?;
        passages(case, &mut rows)?;
    }
    little_friction(cases, &mut rows)?;
    hysteresis(cases, &mut rows)?;
    drives(cases, &mut rows)?;
    Ok(rows)
}

fn critical_velocities(case: &PathCase, steps: u32, rows: &mut Vec<Comparison>) -> Result<(), StudyError> {
    let reference = case.exact.critical_velocity();
    let mut row = |method, result, tolerance: f64| {
        let quantity = format!("{}: critical velocity [m/s]", case.name);
        rows.push(Comparison {
            quantity,
            method,
            reference,
            source: QUADRATURE,
            result,
            tolerance: tolerance * reference,
        });
    };
    match case.setup.path {
        Path::Line => row("elliptic", case.exact.critical_velocity_elliptic()?, 1e-8),
        Path::Circle(_) => row("integral over the distance", case.exact.critical_velocity_by_distance(), 1e-8),
    }
    row("engine", engine_critical_velocity(case, reference, steps)?, OF_CRITICAL_VELOCITY);
    Ok(())
}

/// The critical velocity over that of the loss where friction is too little for them to be the same.
fn little_friction(cases: &Cases, rows: &mut Vec<Comparison>) -> Result<(), StudyError> {
    for friction in LITTLE_FRICTION {
        let options = Options { friction, ..cases.options.clone() };
        let case = PathCase::without_passages(&options, "line", Path::Line)?;
        let (critical, loss) = (case.exact.critical_velocity(), case.exact.loss_velocity());
        let result = engine_critical_velocity(&case, critical, options.steps)? / loss;
        rows.push(Comparison {
            quantity: format!("line, friction {friction}: critical velocity over that of equation 21 [-]"),
            method: "engine",
            reference: critical / loss,
            source: QUADRATURE,
            result,
            tolerance: OF_CRITICAL_VELOCITY * critical / loss,
        });
    }
    Ok(())
}

/// The velocity between those of spheres that pass and of spheres that do not, to an eighth of the agreement asked for; not a number if it
/// is not within five times that of a guess \[m/s\].
fn engine_critical_velocity(case: &PathCase, guess: f64, steps: u32) -> Result<f64, StudyError> {
    let (mut low, mut high) = (guess * (1.0 - 5.0 * OF_CRITICAL_VELOCITY), guess * (1.0 + 5.0 * OF_CRITICAL_VELOCITY));
    let passes = |velocity: f64| -> Result<bool, StudyError> {
        let time = 40.0 * case.exact.end() / velocity;
        Ok(case.slide(velocity, steps, Until { time, turns: true })?.parting.is_some())
    };
    if passes(low)? || !passes(high)? {
        return Ok(f64::NAN);
    }
    while high - low > 0.125 * OF_CRITICAL_VELOCITY * guess {
        let middle = 0.5 * (low + high);
        if passes(middle)? { high = middle } else { low = middle }
    }
    Ok(0.5 * (low + high))
}

fn passages(case: &PathCase, rows: &mut Vec<Comparison>) -> Result<(), StudyError> {
    let critical = case.exact.critical_velocity();
    for passage in &case.passages {
        let factor = passage.velocity / critical;
        let [time, velocity] = passage.motion.parting.unwrap_or([f64::NAN; 2]);
        let mut row = |what: &str, reference: f64, result: f64, tolerance: f64| {
            let quantity = format!("{}, v0 = {factor:.2} v_crit: {what}", case.name);
            rows.push(Comparison { quantity, method: "engine", reference, source: QUADRATURE, result, tolerance });
        };
        row("restitution", case.exact.restitution(passage.velocity), velocity / passage.velocity, OF_RESTITUTION);
        // nearer to the critical velocity the time grows without bound, and its error with it
        if factor > 1.04 {
            let exact = case.exact.contact_time(passage.velocity)?;
            row("contact time [s]", exact, time, OF_CONTACT_TIME * exact);
        }
    }
    Ok(())
}

/// A sphere that does not pass, until its third reversal or until the load has thrown it back, and where it comes to rest: the engine against
/// the same hysteresis event by event, as a contact can know it and as the source reads it.
fn hysteresis(cases: &Cases, rows: &mut Vec<Comparison>) -> Result<(), StudyError> {
    for (reading, read) in [(Reading::Contact, ""), (Reading::Path, ", published reading")] {
        for (form, name) in [(Form::Incremental, "incremental"), (Form::NonIncremental, "non-incremental")] {
            let label = format!("line, v0 = 0.70 v_crit, {name}{read}");
            slow_sphere(cases, reading, form, &label, rows)?;
        }
    }
    Ok(())
}

fn slow_sphere(
    cases: &Cases,
    reading: Reading,
    form: Form,
    label: &str,
    rows: &mut Vec<Comparison>,
) -> Result<(), StudyError> {
    let case = cases.line();
    let (end, velocity) = (case.exact.end(), 0.7 * case.exact.critical_velocity());
    let step = 2.0 * end / (velocity * f64::from(cases.options.steps));
    let time = 30.0 * end / velocity;
    let exact = case.hysteretic(form, cases.options.power, reading)?.motion(velocity, time, 10.0 * step, &[]);
    let setup = Setup { form, reading, ..case.setup.clone() };
    let motion = setup.slide(velocity, step, Until { time, turns: false }, &[])?;
    let (reference, result) = (turning_points(&exact), turning_points(&motion.instants));
    let mut row = |what: String, reference, result, tolerance| {
        let quantity = format!("{label}: {what}");
        rows.push(Comparison { quantity, method: "engine", reference, source: EVENTS, result, tolerance });
    };
    let count = reference.len().min(COMPARED_REVERSALS);
    if count < COMPARED_REVERSALS {
        row("reversals before it is thrown back [-]".into(), count as f64, result.len() as f64, 0.0);
    }
    let of = |all: &[f64], k: usize| all.get(k).copied().unwrap_or(f64::NAN);
    for k in 0..count {
        row(format!("reversal {} [m]", k + 1), of(&reference, k), of(&result, k), OF_REVERSAL * end);
    }
    if let Some(place) = rest(&exact, velocity) {
        let found = rest(&motion.instants, velocity).unwrap_or(f64::NAN);
        row("place of rest [m]".into(), place, found, OF_REVERSAL * end);
    }
    Ok(())
}

/// Where a motion that came with a velocity \[m/s\] has come to rest, if it has \[m\].
pub(super) fn rest(instants: &[Instant], velocity: f64) -> Option<f64> {
    let last = instants.last()?;
    (last.velocity.abs() < AT_REST * velocity).then_some(last.position)
}

/// Positions at which the velocity changes its sign.
pub(super) fn turning_points(instants: &[Instant]) -> Vec<f64> {
    let mut found = Vec::new();
    for pair in instants.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        if before.velocity != 0.0 && before.velocity * after.velocity <= 0.0 {
            // the velocity is a straight line in time
            let share = before.velocity / (before.velocity - after.velocity);
            found.push(before.position + 0.5 * before.velocity * share * (after.time - before.time));
        }
    }
    found
}

fn drives(cases: &Cases, rows: &mut Vec<Comparison>) -> Result<(), StudyError> {
    for case in &cases.drives {
        let angle = case.exact.parting(Centrifugal::Included);
        let [time, parted, velocity] = case.motion.parting.unwrap_or([f64::NAN; 3]);
        let exact = [
            ("contact time [s]", case.exact.contact_time(Centrifugal::Included)?, time),
            (
                "coordinate of parting from the start [m]",
                2.0 * (angle - case.exact.start()),
                2.0 * (parted - case.exact.start()),
            ),
            ("velocity of parting [m/s]", case.exact.velocity(angle, Centrifugal::Included), velocity),
        ];
        for (what, reference, result) in exact {
            rows.push(Comparison {
                quantity: format!("force control, T0 = {:.2} T_mu: {what}", case.over_limit),
                method: "engine",
                reference,
                source: QUADRATURE,
                result,
                tolerance: OF_CONTACT_TIME * reference,
            });
        }
    }
    Ok(())
}
