//! Friction after reversals by the source's own reading of its equations 2 and 3, on a guided sphere.
//!
//! A transition begins at a reversal at the path coordinate `s_A`, is measured along the path, `x = |s − s_A|/δ_u`, and its amplitude
//! `σ (μ N(s_A) + μ N(s_A + σ δ_u))` takes the load at the place where it will end. No contact law has that load: it is known here because
//! the path and the fixed sphere are. So this reading is neither a law nor a key of scenes. The sphere of the study has a contact without
//! friction, and this friction is a force from outside, given for the end of the coming step at the place `s + v Δt + ½ a Δt²` where the
//! second-order schemes will be.

use dem_core::DVec3;
use dem_reference::hysteretic_sliding::Form;
use dem_sim::guides::Path;

use super::setup::Setup;

/// The sphere at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Path coordinate from the middle \[m\].
    pub coordinate: f64,
    /// Velocity along the path \[m/s\].
    pub velocity: f64,
    /// Acceleration along the path \[m/s²\].
    pub acceleration: f64,
}

/// Motion in one direction.
#[derive(Clone, Copy, Debug)]
struct Branch {
    direction: f64,
    /// `s_A` \[m\].
    start: f64,
    /// `δ_u` \[m\]; zero before the first reversal.
    length: f64,
    /// Friction at its start \[N\].
    friction: f64,
    /// Change of the friction over it \[N\].
    amplitude: f64,
}

/// The friction of a sphere of the study.
#[derive(Clone, Debug)]
pub struct PathFriction {
    path: Path,
    /// Where the middle of the path is \[m\].
    middle: DVec3,
    friction: f64,
    power: f64,
    /// Length of a transition over the overlap, without the factor of the distance.
    slip_ratio: f64,
    form: Form,
    branch: Branch,
}

impl PathFriction {
    /// Of a sphere that comes from the beginning of its path.
    pub fn new(setup: &Setup, path: Path) -> Self {
        let nu = setup.poisson_ratio;
        Self {
            path,
            middle: (2.0 - setup.overlap) * DVec3::Z,
            friction: setup.friction,
            power: setup.power,
            slip_ratio: setup.friction * (2.0 - nu) / (2.0 * (1.0 - nu)),
            form: setup.form,
            branch: Branch { direction: 1.0, start: -setup.end, length: 0.0, friction: 0.0, amplitude: 0.0 },
        }
    }

    /// Overlap at a place of the path \[m\], of spheres of 1 m.
    fn overlap(&self, s: f64) -> f64 {
        (2.0 - self.path.onward(self.middle, s).point.length()).max(0.0)
    }

    /// Friction limit at a place of the path \[N\], `k_n` = 1 N/m^(3/2).
    fn limit(&self, s: f64) -> f64 {
        self.friction * self.overlap(s).powf(1.5)
    }

    /// Friction at a place of the path, positive with it \[N\].
    fn value(&self, s: f64) -> f64 {
        let (branch, limit) = (&self.branch, self.limit(s));
        let travelled = (s - branch.start).abs();
        if travelled >= branch.length {
            return -branch.direction * limit;
        }
        (branch.friction + branch.amplitude * (travelled / branch.length).powf(self.power)).clamp(-limit, limit)
    }

    fn reverse(&mut self, s: f64, direction: f64) {
        let overlap = self.overlap(s);
        let length = self.slip_ratio * overlap * (1.0 - 0.25 * overlap);
        let limit = self.limit(s);
        let far = self.limit(s + direction * length);
        self.branch = Branch {
            direction,
            start: s,
            length: if self.form == Form::Coulomb { 0.0 } else { length },
            friction: if self.form == Form::NonIncremental { direction * limit } else { self.value(s) },
            amplitude: -direction * (limit + far),
        };
    }

    /// Force on the sphere at the end of a step of `time_step` \[s\] from a place \[N\]; `impulse` says that its velocity was given to it there.
    pub fn force(&mut self, now: Place, time_step: f64, impulse: bool) -> DVec3 {
        if now.velocity * self.branch.direction < 0.0 {
            // it turned within the last step, where the velocity vanished
            let since = 0.5 * now.velocity * now.velocity / now.acceleration;
            let at = if impulse || !since.is_finite() { now.coordinate } else { now.coordinate - since };
            self.reverse(at, now.velocity.signum());
        }
        let s = now.coordinate + time_step * (now.velocity + 0.5 * time_step * now.acceleration);
        let frame = self.path.onward(self.middle, s);
        let normal = frame.point.normalize();
        // in the plane of the contact, forwards
        let along = (frame.tangent - frame.tangent.dot(normal) * normal).normalize();
        self.value(s) * along
    }
}
