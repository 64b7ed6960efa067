//! Where the wall time of a run has gone.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::environment::timing::{Phase, PhaseClock};
use crate::forces::ForceEvaluation;

/// Wall time of one phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseTime {
    /// Wall time \[s\].
    pub seconds: f64,
    /// Fraction of the wall time of the call \[-\].
    pub share: f64,
    /// Wall time per particle and step \[ns\]; only of what every step does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ns_per_particle_step: Option<f64>,
}

/// Wall time of a call by phase. The phases add up to the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeByPhase {
    /// Steps of this call.
    pub steps: u64,
    /// Steps that were timed; where steps are short, one stands for many.
    pub timed_steps: u64,
    /// Steps that began together with the end of the one before, so that their prediction counts among the contacts of that one.
    pub steps_begun_early: u64,
    /// Prediction, motion of the cell, and corrections that are made after the sums of forces.
    pub motion: PhaseTime,
    /// Deciding whether the contact list holds, and rebuilding it.
    pub list: PhaseTime,
    /// Geometry and law of all contacts, those with walls included; sums of forces per particle and what is corrected along with them.
    pub contacts: PhaseTime,
    /// Motion of the walls, and the sums of what particles do to them.
    pub walls: PhaseTime,
    /// What steps have waited for rows, frames and checkpoints.
    pub output: PhaseTime,
    /// The rest: start, checks, stages, pouring, averages on walls, summary.
    pub other: PhaseTime,
}

/// Wall time that a run has measured of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// Since the run was begun or continued.
    pub all: Duration,
    /// In steps.
    pub stepping: Duration,
    /// While steps waited for output.
    pub output: Duration,
    /// Particle-steps.
    pub particle_steps: f64,
}

impl TimeByPhase {
    /// Names of the phases, in order.
    pub const NAMES: [&str; 6] = ["motion", "list", "contacts", "walls", "output", "other"];

    pub(super) fn of(forces: &ForceEvaluation, measured: Measured) -> Self {
        let clock = forces.clock.as_ref();
        let spent = |phases: &[Phase]| {
            phases.iter().map(|&phase| clock.map_or(0.0, |clock| clock.spent(phase).as_secs_f64())).sum::<f64>()
        };
        let in_steps = [
            spent(&[Phase::Motion]),
            spent(&[Phase::List, Phase::Broadphase]),
            spent(&[Phase::Law, Phase::Gather]),
            spent(&[Phase::Walls]),
        ];
        let (all, stepping, output) =
            (measured.all.as_secs_f64(), measured.stepping.as_secs_f64(), measured.output.as_secs_f64());
        // what a few steps stand for may come out longer than all steps were
        let sum: f64 = in_steps.iter().sum();
        let in_steps = in_steps.map(|seconds| if sum > stepping { seconds * stepping / sum } else { seconds });
        let rest = all - output - in_steps.iter().sum::<f64>();
        let time = |seconds: f64| PhaseTime {
            seconds,
            share: if all > 0.0 { seconds / all } else { 0.0 },
            ns_per_particle_step: None,
        };
        let each = |seconds: f64| PhaseTime {
            ns_per_particle_step: (measured.particle_steps > 0.0).then(|| 1e9 * seconds / measured.particle_steps),
            ..time(seconds)
        };
        let [motion, list, contacts, walls] = in_steps.map(each);
        Self {
            steps: clock.map_or(0, PhaseClock::steps),
            timed_steps: clock.map_or(0, PhaseClock::timed_steps),
            steps_begun_early: forces.begun_early,
            motion,
            list,
            contacts,
            walls,
            output: time(output),
            other: time(rest.max(0.0)),
        }
    }

    /// All phases with their names, in order.
    pub fn phases(&self) -> [(&'static str, PhaseTime); Self::NAMES.len()] {
        let times = [self.motion, self.list, self.contacts, self.walls, self.output, self.other];
        std::array::from_fn(|k| (Self::NAMES[k], times[k]))
    }

    /// What a reader has to know to understand the figures, as sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.timed_steps < self.steps {
            notes.push(format!(
                "{} of {} steps, selected at random, and all rebuilds of the contact list were timed.",
                self.timed_steps, self.steps
            ));
        }
        if self.steps_begun_early > 0 {
            notes.push(format!(
                "The motion of {} steps was computed in the contact loop of the preceding step; its time is part of `contacts`.",
                self.steps_begun_early
            ));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(all: f64, stepping: f64, output: f64) -> Measured {
        let seconds = Duration::from_secs_f64;
        Measured { all: seconds(all), stepping: seconds(stepping), output: seconds(output), particle_steps: 1000.0 }
    }

    fn sum(times: &TimeByPhase) -> f64 {
        times.phases().iter().map(|(_, time)| time.seconds).sum()
    }

    #[test]
    fn phases_add_up_to_the_whole_even_where_the_sample_was_unlucky() {
        let mut clock = PhaseClock::default();
        clock.begin_step();
        std::thread::sleep(Duration::from_millis(20));
        clock.lap(Phase::Law);
        let mut forces = ForceEvaluation::default();
        forces.clock = Some(clock);
        for (all, stepping) in [(1.0, 0.5), (1.0, 0.01)] {
            let times = TimeByPhase::of(&forces, measured(all, stepping, 0.3));
            assert!((sum(&times) - all).abs() < 1e-12, "{times:?}");
            assert!(times.contacts.seconds <= stepping && times.contacts.seconds > 0.0, "{times:?}");
            let each = times.contacts.ns_per_particle_step.unwrap();
            assert!((each - 1e6 * times.contacts.seconds).abs() < 1e-9 * each, "{times:?}");
            assert_eq!((times.steps, times.output.share), (1, 0.3));
        }
        let without = TimeByPhase::of(&ForceEvaluation::default(), measured(1.0, 0.5, 0.3));
        assert!((sum(&without) - 1.0).abs() < 1e-12 && (without.other.seconds - 0.7).abs() < 1e-12);
    }

    #[test]
    fn notes_say_what_is_estimated_and_what_is_counted_elsewhere() {
        assert!(TimeByPhase { steps: 5, timed_steps: 5, ..TimeByPhase::default() }.notes().is_empty());
        let notes = TimeByPhase { steps: 50, timed_steps: 5, steps_begun_early: 7, ..TimeByPhase::default() }.notes();
        assert!(notes[0].contains("5 of 50 steps") && notes[1].contains("motion of 7 steps"), "{notes:?}");
    }
}
