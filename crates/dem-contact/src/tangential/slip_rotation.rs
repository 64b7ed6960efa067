//! How the friction force turns while a contact slides in a straight line, in closed form.
//!
//! A sliding contact has the force `f = μN m`. Motion along m slides; motion across m is elastic and turns the force
//! towards the motion. With θ the angle from the motion `u` to m, and N linear in the fraction `a` of the step,
//! `N = N_s (1 + c₂ a)`,
//!
//! `dθ/da = −L sin θ / (1 + c₂ a)`, `L = k_t |u| / (μN_s)`,
//!
//! whose solution is `tan(θ/2) = tan(θ_s/2) (1 + c₂ a)^(−L/c₂)`, with the limit `exp(−L a)` for `c₂ → 0`. Written with the cosine and sine
//! of the half angle it needs one logarithm and one exponential, holds in all four quadrants and at θ = π, where the force stays
//! (an unstable equilibrium).
//!
//! | symbol | meaning |
//! |---|---|
//! | θ | angle from the motion to the force, about the normal |
//! | L | elastic force of the whole motion in proportion to the limit at the start |
//! | c₂ | growth of the limit, `N₁/N_s − 1 ≥ −1` |
//!
//! The work of the force needs `I = ∫₀¹ (N/N_s) cos θ da`. It is elementary only for constant N. Short steps (L and c₂
//! below 1/32) take the two-point rule with first and second derivatives at both ends, exact to 10⁻¹² there. Longer
//! ones use the path `τ = ln(tan(θ_s/2)/tan(θ/2))`: `1 + c₂ a = exp(c₂ τ/L)`, `tan²(θ/2) ∝ exp(−2τ)`, so that
//! `I = 1 + c₂/2 − (1/L) ∫ exp(2 c₂ τ/L) 2 sin²(θ/2) dτ`, an integrand whose poles stay away from the real axis: Gauss'
//! rule on panels converges for any step, also where the rotation is over after a small part of it. Once
//! `z = tan²(θ/2)` is small, the series of `2 sin²(θ/2) = z/(1 + z) · 2` integrates term by term without any further
//! exponential.
//!
//! Source: M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact model for 3D discrete element simulations of granular
//! systems", Eqs. 16 to 21. Departures: the half-angle form replaces the logarithm of `csc θ − cot θ`, its look-up tables, and the arcsine
//! of line 32, which loses angles beyond a right angle; the work is that of the path instead of the trapezoid of line 45.

use dem_core::lanes::functions::{self, alone};
use dem_core::lanes::{LaneMask, Lanes, Mask, Real, Vector};

/// Largest L and c₂ of the rule with derivatives.
const SHORT: f64 = 1.0 / 32.0;
/// Beyond these the force has long turned; they keep overflow out where sliding begins at almost no load.
const LARGEST: f64 = 1e100;
/// A smaller decay cannot be seen, and its square must not underflow: the force would lose its direction at θ = π.
const SMALLEST_DECAY: f64 = 1e-150;
/// More panels than any step has: the turn is over after some `ln tan(θ_s/2) + 40`, and N has grown by [`LARGEST`] after 460.
const PANELS: usize = 2000;
/// Largest `tan²(θ/2)` of the series; its terms fall at least by this.
const SMALL: f64 = 0.1;
/// More terms than the series takes.
const SERIES_TERMS: usize = 32;
/// Nodes and weights of Gauss' rule with eight points.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// Sliding in a straight line.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlipRotation<R: Lanes> {
    along: Vector<R>,
    across: Vector<R>,
    /// Cosine of half the angle at the start, times any factor.
    half_cosine: R,
    /// Sine of half the angle at the start, times the same factor.
    half_sine: R,
    /// Cosine and sine of the angle at the start and at the end.
    start: (R, R),
    end: (R, R),
    travel: R,
    growth: R,
    decay: R,
    active: R::Mask,
}

impl<R: Lanes> SlipRotation<R> {
    /// Sliding from the unit direction `from` of the force by a motion along the unit vector `along`, both perpendicular to `normal`;
    /// `travel` is L, `growth` c₂. Only the lanes in `active` are computed.
    #[inline(always)]
    pub(super) fn new(
        from: Vector<R>,
        along: Vector<R>,
        normal: Vector<R>,
        travel: R,
        growth: R,
        active: R::Mask,
    ) -> Self {
        let (zero, one) = (R::zero(), R::constant(1.0));
        let (travel, growth) = (travel.minimum(R::constant(LARGEST)), growth.minimum(R::constant(LARGEST)));
        let across = normal.cross(along);
        let (cosine, sine) = (from.dot(along), from.dot(across));
        // of the two forms of the half angle the one without cancellation
        let ahead = zero.at_most(cosine);
        let behind_sine = R::select(sine.less(zero), cosine - one, one - cosine);
        let half_cosine = R::select(ahead, one + cosine, sine.abs());
        let half_sine = R::select(ahead, sine, behind_sine);
        // an angle below round-off need not be turned: most of steady sliding
        let turns = active & (half_cosine * R::constant(1e-16)).less(half_sine.abs());
        let decay = decays(travel, growth, turns);
        let (start, end) = ((cosine, sine), whole_angle(half_cosine, half_sine * decay));
        Self { along, across, half_cosine, half_sine, start, end, travel, growth, decay, active }
    }

    /// Direction of the force at the end.
    #[inline(always)]
    pub(super) fn direction(&self) -> Vector<R> {
        self.along * self.end.0 + self.across * self.end.1
    }

    /// Value, first and second derivative of `(1 + c₂ a) cos θ` where the first factor is `y`.
    #[inline(always)]
    fn projection(&self, y: R, (cosine, sine): (R, R)) -> (R, R, R) {
        let (travel, growth) = (self.travel, self.growth);
        let turned = travel * sine * sine;
        let second = turned / y * (growth - R::constant(2.0) * travel * cosine);
        (y * cosine, growth * cosine + turned, second)
    }

    /// `∫ (N/N_s) cos θ da` over the motion: its work is `μN_s |u|` times this.
    #[inline(always)]
    pub(super) fn mean_projection(&self) -> R {
        let one = R::constant(1.0);
        let (travel, growth) = (self.travel, self.growth);
        let end = one + growth;
        let short = travel.maximum(growth.abs()).at_most(one.minimum(end) * R::constant(SHORT));
        let (value0, first0, second0) = self.projection(one, self.start);
        let (value1, first1, second1) = self.projection(end, self.end);
        let by_derivatives = R::constant(0.5) * (value0 + value1)
            + R::constant(0.1) * (first0 - first1)
            + R::constant(1.0 / 120.0) * (second0 + second1);
        let long = self.active & !short;
        if !long.any() {
            return by_derivatives;
        }
        R::from_lanes(|lane| {
            if long.lane(lane) {
                let (half_cosine, half_sine) = (self.half_cosine.lane(lane), self.half_sine.lane(lane));
                integrate(half_cosine, half_sine, travel.lane(lane), growth.lane(lane), self.decay.lane(lane))
            } else {
                by_derivatives.lane(lane)
            }
        })
    }
}

/// Cosine and sine of an angle from multiples of those of its half.
#[inline(always)]
fn whole_angle<R: Lanes>(half_cosine: R, half_sine: R) -> (R, R) {
    let (c, s) = (half_cosine * half_cosine, half_sine * half_sine);
    ((c - s) / (c + s), R::constant(2.0) * half_cosine * half_sine / (c + s))
}

/// `ln(1 + x)/x`
fn logarithm_ratio(x: f64) -> f64 {
    if x.abs() < 1e-4 { 1.0 - x * (0.5 - x * (1.0 / 3.0 - x * 0.25)) } else { alone::ln_1p(x) / x }
}

/// `(1 + growth)^(−travel/growth)` where `turns`, one elsewhere: a series where little happens in the step, which is the rule.
#[inline(always)]
fn decays<R: Real>(travel: R, growth: R, turns: R::Mask) -> R {
    let one = R::constant(1.0);
    let little = travel.less(R::constant(LITTLE_TRAVEL)) & growth.abs().less(R::constant(LITTLE_GROWTH));
    let mut ratio = R::zero();
    for coefficient in LOGARITHM {
        ratio = R::constant(coefficient) + ratio * growth;
    }
    let exponent = -travel * ratio;
    let mut series = R::zero();
    for coefficient in EXPONENTIAL {
        series = R::constant(coefficient) + series * exponent;
    }
    let decayed = R::select(turns, series, one);
    let much = turns & !little;
    if !much.any() {
        return decayed;
    }
    let ratio = R::select(growth.abs().less(R::constant(LITTLE_GROWTH)), ratio, functions::ln_1p(growth) / growth);
    let exact = functions::exp(-travel * ratio).maximum(R::constant(SMALLEST_DECAY));
    R::select(much, R::select(travel.greater(R::zero()), exact, one), decayed)
}

/// Where the series of [`decays`] are exact to round-off.
const LITTLE_TRAVEL: f64 = 0.05;
const LITTLE_GROWTH: f64 = 0.01;
/// `ln(1 + x)/x`, the highest power first; the remainder is below 0.01⁸/9.
const LOGARITHM: [f64; 8] = [-1.0 / 8.0, 1.0 / 7.0, -1.0 / 6.0, 0.2, -0.25, 1.0 / 3.0, -0.5, 1.0];
/// `eˣ`, the highest power first; the remainder is below 0.05¹⁰/10!.
const EXPONENTIAL: [f64; 10] =
    [1.0 / 362_880.0, 1.0 / 40_320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];

/// [`SlipRotation::mean_projection`] by quadrature while the angle is large, then by its series. The variable is τ stretched so that neither
/// exponential changes by more than e² in a panel of length 1.
fn integrate(half_cosine: f64, half_sine: f64, travel: f64, growth: f64, decay: f64) -> f64 {
    let straight = 1.0 + 0.5 * growth;
    if half_cosine == 0.0 {
        return -straight; // against the motion to the end, however long: no panel would be the last
    }
    let tangent = half_sine / half_cosine;
    let square = tangent * tangent;
    // squares of the tangent of the half angle and of N/N_s at the end
    let (last, last_force) = (square * decay * decay, (1.0 + growth) * (1.0 + growth));
    // the series divides by this; it is small where N grows just as fast as friction can follow
    let margin = travel - growth > 1e-3 * travel;
    let tail = |square: f64, force: f64| small_angle_series([square, last], [force, last_force], travel, growth);
    if margin && square < SMALL {
        return straight - tail(square, 1.0);
    }
    let stretch = travel.max(2.0 * growth.abs());
    let end = stretch * logarithm_ratio(growth);
    let (turn, swell) = (-2.0 * travel / stretch, 2.0 * growth / stretch);
    let state = |x: f64| (square * alone::exp(turn * x), alone::exp(swell * x));
    let integrand = |x: f64| {
        let (square, force) = state(x);
        2.0 * force * square / (1.0 + square)
    };
    let (mut at, mut sum) = (0.0, 0.0);
    for _ in 0..PANELS {
        let half = 0.5 * (end - at).min(1.0);
        let middle = at + half;
        for (node, weight) in GAUSS {
            sum += half * weight * (integrand(middle - half * node) + integrand(middle + half * node));
        }
        at += 2.0 * half;
        if at >= end {
            break;
        }
        let (square, force) = state(at);
        if margin && square < SMALL {
            return straight - sum / stretch - tail(square, force);
        }
        // the integrand is twice the product, and falls by at least 1/e per panel
        if force * square < 1e-18 {
            break;
        }
    }
    straight - sum / stretch
}

/// `∫ (N/N_s) (1 − cos θ) da` between two states of small angle, by the series of `2z/(1 + z)` in `z = tan²(θ/2)`.
fn small_angle_series(squares: [f64; 2], forces: [f64; 2], travel: f64, growth: f64) -> f64 {
    let (mut first, mut last) = (forces[0] * squares[0], forces[1] * squares[1]);
    let (mut sum, mut divisor) = (0.0, travel - growth);
    for _ in 0..SERIES_TERMS {
        let term = (first - last) / divisor;
        sum += term;
        if term.abs() < 1e-17 {
            break;
        }
        first *= -squares[0];
        last *= -squares[1];
        divisor += travel;
    }
    sum
}

#[cfg(test)]
mod tests;
