//! Tables of a test. Stresses and strains are positive in compression.

use dem_report::table::Table;

use super::course::AT_REST;
use super::point::{Course, Point};
use super::results::Results;
use super::strength::{dilatancy_angle, peak, secant_modulus};

/// All tables.
pub fn all(results: &Results) -> Vec<Table> {
    vec![summary(results), courses(results), states(results)]
}

/// Largest and mean distance of q/p from that of the test at equal strains, in proportion to the peak of the test.
pub fn distances(results: &Results, course: &Course) -> Option<[f64; 2]> {
    let peak = results.test.peak()?.q_over_p;
    let of = |point: &Point| Some((course.q_over_p_at(point.strain)? - point.q_over_p).abs() / peak);
    let all: Vec<f64> = results.test.points.iter().filter_map(of).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    (!all.is_empty()).then(|| [all.iter().fold(0.0f64, |most, &x| most.max(x)), mean])
}

/// Mean of q/p of a course beyond a strain; not a number if it has no points there.
pub fn mean_beyond(course: &Course, strain: f64) -> f64 {
    let beyond: Vec<f64> = course.points.iter().filter(|p| p.strain > strain).map(|p| p.q_over_p).collect();
    beyond.iter().sum::<f64>() / beyond.len() as f64
}

/// The courses of a test.
pub fn all_courses(results: &Results) -> impl Iterator<Item = &Course> {
    std::iter::once(&results.test).chain(&results.slower).chain(&results.stiffer).chain(&results.under_laws)
}

fn summary(results: &Results) -> Table {
    let mut table = Table::new(
        "triaxial",
        &[
            "course",
            "steps",
            "peak_q_over_p",
            "strain_at_peak",
            "sin_phi_at_peak",
            "friction_angle_at_peak_deg",
            "dilatancy_angle_at_peak_deg",
            "E50_Pa",
            "end_q_over_p",
            "end_strain",
            "largest_inertial_number",
            "largest_stress_error",
            "mean_q_over_p",
            "largest_difference_over_peak",
            "mean_difference_over_peak",
            "peak_difference_over_peak",
            "difference_of_means",
            "remark",
        ],
    );
    let reference = results.test.peak().map_or(f64::NAN, |point| point.q_over_p);
    let reference_mean = mean_beyond(&results.test, 0.0);
    for course in all_courses(results) {
        let (Some(at), Some(end)) = (peak(course), course.points.last()) else { continue };
        let peak = &course.points[at];
        let most = |value: fn(&Point) -> f64| course.points.iter().map(value).fold(0.0, f64::max);
        let [largest, mean] = distances(results, course).unwrap_or([f64::NAN; 2]);
        table.push([
            course.name.as_str().into(),
            course.steps.into(),
            peak.q_over_p.into(),
            peak.strain.into(),
            peak.sin_phi.into(),
            libm::asin(peak.sin_phi).to_degrees().into(),
            dilatancy_angle(&course.points, at).into(),
            secant_modulus(course).into(),
            end.q_over_p.into(),
            end.strain.into(),
            most(|point| point.inertial_number).into(),
            most(|point| point.stress_error).into(),
            mean_beyond(course, 0.0).into(),
            largest.into(),
            mean.into(),
            (peak.q_over_p / reference - 1.0).into(),
            (mean_beyond(course, 0.0) / reference_mean - 1.0).into(),
            results.bounds.broken(course).join("; ").into(),
        ]);
    }
    table
}

fn courses(results: &Results) -> Table {
    let mut table = Table::new(
        "triaxial_courses",
        &[
            "course",
            "axial_compression",
            "volumetric_compression",
            "q_over_p",
            "mean_compression_Pa",
            "sin_phi",
            "dilatancy_angle_deg",
            "fabric_axial",
            "fabric_deviator",
            "coordination",
            "sliding_share",
            "porosity",
            "inertial_number",
            "unbalanced_force",
            "stress_error",
        ],
    );
    for course in all_courses(results) {
        for (number, p) in course.points.iter().enumerate() {
            table.push([
                course.name.as_str().into(),
                p.strain.into(),
                p.volumetric_strain.into(),
                p.q_over_p.into(),
                p.mean_stress.into(),
                p.sin_phi.into(),
                dilatancy_angle(&course.points, number).into(),
                p.fabric.into(),
                p.fabric_deviator.into(),
                p.coordination.into(),
                p.sliding_share.into(),
                p.porosity.into(),
                p.inertial_number.into(),
                p.unbalanced_force.into(),
                p.stress_error.into(),
            ]);
        }
    }
    table
}

fn states(results: &Results) -> Table {
    let mut table = Table::new(
        "triaxial_states",
        &[
            "file",
            "fraction_of_peak",
            "q_over_p",
            "axial_compression",
            "q_over_p_at_rest",
            "unbalanced_force_at_rest",
            "mobilised_share",
            "mobilised_share_at_rest",
            "is_at_rest",
        ],
    );
    for saved in &results.saved {
        table.push([
            saved.file().into(),
            saved.fraction.into(),
            saved.reached.q_over_p.into(),
            saved.reached.strain.into(),
            saved.at_rest.q_over_p.into(),
            saved.at_rest.unbalanced_force.into(),
            saved.mobilised[0].into(),
            saved.mobilised[1].into(),
            (saved.at_rest.unbalanced_force < AT_REST).into(),
        ]);
    }
    table
}
