//! In what respects a test is not what was asked for.

use super::course::AT_REST;
use super::results::Results;
use super::tables::all_courses;

/// Share of a strain that may be missing at its end: the last step.
const ARRIVED: f64 = 0.01;

/// A sentence each.
pub fn all(results: &Results) -> Vec<String> {
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
