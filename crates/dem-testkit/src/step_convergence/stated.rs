//! What is stated of a trial, and whether a run of it agrees.

use super::convergence::Convergence;
use crate::conformance::ensure;

/// How far a measured order may be below the stated one: that of 400 impacts scatters by 0.1, that of a bed by 0.2.
pub const SCATTER: f64 = 0.25;

/// How a trial converges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Manner {
    /// With at least this order of the step.
    Order(f64),
    /// But for jumps: the law decides between states, and shorter steps may decide otherwise.
    Jumps {
        /// Largest difference between a run and the next one, in proportion to the scale \[-\].
        largest: f64,
        /// What is decided.
        reason: &'static str,
    },
    /// Not within the steps that are looked at, by design.
    Departs {
        /// Why.
        reason: &'static str,
    },
}

/// What is stated of velocities or stresses, or of works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// How they converge.
    pub manner: Manner,
    /// Largest distance of those with the automatic step from those with a sixteenth of it, in proportion to their scale \[-\].
    pub distance: f64,
}

/// What is stated of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated {
    /// Of velocities or stresses.
    pub states: Claim,
    /// Of works.
    pub works: Claim,
}

impl Claim {
    /// Convergence with an order from within a distance.
    pub const fn order(order: f64, distance: f64) -> Self {
        Self { manner: Manner::Order(order), distance }
    }

    /// No convergence, by design.
    pub const fn departs(reason: &'static str) -> Self {
        Self { manner: Manner::Departs { reason }, distance: f64::INFINITY }
    }

    /// Compares with what was found.
    ///
    /// # Errors
    /// What is otherwise than stated.
    pub fn check(&self, found: &Convergence) -> Result<(), String> {
        match self.manner {
            // what is not a number is not enough
            Manner::Order(order) => ensure(found.order() >= order - SCATTER, || {
                format!("converge with order {:.2}, stated {order}", found.order())
            })?,
            Manner::Jumps { largest, .. } => {
                let most = found.differences.iter().copied().fold(0.0, f64::max);
                ensure(most <= largest, || format!("jump by {most:.1e}, stated {largest:.1e}"))?;
            }
            Manner::Departs { .. } => ensure(found.order() < 1.0 - SCATTER, || {
                format!("are listed as a departure, but converge with order {:.2}", found.order())
            })?,
        }
        ensure(found.first_to_last <= self.distance, || {
            format!("are off by {:.1e} at the automatic step, stated {:.1e}", found.first_to_last, self.distance)
        })
    }
}

impl Stated {
    /// Compares with what was found; there are no works where nothing is dissipated.
    ///
    /// # Errors
    /// What is otherwise than stated.
    pub fn check(&self, states: &Convergence, works: Option<&Convergence>) -> Result<(), String> {
        self.states.check(states).map_err(|found| format!("states {found}"))?;
        works.map_or(Ok(()), |works| self.works.check(works).map_err(|found| format!("works {found}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(differences: [f64; 4]) -> Convergence {
        Convergence { differences: differences.to_vec(), first_to_last: differences.iter().sum() }
    }

    #[test]
    fn a_lower_order_and_a_larger_distance_are_errors() {
        let [first, second] = [found([8e-3, 4e-3, 2e-3, 1e-3]), found([64e-3, 16e-3, 4e-3, 1e-3])];
        assert_eq!(Claim::order(1.0, 0.1).check(&first), Ok(()));
        assert_eq!(Claim::order(2.0, 0.1).check(&second), Ok(()));
        assert_eq!(Claim::order(2.0, 0.1).check(&first).unwrap_err(), "converge with order 1.00, stated 2");
        let stated = Stated { states: Claim::order(1.0, 0.1), works: Claim::order(1.0, 0.05) };
        assert_eq!(stated.check(&first, Some(&first)), Ok(()));
        assert_eq!(
            stated.check(&first, Some(&second)).unwrap_err(),
            "works are off by 8.5e-2 at the automatic step, stated 5.0e-2"
        );
    }

    #[test]
    fn what_is_not_a_number_does_not_converge() {
        for manner in [Manner::Order(1.0), Manner::Departs { reason: "" }] {
            assert!(Claim { manner, distance: 0.1 }.check(&found([f64::NAN; 4])).is_err(), "{manner:?}");
        }
        assert!(Claim::order(1.0, 0.1).check(&found([0.0; 4])).is_err());
    }

    #[test]
    fn a_departure_must_happen_and_jumps_are_bounded() {
        let (converges, stays) = (found([8e-3, 4e-3, 2e-3, 1e-3]), found([8e-3, 7e-3, 9e-3, 8e-3]));
        assert!(Claim::departs("").check(&converges).is_err());
        assert_eq!(Claim::departs("").check(&stays), Ok(()));
        let jumps = |largest| Claim { manner: Manner::Jumps { largest, reason: "" }, distance: 0.1 };
        assert_eq!(jumps(9e-3).check(&stays), Ok(()));
        assert!(jumps(8e-3).check(&stays).is_err());
    }
}
