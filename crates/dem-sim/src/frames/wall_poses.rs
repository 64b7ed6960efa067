//! Where the walls are in a frame.

use dem_core::DQuat;
use dem_core::wall::Wall;
use dem_io::snapshot::{ColumnData, Frame};
use glam::DVec3;

/// Name of the table of walls.
pub(crate) const WALLS: &str = "walls";

/// Takes walls to where they are in a frame, with their velocities and the forces on them.
pub(crate) fn place_walls(walls: &mut [Wall], frame: &Frame) {
    let Some(table) = frame.tables.iter().find(|table| table.name == WALLS) else { return };
    for column in &table.columns {
        match (column.spec.name.as_ref(), &column.data) {
            ("active", ColumnData::U8(values)) => {
                walls.iter_mut().zip(values).for_each(|(wall, &active)| wall.active = active != 0);
            }
            (name, ColumnData::F64(values)) => {
                for (wall, x) in walls.iter_mut().zip(values.chunks(column.spec.width)) {
                    match (name, x) {
                        ("position", &[x, y, z]) => wall.pose.position = DVec3::new(x, y, z),
                        ("orientation", &[x, y, z, w]) => wall.pose.orientation = DQuat::from_xyzw(x, y, z, w),
                        ("velocity", &[x, y, z]) => wall.velocity = DVec3::new(x, y, z),
                        ("force", &[x, y, z]) => wall.force = DVec3::new(x, y, z),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}
