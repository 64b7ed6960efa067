//! The Coulomb limit and the book-keeping of tangential work, shared by laws with an elastic trial force.

use dem_core::lanes::{Mask, Real, Vector};

use crate::law::Kinematics;
use crate::submodels::friction::Bounds;
use crate::tangential::TangentialResponse;

/// Tangential force if nothing slides.
#[derive(Clone, Copy, Debug)]
pub struct Trial<R> {
    /// Elastic force at the start of the step, carried to its end \[N\].
    pub start: Vector<R>,
    /// Elastic force at the end \[N\].
    pub elastic: Vector<R>,
    /// Viscosity of the dashpot, if there is one \[N s/m\].
    pub dashpot: Option<R>,
}

/// Tangential force after the limit, and its elastic part.
#[derive(Clone, Copy, Debug)]
pub struct Limited<R: Real = f64> {
    /// Force and work.
    pub response: TangentialResponse<R>,
    /// Elastic part of the force \[N\].
    pub elastic: Vector<R>,
    /// Square of the trial force, dashpot included \[N²\].
    pub size_squared: R,
}

/// `1/k`, or zero where there is no stiffness.
#[inline(always)]
pub fn compliance<R: Real>(stiffness: R) -> R {
    R::select(stiffness.greater(R::zero()), R::splat(1.0) / stiffness, R::zero())
}

/// Applies the friction limit to a trial force. When it exceeds what sticks, the force is the sliding one in its direction, all of it
/// elastic: a sliding contact has no dashpot.
///
/// `spring` is the tangential stiffness of the step \[N/m\], by which a spring follows a change of its force.
#[inline(always)]
pub fn limit<R: Real>(k: &Kinematics<R>, bounds: &Bounds<R>, trial: &Trial<R>, spring: R) -> Limited<R> {
    let attempt = Attempt::new(k, bounds, trial);
    if attempt.sticks.all() {
        return attempt.stick();
    }
    let cut = attempt.along_the_trial();
    attempt.slide(cut, (trial.start - cut) * compliance(spring))
}

/// A trial force against the friction limit. Laws with a sliding force in another direction or with another spring ask it where contacts
/// stick and tell it how the others slide.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<R: Real> {
    trial: Trial<R>,
    slip: Vector<R>,
    slide: R,
    viscous: R,
    loaded: R::Mask,
    /// Force if nothing slides, dashpot included \[N\].
    pub total: Vector<R>,
    /// Its square \[N²\].
    pub size_squared: R,
    /// Where contacts stick.
    pub sticks: R::Mask,
}

impl<R: Real> Attempt<R> {
    /// Compares a trial force with the limit.
    #[inline(always)]
    pub fn new(k: &Kinematics<R>, bounds: &Bounds<R>, trial: &Trial<R>) -> Self {
        let (total, viscous) = match trial.dashpot {
            Some(dashpot) => {
                let viscous = dashpot * k.slip.length_squared() * R::splat(1.0 / k.time_step);
                (trial.elastic.minus_scaled(k.tangential_velocity, dashpot), viscous)
            }
            None => (trial.elastic, R::zero()),
        };
        let size_squared = total.length_squared();
        Self {
            trial: *trial,
            slip: k.slip,
            slide: bounds.slide,
            viscous,
            loaded: bounds.stick.greater(R::zero()),
            total,
            size_squared,
            sticks: size_squared.at_most(bounds.stick * bounds.stick),
        }
    }

    /// The answer if all contacts stick.
    #[inline(always)]
    pub fn stick(&self) -> Limited<R> {
        let Self { trial, slip, viscous, loaded, total, size_squared, sticks, .. } = *self;
        let stored = -((trial.start + trial.elastic) * R::splat(0.5)).dot(slip);
        let response =
            TangentialResponse { force: total, loaded, slides: !sticks, stored, friction: R::zero(), viscous };
        Limited { response, elastic: trial.elastic, size_squared }
    }

    /// The sliding force in the direction of the trial force \[N\].
    #[inline(always)]
    pub fn along_the_trial(&self) -> Vector<R> {
        self.total * (self.slide / self.size_squared.sqrt())
    }

    /// The answer if contacts that do not stick slide with the force `cut` \[N\] while the elastic slip grows by `elastic_slip` \[m\] over
    /// the step. The work of the force on the slip is taken by the trapezoidal rule of the elastic force; what the spring did not take is
    /// friction, and the dashpot's share is its mean power.
    #[inline(always)]
    pub fn slide(&self, cut: Vector<R>, elastic_slip: Vector<R>) -> Limited<R> {
        let Self { trial, slip, viscous, loaded, total, size_squared, sticks, .. } = *self;
        let elastic_slip = Vector::select(sticks, slip, elastic_slip);
        let elastic = Vector::select(sticks, trial.elastic, cut);
        let mean = (trial.start + elastic) * R::splat(0.5);
        let response = TangentialResponse {
            force: Vector::select(sticks, total, cut),
            loaded,
            slides: !sticks,
            stored: -mean.dot(elastic_slip),
            friction: R::select(sticks, R::zero(), -mean.dot(slip - elastic_slip)),
            viscous: R::select(sticks, viscous, R::zero()),
        };
        Limited { response, elastic, size_squared }
    }
}
