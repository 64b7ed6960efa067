//! Lines of a text and the numbers in them.

use super::error::{LineFault, NumberFault};
use crate::suggestion::excerpt;
use crate::units::LARGEST;

/// Characters of a bad field that a message repeats.
const EXCERPT: usize = 40;

/// Lines with their numbers from 1, without what begins with `#` and without space around. A byte order mark, which some programs put before UTF-8, is
/// no part of the first one.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let without_comment = |line: &'_ str| -> usize { line.find('#').unwrap_or(line.len()) };
    text.lines().enumerate().map(move |(k, line)| (k + 1, line[..without_comment(line)].trim()))
}

/// What a message repeats of a text.
pub(super) fn shown(text: &str) -> String {
    excerpt(text, EXCERPT)
}

/// A field of a line: its column from 1, what it means, and its text.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub column: usize,
    pub name: &'static str,
    pub text: &'a str,
}

impl Field<'_> {
    pub fn refuse(self, fault: NumberFault) -> LineFault {
        LineFault::Number { column: self.column, name: self.name, text: shown(self.text), fault }
    }

    /// A finite number.
    pub fn number(self) -> Result<f64, LineFault> {
        let read = self.text.parse::<f64>().ok().filter(|value| value.is_finite());
        let value = read.ok_or_else(|| self.refuse(NumberFault::NoNumber))?;
        if value.abs() <= LARGEST { Ok(value) } else { Err(self.refuse(NumberFault::TooLarge)) }
    }

    /// A finite number above zero.
    pub fn positive(self) -> Result<f64, LineFault> {
        let value = self.number()?;
        if value > 0.0 { Ok(value) } else { Err(self.refuse(NumberFault::NotPositive)) }
    }

    /// A whole number.
    pub fn whole(self) -> Result<i64, LineFault> {
        self.text.parse().map_err(|_| self.refuse(NumberFault::NotWhole))
    }

    /// A whole number from 1 to `largest`.
    pub fn count(self, largest: usize) -> Result<usize, LineFault> {
        let value = self.text.parse::<usize>().ok();
        value.filter(|value| (1..=largest).contains(value)).ok_or_else(|| self.refuse(NumberFault::OutOfRange(largest)))
    }
}

/// Fields of a line between white space, with their names; `expected` tells what the line should be if there are more or less.
pub(super) fn fields<'a, const N: usize>(
    line: &'a str,
    names: [&'static str; N],
    expected: &'static str,
) -> Result<[Field<'a>; N], LineFault> {
    let texts: Vec<&str> = line.split_whitespace().collect();
    let texts: [&str; N] =
        texts.try_into().map_err(|texts: Vec<&str>| LineFault::FieldCount { found: texts.len(), expected })?;
    Ok(std::array::from_fn(|k| Field { column: k + 1, name: names[k], text: texts[k] }))
}

/// Coordinates and radius of a sphere.
pub(super) fn place_and_radius([x, y, z, r]: [Field; 4]) -> Result<[f64; 4], LineFault> {
    Ok([x.number()?, y.number()?, z.number()?, r.positive()?])
}
