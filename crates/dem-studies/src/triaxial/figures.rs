//! Figure of a test.

use dem_view::{LinePlot, SeriesStyle};

use super::Results;
use super::bounds::legend;
use super::point::Point;
use super::tables::all_courses;
use crate::drawing::{line, linear};
use crate::report::Figure;

/// q/p, volumetric strain, fabric and coordination against the strain along the axis.
pub fn all(results: &Results) -> Vec<Figure> {
    let panel = |title: &str, y_label: &str, value: fn(&Point) -> f64| -> LinePlot {
        let courses = all_courses(results).filter(|course| !course.points.is_empty());
        let curve = |course: &super::Course| {
            let points = course.points.iter().map(|p| [100.0 * p.strain, value(p)]).collect();
            line(legend(results, course), points, SeriesStyle::Line)
        };
        linear(title, "axial compression [%]", y_label, courses.map(curve).collect())
    };
    let panels = vec![
        panel("Strength", "q/p [-]", |p| p.q_over_p),
        panel("Volume", "volumetric compression [%]", |p| 100.0 * p.volumetric_strain),
        panel("Fabric", "deviator of the fabric [-]", |p| p.fabric_deviator),
        panel("Coordination", "contacts of a sphere [-]", |p| p.coordination),
    ];
    vec![Figure { name: "triaxial", panels }]
}
