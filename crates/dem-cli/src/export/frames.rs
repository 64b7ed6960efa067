//! Which frames are written.

use std::path::Path;

use dem_io::snapshot::SnapshotReader;

use super::arguments::Arguments;
use crate::failure::Failure;
use crate::render::frame_index;

/// Indices of the frames that are asked for, all if none are.
pub fn chosen(reader: &SnapshotReader, path: &Path, arguments: &Arguments) -> Result<Vec<usize>, Failure> {
    let count = reader.frames().len();
    if let Some(number) = arguments.frame {
        return Ok(vec![frame_index(reader, path, number)?]);
    }
    match &arguments.frames {
        Some(text) => range(text, count)
            .map_err(|why| Failure::input(format!("--frames {text}: {} has {count} frames, {why}", path.display()))),
        None => Ok((0..count).step_by(arguments.every as usize).collect()),
    }
}

/// `all`, `A..B` or `A..B:N`, both ends included; negative numbers count from the end.
fn range(text: &str, count: usize) -> Result<Vec<usize>, String> {
    let form = || "expected all, A..B or A..B:N".to_owned();
    if text == "all" {
        return Ok((0..count).collect());
    }
    let (ends, step) = text.split_once(':').unwrap_or((text, "1"));
    let (first, last) = ends.split_once("..").ok_or_else(form)?;
    let index = |text: &str, missing: i64| {
        let number: i64 = if text.is_empty() { missing } else { text.parse().map_err(|_| form())? };
        let index = if number < 0 { number.saturating_add(count as i64) } else { number };
        if !(0..count as i64).contains(&index) {
            return Err(format!("expected numbers from {} to {}", -(count as i64), count as i64 - 1));
        }
        Ok(index as usize)
    };
    let (first, last) = (index(first, 0)?, index(last, -1)?);
    let step: usize = step.parse().ok().filter(|step| *step > 0).ok_or_else(form)?;
    if first > last {
        return Err(format!("expected the first at or before the last, found {first} and {last}"));
    }
    Ok((first..=last).step_by(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_both_ends_and_count_from_either() {
        assert_eq!(range("all", 3).unwrap(), [0, 1, 2]);
        assert_eq!(range("1..3", 9).unwrap(), [1, 2, 3]);
        assert_eq!(range("0..:3", 8).unwrap(), [0, 3, 6]);
        assert_eq!(range("-3..-1", 8).unwrap(), [5, 6, 7]);
        for text in ["", "5", "a..b", "0..8", "-9..1", "3..1", "0..3:0", "0..3:x", "0..99999999999999999999"] {
            assert!(range(text, 8).is_err(), "{text}");
        }
    }
}
