//! What a test must keep to be the test that was asked for: slow enough to be quasi-static, under the stresses it says.

use super::Results;
use super::course::AT_REST;
use super::point::{Course, Point};
use super::tables::all_courses;

/// Largest values at any point of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Of the distance of stresses from what is asked, in proportion to it \[-\].
    pub stress_error: f64,
    /// Of the inertial number \[-\]. Strength begins to depend on the rate between 10⁻³ and 10⁻².
    pub inertial_number: f64,
}

/// Name, value of a point, and its bound.
type Check = (&'static str, fn(&Point) -> f64, f64);

impl Default for Bounds {
    fn default() -> Self {
        Self { stress_error: 0.05, inertial_number: 2.5e-3 }
    }
}

impl Bounds {
    /// How a course breaks them, empty if it does not.
    pub fn broken(&self, course: &Course) -> Vec<String> {
        let checks: [Check; 2] = [
            ("stress error", |point| point.stress_error, self.stress_error),
            ("inertial number", |point| point.inertial_number, self.inertial_number),
        ];
        let broken = |&(name, value, bound): &Check| {
            // what is not a number keeps no bound
            let beyond: Vec<f64> = course.points.iter().map(value).filter(|x| x.is_nan() || *x > bound).collect();
            let largest = beyond.iter().copied().fold(f64::NAN, f64::max);
            (!beyond.is_empty()).then(|| {
                format!(
                    "{name} up to {largest:.2e}, bound {bound}, at {} of {} points",
                    beyond.len(),
                    course.points.len()
                )
            })
        };
        checks.iter().filter_map(broken).collect()
    }
}

/// In what respects a test is not what was asked for, a sentence each.
pub fn shortfalls(results: &Results) -> Vec<String> {
    let mut found = results.in_vain.clone();
    for course in all_courses(results) {
        found.extend(results.bounds.broken(course).iter().map(|what| format!("{}: {what}", course.name)));
        let end = course.points.last().map_or(0.0, |point| point.strain.abs());
        if let Some(asked) = results.strain.filter(|asked| end < (1.0 - ARRIVED) * asked) {
            found.push(format!("{}: it ended at an axial strain of {end:.4}, not {asked}", course.name));
        }
    }
    for saved in &results.saved {
        let unbalanced = saved.at_rest.unbalanced_force;
        if unbalanced.is_nan() || unbalanced >= AT_REST {
            found.push(format!(
                "states/{}: it did not come to rest, unbalanced force {unbalanced:.1e}, expected below {AT_REST:e}",
                saved.file()
            ));
        }
    }
    let missing = results.fractions.iter().filter(|fraction| results.saved.iter().all(|s| s.fraction != **fraction));
    found.extend(missing.map(|fraction| format!("the state at {fraction} of the peak was not reached")));
    found
}

/// Share of a strain that may be missing at its end: the last step.
const ARRIVED: f64 = 0.01;

/// The name of a course with what is to be said of it, for figures.
pub fn legend(results: &Results, course: &Course) -> String {
    let is_kept = results.bounds.broken(course).is_empty();
    if is_kept { course.name.clone() } else { format!("{} (out of bounds)", course.name) }
}
