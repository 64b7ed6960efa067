//! What a test must keep to be the test that was asked for: slow enough to be quasi-static, under the stresses it says.

use super::point::{Course, Point};

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
