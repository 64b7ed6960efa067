//! The Coulomb limit and the book-keeping of tangential work, shared by laws with an elastic trial force.

use dem_core::DVec3;

use crate::law::{Kinematics, Mode};
use crate::parameter::{Interval, ParameterKind, ParameterSpec};

/// Friction coefficient.
pub const FRICTION: ParameterSpec = ParameterSpec {
    name: "friction",
    unit: "-",
    meaning: "Coulomb friction coefficient μ",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};

/// Tangential damping ratio.
pub const TANGENTIAL_DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "tangential_damping_ratio",
    unit: "-",
    meaning: "damping of the tangential spring as a fraction of critical, with the effective mass; acts while the contact sticks",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// Tangential force after the limit, and where the work of the step went.
#[derive(Clone, Copy, Debug)]
pub struct Limited {
    /// Force on i \[N\].
    pub force: DVec3,
    /// Its elastic part \[N\].
    pub elastic: DVec3,
    /// Stick or slide.
    pub mode: Mode,
    /// Stored in the tangential spring \[J\].
    pub stored: f64,
    /// Dissipated by friction \[J\].
    pub friction: f64,
    /// Dissipated by the tangential dashpot \[J\].
    pub viscous: f64,
}

/// Applies the limit `μN` to an elastic trial force and a dashpot.
///
/// `start` is the elastic force at the start of the step, already carried; `trial` the elastic force if nothing slides;
/// `dashpot` the viscosity \[N s/m\]; `spring` the tangential stiffness of the step \[N/m\]. When the sum exceeds the limit the
/// force is the limit in its direction, all of it elastic: a sliding contact has no dashpot.
///
/// The work of the force on the slip is taken by the trapezoidal rule of the elastic force; what the spring did not
/// take is friction, and the dashpot's share is its mean power.
#[inline(always)]
pub fn limit(k: &Kinematics, limit: f64, start: DVec3, trial: DVec3, spring: f64, dashpot: f64) -> Limited {
    let total = trial - k.tangential_velocity * dashpot;
    let size_squared = total.length_squared();
    if size_squared <= limit * limit {
        let mean = 0.5 * (start + trial);
        Limited {
            force: total,
            elastic: trial,
            mode: if limit > 0.0 { Mode::Stick } else { Mode::Open },
            stored: -mean.dot(k.slip),
            friction: 0.0,
            viscous: if dashpot > 0.0 { dashpot * k.slip.length_squared() / k.time_step } else { 0.0 },
        }
    } else {
        let force = total * (limit / size_squared.sqrt());
        let mean = 0.5 * (start + force);
        let elastic_slip = if spring > 0.0 { (start - force) / spring } else { DVec3::ZERO };
        Limited {
            force,
            elastic: force,
            mode: Mode::Slide,
            stored: -mean.dot(elastic_slip),
            friction: -mean.dot(k.slip - elastic_slip),
            viscous: 0.0,
        }
    }
}
