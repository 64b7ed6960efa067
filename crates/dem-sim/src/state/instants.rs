//! Instants at which something is written: whole multiples of an interval, each at the step that ends nearest to it.
//!
//! They are counted, not summed: none drifts, none is passed over as long as the interval is no shorter than a step, and none comes twice.

use super::clock::TOLERANCE;
use super::world::World;

/// Up to when instants belong to the present step \[s\]: half of the next one ahead, and what rounding may take off it.
pub(crate) fn now(world: &World) -> f64 {
    now_at(world.time, world.time_step)
}

/// The same of a step that ended at a time \[s\] with one of a length \[s\] ahead.
pub(crate) fn now_at(time: f64, time_step: f64) -> f64 {
    time + (0.5 + TOLERANCE) * time_step
}

/// Number of the first instant after `now` \[s\].
pub(crate) fn next(now: f64, interval: f64) -> u64 {
    ((now / interval).floor() as u64).saturating_add(1)
}

/// Whether the instant of a number has come; if so the number becomes that of the next one.
pub(crate) fn take_due(number: &mut u64, now: f64, interval: f64) -> bool {
    if now < *number as f64 * interval {
        return false;
    }
    // a quotient may round to the number whose product has come
    *number = next(now, interval).max(number.saturating_add(1));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of all lengths, intervals of all multiples and halves of them: as many outputs as there are instants.
    #[test]
    fn no_instant_is_passed_over_or_comes_twice() {
        for time_step in [0.1, 1e-3, 1.0 / 3.0, 2e-5, 7e-4, 1.0 / 49.0] {
            for halves in [2u64, 3, 5, 6, 14, 21, 98] {
                let interval = 0.5 * halves as f64 * time_step;
                let (mut number, mut taken) = (0, Vec::new());
                for step in 0..2000u64 {
                    if take_due(&mut number, now_at(step as f64 * time_step, time_step), interval) {
                        taken.push(step);
                    }
                }
                // the step that ends nearest to it, the earlier one of two
                let expected: Vec<u64> = (0..).map(|k: u64| (k * halves) / 2).take_while(|&step| step < 2000).collect();
                assert_eq!(taken, expected, "steps of {time_step} s, {halves} halves of one");
            }
        }
    }

    #[test]
    fn instants_closer_than_steps_come_once_a_step() {
        let mut number = 0;
        let taken = (0..100).filter(|&step| take_due(&mut number, now_at(f64::from(step), 1.0), 0.3)).count();
        assert_eq!((taken, number), (100, 332));
    }
}
