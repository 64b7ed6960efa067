//! The loading history of a Mindlin–Deresiewicz contact whose slip does not stay on a straight line.
//!
//! # Representation
//! That of [`super::loading_history`], with vectors for directions. A branch slips on an annulus that ends at a stick circle. The elastic
//! displacement u at radius √z grows inwards along every branch by a slope `dᵢ`, which is ±1 on a straight line and here a vector, of length
//! one where the branch has slipped:
//!
//! | quantity | in units of |
//! |---|---|
//! | `T = Σ dᵢ (z_(i+1)^(3/2) − zᵢ^(3/2))` | force `μ N(1)` |
//! | `u(z) = Σ dᵢ (part of the branch outside z)`, constant inside `z₁` | slip, as there |
//!
//! # A step
//! All of u moves by the slip; then the limit `|u(z)| ≤ Z₁ − z` cuts it off from the edge inwards. Along a branch `|u|` meets the limit where
//! a quadratic equation says, which is linear if the slope is a unit vector. Where it does, at c, begins the new outermost branch. Its
//! direction is that of u(c), so that u stays continuous, and its slope has length one again: the family of states is closed.
//!
//! A contact that grows faster than it slips, `|x| < Z₁ − Z₀`, does not reach the limit anywhere. Each spring of its new rim takes what is left of
//! the slip when it is touched, a branch with the slope `x/(Z₁ − Z₀)`, shorter than one. This is exact.
//!
//! What follows from this:
//! - On a straight line nothing differs from the scalar history but round-off, unless the contact grows faster than it slips.
//! - There is no axis and no angle. A step to a branch that is turned by little, or begun by a slip a little more than a right
//!   angle away, changes the force by little: the new slope is the old one, reflected by the slip. So the force and its work are
//!   continuous in the path and have a limit for short steps.
//! - u changes inwards by no more than z does. Hence `|T| ≤ μN`, the limit is met from the edge inwards, and friction takes work
//!   in every step of constant load.
//! - One direction for the whole of an annulus is an approximation: in a foundation of springs those at the edge turn
//!   faster, each over a displacement of `Z − z`. The annulus turns with its inmost springs. Where everything slides no
//!   stick circle holds the direction, and it turns over `TURNING` of that displacement, between the first response of
//!   the row of springs to a slip across, 2/3, and its steady lag, 4/5, on one side and 1 on the other.
//!
//! The idea, a state of nested annuli to which every change adds at the edge, is that of J. Jäger, Arch. Appl. Mech. 65 (1995) 478.

use glam::DVec2;

use super::powers::raised;

/// Displacement over which the force of a sliding contact turns towards the slip, in units of the slip at which sliding
/// begins.
const TURNING: f64 = 7.0 / 8.0;
/// Square of the length of a slope above which it is one that slipped, but for round-off.
const SLIDING: f64 = 1.0 - 1e-9;

/// A loading history in the plane, with entries for N branches.
#[derive(Clone, Copy, Debug)]
pub struct PlaneHistory<const N: usize> {
    count: usize,
    /// Stick circles from the inside out.
    circles: [f64; N],
    /// Slope of u along the branch outside each circle.
    slopes: [DVec2; N],
    /// Branches merged because there was no room for them.
    dropped: f64,
    /// Most branches that are remembered, not more than N.
    room: usize,
}

impl<const N: usize> Default for PlaneHistory<N> {
    fn default() -> Self {
        Self { count: 0, circles: [0.0; N], slopes: [DVec2::ZERO; N], dropped: 0.0, room: N }
    }
}

impl<const N: usize> PlaneHistory<N> {
    /// The history of a record, in which circles and slopes go from the outside in.
    #[inline]
    pub fn new(branches: f64, dropped: f64, room: usize, branch: impl Fn(usize) -> (f64, DVec2)) -> Self {
        let room = room.min(N);
        let count = (branches.abs() as usize).min(room);
        let mut history = Self { count, circles: [0.0; N], slopes: [DVec2::ZERO; N], dropped, room };
        for i in 0..count {
            (history.circles[i], history.slopes[i]) = branch(count - 1 - i);
        }
        history
    }

    /// The history of a straight line along the first axis: number of branches with the sign of the outermost one's direction, loops
    /// dropped, stick circles from the outside in.
    #[inline]
    pub fn of_line(branches: f64, dropped: f64, room: usize, circle: impl Fn(usize) -> f64) -> Self {
        let outermost = if branches < 0.0 { -1.0 } else { 1.0 };
        let slope = |i: usize| if i.is_multiple_of(2) { outermost } else { -outermost };
        Self::new(branches, dropped, room, |i| (circle(i), DVec2::new(slope(i), 0.0)))
    }

    /// Number of branches.
    #[inline]
    pub fn branches(&self) -> f64 {
        self.count as f64
    }

    /// Branches merged for want of room.
    #[inline]
    pub fn dropped(&self) -> f64 {
        self.dropped
    }

    /// Circle and slope of a branch, counted from the outside in; zero if there is none.
    #[inline]
    pub fn branch(&self, from_outside: usize) -> (f64, DVec2) {
        match self.count.checked_sub(from_outside + 1) {
            Some(i) => (self.circles[i], self.slopes[i]),
            None => (0.0, DVec2::ZERO),
        }
    }

    /// Whether nothing sticks.
    #[inline]
    pub fn slides(&self) -> bool {
        self.count == 1 && self.circles[0] <= 0.0 && self.slopes[0].length_squared() > SLIDING
    }

    /// Force that opposes slip, in units of `μ N(1)`, and `∫ u² dx`, with the edge at `edge`; see [`super::loading_history::Load`].
    #[inline]
    pub fn load(&self, edge: f64) -> (DVec2, f64) {
        let (mut outer, mut outer_root) = (edge, edge.sqrt());
        let (mut force, mut energy, mut displacement) = (DVec2::ZERO, 0.0, DVec2::ZERO);
        for i in (0..self.count).rev() {
            let (inner, slope) = (self.circles[i], self.slopes[i]);
            let inner_root = inner.sqrt();
            force += slope * (outer * outer_root - inner * inner_root);
            // u² is of fourth degree in x: three Gauss points
            let (middle, reach) = (0.5 * (outer_root + inner_root), 0.5 * (outer_root - inner_root));
            let square = |x: f64| (displacement + slope * (outer - x * x)).length_squared();
            let offset = super::loading_history::GAUSS_NODE * reach;
            let ends = square(middle - offset) + square(middle + offset);
            energy += reach * (5.0 / 9.0 * ends + 8.0 / 9.0 * square(middle));
            displacement += slope * (outer - inner);
            (outer, outer_root) = (inner, inner_root);
        }
        (force, energy + displacement.length_squared() * outer_root)
    }

    /// A step that takes the edge from `edge0` to `edge1 > 0` and slips by `slip`, in the same unit.
    #[inline]
    pub fn advance(&mut self, edge0: f64, edge1: f64, slip: DVec2) {
        let growth = edge1 - edge0;
        if growth < 0.0 {
            let displacement = self.shrink(edge0, edge1);
            self.cut_off(edge1, displacement + slip, edge1, slip);
        } else if slip.length_squared() < growth * growth {
            self.lag(edge0, edge1, slip);
        } else {
            self.cut_off(edge0, slip, edge1, slip);
        }
    }

    /// Takes the edge inwards; returns the displacement at the new one.
    #[inline]
    fn shrink(&mut self, edge0: f64, edge1: f64) -> DVec2 {
        let (mut edge, mut displacement) = (edge0, DVec2::ZERO);
        while let Some((circle, slope)) = self.outermost() {
            let end = circle.max(edge1);
            displacement += slope * (edge - end);
            edge = end;
            if circle < edge1 {
                break;
            }
            self.count -= 1;
        }
        displacement
    }

    /// Cuts the displacement off at the limit, from `start` inwards, where it is `moved`.
    #[inline]
    fn cut_off(&mut self, start: f64, moved: DVec2, edge: f64, slip: DVec2) {
        let mut z = start;
        let mut u = moved;
        if u == DVec2::ZERO && start >= edge {
            return;
        }
        let sliding = if self.slides() { Some(self.slopes[0]) } else { None };
        loop {
            let (circle, slope) = self.outermost().unwrap_or((0.0, DVec2::ZERO));
            let (limit, depth) = (edge - z, z - circle);
            // |u + slope t| = limit + t
            let excess = (u.length_squared() - limit * limit).max(0.0);
            let half = limit - u.dot(slope);
            let curvature = (1.0 - slope.length_squared()).max(0.0);
            let divisor = half + (half * half + curvature * excess).sqrt();
            if excess < divisor * depth {
                let t = excess / divisor;
                let width = limit + t;
                if width > 0.0 {
                    self.push(z - t, (u + slope * t) / width);
                }
                return;
            }
            u += slope * depth;
            z = circle;
            if self.count == 0 {
                // nothing sticks
                let direction = sliding.map_or(u, |before| before * (TURNING * start) + slip);
                self.push(0.0, direction.normalize_or_zero());
                return;
            }
            self.count -= 1;
        }
    }

    /// A contact that grows faster than it slips: springs that come into touch one after the other on the annulus take up what is left of the slip by
    /// then, a branch of its own with a slope shorter than one.
    fn lag(&mut self, edge0: f64, edge1: f64, slip: DVec2) {
        self.push(edge0, slip / (edge1 - edge0));
    }

    /// Circle and slope of the outermost branch.
    #[inline]
    fn outermost(&self) -> Option<(f64, DVec2)> {
        let i = self.count.checked_sub(1)?;
        Some((self.circles[i], self.slopes[i]))
    }

    /// Adds a branch outside `circle`.
    #[inline]
    fn push(&mut self, circle: f64, slope: DVec2) {
        if slope == DVec2::ZERO && self.count == 0 {
            return;
        }
        if self.count == self.room {
            self.merge(circle);
        }
        self.circles[self.count] = circle;
        self.slopes[self.count] = slope;
        self.count += 1;
    }

    /// Makes room: two neighbouring branches become one with the same force, those that leave u the most as it is, or,
    /// where both stick, as it would be along a smooth path; the outermost one ends at `edge`.
    #[cold]
    fn merge(&mut self, edge: f64) {
        let ends = |i: usize| {
            let outer = if i + 1 < self.count { self.circles[i + 1] } else { edge };
            (outer, self.circles[i], self.circles[i - 1])
        };
        let change = |i: usize| {
            let (outer, middle, inner) = ends(i);
            let bend = (self.slopes[i] - self.slopes[i - 1]).length();
            if outer <= inner {
                return 0.0;
            }
            if self.slopes[i].length_squared().max(self.slopes[i - 1].length_squared()) <= SLIDING {
                // a smooth path in pieces, of which the last would otherwise take in all that come after it, however
                // many
                return 0.25 * bend * (outer - inner);
            }
            bend * (outer - middle) * (middle - inner) / (outer - inner)
        };
        let least = (1..self.count).min_by(|&i, &j| change(i).total_cmp(&change(j))).unwrap_or(1);
        let (outer, middle, inner) = ends(least);
        let (outer, middle, inner) = (raised(outer), raised(middle), raised(inner));
        if outer > inner {
            let sum = self.slopes[least] * (outer - middle) + self.slopes[least - 1] * (middle - inner);
            self.slopes[least - 1] = sum / (outer - inner);
        }
        self.circles.copy_within(least + 1..self.count, least);
        self.slopes.copy_within(least + 1..self.count, least);
        self.count -= 1;
        self.dropped += 1.0;
    }
}

#[cfg(test)]
mod tests;
