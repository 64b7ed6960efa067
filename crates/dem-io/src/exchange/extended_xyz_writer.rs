//! Particles as extended XYZ, which OVITO and ASE read.
//!
//! `species` is `X`, the symbol of no element, because ASE refuses names that are none; materials stand in a column of their own.
//! Lengths are in metres, whatever a reader of atoms takes them for. The lattice is there if the cell is periodic.

use std::io::{self, Write};

use super::outgoing::{ParticleFrame, push_number, vector};
use crate::snapshot::{Column, ColumnData, Element};

/// Appends a frame.
///
/// # Errors
/// What the system refuses.
pub fn write_extended_xyz(out: &mut impl Write, frame: &ParticleFrame) -> io::Result<()> {
    writeln!(out, "{}", frame.positions.len())?;
    if let Some(cell) = frame.cell.filter(|cell| cell.periodic.contains(&true)) {
        let edges = cell.edges.map(vector).join(" ");
        let pbc = cell.periodic.map(|periodic| if periodic { "T" } else { "F" }).join(" ");
        write!(out, "Lattice=\"{edges}\" Origin=\"{}\" pbc=\"{pbc}\" ", vector(cell.origin))?;
    } else {
        write!(out, "pbc=\"F F F\" ")?;
    }
    write!(out, "Properties=species:S:1:pos:R:3")?;
    for column in frame.columns {
        let (kind, width) = (property_type(column), column.spec.width);
        write!(out, ":{}:{kind}:{width}", property(&column.spec.name))?;
    }
    writeln!(out, " Time={:?} Step={}", frame.time, frame.step)?;
    let mut text = String::new();
    for (row, x) in frame.positions.iter().enumerate() {
        text.clear();
        text += "X ";
        text += &vector(*x);
        for column in frame.columns {
            match &column.data {
                ColumnData::U32(numbers) if is_material(column) => {
                    text.push(' ');
                    // blanks separate
                    text += &frame.material(numbers[row]).replace(char::is_whitespace, "_");
                }
                data => {
                    for k in 0..column.spec.width {
                        text.push(' ');
                        push_number(&mut text, data, row * column.spec.width + k);
                    }
                }
            }
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn is_material(column: &Column) -> bool {
    column.spec.name == "material"
}

fn property_type(column: &Column) -> char {
    match column.data.element() {
        _ if is_material(column) => 'S',
        Element::F64 => 'R',
        Element::U64 | Element::I64 | Element::U32 | Element::U8 => 'I',
    }
}

/// The name that readers know.
fn property(name: &str) -> &str {
    if name == "velocity" { "velo" } else { name }
}
