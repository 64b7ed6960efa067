//! Reference solutions of the impacts of a study.

use dem_reference::annuli_influence::AnnuliInfluence;
use dem_reference::hertz_impact::NormalImpact;
use dem_reference::oblique_impact::{ObliqueImpact, Rebound};
use dem_reference::scaled_impact::{self, Moment};
use dem_reference::{many_spring_foundation, maw_barber_fawcett};
use rayon::prelude::*;

use super::case::Case;
use super::options::Options;
use crate::error::StudyError;

/// Name of the annuli in tables and figures.
pub const ANNULI: &str = "Maw, Barber, Fawcett";
/// Name of the springs.
pub const SPRINGS: &str = "400 springs";
/// Name of the closed form of sliding all the way.
pub const SLIDING: &str = "sliding all the way";
/// Springs of the foundation.
const SPRING_COUNT: usize = 400;

/// The solution of one impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Which.
    pub name: &'static str,
    /// Angle of incidence from the normal \[degrees\].
    pub angle: f64,
    /// The impact.
    pub oblique: ObliqueImpact,
    /// Its rebound.
    pub rebound: Rebound,
    /// Its duration and largest values along the normal; none for sliding of rigid spheres.
    pub normal: Option<NormalImpact>,
    /// Its dimensionless history; empty for sliding.
    pub history: Vec<Moment>,
}

impl Solution {
    fn with_history(name: &'static str, case: &Case, oblique: ObliqueImpact, history: Vec<Moment>) -> Self {
        let rebound = scaled_impact::rebound(&oblique, &history);
        let normal = Some(NormalImpact::new(&oblique.pair, oblique.normal_speed));
        Self { name, angle: case.angle, oblique, rebound, normal, history }
    }

    /// Spin of a sphere after the impact \[rad/s\].
    pub fn spin(&self, case: &Case) -> f64 {
        self.rebound.surface_speed / (case.bodies.spheres() * case.bodies.radius)
    }
}

/// Solutions for every angle with the first friction, restitution and spin; none without friction. The annuli and the springs are for elastic
/// impacts.
///
/// # Errors
/// A solution that does not converge.
pub(super) fn all(options: &Options, cases: &[Case]) -> Result<Vec<Solution>, StudyError> {
    if options.frictions[0] == 0.0 {
        return Ok(Vec::new());
    }
    let cases = &cases[..options.angles.len()];
    let mut all = Vec::new();
    if options.restitutions[0] == 1.0 {
        let influence = AnnuliInfluence::new(options.annuli)?;
        let annuli = cases.par_iter().map(|case| annuli(&influence, case)).collect::<Result<Vec<_>, _>>()?;
        let springs = cases.par_iter().map(springs).collect::<Result<Vec<_>, _>>()?;
        all.extend(annuli.into_iter().chain(springs));
    }
    let sliding = |case: &Case| -> Result<Solution, StudyError> {
        let oblique = case.oblique()?;
        let rebound = oblique.sliding_all_the_way(case.bodies.restitution);
        Ok(Solution { name: SLIDING, angle: case.angle, oblique, rebound, normal: None, history: Vec::new() })
    };
    for case in cases {
        all.push(sliding(case)?);
    }
    Ok(all)
}

/// The annuli of Maw, Barber and Fawcett.
///
/// # Errors
/// As [`maw_barber_fawcett::impact`].
pub fn annuli(influence: &AnnuliInfluence, case: &Case) -> Result<Solution, StudyError> {
    let oblique = case.oblique()?;
    let history = maw_barber_fawcett::impact(influence, oblique.psi(), oblique.pair.chi())?;
    Ok(Solution::with_history(ANNULI, case, oblique, history))
}

/// The foundation of springs.
///
/// # Errors
/// As [`many_spring_foundation::impact`].
pub fn springs(case: &Case) -> Result<Solution, StudyError> {
    let oblique = case.oblique()?;
    let history = many_spring_foundation::impact(SPRING_COUNT, oblique.psi(), oblique.pair.chi())?;
    Ok(Solution::with_history(SPRINGS, case, oblique, history))
}
