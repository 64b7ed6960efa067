//! A regular expression for quantities as texts, for editors that check scenes.
//!
//! It admits what a reader of quantities admits, but for units that are written together without a separator, and finds wrong symbols; whether a
//! unit has the right dimension it does not check.

use super::symbol;

const NUMBER: &str = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?";
const POWER: &str = r"(?:(?:\^|\*\*)?[+-]?[0-9]|\u207b?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079])";

/// The pattern of a text that stands for a quantity; one without a dimension needs no unit.
#[must_use]
pub fn text_pattern(is_plain: bool) -> String {
    let (prefixed, alone) = symbol::names();
    let prefixes = symbol::prefixes().join("|");
    let (prefixed, alone) = (prefixed.join("|"), alone.join("|"));
    let factor = format!("(?:(?:{prefixes})?(?:{prefixed})|{alone}){POWER}?");
    let separator = format!(r"(?:[ \t*\u00b7\u22c5/(]|\){POWER}?)+");
    let unit = format!(r"(?:/[ \t]*)?[( \t]*{factor}(?:{separator}{factor})*(?:[ \t]*\){POWER}?)*");
    let unit = if is_plain { format!("(?:{unit})?") } else { unit };
    format!(r"^[ \t]*{NUMBER}[ \t]*{unit}[ \t]*$")
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;
    use crate::units::{DimensionVector, parse_quantity};

    #[test]
    fn pattern_admits_what_is_read_and_no_wrong_symbol() {
        let pattern = Regex::new(&text_pattern(false)).unwrap();
        for (text, unit) in [
            ("2.5 mm", "m"),
            ("-.5e-3m", "m"),
            ("+1. \u{b5}m", "m"),
            ("12 kN/m", "N/m"),
            ("3 N s/m", "N s/m"),
            ("2500 kg/m^3", "kg/m^3"),
            ("2500 kg m-3", "kg/m^3"),
            ("9.81 m/s\u{b2}", "m/s^2"),
            ("1 m s\u{207b}\u{b9}", "m/s"),
            ("1 J/(kg K)", ""),
            ("1 N/(m/s)", "N s/m"),
            ("1 (m/s)^2", "m^2/s^2"),
            ("5 1/s", "1/s"),
            ("5 /s", "1/s"),
            ("30 deg", "rad"),
            ("30\u{b0}", "rad"),
            ("100 rpm", "rad/s"),
            ("1e-6 s", "s"),
            ("2 N*m", "N m"),
            ("2 N\u{b7}m", "N m"),
        ] {
            if unit.is_empty() {
                continue;
            }
            let dimension = DimensionVector::from_unit_text(unit).unwrap();
            assert!(parse_quantity(text, dimension).is_ok(), "{text}");
            assert!(pattern.is_match(text), "{text}");
        }
        for text in ["", "mm", "2.5", "2.5 inch", "2,5 mm", "2.5 mmm", "1 sec", "1 kg/m^", "1 kg//"] {
            assert!(!pattern.is_match(text), "{text}");
        }
        let plain = Regex::new(&text_pattern(true)).unwrap();
        for text in ["0.5", "50 %", "1e-3", "1 m/m"] {
            assert!(plain.is_match(text), "{text}");
        }
        assert!(!plain.is_match("half"));
    }
}
