//! A line of text as glyphs with their places.

use ab_glyph::{Font, GlyphId, PxScale, ScaleFont};

use crate::error::ViewError;
use crate::typeface::{Face, faces};
use crate::typeset::{Level, Run};

/// Size of raised and lowered text relative to the line.
const SMALL: f64 = 0.72;
/// Rise and drop of such text, in heights of the line.
const RISE: f64 = 0.36;
const DROP: f64 = 0.16;

/// A glyph in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SetGlyph {
    pub face: Face,
    pub id: GlyphId,
    /// What it stands for.
    pub character: char,
    /// Start on the line, in units of the size with which the line was set.
    pub x: f64,
    /// Height above the base line.
    pub rise: f64,
    /// Size of its em.
    pub em: f64,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TextLine {
    /// In plain letters.
    pub words: String,
    pub glyphs: Vec<SetGlyph>,
    pub width: f64,
    /// Height of the line.
    pub size: f64,
}

impl TextLine {
    /// Sets runs of text in a line `size` high, without what is wider than `room`: "…" stands for it.
    pub fn set(runs: &[Run], size: f64, room: f64) -> Result<Self, ViewError> {
        let faces = faces()?;
        let mut line = Self { size, ..Self::default() };
        for Run { text, level } in runs {
            let (scale, rise) = match level {
                Level::Base => (size, 0.0),
                Level::Raised => (SMALL * size, RISE * size),
                Level::Lowered => (SMALL * size, -DROP * size),
            };
            line.words.push_str(match level {
                Level::Base => "",
                Level::Raised => "^",
                Level::Lowered => "_",
            });
            let mut previous = None;
            for character in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
                let (face, id) = faces.find(character);
                let font = faces.font(face).as_scaled(PxScale::from(scale as f32));
                if let Some((before, of)) = previous
                    && of == face
                {
                    line.width += f64::from(font.kern(before, id));
                }
                let em = faces.em(face, scale);
                line.glyphs.push(SetGlyph { face, id, character, x: line.width, rise, em });
                line.width += f64::from(font.h_advance(id));
                line.words.push(character);
                previous = Some((id, face));
                if line.width > room {
                    return line.cut(size, room);
                }
            }
        }
        Ok(line)
    }

    /// Takes away from the end what leaves no room for "…".
    fn cut(mut self, size: f64, room: f64) -> Result<Self, ViewError> {
        let faces = faces()?;
        let (face, id) = faces.find('…');
        let width = f64::from(faces.font(face).as_scaled(PxScale::from(size as f32)).h_advance(id));
        while self.glyphs.last().is_some_and(|last| self.width.min(last.x) + width > room || self.width > last.x) {
            let Some(last) = self.glyphs.pop() else { break };
            self.words.pop();
            self.width = last.x;
            if self.width + width <= room {
                break;
            }
        }
        self.glyphs.push(SetGlyph { face, id, character: '…', x: self.width, rise: 0.0, em: faces.em(face, size) });
        self.words.push('…');
        self.width += width;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typeset::runs;

    #[test]
    fn line_that_is_too_long_ends_with_an_ellipsis_in_its_room() {
        let line = TextLine::set(&runs(&"overlap\n".repeat(10_000)), 20.0, 150.0).unwrap();
        assert!(line.words.ends_with('…') && !line.words.contains('\n') && line.width <= 150.0, "{line:?}");
        let short = TextLine::set(&runs("short"), 20.0, 150.0).unwrap();
        assert_eq!((short.words.as_str(), short.glyphs.len()), ("short", 5));
    }

    #[test]
    fn subscript_is_small_and_below_the_line() {
        let line = TextLine::set(&runs("v_z^2"), 10.0, 100.0).unwrap();
        let [base, sub, sup] = line.glyphs[..] else { panic!("{line:?}") };
        assert!(sub.em < 0.8 * base.em && sub.rise < 0.0 && sup.rise > 0.0 && sub.x > base.x && sup.x > sub.x);
    }
}
