//! Bounds of how far particles have moved, so that most steps need not check every particle to know that the lists
//! still hold.
//!
//! A selection of near pairs allows for a margin that two particles may approach each other by. Where particles are
//! fast, the fastest of all would use it up in a few steps. There the selection follows each particle on its predicted
//! path (`course`), the ballistic path without forces, which is the straight line of its velocity at that time: pairs
//! are near if they would touch before the predicted paths end, and the margin is for the deviation of particles from
//! these paths, which grows with the square of time and is small at first.

use dem_contact::geometry::Selection;

/// Lists are renewed a little early, so that rounding cannot make them late.
const SAFETY: f64 = 1e-3;
/// The thinnest margin of a selection in proportion to the smallest radius.
const THINNEST: f64 = 1e-6;
/// Margin² in proportion to radius × displacement per step: balances the work of selecting against that of evaluating
/// contacts that do not touch, in a dense packing. Measured on settled and on stirred beds.
const BALANCE: f64 = 0.17;
/// A selection that lasts for so many steps predicts no paths.
const LONG: f64 = 24.0;
/// Steps for which paths are predicted at most.
const LONGEST_COURSE: f64 = 64.0;
/// The same balance where paths are predicted, of which the steps of a selection are the root. Measured on stirred
/// beds.
const COURSE_BALANCE: f64 = 0.04;
/// Speed at which pairs that approach each other do so in the mean of all pairs, in proportion to the fastest particle: as of ten thousand
/// particles with Gaussian velocities.
const MEAN_APPROACH: f64 = 0.13;
/// Deviation of particles from their predicted paths in the first step in proportion to the longest move, while nothing
/// is known.
const FIRST_GUESS: f64 = 0.05;

/// Sums of the longest moves of each step.
#[derive(Clone, Copy, Debug)]
pub struct DisplacementBound {
    /// Since the last evaluation.
    next: Option<f64>,
    /// Between the last two evaluations.
    last: f64,
    /// Since the present step began, up to the last evaluation.
    this_step: f64,
    /// Since it was last taken, in all parts of a step.
    unseen: f64,
    since_rebuild: f64,
    /// Since ghosts were exchanged.
    since_exchange: f64,
    since_selection: f64,
    margin: f64,
    /// Largest deviation of any particle from its predicted path since the last evaluation \[m\]; none if the
    /// integrator does not report it.
    next_deviation: Option<f64>,
    /// Moves of the step that belong to no predicted path \[m\].
    extra: f64,
    deviation_since_selection: f64,
    /// Deviation rate from the predicted paths, per step \[m\].
    deviation_rate: Option<f64>,
    steps_since_selection: f64,
    /// Steps for which the predicted paths of the last selection hold; zero if it has none.
    course: f64,
    /// Whether the integrator reports how particles deviate from their predicted paths.
    follows: bool,
    smallest_radius: f64,
    /// Largest distance of two centres that a list or a selection covers \[m\].
    reach: f64,
}

impl Default for DisplacementBound {
    fn default() -> Self {
        Self {
            next: None,
            last: f64::INFINITY,
            this_step: 0.0,
            unseen: f64::INFINITY,
            since_rebuild: f64::INFINITY,
            since_exchange: f64::INFINITY,
            since_selection: f64::INFINITY,
            margin: 0.0,
            next_deviation: None,
            extra: 0.0,
            deviation_since_selection: f64::INFINITY,
            deviation_rate: None,
            steps_since_selection: 0.0,
            course: 0.0,
            follows: false,
            smallest_radius: 0.0,
            reach: 0.0,
        }
    }
}

impl DisplacementBound {
    /// No particle was moved by more than `distance` \[m\]; bounds since the last evaluation add up.
    pub fn bound_next(&mut self, distance: f64) {
        self.next = Some(self.next.unwrap_or(0.0) + distance);
        self.unseen += distance;
        self.extra += distance;
    }

    /// An integrator that reports deviations has moved the particles by one step: none by more than `distance` \[m\],
    /// and none off its predicted path by more than `deviation` \[m\]; none if there were no predicted paths.
    pub fn bound_course(&mut self, distance: f64, deviation: Option<f64>) {
        self.next = Some(self.next.unwrap_or(0.0) + distance);
        self.unseen += distance;
        // predicted paths do not cover a second step without an evaluation in between
        let first = self.next_deviation.is_none();
        self.next_deviation = Some(deviation.filter(|_| first).unwrap_or(f64::INFINITY));
    }

    /// A deformation has carried all particles along and changed no length by more than the fraction `strain`: it
    /// brings two bodies nearer to each other by that fraction of their distance, and stretches what they had moved
    /// before.
    pub fn bound_strain(&mut self, strain: f64) {
        let stretch = 1.0 + strain;
        self.next = self.next.map(|next| next * stretch);
        self.since_rebuild *= stretch;
        self.since_exchange *= stretch;
        self.since_selection *= stretch;
        self.bound_next(0.5 * strain * self.reach);
        // predicted paths are straight
        self.extra = f64::INFINITY;
    }

    /// Other parts of the assembly have moved, too: `largest` returns the longest move of all, given the one that is
    /// known here \[m\].
    pub fn raise(&mut self, largest: impl FnOnce(f64) -> f64) {
        let own = self.next.unwrap_or(f64::INFINITY);
        let longest = largest(own);
        self.next = Some(longest).filter(|longest| longest.is_finite());
        self.unseen += (longest - own).max(0.0);
    }

    /// Others that are listed here deviate from their predicted paths by up to `deviation` \[m\].
    pub fn raise_deviation(&mut self, deviation: f64) {
        self.next_deviation = self.next_deviation.map(|own| own.max(deviation));
    }

    /// Counts an evaluation.
    pub fn advance(&mut self) {
        self.last = self.next.take().unwrap_or_else(|| {
            self.unseen = f64::INFINITY;
            f64::INFINITY
        });
        self.this_step += self.last;
        self.since_rebuild += self.last;
        self.since_exchange += self.last;
        self.since_selection += self.last;
        let extra = std::mem::take(&mut self.extra);
        let deviation = self.next_deviation.take();
        self.follows = deviation.is_some() && extra.is_finite();
        self.deviation_since_selection += deviation.unwrap_or(f64::INFINITY) + extra;
        self.steps_since_selection += 1.0;
    }

    /// Smallest radius of the particles in the list \[m\].
    pub fn smallest_radius(&self) -> f64 {
        self.smallest_radius
    }

    /// Bound between the last two evaluations \[m\]; infinite if it was not reported.
    pub fn last(&self) -> f64 {
        self.last
    }

    /// Bound since [`Self::take_unseen`] was last called \[m\]; infinite if it was not reported.
    pub fn unseen(&self) -> f64 {
        self.unseen
    }

    /// Bound since this was last called \[m\]; infinite if it was not reported.
    pub fn take_unseen(&mut self) -> f64 {
        std::mem::take(&mut self.unseen)
    }

    /// Bound since the list was built \[m\].
    pub fn since_rebuild(&self) -> f64 {
        self.since_rebuild * (1.0 + SAFETY)
    }

    /// Bound since ghosts were exchanged, up to the last evaluation \[m\].
    pub fn since_exchange(&self) -> f64 {
        self.since_exchange
    }

    /// Bound since ghosts were exchanged, with the moves since the last evaluation \[m\]; infinite if these were not reported.
    pub fn pending_exchange(&self) -> f64 {
        (self.since_exchange + self.next.unwrap_or(f64::INFINITY)) * (1.0 + SAFETY)
    }

    /// Bound of the moves of the last step, in all its evaluations \[m\].
    pub fn longest_step(&self) -> f64 {
        self.last.max(self.this_step)
    }

    /// A step begins.
    pub fn begin_step(&mut self) {
        self.this_step = 0.0;
    }

    /// Bound between the last exchange of ghosts and the end of a step in which particles move twice as far as in the one before \[m\].
    pub fn next_exchange(&self) -> f64 {
        (self.since_exchange + 2.0 * self.longest_step()) * (1.0 + SAFETY)
    }

    /// Ghosts have been exchanged, of which the centres are no farther away than `reach` \[m\].
    pub fn restart_exchange(&mut self, reach: f64) {
        self.since_exchange = 0.0;
        self.reach = self.reach.max(reach);
    }

    /// The near pairs are selected anew in the next evaluation.
    pub fn forget_selection(&mut self) {
        self.since_selection = f64::INFINITY;
        self.deviation_since_selection = f64::INFINITY;
    }

    /// Bound since the list was built, with the moves since the last evaluation \[m\].
    pub fn pending(&self) -> f64 {
        (self.since_rebuild + self.next.unwrap_or(0.0)) * (1.0 + SAFETY)
    }

    /// Replaces the bound since the list was built by a measured displacement \[m\].
    pub fn correct_since_rebuild(&mut self, displacement: f64) {
        self.since_rebuild = displacement;
    }

    /// The list was built; `reach` is the largest distance of two centres that are in it \[m\].
    pub fn restart(&mut self, smallest_radius: f64, reach: f64) {
        self.smallest_radius = smallest_radius;
        self.reach = reach;
        self.since_rebuild = 0.0;
        self.since_selection = f64::INFINITY;
        self.deviation_since_selection = f64::INFINITY;
    }

    /// Whether the selection of near pairs is kept or renewed in this evaluation.
    pub fn selection(&mut self) -> Selection {
        let gone = if self.course > 0.0 { self.deviation_since_selection } else { self.since_selection };
        let is_over = self.course > 0.0 && self.steps_since_selection > self.course;
        let renew = is_over || 2.0 * gone * (1.0 + SAFETY) >= self.margin;
        if renew {
            self.learn();
            self.choose();
            self.since_selection = 0.0;
            self.deviation_since_selection = 0.0;
            self.steps_since_selection = 0.0;
        }
        Selection { margin: self.margin, course: self.course, renew }
    }

    /// Learns from the last selection how particles deviate from their predicted paths: at a speed that grows from step
    /// to step.
    fn learn(&mut self) {
        let steps = self.steps_since_selection;
        let deviation_rate = 2.0 * self.deviation_since_selection / (steps * (steps + 1.0));
        if self.course > 0.0 && deviation_rate.is_finite() {
            self.deviation_rate = Some(deviation_rate);
        }
    }

    /// Chooses the margin of a selection, and whether and for how long paths are predicted.
    fn choose(&mut self) {
        let thinnest = THINNEST * self.smallest_radius;
        self.course = 0.0;
        if !self.last.is_finite() {
            self.margin = 0.0;
            return;
        }
        self.margin = (BALANCE * self.last * self.smallest_radius).sqrt().max(thinnest);
        if !self.follows || self.margin > 2.0 * LONG * self.last {
            return;
        }
        // the same balance where pairs approach each other by their relative velocity and by their deviation from the
        // predicted paths
        let (deviation_rate, approach) =
            (self.deviation_rate.unwrap_or(FIRST_GUESS * self.last), MEAN_APPROACH * self.last);
        let mut steps = 1.0;
        let balance = COURSE_BALANCE * self.smallest_radius;
        while steps < LONGEST_COURSE && (2.0 * deviation_rate * steps + approach) * steps * steps < balance {
            steps += 1.0;
        }
        self.course = steps;
        self.margin = (deviation_rate * steps * (steps + 1.0)).max(thinnest) * (1.0 + 4.0 * SAFETY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_holds_until_two_bodies_may_have_used_up_its_margin() {
        let mut bound = DisplacementBound::default();
        bound.restart(1.0, 2.0);
        bound.bound_next(1e-4);
        bound.advance();
        let Selection { margin, renew, .. } = bound.selection();
        assert!(renew, "a new list has no selection");
        let mut steps = 0;
        loop {
            bound.bound_next(1e-4);
            bound.advance();
            steps += 1;
            if bound.selection().renew {
                break;
            }
            assert!(2e-4 * f64::from(steps) < margin);
        }
        assert!(steps > 3, "{steps}");
    }

    /// Fast particles that are slowly deflected: a selection lasts far longer than their moves alone would let it, and
    /// no longer than its margin and its predicted paths do.
    #[test]
    fn a_selection_that_follows_courses_holds_until_they_are_left_or_end() {
        let mut bound = DisplacementBound::default();
        bound.restart(1.0, 2.0);
        let (fast, deviation_rate) = (5e-3, 1e-5);
        bound.bound_course(fast, None);
        bound.advance();
        let mut selection = bound.selection();
        let mut lasted = Vec::new();
        for _ in 0..20 {
            assert!(selection.renew && selection.course >= 1.0);
            let (mut steps, mut deviation) = (0.0, 0.0);
            let next = loop {
                steps += 1.0;
                deviation += deviation_rate * steps;
                bound.bound_course(fast, Some(deviation_rate * steps));
                bound.advance();
                let next = bound.selection();
                if next.renew {
                    break next;
                }
                assert!(2.0 * deviation < selection.margin && steps <= selection.course);
            };
            lasted.push(steps);
            selection = next;
        }
        let by_moves = ((BALANCE * fast).sqrt() / (2.0 * fast)).ceil();
        assert!(lasted[19] > 2.0 * by_moves, "{lasted:?}, {by_moves} by moves");
        assert!((selection.margin / (deviation_rate * selection.course * (selection.course + 1.0)) - 1.0).abs() < 0.01);
    }

    #[test]
    fn courses_end_with_what_they_do_not_know_of() {
        let following = || {
            let mut bound = DisplacementBound::default();
            bound.restart(1.0, 2.0);
            for _ in 0..2 {
                bound.bound_course(5e-3, Some(0.0));
                bound.advance();
                bound.selection();
            }
            bound
        };
        let renews = |mut bound: DisplacementBound| {
            bound.advance();
            bound.selection().renew
        };
        let mut bound = following();
        bound.bound_course(5e-3, Some(0.0));
        assert!(!renews(bound), "this one would go on");
        assert!(renews(following()), "an evaluation without a move that is told");
        bound = following();
        bound.bound_next(5e-3);
        assert!(renews(bound), "a move that follows no course");
        bound = following();
        bound.bound_course(5e-3, Some(0.0));
        bound.bound_course(5e-3, Some(0.0));
        assert!(renews(bound), "two steps in one");
        bound = following();
        bound.bound_course(5e-3, Some(0.0));
        bound.bound_strain(1e-9);
        assert!(renews(bound), "a deformation");
        bound = following();
        bound.bound_course(5e-3, Some(0.0));
        bound.restart(1.0, 2.0);
        assert!(renews(bound), "another list");
        bound = following();
        bound.bound_course(5e-3, Some(0.0));
        bound.bound_next(1.0);
        assert!(renews(bound), "a move next to the course");
    }

    #[test]
    fn a_step_without_bound_renews_everything() {
        let mut bound = DisplacementBound::default();
        bound.restart(1.0, 2.0);
        bound.advance();
        assert_eq!(bound.since_rebuild(), f64::INFINITY);
        assert_eq!(bound.selection(), Selection { margin: 0.0, course: 0.0, renew: true });
        bound.correct_since_rebuild(0.5);
        bound.bound_next(0.25);
        bound.advance();
        assert!((bound.since_rebuild() - 0.75).abs() < 1e-3);
        assert!(bound.selection().renew);
    }

    /// Bodies at the largest distance approach each other by the strain of it, which counts as if both had moved by half of that.
    #[test]
    fn a_strain_counts_like_the_moves_that_bring_bodies_as_near() {
        let mut bound = DisplacementBound::default();
        bound.restart(1.0, 2.0);
        bound.bound_next(0.1);
        bound.advance();
        bound.bound_strain(0.01);
        bound.bound_next(0.0);
        bound.advance();
        assert!((bound.since_rebuild() - (0.101 + 0.01) * 1.001).abs() < 1e-12);
    }
}
