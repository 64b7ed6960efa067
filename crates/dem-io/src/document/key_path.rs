//! Paths of keys, such as `materials.glass.friction` or `walls.0.position`.

use std::fmt;

/// Most segments that a written path may have.
const LONGEST_PATH: usize = 64;

/// The path from the top of a document to a value.
///
/// A segment names a key of a table. In an array it is an index from 0, or the value of the key
/// `name` of an element that is a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct KeyPath {
    segments: Vec<String>,
}

impl KeyPath {
    /// The path of the document itself.
    #[must_use]
    pub const fn root() -> Self {
        Self { segments: Vec::new() }
    }

    /// Reads a dotted path; segments with dots or other signs stand in quotes.
    ///
    /// # Errors
    /// In words, when the text is no path.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (path, rest) = Self::parse_prefix(text)?;
        if rest.is_empty() { Ok(path) } else { Err(format!("`=` does not belong into the key path `{text}`")) }
    }

    /// Reads a path up to the first `=` outside quotes; the rest begins with that sign.
    pub(super) fn parse_prefix(text: &str) -> Result<(Self, &str), String> {
        let mut segments = Vec::new();
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            let segment;
            match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let inside = rest.get(1..).unwrap_or_default();
                    let Some((quoted, after)) = inside.split_once(quote) else {
                        return Err(format!("the quote {quote} is never closed"));
                    };
                    (segment, rest) = (quoted, after.trim_start());
                }
                _ => {
                    let end = rest.find(['.', '=']).unwrap_or(rest.len());
                    let (bare, after) = rest.split_at(end);
                    (segment, rest) = (bare.trim_end(), after);
                    if segment.is_empty() {
                        return Err("a key is empty".to_owned());
                    }
                    if segment.contains(|c: char| c.is_whitespace() || c.is_control()) {
                        return Err("a key with spaces must stand in quotes".to_owned());
                    }
                }
            }
            segments.push(segment.to_owned());
            if segments.len() > LONGEST_PATH {
                return Err(format!("a key path has at most {LONGEST_PATH} keys"));
            }
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None if rest.is_empty() || rest.starts_with('=') => {
                    return Ok((Self { segments }, rest));
                }
                None => return Err("a dot is missing after a quoted key".to_owned()),
            }
        }
    }

    /// This path and one more segment: a key, or an index from 0 written as a number.
    #[must_use]
    pub fn child(&self, segment: impl ToString) -> Self {
        let mut segments = self.segments.clone();
        segments.push(segment.to_string());
        Self { segments }
    }

    /// The segments from the top.
    #[must_use]
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// Whether this is the path of the document itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.segments.is_empty()
    }
}

impl From<&[&str]> for KeyPath {
    fn from(segments: &[&str]) -> Self {
        Self { segments: segments.iter().map(|&segment| segment.to_owned()).collect() }
    }
}

impl<const N: usize> From<&[&str; N]> for KeyPath {
    fn from(segments: &[&str; N]) -> Self {
        Self::from(segments.as_slice())
    }
}

impl From<Vec<String>> for KeyPath {
    fn from(segments: Vec<String>) -> Self {
        Self { segments }
    }
}

impl From<&KeyPath> for KeyPath {
    fn from(path: &KeyPath) -> Self {
        path.clone()
    }
}

/// Dotted, with quotes where a segment needs them.
impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            let is_bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            if !segment.is_empty() && segment.chars().all(is_bare) {
                f.write_str(segment)?;
            } else {
                write!(f, "{segment:?}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_path_gives_its_segments() {
        let parse = |text: &str| KeyPath::parse(text).unwrap();
        assert_eq!(parse("a.b.0").segments(), ["a", "b", "0"]);
        assert_eq!(parse(" a . \"b.c\" . 'd=e'").segments(), ["a", "b.c", "d=e"]);
        assert_eq!(parse("a.\"b.c\"").to_string(), "a.\"b.c\"");
        let (path, rest) = KeyPath::parse_prefix("a.'='.b = x=y").unwrap();
        assert_eq!((path.segments().len(), rest), (3, "= x=y"));
    }

    #[test]
    fn text_that_is_no_path_is_refused() {
        for bad in ["", ".", "a.", "a..b", ".a", "a b", "\"a", "\"a\"b", "a=1", "=1"] {
            assert!(KeyPath::parse(bad).is_err(), "{bad}");
        }
        assert!(KeyPath::parse(&"a.".repeat(100)).is_err());
    }
}
