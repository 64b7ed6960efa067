//! Animated GIF.

use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::change::Change;
use super::palette::Palette;
use super::{check_rate, check_size};
use crate::error::ViewError;
use crate::image::Image;

/// Most pictures a second: delays are whole hundredths of a second, and players slow down what is shorter than two.
const GREATEST_RATE: f64 = 50.0;

/// A GIF that is being written; it repeats without end. All pictures share 255 colours.
pub struct GifFilm<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    width: u32,
    height: u32,
    rate: f64,
    /// Colours that are shown, by their index; empty before the first picture.
    shown: Vec<u8>,
    count: u64,
}

impl<W: Write> GifFilm<W> {
    /// Begins a film of so many pictures a second, with the colours of some of its pictures.
    ///
    /// # Errors
    /// A rate beyond 0.01 to 50, no samples, and a file that cannot be written.
    pub fn new(file: W, rate: f64, samples: &[Image]) -> Result<Self, ViewError> {
        check_rate(rate, GREATEST_RATE, "0.01 to 50 in a GIF, whose frames last whole hundredths of a second")?;
        let Some(first) = samples.first() else { return Err(ViewError::Film("there is no picture".to_owned())) };
        let palette = Palette::of(samples);
        // no side is longer than 8192
        let (width, height) = (first.width(), first.height());
        let mut encoder = Encoder::new(file, width as u16, height as u16, &palette.colours).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self { encoder, palette, width, height, rate, shown: Vec::new(), count: 0 })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// A picture of another size, and a file that cannot be written.
    pub fn add(&mut self, image: &Image) -> Result<(), ViewError> {
        check_size(image, self.width, self.height)?;
        let width = self.width as usize;
        let new = self.palette.indices(image);
        let unchanged = self.palette.unchanged();
        let (change, buffer) = if self.shown.is_empty() {
            (Change { x: 0, y: 0, width, height: self.height as usize }, new.clone())
        } else {
            let change = Change::between(&self.shown, &new, width, 1);
            let differing = |place: usize| if self.shown[place] == new[place] { unchanged } else { new[place] };
            (change, change.places(width).map(differing).collect())
        };
        // each ends at the hundredth nearest to its time, so that none falls behind
        let end = |count: u64| (100.0 * count as f64 / self.rate).round();
        let frame = Frame {
            delay: (end(self.count + 1) - end(self.count)) as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(unchanged),
            left: change.x as u16,
            top: change.y as u16,
            width: change.width as u16,
            height: change.height as u16,
            buffer: buffer.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.shown = new;
        self.count += 1;
        Ok(())
    }

    /// Ends the film.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(self) -> Result<W, ViewError> {
        self.encoder.into_inner().map_err(|error| ViewError::Film(error.to_string()))
    }
}

fn failed(error: EncodingError) -> ViewError {
    ViewError::Film(error.to_string())
}
