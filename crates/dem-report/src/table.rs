//! Tables of results: as text for the terminal, as CSV, as JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Number};

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number; without a value (`null`, an empty cell) if it is not finite.
    Number(f64),
    /// A count.
    Count(u64),
    /// Yes or no.
    Flag(bool),
    /// A word or sentence.
    Text(String),
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Count(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Count(value as u64)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl Value {
    /// Enough digits to read the same number back.
    pub fn exact(&self) -> String {
        match self {
            Self::Number(value) if value.is_finite() => format!("{value:?}"),
            Self::Number(_) => String::new(),
            Self::Count(value) => value.to_string(),
            Self::Flag(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// Whether it is a number or a count.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Count(_))
    }

    /// As many digits as one reads.
    pub fn readable(&self) -> String {
        match self {
            Self::Number(value) if !value.is_finite() => "-".to_owned(),
            Self::Number(value) if *value == 0.0 => "0".to_owned(),
            Self::Number(value) if (1e-3..1e6).contains(&value.abs()) => {
                let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 8) as usize;
                format!("{value:.decimals$}")
            }
            Self::Number(value) => format!("{value:.5e}"),
            other => other.exact(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::Number(value) => Number::from_f64(*value).map_or(serde_json::Value::Null, Into::into),
            Self::Count(value) => (*value).into(),
            Self::Flag(value) => (*value).into(),
            Self::Text(text) => text.clone().into(),
        }
    }
}

/// Rows of cells under named columns. A name ends with the unit (`contact_time_s`), unless the quantity has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name, and that of its files.
    pub name: &'static str,
    columns: Vec<Cow<'static, str>>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table.
    pub fn new(name: &'static str, columns: &[&'static str]) -> Self {
        Self { name, columns: columns.iter().map(|&column| Cow::Borrowed(column)).collect(), rows: Vec::new() }
    }

    /// An empty table whose columns are known only now.
    pub fn with_columns(name: &'static str, columns: Vec<String>) -> Self {
        Self { name, columns: columns.into_iter().map(Cow::Owned).collect(), rows: Vec::new() }
    }

    /// Adds a row with one cell for each column; cells that are missing stay empty, cells beyond the last column are dropped.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Value>) {
        let mut row: Vec<Value> = cells.into_iter().take(self.columns.len()).collect();
        debug_assert_eq!(row.len(), self.columns.len(), "cells of a row of {}", self.name);
        row.resize(self.columns.len(), Value::Number(f64::NAN));
        self.rows.push(row);
    }

    /// Names of the columns.
    pub fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(Cow::as_ref).collect()
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Value>] {
        &self.rows
    }

    /// The numbers of a column; not a number where a cell holds something else. Empty if there is no such column.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        let Some(at) = self.columns.iter().position(|name| name == column) else { return Vec::new() };
        let number = |row: &Vec<Value>| match row[at] {
            Value::Number(value) => value,
            Value::Count(value) => value as f64,
            Value::Flag(_) | Value::Text(_) => f64::NAN,
        };
        self.rows.iter().map(number).collect()
    }

    /// The number of a column in the first row whose cells in other columns read as given; not a number if there is none.
    pub fn number(&self, cells: &[(&str, &str)], column: &str) -> f64 {
        let at = |name: &str| self.columns.iter().position(|known| known == name);
        let is_wanted = |row: &&Vec<Value>| {
            cells.iter().all(|(name, text)| at(name).is_some_and(|k| row[k] == Value::Text((*text).to_owned())))
        };
        let found = self.rows.iter().position(|row| is_wanted(&row));
        found.and_then(|k| self.numbers(column).get(k).copied()).unwrap_or(f64::NAN)
    }

    /// The table without some of its columns.
    #[must_use]
    pub fn without(&self, columns: &[&str]) -> Self {
        let keeps = |k: &usize| !columns.contains(&self.columns[*k].as_ref());
        let kept: Vec<usize> = (0..self.columns.len()).filter(keeps).collect();
        let rows = self.rows.iter().map(|row| kept.iter().map(|&k| row[k].clone()).collect());
        Self { name: self.name, columns: kept.iter().map(|&k| self.columns[k].clone()).collect(), rows: rows.collect() }
    }

    /// The table without rows that have numbers and all of them zero or none at all.
    #[must_use]
    pub fn without_zeros(&self) -> Self {
        let is_zero = |cell: &Value| match cell {
            Value::Number(value) => *value == 0.0 || !value.is_finite(),
            Value::Count(count) => *count == 0,
            Value::Flag(_) | Value::Text(_) => true,
        };
        let tells = |row: &&Vec<Value>| !row.iter().any(Value::is_number) || !row.iter().all(is_zero);
        Self { name: self.name, columns: self.columns.clone(), rows: self.rows.iter().filter(tells).cloned().collect() }
    }

    /// Comma-separated values with a header, numbers to the last bit.
    pub fn to_csv(&self) -> String {
        let quoted = |text: String| {
            if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
        };
        let header: Vec<String> = self.columns.iter().map(|name| quoted(name.to_string())).collect();
        let mut file = header.join(",");
        file.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell.exact())).collect();
            file.push_str(&cells.join(","));
            file.push('\n');
        }
        file
    }

    /// An array with an object for each row, keys as the columns.
    pub fn to_json(&self) -> serde_json::Value {
        let object = |row: &Vec<Value>| {
            let entries = self.columns.iter().zip(row).map(|(name, cell)| (name.to_string(), cell.json()));
            serde_json::Value::Object(entries.collect::<Map<_, _>>())
        };
        serde_json::Value::Array(self.rows.iter().map(object).collect())
    }

    /// Aligned columns for the terminal.
    pub fn to_text(&self) -> String {
        let cells: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(Value::readable).collect()).collect();
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(k, name)| cells.iter().map(|row| row[k].chars().count()).fold(name.chars().count(), usize::max))
            .collect();
        let mut text = String::new();
        let mut line = |row: &mut dyn Iterator<Item = (bool, &str)>| {
            let mut written = String::new();
            for ((left, cell), &width) in row.zip(&widths) {
                let gap = if written.is_empty() { "" } else { "  " };
                // writing into a string cannot fail
                let _ =
                    if left { write!(written, "{gap}{cell:<width$}") } else { write!(written, "{gap}{cell:>width$}") };
            }
            text.push_str(written.trim_end());
            text.push('\n');
        };
        let is_text: Vec<bool> = (0..self.columns.len())
            .map(|k| self.rows.iter().any(|row| matches!(row[k], Value::Text(_) | Value::Flag(_))))
            .collect();
        line(&mut is_text.iter().copied().zip(self.columns.iter().map(Cow::as_ref)));
        for row in &cells {
            line(&mut is_text.iter().copied().zip(row.iter().map(String::as_str)));
        }
        text
    }
}

/// Cells of a line of CSV; quotes hold commas and, doubled, quotes.
pub fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("impact", &["law", "angle_deg", "steps", "slides"]);
        table.push(["linear".into(), 0.1.into(), 3_usize.into(), true.into()]);
        table.push(["a, \"b\"".into(), f64::NAN.into(), 12_u64.into(), false.into()]);
        table
    }

    #[test]
    fn cells_may_be_quoted() {
        assert_eq!(cells("a,\"b, \"\"c\"\"\",,1"), ["a", "b, \"c\"", "", "1"]);
    }

    #[test]
    fn rows_of_zeros_are_left_out() {
        let mut table = Table::new("energies", &["energy", "J", "share_%"]);
        table.push(["kinetic".into(), 1.0.into(), 0.0.into()]);
        table.push(["rolling".into(), 0.0.into(), f64::NAN.into()]);
        table.push(["remark".into(), "none".into(), "".into()]);
        let kept: Vec<String> = table.without_zeros().rows().iter().map(|row| row[0].exact()).collect();
        assert_eq!(kept, ["kinetic", "remark"]);
    }

    #[test]
    fn csv_holds_every_bit_and_quotes_text() {
        assert_eq!(table().to_csv(), "law,angle_deg,steps,slides\nlinear,0.1,3,true\n\"a, \"\"b\"\"\",,12,false\n");
        let mut exact = Table::new("x", &["value"]);
        let value = 0.1 + 0.2;
        exact.push([value.into()]);
        assert_eq!(exact.to_csv().lines().nth(1).unwrap().parse::<f64>().unwrap().to_bits(), value.to_bits());
    }

    #[test]
    fn json_is_an_array_of_objects_with_null_for_what_is_not_a_number() {
        let json = table().to_json();
        assert_eq!(json[0]["law"], "linear");
        assert_eq!(json[0]["angle_deg"], 0.1);
        assert_eq!(json[1]["angle_deg"], serde_json::Value::Null);
        assert_eq!(json[1]["steps"], 12);
    }

    #[test]
    fn text_lines_up() {
        let text = table().to_text();
        let expected =
            "law     angle_deg  steps  slides\nlinear   0.100000      3  true\na, \"b\"          -     12  false\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn columns_can_be_left_out() {
        let fewer = table().without(&["angle_deg", "slides"]);
        assert_eq!(fewer.to_csv().lines().next(), Some("law,steps"));
        assert_eq!(fewer.numbers("steps"), [3.0, 12.0]);
    }

    #[test]
    fn numbers_of_a_column_are_found_by_name() {
        assert_eq!(table().numbers("steps"), [3.0, 12.0]);
        assert!(table().numbers("law")[0].is_nan());
        assert!(table().numbers("speed").is_empty());
        assert_eq!(table().number(&[("law", "linear")], "steps"), 3.0);
        assert!(table().number(&[("law", "none")], "steps").is_nan());
        assert!(table().number(&[("law", "linear")], "speed").is_nan());
    }
}
