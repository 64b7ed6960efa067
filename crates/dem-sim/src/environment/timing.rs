//! Where the time of steps goes.

use std::time::{Duration, Instant};

/// Parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Prediction of the particles, motion of the cell, and what an integrator does with the forces.
    Motion,
    /// Deciding whether the contact list still holds.
    List,
    /// Rebuilding the contact list.
    Broadphase,
    /// Geometry and law of all contacts, those with walls included.
    Law,
    /// Motion of the walls and what particles do to them.
    Walls,
    /// Sums per particle. Velocity Verlet corrects the velocities with them.
    Gather,
    /// Faces of the domain, limits, stages.
    Checks,
}

impl Phase {
    /// All of them, in the order of a step.
    pub const ALL: [Self; 7] =
        [Self::Motion, Self::List, Self::Broadphase, Self::Law, Self::Walls, Self::Gather, Self::Checks];

    /// Name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::List => "list",
            Self::Broadphase => "broadphase",
            Self::Law => "law",
            Self::Walls => "walls",
            Self::Gather => "gather",
            Self::Checks => "checks",
        }
    }
}

/// Fraction of the time of steps that a sampling clock may take: below what any measurement of speed resolves.
const SHARE: f64 = 0.0015;
/// Most steps of which one is timed, so that a run of some thousand short steps has some dozens.
const MOST: u32 = 256;
/// Clock readings from which the cost of one is estimated.
const TRIALS: usize = 32;

/// A stopwatch with one reading per phase: some eight clock readings per step, 0.2 µs.
///
/// One that samples times all long steps, and of short ones one in a group of steps, which then represents the whole
/// group. Which one is drawn at random, since much of a simulation recurs after a fixed number of steps. Rebuilds of
/// the contact list are rare and long, and always timed.
#[derive(Clone, Copy, Debug)]
pub struct PhaseClock {
    last: Instant,
    spent: [Duration; Phase::ALL.len()],
    /// Steps that the present one represents; zero if it is not timed.
    weight: u32,
    /// Laps of the present step.
    laps: u32,
    steps: u64,
    timed: u64,
    represented: u64,
    sampling: Option<Sampling>,
}

/// Which steps are timed.
#[derive(Clone, Copy, Debug)]
struct Sampling {
    /// Cost of a clock reading.
    look: Duration,
    /// When the last timed step began.
    begun: Instant,
    /// How long steps are, rare long ones left out.
    typical: Duration,
    /// Steps before the next timed one.
    wait: u32,
    /// Size of the group of the next timed step, and how many steps of it come after that one.
    group: u32,
    rest: u32,
    draws: u64,
}

impl Default for PhaseClock {
    /// A clock that times every step.
    fn default() -> Self {
        Self {
            last: Instant::now(),
            spent: [Duration::ZERO; Phase::ALL.len()],
            weight: 1,
            laps: 0,
            steps: 0,
            timed: 0,
            represented: 0,
            sampling: None,
        }
    }
}

impl PhaseClock {
    /// A clock that times as many steps as it can at negligible cost.
    pub fn sampling() -> Self {
        let mut look = Duration::MAX;
        for _ in 0..TRIALS {
            let before = Instant::now();
            look = look.min(before.elapsed());
        }
        let sampling =
            Sampling { look, begun: Instant::now(), typical: Duration::ZERO, wait: 0, group: 1, rest: 0, draws: 0 };
        Self { weight: 0, sampling: Some(sampling), ..Self::default() }
    }

    /// A step begins. What has passed since the last lap belongs to nothing.
    pub fn begin_step(&mut self) {
        self.steps += 1;
        self.weight = 1;
        if let Some(sampling) = &mut self.sampling {
            if sampling.wait > 0 {
                sampling.wait -= 1;
                self.weight = 0;
                return;
            }
            self.weight = sampling.group;
            if self.timed > 0 {
                sampling.learn(self.last, self.laps);
            }
            sampling.draw(self.laps);
        }
        self.timed += 1;
        self.represented += u64::from(self.weight);
        self.laps = 0;
        self.last = Instant::now();
        if let Some(sampling) = &mut self.sampling {
            sampling.begun = self.last;
        }
    }

    /// What has passed since the last lap belongs to `phase`.
    #[inline]
    pub fn lap(&mut self, phase: Phase) {
        if self.weight > 0 {
            self.note(phase);
        }
    }

    fn note(&mut self, phase: Phase) {
        let now = Instant::now();
        let look = self.sampling.as_ref().map_or(Duration::ZERO, |sampling| sampling.look);
        self.spent[phase as usize] += (now - self.last).saturating_sub(look) * self.weight;
        self.last = now;
        self.laps += 1;
    }

    /// What has passed since `begun` belongs to `phase`, and not to that of the next lap. For what is rare: it is timed
    /// in every step and represents itself alone.
    pub fn add_rare(&mut self, phase: Phase, begun: Instant) {
        let passed = begun.elapsed();
        self.spent[phase as usize] += passed;
        if self.weight > 0 {
            self.last += passed;
        }
    }

    /// Time of a phase so far, estimated for all steps.
    pub fn spent(&self, phase: Phase) -> Duration {
        let spent = self.spent[phase as usize];
        match phase {
            Phase::Broadphase => spent,
            // the last group may be cut short
            _ if self.sampling.is_some() => spent.mul_f64(self.steps as f64 / self.represented.max(1) as f64),
            _ => spent,
        }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps that were timed.
    pub fn timed_steps(&self) -> u64 {
        self.timed
    }
}

impl Sampling {
    /// Learns from a timed step how long steps are; `last` was its last lap.
    fn learn(&mut self, last: Instant, laps: u32) {
        let step = (last - self.begun).saturating_sub(self.look * laps).max(self.look);
        self.typical = if self.typical.is_zero() {
            step
        } else {
            // one step in which the thread was preempted, or the list was rebuilt, says little
            (self.typical * 7 + step.min(self.typical * 2)) / 8
        };
    }

    /// Draws the next step to be timed.
    fn draw(&mut self, laps: u32) {
        let cost = self.look.as_secs_f64() * f64::from(laps + 1);
        let group = (cost / (SHARE * self.typical.as_secs_f64().max(1e-9))).ceil();
        // nothing is known before the first step has been timed
        self.group = if self.typical.is_zero() { 1 } else { (group as u32).clamp(1, MOST) };
        // Knuth's linear congruential generator: no result depends on it
        self.draws = self.draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let before = ((self.draws >> 33) % u64::from(self.group)) as u32;
        self.wait = self.rest + before;
        self.rest = self.group - 1 - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_add_up_by_phase_and_what_lies_between_steps_to_nothing() {
        let mut clock = PhaseClock::default();
        std::thread::sleep(Duration::from_millis(20));
        clock.begin_step();
        for phase in Phase::ALL {
            clock.lap(phase);
            clock.lap(Phase::Law);
        }
        let all: Duration = Phase::ALL.map(|phase| clock.spent(phase)).iter().sum();
        assert!(all < Duration::from_millis(20), "{all:?}");
        assert!(clock.spent(Phase::Law) > Duration::ZERO);
        assert_eq!((clock.steps(), clock.timed_steps()), (1, 1));
    }

    /// A step that lasts some time.
    fn step(clock: &mut PhaseClock, length: Duration) {
        let begun = Instant::now();
        clock.begin_step();
        while begun.elapsed() < length {}
        Phase::ALL.iter().for_each(|&phase| clock.lap(phase));
    }

    #[test]
    fn a_sample_of_short_steps_stands_for_all_and_long_ones_are_all_timed() {
        let mut short = PhaseClock::sampling();
        let begun = Instant::now();
        for _ in 0..20_000 {
            step(&mut short, Duration::from_nanos(500));
        }
        let passed = begun.elapsed();
        assert!(short.timed_steps() < short.steps() / 8, "{}", short.timed_steps());
        assert_eq!(short.steps(), 20_000);
        assert!(short.represented.abs_diff(short.steps()) <= u64::from(MOST), "{}", short.represented);
        // all of a step is motion here; what else the machine does may hit steps that are timed or others
        let motion = short.spent(Phase::Motion);
        assert!(motion > passed / 10 && motion < passed * 10, "{motion:?} of {passed:?}");

        let mut long = PhaseClock::sampling();
        (0..20).for_each(|_| step(&mut long, Duration::from_millis(2)));
        assert_eq!((long.steps(), long.timed_steps()), (20, 20));
        assert!(long.spent(Phase::Motion) >= Duration::from_millis(39), "{:?}", long.spent(Phase::Motion));
    }

    #[test]
    fn what_is_rare_stands_for_itself_and_is_no_part_of_the_phase_around_it() {
        let mut clock = PhaseClock::sampling();
        for _ in 0..3 {
            clock.begin_step();
            let begun = Instant::now();
            std::thread::sleep(Duration::from_millis(5));
            clock.add_rare(Phase::Broadphase, begun);
            clock.lap(Phase::List);
        }
        let (rare, around) = (clock.spent(Phase::Broadphase), clock.spent(Phase::List));
        assert!(rare >= Duration::from_millis(15) && around < Duration::from_millis(15), "{rare:?}, {around:?}");
    }
}
