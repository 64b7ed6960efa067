//! One movement of a contact with linear springs and a slider: load and slip grow in proportion, from one overlap to another.
//!
//! While it sticks, `df = k_t du`. From the moment at which `|f|` reaches the limit `μN` the contact slides: the force keeps to the limit, and the
//! angle θ between it and the movement follows the differential equation of the tractrix under a changing load,
//!
//! ```text
//! dθ = −(k_t |du|/(μN)) sin θ,   dW = μN cos θ |du|
//! ```
//!
//! Both are integrated as they stand, by fixed steps of fourth order, with none of the closed forms of the law. A contact that opens or closes within
//! the movement is only there for its part of it.
//!
//! Source: equations 4 to 17 of M. R. Kuhn, K. Suzuki, A. Daouadji, Linear-frictional contact model for 3D discrete element simulations of granular
//! systems.

use crate::runge_kutta::advance;

/// Steps of the integration.
const STEPS: usize = 20_000;

/// The contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearSlider {
    /// Normal stiffness \[N/m\].
    pub normal_stiffness: f64,
    /// Tangential stiffness \[N/m\].
    pub tangential_stiffness: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// A movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movement {
    /// Overlaps before and after, negative if there is a gap \[m\].
    pub overlaps: [f64; 2],
    /// Tangential force against the slip before \[N\].
    pub force: [f64; 2],
    /// Slip \[m\].
    pub slip: [f64; 2],
}

/// What a movement leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Tangential force against the slip afterwards \[N\].
    pub force: [f64; 2],
    /// Work against it \[J\].
    pub work: f64,
    /// Part of the movement after which the contact slides; one if it never does.
    pub slides_from: f64,
}

impl LinearSlider {
    /// What a movement that ends in contact leads to; nothing remains of one that does not.
    pub fn outcome(&self, movement: &Movement) -> Outcome {
        let Movement { overlaps: [before, after], force, slip } = *movement;
        if after <= 0.0 {
            return Outcome { force: [0.0; 2], work: f64::NAN, slides_from: 1.0 };
        }
        let touch = if before < 0.0 { -before / (after - before) } else { 0.0 };
        let start = if before <= 0.0 { [0.0; 2] } else { force };
        let length = slip[0].hypot(slip[1]);
        let limit = |share: f64| self.friction * self.normal_stiffness * (before + share * (after - before)).max(0.0);
        let elastic = |share: f64| [0, 1].map(|k| start[k] + (share - touch) * self.tangential_stiffness * slip[k]);
        let inside = |share: f64| {
            let [x, y] = elastic(share);
            x.hypot(y) <= limit(share) * (1.0 + 1e-14)
        };
        let slides_from = first_outside(inside, touch);
        let [x, y] = elastic(slides_from);
        let mean = [0, 1].map(|k| 0.5 * (start[k] + [x, y][k]));
        let stuck = (slides_from - touch) * (mean[0] * slip[0] + mean[1] * slip[1]);
        if slides_from >= 1.0 || length == 0.0 {
            let scale = (limit(1.0) / x.hypot(y)).min(1.0);
            return Outcome {
                force: [x, y].map(|f| if scale < 1.0 { f * scale } else { f }),
                work: stuck,
                slides_from,
            };
        }
        let along = slip[1].atan2(slip[0]);
        // a contact that slides from touch has its force along the movement at once
        let angle = if x == 0.0 && y == 0.0 { 0.0 } else { y.atan2(x) - along };
        let rate = |&[angle, _, share]: &[f64; 3]| {
            let sine = angle.sin();
            let turn = if sine == 0.0 { 0.0 } else { -self.tangential_stiffness * length / limit(share) * sine };
            [turn, limit(share) * angle.cos() * length, 1.0]
        };
        let step = (1.0 - slides_from) / STEPS as f64;
        let end = (0..STEPS).fold([angle, stuck, slides_from], |state, _| advance(rate, &state, step));
        let (sine, cosine) = (along + end[0]).sin_cos();
        Outcome { force: [limit(1.0) * cosine, limit(1.0) * sine], work: end[1], slides_from }
    }
}

/// Share of the movement, from `touch` on, at which it leaves the cone of friction, which is convex.
fn first_outside(inside: impl Fn(f64) -> bool, touch: f64) -> f64 {
    if inside(1.0) {
        return 1.0;
    }
    let (mut low, mut high) = (touch, 1.0);
    while high - low > 1e-15 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if inside(middle) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTACT: LinearSlider = LinearSlider { normal_stiffness: 2.0, tangential_stiffness: 1.0, friction: 0.5 };

    #[test]
    fn under_a_constant_load_the_half_angle_falls_exponentially() {
        let outcome = CONTACT.outcome(&Movement { overlaps: [1.0; 2], force: [1.0, 0.0], slip: [0.0, 1.3] });
        let angle = 2.0 * (-1.3_f64).exp().atan();
        assert!((outcome.force[0] - angle.sin()).abs() < 1e-12 && (outcome.force[1] - angle.cos()).abs() < 1e-12);
        // ∫ cos θ du, with sin θ falling from 1: ln(1/sin θ₁)
        assert!((outcome.work + angle.sin().ln()).abs() < 1e-12);
    }

    #[test]
    fn it_sticks_up_to_the_limit_and_then_slides() {
        let outcome = CONTACT.outcome(&Movement { overlaps: [1.0; 2], force: [0.5, 0.0], slip: [2.0, 0.0] });
        assert!((outcome.slides_from - 0.25).abs() < 1e-14);
        assert!((outcome.force[0] - 1.0).abs() < 1e-14);
        assert!((outcome.work - (0.75 * 0.5 + 1.5)).abs() < 1e-12);
    }

    #[test]
    fn a_contact_that_closes_takes_its_part_of_the_movement() {
        let outcome = CONTACT.outcome(&Movement { overlaps: [-1.0, 1.0], force: [9.0; 2], slip: [0.4, 0.0] });
        assert_eq!(outcome.force, [0.2, 0.0]);
        assert!((outcome.work - 0.5 * 0.2 * 0.2).abs() < 1e-15);
        let sliding = CONTACT.outcome(&Movement { overlaps: [-1.0, 1.0], force: [0.0; 2], slip: [0.0, 8.0] });
        assert!((sliding.force[1] - 1.0).abs() < 1e-12, "{sliding:?}");
        // the mean of the limit over the half of the movement in contact
        assert!((sliding.work - 0.5 * 4.0).abs() < 1e-9, "{sliding:?}");
    }

    #[test]
    fn nothing_is_left_of_a_contact_that_opens() {
        let outcome = CONTACT.outcome(&Movement { overlaps: [1.0, -0.1], force: [0.5, 0.0], slip: [1.0, 0.0] });
        assert_eq!(outcome.force, [0.0; 2]);
    }
}
