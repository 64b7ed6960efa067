//! Columns of guides in the series.

use dem_core::DVec3;
use dem_io::series::SeriesColumn;

use super::names::column_name;
use crate::guides::guide::Guide;

/// Names of the columns of one guide, which gives a spin or not.
pub fn guide_columns(guide: &str, gives_spin: bool) -> Vec<String> {
    let name = column_name(guide);
    let torque = if gives_spin { &["torque_x", "torque_y", "torque_z"][..] } else { &[] };
    let ends = ["coordinate", "velocity", "force_x", "force_y", "force_z"];
    ends.iter().chain(torque).map(|end| format!("guide_{name}_{end}")).collect()
}

/// The columns of a guide with their units and meanings.
pub(super) fn describe(guide: &Guide) -> Vec<SeriesColumn> {
    let name = &guide.name;
    let force = |axis| ("N", format!("force of guide {name} on its particles, friction included, component {axis}"));
    let torque = |axis| {
        ("N m", format!("torque of guide {name} on its particles, of each about its centre of mass, component {axis}"))
    };
    let mut descriptions = vec![
        (
            "m",
            format!(
                "distance that the first particle of guide {name} has moved along the path; zero if it has released all"
            ),
        ),
        ("m/s", "velocity of that particle along the path".to_owned()),
    ];
    descriptions.extend(["x", "y", "z"].map(force));
    descriptions.extend(["x", "y", "z"].map(torque));
    guide_columns(name, guide.spin.is_some())
        .into_iter()
        .zip(descriptions)
        .map(|(name, (unit, meaning))| SeriesColumn::new(name, unit, meaning))
        .collect()
}

/// Values of the columns of a guide.
pub(super) fn values(guide: &Guide) -> Vec<f64> {
    let held = || guide.followers.iter().filter(|follower| !follower.released);
    let (coordinate, velocity) = held().next().map_or((0.0, 0.0), |first| (first.coordinate, first.velocity));
    let force: DVec3 = held().map(|follower| follower.reaction).sum();
    let mut values = vec![coordinate, velocity, force.x, force.y, force.z];
    if guide.spin.is_some() {
        let torque: DVec3 = held().map(|follower| follower.turn.reaction).sum();
        values.extend(torque.to_array());
    }
    values
}
