//! Plots of walls that are driven: what the particles do to them, and the power that it takes.

use dem_view::{AxisScale, LinePlot};

use super::series_curves::{SeriesCurves, over_time};
use crate::measure::names::column_name;
use crate::scene::document::Scene;

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
    let turns = |wall: &&str| {
        let of = scene.and_then(|scene| scene.walls.iter().find(|known| column_name(&known.name) == **wall));
        let motion = of.and_then(|wall| wall.motion.as_ref());
        motion.is_some_and(|motion| motion.angular_velocity.is_some() || motion.axis.is_some())
    };
    let component = |wall: &&str, quantity: &str| {
        let square = |axis: &&str| {
            let values = curves.column(&format!("wall_{wall}_{quantity}_{axis}"));
            values.iter().filter(|value| value.is_finite()).map(|value| value * value).sum::<f64>()
        };
        let largest = ["x", "y", "z"].into_iter().max_by(|a, b| square(a).total_cmp(&square(b))).unwrap_or("z");
        curves.line(&format!("wall_{wall}_{quantity}_{largest}"), &format!("{wall}, {largest}"))
    };
    let torques = driven.iter().filter(|wall| turns(wall)).map(|wall| component(wall, "torque")).collect();
    let forces = driven.iter().filter(|wall| !turns(wall)).map(|wall| component(wall, "force")).collect();
    let powers = driven.iter().map(|wall| curves.rate(&format!("wall_{wall}_work"), wall)).collect();
    vec![
        over_time("Torque of the particles on driven walls", "torque [N m]", AxisScale::Linear, torques),
        over_time("Force of the particles on driven walls", "force [N]", AxisScale::Linear, forces),
        over_time("Power of driven walls", "power [W]", AxisScale::Linear, powers),
    ]
}
