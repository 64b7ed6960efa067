//! What is to be drawn.

use std::path::PathBuf;

use super::column::ColumnChoice;
use crate::error::AnalysisError;

/// A row that is drawn has this value in a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// Its value as text or number; "last" is that of the last row.
    pub value: String,
}

/// What is to be drawn: columns against one another, in panels below each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Directories of runs or studies, or CSV files.
    pub sources: Vec<PathBuf>,
    /// Table of the directories, by its name without or with suffix; none for the first one that has the columns.
    pub table: Option<String>,
    /// Abscissa.
    pub x: ColumnChoice,
    /// Ordinates of every panel.
    pub panels: Vec<Vec<ColumnChoice>>,
    /// Which rows are drawn.
    pub conditions: Vec<Condition>,
    /// A curve for every value of this column.
    pub by: Option<String>,
    /// Title of the first panel.
    pub title: String,
    /// Names of the axes in place of those that follow from the columns.
    pub labels: [Option<String>; 2],
    /// Whether the axes are logarithmic.
    pub logarithmic: [bool; 2],
    /// Ends of the abscissa and the ordinates, in the units that are drawn.
    pub ends: [[Option<f64>; 2]; 2],
    /// Whether points are drawn in place of lines.
    pub points: bool,
}

impl Request {
    /// A request for columns as they stand on the command line: the abscissa, then ordinates, with a comma between panels.
    ///
    /// # Errors
    /// Fewer than two columns, a panel without one, a column that cannot be read.
    pub fn of_columns(words: &[String]) -> Result<Self, AnalysisError> {
        let refused = |why: &str| AnalysisError::Plot(format!("{}: {why}", words.join(" ")));
        let Some((x, rest)) = words.split_first() else {
            return Err(refused("expected columns"));
        };
        let panels: Vec<Vec<ColumnChoice>> = rest
            .join(" ")
            .split(',')
            .map(|panel| panel.split_whitespace().map(ColumnChoice::read).collect())
            .collect::<Result<_, _>>()?;
        if panels.iter().any(Vec::is_empty) {
            return Err(refused(
                "expected a column for the abscissa and one or more for every panel, as in `time kinetic_energy, coordination rattlers`",
            ));
        }
        Ok(Self { x: ColumnChoice::read(x.trim_end_matches(','))?, panels, ..Self::default() })
    }
}
