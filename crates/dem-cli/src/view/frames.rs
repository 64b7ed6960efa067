//! Frames by their numbers.

/// Numbers of the frames that a text asks for, of so many: `all`, one number, or a range with both ends and a step as in `FIRST..LAST:EVERY`.
///
/// # Errors
/// A text of another form, a frame that there is not; the message goes behind the name of the file.
pub fn chosen_frames(text: &str, count: usize) -> Result<Vec<usize>, String> {
    if count == 0 {
        return Err("holds no frame".to_owned());
    }
    if text == "all" {
        return Ok((0..count).collect());
    }
    let (range, every) = match text.split_once(':') {
        Some((range, every)) => (range, step(every)?),
        None => (text, 1),
    };
    let Some((first, last)) = range.split_once("..") else {
        return if every == 1 { Ok(vec![number(range, count)?]) } else { Err(form()) };
    };
    let first = if first.is_empty() { 0 } else { number(first, count)? };
    let last = if last.is_empty() { count - 1 } else { number(last, count)? };
    if last < first {
        return Err(format!("has no frame from {first} to {last}, expected a range that goes forward"));
    }
    Ok((first..=last).step_by(every).collect())
}

fn form() -> String {
    "needs all, a number, or a range such as 10..20 or ..:5".to_owned()
}

fn step(text: &str) -> Result<usize, String> {
    text.trim().parse::<usize>().ok().filter(|&every| every > 0).ok_or_else(form)
}

fn number(text: &str, count: usize) -> Result<usize, String> {
    let number: i64 = text.trim().parse().map_err(|_| form())?;
    let index = if number < 0 { number.saturating_add(count as i64) } else { number };
    usize::try_from(index)
        .ok()
        .filter(|&index| index < count)
        .ok_or_else(|| format!("has {count} frames, expected {} to {}", -(count as i64), count - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_chosen_by_number_and_range() {
        let chosen = |text| chosen_frames(text, 10).unwrap();
        assert_eq!(chosen("all"), (0..10).collect::<Vec<_>>());
        assert_eq!(chosen("-1"), [9]);
        assert_eq!(chosen("2..5"), [2, 3, 4, 5]);
        assert_eq!(chosen("2..-1:3"), [2, 5, 8]);
        assert_eq!(chosen("..:4"), [0, 4, 8]);
        assert_eq!(chosen("-3.."), [7, 8, 9]);
    }

    #[test]
    fn frames_that_there_are_not_are_refused() {
        for (text, message) in [
            ("10", "has 10 frames, expected -10 to 9"),
            ("0..10", "has 10 frames"),
            ("-11..", "has 10 frames"),
            ("5..2", "no frame from 5 to 2"),
            ("..:0", "needs all"),
            ("1:2", "needs all"),
            ("", "needs all"),
            ("a..b", "needs all"),
            ("..:99999999999999999999", "needs all"),
        ] {
            let error = chosen_frames(text, 10).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(chosen_frames("all", 0).unwrap_err().contains("no frame"));
    }
}
