//! Animations, written picture by picture: of each only what differs from the one before.

pub mod apng;
mod change;
pub mod gif;
mod palette;

use crate::error::ViewError;
use crate::image::Image;

/// Refuses a picture of another size than the film.
fn check_size(image: &Image, width: u32, height: u32) -> Result<(), ViewError> {
    if (image.width(), image.height()) == (width, height) {
        return Ok(());
    }
    let (found, expected) = (format!("{} x {}", image.width(), image.height()), format!("{width} x {height}"));
    Err(ViewError::Film(format!("a picture of {found} pixels in a film of {expected}")))
}

/// Refuses a number of pictures a second at which a format shows nothing.
fn check_rate(rate: f64, greatest: f64, allowed: &'static str) -> Result<(), ViewError> {
    if rate >= LEAST_RATE && rate <= greatest {
        return Ok(());
    }
    Err(ViewError::Option { what: "number of frames a second", value: rate.to_string(), allowed })
}

/// Least number of pictures a second; the longest delay of the formats is a few minutes.
const LEAST_RATE: f64 = 0.01;
