//! What a figure consists of, before it becomes a file of some format.

use crate::text_line::TextLine;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// Units of coordinates in a millimetre.
pub(crate) const UNITS: f64 = 100.0;

/// A point, in hundredths of a millimetre from the upper left corner.
pub(crate) type Place = (i32, i32);

/// The place of a point given in millimetres.
pub(crate) fn place([x, y]: [f64; 2]) -> Place {
    ((x * UNITS).round() as i32, (y * UNITS).round() as i32)
}

/// One thing that is drawn, over all that come before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A line with round ends and corners, `width` mm wide.
    Line { points: Vec<Place>, width: f64, colour: Colour },
    /// A disc, its radius in mm.
    Disc { centre: Place, radius: f64, colour: Colour },
    /// A line of text. `at` is the start of its base line in mm; it reads to the right, or upwards.
    Text { line: TextLine, at: [f64; 2], is_upright: bool, colour: Colour },
}
