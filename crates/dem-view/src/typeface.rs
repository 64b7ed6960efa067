//! Text from the typeface that comes with the program, so that no system font is needed.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

use crate::error::ViewError;
use crate::image::Image;
use crate::tick::{Label, format_exponent};

/// Size of a raised exponent relative to its base.
pub(crate) const EXPONENT_SIZE: f32 = 0.72;
/// Rise of an exponent relative to the size of its base.
pub(crate) const EXPONENT_RISE: f32 = 0.32;
/// One of the typefaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Face {
    /// For all text.
    Text,
    /// For characters that the other lacks.
    Fallback,
}

impl Face {
    pub const ALL: [Self; 2] = [Self::Text, Self::Fallback];

    /// Its font file.
    pub fn file(self) -> &'static [u8] {
        match self {
            Self::Text => epaint_default_fonts::UBUNTU_LIGHT,
            Self::Fallback => epaint_default_fonts::HACK_REGULAR,
        }
    }

    /// Its name as PostScript has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "Ubuntu-Light",
            Self::Fallback => "Hack-Regular",
        }
    }
}

/// The faces, in the order of [`Face::ALL`].
pub(crate) struct Faces([FontRef<'static>; 2]);

/// The typefaces that come with the program.
pub(crate) fn faces() -> Result<&'static Faces, ViewError> {
    static FACES: OnceLock<Result<Faces, ViewError>> = OnceLock::new();
    let read =
        |face: Face| FontRef::try_from_slice(face.file()).map_err(|error| ViewError::Typeface(error.to_string()));
    FACES.get_or_init(|| Ok(Faces([read(Face::Text)?, read(Face::Fallback)?]))).as_ref().map_err(Clone::clone)
}

impl Faces {
    /// The font of a face.
    pub fn font(&self, face: Face) -> &FontRef<'static> {
        &self.0[usize::from(face == Face::Fallback)]
    }

    /// Size of the em in lines that are `height` high, ascenders and descenders included.
    pub fn em(&self, face: Face, height: f64) -> f64 {
        let font = self.font(face);
        let units = font.units_per_em().unwrap_or(1000.0);
        height * f64::from(units / font.height_unscaled())
    }

    /// The first face that has the character; the text face if none does.
    pub fn find(&self, character: char) -> (Face, GlyphId) {
        let [glyph, other] = Face::ALL.map(|face| self.font(face).glyph_id(character));
        if glyph.0 == 0 && other.0 != 0 { (Face::Fallback, other) } else { (Face::Text, glyph) }
    }

    /// Calls `place` with each character's face, glyph and left edge `[pixel]`; returns the width of the line.
    fn lay_out(&self, text: &str, size: f32, mut place: impl FnMut(&FontRef<'static>, GlyphId, f32)) -> f32 {
        let mut pen = 0.0;
        let mut previous: Option<(GlyphId, bool)> = None;
        for character in text.chars() {
            let (face, glyph) = self.find(character);
            let is_text_face = face == Face::Text;
            let face = self.font(face);
            let scaled = face.as_scaled(PxScale::from(size));
            if let Some((before, true)) = previous
                && is_text_face
            {
                pen += scaled.kern(before, glyph);
            }
            place(face, glyph, pen);
            pen += scaled.h_advance(glyph);
            previous = Some((glyph, is_text_face));
        }
        pen
    }
}

/// Width of a line of text `[pixel]` at a line height of `size` `[pixel]`.
pub(crate) fn text_width(text: &str, size: f32) -> Result<f32, ViewError> {
    Ok(faces()?.lay_out(text, size, |_, _, _| {}))
}

/// Width of a label with its exponent `[pixel]`.
pub(crate) fn label_width(label: &Label, size: f32) -> Result<f32, ViewError> {
    let exponent = match label.exponent {
        Some(exponent) => text_width(&format_exponent(exponent), size * EXPONENT_SIZE)?,
        None => 0.0,
    };
    Ok(text_width(&label.text, size)? + exponent)
}

/// Draws one line of text with its left end at `x` and its middle (half the height of a capital) at `y` `[pixel]`.
pub(crate) fn draw_text(
    image: &mut Image,
    text: &str,
    x: f32,
    y: f32,
    size: f32,
    colour: [u8; 3],
) -> Result<(), ViewError> {
    // Capitals of the typeface are 0.62 of the line height.
    let baseline = y + 0.31 * size;
    faces()?.lay_out(text, size, |face, glyph, pen| {
        let placed = glyph.with_scale_and_position(PxScale::from(size), point(x + pen, baseline));
        if let Some(outline) = face.outline_glyph(placed) {
            let corner = outline.px_bounds().min;
            outline.draw(|column, row, coverage| {
                // The face is a light cut; a steeper ramp gives its stems the weight of running text.
                let alpha = 1.0 - (1.0 - coverage.clamp(0.0, 1.0)).powf(1.6);
                image.blend(corner.x as i64 + i64::from(column), corner.y as i64 + i64::from(row), colour, alpha);
            });
        }
    });
    Ok(())
}

/// Draws a label with its exponent; anchored like [`draw_text`].
pub(crate) fn draw_label(
    image: &mut Image,
    label: &Label,
    x: f32,
    y: f32,
    size: f32,
    colour: [u8; 3],
) -> Result<(), ViewError> {
    draw_text(image, &label.text, x, y, size, colour)?;
    if let Some(exponent) = label.exponent {
        let end = x + text_width(&label.text, size)?;
        draw_text(image, &format_exponent(exponent), end, y - EXPONENT_RISE * size, size * EXPONENT_SIZE, colour)?;
    }
    Ok(())
}

/// One printable line no wider than `width` `[pixel]`: control characters become spaces, the tail becomes "…".
pub(crate) fn fit_line(text: &str, size: f32, width: f32) -> Result<String, ViewError> {
    let faces = faces()?;
    let mut line = String::new();
    let mut used = 0.0;
    let room = width - faces.lay_out("…", size, |_, _, _| {});
    for character in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        let (face, glyph) = faces.find(character);
        used += faces.font(face).as_scaled(PxScale::from(size)).h_advance(glyph);
        if used > room {
            line.push('…');
            break;
        }
        line.push(character);
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_leaves_ink_only_inside_its_box() {
        let mut image = Image::from_bytes(200, 60, vec![255; 200 * 60 * 3]);
        draw_text(&mut image, "Speed [m/s]", 20.0, 30.0, 24.0, [0, 0, 0]).unwrap();
        let width = text_width("Speed [m/s]", 24.0).unwrap();
        let mut ink = 0;
        for y in 0..60 {
            for x in 0..200 {
                if image.pixel(x, y).unwrap()[0] < 128 {
                    ink += 1;
                    assert!((19.0..=21.0 + width).contains(&(x as f32)) && (15..45).contains(&y), "ink at {x}, {y}");
                }
            }
        }
        assert!(ink > 100, "{ink} dark pixels");
    }

    #[test]
    fn missing_characters_come_from_the_fallback() {
        let faces = faces().unwrap();
        for character in ['∝', '⁻'] {
            let (face, glyph) = faces.find(character);
            assert!(face == Face::Fallback && glyph.0 != 0, "{character}");
        }
    }

    #[test]
    fn long_and_multiline_text_is_one_short_line() {
        let line = fit_line(&"overlap\n".repeat(100_000), 20.0, 150.0).unwrap();
        assert!(line.ends_with('…') && !line.contains('\n'));
        assert!(text_width(&line, 20.0).unwrap() <= 150.0);
        assert_eq!(fit_line("short", 20.0, 150.0).unwrap(), "short");
    }
}
