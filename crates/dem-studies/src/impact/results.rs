//! What the study finds out.

use super::case::Case;
use super::collision::Collision;
use super::options::Options;
use super::solutions::Solution;

/// Everything that the tables and figures are made of.
pub struct Results {
    /// What was asked for.
    pub options: Options,
    /// All impacts.
    pub cases: Vec<Case>,
    /// What came of them.
    pub collisions: Vec<Collision>,
    /// The reference solutions.
    pub solutions: Vec<Solution>,
}

impl Results {
    /// Angles whose histories are shown and written: at most five, evenly chosen.
    pub fn shown_angles(&self) -> Vec<f64> {
        const MOST: usize = 5;
        let angles = &self.options.angles;
        if angles.len() <= MOST {
            return angles.clone();
        }
        (0..MOST).map(|k| angles[k * (angles.len() - 1) / (MOST - 1)]).collect()
    }

    /// Cases of the first spin, friction, restitution and number of steps, with their collisions: one curve for each law.
    pub fn main_cases(&self) -> impl Iterator<Item = (&Case, &Collision)> {
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
