//! The loading history of a Mindlin–Deresiewicz contact in one tangential direction, and how a step changes it.
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
//! # A step
//! takes the edge from `Z₀` to `Z₁` and slips by x, in proportion to each other. All of u moves by x; then the slip limit
//! `|u(z)| ≤ Z₁ − z` cuts it off from the edge inwards. What it cuts off is the new outermost branch. It swallows the branches that it
//! overtakes (closed loops, or a shrinking contact area that reaches a stick circle). This needs no roots but square roots, is
//! exact for steps of any size, and covers every case of the publication: the transport of turning points by `μΔN` is
//! the motion of the edge, and which way a step loads is decided by the displacement that is left after that transport.
//!
//! Only a contact that grows faster than it slips, `|x| < Z₁ − Z₀`, leaves the family of states ("no simple loading history"). Then
//! the publication moves the force by the stiffness of full stick and takes the state to be the one of a simple history with this force,
//! and so does this.

/// How the force follows the slip along a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// Along the curve.
    Exact,
    /// Along the tangent at the start, cut off at the friction limit, as published.
    Tangent,
}

/// What a history says of the contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force that opposes slip in the positive direction, in units of `μ N(1)`.
    pub force: f64,
    /// `∫ u² dx` over `x = √z`; `3/4 μ N(1) · slip unit` times this is the elastic energy.
    pub energy: f64,
}

/// A view of the numbers that hold a history: the branches, the loops dropped, then the stick circles.
#[derive(Debug)]
pub struct LoadingHistory<'a> {
    /// Number of branches, with the sign of the first one's direction.
    branches: &'a mut f64,
    /// Loops dropped because there was no room for them.
    dropped: &'a mut f64,
    /// Stick circles from the inside out; those beyond the number of branches are zero.
    circles: &'a mut [f64],
}

/// Numbers before the stick circles.
const HEAD: usize = 2;

/// Fewest turning points for which the smallest loop can be dropped without a jump of the force.
pub const FEWEST_TURNING_POINTS: usize = 4;

/// Numbers that hold a history with room for `turning_points`: the circle of the current branch comes on top.
pub const fn width(turning_points: usize) -> usize {
    HEAD + turning_points + 1
}

/// `z^(3/2)`
#[inline(always)]
fn raised(z: f64) -> f64 {
    z * z.sqrt()
}

/// The inverse of `raised`, `force^(2/3)`, from a `z` whose force `z_force = z^(3/2)` is near. A series for small changes, else Halley's
/// iteration on `z³ = force²`: both several times as fast as a cube root.
#[inline]
pub fn lowered(force: f64, z: f64, z_force: f64) -> f64 {
    let change = (force - z_force) / z_force;
    if change.abs() < LARGEST_OF_SERIES {
        let tail = -1.0 / 9.0 + change * (4.0 / 81.0 + change * (-7.0 / 243.0 + change * (14.0 / 729.0)));
        return z + z * change * (2.0 / 3.0 + change * tail);
    }
    lowered_far(force, z)
}

/// The first term that the series leaves out, 0.014 of the sixth power, is below half a unit in the last place.
const LARGEST_OF_SERIES: f64 = 4e-3;

fn lowered_far(force: f64, guess: f64) -> f64 {
    if force <= 0.0 {
        return 0.0;
    }
    let square = force * force;
    let mut z = guess;
    // where nothing underflows
    if square.min(z * z * z) > f64::MIN_POSITIVE {
        for _ in 0..4 {
            let cube = z * z * z;
            let next = z * ((cube + 2.0 * square) / (2.0 * cube + square));
            // of third order: what is off by 10⁻⁵ before is exact after
            if (next - z).abs() <= 1e-5 * next {
                return next;
            }
            z = next;
        }
    }
    let root = libm::cbrt(force);
    root * root
}

impl<'a> LoadingHistory<'a> {
    /// The history held by `numbers`, as many as [`width`] says; zeros are a contact without load. `None` if there are fewer than two.
    #[inline]
    pub fn new(numbers: &'a mut [f64]) -> Option<Self> {
        match numbers {
            [branches, dropped, circles @ ..] => Some(Self { branches, dropped, circles }),
            _ => None,
        }
    }

    /// Number of branches; 1 is first loading, one more for every turning point that is remembered.
    #[inline]
    pub fn branches(&self) -> usize {
        (self.branches.abs() as usize).min(self.circles.len())
    }

    /// Loops dropped for want of room.
    pub fn dropped_loops(&self) -> f64 {
        *self.dropped
    }

    /// Whether nothing sticks.
    #[inline]
    pub fn slides(&self) -> bool {
        self.branches() == 1 && self.circles[0] <= 0.0
    }

    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        *self.branches = 0.0;
        self.circles.fill(0.0);
    }

    /// Direction of the outermost branch.
    #[inline]
    fn direction(&self) -> f64 {
        let first = 1.0f64.copysign(*self.branches);
        if self.branches() % 2 == 1 { first } else { -first }
    }

    /// Sets the number of branches; the outermost loads in `direction`.
    #[inline]
    fn set_branches(&mut self, count: usize, direction: f64) {
        let before = self.branches();
        if count < before {
            self.circles[count..before].fill(0.0);
        }
        *self.branches = if count % 2 == 1 { direction } else { -direction } * count as f64;
    }

    /// Removes the outermost branch.
    #[inline]
    fn pop(&mut self) {
        let (count, direction) = (self.branches(), self.direction());
        self.set_branches(count - 1, -direction);
    }

    /// Force with the edge at `edge`; see [`Load::force`].
    #[inline]
    pub fn force(&self, edge: f64) -> f64 {
        let mut direction = self.direction();
        let (mut outer, mut force) = (raised(edge), 0.0);
        for &circle in self.circles[..self.branches()].iter().rev() {
            let inner = raised(circle);
            force += direction * (outer - inner);
            (outer, direction) = (inner, -direction);
        }
        force
    }

    /// Force and energy with the edge at `edge`.
    #[inline]
    pub fn load(&self, edge: f64) -> Load {
        let count = self.branches();
        let mut direction = self.direction();
        let (mut outer, mut outer_root, mut displacement) = (edge, edge.sqrt(), 0.0);
        let mut load = Load::default();
        for &inner in self.circles[..count].iter().rev() {
            let inner_root = inner.sqrt();
            load.force += direction * (outer * outer_root - inner * inner_root);
            // u is of second degree in x: three Gauss points integrate its square exactly, and without cancellation
            let (middle, half) = (0.5 * (outer_root + inner_root), 0.5 * (outer_root - inner_root));
            let square = |x: f64| {
                let u = displacement + direction * (outer - x * x);
                u * u
            };
            let offset = GAUSS_NODE * half;
            load.energy +=
                half * (5.0 / 9.0 * (square(middle - offset) + square(middle + offset)) + 8.0 / 9.0 * square(middle));
            displacement += direction * (outer - inner);
            (outer, outer_root, direction) = (inner, inner_root, -direction);
        }
        load.energy += displacement * displacement * outer_root;
        load
    }

    /// A step that takes the edge from `edge0` to `edge1` and slips by `slip`, in the same unit.
    #[inline]
    pub fn advance(&mut self, edge0: f64, edge1: f64, slip: f64, travel: Travel) {
        if edge1 <= 0.0 {
            self.clear();
        } else if edge1 >= edge0 {
            self.advance_growing(edge0, edge1, slip, travel);
        } else {
            self.advance_shrinking(edge0, edge1, slip, travel);
        }
    }

    fn advance_growing(&mut self, edge0: f64, edge1: f64, slip: f64, travel: Travel) {
        let growth = edge1 - edge0;
        let direction = match self.branches() {
            _ if slip != 0.0 => 1.0f64.copysign(slip),
            0 => return,
            _ => self.direction(),
        };
        self.begin_branch(direction, edge0);
        let rest = slip.abs() - growth;
        if rest >= 0.0 {
            self.travel(rest, travel);
        } else {
            // not simple: the force moves by slip/growth of what full transport would give, and the last circle moves to fit
            let lag = (raised(edge1) - raised(edge0)) * (1.0 - slip.abs() / growth);
            let top = self.branches() - 1;
            let share = if top == 0 { lag } else { 0.5 * lag };
            self.move_circle(top, share, edge1);
        }
    }

    /// Moves a circle by a force, outwards if positive, up to the edge.
    #[inline]
    fn move_circle(&mut self, at: usize, force: f64, edge: f64) {
        let (z, z_force) = (self.circles[at], raised(self.circles[at]));
        self.circles[at] = lowered(z_force + force, z, z_force).min(edge);
    }

    fn advance_shrinking(&mut self, edge0: f64, edge1: f64, slip: f64, travel: Travel) {
        // displacement at the place of the new edge
        let (mut edge, mut displacement) = (edge0, 0.0);
        while let Some(&circle) = self.circles[..self.branches()].last() {
            let end = circle.max(edge1);
            displacement += self.direction() * (edge - end);
            edge = end;
            if circle < edge1 {
                break;
            }
            self.pop();
        }
        let left = displacement + slip;
        if left != 0.0 {
            self.begin_branch(1.0f64.copysign(left), edge1);
            self.travel(left.abs(), travel);
        }
    }

    /// Makes the outermost branch one that loads in `direction`, if it is not; a new one starts at the edge, without width.
    #[inline]
    fn begin_branch(&mut self, direction: f64, edge: f64) {
        while self.branches() > 0 && self.circles[self.branches() - 1] >= edge {
            self.pop();
        }
        if self.branches() > 0 && self.direction() == direction {
            return;
        }
        let count = self.branches();
        if count < self.circles.len() {
            self.circles[count] = edge;
            self.set_branches(count + 1, direction);
        } else {
            self.drop_smallest_loop(edge);
        }
    }

    /// Adds a branch that starts at the edge where there is no room for it: three neighbouring circles, of which the inner two are the
    /// closest of all, become one, so that the force stays the same. The displacement held inside changes by at most twice
    /// their distance.
    #[cold]
    fn drop_smallest_loop(&mut self, edge: f64) {
        let count = self.branches();
        let direction = -self.direction();
        let gap = |i: usize| self.circles[i + 1] - self.circles[i];
        // the innermost circle counts once in the force, the others twice: it is not merged
        let Some(at) = (1..count - 1).min_by(|&i, &j| gap(i).total_cmp(&gap(j))) else { return };
        let outer = if at + 2 < count { self.circles[at + 2] } else { edge };
        let force = raised(outer) - raised(self.circles[at + 1]) + raised(self.circles[at]);
        self.circles[at] = lowered(force, outer, raised(outer)).min(outer);
        if at + 2 < count {
            self.circles.copy_within(at + 3..count, at + 1);
            self.circles[count - 2] = edge;
        }
        *self.dropped += 1.0;
        self.set_branches(count - 1, direction);
    }

    /// Slips by `rest` in the direction of the outermost branch.
    #[inline]
    fn travel(&mut self, mut rest: f64, travel: Travel) {
        if travel == Travel::Tangent {
            let top = self.circles[self.branches() - 1];
            return self.add_force(1.5 * top.sqrt() * rest);
        }
        loop {
            let top = self.branches() - 1;
            if top == 0 {
                self.circles[0] = (self.circles[0] - rest).max(0.0);
                return;
            }
            let distance = 2.0 * (self.circles[top] - self.circles[top - 1]);
            if rest < distance {
                self.circles[top] -= 0.5 * rest;
                return;
            }
            rest -= distance;
            self.close_loop();
        }
    }

    /// Moves the force by `rest` in the direction of the outermost branch.
    #[inline]
    fn add_force(&mut self, mut rest: f64) {
        loop {
            let top = self.branches() - 1;
            let edge = self.circles[top];
            if top == 0 {
                return self.move_circle(0, -rest, edge);
            }
            let distance = 2.0 * (raised(edge) - raised(self.circles[top - 1]));
            if rest < distance {
                return self.move_circle(top, -0.5 * rest, edge);
            }
            rest -= distance;
            self.close_loop();
        }
    }

    /// The circle of the outermost branch has reached that of the branch before it, which leaves no trace.
    #[inline]
    fn close_loop(&mut self) {
        let (count, direction) = (self.branches(), self.direction());
        if count == 2 {
            // the first branch is gone: what was unloading is now first loading the other way
            self.set_branches(1, direction);
        } else {
            self.set_branches(count - 2, direction);
        }
    }

    /// Moves the force by `change > 0` in `direction`, at constant edge, for reasons that are not slip in this direction.
    #[inline]
    pub fn shift_force(&mut self, direction: f64, change: f64, edge: f64) {
        if self.branches() == 0 {
            self.begin_branch(direction, edge);
        }
        let mut rest = change;
        if self.direction() != direction {
            // the outermost branch is taken back
            let top = self.branches() - 1;
            let room = (if top == 0 { 1.0 } else { 2.0 }) * (raised(edge) - raised(self.circles[top]));
            if rest < room {
                return self.move_circle(top, if top == 0 { rest } else { 0.5 * rest }, edge);
            }
            rest -= room;
            self.pop();
            if self.branches() == 0 {
                self.begin_branch(direction, edge);
            }
        }
        self.add_force(rest);
    }
}

/// `√(3/5)`
const GAUSS_NODE: f64 = 0.774_596_669_241_483_4;

#[cfg(test)]
mod tests;
