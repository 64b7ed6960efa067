//! Strokes and text of a figure, in millimetres from its upper left corner.

use crate::error::ViewError;
use crate::plot::mark::{Colour, Mark, Place, place};
use crate::text_line::TextLine;
use crate::tick::Label;
use crate::typeset::{Run, runs, runs_of_label};

/// Half the height of a capital, in heights of a line.
const HALF_CAPITAL: f64 = 0.31;

/// Where text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Collects what is drawn.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    pub marks: Vec<Mark>,
}

impl Canvas {
    /// A line through points, `width` mm wide.
    pub fn polyline(&mut self, points: &[Place], width: f64, colour: Colour) {
        self.marks.push(Mark::Line { points: points.to_vec(), width, colour });
    }

    /// A straight line.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], width: f64, colour: Colour) {
        self.polyline(&[place(from), place(to)], width, colour);
    }

    /// A disc.
    pub fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        self.marks.push(Mark::Disc { centre, radius, colour });
    }

    /// One line of text, its capitals centred on the height of the point, cut where it is wider than `room`.
    pub fn text(
        &mut self,
        text: &str,
        at: [f64; 2],
        size: f64,
        room: f64,
        anchor: Anchor,
        colour: Colour,
    ) -> Result<(), ViewError> {
        self.set(TextLine::set(&runs(text), size, room)?, at, size, anchor, false, colour);
        Ok(())
    }

    /// One line of text that reads upwards, centred on the point.
    pub fn upright_text(
        &mut self,
        text: &str,
        at: [f64; 2],
        size: f64,
        room: f64,
        colour: Colour,
    ) -> Result<(), ViewError> {
        self.set(TextLine::set(&runs(text), size, room)?, at, size, Anchor::Middle, true, colour);
        Ok(())
    }

    /// A label with its raised exponent.
    pub fn label(
        &mut self,
        label: &Label,
        at: [f64; 2],
        size: f64,
        anchor: Anchor,
        colour: Colour,
    ) -> Result<(), ViewError> {
        let runs: Vec<Run> = runs_of_label(label);
        self.set(TextLine::set(&runs, size, f64::INFINITY)?, at, size, anchor, false, colour);
        Ok(())
    }

    fn set(&mut self, line: TextLine, at: [f64; 2], size: f64, anchor: Anchor, is_upright: bool, colour: Colour) {
        if line.glyphs.is_empty() {
            return;
        }
        let back = match anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => 0.5 * line.width,
            Anchor::Right => line.width,
        };
        let down = HALF_CAPITAL * size;
        let at = if is_upright { [at[0] + down, at[1] + back] } else { [at[0] - back, at[1] + down] };
        self.marks.push(Mark::Text { line, at, is_upright, colour });
    }
}
