//! Particles as CSV. With columns of particle tables only, it is one.

use std::io::{self, Write};

use super::outgoing::{ParticleFrame, push_number};
use crate::snapshot::{Column, ColumnData};

/// Writes a header and a row for each particle; materials by name.
///
/// # Errors
/// What the system refuses.
pub fn write_csv(out: &mut impl Write, frame: &ParticleFrame) -> io::Result<()> {
    let id = frame.columns.iter().find(|column| column.spec.name == "id");
    let others: Vec<&Column> = frame.columns.iter().filter(|column| column.spec.name != "id").collect();
    let mut names: Vec<String> = id.map(|_| "id".to_owned()).into_iter().collect();
    names.extend(["x", "y", "z"].map(str::to_owned));
    names.extend(others.iter().flat_map(|column| headers(column)));
    writeln!(out, "{}", names.join(","))?;
    let mut text = String::new();
    for (row, x) in frame.positions.iter().enumerate() {
        text.clear();
        if let Some(id) = id {
            push_number(&mut text, &id.data, row);
            text.push(',');
        }
        text += &format!("{:?},{:?},{:?}", x.x, x.y, x.z);
        for column in &others {
            match (&column.data, column.spec.name.as_ref()) {
                (ColumnData::U32(numbers), "material") => {
                    text.push(',');
                    text += frame.material(numbers[row]);
                }
                _ => {
                    for k in 0..column.spec.width {
                        text.push(',');
                        push_number(&mut text, &column.data, row * column.spec.width + k);
                    }
                }
            }
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Names of the columns that a column becomes.
fn headers(column: &Column) -> Vec<String> {
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    match (column.spec.name.as_ref(), column.spec.width) {
        ("radius", 1) => of(&["r"]),
        ("velocity", 3) => of(&["vx", "vy", "vz"]),
        ("angular_velocity", 3) => of(&["wx", "wy", "wz"]),
        ("orientation", 4) => of(&["qx", "qy", "qz", "qw"]),
        (name, 1) => of(&[name]),
        (name, 3) => ["x", "y", "z"].iter().map(|axis| format!("{name}_{axis}")).collect(),
        (name, width) => (1..=width).map(|k| format!("{name}_{k}")).collect(),
    }
}
