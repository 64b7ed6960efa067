//! Unit symbols: SI units with prefixes and the few others that scene authors use.

use super::dimension::DimensionVector;
use crate::suggestion;

/// A unit as `10^decimal * numerator / denominator` SI units.
///
/// Powers of ten stay an integer so that they can be joined to the decimal number that was
/// written: "2.5 mm" is then exactly the double nearest to 0.0025.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub(super) vector: DimensionVector,
    pub(super) decimal: i32,
    pub(super) numerator: f64,
    pub(super) denominator: f64,
    /// Whether `Hz` takes part, see [`super::UnitError::CyclesForAngle`].
    pub(super) counts_cycles: bool,
}

impl Unit {
    pub(super) const ONE: Self =
        Self { vector: DimensionVector::NONE, decimal: 0, numerator: 1.0, denominator: 1.0, counts_cycles: false };
}

struct Symbol {
    name: &'static str,
    /// Exponents of length, mass, time, angle.
    exponents: [i8; 4],
    decimal: i32,
    numerator: f64,
    denominator: f64,
    takes_prefix: bool,
}

const fn symbol(
    name: &'static str,
    exponents: [i8; 4],
    decimal: i32,
    (numerator, denominator): (f64, f64),
    takes_prefix: bool,
) -> Symbol {
    Symbol { name, exponents, decimal, numerator, denominator, takes_prefix }
}

const ONE: (f64, f64) = (1.0, 1.0);
const PI: f64 = std::f64::consts::PI;

/// Every unit. `bar`, `l` and `t` are accepted for use with the SI; `min`, `h`, `d`, `deg`, `rev`,
/// `rpm` and `%` take no prefix, so `min` can only be minutes and `Pa` only pascal.
const SYMBOLS: [Symbol; 22] = [
    symbol("m", [1, 0, 0, 0], 0, ONE, true),
    symbol("g", [0, 1, 0, 0], -3, ONE, true),
    symbol("s", [0, 0, 1, 0], 0, ONE, true),
    symbol("N", [1, 1, -2, 0], 0, ONE, true),
    symbol("Pa", [-1, 1, -2, 0], 0, ONE, true),
    symbol("J", [2, 1, -2, 0], 0, ONE, true),
    symbol("W", [2, 1, -3, 0], 0, ONE, true),
    symbol("Hz", [0, 0, -1, 0], 0, ONE, true),
    symbol("rad", [0, 0, 0, 1], 0, ONE, true),
    symbol("bar", [-1, 1, -2, 0], 5, ONE, true),
    symbol("l", [3, 0, 0, 0], -3, ONE, true),
    symbol("L", [3, 0, 0, 0], -3, ONE, true),
    symbol("t", [0, 1, 0, 0], 3, ONE, false),
    symbol("deg", [0, 0, 0, 1], 0, (PI, 180.0), false),
    symbol("°", [0, 0, 0, 1], 0, (PI, 180.0), false),
    symbol("rev", [0, 0, 0, 1], 0, (2.0 * PI, 1.0), false),
    symbol("rpm", [0, 0, -1, 1], 0, (PI, 30.0), false),
    symbol("min", [0, 0, 1, 0], 0, (60.0, 1.0), false),
    symbol("h", [0, 0, 1, 0], 0, (3600.0, 1.0), false),
    symbol("d", [0, 0, 1, 0], 0, (86_400.0, 1.0), false),
    symbol("%", [0, 0, 0, 0], -2, ONE, false),
    symbol("1", [0, 0, 0, 0], 0, ONE, false),
];

/// Prefixes; `u` and both Unicode letters stand for micro.
const PREFIXES: [(&str, i32); 16] = [
    ("p", -12),
    ("n", -9),
    ("µ", -6),
    ("μ", -6),
    ("u", -6),
    ("m", -3),
    ("c", -2),
    ("da", 1),
    ("d", -1),
    ("h", 2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("f", -15),
];

/// Names of the symbols that take a prefix, and of those that stand alone.
pub(super) fn names() -> (Vec<&'static str>, Vec<&'static str>) {
    let of = |takes_prefix: bool| {
        SYMBOLS.iter().filter(move |symbol| symbol.takes_prefix == takes_prefix).map(|symbol| symbol.name)
    };
    (of(true).collect(), of(false).collect())
}

/// The prefixes.
pub(super) fn prefixes() -> Vec<&'static str> {
    PREFIXES.iter().map(|(prefix, _)| *prefix).collect()
}

/// Words that people write for a symbol; offered as a hint, never accepted.
const WORDS: [(&str, &str); 24] = [
    ("meter", "m"),
    ("metre", "m"),
    ("millimeter", "mm"),
    ("millimetre", "mm"),
    ("micron", "µm"),
    ("sec", "s"),
    ("second", "s"),
    ("minute", "min"),
    ("hour", "h"),
    ("hr", "h"),
    ("day", "d"),
    ("gram", "g"),
    ("kilogram", "kg"),
    ("tonne", "t"),
    ("ton", "t"),
    ("newton", "N"),
    ("pascal", "Pa"),
    ("joule", "J"),
    ("watt", "W"),
    ("hertz", "Hz"),
    ("radian", "rad"),
    ("degree", "deg"),
    ("percent", "%"),
    ("litre", "l"),
];

/// The unit behind a symbol such as `mm`: an exact name first, then a prefix and a name.
pub(super) fn find(name: &str) -> Option<Unit> {
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| symbol.name == name) {
        return Some(unit(symbol, 0));
    }
    PREFIXES.iter().find_map(|&(prefix, decimal)| {
        let rest = name.strip_prefix(prefix)?;
        SYMBOLS.iter().find(|symbol| symbol.takes_prefix && symbol.name == rest).map(|symbol| unit(symbol, decimal))
    })
}

fn unit(symbol: &Symbol, prefix_decimal: i32) -> Unit {
    let [length, mass, time, angle] = symbol.exponents;
    Unit {
        vector: DimensionVector::new(length, mass, time, angle),
        decimal: symbol.decimal + prefix_decimal,
        numerator: symbol.numerator,
        denominator: symbol.denominator,
        counts_cycles: symbol.name == "Hz",
    }
}

/// A likely intended unit text for an unknown symbol.
pub(super) fn suggest(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    if let Some(&(_, symbol)) = WORDS.iter().find(|&&(word, _)| word == lower || word == singular) {
        return Some(symbol.to_owned());
    }
    // "Nm" and "kNm" are a forgotten space, whereas "mmm" is one letter too many.
    let boundaries = name.char_indices().map(|(index, _)| index).skip(1);
    for (first, second) in boundaries.map(|index| name.split_at(index)) {
        let capital = first.contains(char::is_uppercase);
        if capital && find(first).is_some() && find(second).is_some() {
            return Some(format!("{first} {second}"));
        }
    }
    let known = known_names();
    let same_letters = |known: &String| {
        let pairs = name.chars().zip(known.chars());
        pairs.filter(|(a, b)| a == b).count()
    };
    // "Mpa" is nearer to MPa than to mPa: keep as many letters in their case as possible.
    if let Some(symbol) =
        known.iter().filter(|known| known.to_lowercase() == lower).rev().max_by_key(|known| same_letters(known))
    {
        return Some(symbol.clone());
    }
    suggestion::nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}

/// Every symbol, the bare ones first so that they win ties.
fn known_names() -> Vec<String> {
    let bare = SYMBOLS.iter().filter(|symbol| symbol.name != "1");
    let prefixed = SYMBOLS
        .iter()
        .filter(|symbol| symbol.takes_prefix)
        .flat_map(|symbol| ["m", "k", "M", "G", "µ", "c", "n"].map(|prefix| format!("{prefix}{}", symbol.name)));
    bare.map(|symbol| symbol.name.to_owned()).chain(prefixed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_readings_of_one_symbol() {
        // Prefix and name must never spell another unit or another prefix and name.
        let mut readings = std::collections::BTreeMap::new();
        for symbol in &SYMBOLS {
            readings.insert(symbol.name.to_owned(), 1);
            for (prefix, _) in PREFIXES.iter().filter(|_| symbol.takes_prefix) {
                *readings.entry(format!("{prefix}{}", symbol.name)).or_insert(0) += 1;
            }
        }
        let ambiguous: Vec<_> = readings.iter().filter(|&(_, &n)| n > 1).collect();
        // peta-annum does not exist here, so `Pa` is safe; no other pair collides either.
        assert!(ambiguous.is_empty(), "{ambiguous:?}");
    }

    #[test]
    fn slip_gets_the_intended_unit() {
        for (written, intended) in [
            ("mmm", "mm"),
            ("Kg", "kg"),
            ("pa", "Pa"),
            ("seconds", "s"),
            ("RPM", "rpm"),
            ("Nm", "N m"),
            ("degrees", "deg"),
            ("Mpa", "MPa"),
        ] {
            assert_eq!(suggest(written).as_deref(), Some(intended), "{written}");
        }
        assert_eq!(suggest("furlong"), None);
    }
}
