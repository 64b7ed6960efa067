//! Means of columns of the series over the last stage of a run.

use dem_io::series::Series;
use dem_report::ReportError;

use crate::error::AnalysisError;

/// What the names of such means begin with.
pub const AVERAGE: &str = "mean.";

/// Which columns are averaged, and from where on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Averages {
    columns: Vec<String>,
    skip: f64,
}

impl Averages {
    /// Of columns of the series, without the first part of the last stage: a share of its time, at least 0 and below 1.
    ///
    /// # Errors
    /// A share out of range.
    pub fn new(columns: &[String], skip: f64) -> Result<Self, AnalysisError> {
        if !(0.0..1.0).contains(&skip) {
            let allowed = "0 <= value < 1".to_owned();
            return Err(ReportError::Option { option: "--skip", value: skip.to_string(), allowed }.into());
        }
        Ok(Self { columns: columns.to_vec(), skip })
    }

    /// Refuses columns that are none of those of a series.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self, known: &[&str]) -> Result<(), AnalysisError> {
        check_columns("--mean", &self.columns, known)
    }

    /// The means of those that a series has, as `mean.COLUMN`, each row weighted with the time that it stands for.
    pub fn of(&self, series: &Series) -> Vec<(String, f64)> {
        let column = |name: &str| series.column(name).unwrap_or_default();
        let (time, stage) = (column("time"), column("stage"));
        let first = stage.last().map_or(0, |last| stage.iter().take_while(|stage| *stage != last).count());
        let Some((begin, end)) = time.get(first).zip(time.last()) else { return Vec::new() };
        let from = begin + self.skip * (end - begin);
        let kept = first + time[first..].iter().take_while(|&&t| t < from).count();
        let mean = |name: &String| {
            let values = &series.column(name)?[kept..];
            Some((format!("{AVERAGE}{name}"), mean_over_time(&time[kept..], values)))
        };
        self.columns.iter().filter_map(mean).collect()
    }
}

/// Refuses names that are not known.
///
/// # Errors
/// The first of them.
pub fn check_columns(option: &'static str, asked: &[String], known: &[&str]) -> Result<(), AnalysisError> {
    match asked.iter().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => {
            let meant = dem_io::nearest(unknown, known.iter().copied());
            let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            let allowed = format!("a column of series.csv{meant}: {}", known.join(", "));
            Err(ReportError::Option { option, value: unknown.clone(), allowed }.into())
        }
        None => Ok(()),
    }
}

/// Mean of straight lines between points, of a single point its value.
fn mean_over_time(time: &[f64], values: &[f64]) -> f64 {
    let pairs = time.windows(2).zip(values.windows(2));
    let area: f64 = pairs.map(|(t, y)| 0.5 * (y[0] + y[1]) * (t[1] - t[0])).sum();
    match (time, values) {
        ([first, .., last], _) if last > first => area / (last - first),
        (_, [.., last]) => *last,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(text: &str) -> Series {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("series.csv");
        std::fs::write(&path, text).unwrap();
        Series::read(path).unwrap()
    }

    #[test]
    fn the_last_stage_counts_and_rows_stand_for_their_time() {
        let series = series("time,stage,x\n0,1,100\n1,1,100\n1.5,2,1\n2.5,2,3\n4.5,2,3\n5.5,2,7\n");
        let mean = |skip| Averages::new(&["x".to_owned(), "none".to_owned()], skip).unwrap().of(&series);
        // 1 to 3 over 1 s, 3 over 2 s, 3 to 7 over 1 s
        assert_eq!(mean(0.0), [("mean.x".to_owned(), (2.0 + 6.0 + 5.0) / 4.0)]);
        assert_eq!(mean(0.25)[0].1, (6.0 + 5.0) / 3.0);
        assert_eq!(mean(0.99)[0].1, 7.0);
    }

    #[test]
    fn series_without_stages_or_rows_have_their_means() {
        let whole = Averages::new(&["x".to_owned()], 0.0).unwrap();
        assert_eq!(whole.of(&series("time,x\n0,1\n2,3\n")), [("mean.x".to_owned(), 2.0)]);
        assert_eq!(whole.of(&series("time,x\n0,4\n")), [("mean.x".to_owned(), 4.0)]);
        assert!(whole.of(&series("time,x\n")).is_empty());
        let message = Averages::new(&[], 1.0).unwrap_err().to_string();
        assert_eq!(message, "--skip = 1, expected 0 <= value < 1");
    }
}
