//! What the numbers of a test say.

use super::results::Results;
use super::strength::{dilatancy_angle, peak, secant_modulus};
use super::tables::{distances, mean_beyond};

/// Difference of q/p that a repetition may have.
const AGREES: f64 = 0.01;

/// A sentence for each result.
pub fn all(results: &Results) -> Vec<String> {
    let s = &results.prepared;
    let mut findings = vec![format!(
        "{} spheres, porosity {:.4}, {:.3} contacts of a sphere, p = {:.1} Pa and k_n/(p d) = {:.0} before the test, steps of {:.3e} s; compression positive.",
        s.particles, s.porosity, s.coordination, s.mean_stress, s.stiffness_number, s.time_step
    )];
    if let Some(peak) = results.test.peak() {
        let inertia = results.test.points.iter().map(|p| p.inertial_number).fold(0.0, f64::max);
        findings.push(format!(
            "Largest q/p {:.4} at an axial compression of {:.3} %, inertial number at most {inertia:.1e}.",
            peak.q_over_p,
            100.0 * peak.strain
        ));
    }
    if let Some(at) = peak(&results.test) {
        let sin_phi = results.test.points[at].sin_phi;
        let dilatancy = dilatancy_angle(&results.test.points, at);
        let dilatancy = if dilatancy.is_nan() { "none in extension".to_owned() } else { format!("{dilatancy:.2} deg") };
        findings.push(format!(
            "At the peak sin phi {sin_phi:.4}, an angle of friction of {:.2} deg; angle of dilatancy {dilatancy}; secant modulus at half the strength E50 = {:.4e} Pa.",
            libm::asin(sin_phi).to_degrees(),
            secant_modulus(&results.test)
        ));
    }
    for course in results.slower.iter().chain(&results.stiffer) {
        let Some([largest, mean]) = distances(results, course) else { continue };
        let verdict = if largest < AGREES { "within" } else { "not within" };
        findings.push(format!(
            "With {}: q/p differs by {:.2} % of the peak at most and {:.2} % in the mean, {verdict} 1 %; the means over the path differ by {:+.2} %.",
            course.name,
            100.0 * largest,
            100.0 * mean,
            100.0 * (mean_beyond(course, 0.0) / mean_beyond(&results.test, 0.0) - 1.0)
        ));
    }
    for course in &results.under_laws {
        let (Some([largest, mean]), Some(peak)) = (distances(results, course), results.test.peak()) else { continue };
        let [here, there] = [&results.test, course].map(|course| mean_beyond(course, peak.strain));
        let mut finding = format!(
            "The test {} from the same state: q/p differs by {:.2} % of the peak at most and {:.2} % in the mean",
            course.name,
            100.0 * largest,
            100.0 * mean
        );
        // a test may end at its peak
        if here.is_finite() && there.is_finite() {
            finding += &format!(
                "; beyond the peak it is {here:.4} in the mean of the test and {there:.4} {}, {:+.2} %",
                course.name,
                100.0 * (there / here - 1.0)
            );
        }
        findings.push(finding + ".");
    }
    for saved in &results.saved {
        findings.push(format!(
            "states/{}: q/p = {:.4} when reached, {:.4} at rest (unbalanced force {:.1e}); {:.2} % of the contacts at or within 0.001 % of the limit before, {:.2} % at rest.",
            saved.file(),
            saved.reached.q_over_p,
            saved.at_rest.q_over_p,
            saved.at_rest.unbalanced_force,
            100.0 * saved.mobilised[0],
            100.0 * saved.mobilised[1]
        ));
    }
    findings
}
