//! What flowed out of a run and what its moving walls did, from the rows of the series.

use dem_io::series::Series;
use serde::Serialize;

use crate::measure::names::wall_columns;
use crate::state::world::World;

/// Shares of the mass that has left between which its rate is taken: the beginning and the end of a discharge are no steady flow.
const STEADY: [f64; 2] = [0.1, 0.9];

/// What left through open faces of the domain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutflowSummary {
    /// Particles.
    pub particles: u64,
    /// Their mass \[kg\].
    pub mass: f64,
    /// Mass per time between the rows at which 10 and 90 % of it had left \[kg/s\]; null if these are one row.
    pub rate: Option<f64>,
    /// Times of these rows \[s\].
    pub rate_between: [f64; 2],
}

impl OutflowSummary {
    /// Of a run whose series has been written; nothing if nothing left.
    pub(super) fn of(world: &World, series: &Series) -> Option<Self> {
        let (time, mass) = (series.column("time")?, series.column("removed_mass")?);
        let all = world.removed_mass;
        if world.removed == 0 {
            return None;
        }
        let rows = STEADY.map(|share| mass.iter().position(|&left| left >= share * all).unwrap_or(mass.len() - 1));
        let [from, to] = rows.map(|row| time[row]);
        let rate = (to > from).then(|| (mass[rows[1]] - mass[rows[0]]) / (to - from));
        Some(Self { particles: world.removed, mass: all, rate, rate_between: [from, to] })
    }
}

/// What particles did to a wall that moves as prescribed, and it to them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrivenSummary {
    /// Times of the rows that are averaged \[s\]: the second half of the last stage.
    pub between: [f64; 2],
    /// Mean force of the particles on the wall \[N\].
    pub force: [f64; 3],
    /// Mean torque of the particles on the wall about its reference point \[N m\].
    pub torque: [f64; 3],
    /// Work done by the wall on the particles, per time \[W\].
    pub power: f64,
}

impl DrivenSummary {
    /// Of a wall; nothing if it is at rest, taken away, or presses with a force, or if there are fewer than two rows.
    pub(super) fn of(world: &World, wall: usize, series: &Series) -> Option<Self> {
        let driven = &world.walls[wall];
        if !driven.active || !driven.motion.does_work() || world.wall_servos.iter().any(|servo| servo.wall == wall) {
            return None;
        }
        let (time, stage) = (series.column("time")?, series.column("stage")?);
        let last = *stage.last()?;
        let begin = stage.iter().position(|&number| number == last)?;
        let half = 0.5 * (time[begin] + time[time.len() - 1]);
        let first = (begin..time.len()).find(|&row| time[row] >= half)?;
        let columns = wall_columns(&driven.name).iter().map(|name| series.column(name)).collect::<Option<Vec<_>>>()?;
        let [from, to] = [time[first], time[time.len() - 1]];
        if to <= from {
            return None;
        }
        let rows = (time.len() - first) as f64;
        let mean = |column: usize| columns[column][first..].iter().sum::<f64>() / rows;
        let work = columns[6];
        Some(Self {
            between: [from, to],
            force: [mean(0), mean(1), mean(2)],
            torque: [mean(3), mean(4), mean(5)],
            power: (work[time.len() - 1] - work[first]) / (to - from),
        })
    }
}
