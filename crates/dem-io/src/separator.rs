//! What stands between the fields of a line.

/// What separates fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    Comma,
    Semicolon,
    Tab,
    /// Any number of blanks and tabs.
    Blanks,
}

impl Separator {
    /// That of a header: the first of comma, semicolon and tab that stands in it, blanks otherwise; nothing if it has commas and semicolons. Columns that are
    /// aligned by tabs and blanks are separated by both.
    pub fn of_header(line: &[u8]) -> Option<Self> {
        let has = |byte| line.contains(&byte);
        match (has(b','), has(b';'), has(b'\t')) {
            (true, true, _) => None,
            (true, false, _) => Some(Self::Comma),
            (false, true, _) => Some(Self::Semicolon),
            (false, false, true) => {
                let aligned = |field: &[u8]| field.is_empty() || field.iter().any(u8::is_ascii_whitespace);
                Some(if Self::Tab.fields(line).any(aligned) { Self::Blanks } else { Self::Tab })
            }
            (false, false, false) => Some(Self::Blanks),
        }
    }

    /// The fields of a line without the space around them.
    pub fn fields(self, line: &[u8]) -> Fields<'_> {
        let line = if self == Self::Blanks { line.trim_ascii() } else { line };
        Fields { separator: self, rest: (self != Self::Blanks || !line.is_empty()).then_some(line) }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comma => "commas",
            Self::Semicolon => "semicolons",
            Self::Tab => "tabs",
            Self::Blanks => "blanks",
        }
    }
}

/// Fields of a line.
pub(crate) struct Fields<'a> {
    separator: Separator,
    rest: Option<&'a [u8]>,
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let ends = |byte: &u8| match self.separator {
            Separator::Comma => *byte == b',',
            Separator::Semicolon => *byte == b';',
            Separator::Tab => *byte == b'\t',
            Separator::Blanks => byte.is_ascii_whitespace(),
        };
        let Some(end) = rest.iter().position(ends) else {
            self.rest = None;
            return Some(rest.trim_ascii());
        };
        let field = &rest[..end];
        self.rest = Some(match self.separator {
            // the line has no blanks at its end
            Separator::Blanks => rest[end..].trim_ascii_start(),
            _ => &rest[end + 1..],
        });
        Some(field.trim_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(separator: Separator, line: &str) -> Vec<&str> {
        separator.fields(line.as_bytes()).map(|field| std::str::from_utf8(field).unwrap()).collect()
    }

    #[test]
    fn header_tells_what_separates() {
        let of = |line: &str| Separator::of_header(line.as_bytes());
        assert_eq!(of("x, y, z, r"), Some(Separator::Comma));
        assert_eq!(of("x; y\t; z; r"), Some(Separator::Semicolon));
        assert_eq!(of("x\ty\tz\tr"), Some(Separator::Tab));
        assert_eq!(of("x \t  y\t z  r"), Some(Separator::Blanks));
        assert_eq!(of("x y z r"), Some(Separator::Blanks));
        assert_eq!(of("x,y;z,r"), None);
    }

    #[test]
    fn blanks_run_together_and_others_do_not() {
        assert_eq!(fields(Separator::Blanks, "  1 \t 2   3 "), ["1", "2", "3"]);
        assert_eq!(fields(Separator::Blanks, "   "), [""; 0]);
        assert_eq!(fields(Separator::Comma, "1,, 3 "), ["1", "", "3"]);
        assert_eq!(fields(Separator::Tab, "1\t\t"), ["1", "", ""]);
        assert_eq!(fields(Separator::Semicolon, "1;2,5;"), ["1", "2,5", ""]);
    }
}
