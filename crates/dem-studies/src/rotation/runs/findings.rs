//! What the runs say.

use dem_core::rotation::IncrementMap;
use dem_core::rotation::carried::Carried;
use dem_report::statistics::slope;

use super::cost::{RunCost, quartiles_of_ratio};
use super::free_bodies::{ANGLES, Accuracy, CLOSE, FOLLOWED, LONG, ORDER};
use super::outcome::Outcome;

/// A sentence for each result.
pub fn all(outcome: &Outcome) -> Vec<String> {
    let mut findings = vec![
        accuracy(outcome),
        drift(outcome),
        breakdown(outcome),
        packing(outcome),
        spheres(outcome),
        literal(outcome),
    ];
    findings.extend(outcome.cost.chunks(Carried::ALL.len()).map(cost));
    findings
}

/// `name number, name number` for the choices beside the quaternion.
fn each(mut number: impl FnMut(Carried) -> String) -> String {
    let parts: Vec<String> = Carried::ALL[1..].iter().map(|&c| format!("{} {}", c.key(), number(c))).collect();
    parts.join(", ")
}

/// Order of the root mean square error with one choice, between the two steps for it.
pub fn order(rows: &[Accuracy], carried: Carried) -> f64 {
    let chosen = rows.iter().filter(|row| row.carried == carried && ORDER.contains(&row.angle));
    slope(&chosen.map(|row| [row.angle, row.error[1]]).collect::<Vec<_>>())
}

fn accuracy(outcome: &Outcome) -> String {
    let at = |angle: f64| outcome.accuracy.iter().find(|row| row.angle == angle).map_or([f64::NAN; 2], |row| row.error);
    let orders = Carried::ALL.map(|carried| order(&outcome.accuracy, carried));
    let [least, most] = [orders.into_iter().fold(f64::INFINITY, f64::min), orders.into_iter().fold(0.0, f64::max)];
    let [coarse, fine] = ORDER.map(at);
    format!(
        "Whole runs: {} free bodies with moments as 1 to 2 to 3 are, after {FOLLOWED} rad in steps of {} rad, {:.2e} rad from Jacobi's \
         solution (root mean square; at most {:.2e}), in steps of {} rad {:.2e} (at most {:.2e}), order {least:.3} to {most:.3}, with every choice.",
        outcome.runs.bodies, ORDER[0], coarse[1], coarse[0], ORDER[1], fine[1], fine[0]
    )
}

fn drift(outcome: &Outcome) -> String {
    let last = |carried: Carried, is_rounded: bool| {
        outcome.drift.iter().rfind(|row| row.carried == carried && row.is_rounded == is_rounded)
    };
    let angles = |carried: Carried, is_rounded: bool| {
        let row = last(carried, is_rounded);
        row.map_or("-".to_owned(), |row| {
            let [largest, usual] = row.from_quaternion;
            format!("{usual:.1e} (at most {largest:.1e}; {:.1} % below {CLOSE:.0e})", 100.0 * row.close)
        })
    };
    let defect = last(Carried::Matrix, false).map_or(f64::NAN, |row| row.defect);
    let size = outcome.drift.iter().filter(|row| row.carried == Carried::Rodrigues).map(|row| row.size);
    format!(
        "Free bodies after {} steps of {LONG} rad come away from the run with quaternions by a root mean square, in rad, of: {}; a second run \
         with quaternions, from orientations that differ by one rounding error, by {}. Matrices are then {defect:.0e} from orthonormal, and the \
         largest component of a Rodrigues vector among the states looked at was {:.1e}.",
        outcome.runs.steps,
        each(|carried| angles(carried, false)),
        angles(Carried::Quaternion, true),
        size.fold(0.0, f64::max)
    )
}

fn breakdown(outcome: &Outcome) -> String {
    let stops = outcome.stops.iter().map(|stop| match stop.stopped {
        Some((step, particle)) => {
            format!("from {} orientations at step {step}, particle {particle}", stop.start)
        }
        None => format!("from {} orientations not in {} steps", stop.start, stop.asked),
    });
    let stops: Vec<String> = stops.collect();
    let worst = outcome.accuracy.iter().map(|row| row.from_quaternion).fold(0.0, f64::max);
    let coarsest = outcome.accuracy.first().map_or(f64::NAN, |row| row.error[1]);
    format!(
        "A run with Rodrigues vectors that must not pass half a turn stops at {LONG} rad per step {}. Otherwise no choice breaks down before \
         the splitting of the rotation does: up to {} rad per step, where that is {coarsest:.1e} rad off, they differ by at most {worst:.1e} rad.",
        stops.join(" and "),
        ANGLES[0]
    )
}

fn packing(outcome: &Outcome) -> String {
    let last = |carried: Carried, is_settled: bool| {
        let row = outcome.packing.iter().rfind(|row| row.carried == carried && row.is_settled == is_settled);
        row.map_or("-".to_owned(), |row| format!("{:.1e}", row.from_quaternion[0]))
    };
    let contacts = outcome.packing.last().map_or(f64::NAN, |row| row.contacts);
    format!(
        "{} dimers with {contacts:.1} contacts each that go on from one settled packing for {} steps come away from the run with quaternions \
         by at most, in rad: {}; where they fall and settle by themselves, {} steps from the start, collisions make that: {}.",
        outcome.runs.dimers,
        outcome.runs.settling.div_ceil(10),
        each(|c| last(c, true)),
        outcome.runs.settling,
        each(|c| last(c, false))
    )
}

fn spheres(outcome: &Outcome) -> String {
    let equal = outcome.spheres.iter().map(|row| row.equal).min().unwrap_or(0);
    let (count, meetings) = outcome.spheres.first().map_or((0, 0), |row| (row.count, row.contact_steps));
    let angle = outcome.spheres.iter().map(|row| row.from_quaternion).fold(0.0, f64::max);
    format!(
        "Of {count} spinning spheres that fly and meet for {} steps ({meetings} contacts summed over steps) {equal} have the same bits of place, \
         velocity and spin with every choice; their orientations differ by at most {angle:.1e} rad.",
        outcome.runs.steps / 10
    )
}

fn literal(outcome: &Outcome) -> String {
    let worst = |map: IncrementMap| {
        let rows = outcome.literal.iter().filter(|row| row.increment == map && row.angle == LONG);
        rows.map(|row| row.error_per_turn).fold(0.0, f64::max)
    };
    let expected = outcome
        .literal
        .iter()
        .find(|row| row.increment == IncrementMap::Literal && row.angle == LONG)
        .map(|row| row.expected());
    format!(
        "Spheres that spin freely in steps of {LONG} rad are {:.4e} rad behind after a revolution with literal increments (expected {:.4e}), and \
         at most {:.0e} rad off with exact ones.",
        worst(IncrementMap::Literal),
        expected.unwrap_or(f64::NAN),
        worst(IncrementMap::Exact)
    )
}

fn cost(of_system: &[RunCost]) -> String {
    let reference = &of_system[0];
    let ratios = each(|carried| {
        let own = of_system.iter().find(|cost| cost.carried == carried);
        let [lower, middle, upper] = own.map_or([f64::NAN; 3], |own| quartiles_of_ratio(own, reference));
        format!("{middle:.3} ({lower:.3} to {upper:.3})")
    });
    format!(
        "Run time of {} in proportion to that with quaternions, median of {} rounds (quartiles): {ratios}.",
        reference.system,
        reference.rounds.len()
    )
}
