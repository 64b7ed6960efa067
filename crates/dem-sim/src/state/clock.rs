//! Time as a count of steps.
//!
//! A sum of steps drifts: after 600,000 steps of 20 µs it is not 12 s, and a run to there takes one step more. So time is the product of the
//! steps since the step was last changed, and their length.

use serde::{Deserialize, Serialize};

/// Times that lie within this fraction of a step count as the same: products and sums of decimal fractions are not
/// exact either.
pub const TOLERANCE: f64 = 1e-6;

/// From when on steps have had the same length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepClock {
    /// Steps done then.
    pub step: u64,
    /// Time then \[s\].
    pub time: f64,
    /// Length of the steps since \[s\].
    pub time_step: f64,
}

impl StepClock {
    /// Time after so many steps in all \[s\].
    pub fn at(&self, step: u64) -> f64 {
        self.time + step.saturating_sub(self.step) as f64 * self.time_step
    }

    /// The clock for further steps of a length \[s\] from a step and time \[s\] on: this one, unless length or time are not its own.
    #[must_use]
    pub fn going_on(self, step: u64, time: f64, time_step: f64) -> Self {
        let is_own = step >= self.step && self.time_step == time_step && self.at(step) == time;
        if is_own { self } else { Self { step, time, time_step } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_length_end_where_their_product_does() {
        let clock = StepClock::default().going_on(0, 0.0, 2e-5);
        assert_eq!(clock.at(600_000), 600_000.0 * 2e-5);
        assert_eq!(clock.going_on(250_000, clock.at(250_000), 2e-5), clock);
        // what a sum would have come to
        let sum = (0..600_000).fold(0.0, |time, _| time + 2e-5);
        assert!(sum < 12.0 - 1e-12, "{sum}");
    }

    #[test]
    fn another_length_or_time_begins_anew() {
        let clock = StepClock::default().going_on(0, 0.0, 0.1);
        let longer = clock.going_on(3, clock.at(3), 0.2);
        assert_eq!((longer.step, longer.time), (3, clock.at(3)));
        assert_eq!(longer.at(5), 3.0 * 0.1 + 2.0 * 0.2);
        assert_eq!(clock.going_on(3, 7.0, 0.1).at(4), 7.1);
        assert_eq!(longer.going_on(1, 0.0, 0.2), StepClock { step: 1, time: 0.0, time_step: 0.2 });
    }
}
