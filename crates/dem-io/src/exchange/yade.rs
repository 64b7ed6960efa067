//! Text of Yade's `export.text` and `export.textExt`: a line `#format x_y_z_r`, comments, and a row for each sphere.
//!
//! `#format` names the columns in order. Of `x_y_z_r_attrs` the first four columns are read; `jointedPM` has no positions, and
//! `liggghts_in` makes a data file of LAMMPS. Without the line, rows of four
//! numbers are `x y z r` and those of five have a material.
//!
//! Source: `py/export.py` of Yade.

use super::error::Fault;
use super::format::ForeignFormat;
use super::row::{Kinds, RowFormat, Slot};
use super::state::ForeignState;
use crate::separator::Separator;
use crate::suggestion::excerpt;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

const FORMAT: &[u8] = b"#format";

pub(super) fn read(lines: &mut TextLines, limits: TableLimits) -> Result<ForeignState, Fault> {
    let mut state = ForeignState::new(ForeignFormat::Yade);
    let mut format: Option<RowFormat> = None;
    let mut kinds = Kinds::default();
    while let Some((at, line)) = lines.next()? {
        let line = line.trim_ascii();
        let in_line = |message| Fault::line(at, message);
        if let Some(name) = line.strip_prefix(FORMAT) {
            if format.is_some() {
                return Err(in_line("expected one line #format, before the rows".to_owned()));
            }
            format = Some(named(&String::from_utf8_lossy(name.trim_ascii()), &mut state).map_err(in_line)?);
            continue;
        }
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let format = match &format {
            Some(format) => format,
            None => {
                let name = match Separator::Blanks.fields(line).count() {
                    4 => "x_y_z_r",
                    5 => "x_y_z_r_matId",
                    found => return Err(in_line(format!("{found} fields without a line #format, expected x y z r"))),
                };
                state.assumed.push(format!("columns {}: the file has no line #format", name.replace('_', " ")));
                format.insert(named(name, &mut state).map_err(in_line)?)
            }
        };
        if state.particles.len() == limits.rows {
            return Err(in_line(format!("more than {} particles", limits.rows)));
        }
        state.particles.push(format.read(line, &mut kinds, None).map_err(in_line)?);
    }
    let Some(format) = format else { return Err(Fault::file("holds no spheres")) };
    (state.present, state.kinds) = (format.present, kinds.names);
    Ok(state)
}

/// The columns that `#format` names.
fn named(name: &str, state: &mut ForeignState) -> Result<RowFormat, String> {
    let (columns, rest): (Vec<&str>, bool) = match name {
        "x_y_z_r" => (vec!["x", "y", "z", "r"], false),
        "x_y_z_r_matId" => (vec!["x", "y", "z", "r", "matId"], false),
        "id_x_y_z_r_matId" => (vec!["id", "x", "y", "z", "r", "matId"], false),
        "x_y_z_r_attrs" => (vec!["x", "y", "z", "r"], true),
        _ => {
            let known = "x_y_z_r, x_y_z_r_matId, id_x_y_z_r_matId, x_y_z_r_attrs";
            return Err(format!("#format {}, expected one of {known}", excerpt(name, 40)));
        }
    };
    let slot = |name: &str| match name {
        "id" => Slot::Id,
        "x" => Slot::Position(0),
        "y" => Slot::Position(1),
        "z" => Slot::Position(2),
        "r" => Slot::Radius,
        _ => Slot::Kind,
    };
    let format =
        RowFormat::new(columns.iter().map(|name| (slot(name), (*name).to_owned())).collect(), Separator::Blanks)?;
    if rest {
        state.left_out.push(format!("the columns behind r of the format {name}"));
    }
    Ok(if rest { format.longer() } else { format })
}
