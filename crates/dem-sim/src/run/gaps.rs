//! Rows and frames that were removed from a run, and that no restart makes again.

use std::path::Path;

use dem_io::atomic;
use serde::{Deserialize, Serialize};

use super::error::RunError;
use super::own_files::GAPS;

/// Steps whose rows or frames are missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// File that lacks them.
    pub file: String,
    /// Step of the last one before; null if there is none.
    pub after: Option<u64>,
    /// Last step without.
    pub until: u64,
    /// Time of that step \[s\]; null if it is unknown.
    pub until_time: Option<f64>,
}

impl Gap {
    /// In words.
    pub fn describe(&self) -> String {
        let Self { file, after, until, .. } = self;
        let from = after.map_or_else(|| "from the beginning".to_owned(), |after| format!("after step {after}"));
        format!("{file}: what was written {from} up to step {until} is missing")
    }
}

/// What a checkpoint demands of a file, and what is there.
pub(super) struct Found<'a> {
    /// The file.
    pub file: &'a str,
    /// Step of the first row or frame.
    pub first: Option<u64>,
    /// Step of the last one up to the checkpoint.
    pub last: Option<u64>,
    /// Whether that is the last one that was due.
    pub is_complete: bool,
    /// Time at which the last one was due \[s\].
    pub due: f64,
    /// Step and time \[s\] of the checkpoint.
    pub place: (u64, f64),
}

impl Found<'_> {
    /// Gaps that are not among those `known`.
    pub fn gaps(&self, known: &[Gap]) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let mut note =
            |after, until, until_time| gaps.push(Gap { file: self.file.to_owned(), after, until, until_time });
        let known = || known.iter().filter(|gap| gap.file == self.file);
        let begins_late = self.first.filter(|&first| first > 0);
        if let Some(first) = begins_late
            && !known().any(|gap| gap.after.is_none())
        {
            note(None, first - 1, None);
        }
        // what was due in a gap that is known is no other one
        let is_known = |gap: &Gap| gap.after == self.last && gap.until_time.is_some_and(|time| self.due <= time);
        if !self.is_complete && !known().any(is_known) {
            let (step, time) = self.place;
            note(self.last, step, Some(time));
        }
        gaps
    }
}

/// The gaps of a run that continues from a step and time \[s\], as far as they lie before it.
pub(super) fn before(gaps: Vec<Gap>, (step, time): (u64, f64)) -> Vec<Gap> {
    let lies_before = |gap: &Gap| gap.after.is_none_or(|after| after < step);
    let cut = |gap: Gap| if gap.until > step { Gap { until: step, until_time: Some(time), ..gap } } else { gap };
    gaps.into_iter().filter(lies_before).map(cut).collect()
}

/// Gaps of a run directory; none without the file.
pub(super) fn read(directory: &Path) -> Result<Vec<Gap>, RunError> {
    let path = directory.join(GAPS);
    let refused = dem_io::Error::system("read", &path);
    match std::fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| refused(error.into()).into()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(refused(error).into()),
    }
}

/// Notes the gaps of a run directory.
pub(super) fn write(directory: &Path, gaps: &[Gap]) -> Result<(), RunError> {
    let path = directory.join(GAPS);
    let refused = dem_io::Error::system("write", &path);
    let text = serde_json::to_string_pretty(gaps).map_err(|error| refused(error.into()))?;
    Ok(atomic::write_atomically(&path, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(first: Option<u64>, last: Option<u64>, is_complete: bool) -> Found<'static> {
        Found { file: "series.csv", first, last, is_complete, due: 28.0, place: (30, 30.0) }
    }

    /// Of a run with a step every second.
    fn gap(after: Option<u64>, until: u64) -> Gap {
        Gap { file: "series.csv".to_owned(), after, until, until_time: Some(until as f64) }
    }

    #[test]
    fn a_gap_is_found_once_and_where_it_is() {
        assert_eq!(found(Some(0), Some(25), true).gaps(&[]), []);
        assert_eq!(found(None, None, false).gaps(&[]), [gap(None, 30)]);
        assert_eq!(found(Some(0), Some(10), false).gaps(&[]), [gap(Some(10), 30)]);
        assert_eq!(found(Some(0), Some(10), false).gaps(&[gap(Some(10), 30)]), []);
        // nothing was due since, or something was
        assert_eq!(found(Some(0), Some(10), false).gaps(&[gap(Some(10), 29)]), []);
        assert_eq!(found(Some(0), Some(10), false).gaps(&[gap(Some(10), 20)]), [gap(Some(10), 30)]);
        let late = Gap { until_time: None, ..gap(None, 4) };
        assert_eq!(found(Some(5), Some(10), false).gaps(&[]), [late, gap(Some(10), 30)]);
        // what is there after a gap is no other gap
        assert_eq!(found(Some(21), Some(25), true).gaps(&[gap(None, 20)]), []);
    }

    #[test]
    fn a_run_that_is_set_back_keeps_the_gaps_before_it() {
        let all = vec![gap(None, 5), gap(Some(8), 20), gap(Some(12), 20)];
        assert_eq!(before(all, (10, 10.0)), [gap(None, 5), gap(Some(8), 10)]);
    }
}
