//! What does a contact law make of an oblique impact, and how far is it from the solution?
//!
//! A sphere meets a wall or an equal sphere in the engine: world, stepper, integrator and law as a scene would have them, at the moment
//! of touch. Every combination of laws, angles, spins, friction and restitution coefficients and numbers of steps is run. Beside them stand
//! the annuli of Maw, Barber and Fawcett, a foundation of 400 springs and sliding all the way, none of which shares code with the laws, and,
//! for their sphere, the rebounds that Kharaz, Gorham and Salman measured.
//!
//! The groups of the plots are those of Maw, Barber and Fawcett as Di Renzo and Di Maio use them: time over the duration of the contact
//! τ*, forces over the largest of Hertz's impact (times μ) f*, contact velocity ψ = κ v_c/(μ v_n0), slip in μ δ_max/κ.

pub mod collision;
mod figures;
mod options;
pub mod solutions;
mod tables;

#[cfg(test)]
mod tests;

pub use collision::{Collision, Moment};
pub use options::{Options, Speed};

use rayon::prelude::*;

use crate::error::StudyError;
use crate::references::hertz_impact::NormalImpact;
use crate::references::oblique_impact::ObliqueImpact;
use crate::report::Report;
use crate::two_bodies::{Approach, TwoBodies};
use solutions::Solution;

/// What is run once.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The bodies and their contact.
    pub bodies: TwoBodies,
    /// Angle of incidence from the normal \[degrees\].
    pub angle: f64,
    /// Velocities before.
    pub approach: Approach,
    /// Steps to the duration of the impact.
    pub steps: f64,
}

/// Scales of the dimensionless groups of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Largest force of Hertz's impact \[N\].
    pub normal_force: f64,
    /// Largest overlap of Hertz's impact \[m\].
    pub overlap: f64,
    /// `μ` times the largest force \[N\].
    pub tangential_force: f64,
    /// Speed of approach \[m/s\].
    pub normal_speed: f64,
    /// Contact velocity with ψ = 1 \[m/s\].
    pub velocity: f64,
    /// Slip with the value 1, `μ δ_max/κ` \[m\].
    pub displacement: f64,
    /// χ.
    pub chi: f64,
    /// ψ at touch.
    pub psi: f64,
}

impl Case {
    /// The impact for the reference solutions.
    ///
    /// # Errors
    /// Constants out of range, no friction among them.
    pub fn oblique(&self) -> Result<ObliqueImpact, StudyError> {
        Ok(ObliqueImpact {
            pair: self.bodies.pair()?,
            normal_speed: self.approach.normal_speed,
            tangential_velocity: self.approach.tangential_velocity,
            surface_speed: self.bodies.spheres() * self.bodies.radius * self.approach.spin,
        })
    }

    /// Scales of the groups.
    ///
    /// # Errors
    /// As [`Self::oblique`].
    pub fn scales(&self) -> Result<Scales, StudyError> {
        let oblique = self.oblique()?;
        let largest = NormalImpact::new(&oblique.pair, oblique.normal_speed);
        Ok(Scales {
            normal_force: largest.force,
            overlap: largest.overlap,
            tangential_force: oblique.pair.friction * largest.force,
            normal_speed: oblique.normal_speed,
            velocity: oblique.velocity_scale(),
            displacement: oblique.pair.friction * largest.overlap / oblique.pair.stiffness_ratio(),
            chi: oblique.pair.chi(),
            psi: oblique.psi(),
        })
    }

    /// Runs it.
    ///
    /// # Errors
    /// As [`Collision::run`].
    pub fn run(&self) -> Result<Collision, StudyError> {
        Collision::run(&self.bodies, self.approach, self.steps)
    }
}

/// Everything that the tables and figures are made of.
struct Results {
    options: Options,
    cases: Vec<Case>,
    collisions: Vec<Collision>,
    solutions: Vec<Solution>,
}

impl Results {
    /// Angles whose histories are shown and written: at most five, evenly chosen.
    fn shown_angles(&self) -> Vec<f64> {
        const MOST: usize = 5;
        let angles = &self.options.angles;
        if angles.len() <= MOST {
            return angles.clone();
        }
        (0..MOST).map(|k| angles[k * (angles.len() - 1) / (MOST - 1)]).collect()
    }

    /// Cases of the first spin, friction, restitution and number of steps, with their collisions: one curve for each law.
    fn main_cases(&self) -> impl Iterator<Item = (&Case, &Collision)> {
        let first = self.cases.first();
        let same = move |case: &Case| {
            first.is_some_and(|first| {
                case.approach.spin == first.approach.spin
                    && case.bodies.friction == first.bodies.friction
                    && case.bodies.restitution == first.bodies.restitution
                    && case.steps == first.steps
            })
        };
        self.cases.iter().zip(&self.collisions).filter(move |(case, _)| same(case))
    }
}

/// Runs the study.
///
/// # Errors
/// Options out of range; a scene, a step or a reference solution that fails.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    let cases = options.cases()?;
    let collisions = cases.par_iter().map(Case::run).collect::<Result<Vec<_>, _>>()?;
    let solutions = solutions::all(options, &cases)?;
    let results = Results { options: options.clone(), cases, collisions, solutions };
    Ok(Report {
        tables: tables::all(&results)?,
        figures: figures::all(&results)?,
        pictures: Vec::new(),
        findings: tables::findings(&results),
        ..Report::default()
    })
}
