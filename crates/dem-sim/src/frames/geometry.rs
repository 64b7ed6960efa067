//! Contacts, walls, cells and rigid bodies of frames as lines, triangles and points, for programs that draw what they are given.

use dem_core::cell::Cell;
use dem_core::wall::Wall;
use dem_io::snapshot::{Cells, Column, ColumnData, ColumnSpec, Frame, Table};
use glam::DVec3;

use super::body_rows;
use super::contact_rows::TABLE;
use super::facet_rows;
use super::wall_surface::{reach, wall_triangles};

/// Contacts of a frame as lines, from the centre of the first particle to that of the second, in its nearest image, or to the contact point
/// on a wall. Every column of contacts stands at both ends. None if the frame has no table of contacts, or one of particles that it does not
/// have.
pub fn contact_lines(frame: &Frame) -> Option<Frame> {
    let table = frame.tables.iter().find(|table| table.name == TABLE)?;
    let ids = integers(column(&frame.point_data, "id")?)?;
    let first = integers(column(&table.columns, "first")?)?;
    let ColumnData::F64(branches) = column(&table.columns, "branch")? else { return None };
    // ids are in order
    let begin = |id: &u64| ids.binary_search(id).ok().map(|row| frame.positions[row]);
    let mut positions = Vec::with_capacity(2 * table.rows);
    for (id, branch) in first.iter().zip(branches.chunks_exact(3)) {
        let begin = begin(id)?;
        positions.extend([begin, begin + DVec3::from_slice(branch)]);
    }
    let twice =
        |column: &Column| Column { spec: column.spec.clone(), data: repeated(&column.data, column.spec.width, 2) };
    Some(drawn(frame, Cells::Lines, positions, table.columns.iter().map(twice).collect()))
}

/// Rigid bodies of a frame as points at their centres of mass, with the columns of their table. None if the frame has no such table.
pub fn body_points(frame: &Frame) -> Option<Frame> {
    let table = frame.tables.iter().find(|table| table.name == body_rows::TABLE)?;
    let ColumnData::F64(centres) = column(&table.columns, "position")? else { return None };
    let others = table.columns.iter().filter(|column| column.spec.name != "position").cloned().collect();
    Some(drawn(frame, Cells::Vertices, centres.chunks_exact(3).map(DVec3::from_slice).collect(), others))
}

/// Walls that particles touch as triangles, with the number of the wall, the force of the particles on it and the velocity of its surface; what
/// has no end is drawn as far as the cell, or the particles if that has no limits either. Facets of meshes have what the frame knows of them.
pub fn wall_surfaces(frame: &Frame, walls: &[Wall], cell: &Cell) -> Frame {
    let extent = extent_of_walls(Some(cell), || reach(frame));
    let (mut positions, mut numbers, mut forces, mut velocities) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut triangles = vec![0; walls.len()];
    for (number, wall) in walls.iter().enumerate().filter(|(_, wall)| wall.active) {
        let own = wall_triangles(wall, extent);
        triangles[number] = own.len();
        for corner in own.into_iter().flatten() {
            positions.push(corner);
            numbers.push(number as u32);
            forces.extend(wall.force.to_array());
            velocities.extend((wall.velocity + wall.motion.surface_velocity).to_array());
        }
    }
    let columns = vec![
        Column {
            spec: ColumnSpec::new("wall", "1", "number of the wall in the scene, from 0", 1),
            data: numbers.into(),
        },
        Column {
            spec: ColumnSpec::new("force", "N", "force of the particles on the whole wall", 3),
            data: forces.into(),
        },
        Column {
            spec: ColumnSpec::new(
                "velocity",
                "m/s",
                "velocity of the reference point of the wall, and of a surface that slides",
                3,
            ),
            data: velocities.into(),
        },
    ];
    let cell_data = facet_rows::on_triangles(frame, &triangles).unwrap_or_default();
    Frame { cell_data, ..drawn(frame, Cells::Triangles, positions, columns) }
}

/// The twelve edges of a cell as lines; none if it has no limits.
pub fn cell_lines(frame: &Frame, cell: &Cell) -> Option<Frame> {
    if !is_limited(cell) {
        return None;
    }
    let corner = |k: usize| {
        cell.origin + cell.matrix() * DVec3::from_array(std::array::from_fn(|axis| f64::from((k >> axis & 1) as u8)))
    };
    let ends = (0..3).flat_map(|axis| (0..8).filter(move |k| k >> axis & 1 == 0).map(move |k| [k, k | 1 << axis]));
    Some(drawn(frame, Cells::Lines, ends.flatten().map(corner).collect(), Vec::new()))
}

/// How far walls without an end are drawn: as far as the cell, or as `reach` says if it has no limits either \[m\].
pub(crate) fn extent_of_walls(cell: Option<&Cell>, reach: impl FnOnce() -> (DVec3, DVec3)) -> (DVec3, DVec3) {
    cell.filter(|cell| is_limited(cell)).map_or_else(reach, corners)
}

/// Origin and edges of a cell \[m\]; none if it has no limits.
pub(crate) fn origin_and_edges(cell: &Cell) -> Option<[[f64; 3]; 4]> {
    let matrix = cell.matrix();
    let all = [cell.origin, matrix.x_axis, matrix.y_axis, matrix.z_axis];
    is_limited(cell).then(|| all.map(|vector| vector.to_array()))
}

fn drawn(frame: &Frame, cells: Cells, positions: Vec<DVec3>, point_data: Vec<Column>) -> Frame {
    Frame {
        step: frame.step,
        time: frame.time,
        positions,
        cells,
        point_data,
        cell_data: Vec::new(),
        tables: Vec::<Table>::new(),
        field_data: Vec::new(),
    }
}

/// Whether all edges of a cell are such that they can be drawn.
fn is_limited(cell: &Cell) -> bool {
    (cell.matrix() * DVec3::ONE).abs().max_element() < 1e50
}

/// Lower and upper corner of the box around a cell \[m\].
fn corners(cell: &Cell) -> (DVec3, DVec3) {
    let matrix = cell.matrix();
    let edges = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    edges.iter().fold((cell.origin, cell.origin), |(low, high), &edge| {
        (low + edge.min(DVec3::ZERO), high + edge.max(DVec3::ZERO))
    })
}

fn column<'a>(columns: &'a [Column], name: &str) -> Option<&'a ColumnData> {
    columns.iter().find(|column| column.spec.name == name).map(|column| &column.data)
}

fn integers(data: &ColumnData) -> Option<&[u64]> {
    match data {
        ColumnData::U64(values) => Some(values),
        _ => None,
    }
}

/// Numbers whose rows stand `times` times each.
fn repeated(data: &ColumnData, width: usize, times: usize) -> ColumnData {
    fn of<T: Copy>(values: &[T], width: usize, times: usize) -> Vec<T> {
        values.chunks(width).flat_map(|row| std::iter::repeat_n(row, times).flatten().copied()).collect()
    }
    match data {
        ColumnData::F64(values) => of(values, width, times).into(),
        ColumnData::U64(values) => of(values, width, times).into(),
        ColumnData::I64(values) => of(values, width, times).into(),
        ColumnData::U32(values) => of(values, width, times).into(),
        ColumnData::U8(values) => of(values, width, times).into(),
    }
}
