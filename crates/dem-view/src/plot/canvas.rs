//! Strokes and text on a drawing area, in pixels of the figure.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform};

use crate::error::ViewError;
use crate::tick::{Label, format_exponent};
use crate::typeface::{EXPONENT_RISE, EXPONENT_SIZE, label_width, plot_family, text_width};

/// Shift of text towards its lower side, in text sizes.
const OPTICAL_SHIFT: f64 = 0.1;

/// Where text stands relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Who joins strokes (and centres text): the canvas, on a raster, or whoever shows the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joints {
    /// Each segment alone with a disc at its end: polygons around whole lines fail at sharp turns.
    Discs,
    /// One element for a whole line.
    Viewer,
}

/// A drawing area whose device units are `scale` times smaller than the pixels of the figure.
pub(crate) struct Canvas<'a, DB: DrawingBackend> {
    pub area: &'a DrawingArea<DB, Shift>,
    pub scale: f64,
    pub joints: Joints,
}

impl<DB: DrawingBackend> Canvas<'_, DB> {
    /// Device coordinates of a point of the figure.
    pub fn device(&self, [x, y]: [f64; 2]) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn draw<E>(&self, element: &E) -> Result<(), ViewError>
    where
        for<'b> &'b E: plotters::element::PointCollection<'b, (i32, i32)>,
        E: plotters::element::Drawable<DB>,
    {
        self.area.draw(element).map_err(|error| ViewError::Drawing(error.to_string()))
    }

    /// A line through device points, `width` pixels wide.
    pub fn polyline(&self, points: &[(i32, i32)], width: f64, colour: RGBColor) -> Result<(), ViewError> {
        let stroke = (width * self.scale).round().max(1.0) as u32;
        let style = colour.stroke_width(stroke);
        if self.joints == Joints::Viewer {
            return self.draw(&PathElement::new(points.to_vec(), style));
        }
        for pair in points.windows(2) {
            self.draw(&PathElement::new(pair.to_vec(), style))?;
            if stroke > 2 {
                self.draw(&Circle::new(pair[1], (stroke / 2) as i32, colour.filled()))?;
            }
        }
        Ok(())
    }

    /// A straight line between two points of the figure.
    pub fn line(&self, from: [f64; 2], to: [f64; 2], width: f64, colour: RGBColor) -> Result<(), ViewError> {
        self.polyline(&[self.device(from), self.device(to)], width, colour)
    }

    /// A disc around a device point, `radius` pixels.
    pub fn disc(&self, centre: (i32, i32), radius: f64, colour: RGBColor) -> Result<(), ViewError> {
        self.draw(&Circle::new(centre, (radius * self.scale).round() as i32, colour.filled()))
    }

    /// One line of text whose middle is at the height of the point.
    pub fn text(&self, text: &str, at: [f64; 2], size: f64, anchor: Anchor, colour: RGBColor) -> Result<(), ViewError> {
        self.place_text(text, at, size, anchor, FontTransform::None, colour)
    }

    /// One line of text that reads upwards, centred on the point.
    pub fn upright_text(&self, text: &str, at: [f64; 2], size: f64, colour: RGBColor) -> Result<(), ViewError> {
        self.place_text(text, at, size, Anchor::Middle, FontTransform::Rotate270, colour)
    }

    fn place_text(
        &self,
        text: &str,
        at: [f64; 2],
        size: f64,
        anchor: Anchor,
        transform: FontTransform,
        colour: RGBColor,
    ) -> Result<(), ViewError> {
        if text.is_empty() {
            return Ok(());
        }
        let family = FontFamily::from(plot_family(text)?);
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        // On a raster the library centres the line, which leaves digits and capitals a little high.
        let shift = if self.joints == Joints::Discs { OPTICAL_SHIFT * size } else { 0.0 };
        let lowered = match transform {
            FontTransform::None => [at[0], at[1] + shift],
            _ => [at[0] + shift, at[1]],
        };
        let style = TextStyle::from(FontDesc::new(family, size * self.scale, FontStyle::Normal))
            .transform(transform)
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Center));
        self.draw(&Text::new(text.to_owned(), self.device(lowered), style))
    }

    /// A label with its raised exponent.
    pub fn label(
        &self,
        label: &Label,
        at: [f64; 2],
        size: f64,
        anchor: Anchor,
        colour: RGBColor,
    ) -> Result<(), ViewError> {
        let Some(exponent) = label.exponent else {
            return self.text(&label.text, at, size, anchor, colour);
        };
        let width = f64::from(label_width(label, size as f32)?);
        let left = match anchor {
            Anchor::Left => at[0],
            Anchor::Middle => at[0] - 0.5 * width,
            Anchor::Right => at[0] - width,
        };
        let base = f64::from(text_width(&label.text, size as f32)?);
        self.text(&label.text, [left, at[1]], size, Anchor::Left, colour)?;
        let raised = [left + base, at[1] - f64::from(EXPONENT_RISE) * size];
        self.text(&format_exponent(exponent), raised, f64::from(EXPONENT_SIZE) * size, Anchor::Left, colour)
    }
}
