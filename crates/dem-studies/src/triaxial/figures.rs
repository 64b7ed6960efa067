//! Figure of a test.

use dem_report::drawing::{line, linear};
use dem_report::report::Figure;
use dem_view::{LinePlot, SeriesStyle};

use super::point::{Course, Point};
use super::results::Results;
use super::tables::all_courses;

/// q/p, mobilised angle of friction, volumetric strain, fabric and coordination against the strain along the axis.
pub fn all(results: &Results) -> Vec<Figure> {
    let panel = |title: &str, y_label: &str, value: fn(&Point) -> f64| -> LinePlot {
        let courses = all_courses(results).filter(|course| !course.points.is_empty());
        let curve = |course: &Course| {
            let points = course.points.iter().map(|p| [100.0 * p.strain, value(p)]).collect();
            line(legend(results, course), points, SeriesStyle::Line)
        };
        linear(title, "axial compression [%]", y_label, courses.map(curve).collect())
    };
    let panels = vec![
        panel("Strength", "q/p [-]", |p| p.q_over_p),
        panel("Mobilised friction", "\\phi_m [deg]", |p| libm::asin(p.sin_phi).to_degrees()),
        panel("Volume", "volumetric compression [%]", |p| 100.0 * p.volumetric_strain),
        panel("Fabric", "deviator of the fabric [-]", |p| p.fabric_deviator),
        panel("Coordination", "contacts of a sphere [-]", |p| p.coordination),
    ];
    vec![Figure { name: "triaxial", panels }]
}

/// The name of a course with what is to be said of it.
fn legend(results: &Results, course: &Course) -> String {
    let is_kept = results.bounds.broken(course).is_empty();
    if is_kept { course.name.clone() } else { format!("{} (out of bounds)", course.name) }
}
