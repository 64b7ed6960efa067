//! Which particles are written, and what of them.

use std::ops::RangeInclusive;

use dem_analysis::profile::Region;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_io::nearest;
use dem_io::snapshot::{Column, ColumnData, Frame};

use super::arguments::{Arguments, ParticleFormat};
use crate::failure::Failure;

/// Particles of a material or with ids.
enum Group {
    Material(u32),
    Ids(Vec<RangeInclusive<u64>>),
}

/// What is written of frames.
pub struct Selection {
    region: Option<Region>,
    groups: Vec<Group>,
    /// Names of columns; all if none are given.
    columns: Option<Vec<String>>,
}

/// What is written of a frame.
pub struct Selected {
    pub positions: Vec<DVec3>,
    pub columns: Vec<Column>,
}

/// Columns beside positions and ids that a format has where none are asked for; `None` for all.
fn usual(format: ParticleFormat) -> Option<&'static [&'static str]> {
    match format {
        ParticleFormat::Csv => Some(&["radius", "velocity", "angular_velocity", "orientation", "material"]),
        ParticleFormat::Xyz => Some(&["radius", "velocity", "id", "material"]),
        ParticleFormat::LammpsDump => Some(&["material", "radius", "velocity", "angular_velocity"]),
        ParticleFormat::Vtp => None,
    }
}

impl Selection {
    pub fn new(
        arguments: &Arguments,
        format: ParticleFormat,
        materials: &[String],
        cell: &Cell,
    ) -> Result<Self, Failure> {
        let region = arguments.region.as_deref().map(Region::parse).transpose()?;
        let groups = arguments.groups.iter().map(|text| group(text, materials)).collect::<Result<_, _>>()?;
        let asked = (!arguments.columns.is_empty()).then(|| arguments.columns.clone());
        let usual = || usual(format).map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Ok(Self { region: region.map(|region| region.in_cell(cell)), groups, columns: asked.or_else(usual) })
    }

    /// Refuses columns that are asked for and not there.
    pub fn check(&self, arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
        for (index, name) in arguments.columns.iter().enumerate() {
            let there = || frame.point_data.iter().map(|column| column.spec.name.as_ref());
            if arguments.columns[..index].contains(name) {
                return Err(Failure::input(format!("--columns: `{name}` is there twice")));
            }
            if name != "position" && !there().any(|known| known == name) {
                let hint = nearest(name, there()).map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
                let known = there().collect::<Vec<_>>().join(", ");
                return Err(Failure::input(format!("--columns: there is no `{name}`{hint}; there are {known}")));
            }
        }
        Ok(())
    }

    /// Whether each particle of a frame is taken.
    fn taken(&self, frame: &Frame) -> Vec<bool> {
        let column =
            |name: &str| frame.point_data.iter().find(|column| column.spec.name == name).map(|column| &column.data);
        let (materials, ids) = (column("material"), column("id"));
        let in_group = |row: usize| {
            self.groups.is_empty()
                || self.groups.iter().any(|group| match (group, materials, ids) {
                    (Group::Material(number), Some(ColumnData::U32(materials)), _) => materials[row] == *number,
                    (Group::Ids(ranges), _, Some(ColumnData::U64(ids))) => {
                        ranges.iter().any(|range| range.contains(&ids[row]))
                    }
                    _ => false,
                })
        };
        let in_region = |x: DVec3| self.region.as_ref().is_none_or(|region| region.contains(x));
        frame.positions.iter().enumerate().map(|(row, x)| in_region(*x) && in_group(row)).collect()
    }

    /// The particles of a frame that are taken, with their columns in the order in which they were asked for.
    pub fn of(&self, frame: &Frame) -> Selected {
        let taken = self.taken(frame);
        let rows: Vec<usize> = (0..taken.len()).filter(|&row| taken[row]).collect();
        let find = |name: &str| frame.point_data.iter().find(|column| column.spec.name == name);
        let columns: Vec<&Column> = match &self.columns {
            None => frame.point_data.iter().collect(),
            Some(names) => {
                let id = find("id").filter(|_| !names.iter().any(|name| name == "id"));
                id.into_iter().chain(names.iter().filter_map(|name| find(name))).collect()
            }
        };
        let positions = rows.iter().map(|&row| frame.positions[row]).collect();
        Selected { positions, columns: columns.into_iter().map(|column| of_rows(column, &rows)).collect() }
    }

    /// Lines of contacts whose particles are all taken, of the lines of a frame.
    pub fn of_lines(&self, frame: &Frame, lines: &Frame) -> Selected {
        let taken = self.taken(frame);
        let is_taken = |id: u64| match frame.point_data.iter().find(|column| column.spec.name == "id").map(|c| &c.data)
        {
            // ids are in order
            Some(ColumnData::U64(ids)) => ids.binary_search(&id).is_ok_and(|row| taken[row]),
            _ => false,
        };
        let column =
            |name: &str| lines.point_data.iter().find(|column| column.spec.name == name).map(|column| &column.data);
        let rows: Vec<usize> = match (column("first"), column("second"), column("partner")) {
            (Some(ColumnData::U64(first)), Some(ColumnData::U64(second)), Some(ColumnData::U8(partner))) => {
                let with_wall = |row: usize| partner[row] != 0;
                let all = |row: &usize| is_taken(first[*row]) && (with_wall(*row) || is_taken(second[*row]));
                (0..lines.positions.len()).filter(all).collect()
            }
            _ => (0..lines.positions.len()).collect(),
        };
        let positions = rows.iter().map(|&row| lines.positions[row]).collect();
        Selected { positions, columns: lines.point_data.iter().map(|column| of_rows(column, &rows)).collect() }
    }
}

/// What `--group` names.
fn group(text: &str, materials: &[String]) -> Result<Group, Failure> {
    if let Some(list) = text.strip_prefix("ids:") {
        let range = |part: &str| {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            Some(first.trim().parse::<u64>().ok()?..=last.trim().parse::<u64>().ok()?).filter(|range| !range.is_empty())
        };
        let ranges: Option<Vec<_>> = list.split(',').map(range).collect();
        let expected = || Failure::input(format!("--group {text}: expected numbers and ranges, as in ids:0..99,120"));
        return ranges.map(Group::Ids).ok_or_else(expected);
    }
    let number = materials.iter().position(|name| name == text).ok_or_else(|| {
        let known = materials.join(", ");
        Failure::input(format!("--group {text}: expected ids:A..B or one of the materials {known}"))
    })?;
    Ok(Group::Material(number as u32))
}

/// Some rows of a column.
fn of_rows(column: &Column, rows: &[usize]) -> Column {
    fn pick<T: Copy>(values: &[T], width: usize, rows: &[usize]) -> Vec<T> {
        rows.iter().flat_map(|&row| values[row * width..(row + 1) * width].iter().copied()).collect()
    }
    let width = column.spec.width;
    let data = match &column.data {
        ColumnData::F64(values) => ColumnData::F64(pick(values, width, rows)),
        ColumnData::U64(values) => ColumnData::U64(pick(values, width, rows)),
        ColumnData::I64(values) => ColumnData::I64(pick(values, width, rows)),
        ColumnData::U32(values) => ColumnData::U32(pick(values, width, rows)),
        ColumnData::U8(values) => ColumnData::U8(pick(values, width, rows)),
    };
    Column { spec: column.spec.clone(), data }
}
