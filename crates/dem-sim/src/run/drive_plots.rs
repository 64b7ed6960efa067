//! Plots of walls that are driven: what the particles do to them, and the power that it takes.

use dem_view::{AxisScale, LinePlot};

use super::series_curves::{SeriesCurves, over_time};
use crate::measure::names::column_name;
use crate::scene::document::Scene;

const AXES: [&str; 3] = ["x", "y", "z"];
/// Most walls in a panel.
const MOST: usize = 8;

/// Torque of walls that turn, force of those that do not, power of all; nothing where no wall does work but pistons.
pub(super) fn panels(curves: &SeriesCurves, scene: Option<&Scene>) -> Vec<LinePlot> {
    let is_piston = |wall: &str| !curves.column(&format!("wall_{wall}_pressing_force")).is_empty();
    let driven: Vec<&str> = curves
        .names_between("wall_", "_work")
        .filter(|wall| curves.tells(&format!("wall_{wall}_work")) && !is_piston(wall))
        .take(MOST)
        .collect();
    // the coordinate axis nearest to that about which a wall turns
    let turns = |wall: &&str| -> Option<&'static str> {
        let of = scene?.walls.iter().find(|known| column_name(&known.name) == **wall)?;
        let motion = of.motion.as_ref()?;
        let axis = motion.angular_velocity.as_ref().map(|turn| turn.each_ref().map(|rate| rate.si())).or(motion.axis)?;
        let nearest = (0..3).max_by(|&a, &b| axis[a].abs().total_cmp(&axis[b].abs()))?;
        AXES.get(nearest).copied()
    };
    let line = |wall: &&str, quantity: &str, axis: &str| {
        curves.line(&format!("wall_{wall}_{quantity}_{axis}"), &format!("{wall}, {axis}"))
    };
    let largest = |wall: &&str, quantity: &str| {
        let square = |axis: &&str| {
            let values = curves.column(&format!("wall_{wall}_{quantity}_{axis}"));
            values.iter().filter(|value| value.is_finite()).map(|value| value * value).sum::<f64>()
        };
        AXES.into_iter().max_by(|a, b| square(a).total_cmp(&square(b))).unwrap_or("z")
    };
    let torques = driven.iter().filter_map(|wall| Some(line(wall, "torque", turns(wall)?))).collect();
    let still = driven.iter().filter(|wall| turns(wall).is_none());
    let forces = still.map(|wall| line(wall, "force", largest(wall, "force"))).collect();
    let powers = driven.iter().map(|wall| curves.rate(&format!("wall_{wall}_work"), wall)).collect();
    curves.aligned(vec![
        over_time("Torque of the particles on driven walls", "torque [N m]", AxisScale::Linear, torques),
        over_time("Force of the particles on driven walls", "force [N]", AxisScale::Linear, forces),
        over_time("Power of driven walls", "power [W]", AxisScale::Linear, powers),
    ])
}
