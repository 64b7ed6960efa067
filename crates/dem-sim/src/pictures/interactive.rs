//! What an interactive picture shows of a frame.

use std::collections::BTreeMap;

use dem_core::cell::Cell;
use dem_core::wall::Wall;
use dem_io::snapshot::{Cells, ColumnData, Frame};
use dem_view::ViewError;
use dem_view::interactive::{
    Block, Column, FacetSpec, FieldSpec, FrameArrays, SceneArrays, WallPlace, WallSpec, of_field,
};
use glam::DVec3;

use super::body_colours;
use super::contact_network::{FORCE, contact_columns};
use super::facet_fields::facet_columns;
use super::field_values::{magnitudes, unit_of};
use super::hiding::Hidden;
use super::request::{body_field, unknown_colour};
use crate::frames::body_rows::{BODY, TABLE};
use crate::frames::geometry::{extent_of_walls, origin_and_edges};
use crate::frames::wall_surface::wall_triangles;

/// Columns of particles that are shown as something else, or are no numbers that colours could stand for.
const NO_FIELDS: [&str; 4] = ["id", "velocity", "orientation", "position"];
/// Columns of rigid bodies that spheres can be coloured by.
const BODY_FIELDS: [&str; 9] = [
    "template",
    "spheres",
    "velocity",
    "angular_velocity",
    "mass",
    "volume",
    "equivalent_diameter",
    "force",
    "contacts",
];
/// Part of the smallest radius that positions are rounded to: a pixel of a sphere as large as the screen.
const ROUNDING: f64 = 1.0 / 500.0;
/// Share of the spheres that the box of a frame may leave out at each end: a few that fly far away would make the bed a dot.
const FAR_AWAY: f64 = 0.005;

/// Names for what frames hold as numbers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Materials.
    pub materials: Vec<String>,
    /// Sources.
    pub sources: Vec<String>,
}

/// Fields that the spheres of a frame can be coloured by; the page adds `height`.
pub fn interactive_fields(frame: &Frame, names: &Names) -> Vec<FieldSpec> {
    let field = |name: &str, unit: String| {
        let categories = match name {
            "material" => names.materials.clone(),
            "source" => names.sources.clone(),
            _ => Vec::new(),
        };
        let categorical = matches!(name, "material" | "source" | "group" | BODY);
        FieldSpec { name: name.to_owned(), unit, categorical, categories }
    };
    let mut found = Vec::new();
    if let Some(velocity) = frame.point_data.iter().find(|column| column.spec.name == "velocity") {
        found.push(field("speed", unit_of(velocity)));
    }
    let columns = frame.point_data.iter().filter(|column| !NO_FIELDS.contains(&column.spec.name.as_ref()));
    found.extend(columns.map(|column| field(&column.spec.name, unit_of(column))));
    let bodies = frame.tables.iter().filter(|table| table.name == TABLE).flat_map(|table| &table.columns);
    let bodies = bodies.filter(|column| BODY_FIELDS.contains(&column.spec.name.as_ref()));
    found.extend(bodies.map(|column| field(&body_field(&column.spec.name), unit_of(column))));
    found
}

/// Makes sure that there is a field of a name.
///
/// # Errors
/// A name that none of the fields has, with those that there are.
pub fn check_field(name: &str, fields: &[FieldSpec]) -> Result<(), ViewError> {
    let known: Vec<String> =
        std::iter::once("height".to_owned()).chain(fields.iter().map(|field| field.name.clone())).collect();
    if known.iter().any(|field| field == name) { Ok(()) } else { Err(unknown_colour(name, &known)) }
}

/// What is shown of a frame, with its walls where they are then.
///
/// # Errors
/// A frame that is not one of particles.
pub fn interactive_frame(
    frame: &Frame,
    walls: &[Wall],
    cell: Option<&Cell>,
    up: DVec3,
    fields: &[FieldSpec],
) -> Result<FrameArrays, ViewError> {
    let column = |name: &str| frame.point_data.iter().find(|column| column.spec.name == name);
    let (Some(radius), Some(ColumnData::U64(ids)), Cells::Vertices) =
        (column("radius").map(magnitudes), column("id").map(|column| &column.data), frame.cells)
    else {
        return Err(ViewError::Option {
            what: "frame",
            value: "without a radius and an id of each point".to_owned(),
            allowed: "one that a run has written",
        });
    };
    let mut columns = Vec::new();
    let mut add = |name: &str, block: Block| columns.push(Column { name: name.to_owned(), block });
    let (origin, quantum) = grid(&frame.positions, &radius);
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let count = |x: &DVec3| ((x[axis] - origin[axis]) / quantum).round() as u32;
        add(name, Block::whole(frame.positions.iter().map(count)));
    }
    add("radius", Block::single(radius.iter().copied()));
    add(
        "id",
        match ids.iter().map(|&id| u32::try_from(id)).collect::<Result<Vec<u32>, _>>() {
            Ok(ids) => Block::ascending(ids),
            Err(_) => Block::double(ids.iter().map(|&id| id as f64)),
        },
    );
    let mut ranges = BTreeMap::new();
    ranges.insert("height".to_owned(), range(frame.positions.iter().map(|x| x.dot(up))));
    ranges.insert("radius".to_owned(), range(radius.iter().copied()));
    for field in fields.iter().filter(|field| field.name != "radius") {
        let Some(values) = field_values(frame, &field.name) else { continue };
        ranges.insert(field.name.clone(), range(values.iter().copied()));
        add(&of_field(&field.name), block_of(&values, field.categorical));
    }
    if let Some(contacts) = contact_columns(frame, ids) {
        ranges.insert(FORCE.to_owned(), Some([0.0, contacts.largest]));
        columns.extend(contacts.columns);
    }
    for (column, range) in facet_columns(frame) {
        ranges.insert(column.name.clone(), Some(range));
        columns.push(column);
    }
    Ok(FrameArrays {
        step: frame.step,
        time: frame.time,
        count: frame.positions.len(),
        origin: origin.to_array(),
        quantum,
        bounds: bounds(&frame.positions, &radius),
        ranges: ranges.into_iter().filter_map(|(name, range)| Some((name, range?))).collect(),
        walls: walls.iter().map(place).collect(),
        cell: cell.and_then(origin_and_edges),
        columns,
    })
}

/// What stays of a scene. `walls` are at any one time, those without an end are drawn as far as the cell, or the spheres of `frames` if it has no limits.
pub fn interactive_scene<'a>(
    title: &str,
    up: DVec3,
    walls: &[Wall],
    cell: Option<&Cell>,
    frames: impl IntoIterator<Item = &'a FrameArrays>,
    fields: Vec<FieldSpec>,
    first_field: &str,
    facets: FacetSpec,
) -> SceneArrays {
    let around = reach(frames);
    let extent = extent_of_walls(cell, || around);
    let mut corners: Vec<f64> = Vec::new();
    let walls = walls.iter().map(|wall| {
        let triangles = wall_triangles(wall, extent);
        let back = wall.pose.orientation.inverse();
        for corner in triangles.iter().flatten() {
            corners.extend((back * (*corner - wall.pose.position)).to_array());
        }
        let is_moving = wall.motion.does_work();
        let is_opaque = is_moving && !encloses(&triangles, around);
        WallSpec { name: wall.name.clone(), is_moving, is_opaque, triangles: triangles.len() }
    });
    let walls = walls.collect();
    SceneArrays {
        title: title.to_owned(),
        up: up.to_array(),
        fields,
        first_field: first_field.to_owned(),
        walls,
        corners: Block::single(corners),
        facets,
    }
}

fn reach<'a>(frames: impl IntoIterator<Item = &'a FrameArrays>) -> (DVec3, DVec3) {
    let nothing = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
    frames
        .into_iter()
        .filter_map(|frame| frame.bounds)
        .fold(nothing, |(low, high), [a, b]| (low.min(DVec3::from_array(a)), high.max(DVec3::from_array(b))))
}

/// Whether triangles hide most of the room between two corners from most sides, as a drum or a tray does and a stirrer does not.
fn encloses(triangles: &[[DVec3; 3]], (low, high): (DVec3, DVec3)) -> bool {
    const POINTS: usize = 5;
    if !low.cmple(high).all() {
        return false;
    }
    let share = |k: usize| (k as f64 + 0.5) / POINTS as f64;
    let points: Vec<DVec3> = (0..POINTS.pow(3))
        .map(|k| DVec3::new(share(k % POINTS), share(k / POINTS % POINTS), share(k / POINTS.pow(2))))
        .map(|part| low + part * (high - low))
        .collect();
    let mut hidden = Hidden::default();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        hidden.add(&points, triangles, axis);
        hidden.add(&points, triangles, -axis);
    }
    hidden.share() > 0.5
}

fn place(wall: &Wall) -> WallPlace {
    WallPlace {
        active: wall.active,
        position: wall.pose.position.to_array(),
        orientation: wall.pose.orientation.to_array(),
    }
}

/// Values of a field by spheres.
fn field_values(frame: &Frame, name: &str) -> Option<Vec<f64>> {
    if let Some((values, _)) = body_colours::field(frame, name) {
        return Some(values);
    }
    let column_name = if name == "speed" { "velocity" } else { name };
    let column = frame.point_data.iter().find(|column| column.spec.name == column_name)?;
    let values = magnitudes(column);
    // the largest number stands for none
    let none = f64::from(u32::MAX);
    let is_number_of = matches!(column.data, ColumnData::U32(_));
    Some(if is_number_of { values.into_iter().map(|x| if x == none { f64::NAN } else { x }).collect() } else { values })
}

/// Whole numbers are kept as they are, and so are numbers of categories; of others four digits.
fn block_of(values: &[f64], categorical: bool) -> Block {
    let is_whole = |&x: &f64| x.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&x);
    if values.iter().all(is_whole) {
        Block::whole(values.iter().map(|&x| x as u32))
    } else if categorical {
        Block::single(values.iter().copied())
    } else {
        Block::rounded(values.iter().copied())
    }
}

/// Least and largest finite value.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|x| x.is_finite()).fold(None, |range, x| {
        let [low, high] = range.unwrap_or([x, x]);
        Some([low.min(x), high.max(x)])
    })
}

/// Origin and quantum of positions as whole numbers.
fn grid(positions: &[DVec3], radius: &[f64]) -> (DVec3, f64) {
    let finite = || positions.iter().filter(|x| x.is_finite());
    let low = finite().copied().reduce(DVec3::min).unwrap_or_default();
    let high = finite().copied().reduce(DVec3::max).unwrap_or_default();
    let smallest = radius.iter().copied().filter(|&r| r > 0.0).fold(f64::INFINITY, f64::min);
    let fine = if smallest.is_finite() { smallest * ROUNDING } else { f64::MIN_POSITIVE };
    // so many fit into 32 bits
    let coarse = (high - low).max_element() / 4.0e9;
    (low, fine.max(coarse))
}

/// Lower and upper corner of the box around nearly all spheres.
fn bounds(positions: &[DVec3], radius: &[f64]) -> Option<[[f64; 3]; 2]> {
    if positions.is_empty() {
        return None;
    }
    let largest = radius.iter().copied().fold(0.0, f64::max);
    let left_out = (positions.len() as f64 * FAR_AWAY) as usize;
    let mut corners = [[0.0; 3]; 2];
    for axis in 0..3 {
        let mut along: Vec<f64> = positions.iter().map(|x| x[axis]).collect();
        let (_, &mut low, _) = along.select_nth_unstable_by(left_out, f64::total_cmp);
        let last = along.len() - 1 - left_out;
        let (_, &mut high, _) = along.select_nth_unstable_by(last, f64::total_cmp);
        corners[0][axis] = low - largest;
        corners[1][axis] = high + largest;
    }
    Some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_that_fly_away_do_not_widen_the_box() {
        let mut positions: Vec<DVec3> = (0..1000).map(|k| DVec3::splat(f64::from(k) * 1e-3)).collect();
        positions.push(DVec3::new(0.0, 0.0, -1e6));
        let [low, high] = bounds(&positions, &[0.01; 1001]).unwrap();
        assert!(low[2] > -0.1 && high[2] < 1.1, "{low:?} {high:?}");
        // of few none is left out
        let [low, _] = bounds(&positions[990..], &[0.01; 11]).unwrap();
        assert!(low[2] < -1e5);
        assert_eq!(bounds(&[], &[]), None);
    }

    #[test]
    fn positions_are_within_a_small_part_of_the_smallest_radius() {
        let positions = [DVec3::new(-1.0, 2.0, 3.0), DVec3::new(0.123_456_789, 2.5, 3.000_1)];
        let (origin, quantum) = grid(&positions, &[1e-3, 2e-3]);
        for x in positions {
            let back = origin + ((x - origin) / quantum).round() * quantum;
            assert!((back - x).length() < 1e-3 / 500.0);
        }
        // far apart, they still are 32-bit numbers
        let (origin, quantum) = grid(&[DVec3::ZERO, DVec3::splat(1e9)], &[1e-6]);
        assert!((DVec3::splat(1e9) - origin).max_element() / quantum < 4_294_967_295.0);
    }

    #[test]
    fn a_tray_encloses_and_a_blade_does_not() {
        let corner = |k: usize| DVec3::new((k % 2) as f64, (k / 2 % 2) as f64, (k / 4) as f64);
        let square = |[a, b, c, d]: [usize; 4]| [[corner(a), corner(b), corner(c)], [corner(c), corner(d), corner(a)]];
        let tray = [[0, 1, 3, 2], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]].map(square).concat();
        let room = (DVec3::splat(0.1), DVec3::splat(0.9));
        assert!(encloses(&tray, room));
        let blade = square([0, 1, 7, 6]);
        assert!(!encloses(&blade, room));
        assert!(!encloses(&tray, (DVec3::INFINITY, DVec3::NEG_INFINITY)));
    }

    #[test]
    fn whole_numbers_and_categories_are_exact() {
        assert_eq!(block_of(&[3.0, 70_001.0], false), Block::whole([3, 70_001]));
        assert_eq!(block_of(&[f64::NAN, 70_001.0], true).len(), 2);
        assert_ne!(block_of(&[0.5, 70_001.0], true), block_of(&[0.5, 70_001.0], false));
        assert_eq!(range([f64::NAN, 2.0, -1.0, f64::INFINITY].into_iter()), Some([-1.0, 2.0]));
        assert_eq!(range([f64::NAN].into_iter()), None);
    }
}
