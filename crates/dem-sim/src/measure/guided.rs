//! Columns of guides in the series.

use dem_core::DVec3;
use dem_io::series::SeriesColumn;

use super::names::column_name;
use crate::guides::guide::Guide;

/// Names of the columns of one guide.
pub fn guide_columns(guide: &str) -> Vec<String> {
    let name = column_name(guide);
    ["coordinate", "velocity", "force_x", "force_y", "force_z"].map(|end| format!("guide_{name}_{end}")).to_vec()
}

/// The columns of a guide with their units and meanings.
pub(super) fn describe(guide: &str) -> Vec<SeriesColumn> {
    let force = |axis| ("N", format!("force of guide {guide} on its particles, friction included, component {axis}"));
    let descriptions = [
        (
            "m",
            format!(
                "distance that the first particle of guide {guide} has moved along the path; zero if it has released all"
            ),
        ),
        ("m/s", "velocity of that particle along the path".to_owned()),
        force("x"),
        force("y"),
        force("z"),
    ];
    guide_columns(guide)
        .into_iter()
        .zip(descriptions)
        .map(|(name, (unit, meaning))| SeriesColumn::new(name, unit, meaning))
        .collect()
}

/// Values of the columns of a guide.
pub(super) fn values(guide: &Guide) -> [f64; 5] {
    let held = || guide.followers.iter().filter(|follower| !follower.released);
    let (coordinate, velocity) = held().next().map_or((0.0, 0.0), |first| (first.coordinate, first.velocity));
    let force: DVec3 = held().map(|follower| follower.reaction).sum();
    [coordinate, velocity, force.x, force.y, force.z]
}
