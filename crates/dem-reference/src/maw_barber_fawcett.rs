//! The oblique impact of elastic spheres after Maw, Barber and Fawcett: stick and slip of every annulus of the contact.
//!
//! The tangential traction is a sum of `wᵢ √(1 − r²/aᵢ²)` over circles of radius `aᵢ`, the outermost of the radius `a(t)` of the
//! contact. With the displacement `D` of the spheres against each other and the slip `s_j` of annulus `j`,
//!
//! | annulus | condition |
//! |---|---|
//! | stick | `u(r_j) = D − s_j`, `s_j` as it was |
//! | slip | traction `±μp(r_j)`; `s_j = D − u(r_j)` follows |
//! | out of contact | no traction; `s_j = D − u(r_j)` follows |
//!
//! In an impact slip comes from the edge and has one direction at a time: the contact is a stuck circle of `c` annuli inside a ring
//! of slip. Then the outermost weight is `±μp₀`, the other weights of the ring are zero, and the stuck annuli are a leading block of
//! the [influence matrix](AnnuliInfluence), whose factors are known once and for all. After the solution with the lower triangle,
//! which is the same for every `c`, weight `c` is that of the outermost stuck annulus, and `c` is the largest with a weight against
//! the slip. A step costs some `n²` operations instead of `n³`. That the ring slips the way its traction says is not built in but
//! looked at in every step; that the traction keeps below `μp` inside, in the tests.
//!
//! The steps of the approach end where the edge passes the middle of an annulus, so that the slip of every annulus is known at the
//! moment it comes into contact.
//!
//! Units as in [`scaled_impact`](crate::scaled_impact). Assumes Hertz's normal contact (no influence of the tangential traction),
//! half-spaces, and tractions and displacements along one direction.
//!
//! Sources: N. Maw, J. R. Barber, J. N. Fawcett, Wear 38 (1976) 101 and J. Lubr. Technol. 103 (1981) 74; A. Di Renzo,
//! F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, equations 27 to 32 (the sum in 31 starts at i = j).

use crate::annuli_influence::{AnnuliInfluence, displacement};
use crate::error::ReferenceError;
use crate::scaled_impact::{Moment, TangentialContact, even_phases, run};

/// The history of an impact with ψ₀ and χ: contact velocity `ψ` in the last moment.
///
/// # Errors
/// A solution that is not finite, or slip against friction.
pub fn impact(influence: &AnnuliInfluence, psi: f64, chi: f64) -> Result<Vec<Moment>, ReferenceError> {
    run(psi, chi, &phases(influence), &mut AnnuliContact::new(influence))
}

/// Twice as many even phases as annuli, and those at which the edge of the growing contact passes the middle of an annulus.
fn phases(influence: &AnnuliInfluence) -> Vec<f64> {
    let mut phases = even_phases(2 * influence.annuli());
    phases.extend((0..influence.annuli()).map(|annulus| influence.middle(annulus).asin()));
    phases.sort_by(f64::total_cmp);
    phases.dedup_by(|next, last| *next - *last < 1e-9);
    phases
}

/// Largest slip of a step against its friction: a path with more does not slip in one direction from the edge.
const BACKWARD_SLIP: f64 = 1e-9;

/// State of the annuli.
#[derive(Clone, Debug)]
pub struct AnnuliContact<'a> {
    influence: &'a AnnuliInfluence,
    slip: Vec<f64>,
    /// Weights of the bases inside the edge.
    weights: Vec<f64>,
    edge_weight: f64,
}

impl<'a> AnnuliContact<'a> {
    /// Spheres that do not touch yet.
    pub fn new(influence: &'a AnnuliInfluence) -> Self {
        let slip = vec![0.0; influence.annuli()];
        Self { influence, slip, weights: Vec::new(), edge_weight: 0.0 }
    }

    /// Number of annuli whose middle lies in a contact.
    fn touching(&self, contact_radius: f64) -> usize {
        let middles = contact_radius * self.influence.annuli() as f64 - 0.5;
        ((middles - 1e-6).ceil().max(0.0) as usize).min(self.influence.annuli())
    }

    /// Lets the slip of annuli from `first` follow the displacement. Returns the largest slip of the ring, which ends before
    /// `touching`, against its `direction`.
    fn follow(&mut self, first: usize, touching: usize, radius: f64, displaced: f64, direction: f64) -> f64 {
        let mut backward = 0.0_f64;
        for annulus in first..self.influence.annuli() {
            let edge = self.edge_weight * displacement(radius, self.influence.middle(annulus));
            let slip = displaced - self.influence.displacement(annulus, &self.weights) - edge;
            if annulus < touching {
                backward = backward.max(direction * (self.slip[annulus] - slip));
            }
            self.slip[annulus] = slip;
        }
        backward
    }
}

impl TangentialContact for AnnuliContact<'_> {
    fn advance(&mut self, contact_radius: f64, displaced: f64) -> Result<f64, ReferenceError> {
        let touching = self.touching(contact_radius);
        self.weights.clear();
        self.edge_weight = 0.0;
        if touching == 0 {
            self.slip.fill(displaced);
            return Ok(0.0);
        }
        let last = touching - 1;
        let mut edge: Vec<f64> =
            (0..touching).map(|j| displacement(contact_radius, self.influence.middle(j))).collect();
        let mut load: Vec<f64> = self.slip[..touching].iter().map(|slip| displaced - slip).collect();
        self.influence.solve_lower(&mut load, &mut edge);
        // amplitude of μp in units of its largest: the radius
        let limit = contact_radius;
        let without_slip = load[last] / edge[last];
        self.edge_weight = without_slip.clamp(-limit, limit);
        for (value, edge) in load.iter_mut().zip(&edge) {
            *value -= self.edge_weight * edge;
        }
        let direction = without_slip.signum();
        let sticks = without_slip.abs() <= limit;
        let mut stuck = last;
        while !sticks && stuck > 0 && direction * load[stuck - 1] / self.influence.pivot(stuck - 1) > 0.0 {
            stuck -= 1;
        }
        load.truncate(stuck);
        self.influence.solve_upper(&mut load);
        self.weights = load;
        let first_free = if sticks { touching } else { stuck };
        let backward = self.follow(first_free, touching, contact_radius, displaced, direction);
        let inner: f64 = self.weights.iter().enumerate().map(|(k, w)| self.influence.radius(k).powi(2) * w).sum();
        let force = inner + contact_radius * contact_radius * self.edge_weight;
        if force.is_finite() && backward <= BACKWARD_SLIP {
            return Ok(force);
        }
        let detail = format!("force {force}, slip against friction {backward:e}, {stuck} of {touching} annuli stuck");
        Err(ReferenceError::Convergence { method: "annuli of Maw, Barber and Fawcett", detail })
    }
}

#[cfg(test)]
mod tests;
