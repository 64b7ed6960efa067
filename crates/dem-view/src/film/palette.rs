//! The colours of a film, found once for all of its pictures, so that none of them flickers.

use color_quant::NeuQuant;
use rayon::prelude::*;

use crate::image::Image;

/// Colours, one less than a GIF can have: the last one says that a pixel stays as it was.
const COLOURS: usize = 255;
/// Pixels that the colours are found from; more of them take longer and change nothing that is seen.
const MOST_PIXELS: usize = 1 << 20;
/// Bits of each channel by which the nearest colour is looked up.
const BITS: usize = 6;

/// At most 255 colours.
pub(super) struct Palette {
    /// Red, green and blue of each.
    pub colours: Vec<u8>,
    /// Index of the colour nearest to the middle of each cell of the cube of colours.
    nearest: Vec<u8>,
}

impl Palette {
    /// Finds the colours of pictures by a Kohonen network (A. H. Dekker, "Kohonen neural networks for optimal colour quantization", Network 5, 351, 1994).
    pub fn of(samples: &[Image]) -> Self {
        let count: usize = samples.iter().map(|image| image.bytes().len() / 3).sum();
        let step = count.div_ceil(MOST_PIXELS).max(1);
        let pixels = samples.iter().flat_map(|image| image.bytes().chunks_exact(3)).step_by(step);
        let pixels: Vec<u8> = pixels.flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
        let colours = NeuQuant::new(3, COLOURS, &pixels).color_map_rgb();
        let cells = 1usize << (3 * BITS);
        let middle = |cell: usize, channel: usize| {
            let level = cell >> (BITS * (2 - channel)) & ((1 << BITS) - 1);
            ((level << (8 - BITS)) + (1 << (7 - BITS))) as i32
        };
        let nearest = (0..cells).into_par_iter().map(|cell| {
            let distance = |colour: &[u8]| (0..3).map(|k| (i32::from(colour[k]) - middle(cell, k)).pow(2)).sum::<i32>();
            let found = colours.chunks_exact(3).enumerate().min_by_key(|(_, colour)| distance(colour));
            found.map_or(0, |(index, _)| index as u8)
        });
        let nearest = nearest.collect();
        Self { colours, nearest }
    }

    /// Index of the pixel that stays as it was.
    pub fn unchanged(&self) -> u8 {
        COLOURS as u8
    }

    /// Index of the colour of each pixel.
    pub fn indices(&self, image: &Image) -> Vec<u8> {
        let level = |channel: u8| usize::from(channel) >> (8 - BITS);
        let index = |p: &[u8]| self.nearest[level(p[0]) << (2 * BITS) | level(p[1]) << BITS | level(p[2])];
        image.bytes().par_chunks_exact(3).map(index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_a_gradient_are_close_to_it() {
        let bytes: Vec<u8> = (0..256 * 64).flat_map(|k| [(k % 256) as u8, 255 - (k % 256) as u8, 90]).collect();
        let image = Image::from_bytes(256, 64, bytes.clone());
        let palette = Palette::of(std::slice::from_ref(&image));
        let shown = palette.indices(&image).into_iter().flat_map(|k| {
            let start = usize::from(k) * 3;
            [palette.colours[start], palette.colours[start + 1], palette.colours[start + 2]]
        });
        let worst = shown.zip(bytes).map(|(a, b)| a.abs_diff(b)).max();
        // half a cell of four levels, and the distance of the colours
        assert!(worst.is_some_and(|worst| worst <= 8), "{worst:?}");
    }
}
