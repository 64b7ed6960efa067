//! Tables of two files compared bit by bit, rows being matched by their identity and not by their place.

use std::cmp::Ordering;

use crate::error::{Error, Result};
use crate::snapshot::{Column, ColumnData, Table};

/// Most columns that the identity of a row has.
const MOST_KEYS: usize = 4;
/// Rows without a partner that are named.
const NAMED: usize = 5;

type Key = [u64; MOST_KEYS];

/// A table whose rows have an identity.
#[derive(Clone, Debug)]
pub struct KeyedTable {
    /// The table.
    pub table: Table,
    /// Columns of unsigned integers that together tell a row from all others, at most 4; none for a table of one row.
    pub keys: &'static [&'static str],
}

/// Identity of a row: names and values of its key columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowKey(pub Vec<(&'static str, u64)>);

impl std::fmt::Display for RowKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name} {value}")?;
        }
        Ok(())
    }
}

/// A largest difference and the row it was found in.
#[derive(Clone, Debug, PartialEq)]
pub struct Extreme {
    /// The difference; infinite where a number of one of the two rows is not finite.
    pub value: f64,
    /// The row.
    pub row: RowKey,
}

/// A column that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnComparison {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Rows whose bits differ.
    pub rows: usize,
    /// Largest length of the difference of two rows, in the unit of the column.
    pub absolute: Extreme,
    /// Largest difference of two rows in proportion to the longer of them \[-\].
    pub relative: Extreme,
}

/// Rows that only one table has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// How many.
    pub count: usize,
    /// The first few.
    pub first: Vec<RowKey>,
}

/// How a table of one file compares with that of the same name of the other; a table that one file lacks counts as one without rows and
/// columns.
#[derive(Clone, Debug, PartialEq)]
pub struct TableComparison {
    /// Name.
    pub name: String,
    /// Rows of the first and of the second.
    pub rows: [usize; 2],
    /// Rows that only the first and only the second have.
    pub unmatched_rows: [Unmatched; 2],
    /// Columns that only the first and only the second have.
    pub unmatched_columns: [Vec<String>; 2],
    /// Columns whose numbers are not comparable: of another unit, width or type.
    pub unlike_columns: Vec<String>,
    /// Columns that differ in rows that both have.
    pub columns: Vec<ColumnComparison>,
}

impl TableComparison {
    /// Whether the two tables hold the same bits.
    pub fn is_equal(&self) -> bool {
        self.unmatched_rows.iter().all(|rows| rows.count == 0)
            && self.unmatched_columns.iter().all(Vec::is_empty)
            && self.unlike_columns.is_empty()
            && self.columns.is_empty()
    }
}

/// Compares tables of the same name, in the order of the first, then those that only the second has.
///
/// # Errors
/// [`Error::Comparison`] if a table lacks a key column, two of its rows have the same identity, or a column has another length than its
/// table.
pub fn compare(first: &[KeyedTable], second: &[KeyedTable]) -> Result<Vec<TableComparison>> {
    let find = |tables: &[KeyedTable], name: &str| tables.iter().position(|keyed| keyed.table.name == name);
    let mut all = Vec::new();
    for keyed in first {
        let other = find(second, &keyed.table.name).map(|index| &second[index]);
        all.push(compare_tables(keyed, other.unwrap_or(&absent(keyed)))?);
    }
    for keyed in second.iter().filter(|keyed| find(first, &keyed.table.name).is_none()) {
        all.push(compare_tables(&absent(keyed), keyed)?);
    }
    Ok(all)
}

/// A table without rows and columns in place of one that a file does not have.
fn absent(like: &KeyedTable) -> KeyedTable {
    KeyedTable { table: Table { name: like.table.name.clone(), rows: 0, columns: Vec::new() }, keys: like.keys }
}

fn compare_tables(first: &KeyedTable, second: &KeyedTable) -> Result<TableComparison> {
    let keys = first.keys;
    let named = |key: Key| RowKey(keys.iter().copied().zip(key).collect());
    let rows = [sorted_rows(first)?, sorted_rows(second)?];
    let mut unmatched_rows = [Unmatched::default(), Unmatched::default()];
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    loop {
        let order = match (rows[0].get(i), rows[1].get(j)) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.0.cmp(&b.0),
        };
        let side = match order {
            Ordering::Equal => {
                pairs.push((rows[0][i].0, rows[0][i].1, rows[1][j].1));
                i += 1;
                j += 1;
                continue;
            }
            Ordering::Less => 0,
            Ordering::Greater => 1,
        };
        let at = if side == 0 { &mut i } else { &mut j };
        let lone = &mut unmatched_rows[side];
        lone.count += 1;
        if lone.first.len() < NAMED {
            lone.first.push(named(rows[side][*at].0));
        }
        *at += 1;
    }

    let (a, b) = (&first.table, &second.table);
    let mut unlike_columns = Vec::new();
    let mut columns = Vec::new();
    for column in &a.columns {
        let Some(other) = b.columns.iter().find(|other| other.spec.name == column.spec.name) else { continue };
        let alike = column.spec.unit == other.spec.unit
            && column.spec.width == other.spec.width
            && column.data.element() == other.data.element();
        if !alike {
            unlike_columns.push(column.spec.name.to_string());
        } else if let Some(found) = compare_columns(column, other, &pairs, &named) {
            columns.push(found);
        }
    }
    Ok(TableComparison {
        name: a.name.clone(),
        rows: [a.rows, b.rows],
        unmatched_rows,
        unmatched_columns: [names_beyond(a, b), names_beyond(b, a)],
        unlike_columns,
        columns,
    })
}

/// Columns of a table that the other lacks.
fn names_beyond(table: &Table, other: &Table) -> Vec<String> {
    let has = |name: &str| other.columns.iter().any(|column| column.spec.name == name);
    let names = table.columns.iter().map(|column| column.spec.name.to_string());
    names.filter(|name| !has(name)).collect()
}

/// Identities of the rows with their places, in order of the identities; the lengths of all columns are checked.
fn sorted_rows(keyed: &KeyedTable) -> Result<Vec<(Key, usize)>> {
    let KeyedTable { table, keys } = keyed;
    let refuse = |reason: String| Error::Comparison { table: table.name.clone(), reason };
    for Column { spec, data } in &table.columns {
        if table.rows.checked_mul(spec.width) != Some(data.len()) {
            let found = data.len();
            let wanted = format!("{} rows of {} are needed", table.rows, spec.width);
            return Err(refuse(format!("column `{}` has {found} numbers, {wanted}", spec.name)));
        }
    }
    let mut rows: Vec<(Key, usize)> = (0..table.rows).map(|row| (Key::default(), row)).collect();
    // a table that stands for an absent one has no columns
    if !rows.is_empty() {
        for (at, name) in keys.iter().take(MOST_KEYS).enumerate() {
            let column = table.columns.iter().find(|column| column.spec.name == *name && column.spec.width == 1);
            let column = column.ok_or_else(|| refuse(format!("it has no column `{name}`")))?;
            for (key, row) in &mut rows {
                key[at] = unsigned(&column.data, *row)
                    .ok_or_else(|| refuse(format!("column `{name}` does not hold unsigned integers")))?;
            }
        }
    }
    rows.sort_unstable();
    if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let name = RowKey(keys.iter().copied().zip(pair[0].0).collect());
        return Err(refuse(format!("two of its rows have the same identity: {name}")));
    }
    Ok(rows)
}

fn compare_columns(
    first: &Column,
    second: &Column,
    pairs: &[(Key, usize, usize)],
    named: &dyn Fn(Key) -> RowKey,
) -> Option<ColumnComparison> {
    let width = first.spec.width;
    let bytes = width * first.data.element().size();
    let mut rows = 0;
    let mut largest = [(f64::NEG_INFINITY, Key::default()); 2];
    for &(key, i, j) in pairs {
        if first.data.bytes()[i * bytes..][..bytes] == second.data.bytes()[j * bytes..][..bytes] {
            continue;
        }
        rows += 1;
        for (largest, value) in largest.iter_mut().zip(difference(&first.data, i, &second.data, j, width)) {
            if value > largest.0 {
                *largest = (value, key);
            }
        }
    }
    let [absolute, relative] = largest.map(|(value, key)| Extreme { value, row: named(key) });
    let (name, unit) = (first.spec.name.to_string(), first.spec.unit.to_string());
    (rows > 0).then_some(ColumnComparison { name, unit, rows, absolute, relative })
}

/// Length of the difference of two rows, and its proportion to the longer of the two.
fn difference(first: &ColumnData, i: usize, second: &ColumnData, j: usize, width: usize) -> [f64; 2] {
    let a: Vec<f64> = (0..width).map(|k| number(first, i * width + k)).collect();
    let b: Vec<f64> = (0..width).map(|k| number(second, j * width + k)).collect();
    if a.iter().chain(&b).any(|x| !x.is_finite()) {
        return [f64::INFINITY; 2];
    }
    let absolute = length(a.iter().zip(&b).map(|(a, b)| a - b));
    let longer = length(a.iter().copied()).max(length(b.iter().copied()));
    match absolute {
        // zeros of either sign differ in a bit and in nothing else
        0.0 => [0.0; 2],
        f64::INFINITY => [f64::INFINITY; 2],
        _ => [absolute, absolute / longer],
    }
}

/// Euclidean length, of very long and very short vectors too.
fn length(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = numbers.clone().fold(0.0, |largest, x| f64::max(largest, x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * numbers.map(|x| (x / largest) * (x / largest)).fold(0.0, |sum, square| sum + square).sqrt()
}

fn number(data: &ColumnData, index: usize) -> f64 {
    match data {
        ColumnData::F64(values) => values[index],
        ColumnData::I64(values) => values[index] as f64,
        ColumnData::U64(values) => values[index] as f64,
        ColumnData::U32(values) => values[index].into(),
        ColumnData::U8(values) => values[index].into(),
    }
}

fn unsigned(data: &ColumnData, index: usize) -> Option<u64> {
    match data {
        ColumnData::U64(values) => Some(values[index]),
        ColumnData::U32(values) => Some(values[index].into()),
        ColumnData::U8(values) => Some(values[index].into()),
        ColumnData::F64(_) | ColumnData::I64(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::ColumnSpec;

    fn column(name: &'static str, width: usize, data: ColumnData) -> Column {
        Column { spec: ColumnSpec::new(name, "m", "a column of a test", width), data }
    }

    fn table(ids: &[u64], x: &[f64]) -> KeyedTable {
        let columns = vec![column("id", 1, ColumnData::U64(ids.to_vec())), column("x", 2, ColumnData::F64(x.to_vec()))];
        KeyedTable { table: Table { name: "points".to_owned(), rows: ids.len(), columns }, keys: &["id"] }
    }

    fn only(first: &KeyedTable, second: &KeyedTable) -> TableComparison {
        let mut all = compare(std::slice::from_ref(first), std::slice::from_ref(second)).unwrap();
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    #[test]
    fn rows_are_matched_by_identity_and_not_by_place() {
        let found = only(&table(&[4, 9], &[1.0, 2.0, 3.0, 4.0]), &table(&[9, 4], &[3.0, 4.0, 1.0, 2.0]));
        assert!(found.is_equal(), "{found:?}");
    }

    #[test]
    fn largest_differences_are_found_with_their_rows() {
        let first = table(&[1, 2, 3], &[3.0, 4.0, 0.1, 0.0, 7.0, 7.0]);
        let second = table(&[1, 2, 3], &[3.0, 4.5, 0.2, 0.0, 7.0, 7.0]);
        let found = only(&first, &second);
        assert!(!found.is_equal());
        let [x] = &found.columns[..] else { panic!("{found:?}") };
        assert_eq!((x.rows, x.absolute.value, x.absolute.row.to_string()), (2, 0.5, "id 1".to_owned()));
        assert!((x.relative.value - 0.5).abs() < 1e-15 && x.relative.row.to_string() == "id 2", "{x:?}");
    }

    #[test]
    fn rows_and_columns_without_a_partner_are_counted_and_named() {
        let ids: Vec<u64> = (0..20).collect();
        let first = table(&ids, &[0.5; 40]);
        let mut second = table(&[3, 77], &[0.5; 4]);
        second.table.columns.push(column("more", 1, ColumnData::U8(vec![1, 2])));
        let found = only(&first, &second);
        assert_eq!(found.unmatched_rows.each_ref().map(|rows| (rows.count, rows.first.len())), [(19, 5), (1, 1)]);
        assert_eq!(found.unmatched_rows[1].first[0].to_string(), "id 77");
        assert_eq!(found.unmatched_columns, [Vec::<String>::new(), vec!["more".to_owned()]]);
        assert!(!found.is_equal());
    }

    #[test]
    fn table_of_one_file_only_is_a_difference_even_without_rows() {
        let one = [table(&[], &[])];
        for (first, second) in [(&one[..], &[][..]), (&[][..], &one[..])] {
            let found = compare(first, second).unwrap();
            assert!(found.len() == 1 && !found[0].is_equal(), "{found:?}");
        }
    }

    #[test]
    fn bits_decide_and_numbers_that_are_not_finite_are_infinitely_far() {
        let first = table(&[1], &[f64::NAN, 0.0]);
        assert!(only(&first, &first).is_equal());
        assert_eq!(only(&first, &table(&[1], &[1.0, 0.0])).columns[0].relative.value, f64::INFINITY);
        let zeros = only(&table(&[1], &[0.0, 0.0]), &table(&[1], &[-0.0, 0.0]));
        assert_eq!((zeros.columns[0].rows, zeros.columns[0].absolute.value), (1, 0.0));
        let long = only(&table(&[1], &[1e300, 1e300]), &table(&[1], &[1e300, 0.0]));
        assert_eq!(long.columns[0].absolute.value, 1e300);
    }

    #[test]
    fn columns_of_another_type_or_unit_are_not_compared() {
        let mut other = table(&[1], &[0.0, 0.0]);
        other.table.columns[1].data = ColumnData::U64(vec![0, 0]);
        assert_eq!(only(&table(&[1], &[0.0, 0.0]), &other).unlike_columns, ["x"]);
    }

    #[test]
    fn tables_without_identities_are_refused() {
        let good = table(&[1, 2], &[0.0; 4]);
        let mut keyless = good.clone();
        keyless.table.columns.remove(0);
        let mut float = good.clone();
        float.table.columns[0].data = ColumnData::F64(vec![1.0, 2.0]);
        let mut short = good.clone();
        short.table.columns[1].data = ColumnData::F64(vec![0.0; 3]);
        let twice = table(&[2, 2], &[0.0; 4]);
        for (bad, text) in [
            (&keyless, "it has no column `id`"),
            (&float, "column `id` does not hold unsigned integers"),
            (&short, "column `x` has 3 numbers, 2 rows of 2 are needed"),
            (&twice, "two of its rows have the same identity: id 2"),
        ] {
            let message = compare(std::slice::from_ref(&good), std::slice::from_ref(bad)).unwrap_err().to_string();
            assert!(message.contains(text) && message.contains("`points`"), "{message}");
        }
    }
}
