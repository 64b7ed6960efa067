//! Particles as a text dump of LAMMPS in SI.

use std::io::{self, Write};

use glam::DVec3;

use super::outgoing::{OutgoingCell, ParticleFrame, push_number, vector};
use crate::snapshot::{Column, ColumnData};

/// Appends a frame; `is_first` if none stands before it.
///
/// # Errors
/// What the system refuses.
pub fn write_lammps_dump(out: &mut impl Write, frame: &ParticleFrame, is_first: bool) -> io::Result<()> {
    if is_first {
        writeln!(out, "ITEM: UNITS\nsi")?;
    }
    writeln!(out, "ITEM: TIME\n{:?}\nITEM: TIMESTEP\n{}", frame.time, frame.step)?;
    writeln!(out, "ITEM: NUMBER OF ATOMS\n{}", frame.positions.len())?;
    write_bounds(out, frame)?;
    let [id, kind] = ["id", "material"].map(|name| frame.columns.iter().find(|column| column.spec.name == name));
    let others: Vec<&Column> =
        frame.columns.iter().filter(|column| !matches!(column.spec.name.as_ref(), "id" | "material")).collect();
    let mut names: Vec<String> = Vec::new();
    names.extend(id.map(|_| "id".to_owned()));
    names.extend(kind.map(|_| "type".to_owned()));
    names.extend(["x", "y", "z"].map(str::to_owned));
    names.extend(others.iter().flat_map(|column| headers(column)));
    writeln!(out, "ITEM: ATOMS {}", names.join(" "))?;
    let mut text = String::new();
    for (row, x) in frame.positions.iter().enumerate() {
        text.clear();
        if let Some(id) = id {
            push_number(&mut text, &id.data, row);
            text.push(' ');
        }
        if let Some(ColumnData::U32(numbers)) = kind.map(|column| &column.data) {
            // types count from 1
            text += &format!("{} ", u64::from(numbers[row]) + 1);
        }
        text += &vector(*x);
        for column in &others {
            for k in 0..column.spec.width {
                text.push(' ');
                push_number(&mut text, &column.data, row * column.spec.width + k);
            }
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// The box: along the axes, tilted as LAMMPS has it, or with any three edges.
fn write_bounds(out: &mut impl Write, frame: &ParticleFrame) -> io::Result<()> {
    let Some(OutgoingCell { origin, edges, periodic }) = frame.cell else {
        let (low, high) = frame.reach();
        writeln!(out, "ITEM: BOX BOUNDS ff ff ff")?;
        return (0..3).try_for_each(|k| writeln!(out, "{:?} {:?}", low[k], high[k]));
    };
    let faces = periodic.map(|periodic| if periodic { "pp" } else { "ff" }).join(" ");
    let [a, b, c] = edges;
    let is_upper = a.y == 0.0 && a.z == 0.0 && b.z == 0.0 && [a.x, b.y, c.z].into_iter().all(|length| length > 0.0);
    if !is_upper {
        writeln!(out, "ITEM: BOX BOUNDS abc origin {faces}")?;
        return (0..3).try_for_each(|k| writeln!(out, "{} {:?}", vector(edges[k]), origin[k]));
    }
    let (xy, xz, yz) = (b.x, c.x, c.y);
    let low = DVec3::new([xy, xz, xy + xz].into_iter().fold(0.0, f64::min), yz.min(0.0), 0.0) + origin;
    let above = DVec3::new([xy, xz, xy + xz].into_iter().fold(0.0, f64::max), yz.max(0.0), 0.0);
    let high = origin + DVec3::new(a.x, b.y, c.z) + above;
    if [xy, xz, yz] == [0.0; 3] {
        writeln!(out, "ITEM: BOX BOUNDS {faces}")?;
        return (0..3).try_for_each(|k| writeln!(out, "{:?} {:?}", low[k], high[k]));
    }
    writeln!(out, "ITEM: BOX BOUNDS xy xz yz {faces}")?;
    let tilt = [xy, xz, yz];
    (0..3).try_for_each(|k| writeln!(out, "{:?} {:?} {:?}", low[k], high[k], tilt[k]))
}

/// Names of the columns that a column becomes.
fn headers(column: &Column) -> Vec<String> {
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    match (column.spec.name.as_ref(), column.spec.width) {
        ("velocity", 3) => of(&["vx", "vy", "vz"]),
        ("angular_velocity", 3) => of(&["omegax", "omegay", "omegaz"]),
        ("force", 3) => of(&["fx", "fy", "fz"]),
        ("orientation", 4) => of(&["quati", "quatj", "quatk", "quatw"]),
        (name, 1) => of(&[name]),
        (name, width) => (1..=width).map(|k| format!("{name}[{k}]")).collect(),
    }
}
