//! Bounds of how far particles have moved, so that most steps need not look at every particle to know that the lists still hold.

use dem_contact::geometry::Selection;

/// Lists are renewed a little early, so that rounding cannot make them late.
const SAFETY: f64 = 1e-3;
/// The thinnest margin of a selection in proportion to the smallest radius.
const THINNEST: f64 = 1e-6;
/// Margin² in proportion to radius × displacement per step: balances the work of selecting against that of looking at contacts that do
/// not touch, in a dense packing. Measured on settled and on stirred beds.
const BALANCE: f64 = 0.17;

/// Sums of the longest moves of each step.
#[derive(Clone, Copy, Debug)]
pub struct Travel {
    /// Since the last evaluation.
    next: Option<f64>,
    /// Between the last two evaluations.
    last: f64,
    /// Since it was last asked for, in all parts of a step.
    unseen: f64,
    since_rebuild: f64,
    since_selection: f64,
    margin: f64,
    smallest_radius: f64,
    /// Largest distance of two centres of which a list or a selection tells \[m\].
    reach: f64,
}

impl Default for Travel {
    fn default() -> Self {
        Self {
            next: None,
            last: f64::INFINITY,
            unseen: f64::INFINITY,
            since_rebuild: f64::INFINITY,
            since_selection: f64::INFINITY,
            margin: 0.0,
            smallest_radius: 0.0,
            reach: 0.0,
        }
    }
}

impl Travel {
    /// No particle was moved by more than `distance` \[m\]; bounds since the last evaluation add up.
    pub fn bound_next(&mut self, distance: f64) {
        self.next = Some(self.next.unwrap_or(0.0) + distance);
        self.unseen += distance;
    }

    /// A deformation has carried all particles along and changed no length by more than the share `strain`: it brings two bodies nearer to
    /// each other by that share of their distance, and stretches what they had moved before.
    pub fn bound_strain(&mut self, strain: f64) {
        let stretch = 1.0 + strain;
        self.next = self.next.map(|next| next * stretch);
        self.since_rebuild *= stretch;
        self.since_selection *= stretch;
        self.bound_next(0.5 * strain * self.reach);
    }

    /// Counts an evaluation.
    pub fn advance(&mut self) {
        self.last = self.next.take().unwrap_or_else(|| {
            self.unseen = f64::INFINITY;
            f64::INFINITY
        });
        self.since_rebuild += self.last;
        self.since_selection += self.last;
    }

    /// Bound between the last two evaluations \[m\]; infinite if nobody told.
    pub fn last(&self) -> f64 {
        self.last
    }

    /// Bound since this was last called \[m\]; infinite if nobody told.
    pub fn take_unseen(&mut self) -> f64 {
        std::mem::take(&mut self.unseen)
    }

    /// Bound since the list was built \[m\].
    pub fn since_rebuild(&self) -> f64 {
        self.since_rebuild * (1.0 + SAFETY)
    }

    /// Bound since the list was built, with the moves that no evaluation has seen \[m\].
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
    }

    /// What becomes of the selection of near pairs in this evaluation.
    pub fn selection(&mut self) -> Selection {
        let renew = 2.0 * self.since_selection * (1.0 + SAFETY) >= self.margin;
        if renew {
            self.since_selection = 0.0;
            self.margin = if self.last.is_finite() {
                (BALANCE * self.last * self.smallest_radius).sqrt().max(THINNEST * self.smallest_radius)
            } else {
                0.0
            };
        }
        Selection { margin: self.margin, renew }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_holds_until_two_bodies_may_have_used_up_its_margin() {
        let mut travel = Travel::default();
        travel.restart(1.0, 2.0);
        travel.bound_next(1e-4);
        travel.advance();
        let Selection { margin, renew } = travel.selection();
        assert!(renew, "a new list has no selection");
        let mut steps = 0;
        loop {
            travel.bound_next(1e-4);
            travel.advance();
            steps += 1;
            if travel.selection().renew {
                break;
            }
            assert!(2e-4 * f64::from(steps) < margin);
        }
        assert!(steps > 3, "{steps}");
    }

    #[test]
    fn a_step_without_bound_renews_everything() {
        let mut travel = Travel::default();
        travel.restart(1.0, 2.0);
        travel.advance();
        assert_eq!(travel.since_rebuild(), f64::INFINITY);
        assert_eq!(travel.selection(), Selection { margin: 0.0, renew: true });
        travel.correct_since_rebuild(0.5);
        travel.bound_next(0.25);
        travel.advance();
        assert!((travel.since_rebuild() - 0.75).abs() < 1e-3);
        assert!(travel.selection().renew);
    }

    /// Bodies at the largest distance approach each other by the strain of it, which counts as if both had moved by half of that.
    #[test]
    fn a_strain_counts_like_the_moves_that_bring_bodies_as_near() {
        let mut travel = Travel::default();
        travel.restart(1.0, 2.0);
        travel.bound_next(0.1);
        travel.advance();
        travel.bound_strain(0.01);
        travel.bound_next(0.0);
        travel.advance();
        assert!((travel.since_rebuild() - (0.101 + 0.01) * 1.001).abs() < 1e-12);
    }
}
