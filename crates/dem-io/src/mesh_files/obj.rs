//! Wavefront OBJ.

use glam::DVec3;

use super::error::{Fault, FileFault, LineFault};
use super::polygon::Cutter;
use crate::stl::Triangle;
use crate::suggestion::excerpt;

/// Characters of a bad word that a message repeats.
const EXCERPT: usize = 40;

/// A face: its line and where its corners begin among those of all.
struct Face {
    line: u32,
    first: u32,
}

/// Reads the triangles of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Triangle>, Fault> {
    let (mut vertices, mut corners, mut faces) = (Vec::new(), Vec::new(), Vec::new());
    for (line, text) in Lines::of(bytes) {
        let fault = |fault| Fault::Line(line, fault);
        let text = std::str::from_utf8(text).map_err(|_| fault(LineFault::NoText))?;
        let mut words = text.split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty());
        match words.next() {
            Some("v") => vertices.push(vertex(&mut words).map_err(fault)?),
            Some("f") => {
                let first = corners.len();
                faces.push(Face { line: line as u32, first: first as u32 });
                for word in words {
                    corners.push(corner(word, vertices.len()).map_err(fault)?);
                }
                let found = corners.len() - first;
                if found < 3 {
                    return Err(fault(LineFault::FewCorners { corners: found }));
                }
            }
            _ => {}
        }
    }
    let mut triangles = Vec::with_capacity(faces.len());
    let mut cutter = Cutter::default();
    for (k, Face { line, first }) in faces.iter().enumerate() {
        let end = faces.get(k + 1).map_or(corners.len(), |next| next.first as usize);
        let own = &corners[*first as usize..end];
        // faces may stand before their vertices
        if let Some(&index) = own.iter().find(|&&index| index as usize >= vertices.len()) {
            let fault = LineFault::OutOfRange { index: i64::from(index) + 1, vertices: vertices.len() };
            return Err(Fault::Line(*line as usize, fault));
        }
        cutter.cut(own.iter().map(|&index| vertices[index as usize]), &mut triangles).map_err(Fault::File)?;
    }
    if triangles.is_empty() { Err(Fault::File(FileFault::Empty)) } else { Ok(triangles) }
}

/// Lines with their numbers from 1, without comments; one that ends with `\` goes on in the next.
struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (begin, mut end) = (self.line, 0);
        loop {
            let length = self.rest[end..].iter().position(|&byte| byte == b'\n');
            let stop = length.map_or(self.rest.len(), |length| end + length);
            let goes_on = self.rest[end..stop].trim_ascii_end().ends_with(b"\\");
            self.line += 1;
            end = stop;
            if length.is_some() && goes_on {
                end += 1;
                continue;
            }
            break;
        }
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        let comment = text.iter().position(|&byte| byte == b'#').unwrap_or(text.len());
        Some((begin, &text[..comment]))
    }
}

/// The coordinates of a vertex. What may follow them, a weight or a colour, is no matter.
fn vertex<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<DVec3, LineFault> {
    let mut number = |name| {
        let word = words.next();
        let read = word.and_then(|word| word.parse::<f64>().ok()).filter(|number| number.is_finite());
        read.ok_or_else(|| LineFault::Number { found: shown(word), name })
    };
    Ok(DVec3::new(number("x")?, number("y")?, number("z")?))
}

/// The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 0, given how many there are so far.
fn corner(word: &str, vertices: usize) -> Result<u32, LineFault> {
    let index = word.split('/').next().and_then(|index| index.parse::<i64>().ok());
    let refuse = || LineFault::Index { found: shown(Some(word)) };
    let index = index.filter(|index| *index != 0).ok_or_else(refuse)?;
    let from_start = if index < 0 { vertices as i64 + index } else { index - 1 };
    u32::try_from(from_start).map_err(|_| LineFault::OutOfRange { index, vertices })
}

fn shown(word: Option<&str>) -> String {
    word.map_or_else(|| "the end of the line".to_owned(), |word| format!("\"{}\"", excerpt(word, EXCERPT)))
}
