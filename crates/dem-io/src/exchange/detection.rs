//! The format of a text by its first lines.

use super::format::ForeignFormat;
use super::pfc;

/// How many numbers a line is made of, nothing if it holds anything else.
fn numbers_in(line: &[u8]) -> Option<usize> {
    let mut count = 0;
    for field in line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()) {
        std::str::from_utf8(field).ok()?.parse::<f64>().ok()?;
        count += 1;
    }
    Some(count)
}

/// The format of a text by its first lines, `None` if no format fits or several do.
pub(super) fn detect(head: &[Vec<u8>]) -> Option<ForeignFormat> {
    let line = |number: usize| head.get(number).map_or(&b""[..], |line| line.trim_ascii());
    let filled: Vec<&[u8]> = head.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let first = filled.first()?;
    if first.starts_with(b"ITEM:") {
        return Some(ForeignFormat::LammpsDump);
    }
    if filled.iter().any(|line| line.starts_with(b"#format")) {
        return Some(ForeignFormat::Yade);
    }
    let holds = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|window| window == word);
    if numbers_in(line(0)) == Some(1) && holds(line(1), b"Properties=") {
        return Some(ForeignFormat::ExtendedXyz);
    }
    let ends = |words: &[u8]| filled.iter().any(|line| line.ends_with(words) && line.len() > words.len());
    if ends(b" atoms") && ends(b" xlo xhi") {
        return Some(ForeignFormat::LammpsData);
    }
    // a header of count, time and six bounds, or of four bounds in two dimensions, which is refused by name
    if matches!(numbers_in(first), Some(8 | 6))
        && filled.get(1).is_some_and(|row| matches!(numbers_in(row), Some(14 | 8)))
    {
        return Some(ForeignFormat::Mercury);
    }
    pfc::is_likely(&filled).then_some(ForeignFormat::Pfc)
}
