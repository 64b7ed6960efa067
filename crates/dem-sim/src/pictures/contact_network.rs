//! The contacts of a frame as lines between its spheres.

use dem_io::snapshot::{ColumnData, Frame, Table};
use dem_view::interactive::{Block, Column};
use glam::DVec3;

use crate::frames::contact_rows::TABLE;

/// Name of the normal force among columns and ranges.
pub(super) const FORCE: &str = "force";
/// Share of the contacts whose force the width and the colour of lines tell apart: those beyond are as wide as the largest of these.
const TOLD_APART: f64 = 0.99;
/// Difference between the way to the other centre and the branch of a contact that makes it one with an image beyond the cell, in parts of the branch.
const SAME: f64 = 1e-6;

/// Contacts as columns.
pub(super) struct Contacts {
    pub(super) columns: Vec<Column>,
    /// Normal force at which lines are widest \[N\].
    pub(super) largest: f64,
}

/// Contacts of a frame; none if it has no table of them, or one of particles that it does not have. `ids` are those of its particles, in order.
pub(super) fn contact_columns(frame: &Frame, ids: &[u64]) -> Option<Contacts> {
    let table = frame.tables.iter().find(|table| table.name == TABLE)?;
    let (ColumnData::U64(first), ColumnData::U64(second), ColumnData::U8(partner)) =
        (data(table, "first")?, data(table, "second")?, data(table, "partner")?)
    else {
        return None;
    };
    let (ColumnData::F64(force), ColumnData::F64(branch)) = (data(table, "normal_force")?, data(table, "branch")?)
    else {
        return None;
    };
    let (mut rows, mut above, mut ends) = (Vec::with_capacity(table.rows), Vec::with_capacity(table.rows), Vec::new());
    for (k, way) in branch.chunks_exact(3).map(DVec3::from_slice).enumerate().take(table.rows) {
        let row = ids.binary_search(first.get(k)?).ok()?;
        let other = if *partner.get(k)? == 0 { Some(ids.binary_search(second.get(k)?).ok()?) } else { None };
        let is_direct = |&other: &usize| {
            (frame.positions[other] - frame.positions[row] - way).length() <= SAME * way.length() && other != row
        };
        rows.push(row as u32);
        above.push(other.filter(is_direct).map_or_else(
            || {
                ends.extend(way.to_array());
                0
            },
            |other| (other as u32).wrapping_sub(row as u32),
        ));
    }
    let columns = [
        ("first", Block::ascending(rows)),
        ("second", Block::whole(above)),
        (FORCE, Block::rounded(force.iter().copied())),
        ("branch", Block::rounded(ends)),
    ];
    let columns = columns.map(|(name, block)| Column { name: name.to_owned(), block }).into();
    Some(Contacts { columns, largest: largest(force) })
}

fn data<'a>(table: &'a Table, name: &str) -> Option<&'a ColumnData> {
    table.columns.iter().find(|column| column.spec.name == name).map(|column| &column.data)
}

/// Magnitude below which nearly all forces are.
fn largest(force: &[f64]) -> f64 {
    let mut magnitudes: Vec<f64> = force.iter().map(|force| force.abs()).filter(|force| force.is_finite()).collect();
    if magnitudes.is_empty() {
        return 0.0;
    }
    let place = ((magnitudes.len() - 1) as f64 * TOLD_APART) as usize;
    let (_, &mut found, _) = magnitudes.select_nth_unstable_by(place, f64::total_cmp);
    found
}
