//! Which frames of a run are shown.

use std::path::Path;

use dem_io::snapshot::SnapshotReader;

use crate::failure::Failure;

/// How frames are chosen.
const FORMS: &str =
    "all, a..b or a..b:n with both ends included, or a list such as 0,5,-1; negative numbers count from the end";
/// Most frames of a film; more can only be meant by mistake.
const MOST: usize = 1_000_000;

/// Index of a frame of the snapshots in `path`; negative numbers count from the end.
pub fn frame_index(reader: &SnapshotReader, path: &Path, number: i64) -> Result<usize, Failure> {
    index(number, reader.frames().len())
        .map_err(|range| Failure::input(format!("--frame {number}: {} {range}", path.display())))
}

/// Indices of the frames that a text chooses from those of the snapshots in `path`, in its order.
pub fn frame_indices(reader: &SnapshotReader, path: &Path, text: &str) -> Result<Vec<usize>, Failure> {
    let count = reader.frames().len();
    chosen(text, count).map_err(|problem| {
        let place = path.display();
        Failure::input(match problem {
            Problem::Form => format!("--frames {text}: expected {FORMS}"),
            Problem::Beyond(number, range) => format!("--frames {text}: frame {number}: {place} {range}"),
            Problem::Reversed(part) => {
                format!("--frames {text}: {part} ends before it begins in {place}, which has {count} frames")
            }
            Problem::TooMany => format!("--frames {text}: expected at most {MOST} frames"),
        })
    })
}

/// What is wrong with a choice.
#[derive(Debug, PartialEq)]
enum Problem {
    Form,
    /// A number, and the range that it is not in.
    Beyond(i64, String),
    Reversed(String),
    TooMany,
}

fn chosen(text: &str, count: usize) -> Result<Vec<usize>, Problem> {
    let mut indices = Vec::new();
    for part in text.split(',').map(str::trim) {
        indices.extend(part_of(part, count)?);
        if indices.len() > MOST {
            return Err(Problem::TooMany);
        }
    }
    Ok(indices)
}

fn part_of(part: &str, count: usize) -> Result<Vec<usize>, Problem> {
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| Problem::Form);
    let index = |number: i64| index(number, count).map_err(|range| Problem::Beyond(number, range));
    let (range, step) = match part.split_once(':') {
        Some((range, step)) => {
            (range.trim(), step.trim().parse::<usize>().ok().filter(|&n| n > 0).ok_or(Problem::Form)?)
        }
        None => (part, 1),
    };
    let ends = if range == "all" { Some(("", "")) } else { range.split_once("..") };
    let Some((first, last)) = ends else {
        return if step == 1 && !part.contains(':') { Ok(vec![index(number(part)?)?]) } else { Err(Problem::Form) };
    };
    let end = |text: &str, open: i64| if text.trim().is_empty() { Ok(open) } else { number(text) };
    let (first, last) = (index(end(first, 0)?)?, index(end(last, -1)?)?);
    if last < first {
        return Err(Problem::Reversed(range.to_owned()));
    }
    Ok((first..=last).step_by(step).collect())
}

/// Index of a frame among so many, or the range that its number is not in.
fn index(number: i64, count: usize) -> Result<usize, String> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let index = if number < 0 { count.saturating_add(number) } else { number };
    if count == 0 {
        return Err("has no frames".to_owned());
    }
    if !(0..count).contains(&index) {
        return Err(format!("has {count} frames, expected {} to {}", -count, count - 1));
    }
    Ok(index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_chosen_by_ranges_and_lists_from_both_ends() {
        let of_ten = |text: &str| chosen(text, 10).unwrap();
        assert_eq!(of_ten("all"), (0..10).collect::<Vec<_>>());
        assert_eq!(of_ten("2..5"), [2, 3, 4, 5]);
        assert_eq!(of_ten("-3..-1"), [7, 8, 9]);
        assert_eq!(of_ten("1..-1:4"), [1, 5, 9]);
        assert_eq!(of_ten("..:3"), [0, 3, 6, 9]);
        assert_eq!(of_ten("all:5"), [0, 5]);
        assert_eq!(of_ten("8.."), [8, 9]);
        assert_eq!(of_ten("9, 0,-2 , 3..4"), [9, 0, 8, 3, 4]);
    }

    #[test]
    fn what_chooses_no_frames_is_refused() {
        let range = || "has 10 frames, expected -10 to 9".to_owned();
        for (text, problem) in [
            ("", Problem::Form),
            ("last", Problem::Form),
            ("1..2..3", Problem::Form),
            ("0..9:0", Problem::Form),
            ("0..9:-1", Problem::Form),
            ("3:2", Problem::Form),
            ("1.5", Problem::Form),
            ("99999999999999999999", Problem::Form),
            ("0..10", Problem::Beyond(10, range())),
            ("-11", Problem::Beyond(-11, range())),
            ("5..3", Problem::Reversed("5..3".to_owned())),
            ("-1..0", Problem::Reversed("-1..0".to_owned())),
        ] {
            assert_eq!(chosen(text, 10), Err(problem), "{text}");
        }
        assert_eq!(chosen("all", 0), Err(Problem::Beyond(0, "has no frames".to_owned())));
        assert_eq!(chosen(&["all"; 11].join(","), 100_000), Err(Problem::TooMany));
    }
}
