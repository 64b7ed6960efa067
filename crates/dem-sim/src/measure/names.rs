//! Names of columns.

/// A wall's name as part of a column name: what a header cannot hold becomes an underscore.
pub fn column_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect()
}

/// Names of the columns of one wall.
pub fn wall_columns(wall: &str) -> Vec<String> {
    let name = column_name(wall);
    let ends = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "work"];
    ends.iter().map(|end| format!("wall_{name}_{end}")).collect()
}
