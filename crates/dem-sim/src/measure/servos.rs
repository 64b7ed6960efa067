//! Columns of walls that press with a force.

use dem_io::series::SeriesColumn;

use super::names::column_name;
use crate::state::world::World;
use crate::wall_servos::servo::WallServo;

/// Columns: end of the name, unit, meaning.
const COLUMNS: [(&str, &str, &str); 4] = [
    ("pressing_force", "N", "force with which the wall presses in the direction of its servo"),
    ("pressure", "Pa", "that force over the area of the wall, 0 while the area is unknown"),
    ("way", "m", "displacement of the wall in that direction since the start of the run"),
    ("servo_error", "-", "relative deviation of the force from its target; 0 without a target"),
];

/// Names of the columns of the servo of one wall.
pub fn servo_columns(wall: &str) -> Vec<String> {
    COLUMNS.iter().map(|(end, ..)| format!("wall_{}_{end}", column_name(wall))).collect()
}

/// The columns of the servo of a wall with their units and meanings.
pub(super) fn describe(wall: &str) -> Vec<SeriesColumn> {
    let described = servo_columns(wall).into_iter().zip(COLUMNS);
    described.map(|(name, (_, unit, text))| SeriesColumn::new(name, unit, format!("{text}, wall {wall}"))).collect()
}

/// Values of the columns of a servo.
pub(super) fn values(world: &World, servo: &WallServo) -> [f64; 4] {
    let force = servo.force(&world.walls);
    let pressure = servo.area(&world.cell, &world.walls).map_or(0.0, |area| force / area);
    // zero without sign
    [force + 0.0, pressure + 0.0, servo.way(&world.walls[servo.wall]) + 0.0, servo.error(&world.cell, &world.walls)]
}
