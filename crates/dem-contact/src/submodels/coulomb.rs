//! The Coulomb limit, the dashpot in parallel with a sliding spring, and the book-keeping of tangential work, shared by
//! laws with an elastic trial force.
//!
//! Spring and dashpot are in parallel, both in series with the slider (`sliding_dashpot = "kelvin"`):
//! `T = T_el − c s'`, `T_el' = −k s'` with the elastic slip s, and `|T| ≤ μN`; what the elements do not take of the
//! slip is plastic, `p' ∥ −T`. One step with the slip Δs and the slip velocity v at its end, by return mapping:
//!
//! - trial: `T_tr = T_el0 − k Δs − c v`; it sticks while `|T_tr| ≤ μN`;
//! - else `T = μN T_tr/|T_tr|` and `Δp = (T − T_tr)/(k + c/Δt)`, `T_el1 = T_el0 − k (Δs − Δp)`.
//!
//! Friction takes `μN |Δp|` and the dashpot `c |Δs − Δp|²/Δt`; neither is ever negative. The elastic slip of a contact
//! that continues to slide follows its force within the time c/k, so that the force has a limit for small steps. If the
//! whole cut force were kept as elastic, each step would turn it towards the slip velocity by about `c v/μN`, however
//! short it is.
//!
//! Other codes have other rules, [`SlidingDashpot`] has them for comparison.

use dem_core::lanes::{Mask, Real, Vector};

use crate::law::Kinematics;
use crate::tangential::TangentialResponse;

/// Limits of the tangential force in one step.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<R> {
    /// A trial force up to this sticks \[N\].
    pub stick: R,
    /// What a sliding contact carries \[N\].
    pub slide: R,
}

/// Where the dashpot of a sliding contact stands; [the module](self) has the equations of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlidingDashpot {
    /// In parallel with the spring, both in series with the slider.
    #[default]
    Kelvin,
    /// The sum of spring and dashpot is cut to the limit, and the spring keeps the cut force and the force of the dashpot at the whole slip
    /// velocity, `T_el = T + c v`: LAMMPS, MercuryDPM. It stretches the spring against the motion where c v exceeds the limit.
    Lammps,
    /// The spring alone is cut to the limit, and a sliding contact has no dashpot: LIGGGHTS, Yade. The force of a sticking contact may exceed
    /// the limit by that of its dashpot, and jumps when it begins to slide.
    Dropped,
    /// The spring alone is cut to the limit, and the dashpot acts in parallel with spring and slider, whatever they do.
    Outside,
}

impl SlidingDashpot {
    /// Whether the limit is for the sum of spring and dashpot.
    #[inline(always)]
    pub fn counts_for_the_limit(self) -> bool {
        matches!(self, Self::Kelvin | Self::Lammps)
    }
}

/// Tangential force if nothing slides.
#[derive(Clone, Copy, Debug)]
pub struct Trial<R> {
    /// Elastic force at the start of the step, carried to its end \[N\].
    pub start: Vector<R>,
    /// The same after a change of the stiffness: `elastic` without the slip of the step \[N\].
    pub base: Vector<R>,
    /// Elastic force at the end \[N\].
    pub elastic: Vector<R>,
    /// Dashpot, if there is one.
    pub dashpot: Option<Dashing<R>>,
}

/// A dashpot in parallel with the spring in one step.
#[derive(Clone, Copy, Debug)]
pub struct Dashing<R> {
    /// Viscosity \[N s/m\].
    pub viscosity: R,
    /// What it does while the contact slides.
    pub sliding: SlidingDashpot,
    /// What a sliding contact carried at the start of the step \[N\], for the work of friction.
    pub slide0: R,
}

/// Tangential force after the limit, and its elastic part.
#[derive(Clone, Copy, Debug)]
pub struct Limited<R: Real = f64> {
    /// Force and work.
    pub response: TangentialResponse<R>,
    /// Elastic part of the force \[N\].
    pub elastic: Vector<R>,
    /// Square of the force that was compared with the limit \[N²\].
    pub size_squared: R,
}

/// `1/k`, or zero where there is no stiffness.
#[inline(always)]
pub fn compliance<R: Real>(stiffness: R) -> R {
    R::select(stiffness.greater(R::zero()), R::constant(1.0) / stiffness, R::zero())
}

/// Applies the friction limit to a trial force. When it exceeds what sticks, the force is the sliding one in its direction.
///
/// `spring` is the tangential stiffness of the step \[N/m\], by which a spring follows a change of its force.
#[inline(always)]
pub fn limit<R: Real>(k: &Kinematics<R>, bounds: &Bounds<R>, trial: &Trial<R>, spring: R) -> Limited<R> {
    let attempt = Attempt::new(k, bounds, trial);
    if attempt.sticks.all() {
        return attempt.stick();
    }
    let cut = attempt.along_the_trial();
    attempt.slide(cut, spring)
}

/// A trial force against the friction limit. Laws with a sliding force in another direction or with another spring
/// query it for where contacts stick and pass it how the others slide.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<R: Real> {
    trial: Trial<R>,
    slip: Vector<R>,
    velocity: Vector<R>,
    per_time: R,
    slide: R,
    loaded: R::Mask,
    touches: R::Mask,
    /// Force that is compared with the limit \[N\].
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
        let total = match trial.dashpot {
            Some(dashpot) if dashpot.sliding.counts_for_the_limit() => {
                trial.elastic.minus_scaled(k.tangential_velocity, dashpot.viscosity)
            }
            _ => trial.elastic,
        };
        let size_squared = total.length_squared();
        Self {
            trial: *trial,
            slip: k.slip,
            velocity: k.tangential_velocity,
            per_time: R::constant(1.0) / k.time_step,
            slide: bounds.slide,
            loaded: bounds.stick.greater(R::zero()),
            touches: k.overlap1.greater(R::zero()),
            total,
            size_squared,
            sticks: size_squared.at_most(bounds.stick * bounds.stick),
        }
    }

    /// Mean work of a dashpot while both ends move by `slip` against each other \[J\].
    #[inline(always)]
    fn viscous_work(&self, viscosity: R, slip: Vector<R>) -> R {
        viscosity * slip.length_squared() * self.per_time
    }

    /// The result if all contacts stick.
    #[inline(always)]
    pub fn stick(&self) -> Limited<R> {
        let Self { trial, slip, loaded, size_squared, sticks, .. } = *self;
        let (force, viscous) = self.sticking();
        let stored = -((trial.start + trial.elastic) * R::constant(0.5)).dot(slip);
        let response = TangentialResponse {
            force,
            loaded,
            slides: !sticks,
            stored,
            friction: R::zero(),
            viscous,
            ..TangentialResponse::none()
        };
        Limited { response, elastic: trial.elastic, size_squared }
    }

    /// Force of contacts that stick, and the work of their dashpot.
    #[inline(always)]
    fn sticking(&self) -> (Vector<R>, R) {
        match self.trial.dashpot {
            None => (self.total, R::zero()),
            Some(dashpot) => {
                let viscous = self.viscous_work(dashpot.viscosity, self.slip);
                if dashpot.sliding.counts_for_the_limit() {
                    return (self.total, viscous);
                }
                // outside the limit a dashpot of constant viscosity would act until the very end of the contact
                let viscosity = R::select(self.touches, dashpot.viscosity, R::zero());
                (self.total.minus_scaled(self.velocity, viscosity), R::select(self.touches, viscous, R::zero()))
            }
        }
    }

    /// The sliding force in the direction of the trial force \[N\].
    #[inline(always)]
    pub fn along_the_trial(&self) -> Vector<R> {
        self.total * (self.slide / self.size_squared.sqrt())
    }

    /// The result if contacts that do not stick slide with the force `cut` \[N\] of the slider, with a spring of the
    /// stiffness `spring` \[N/m\].
    ///
    /// The work of the spring is taken by the trapezoidal rule, that of friction as the mean of its limits times the plastic slip, or, without
    /// a dashpot, as what the spring does not take of the work of the trapezoid.
    #[inline(always)]
    pub fn slide(&self, cut: Vector<R>, spring: R) -> Limited<R> {
        let Self { trial, slip, loaded, size_squared, sticks, .. } = *self;
        let zero = R::zero();
        let half = R::constant(0.5);
        let (stuck_force, stuck_viscous) = self.sticking();
        let beside = trial.dashpot.filter(|dashpot| dashpot.sliding == SlidingDashpot::Kelvin);
        let (elastic, elastic_slip, friction, force, viscous) = if let Some(Dashing { viscosity, slide0, .. }) = beside
        {
            let both = spring.plus_product(viscosity, self.per_time);
            let plastic = (cut - self.total) * compliance(both);
            let elastic_slip = slip - plastic;
            let friction = (-cut.dot(plastic)).plus_product((slide0 - self.slide) * half, plastic.length());
            let elastic = trial.elastic.plus_scaled(plastic, spring);
            (elastic, elastic_slip, friction.maximum(zero), cut, self.viscous_work(viscosity, elastic_slip))
        } else {
            let kept_by_spring = trial.dashpot.filter(|dashpot| dashpot.sliding == SlidingDashpot::Lammps);
            let elastic = kept_by_spring.map_or(cut, |dashpot| cut.plus_scaled(self.velocity, dashpot.viscosity));
            let elastic_slip = (trial.base - elastic) * compliance(spring);
            let plastic = slip - elastic_slip;
            if let Some(Dashing { viscosity, .. }) = kept_by_spring {
                let viscous = viscosity * self.velocity.dot(elastic_slip);
                (elastic, elastic_slip, -cut.dot(plastic), cut, viscous)
            } else {
                // the slider carries what the spring does; a step that reverses the force beyond what the trapezoid resolves gives nothing back
                let friction = (-((trial.start + cut) * half).dot(plastic)).maximum(zero);
                match trial.dashpot.filter(|dashpot| dashpot.sliding == SlidingDashpot::Outside) {
                    None => (elastic, elastic_slip, friction, cut, zero),
                    Some(Dashing { viscosity, .. }) => {
                        let force = cut.minus_scaled(self.velocity, R::select(self.touches, viscosity, zero));
                        (elastic, elastic_slip, friction, force, self.viscous_work(viscosity, slip))
                    }
                }
            }
        };
        let elastic_slip = Vector::select(sticks, slip, elastic_slip);
        let elastic = Vector::select(sticks, trial.elastic, elastic);
        let mean = (trial.start + elastic) * half;
        let response = TangentialResponse {
            force: Vector::select(sticks, stuck_force, force),
            loaded,
            slides: !sticks,
            stored: -mean.dot(elastic_slip),
            friction: R::select(sticks, zero, friction),
            viscous: R::select(sticks, stuck_viscous, viscous),
            ..TangentialResponse::none()
        };
        Limited { response, elastic, size_squared }
    }
}
