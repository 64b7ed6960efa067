//! What a study leaves behind: tables, figures and the statements that follow from them.

use std::path::{Path, PathBuf};

use dem_io::atomic::{remove_unfinished, write_atomically};
use dem_view::{DEFAULT_RESOLUTION, FigureSize, LinePlot, ViewError, draw_png, draw_svg};

use crate::error::ReportError;
use crate::table::Table;

/// Panels below each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Name of its files.
    pub name: &'static str,
    /// The panels.
    pub panels: Vec<LinePlot>,
}

/// A picture that is drawn already.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Name of its file.
    pub name: String,
    /// The PNG file.
    pub png: Vec<u8>,
}

/// The outcome of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Tables; the first answers the question of the study.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
    /// Pictures.
    pub pictures: Vec<Picture>,
    /// What the numbers say, a sentence each.
    pub findings: Vec<String>,
    /// In what respects the result is not what was asked for, a sentence each; the command ends with exit code 3 then.
    pub shortfalls: Vec<String>,
    /// Further files, by their paths within the directory of the report.
    pub further: Vec<(String, Vec<u8>)>,
}

impl Report {
    /// Names and contents of the files: `NAME.csv` and `NAME.json` of each table and `NAME.png` and `NAME.svg` of each figure, the pictures
    /// and what else there is.
    ///
    /// # Errors
    /// A figure that cannot be drawn.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for table in &self.tables {
            files.push((format!("{}.csv", table.name), table.to_csv().into_bytes()));
            let json = format!("{:#}\n", table.to_json());
            files.push((format!("{}.json", table.name), json.into_bytes()));
        }
        for figure in &self.figures {
            let size = FigureSize::for_panels(figure.panels.len());
            let refused = |source: ViewError| ReportError::Figure { figure: figure.name.to_owned(), source };
            let png = draw_png(&figure.panels, size, DEFAULT_RESOLUTION)
                .and_then(|image| image.encode_png())
                .map_err(refused)?;
            files.push((format!("{}.png", figure.name), png));
            let svg = draw_svg(&figure.panels, size).map_err(refused)?;
            files.push((format!("{}.svg", figure.name), svg.into_bytes()));
        }
        files.extend(self.pictures.iter().map(|picture| (format!("{}.png", picture.name), picture.png.clone())));
        files.extend(self.further.iter().cloned());
        Ok(files)
    }

    /// Writes these [files](Self::files) into a directory, which is made if it does not exist. Returns the files.
    ///
    /// # Errors
    /// A figure that cannot be drawn, before anything is written; a file that cannot be written.
    pub fn write(&self, directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
        let files = self.files()?.into_iter();
        let files: Vec<(PathBuf, Vec<u8>)> = files.map(|(name, bytes)| (directory.join(name), bytes)).collect();
        std::fs::create_dir_all(directory).map_err(dem_io::Error::system("create directory", directory))?;
        // of a command that was killed while it wrote here
        remove_unfinished(directory)?;
        for (path, bytes) in &files {
            let folder = path.parent().unwrap_or(directory);
            std::fs::create_dir_all(folder).map_err(dem_io::Error::system("create directory", folder))?;
            write_atomically(path, bytes)?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

#[cfg(test)]
mod tests {
    use dem_view::Series;

    use super::*;

    fn report(points: Vec<[f64; 2]>) -> Report {
        let mut table = Table::new("rebound", &["angle_deg"]);
        table.push([2.0.into()]);
        let series = vec![Series { label: "law".into(), points, ..Series::default() }];
        let panels = vec![LinePlot { series, ..LinePlot::default() }];
        Report { tables: vec![table], figures: vec![Figure { name: "loops", panels }], ..Report::default() }
    }

    #[test]
    fn tables_and_figures_become_files() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("new");
        let written = report(vec![[0.0, 0.0], [1.0, 1.0]]).write(&directory).unwrap();
        let names: Vec<String> = written.iter().map(|p| p.file_name().unwrap().to_string_lossy().into()).collect();
        assert_eq!(names, ["rebound.csv", "rebound.json", "loops.png", "loops.svg"]);
        assert!(written.iter().all(|path| std::fs::metadata(path).unwrap().len() > 10));
    }

    #[test]
    fn nothing_is_written_if_a_figure_cannot_be_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("new");
        let error = report(Vec::new()).write(&directory).unwrap_err();
        assert!(error.to_string().starts_with("figure loops: "), "{error}");
        assert!(!directory.exists());
    }
}
