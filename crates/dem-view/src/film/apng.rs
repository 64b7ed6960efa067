//! Animated PNG.

use std::io::Write;

use png::{BitDepth, BlendOp, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent, Writer};

use super::change::Change;
use super::{check_rate, check_size};
use crate::error::ViewError;
use crate::image::Image;

/// Most pictures a second.
const GREATEST_RATE: f64 = 120.0;
/// Parts of a second in which delays are counted, for each picture a second.
const PARTS: f64 = 100.0;

/// An animated PNG that is being written; it repeats without end and has the colours of its pictures without loss.
pub struct ApngFilm<W: Write> {
    writer: Writer<W>,
    width: u32,
    height: u32,
    /// Colours that are shown; empty before the first picture.
    shown: Vec<u8>,
}

impl<W: Write> ApngFilm<W> {
    /// Begins a film of `count` pictures of one size, so many a second.
    ///
    /// # Errors
    /// A rate beyond 0.01 to 120, no pictures, and a file that cannot be written.
    pub fn new(file: W, [width, height]: [u32; 2], rate: f64, count: u32) -> Result<Self, ViewError> {
        check_rate(rate, GREATEST_RATE, "0.01 to 120 in an animated PNG")?;
        let mut encoder = Encoder::new(file, width, height);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
        encoder.set_compression(Compression::Balanced);
        encoder.set_animated(count, 0).map_err(failed)?;
        // exact for a whole number of pictures a second
        let (numerator, denominator) =
            if rate < 1.0 { ((PARTS / rate).round(), PARTS) } else { (PARTS, (PARTS * rate).round()) };
        encoder.set_frame_delay(numerator as u16, denominator as u16).map_err(failed)?;
        encoder.set_blend_op(BlendOp::Over).map_err(failed)?;
        Ok(Self { writer: encoder.write_header().map_err(failed)?, width, height, shown: Vec::new() })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// A picture of another size, and a file that cannot be written.
    pub fn add(&mut self, image: &Image) -> Result<(), ViewError> {
        check_size(image, self.width, self.height)?;
        let (width, new) = (self.width as usize, image.bytes());
        let pixel = |bytes: &[u8], place: usize| [bytes[3 * place], bytes[3 * place + 1], bytes[3 * place + 2]];
        let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
        let data: Vec<u8> = if self.shown.is_empty() {
            (0..new.len() / 3).flat_map(|place| opaque(pixel(new, place))).collect()
        } else {
            let change = Change::between(&self.shown, new, width, 3);
            self.writer.reset_frame_position().map_err(failed)?;
            self.writer.set_frame_dimension(change.width as u32, change.height as u32).map_err(failed)?;
            self.writer.set_frame_position(change.x as u32, change.y as u32).map_err(failed)?;
            let shown = &self.shown;
            let differing = |place| match (pixel(shown, place), pixel(new, place)) {
                (before, after) if before == after => [0; 4],
                (_, after) => opaque(after),
            };
            change.places(width).flat_map(differing).collect()
        };
        self.writer.write_image_data(&data).map_err(failed)?;
        self.shown.clear();
        self.shown.extend_from_slice(new);
        Ok(())
    }

    /// Ends the film.
    ///
    /// # Errors
    /// Fewer pictures than were announced, and a file that cannot be written.
    pub fn finish(self) -> Result<(), ViewError> {
        self.writer.finish().map_err(failed)
    }
}

fn failed(error: EncodingError) -> ViewError {
    ViewError::Film(error.to_string())
}
