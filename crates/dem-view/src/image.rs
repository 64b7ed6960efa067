//! An RGB raster and its PNG encoding.

use crate::error::ViewError;

/// Longest side of an image `[pixel]`; bounds memory whatever a user asks for.
pub const LARGEST_SIDE: u32 = 8192;

/// An RGB raster, eight bits a channel, sRGB, rows from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
    /// Pixels in a metre of paper, if the image has a size there.
    pixels_per_metre: Option<u32>,
}

impl Image {
    /// Takes over `bytes`, which holds `width * height` triples.
    pub(crate) fn from_bytes(width: u32, height: u32, bytes: Vec<u8>) -> Self {
        debug_assert_eq!(bytes.len(), width as usize * height as usize * 3);
        Self { width, height, bytes, pixels_per_metre: None }
    }

    /// The image with a size on paper, `dots` to an inch.
    pub(crate) fn with_resolution(self, dots: f64) -> Self {
        Self { pixels_per_metre: Some((dots / 0.0254).round() as u32), ..self }
    }

    /// Width `[pixel]`.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height `[pixel]`.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All channels: `width * height` triples of red, green and blue, rows from top to bottom.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Colour at column `x` and row `y`, counted from the upper left corner; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let start = self.offset(i64::from(x), i64::from(y))?;
        let pixel = self.bytes.get(start..start + 3)?;
        Some([pixel[0], pixel[1], pixel[2]])
    }

    /// Lays `colour` over a pixel with opacity `alpha` in 0 to 1; outside the image nothing happens.
    pub(crate) fn blend(&mut self, x: i64, y: i64, colour: [u8; 3], alpha: f32) {
        let Some(start) = self.offset(x, y) else {
            return;
        };
        for (old, new) in self.bytes[start..start + 3].iter_mut().zip(colour) {
            let mixed = f32::from(*old) + (f32::from(new) - f32::from(*old)) * alpha.clamp(0.0, 1.0);
            *old = mixed.round() as u8;
        }
    }

    /// Fills the pixels of columns `x0..x1` and rows `y0..y1`, clipped to the image.
    pub(crate) fn fill(&mut self, x: std::ops::Range<i64>, y: std::ops::Range<i64>, colour: [u8; 3]) {
        for row in y.start.max(0)..y.end.min(i64::from(self.height)) {
            for column in x.start.max(0)..x.end.min(i64::from(self.width)) {
                self.blend(column, row, colour, 1.0);
            }
        }
    }

    /// The image as the bytes of a PNG file.
    ///
    /// # Errors
    /// [`ViewError::Encoding`] if the encoder refuses.
    pub fn encode_png(&self) -> Result<Vec<u8>, ViewError> {
        let failed = |error: png::EncodingError| ViewError::Encoding(error.to_string());
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        if let Some(pixels) = self.pixels_per_metre {
            encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: pixels, yppu: pixels, unit: png::Unit::Meter }));
        }
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&self.bytes).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(file)
    }

    fn offset(&self, x: i64, y: i64) -> Option<usize> {
        let inside = (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        inside.then(|| (y as usize * self.width as usize + x as usize) * 3)
    }
}

/// Refuses sizes outside `smallest..=LARGEST_SIDE`.
pub(crate) fn check_size(width: u32, height: u32, smallest: u32) -> Result<(), ViewError> {
    let allowed = smallest..=LARGEST_SIDE;
    if allowed.contains(&width) && allowed.contains(&height) {
        return Ok(());
    }
    Err(ViewError::ImageSize { width, height, smallest, largest: LARGEST_SIDE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_decodes_to_the_same_pixels() {
        let bytes: Vec<u8> = (0..7 * 5 * 3).map(|k| (k * 37 % 256) as u8).collect();
        let image = Image::from_bytes(7, 5, bytes.clone());
        let file = image.encode_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut decoded = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut decoded).unwrap();
        assert_eq!((info.width, info.height), (7, 5));
        assert_eq!(decoded, bytes);
    }

    #[test]
    fn blending_outside_leaves_the_image_alone() {
        let mut image = Image::from_bytes(2, 2, vec![9; 12]);
        for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 2)] {
            image.blend(x, y, [255; 3], 1.0);
        }
        assert_eq!(image.bytes(), [9; 12]);
        image.blend(1, 1, [255, 0, 9], 1.0);
        assert_eq!(image.pixel(1, 1), Some([255, 0, 9]));
    }
}
