//! Where the time of steps goes.

use std::time::{Duration, Instant};

/// Parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Motion of walls and prediction of the particles.
    Motion,
    /// Deciding whether the contact list still holds.
    List,
    /// Rebuilding the contact list.
    Broadphase,
    /// Geometry and law of all contacts.
    Law,
    /// Sums per particle, and the correction of velocities.
    Gather,
    /// Faces of the domain, limits, stages.
    Checks,
}

impl Phase {
    /// All of them, in the order of a step.
    pub const ALL: [Self; 6] = [Self::Motion, Self::List, Self::Broadphase, Self::Law, Self::Gather, Self::Checks];

    /// Name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::List => "list",
            Self::Broadphase => "broadphase",
            Self::Law => "law",
            Self::Gather => "gather",
            Self::Checks => "checks",
        }
    }
}

/// A stopwatch with one reading per phase. Six looks at the clock per step, some 0.2 µs.
#[derive(Clone, Copy, Debug)]
pub struct PhaseClock {
    last: Instant,
    spent: [Duration; Phase::ALL.len()],
}

impl Default for PhaseClock {
    fn default() -> Self {
        Self { last: Instant::now(), spent: [Duration::ZERO; Phase::ALL.len()] }
    }
}

impl PhaseClock {
    /// What has passed since the last lap belongs to nothing.
    pub fn skip(&mut self) {
        self.last = Instant::now();
    }

    /// What has passed since the last lap belongs to `phase`.
    pub fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        self.spent[phase as usize] += now - self.last;
        self.last = now;
    }

    /// Time of a phase so far.
    pub fn spent(&self, phase: Phase) -> Duration {
        self.spent[phase as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_add_up_by_phase_and_skipped_time_to_nothing() {
        let mut clock = PhaseClock::default();
        std::thread::sleep(Duration::from_millis(20));
        clock.skip();
        for phase in Phase::ALL {
            clock.lap(phase);
            clock.lap(Phase::Law);
        }
        let all: Duration = Phase::ALL.map(|phase| clock.spent(phase)).iter().sum();
        assert!(all < Duration::from_millis(20), "{all:?}");
        assert!(clock.spent(Phase::Law) > Duration::ZERO);
    }
}
