//! Tables of a directory, with the units of their columns.

use std::path::{Path, PathBuf};

use dem_io::series::SeriesColumn;
use dem_report::table::cells;
use dem_sim::builder;
use dem_sim::measure::{chosen_contact_columns, series_columns};
use dem_sim::wall_probes::WallProbes;

use crate::error::AnalysisError;

/// Largest table that is read \[byte\].
const LARGEST: u64 = 1 << 32;
/// Folders of a directory whose tables belong to it.
const FOLDERS: [&str; 2] = ["", "profile"];

/// A table of text cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DataTable {
    /// The file.
    pub path: PathBuf,
    pub names: Vec<String>,
    rows: Vec<Vec<String>>,
    described: Vec<SeriesColumn>,
}

impl DataTable {
    /// Reads a CSV file.
    pub fn read(path: &Path) -> Result<Self, AnalysisError> {
        let refused = |why: String| AnalysisError::Plot(format!("{}: {why}", path.display()));
        let length = std::fs::metadata(path).map_err(dem_io::Error::system("read", path))?.len();
        if length > LARGEST {
            return Err(refused(format!("{length} bytes, expected at most {LARGEST}")));
        }
        let bytes = dem_io::regular_file::read(path).map_err(dem_io::Error::system("read", path))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let names: Vec<String> = lines.next().map(cells).unwrap_or_default();
        if names.iter().all(String::is_empty) {
            return Err(refused("expected a table with the names of its columns in the first line".to_owned()));
        }
        // a row that is being written may lack its end
        let rows = lines.map(cells).filter(|row| row.len() == names.len()).collect();
        Ok(Self { path: path.to_path_buf(), names, rows, described: Vec::new() })
    }

    /// Tables of a directory, those of a run first; or the one table of a file.
    pub fn paths(source: &Path) -> Result<Vec<PathBuf>, AnalysisError> {
        if source.is_file() {
            return Ok(vec![source.to_path_buf()]);
        }
        let mut found: Vec<PathBuf> = Vec::new();
        for folder in FOLDERS.map(|folder| source.join(folder)) {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
            let mut tables: Vec<PathBuf> =
                paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "csv")).collect();
            tables.sort();
            found.extend(tables);
        }
        found.sort_by_key(|path| path.file_name().is_none_or(|name| name != "series.csv"));
        match found.is_empty() {
            true if !source.is_dir() => {
                Err(AnalysisError::Plot(format!("{}: there is no such directory or file", source.display())))
            }
            true => Err(AnalysisError::Plot(format!(
                "{}: holds no table, expected series.csv or another .csv",
                source.display()
            ))),
            false => Ok(found),
        }
    }

    /// Learns the units of the columns of a run from its scene; other tables have them in the names.
    pub fn describe(&mut self) {
        let file = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let scene = self.path.with_file_name("scene.resolved.toml");
        if file == "profiles.csv" {
            self.described = WallProbes::columns();
        } else if (file == "series.csv" || file == "contacts.csv") && scene.is_file() {
            let world = builder::load_scene(&scene, &[]).and_then(|loaded| builder::build_empty(&loaded));
            if let Ok(simulation) = world {
                let of = if file == "series.csv" { series_columns } else { chosen_contact_columns };
                self.described = of(&simulation.world);
            }
        }
    }

    /// Unit of a column as far as it is known.
    pub fn unit(&self, name: &str) -> Option<&str> {
        self.described.iter().find(|column| column.name == name).map(|column| column.unit.as_str())
    }

    /// The cells of a column.
    pub fn text(&self, name: &str) -> Option<Vec<&str>> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(self.rows.iter().map(|row| row[at].as_str()).collect())
    }

    /// The numbers of a column; not a number where there is none, and where a run has diverged.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let sound = |value: f64| if value.abs() < 1e300 { value } else { f64::NAN };
        Some(self.text(name)?.into_iter().map(|cell| cell.parse().map_or(f64::NAN, sound)).collect())
    }

    /// The rows that fulfil a condition on the cells of a column.
    pub fn keep(&mut self, column: &str, is_kept: impl Fn(&str) -> bool) {
        if let Some(at) = self.names.iter().position(|known| known == column) {
            self.rows.retain(|row| is_kept(&row[at]));
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torn_lines_and_words_are_no_points() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        std::fs::write(&path, "x,name\n1,a\n2,b\n3").unwrap();
        let table = DataTable::read(&path).unwrap();
        assert_eq!((table.len(), table.numbers("x").unwrap()), (2, vec![1.0, 2.0]));
        assert!(table.numbers("name").unwrap()[0].is_nan() && table.numbers("y").is_none());
    }
}
