//! What a user gives on the command line: quantities, numbers, names.
//!
//! A number with a dimension has a unit there, always.
//!
//! A number without one would be taken as SI in silence, and a pressure of 100 instead of "100 kPa" is a thousandfold error that nothing else
//! would notice. Zero is the same in every unit and needs none.

use dem_io::nearest;
use dem_io::units::{DimensionVector, UnitError, parse_quantity};

use crate::error::ReportError;

/// A number with a unit, in SI. `unit` is one of its dimension.
///
/// # Errors
/// A text that is not of this form, named with its option.
pub fn quantity(option: &'static str, unit: &str, text: &str) -> Result<f64, ReportError> {
    if text.trim().parse().is_ok_and(|number: f64| number != 0.0) {
        let (value, allowed) = (text.to_owned(), format!("a number with its unit, as in \"{} {unit}\"", text.trim()));
        return Err(ReportError::Option { option, value, allowed });
    }
    in_si(unit, text).map_err(|error| ReportError::Quantity { option, why: of_command_line(&error) })
}

/// What is wrong with a quantity, without the plain numbers that scenes may give.
fn of_command_line(error: &UnitError) -> String {
    let text = error.to_string();
    text.split(" or a number in ").next().unwrap_or_default().to_owned()
}

fn in_si(unit: &str, text: &str) -> Result<f64, UnitError> {
    if text.trim().parse() == Ok(0.0) {
        return Ok(0.0);
    }
    parse_quantity(text, DimensionVector::from_unit_text(unit)?)
}

/// Quantities as a user lists them, in SI: `"1,2 mm"` or `"1 mm, 2 cm"`, `"2..4:5 mm"` for five even ones from 2 to 4 mm. A number without a
/// unit has that of the next number with one.
///
/// # Errors
/// Another form, no unit, a quantity that is not `allowed`.
pub fn quantities(
    option: &'static str,
    unit: &str,
    text: &str,
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<Vec<f64>, ReportError> {
    list(option, unit, text, allowed, |number, given| in_si(unit, &format!("{number:?} {given}")), admissible)
}

/// Angles in degrees, given in degrees or radians.
///
/// # Errors
/// As [`quantities`].
pub fn angles(
    option: &'static str,
    text: &str,
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<Vec<f64>, ReportError> {
    let in_degrees = |number: f64, given: &str| match given {
        // on the way to radians and back it would not be the same number
        "deg" => Ok(number),
        _ => in_si("rad", &format!("{number:?} {given}")).map(f64::to_degrees),
    };
    list(option, "deg", text, allowed, in_degrees, admissible)
}

fn list(
    option: &'static str,
    unit: &str,
    text: &str,
    allowed: &str,
    converted: impl Fn(f64, &str) -> Result<f64, UnitError>,
    admissible: impl Fn(f64) -> bool,
) -> Result<Vec<f64>, ReportError> {
    let refused = |why: &str| ReportError::Option {
        option,
        value: text.to_owned(),
        allowed: format!("numbers with a unit, as in \"2,5,10 {unit}\" or \"2..40:20 {unit}\", each {allowed}{why}"),
    };
    let mut words: Vec<Vec<f64>> = Vec::new();
    let mut following = None;
    for word in text.split(',').rev() {
        let (number, given) = split(word);
        let given = if given.is_empty() { following } else { Some(given) };
        following = given;
        // which of them are admissible is known in SI only
        let plain = numbers(option, number, allowed, |_| true).map_err(|_| refused(""))?;
        let in_si = plain.into_iter().map(|number| match given {
            Some(given) => converted(number, given).map_err(|error| refused(&format!("; {}", of_command_line(&error)))),
            None if number == 0.0 => Ok(0.0),
            None => Err(refused("; the unit is missing")),
        });
        words.push(in_si.collect::<Result<_, _>>()?);
    }
    let all: Vec<f64> = words.into_iter().rev().flatten().collect();
    match all.iter().find(|&&x| !admissible(x)) {
        Some(_) => Err(refused("")),
        None => Ok(all),
    }
}

/// Numbers and the unit behind them.
fn split(word: &str) -> (&str, &str) {
    let bytes = word.as_bytes();
    let is_number = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_digit() || b"+-.".contains(byte));
    let is_exponent = |at: usize| b"eE".contains(&bytes[at]) && at > 0 && is_number(at - 1) && is_number(at + 1);
    let begin = word.char_indices().find(|&(at, c)| !(c.is_ascii_digit() || "+-.: \t".contains(c) || is_exponent(at)));
    let (numbers, unit) = word.split_at(begin.map_or(word.len(), |(at, _)| at));
    (numbers.trim(), unit.trim())
}

/// Checks a whole number of the command line.
///
/// # Errors
/// A number outside `least` to `most`.
pub fn within(option: &'static str, value: u64, least: u64, most: u64) -> Result<(), ReportError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ReportError::Option { option, value: value.to_string(), allowed: format!("{least} to {most}") })
}

/// What is allowed where a name is none of those that are known, with the one that is probably meant.
pub fn one_of(name: &str, known: &[&str]) -> String {
    let meant = nearest(name, known.iter().copied());
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
    format!("one of {}{meant}", known.join(", "))
}

/// A number, or a share in percent.
fn number_or_percent(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim_end().parse::<f64>().ok().map(|x| x / 100.0),
        None => text.parse().ok(),
    };
    number.filter(|x| x.is_finite())
}

/// A number of the command line without a dimension: plain, or in percent.
///
/// # Errors
/// In words, for another text.
pub fn share(text: &str) -> Result<f64, String> {
    number_or_percent(text).ok_or_else(|| "expected a finite number such as 0.05, or 5 %".to_owned())
}

/// Numbers as a user lists them, in percent, too: `2,5,10`, `5 %, 10 %`, `2..40:20` for twenty even ones from 2 to 40, or all of these.
///
/// # Errors
/// No number, more than ten thousand, or one that is not `allowed`.
pub fn numbers(
    option: &'static str,
    text: &str,
    allowed: &str,
    admissible: impl Fn(f64) -> bool,
) -> Result<Vec<f64>, ReportError> {
    const MOST: usize = 10_000;
    let refused = |value: &str| ReportError::Option {
        option,
        value: value.to_owned(),
        allowed: format!("1 to {MOST} numbers as in 2,5,10 or 2..40:20, each {allowed}"),
    };
    let mut all = Vec::new();
    for word in text.split(',').map(str::trim) {
        let number = number_or_percent;
        let range = word.split_once("..").map(|(from, rest)| (from, rest.split_once(':')));
        match range {
            None => all.push(number(word).ok_or_else(|| refused(text))?),
            Some((from, Some((to, count)))) => {
                let ends = number(from).zip(number(to)).ok_or_else(|| refused(text))?;
                let count = count.trim().parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
                let count = count.ok_or_else(|| refused(text))?;
                let share = |k: usize| if count == 1 { 0.0 } else { k as f64 / (count - 1) as f64 };
                all.extend((0..count).map(|k| ends.0 + (ends.1 - ends.0) * share(k)));
            }
            Some((_, None)) => return Err(refused(text)),
        }
    }
    if all.is_empty() || all.len() > MOST {
        return Err(refused(text));
    }
    match all.iter().find(|&&x| !admissible(x)) {
        Some(x) => Err(refused(&x.to_string())),
        None => Ok(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, ReportError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn a_quantity_has_a_unit_or_is_zero() {
        assert_eq!(quantity("--pressure", "Pa", "100 kPa").unwrap(), 1e5);
        assert_eq!(quantity("--rate", "1/s", "-0.5 1/s").unwrap(), -0.5);
        assert_eq!(quantity("--until", "s", "0").unwrap(), 0.0);
        for text in ["100", "1e5", "-3", "inf", "nan"] {
            let message = message(quantity("--pressure", "Pa", text));
            assert!(
                message.starts_with("--pressure = ") && message.contains("a number with its unit, as in"),
                "{message}"
            );
        }
        let wrong = message(quantity("--pressure", "Pa", "3 kg"));
        assert!(
            wrong.starts_with("--pressure: ") && wrong.ends_with("expected a pressure such as \"70 GPa\""),
            "{wrong}"
        );
    }

    #[test]
    fn a_list_has_its_unit_behind_the_last_number_or_behind_each() {
        let lengths = |text| quantities("--period", "m", text, "above 0", |x| x >= 0.0);
        assert_eq!(lengths("1,2.5 mm").unwrap(), [1e-3, 2.5e-3]);
        assert_eq!(lengths("0, 1 cm, 2,3mm").unwrap(), [0.0, 1e-2, 2e-3, 3e-3]);
        assert_eq!(lengths("2e-3..4e-3:3 m").unwrap(), [2e-3, 3e-3, 4e-3]);
        assert_eq!(lengths("0,0").unwrap(), [0.0, 0.0]);
        for (text, why) in [
            ("1,2", "the unit is missing"),
            ("1 mm, 2", "the unit is missing"),
            ("1 kg", "each above 0"),
            ("-1 mm", "each above 0"),
            ("x", "2..40:20 m"),
            ("", "2..40:20 m"),
        ] {
            let message = message(lengths(text));
            assert!(message.starts_with("--period = ") && message.contains(why), "{text}: {message}");
        }
    }

    #[test]
    fn angles_keep_their_digits_in_degrees() {
        let given = |text| angles("--angle", text, "in (0, 90) degrees", |x| x > 0.0 && x < 90.0);
        assert_eq!(given("2, 10..30:3 deg").unwrap(), [2.0, 10.0, 20.0, 30.0]);
        assert!((given("0.5 rad").unwrap()[0] - 28.647_889_756_541_16).abs() < 1e-12);
        for text in ["5", "nan", "90 deg", "0", "2..30:0 deg", "5 m"] {
            let message = message(given(text));
            assert!(message.contains("in (0, 90)") && message.contains("2..40:20"), "{text}: {message}");
        }
    }

    #[test]
    fn shares_are_plain_or_in_percent() {
        assert_eq!((share("5 %"), share("0.05"), share(" 50% ")), (Ok(0.05), Ok(0.05), Ok(0.5)));
        for text in ["", "%", "5 m", "nan", "inf %"] {
            assert!(share(text).is_err(), "{text}");
        }
        assert_eq!(numbers("--friction", "10 %, 0.5", "0 or positive", |x| x >= 0.0).unwrap(), [0.1, 0.5]);
    }

    #[test]
    fn lists_and_ranges_of_numbers() {
        let numbers = |text| numbers("--angle", text, "in (0, 90)", |x| x > 0.0 && x < 90.0);
        assert_eq!(numbers("2, 10..30:3").unwrap(), [2.0, 10.0, 20.0, 30.0]);
        assert_eq!(numbers("7..9:1").unwrap(), [7.0]);
        for refused in ["", "2..30:0", "2..30", "0", "90", "nan", "2..30:1000000", "5,x"] {
            let message = numbers(refused).unwrap_err().to_string();
            assert!(message.starts_with("--angle = ") && message.contains("in (0, 90)"), "{refused}: {message}");
        }
    }
}
