//! At what rate a run lets its particles go: a steady rate with its uncertainty, from the mass that has left.

use std::path::PathBuf;

use dem_io::series::Series as SeriesTable;
use dem_report::ReportError;
use dem_report::drawing::{line, linear};
use dem_report::report::{Figure, Report};
use dem_report::statistics::MeanEstimate;
use dem_report::table::Table;
use dem_view::SeriesStyle;

use crate::ensemble::{Quantity, is_ensemble, over_members};
use crate::error::AnalysisError;

/// Blocks of a window whose rates tell how well the mean is known.
const BLOCKS: usize = 8;
/// Shares of the mass that has left in the end between which the discharge counts as steady, unless a window is given.
const STEADY: [f64; 2] = [0.2, 0.8];

/// What to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Run directory, or directory of an ensemble.
    pub run: PathBuf,
    /// Begin of the steady part \[s\].
    pub from: Option<f64>,
    /// End of it \[s\].
    pub to: Option<f64>,
}

/// A steady rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadyRate {
    /// Begin and end of the window \[s\].
    pub window: [f64; 2],
    /// Mass that left in it \[kg\].
    pub mass: f64,
    /// Mass over time \[kg/s\].
    pub rate: f64,
    /// Half the width of its 95 % interval, from the rates of eight blocks of equal length \[kg/s\].
    pub half_width: f64,
    /// Trend of the rates of the blocks over the window in proportion to the rate \[-\].
    pub trend: f64,
}

impl SteadyRate {
    /// Of the mass that has left, `[time, mass]` in order of time, within a window; `None` if nothing leaves there.
    pub fn of(left: &[[f64; 2]], window: [f64; 2]) -> Option<Self> {
        let [from, to] = window;
        let mass = |time: f64| {
            let after = left.partition_point(|point| point[0] < time);
            let (a, b) = (left.get(after.checked_sub(1)?)?, left.get(after)?);
            Some(a[1] + (b[1] - a[1]) * (time - a[0]) / (b[0] - a[0]))
        };
        let ends = (0..=BLOCKS).map(|k| from + (to - from) * k as f64 / BLOCKS as f64);
        let masses: Vec<f64> = ends.map(mass).collect::<Option<_>>()?;
        let length = (to - from) / BLOCKS as f64;
        let rates: Vec<f64> = masses.windows(2).map(|pair| (pair[1] - pair[0]) / length).collect();
        let total = masses[BLOCKS] - masses[0];
        let rate = total / (to - from);
        let half = |blocks: &[f64]| blocks.iter().sum::<f64>() / blocks.len() as f64;
        let (first, second) = rates.split_at(BLOCKS / 2);
        (total > 0.0 && to > from).then(|| Self {
            window,
            mass: total,
            rate,
            half_width: MeanEstimate::of(&rates).half_width,
            // the middles of the halves are half a window apart
            trend: 2.0 * (half(second) - half(first)) / rate,
        })
    }

    /// The times between which the mass that has left lies between two shares of that at the end \[s\].
    pub fn window_of_shares(left: &[[f64; 2]], shares: [f64; 2]) -> Option<[f64; 2]> {
        let last = left.last().filter(|last| last[1] > 0.0)?[1];
        let time = |share: f64| left.iter().find(|point| point[1] >= share * last).map(|point| point[0]);
        time(shares[0]).zip(time(shares[1])).map(|(from, to)| [from, to])
    }
}

/// Finds the rate of a run, or the rates of an ensemble against its parameters.
///
/// # Errors
/// A series that cannot be read, nothing that leaves, a window out of range.
pub fn run(options: &Options) -> Result<Report, AnalysisError> {
    if is_ensemble(&options.run) {
        let quantity = Quantity {
            names: ["discharge", "discharge_members"],
            title: "rate of discharge",
            unit: "kg/s",
            column: "rate_kg_s",
        };
        return over_members(&options.run, &quantity, |member| {
            let (found, _) = rate(&Options { run: member.to_path_buf(), ..options.clone() })?;
            Ok([found.rate, found.half_width])
        });
    }
    let (found, left) = rate(options)?;
    Ok(report(&found, &left))
}

/// The steady rate of a run, and the mass that has left it over time.
fn rate(options: &Options) -> Result<(SteadyRate, Vec<[f64; 2]>), AnalysisError> {
    let refused = |why: &str| AnalysisError::Unsuitable { run: options.run.display().to_string(), why: why.to_owned() };
    let series = SeriesTable::read(options.run.join("series.csv"))?;
    let column = |name: &str| series.column(name).ok_or_else(|| refused("its series.csv lacks columns"));
    let (time, mass) = (column("time")?, column("removed_mass")?);
    let left: Vec<[f64; 2]> = time.iter().zip(mass).map(|(&t, &m)| [t, m]).collect();
    let [from, to] = SteadyRate::window_of_shares(&left, STEADY)
        .ok_or_else(|| refused("nothing leaves its domain; expected an open face below the outlet"))?;
    let window = [options.from.unwrap_or(from), options.to.unwrap_or(to)];
    let (first, last) = (time.first().copied().unwrap_or(0.0), time.last().copied().unwrap_or(0.0));
    for (option, value) in [("--from", options.from), ("--to", options.to)] {
        if let Some(value) = value.filter(|value| !(first..=last).contains(value)) {
            let allowed = format!("a time of the run, {first} to {last} s");
            return Err(ReportError::Option { option, value: value.to_string(), allowed }.into());
        }
    }
    let found = SteadyRate::of(&left, window)
        .ok_or_else(|| refused(&format!("nothing leaves between {} and {} s", window[0], window[1])))?;
    Ok((found, left))
}

fn report(found: &SteadyRate, left: &[[f64; 2]]) -> Report {
    let mut table =
        Table::new("discharge", &["from_s", "to_s", "mass_kg", "rate_kg_s", "rate_half_width_kg_s", "trend"]);
    let [from, to] = found.window;
    let row = [from, to, found.mass, found.rate, found.half_width, found.trend];
    table.push(row.map(Into::into));
    let steady = [from, to].map(|t| left.partition_point(|point| point[0] < t)).map(|k| left[k.min(left.len() - 1)]);
    let panel = linear(
        "Mass that has left",
        "time [s]",
        "mass [kg]",
        vec![line("run", left.to_vec(), SeriesStyle::Line), line("steady part", steady.to_vec(), SeriesStyle::Markers)],
    );
    let findings = vec![format!(
        "Between {from:.4} and {to:.4} s {:.5} kg leave: {:.5} kg/s +- {:.5} (95 %, from {BLOCKS} blocks); the rate changes by {:+.1} % over \
         the window.",
        found.mass,
        found.rate,
        found.half_width,
        100.0 * found.trend
    )];
    Report {
        tables: vec![table],
        figures: vec![Figure { name: "discharge", panels: vec![panel] }],
        findings,
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_rate_is_found_between_the_ends() {
        let left: Vec<[f64; 2]> =
            (0..=100).map(|k| f64::from(k) * 0.1).map(|t| [t, (3.0 * (t - 1.0)).max(0.0)]).collect();
        let window = SteadyRate::window_of_shares(&left, STEADY).unwrap();
        assert!((window[0] - 2.8).abs() < 0.11 && (window[1] - 8.2).abs() < 0.11, "{window:?}");
        let found = SteadyRate::of(&left, window).unwrap();
        assert!((found.rate - 3.0).abs() < 1e-12 && found.half_width < 1e-10 && found.trend.abs() < 1e-10, "{found:?}");
        assert_eq!(SteadyRate::of(&left, [0.1, 0.9]), None);
        assert_eq!(SteadyRate::of(&left, [8.0, 11.0]), None);
        assert_eq!(SteadyRate::window_of_shares(&[[0.0, 0.0], [1.0, 0.0]], STEADY), None);
    }

    #[test]
    fn a_rate_that_falls_shows_its_trend() {
        let left: Vec<[f64; 2]> = (0..=100).map(|k| f64::from(k) * 0.01).map(|t| [t, t - 0.25 * t * t]).collect();
        let found = SteadyRate::of(&left, [0.0001, 0.9999]).unwrap();
        // from 1 to a half about three quarters
        assert!((found.trend + 2.0 / 3.0).abs() < 0.01 && found.half_width > 0.05, "{found:?}");
    }
}
