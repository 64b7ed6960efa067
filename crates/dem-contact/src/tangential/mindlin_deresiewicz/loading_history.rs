//! The loading history of a Mindlin–Deresiewicz contact on a straight line, and how a step changes it.
//!
//! # Representation
//! Mindlin and Deresiewicz describe the state by the force and its turning points, and move all of them when the normal force changes.
//! The same state is held here by what does *not* move: every branch of the loading history (first loading, unloading, reloading, …)
//! slips on an annulus that ends at a stick circle, and the stick circles of all branches but the last stay where they are
//! while the contact area grows or shrinks around them. A circle of radius c is stored as the overlap `z = c²/r*` at which the
//! contact area would have its size; the edge of the contact area is at `Z`, the overlap itself for Hertz's force.
//!
//! By superposition (Cattaneo, Mindlin; Jäger, Arch. Appl. Mech. 65 (1995) 478), with Hertz's force `N(z) ∝ z^(3/2)` and branches
//! `i = 1…m` from the inside out that load in the alternating directions `bᵢ`, `z_(m+1) = Z`:
//!
//! | quantity | in units of |
//! |---|---|
//! | `T = Σ bᵢ (z_(i+1)^(3/2) − zᵢ^(3/2))` | force `μ N(1)` |
//! | elastic displacement at radius `√z`: `u(z) = Σ bᵢ (part of the branch outside z)`, constant inside `z₁` | slip `3 μN/(2 k_t Z)`, `μE*/(4G*)` for Hertz |
//!
//! One branch is `T = μN − μN(z₁)`, Mindlin's first loading curve; with turning point `T₁` the second is
//! `T = T₁ − 2 (μN − μN(z₂))`, his unloading curve, and so on (Eqs. 9–15 of A. Di Renzo, F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525).
//!
//! The outermost branch comes first in memory, so that whatever a step does happens at the first entries, for several
//! contacts at once in lanes: those that a change does not concern keep what they have.
//!
//! # A step
//! takes the edge from `Z₀` to `Z₁` and slips by x, in proportion to each other. All of u moves by x; then the slip limit
//! `|u(z)| ≤ Z₁ − z` cuts it off from the edge inwards. What it cuts off is the new outermost branch. It swallows the branches that it
//! overtakes (closed loops, or a shrinking contact area that reaches a stick circle). This needs no roots but square roots, is
//! exact for steps of any size, and covers every case of the publication: the transport of turning points by `μΔN` is
//! the motion of the edge, and which way a step loads is decided by the displacement that is left after that transport.
//!
//! Only a contact that grows faster than it slips, `|x| < Z₁ − Z₀`, leaves the family of states ("no simple loading
//! history"). Then the publication moves the force by the stiffness of full stick and takes the state to be the one of
//! a simple history with this force, and so does this, where it is requested: [`super::plane_history`] is exact.

use dem_core::lanes::{LaneMask, Lanes, Mask, array};

use super::powers::{lowered, raised};

/// How the force follows the slip along a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// Along the curve.
    Exact,
    /// Along the tangent at the start, cut off at the friction limit, as published.
    Tangent,
}

/// What a history says of the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<R: Lanes = f64> {
    /// Force that opposes slip in the positive direction, in units of `μ N(1)`.
    pub force: R,
    /// `∫ u² dx` over `x = √z`; `3/4 μ N(1) · slip unit` times this is the elastic energy.
    pub energy: R,
}

/// Loading histories in SIMD lanes, with entries for N branches each.
#[derive(Clone, Copy, Debug)]
pub struct LoadingHistory<R: Lanes, const N: usize> {
    /// Direction of the outermost branch, 1 or −1.
    direction: R,
    /// Number of branches, a whole number.
    count: R,
    /// Loops dropped because there was no room for them.
    dropped: R,
    /// Stick circles from the outside in; those beyond the number of branches are zero.
    circles: [R; N],
    /// Most branches that are remembered, not more than N.
    room: usize,
}

/// Fewest turning points for which the smallest loop can be dropped without a jump of the force.
pub const FEWEST_TURNING_POINTS: usize = 4;

impl<R: Lanes, const N: usize> LoadingHistory<R, N> {
    /// The histories of a record: number of branches with the sign of the outermost one's direction, loops dropped, stick circles.
    /// `room` is the most branches remembered.
    #[inline(always)]
    pub fn new(branches: R, dropped: R, circles: [R; N], room: usize) -> Self {
        let one = R::constant(1.0);
        let direction = R::select(branches.less(R::zero()), -one, one);
        Self { direction, count: branches.abs(), dropped, circles, room: room.min(N) }
    }

    /// The numbers of a record; see [`Self::new`].
    #[inline(always)]
    pub fn record(&self) -> (R, R, &[R; N]) {
        (self.direction * self.count, self.dropped, &self.circles)
    }

    /// Takes over other histories.
    #[inline(always)]
    pub fn replace(&mut self, mask: R::Mask, branches: R, dropped: R, circles: [R; N]) {
        let other = Self::new(branches, dropped, circles, self.room);
        self.direction = R::select(mask, other.direction, self.direction);
        self.count = R::select(mask, other.count, self.count);
        self.dropped = R::select(mask, dropped, self.dropped);
        self.circles = array(|i| R::select(mask, circles[i], self.circles[i]));
    }

    /// Number of branches; 1 is first loading, one more for every turning point that is remembered.
    #[inline(always)]
    pub fn branches(&self) -> R {
        self.count
    }

    /// Where nothing sticks.
    #[inline(always)]
    pub fn slides(&self) -> R::Mask {
        self.has(1) & !self.has(2) & self.circles[0].at_most(R::zero())
    }

    /// Forgets everything but the number of dropped loops.
    #[inline(always)]
    pub fn clear(&mut self, mask: R::Mask) {
        self.count = R::select(mask, R::zero(), self.count);
        for circle in &mut self.circles {
            *circle = R::select(mask, R::zero(), *circle);
        }
    }

    /// Where there are at least so many branches.
    #[inline(always)]
    fn has(&self, branches: usize) -> R::Mask {
        R::parameter(branches as f64).at_most(self.count)
    }

    /// Removes the outermost branch; the one before it loads in the other direction.
    #[inline(always)]
    fn pop(&mut self, mask: R::Mask) {
        self.remove_circle(mask);
        self.direction = R::select(mask, -self.direction, self.direction);
    }

    /// Removes the outermost circle and leaves the direction.
    #[inline(always)]
    fn remove_circle(&mut self, mask: R::Mask) {
        for i in 0..N {
            let next = if i + 1 < N { self.circles[i + 1] } else { R::zero() };
            self.circles[i] = R::select(mask, next, self.circles[i]);
        }
        self.count = R::select(mask, self.count - R::constant(1.0), self.count);
    }

    /// Adds a branch that loads in `direction` and starts at the edge, without width.
    #[inline(always)]
    fn push(&mut self, mask: R::Mask, direction: R, edge: R) {
        let full = mask & self.has(self.room);
        if full.any() {
            self.drop_smallest_loops(full, edge);
        }
        let mask = mask & !full;
        for i in (0..N).rev() {
            let outer = if i == 0 { edge } else { self.circles[i - 1] };
            self.circles[i] = R::select(mask, outer, self.circles[i]);
        }
        self.count = R::select(mask, self.count + R::constant(1.0), self.count);
        self.direction = R::select(mask, direction, self.direction);
    }

    /// Force with the edge at `edge`; see [`Load::force`].
    #[inline(always)]
    pub fn force(&self, edge: R) -> R {
        let (mut direction, mut outer, mut force) = (self.direction, raised(edge), R::zero());
        for (i, &circle) in self.circles.iter().enumerate() {
            let present = self.has(i + 1);
            if !present.any() {
                break;
            }
            let inner = raised(circle);
            force = R::select(present, force + direction * (outer - inner), force);
            (outer, direction) = (inner, -direction);
        }
        force
    }

    /// Force and energy with the edge at `edge`.
    #[inline(always)]
    pub fn load(&self, edge: R) -> Load<R> {
        let half = R::constant(0.5);
        let (mut direction, mut outer, mut outer_root, mut displacement) =
            (self.direction, edge, edge.sqrt(), R::zero());
        let mut load = Load { force: R::zero(), energy: R::zero() };
        for (i, &inner) in self.circles.iter().enumerate() {
            let present = self.has(i + 1);
            if !present.any() {
                break;
            }
            let inner_root = inner.sqrt();
            let force = load.force + direction * (outer * outer_root - inner * inner_root);
            // u is of second degree in x: three Gauss points integrate its square exactly, and without cancellation
            let (middle, reach) = (half * (outer_root + inner_root), half * (outer_root - inner_root));
            let offset = R::constant(GAUSS_NODE) * reach;
            let inside = displacement + direction * outer;
            let [low, high] = [middle - offset, middle + offset].map(|x| inside - direction * (x * x));
            let centre = inside - direction * (middle * middle);
            let mean = R::constant(5.0 / 9.0) * (low * low + high * high) + R::constant(8.0 / 9.0) * (centre * centre);
            load = Load {
                force: R::select(present, force, load.force),
                energy: R::select(present, load.energy + reach * mean, load.energy),
            };
            displacement = R::select(present, displacement + direction * (outer - inner), displacement);
            (outer, direction) = (inner, -direction);
            outer_root = R::select(present, inner_root, outer_root);
        }
        load.energy += displacement * displacement * outer_root;
        load
    }

    /// A step that takes the edge from `edge0` to `edge1` and slips by `slip`, in the same unit.
    #[inline(always)]
    pub fn advance(&mut self, mask: R::Mask, edge0: R, edge1: R, slip: R, travel: Travel) {
        let zero = R::zero();
        let (free, mask) = (mask & edge1.at_most(zero), mask & edge1.greater(zero));
        if free.any() {
            self.clear(free);
        }
        let grows = mask & edge0.at_most(edge1);
        let shrinks = mask & !grows;
        // the displacement at the position of the new edge of a contact that shrinks
        let (mut edge, mut displacement) = (edge0, zero);
        let mut passes = shrinks & self.has(1);
        while passes.any() {
            let circle = self.circles[0];
            let end = circle.maximum(edge1);
            displacement = R::select(passes, displacement + self.direction * (edge - end), displacement);
            edge = R::select(passes, end, edge);
            passes = passes & edge1.at_most(circle);
            if passes.any() {
                self.pop(passes);
            }
            passes = passes & self.has(1);
        }
        let moved = displacement + slip;
        let backwards = moved.less(zero);
        let moves = backwards | moved.greater(zero);
        let one = R::constant(1.0);
        let direction = R::select(moves, R::select(backwards, -one, one), self.direction);
        let begins = grows & (moves | self.has(1)) | shrinks & moves;
        self.begin_branch(begins, direction, R::select(grows, edge0, edge1));
        let growth = edge1 - edge0;
        let rest = R::select(grows, moved.abs() - growth, moved.abs());
        let simple = begins & zero.at_most(rest);
        self.travel(simple, rest, travel);
        let lags = begins & !simple;
        if lags.any() {
            // the force moves by slip/growth of what full transport would give, and the last circle moves to fit
            let lag = (raised(edge1) - raised(edge0)) * (one - slip.abs() / growth);
            self.move_circle(lags, R::select(self.has(2), R::constant(0.5) * lag, lag), edge1);
        }
    }

    /// Moves the outermost circle by a force, outwards if positive, up to the edge.
    #[inline(always)]
    fn move_circle(&mut self, mask: R::Mask, force: R, edge: R) {
        let z = self.circles[0];
        let z_force = raised(z);
        let moved = lowered(mask, z_force + force, z, z_force).minimum(edge);
        self.circles[0] = R::select(mask, moved, z);
    }

    /// Makes the outermost branch one that loads in `direction`, if it is not; a new one starts at the edge, without width.
    #[inline(always)]
    fn begin_branch(&mut self, mask: R::Mask, direction: R, edge: R) {
        loop {
            let outside = mask & self.has(1) & edge.at_most(self.circles[0]);
            if !outside.any() {
                break;
            }
            self.pop(outside);
        }
        let goes_on = self.has(1) & R::zero().less(self.direction * direction);
        let turns = mask & !goes_on;
        if turns.any() {
            self.push(turns, direction, edge);
        }
    }

    /// Adds a branch that starts at the edge where there is no room for it: three neighbouring circles, of which the inner two are the
    /// closest of all, become one, so that the force stays the same. The displacement held inside changes by at most twice
    /// their distance.
    #[cold]
    fn drop_smallest_loops(&mut self, full: R::Mask, edge: R) {
        let before = self.circles;
        let mut after = [[0.0; N]; dem_core::lanes::MOST_LANES];
        for lane in 0..R::LANES {
            let circle = |i: usize| before[i].lane(lane);
            after[lane] = array(circle);
            if full.lane(lane) {
                // the edge in front; the innermost circle counts once in the force, the others twice: it is not merged
                let list = |i: usize| if i == 0 { edge.lane(lane) } else { circle(i - 1) };
                let gap = |i: usize| list(i) - list(i + 1);
                let merged = (1..self.room - 1).min_by(|&i, &j| gap(i).total_cmp(&gap(j))).unwrap_or(1);
                let outer = list(merged - 1);
                let force = raised(outer) - raised(list(merged)) + raised(list(merged + 1));
                let place = lowered(true, force, outer, raised(outer)).min(outer);
                after[lane] = array(|i| match i {
                    _ if i + 1 == merged => place,
                    _ if i >= self.room - 1 => 0.0,
                    _ if i + 1 < merged => list(i),
                    _ => list(i + 2),
                });
            }
        }
        self.circles = array(|i| R::from_lanes(|lane| after[lane][i]));
        let one = R::constant(1.0);
        self.dropped = R::select(full, self.dropped + one, self.dropped);
        self.count = R::select(full, self.count - one, self.count);
        self.direction = R::select(full, -self.direction, self.direction);
    }

    /// Slips by `rest` in the direction of the outermost branch.
    #[inline(always)]
    fn travel(&mut self, mut mask: R::Mask, mut rest: R, travel: Travel) {
        if travel == Travel::Tangent {
            return self.add_force(mask, R::constant(1.5) * self.circles[0].sqrt() * rest);
        }
        while mask.any() {
            let (top, first) = (self.circles[0], !self.has(2));
            let distance = R::constant(2.0) * (top - self.circles[1]);
            let stays = mask & (first | rest.less(distance));
            let inwards = R::select(first, (top - rest).maximum(R::zero()), top - R::constant(0.5) * rest);
            self.circles[0] = R::select(stays, inwards, top);
            mask = mask & !stays;
            if mask.any() {
                rest -= distance;
                self.close_loop(mask);
            }
        }
    }

    /// Moves the force by `rest` in the direction of the outermost branch.
    #[inline(always)]
    fn add_force(&mut self, mut mask: R::Mask, mut rest: R) {
        while mask.any() {
            let (top, first) = (self.circles[0], !self.has(2));
            let distance = R::constant(2.0) * (raised(top) - raised(self.circles[1]));
            let stays = mask & (first | rest.less(distance));
            self.move_circle(stays, R::select(first, -rest, R::constant(-0.5) * rest), top);
            mask = mask & !stays;
            if mask.any() {
                rest -= distance;
                self.close_loop(mask);
            }
        }
    }

    /// The circle of the outermost branch has reached that of the branch before it, which leaves no trace. If that was the first one, what
    /// was unloading is now first loading the other way.
    #[inline(always)]
    fn close_loop(&mut self, mask: R::Mask) {
        self.remove_circle(mask);
        self.remove_circle(mask & self.has(2));
    }
}

/// `√(3/5)`
pub(super) const GAUSS_NODE: f64 = 0.774_596_669_241_483_4;

#[cfg(test)]
mod tests;
