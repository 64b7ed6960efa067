//! When rows, frames and checkpoints are due: a part of the state, so that a simulation without a run directory has the same one as with it.

use crate::scene::output::OutputScene;
use crate::simulation::components::Simulation;
use crate::state::instants;

/// What is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    pub row: bool,
    pub frame: bool,
    pub checkpoint: bool,
    /// Averages of wall probes.
    pub profiles: bool,
}

/// Counts in the intervals of a scene from now on. A saved state counts in those of its time, which may have been longer or shorter.
pub fn count_outputs(simulation: &mut Simulation, output: &OutputScene) {
    let interval = |given: Option<dem_io::units::Quantity<dem_io::units::Time>>, default: f64| {
        given.map_or(default, |time| time.si())
    };
    let intervals = [interval(output.series, 0.01), interval(output.snapshots, 0.1), interval(output.checkpoints, 0.5)];
    let now = instants::now(&simulation.world);
    let state = &mut simulation.state;
    for (next, (interval, counted)) in state.outputs.iter_mut().zip(intervals.into_iter().zip(state.output_intervals)) {
        if interval != counted {
            *next = instants::next(now, interval).min(*next);
        }
    }
    state.output_intervals = intervals;
}

/// Time of the next row or frame \[s\].
pub fn next_output(simulation: &Simulation) -> f64 {
    let state = &simulation.state;
    let next = |kind: usize| state.outputs[kind] as f64 * state.output_intervals[kind];
    next(0).min(next(1))
}

/// What is due now; it counts as done, but for the rows: see [`note_row`], the restart of wall probes and the window of facets.
pub(super) fn take_due(simulation: &mut Simulation) -> Due {
    let now = instants::now(&simulation.world);
    let state = &mut simulation.state;
    let mut due = [false; 3];
    for (kind, due) in due.iter_mut().enumerate() {
        *due = instants::take_due(&mut state.outputs[kind], now, state.output_intervals[kind]);
    }
    let [row, frame, checkpoint] = due;
    Due { row, frame, checkpoint, profiles: simulation.probes.take_due(now) }
}

/// Notes that a row of the series has been written.
pub(super) fn note_row(simulation: &mut Simulation) {
    simulation.state.last_row = (simulation.world.time, simulation.world.removed_mass);
}

/// Passes over what is due now, as if it had been written.
pub fn pass_outputs(simulation: &mut Simulation) {
    let due = take_due(simulation);
    if due.row {
        note_row(simulation);
    }
    if due.profiles {
        simulation.probes.restart();
    }
    if due.frame {
        simulation.world.facets.begin_window();
    }
}
