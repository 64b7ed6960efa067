//! Triangles of a text file: words, wherever lines end.

use glam::DVec3;

use super::error::FormError;
use super::triangle::Triangle;
use crate::suggestion::excerpt;

/// Characters of a bad word that a message repeats.
const EXCERPT: usize = 40;

/// A byte order mark, which some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Words with their lines.
pub(super) struct Words<'a> {
    rest: &'a [u8],
    /// Line in which `rest` begins, from 1.
    line: usize,
}

impl<'a> Words<'a> {
    /// Those of a text from the first line on that begins with the word `solid`; none of bytes that are no such text.
    pub(super) fn from_solid(bytes: &'a [u8]) -> Option<Self> {
        if bytes.contains(&0) {
            return None;
        }
        let mut rest = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let mut line = 1;
        loop {
            let start = rest.trim_ascii_start();
            let is_word = start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
            if is_word && start.get(5).is_none_or(u8::is_ascii_whitespace) {
                return Some(Self { rest, line });
            }
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            rest = &rest[end + 1..];
            line += 1;
        }
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(self.rest.len());
        let (space, rest) = self.rest.split_at(start);
        self.line += space.iter().filter(|&&byte| byte == b'\n').count();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn skip_line(&mut self) {
        let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    fn refuse(&self, expected: &'static str, found: Option<&[u8]>) -> FormError {
        let found = match found {
            Some(word) => format!("\"{}\"", excerpt(&String::from_utf8_lossy(word), EXCERPT)),
            None => "the end of the file".to_owned(),
        };
        FormError::Text { line: self.line, expected, found }
    }

    fn expect(&mut self, words: &[&'static str]) -> Result<(), FormError> {
        for word in words {
            match self.next() {
                Some(found) if found.eq_ignore_ascii_case(word.as_bytes()) => {}
                found => return Err(self.refuse(word, found)),
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<f64, FormError> {
        let word = self.next();
        let number = word.and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
        number.ok_or_else(|| self.refuse("a number", word))
    }

    fn corner(&mut self) -> Result<DVec3, FormError> {
        self.expect(&["vertex"])?;
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }
}

/// Triangles of all solids of a text.
pub(super) fn triangles(mut words: Words<'_>) -> Result<Vec<Triangle>, FormError> {
    let mut triangles = Vec::new();
    let mut inside = false;
    loop {
        let word = words.next();
        let is = |name: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes()));
        match (inside, word) {
            (false, None) => return Ok(triangles),
            // the rest of the line is a name
            (false, _) if is("solid") => {
                words.skip_line();
                inside = true;
            }
            (true, _) if is("endsolid") => {
                words.skip_line();
                inside = false;
            }
            (true, _) if is("facet") => {
                words.expect(&["normal"])?;
                for _ in 0..3 {
                    words.number()?;
                }
                words.expect(&["outer", "loop"])?;
                triangles.push([words.corner()?, words.corner()?, words.corner()?]);
                words.expect(&["endloop", "endfacet"])?;
            }
            (true, _) => return Err(words.refuse("facet or endsolid", word)),
            (false, _) => return Err(words.refuse("solid", word)),
        }
    }
}
