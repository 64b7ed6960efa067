//! A foundation of many springs with Coulomb friction: the tangential contact of two spheres by dimensionality reduction.
//!
//! Springs stand at `x_k` along a line; at an overlap `δ` spring `k` is pressed in by `w_k = δ − x_k²/R` if that is positive. It
//! takes the slip `ds` of the contact as elongation `u_k` as far as `|u_k| ≤ (μ E*/4 G*) w_k`, and
//! `T = 8 G* Δx Σ u_k`. Along a straight line this is the solution of Maw, Barber and Fawcett for any history, because the Abel
//! transform of their problem separates the annuli.
//!
//! Each spring is followed in closed form over a step in which overlap and slip run evenly: up to the moment it starts to slide,
//! the root of a quadratic equation; then by the direction of its elongation, which turns towards the slip. With the angle θ between
//! them and the limit `l`, `l dθ = −|ds| sin θ`, so
//!
//! ```text
//! tan(θ₁/2) = tan(θ₀/2) (l₁/l₀)^(−|Δs|/(l₁ − l₀))
//! ```
//!
//! Sources: V. L. Popov, M. Heß, Method of Dimensionality Reduction in Contact Mechanics and Friction (2015), chapter 5; for the
//! impact I. A. Lyashenko, V. L. Popov, Sci. Rep. 5 (2015) 8479. The turning is that of M. R. Kuhn, K. Suzuki, A. Daouadji,
//! Linear-frictional contact model for 3D discrete element simulations of granular systems, equation 18, in half angles.

use crate::error::{ReferenceError, positive};
use crate::oblique_impact::ElasticPair;
use crate::scaled_impact::{Moment, TangentialContact, even_phases, run};

/// Most springs of a foundation.
const MOST_SPRINGS: usize = 10_000_000;

/// The springs on one side of the middle.
#[derive(Clone, Debug)]
pub struct ManySpringFoundation {
    radius: f64,
    spacing: f64,
    /// Force over the sum of elongations.
    stiffness: f64,
    /// Largest elongation over indentation.
    limit: f64,
    overlap: f64,
    elongations: Vec<[f64; 2]>,
}

impl ManySpringFoundation {
    /// A foundation with a number of springs within the contact at an overlap \[m\]; a larger overlap meets further springs.
    ///
    /// # Errors
    /// No spring, more than ten million, or an overlap that is not positive.
    pub fn new(pair: &ElasticPair, springs: usize, overlap: f64) -> Result<Self, ReferenceError> {
        positive("overlap", overlap)?;
        let spacing = (pair.radius * overlap).sqrt() / spring_count(springs)?;
        let limit = pair.friction / pair.stiffness_ratio();
        Ok(Self::with(pair.radius, spacing, 8.0 * pair.shear_modulus * spacing, limit))
    }

    /// A foundation in the units of [`scaled_impact`](crate::scaled_impact): radius, largest overlap and limit are one, and sliding
    /// at the largest overlap gives a force of one.
    fn scaled(springs: usize) -> Result<Self, ReferenceError> {
        let spacing = 1.0 / spring_count(springs)?;
        Ok(Self::with(1.0, spacing, 1.5 * spacing, 1.0))
    }

    fn with(radius: f64, spacing: f64, stiffness: f64, limit: f64) -> Self {
        Self { radius, spacing, stiffness, limit, overlap: 0.0, elongations: Vec::new() }
    }

    /// Goes on evenly to an overlap \[m\] and by a slip \[m\] in the tangent plane; the force \[N\] against the slip.
    pub fn advance(&mut self, overlap: f64, slip: [f64; 2]) -> [f64; 2] {
        let position = |k: usize| (k as f64 + 0.5) * self.spacing;
        let reach = (self.radius * overlap.max(0.0)).sqrt() / self.spacing;
        let needed = ((reach + 0.5) as usize).min(MOST_SPRINGS);
        if needed > self.elongations.len() {
            self.elongations.resize(needed, [0.0; 2]);
        }
        let mut total = [0.0; 2];
        for (k, elongation) in self.elongations.iter_mut().enumerate() {
            let height = position(k).powi(2) / self.radius;
            let limits = [self.limit * (self.overlap - height), self.limit * (overlap - height)];
            *elongation = follow(*elongation, limits, slip);
            total = [total[0] + elongation[0], total[1] + elongation[1]];
        }
        self.overlap = overlap;
        total.map(|sum| self.stiffness * sum)
    }
}

fn spring_count(springs: usize) -> Result<f64, ReferenceError> {
    if (1..=MOST_SPRINGS).contains(&springs) {
        return Ok(springs as f64);
    }
    let allowed = format!("a number of springs from 1 to {MOST_SPRINGS}");
    Err(ReferenceError::Argument { argument: "springs", value: springs.to_string(), allowed })
}

/// Elongation of a spring after an even step in which its limit goes from one value to another (negative: out of contact).
fn follow(elongation: [f64; 2], [before, after]: [f64; 2], slip: [f64; 2]) -> [f64; 2] {
    if after <= 0.0 {
        return [0.0; 2];
    }
    if before <= 0.0 {
        // comes into contact within the step; limit and slip start from nothing, so it sticks or slides all the way
        let rest = slip.map(|s| s * after / (after - before));
        let length = norm(rest);
        return if length <= after { rest } else { rest.map(|s| s * after / length) };
    }
    let stuck = [elongation[0] + slip[0], elongation[1] + slip[1]];
    if norm(stuck) <= after {
        return stuck;
    }
    let growth = after - before;
    let a = growth * growth - inner(slip, slip);
    let b = before * growth - inner(elongation, slip);
    let c = (before * before - inner(elongation, elongation)).max(0.0);
    let root = (b * b - a * c).max(0.0).sqrt();
    let share = if b <= 0.0 { if root > b { c / (root - b) } else { 0.0 } } else { (-b - root) / a };
    let share = share.clamp(0.0, 1.0);
    let at_slide = [elongation[0] + share * slip[0], elongation[1] + share * slip[1]];
    let limit = before + share * growth;
    let sliding = (1.0 - share) * norm(slip);
    if sliding == 0.0 {
        return at_slide.map(|u| u * after / limit);
    }
    let along = slip.map(|s| s / norm(slip));
    let across = [-along[1], along[0]];
    let angle = inner(at_slide, across).atan2(inner(at_slide, along));
    let relative = (after - limit) / limit;
    let log_over_growth = if relative.abs() < 1e-8 { 1.0 - 0.5 * relative } else { relative.ln_1p() / relative };
    let turn = (-sliding / limit * log_over_growth).exp();
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let (sine, cosine) = (2.0 * (turn * sine).atan2(cosine)).sin_cos();
    [after * (cosine * along[0] + sine * across[0]), after * (cosine * along[1] + sine * across[1])]
}

fn inner(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn norm(a: [f64; 2]) -> f64 {
    inner(a, a).sqrt()
}

/// The history of an impact with ψ₀ and χ on a number of springs, in as many even phases and no fewer than 2000.
///
/// # Errors
/// No spring or more than ten million.
pub fn impact(springs: usize, psi: f64, chi: f64) -> Result<Vec<Moment>, ReferenceError> {
    let foundation = ManySpringFoundation::scaled(springs)?;
    run(psi, chi, &even_phases(springs.max(2000)), &mut Scaled { foundation, displacement: 0.0 })
}

/// A foundation in dimensionless form.
struct Scaled {
    foundation: ManySpringFoundation,
    displacement: f64,
}

impl TangentialContact for Scaled {
    fn advance(&mut self, contact_radius: f64, displacement: f64) -> Result<f64, ReferenceError> {
        let slip = displacement - self.displacement;
        self.displacement = displacement;
        Ok(self.foundation.advance(contact_radius * contact_radius, [slip, 0.0])[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;

    /// Follows a spring in many small steps that pull it back to the limit along its elongation.
    fn in_small_steps(start: [f64; 2], limits: [f64; 2], slip: [f64; 2]) -> [f64; 2] {
        let steps = 200_000;
        let mut u = start;
        for k in 1..=steps {
            let limit = limits[0] + (limits[1] - limits[0]) * f64::from(k) / f64::from(steps);
            u = [u[0] + slip[0] / f64::from(steps), u[1] + slip[1] / f64::from(steps)];
            if limit <= 0.0 {
                u = [0.0; 2];
            } else if norm(u) > limit {
                u = u.map(|x| x * limit / norm(u));
            }
        }
        u
    }

    #[test]
    fn one_step_is_as_good_as_many_small_ones() {
        let cases = [
            ([0.0, 0.0], [-0.4, 0.6], [0.2, 0.3]),
            ([0.0, 0.0], [-0.4, 0.6], [2.0, -1.0]),
            ([0.3, -0.2], [1.0, 1.0], [0.1, 0.9]),
            ([0.9, 0.0], [1.0, 1.4], [-0.3, 1.5]),
            ([0.0, 1.0], [1.0, 0.3], [0.4, -1.0]),
            ([0.8, 0.6], [1.0, 0.2], [0.0, 0.0]),
            ([-1.0, 0.1], [1.1, 0.5], [1.7, 0.01]),
            ([0.5, 0.5], [1.0, -0.1], [0.1, 0.0]),
        ];
        for (start, limits, slip) in cases {
            let (one, many) = (follow(start, limits, slip), in_small_steps(start, limits, slip));
            let off = norm([one[0] - many[0], one[1] - many[1]]);
            assert!(off < 2e-5, "{start:?} {limits:?} {slip:?}: {one:?} {many:?}");
        }
    }

    #[test]
    fn a_sliding_contact_takes_the_whole_friction_and_turns_with_the_slip() {
        let pair = kharaz(0.1).unwrap().pair;
        let overlap = 1e-5;
        let mut springs = ManySpringFoundation::new(&pair, 2000, overlap).unwrap();
        springs.advance(overlap, [0.0; 2]);
        springs.advance(overlap, [1e-5, 0.0]);
        let force = springs.advance(overlap, [0.0, 1e-4]);
        let limit = pair.friction * 4.0 / 3.0 * pair.modulus * (pair.radius * overlap).sqrt() * overlap;
        assert!((force[1] / limit - 1.0).abs() < 1e-6 && force[0].abs() < 1e-6 * limit, "{force:?} {limit}");
        // half the overlap at rest: friction falls with the load
        let force = springs.advance(0.5 * overlap, [0.0; 2]);
        assert!((norm(force) / limit - 0.5_f64.powf(1.5)).abs() < 1e-6, "{force:?}");
        assert_eq!(springs.advance(-overlap, [1e-6, 0.0]), [0.0; 2]);
    }

    #[test]
    fn an_overlap_beyond_the_first_meets_further_springs() {
        let pair = kharaz(0.1).unwrap().pair;
        let path = [(0.4e-5, 1e-7), (1.6e-5, 6e-7), (0.9e-5, -2e-7)];
        let run = |springs: &mut ManySpringFoundation| {
            path.map(|(overlap, slip)| springs.advance(overlap, [slip, 0.3 * slip])).map(norm)
        };
        let small = run(&mut ManySpringFoundation::new(&pair, 1000, 0.4e-5).unwrap());
        let large = run(&mut ManySpringFoundation::new(&pair, 2000, 1.6e-5).unwrap());
        for (one, other) in small.iter().zip(&large) {
            assert!((one / other - 1.0).abs() < 1e-12, "{small:?} {large:?}");
        }
    }

    #[test]
    fn numbers_of_springs_are_bounded() {
        assert!(impact(0, 2.0, 1.5).is_err());
        assert!(ManySpringFoundation::new(&kharaz(0.1).unwrap().pair, 20_000_000, 1e-5).is_err());
    }
}
