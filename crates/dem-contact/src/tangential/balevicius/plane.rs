//! The law off a straight line.
//!
//! The force against the slip is a vector f, and so is the slip s since the reversal:
//!
//! | state | force | reversal |
//! |---|---|---|
//! | sliding | `\|f\| = μN`; slip across f turns it, against the stiffness 8G*a | a slip with `slip·f < 0` |
//! | transition, `x = \|s\|/δ_u < 1` | `f += 2μN_A (x₁^p ŝ₁ − x₀^p ŝ₀)`, cut off at μN | a slip that brings the contact back, `slip·s < 0` |
//!
//! That is `incremental`. With `non-incremental`, `f = μN_A m + 2μN_A x^p ŝ`, m the direction of the force, or of the motion of the transition,
//! before the reversal.
//!
//! Where `x = 1`, f is on the limit and slides on. Nothing here divides by the force, which may pass zero in any
//! direction, and a slip across a transition meets a finite fraction of its force. A reversal is a question of more or
//! less than a right angle: where a path turns by just that, a little to one side or the other decides whether a
//! transition begins. The force is continuous there, its stiffness is not.

use dem_core::DVec3;
use dem_core::lanes::functions::alone;

use super::path::Path;

/// State of a contact in the plane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlanePath {
    /// f \[N\].
    pub force: DVec3,
    /// s \[m\].
    pub slip: DVec3,
    /// Force that a transition of the other kind starts from \[N\].
    pub base: DVec3,
    /// Slip that is held back \[m\].
    pub held: DVec3,
    /// δ_u of the present transition; zero while sliding \[m\].
    pub length: f64,
    /// `2 μN_A` \[N\].
    pub amplitude: f64,
    /// Whether the limit cut the force off in the last step.
    pub capped: bool,
}

/// What a law has to say about a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneLaw {
    /// p
    pub power: f64,
    /// Whether a reversal continues from the present force.
    pub incremental: bool,
    /// μN at the end \[N\].
    pub limit: f64,
    /// Length and amplitude of a transition that begins now.
    pub reversal: (f64, f64),
    /// Slip below which nothing moves \[m\].
    pub resolution: f64,
    /// Stiffness that a slip across a sliding force meets \[N/m\].
    pub across: f64,
}

impl PlanePath {
    /// What it is on a straight line along `axis`.
    pub(super) fn of_line(path: &Path, axis: DVec3) -> Self {
        let ahead = if path.length > 0.0 { axis * path.direction } else { DVec3::ZERO };
        Self {
            force: axis * path.force,
            slip: ahead * path.travelled,
            base: ahead * (-0.5 * path.amplitude),
            held: axis * path.held,
            length: path.length,
            amplitude: path.amplitude,
            capped: false,
        }
    }

    /// Moves by a slip \[m\].
    pub(super) fn travel(&mut self, slip: DVec3, law: &PlaneLaw) {
        let slip = std::mem::take(&mut self.held) + slip;
        if slip.length() <= law.resolution {
            self.held = slip;
        } else {
            let so_far = if self.length > 0.0 { self.slip } else { self.force };
            if slip.dot(so_far) < 0.0 {
                self.slip = DVec3::ZERO;
                (self.length, self.amplitude) = law.reversal;
                self.base = so_far.normalize_or_zero() * (0.5 * self.amplitude);
            }
            if self.length > 0.0 { self.go_over(slip, law) } else { self.slide(slip, law) }
        }
        let size = self.force.length();
        self.capped = size > law.limit;
        if self.capped {
            self.force *= law.limit / size;
        }
    }

    /// A step of a transition.
    fn go_over(&mut self, slip: DVec3, law: &PlaneLaw) {
        // x^p ŝ
        let share = |s: DVec3| {
            let size = s.length();
            if size > 0.0 { s * (alone::pow(size / self.length, law.power) / size) } else { DVec3::ZERO }
        };
        let (before, after) = (self.slip, self.slip + slip);
        let direction = after.normalize_or_zero();
        let ends = after.length() >= self.length;
        let gone = if ends { direction } else { share(after) };
        self.force = if law.incremental {
            self.force + (gone - share(before)) * self.amplitude
        } else {
            self.base + gone * self.amplitude
        };
        self.slip = after;
        if ends {
            self.force = self.force.try_normalize().unwrap_or(direction) * law.limit;
            (self.slip, self.base) = (DVec3::ZERO, DVec3::ZERO);
            self.length = 0.0;
        }
    }

    /// A step of a sliding contact.
    fn slide(&mut self, slip: DVec3, law: &PlaneLaw) {
        let ahead = self.force.try_normalize().unwrap_or(DVec3::ZERO);
        let turned = ahead * law.limit + (slip - ahead * slip.dot(ahead)) * law.across;
        self.force = turned.normalize_or_zero() * law.limit;
    }
}
