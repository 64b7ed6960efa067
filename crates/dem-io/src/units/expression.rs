//! Reading "2.5 mm" or "12 kN/m" into SI.

use super::dimension::DimensionVector;
use super::error::UnitError;
use super::symbol::{self, Unit};
use crate::suggestion::excerpt;

/// Largest size of a number in a scene, in a table of particles and in a saved state \[SI\]: one for all of them, so that whatever a scene may
/// say can be saved and read again. Squares of such numbers are finite, and so are sums of those.
pub const LARGEST: f64 = 1e100;
/// Longest text that is read; anything longer is no quantity.
const LONGEST_TEXT: usize = 256;
/// Largest power that may be written; more would be a slip of the pen.
const LARGEST_POWER: i8 = 9;
/// Deepest nesting of parentheses in a unit.
const DEEPEST_GROUP: usize = 4;
/// Characters of a bad text that a message repeats.
const EXCERPT: usize = 60;

impl DimensionVector {
    /// The dimension of a unit text such as "N/m"; "-", "1" and "" are dimensionless.
    ///
    /// # Errors
    /// When the text is no unit expression.
    pub fn from_unit_text(text: &str) -> Result<Self, UnitError> {
        match text.trim() {
            "" | "-" | "1" => Ok(Self::NONE),
            unit => parse_unit_text(unit).map(|unit| unit.vector),
        }
    }
}

/// Reads a number with a unit and returns it in SI units of `dimension`.
///
/// The decimal scaling of prefixes is exact: "2.5 mm" gives the double nearest to 0.0025.
///
/// # Errors
/// When the text is no number, its unit is unknown, missing, malformed or of another dimension, or
/// the value is not finite or beyond [`LARGEST`]. The message names the text, what was expected and a likely unit.
pub fn parse_quantity(text: &str, dimension: DimensionVector) -> Result<f64, UnitError> {
    parse_expecting(text, dimension, &|| dimension.expectation())
}

/// [`parse_quantity`] with the words for what is expected.
pub(super) fn parse_expecting(
    text: &str,
    dimension: DimensionVector,
    expectation: &dyn Fn() -> String,
) -> Result<f64, UnitError> {
    let trimmed = text.trim();
    let shown = || excerpt(text, EXCERPT);
    if trimmed.len() > LONGEST_TEXT {
        return Err(UnitError::Malformed {
            text: shown(),
            reason: "the text is longer than 256 bytes",
            expected: expectation(),
        });
    }
    let Some(number) = split_number(trimmed) else {
        return Err(UnitError::NoNumber { text: shown(), expected: expectation() });
    };
    let unit = if number.rest.is_empty() {
        if !dimension.is_none() {
            return Err(UnitError::NoUnit { text: shown(), expected: expectation() });
        }
        Unit::ONE
    } else {
        read_unit(number.rest).map_err(|problem| problem.in_text(shown(), expectation()))?
    };
    if unit.counts_cycles && dimension.has_angle() {
        return Err(UnitError::CyclesForAngle { text: shown() });
    }
    if !dimension.accepts(unit.vector) {
        return Err(UnitError::WrongDimension {
            text: shown(),
            found: unit.vector.to_string(),
            expected: expectation(),
        });
    }
    in_range(number.scaled(&unit).unwrap_or(f64::INFINITY), || format!("\"{}\"", shown()), expectation)
}

/// Checks that a value is one that scenes and saved states may have; `text` is how it was written.
pub(super) fn in_range(
    value: f64,
    text: impl Fn() -> String,
    expectation: &dyn Fn() -> String,
) -> Result<f64, UnitError> {
    if !value.is_finite() {
        Err(UnitError::NotFinite { text: text(), expected: expectation() })
    } else if value.abs() > LARGEST {
        Err(UnitError::TooLarge { text: text(), limit: LARGEST, expected: expectation() })
    } else {
        Ok(value)
    }
}

/// The number that a text stands for in SI units, whatever its dimension; `None` for a text that is no quantity. To tell whether two texts for
/// the same key mean the same.
pub(crate) fn si_value(text: &str) -> Option<f64> {
    let trimmed = text.trim();
    let number = split_number(trimmed).filter(|_| trimmed.len() <= LONGEST_TEXT)?;
    let unit = if number.rest.is_empty() { Unit::ONE } else { read_unit(number.rest).ok()? };
    number.scaled(&unit)
}

/// Reads a unit without a number.
pub(super) fn parse_unit_text(text: &str) -> Result<Unit, UnitError> {
    let problem = if text.len() > LONGEST_TEXT {
        UnitProblem::Malformed("the text is longer than 256 bytes")
    } else {
        match read_unit(text) {
            Ok(unit) => return Ok(unit),
            Err(problem) => problem,
        }
    };
    Err(problem.in_text(excerpt(text, EXCERPT), "a unit such as \"N s/m\"".to_owned()))
}

/// A decimal number as written and what follows it.
struct Number<'a> {
    mantissa: &'a str,
    exponent: Option<&'a str>,
    rest: &'a str,
}

impl Number<'_> {
    /// The value in SI units; `None` when the written exponent is beyond any double.
    fn scaled(&self, unit: &Unit) -> Option<f64> {
        let exponent: i32 = self.exponent.map_or(Ok(0), str::parse).ok()?;
        let decimal = exponent.checked_add(unit.decimal)?;
        let value: f64 = format!("{}e{decimal}", self.mantissa).parse().ok()?;
        // Division first keeps the usual values exact: 45 deg is a quarter of pi, 30 rpm is pi.
        Some(value / unit.denominator * unit.numerator)
    }
}

/// Splits the leading decimal number off; `None` when there is none.
fn split_number(text: &str) -> Option<Number<'_>> {
    let bytes = text.as_bytes();
    let digits_from = |start: usize| {
        let rest = bytes.get(start..).unwrap_or_default();
        start + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign_from = |start: usize| match bytes.get(start) {
        Some(b'+' | b'-') => start + 1,
        _ => start,
    };
    let whole_start = sign_from(0);
    let whole_end = digits_from(whole_start);
    let mut end = whole_end;
    let mut digits = whole_end - whole_start;
    if bytes.get(end) == Some(&b'.') {
        let fraction_end = digits_from(end + 1);
        digits += fraction_end - (end + 1);
        end = fraction_end;
    }
    if digits == 0 {
        return None;
    }
    let mantissa = text.get(..end)?;
    if let Some(b'e' | b'E') = bytes.get(end) {
        let exponent_digits = sign_from(end + 1);
        let exponent_end = digits_from(exponent_digits);
        if exponent_end > exponent_digits {
            return Some(Number {
                mantissa,
                exponent: text.get(end + 1..exponent_end),
                rest: text.get(exponent_end..)?.trim_start(),
            });
        }
    }
    Some(Number { mantissa, exponent: None, rest: text.get(end..)?.trim_start() })
}

/// A problem in a unit, not yet joined to the text around it.
enum UnitProblem {
    Unknown(String),
    Malformed(&'static str),
}

impl UnitProblem {
    fn in_text(self, text: String, expected: String) -> UnitError {
        match self {
            Self::Unknown(symbol) => {
                let hint =
                    symbol::suggest(&symbol).map(|unit| format!(" (did you mean `{unit}`?)")).unwrap_or_default();
                UnitError::UnknownUnit { text, symbol: excerpt(&symbol, EXCERPT), hint, expected }
            }
            Self::Malformed(reason) => UnitError::Malformed { text, reason, expected },
        }
    }
}

fn read_unit(text: &str) -> Result<Unit, UnitProblem> {
    let mut reader = UnitReader { rest: text };
    let unit = reader.product(0)?;
    if reader.rest.is_empty() { Ok(unit) } else { Err(UnitProblem::Malformed("`)` without `(`")) }
}

/// Recursive descent over the unit text; `rest` is what remains to be read.
struct UnitReader<'a> {
    rest: &'a str,
}

impl UnitReader<'_> {
    /// `factor { (" " | "*" | "·" | "/") factor }`, up to the end or a closing parenthesis.
    fn product(&mut self, depth: usize) -> Result<Unit, UnitProblem> {
        let mut product = Unit::ONE;
        self.skip_spaces();
        let mut divide = self.take('/');
        let mut divided = divide;
        loop {
            self.skip_spaces();
            let (factor, power) = self.factor(depth)?;
            let power = if divide { -power } else { power };
            product = multiply(&product, &factor, power)?;
            self.skip_spaces();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(product);
            }
            divide = self.take('/');
            if !divide {
                if divided {
                    return Err(UnitProblem::Malformed(
                        "a product after `/` is ambiguous, put the divisor in parentheses",
                    ));
                }
                let _explicit = self.take('*') || self.take('·') || self.take('⋅');
            }
            divided |= divide;
        }
    }

    /// A unit or a group, and its power.
    fn factor(&mut self, depth: usize) -> Result<(Unit, i8), UnitProblem> {
        if self.take('(') {
            if depth == DEEPEST_GROUP {
                return Err(UnitProblem::Malformed("parentheses are nested too deeply"));
            }
            let group = self.product(depth + 1)?;
            if !self.take(')') {
                return Err(UnitProblem::Malformed("`(` is never closed"));
            }
            return Ok((group, self.power()?));
        }
        let is_letter = |c: char| c.is_alphabetic() || c == '%' || c == '°';
        let end = self.rest.find(|c: char| !is_letter(c)).unwrap_or(self.rest.len());
        let (name, after) = self.rest.split_at(end);
        if name.is_empty() {
            if self.take('1') && !self.rest.starts_with(|c: char| c.is_ascii_digit()) {
                return Ok((Unit::ONE, 1));
            }
            return Err(UnitProblem::Malformed(match self.rest.chars().next() {
                None => "a unit is missing at its end",
                Some(')') => "`)` without a unit before it",
                Some(c) if c.is_ascii_digit() => "it has a number in place of a unit",
                Some(_) => "a unit is a letter symbol such as `mm` or `N`",
            }));
        }
        self.rest = after;
        let unit = symbol::find(name).ok_or_else(|| UnitProblem::Unknown(name.to_owned()))?;
        Ok((unit, self.power()?))
    }

    /// `^2`, `**2`, `2`, `-1`, `²`, `⁻¹` or nothing.
    fn power(&mut self) -> Result<i8, UnitProblem> {
        const BAD: UnitProblem = UnitProblem::Malformed("a power is a whole number from -9 to 9, as in `m^2`");
        let marked = self.take('^') || self.take_text("**");
        let digits: String = self
            .rest
            .chars()
            .map_while(|c| match c {
                '-' | '+' | '0'..='9' => Some(c),
                '⁻' => Some('-'),
                '⁰' => Some('0'),
                '¹' => Some('1'),
                '²' => Some('2'),
                '³' => Some('3'),
                '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10),
                _ => None,
            })
            .collect();
        if digits.is_empty() {
            return if marked { Err(BAD) } else { Ok(1) };
        }
        let bytes: usize = self.rest.chars().take(digits.len()).map(char::len_utf8).sum();
        self.rest = self.rest.get(bytes..).unwrap_or_default();
        match digits.parse::<i8>() {
            Ok(power) if (-LARGEST_POWER..=LARGEST_POWER).contains(&power) && power != 0 => Ok(power),
            _ => Err(BAD),
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, character: char) -> bool {
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn take_text(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

/// `product * factor^power`.
fn multiply(product: &Unit, factor: &Unit, power: i8) -> Result<Unit, UnitProblem> {
    const TOO_LARGE: UnitProblem = UnitProblem::Malformed("its powers are too large");
    let vector = product.vector.multiply(factor.vector, power).ok_or(TOO_LARGE)?;
    let decimal = factor
        .decimal
        .checked_mul(i32::from(power))
        .and_then(|decimal| decimal.checked_add(product.decimal))
        .ok_or(TOO_LARGE)?;
    let (mut numerator, mut denominator) = (product.numerator, product.denominator);
    for _ in 0..power.unsigned_abs() {
        let (above, below) =
            if power > 0 { (factor.numerator, factor.denominator) } else { (factor.denominator, factor.numerator) };
        numerator *= above;
        denominator *= below;
    }
    Ok(Unit { vector, decimal, numerator, denominator, counts_cycles: product.counts_cycles || factor.counts_cycles })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{
        AngularVelocity, Density, Dimension, DragCoefficient, Frequency, Length, MassRate, Pressure, Ratio, Stiffness,
        Time,
    };

    fn parse<D: Dimension>(text: &str) -> Result<f64, UnitError> {
        parse_quantity(text, D::VECTOR)
    }

    #[test]
    fn value_is_the_nearest_double_of_the_decimal() {
        assert_eq!(parse::<Length>("2.5 mm"), Ok(0.0025));
        assert_eq!(parse::<Length>("2.5mm"), Ok(0.0025));
        assert_eq!(parse::<Length>("-7 µm"), Ok(-7e-6));
        assert_eq!(parse::<Length>("7 um"), Ok(7e-6));
        assert_eq!(parse::<Length>(".5e1 cm"), Ok(0.05));
        assert_eq!(parse::<Pressure>("70 GPa"), Ok(70e9));
        assert_eq!(parse::<Pressure>("0.2 N/mm^2"), Ok(2e5));
        assert_eq!(parse::<Density>("2 g/cm3"), Ok(2000.0));
        assert_eq!(parse::<Density>("2 g cm⁻³"), Ok(2000.0));
        assert_eq!(parse::<Density>("2 g*cm**-3"), Ok(2000.0));
        assert_eq!(parse::<Density>("2.5 t/m³"), Ok(2500.0));
        assert_eq!(parse::<Density>("1.2 kg/l"), Ok(1200.0));
        assert_eq!(parse::<Time>("0.5 h"), Ok(1800.0));
        assert_eq!(parse::<Time>("2 min"), Ok(120.0));
        assert_eq!(parse::<Time>("10 us"), Ok(1e-5));
        assert_eq!(parse::<DragCoefficient>("1e-3 N s/m"), Ok(1e-3));
        assert_eq!(parse::<DragCoefficient>("1e-3 N·s·m^-1"), Ok(1e-3));
        assert_eq!(parse::<Ratio>("3 %"), Ok(0.03));
        assert_eq!(parse::<Ratio>("0.3"), Ok(0.3));
        assert_eq!(parse::<MassRate>("36 t/h"), Ok(10.0));
        assert_eq!(parse::<Stiffness>("3 J/(m m)"), Ok(3.0));
    }

    #[test]
    fn angle_is_neither_lost_nor_invented() {
        let per_second = std::f64::consts::PI;
        assert_eq!(parse::<AngularVelocity>("30 rpm"), Ok(per_second));
        assert_eq!(parse::<AngularVelocity>("180 deg/s"), Ok(per_second));
        assert_eq!(parse::<AngularVelocity>("0.5 rev/s"), Ok(per_second));
        assert_eq!(parse::<AngularVelocity>("2 1/s"), Ok(2.0));
        assert!(matches!(parse::<AngularVelocity>("2 Hz"), Err(UnitError::CyclesForAngle { .. })));
        assert_eq!(parse::<Frequency>("2 kHz"), Ok(2000.0));
        assert_eq!(parse::<Frequency>("2 /s"), Ok(2.0));
        assert!(parse::<Frequency>("30 rpm").is_err());
        assert!(parse::<Ratio>("30 deg").is_err());
        let angle = DimensionVector::new(0, 0, 0, 1);
        assert!(parse_quantity("3 %", angle).is_err());
        assert_eq!(parse_quantity("180°", angle), Ok(std::f64::consts::PI));
    }

    #[test]
    fn refusal_names_the_text_the_dimension_and_an_example() {
        let message = |text| parse::<Length>(text).unwrap_err().to_string();
        let expected = "expected a length such as \"2.5 mm\" or a number in m";
        assert_eq!(message("2 mmm"), format!("\"2 mmm\" has the unknown unit `mmm` (did you mean `mm`?), {expected}"));
        assert_eq!(message("2 kg"), format!("\"2 kg\" is in kg, {expected}"));
        assert_eq!(message("2"), format!("\"2\" has no unit, {expected}"));
        assert_eq!(message("fast"), format!("\"fast\" does not start with a number, {expected}"));
        assert_eq!(message("1e999 m"), format!("\"1e999 m\" is not a finite number, {expected}"));
        assert_eq!(
            message("-2e99 km"),
            format!("\"-2e99 km\" is beyond 1e100, the largest number of a scene, {expected}")
        );
        assert_eq!(
            parse_quantity("1 m", DimensionVector::new(0, 1, -1, 0)).unwrap_err().to_string(),
            "\"1 m\" is in m, expected a value in kg/s or a number in kg/s"
        );
    }

    #[test]
    fn malformed_units_are_refused() {
        for text in [
            "1 m/",
            "1 m/s kg",
            "1 (m",
            "1 m)",
            "1 m^",
            "1 m^99",
            "1 m^0",
            "1 m^1.5",
            "1 2 m",
            "1 $",
            "1 ((((((m))))))",
            "1 m//s",
            "1 ()",
            "1 m^--1",
            "1 m*",
            "1 e",
            "NaN m",
            "inf m",
            "",
            " ",
            "-",
            "1 m9 m9 m9 m9 m9 m9 m9 m9 m9 m9 m9 m9 m9 m9 m9",
        ] {
            assert!(parse::<Length>(text).is_err(), "{text}");
        }
        assert!(parse::<Length>(&format!("1{} m", "0".repeat(300))).is_err());
    }

    #[test]
    fn declared_unit_text_gives_its_dimension() {
        let stiffness = DimensionVector::from_unit_text("N/m");
        assert_eq!(stiffness, Ok(Stiffness::VECTOR));
        assert_eq!(DimensionVector::from_unit_text("-"), Ok(DimensionVector::NONE));
        assert_eq!(DimensionVector::from_unit_text("kg m^2/(rad s)").unwrap().to_string(), "kg m^2/rad/s");
        assert!(DimensionVector::from_unit_text("N/q").is_err());
    }

    #[test]
    fn no_text_makes_the_reader_panic() {
        let alphabet: Vec<char> = "01.e-+ mkgsNPa/^*()·²⁻%°µé\u{0}".chars().collect();
        // A fixed linear congruential sequence (Knuth, MMIX) is enough to mix the alphabet.
        let mut state = 7_u64;
        for _ in 0..50_000 {
            let mut text = String::new();
            for _ in 0..(state >> 60) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            state = state.wrapping_add(1 << 58 | 1);
            if let Ok(value) = parse::<Length>(&text) {
                assert!(value.is_finite());
            }
        }
    }
}
