//! How the text of labels is set: `v_z`, `m s^-1`, `2.5e-6`, `\sigma` and numbers with too many digits.

use crate::tick::{Label, format_exponent};

/// Most significant digits of a number within text.
const DIGITS: usize = 5;

/// Height on which text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Base,
    Raised,
    Lowered,
}

/// A piece of text on one level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub text: String,
    pub level: Level,
}

const GREEK: [(&str, char); 30] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'µ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("phi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Pi", 'Π'),
    ("Sigma", 'Σ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
];

fn greek(name: &str) -> Option<char> {
    GREEK.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter)
}

/// Pieces of a label of ticks.
pub(crate) fn runs_of_label(label: &Label) -> Vec<Run> {
    let base = Run { text: label.text.clone(), level: Level::Base };
    let exponent = label.exponent.map(|exponent| Run { text: format_exponent(exponent), level: Level::Raised });
    [Some(base), exponent].into_iter().flatten().collect()
}

/// Pieces of a text: `_` lowers what follows a symbol (one letter, or the name of a Greek one), `^` raises a number, and
/// both do so to anything in braces. Names like `wall_force` stay as they are.
pub(crate) fn runs(text: &str) -> Vec<Run> {
    let letters: Vec<char> = text.chars().collect();
    let mut setter = Setter::default();
    let mut at = 0;
    while at < letters.len() {
        let rest = &letters[at..];
        at += match rest[0] {
            '\\' => setter.backslash(rest),
            '^' => setter.raise(rest),
            '_' => setter.lower(rest),
            c if c.is_ascii_digit() && setter.may_begin_number() => setter.number(rest),
            c => setter.letter(c),
        };
    }
    setter.finish()
}

/// A text as HTML: escaped, with the subscripts and exponents that plots have.
pub fn typeset_html(text: &str) -> String {
    let set = |run: Run| {
        let text = run.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        match run.level {
            Level::Base => text,
            Level::Raised => format!("<sup>{text}</sup>"),
            Level::Lowered => format!("<sub>{text}</sub>"),
        }
    };
    runs(text).into_iter().map(set).collect()
}

#[derive(Default)]
struct Setter {
    done: Vec<Run>,
    base: String,
}

impl Setter {
    fn finish(mut self) -> Vec<Run> {
        self.close();
        self.done
    }

    fn close(&mut self) {
        if !self.base.is_empty() {
            self.done.push(Run { text: std::mem::take(&mut self.base), level: Level::Base });
        }
    }

    fn letter(&mut self, letter: char) -> usize {
        self.base.push(letter);
        1
    }

    fn shift(&mut self, text: String, level: Level) {
        self.close();
        self.done.push(Run { text, level });
    }

    /// `\sigma`, or a sign that would be taken for more.
    fn backslash(&mut self, rest: &[char]) -> usize {
        let name: String = rest[1..].iter().take_while(|c| c.is_ascii_alphabetic()).collect();
        match (greek(&name), rest.get(1)) {
            (Some(letter), _) => {
                self.base.push(letter);
                1 + name.len()
            }
            (None, Some(&sign)) if "_^\\".contains(sign) => {
                self.base.push(sign);
                2
            }
            _ => self.letter('\\'),
        }
    }

    fn raise(&mut self, rest: &[char]) -> usize {
        if let Some((text, length)) = braced(&rest[1..]) {
            self.shift(text.replace('-', "−"), Level::Raised);
            return 1 + length;
        }
        let signs = usize::from(rest.get(1).is_some_and(|c| "+-−".contains(*c)));
        let digits = rest[1 + signs..].iter().take_while(|c| c.is_ascii_digit() || **c == '/').count();
        if digits == 0 {
            return self.letter('^');
        }
        let text: String = rest[1..=signs + digits].iter().map(|c| if *c == '-' { '−' } else { *c }).collect();
        self.shift(text, Level::Raised);
        1 + signs + digits
    }

    fn lower(&mut self, rest: &[char]) -> usize {
        let is_word = |c: &char| c.is_alphanumeric();
        let base: String = {
            let word: Vec<char> = self.base.chars().rev().take_while(|c| is_word(c) || *c == '_').collect();
            word.into_iter().rev().collect()
        };
        let is_symbol = base.chars().count() == 1 && base.chars().all(char::is_alphabetic) || greek(&base).is_some();
        let (text, length) = match braced(&rest[1..]) {
            Some(found) => found,
            None => {
                let word: String = rest[1..].iter().take_while(|c| is_word(c)).collect();
                let length = word.chars().count();
                (word, length)
            }
        };
        // a word with a further underscore is a name of several words
        let goes_on = rest.get(1 + length) == Some(&'_');
        if !is_symbol || text.is_empty() || goes_on {
            return self.letter('_');
        }
        if let Some(letter) = greek(&base) {
            self.base.truncate(self.base.len() - base.len());
            self.base.push(letter);
        }
        self.shift(text, Level::Lowered);
        1 + length
    }

    fn may_begin_number(&self) -> bool {
        !self.base.chars().last().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
    }

    /// A number: with few digits, and its power of ten raised.
    fn number(&mut self, rest: &[char]) -> usize {
        let digits = |from: usize| rest[from..].iter().take_while(|c| c.is_ascii_digit()).count();
        let mut length = digits(0);
        let mut has_fraction = false;
        if rest.get(length) == Some(&'.') && digits(length + 1) > 0 {
            length += 1 + digits(length + 1);
            has_fraction = true;
        }
        let mantissa: String = rest[..length].iter().collect();
        let mut power = None;
        if rest.get(length).is_some_and(|c| "eE".contains(*c)) {
            let sign = usize::from(rest.get(length + 1).is_some_and(|c| "+-".contains(*c)));
            let count = if rest.len() > length + 1 + sign { digits(length + 1 + sign) } else { 0 };
            let exponent: String =
                rest[(length + 1).min(rest.len())..(length + 1 + sign + count).min(rest.len())].iter().collect();
            let ends = !rest.get(length + 1 + sign + count).is_some_and(|c| c.is_alphanumeric() || *c == '_');
            if let (true, true, Ok(exponent)) = (count > 0, ends, exponent.trim_start_matches('+').parse::<i32>()) {
                power = Some(exponent);
                length += 1 + sign + count;
            }
        }
        // a version or a date is no number
        let is_part_of_name = rest.get(length).is_some_and(|c| c.is_alphabetic() || *c == '_' || *c == '.');
        let text = if has_fraction && (power.is_some() || !is_part_of_name) { rounded(&mantissa) } else { mantissa };
        match power {
            Some(power) => {
                self.base.push_str(&format!("{text}×10"));
                self.shift(format_exponent(power), Level::Raised);
            }
            None => self.base.push_str(&text),
        }
        length
    }
}

/// What stands in braces, and how long it is with them.
fn braced(rest: &[char]) -> Option<(String, usize)> {
    if rest.first() != Some(&'{') {
        return None;
    }
    let end = rest.iter().position(|c| *c == '}')?;
    (end > 1).then(|| (rest[1..end].iter().collect(), end + 1))
}

/// A decimal number with at most [`DIGITS`] significant digits.
fn rounded(number: &str) -> String {
    let significant = number.chars().filter(char::is_ascii_digit).skip_while(|c| *c == '0').count();
    let Ok(value) = number.parse::<f64>() else { return number.to_owned() };
    if significant <= DIGITS || value == 0.0 {
        return number.to_owned();
    }
    let decimals = (DIGITS as i32 - 1 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raised text after `^`, lowered text after `_`, both in braces.
    fn shown(text: &str) -> String {
        let show = |run: Run| match run.level {
            Level::Base => run.text,
            Level::Raised => format!("^{{{}}}", run.text),
            Level::Lowered => format!("_{{{}}}", run.text),
        };
        runs(text).into_iter().map(show).collect()
    }

    #[test]
    fn symbols_have_subscripts_and_units_have_exponents() {
        for (text, set) in [
            ("v_z [m s^-1]", "v_{z} [m s^{−1}]"),
            ("sigma_1 - sigma_3 [kg/m^3]", "σ_{1} - σ_{3} [kg/m^{3}]"),
            ("x_{max} m^{1/2}", "x_{max} m^{1/2}"),
            ("\\phi_m, \\_ \\q", "φ_{m}, _ \\q"),
            ("ρ_s", "ρ_{s}"),
        ] {
            assert_eq!(shown(text), set);
        }
    }

    #[test]
    fn names_of_things_stay_as_they_are() {
        for name in ["wall_force_x", "runs/first_2", "a_b_c", "_x", "x_", "glass_2", "a^b", "dem 0.2.0", "x^", "{a}"] {
            assert_eq!(shown(name), name);
        }
    }

    #[test]
    fn numbers_have_the_digits_that_one_reads() {
        for (text, set) in [
            ("at t = 0.30000000000000004 s", "at t = 0.3 s"),
            ("1.2345678901234567e-5 m", "1.2346×10^{−5} m"),
            ("123456789 spheres of 1e5", "123456789 spheres of 1×10^{5}"),
            ("2.5 mm, 1500.123456", "2.5 mm, 1500.1"),
            ("e5 1e 1e+", "e5 1e 1e+"),
        ] {
            assert_eq!(shown(text), set);
        }
    }

    #[test]
    fn pages_have_the_same_subscripts_and_no_tags_of_others() {
        assert_eq!(typeset_html("sigma_1 < 2 kg/m^3 & more"), "σ<sub>1</sub> &lt; 2 kg/m<sup>3</sup> &amp; more");
    }

    #[test]
    fn any_text_is_set() {
        for text in [
            "",
            "^",
            "_",
            "\\",
            "1",
            "1e",
            "1.",
            "1.e5",
            "^{",
            "a_{}",
            "é_ß",
            "0.000000000001234567890",
            "9e999999999999",
        ] {
            let _set = runs(text);
        }
    }
}
