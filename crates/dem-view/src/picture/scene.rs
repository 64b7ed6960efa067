//! What a picture shows and how.

use glam::DVec3;

use crate::error::ViewError;
use crate::image::check_size;
use crate::picture::camera::{Camera, check_point};
use crate::picture::colour_map::ColourMap;
use crate::picture::view::View;

/// Spheres as columns of equal length.
#[derive(Debug, Clone, Copy, Default)]
pub struct SphereCloud<'a> {
    /// Centres, in any unit of length.
    pub positions: &'a [DVec3],
    /// Radii, in the unit of the positions, positive.
    pub radii: &'a [f64],
    /// What the colour shows; without it all spheres have [`PictureOptions::sphere_colour`].
    pub values: Option<&'a [f64]>,
}

/// How a wall looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WallLook {
    /// It never hides anything: what lies before the spheres is drawn as an outline, what lies behind them is softly shaded.
    #[default]
    Translucent,
    /// A solid that hides what is behind it. A cut plane leaves it whole.
    Opaque,
    /// A solid that a cut plane cuts as it cuts the spheres.
    OpaqueAndCut,
}

/// A wall.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WallSurface {
    /// How it looks.
    pub look: WallLook,
    /// Corners of triangles, in any order of rotation. Neighbours must share bit-equal corners for the outline to know
    /// them as neighbours.
    pub triangles: Vec<[DVec3; 3]>,
    /// Ends of line segments to draw besides the outline of the triangles.
    pub lines: Vec<[DVec3; 2]>,
}

/// Everything in front of the camera.
#[derive(Debug, Clone, Copy, Default)]
pub struct PictureScene<'a> {
    /// The spheres.
    pub spheres: SphereCloud<'a>,
    /// The walls.
    pub walls: &'a [WallSurface],
}

/// The interval of values that the colours span.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ValueRange {
    /// Least to greatest value.
    #[default]
    Automatic,
    /// From one percentile to another, 0 to 100, so that a few outliers do not flatten the rest.
    Percentiles {
        /// Lower percentile.
        low: f64,
        /// Upper percentile.
        high: f64,
    },
    /// As far below zero as above, for diverging maps.
    Symmetric,
    /// Given; use it to compare pictures.
    Fixed {
        /// Value of the first colour.
        min: f64,
        /// Value of the last colour.
        max: f64,
    },
}

/// Text beside the colours.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColourBar {
    /// Name of the quantity.
    pub label: String,
    /// Its unit without brackets; empty for a number without unit.
    pub unit: String,
    /// Names of categories 0, 1, 2, ...; where missing, the number is written.
    pub categories: Vec<String>,
    /// Categories that are listed even if no sphere has them, as in a film in which they appear later.
    pub listed: Vec<f64>,
    /// Whether there are values below and above the range in other pictures of a film: the ends of the bar say so in all of them.
    pub beyond: [bool; 2],
}

/// Half of space to take away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutPlane {
    /// A point of the plane.
    pub point: DVec3,
    /// Direction, any length, towards the half that is taken away.
    pub normal: DVec3,
}

/// How to draw a [`PictureScene`].
#[derive(Debug, Clone, PartialEq)]
pub struct PictureOptions {
    /// Width of the image `[pixel]`, 1 to 8192.
    pub width: u32,
    /// Height of the image `[pixel]`, 1 to 8192.
    pub height: u32,
    /// Side to look from; the camera is fitted to spheres and walls.
    pub view: View,
    /// A camera placed beforehand; it replaces `view`, except for the vertical of the light.
    pub camera: Option<Camera>,
    /// Half of space to take away from the spheres and the walls that are [cut](WallLook::OpaqueAndCut); other walls stay whole.
    pub cut: Option<CutPlane>,
    /// Colours of the values.
    pub colour_map: ColourMap,
    /// Interval that the colours span.
    pub value_range: ValueRange,
    /// Text of the colour bar; without it no bar is drawn. The bar also needs values or a given range, and an image of at least 240 x 160 pixels.
    pub colour_bar: Option<ColourBar>,
    /// Line at the top; empty for none.
    pub title: String,
    /// Line at the bottom; empty for none.
    pub caption: String,
    /// sRGB colour of spheres without values.
    pub sphere_colour: [u8; 3],
    /// sRGB colour of opaque walls.
    pub wall_colour: [u8; 3],
    /// sRGB colours at the top and bottom of the background.
    pub background: [[u8; 3]; 2],
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            width: 1600,
            height: 1200,
            view: View::default(),
            camera: None,
            cut: None,
            colour_map: ColourMap::default(),
            value_range: ValueRange::default(),
            colour_bar: None,
            title: String::new(),
            caption: String::new(),
            sphere_colour: [0xc9, 0xb1, 0x8c],
            wall_colour: [0xa4, 0xad, 0xb8],
            background: [[0xf8, 0xf9, 0xfb], [0xdd, 0xe2, 0xe8]],
        }
    }
}

impl PictureScene<'_> {
    /// Refuses columns of different lengths and entries that cannot be drawn, naming the first one.
    pub(crate) fn check(&self) -> Result<(), ViewError> {
        let SphereCloud { positions, radii, values } = self.spheres;
        let expected = positions.len();
        let columns = [("radius column", radii.len()), ("value column", values.map_or(expected, <[f64]>::len))];
        if let Some((what, found)) = columns.into_iter().find(|&(_, found)| found != expected) {
            return Err(ViewError::Length { what, found, expected });
        }
        // Indices and a flag share 32 bits per sample of the depth buffer.
        let triangle_count: usize = self.walls.iter().map(|wall| wall.triangles.len()).sum();
        for (what, count) in [("number of spheres", expected), ("number of wall triangles", triangle_count)] {
            if count >= 1 << 30 {
                return Err(ViewError::Option { what, value: count.to_string(), allowed: "less than 2^30" });
            }
        }
        for (index, &position) in positions.iter().enumerate() {
            check_point("position", index, position)?;
        }
        for (index, &radius) in radii.iter().enumerate() {
            if !(radius > 0.0 && radius <= 1e100) {
                let allowed = "a positive number of at most 1e100";
                return Err(ViewError::Entry { what: "radius", index, value: radius.to_string(), allowed });
            }
        }
        for (index, &value) in values.unwrap_or_default().iter().enumerate() {
            if !value.is_finite() || value.abs() > 1e300 {
                let allowed = "a finite number of at most 1e300";
                return Err(ViewError::Entry { what: "value", index, value: value.to_string(), allowed });
            }
        }
        let triangles = self.walls.iter().flat_map(|wall| &wall.triangles).enumerate();
        triangles
            .flat_map(|(index, corners)| corners.map(|c| (index, c)))
            .try_for_each(|(index, corner)| check_point("corner of wall triangle", index, corner))?;
        let lines = self.walls.iter().flat_map(|wall| &wall.lines).enumerate();
        lines
            .flat_map(|(index, ends)| ends.map(|end| (index, end)))
            .try_for_each(|(index, end)| check_point("end of wall line", index, end))
    }

    /// All balls and wall points that a fitted camera has to show.
    pub(crate) fn content(&self) -> Vec<(DVec3, f64)> {
        let spheres = self.spheres.positions.iter().copied().zip(self.spheres.radii.iter().copied());
        let corners = self.walls.iter().flat_map(|wall| wall.triangles.iter().flatten());
        let ends = self.walls.iter().flat_map(|wall| wall.lines.iter().flatten());
        spheres.chain(corners.chain(ends).map(|&point| (point, 0.0))).collect()
    }
}

impl PictureOptions {
    /// Refuses numbers out of range.
    pub(crate) fn check(&self) -> Result<(), ViewError> {
        check_size(self.width, self.height, 1)?;
        if let Some(CutPlane { point, normal }) = self.cut {
            let length = normal.length();
            let good = point.is_finite() && point.abs().max_element() <= 1e100 && length.is_finite() && length > 1e-100;
            if !good {
                let value = format!("point {point} and normal {normal}");
                let allowed = "finite numbers and a normal of some length";
                return Err(ViewError::Option { what: "cut plane", value, allowed });
            }
        }
        let (good, value, allowed) = match self.value_range {
            ValueRange::Automatic | ValueRange::Symmetric => return Ok(()),
            ValueRange::Percentiles { low, high } => {
                let good = (0.0..=100.0).contains(&low) && (0.0..=100.0).contains(&high) && low < high;
                (good, format!("percentiles {low} to {high}"), "percentiles from 0 to 100, the lower one first")
            }
            ValueRange::Fixed { min, max } => {
                let good = min < max && min.abs() <= 1e300 && max.abs() <= 1e300;
                (good, format!("{min} to {max}"), "finite numbers of at most 1e300, the smaller one first")
            }
        };
        if good { Ok(()) } else { Err(ViewError::Option { what: "value range", value, allowed }) }
    }
}

impl ValueRange {
    /// The interval for these values; `[0, 1]` without values.
    pub(crate) fn resolve(self, values: &[f64]) -> [f64; 2] {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [min, max] = match self {
            Self::Fixed { min, max } => return [min, max],
            _ if values.is_empty() => return [0.0, 1.0],
            Self::Automatic => [least, greatest],
            Self::Symmetric => {
                let reach = greatest.abs().max(least.abs());
                [-reach, reach]
            }
            Self::Percentiles { low, high } => {
                let mut sorted = values.to_vec();
                sorted.sort_unstable_by(f64::total_cmp);
                [percentile(&sorted, low), percentile(&sorted, high)]
            }
        };
        crate::tick::widen_degenerate_range(min, max)
    }
}

/// Percentile of ascending values, linear between neighbours.
fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let place = (percent / 100.0) * (sorted.len() - 1) as f64;
    let below = (place as usize).min(sorted.len() - 1);
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_ignore_outliers() {
        let mut values: Vec<f64> = (0..=100).map(f64::from).collect();
        values[50] = 1e9;
        let [low, high] = ValueRange::Percentiles { low: 2.0, high: 98.0 }.resolve(&values);
        assert!((low - 2.0).abs() < 1e-9 && high < 101.0, "{low} {high}");
        assert_eq!(ValueRange::Automatic.resolve(&values), [0.0, 1e9]);
        assert_eq!(ValueRange::Symmetric.resolve(&[-3.0, 1.0]), [-3.0, 3.0]);
    }

    #[test]
    fn equal_values_get_a_range() {
        let [low, high] = ValueRange::Automatic.resolve(&[2.0; 9]);
        assert!(low < 2.0 && high > 2.0);
        assert_eq!(ValueRange::Automatic.resolve(&[]), [0.0, 1.0]);
    }

    #[test]
    fn bad_entries_are_named_with_their_index() {
        let positions = [DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)];
        let scene =
            |positions, radii, values| PictureScene { spheres: SphereCloud { positions, radii, values }, walls: &[] };
        let message = scene(&positions[..], &[1.0, 1.0], None).check().unwrap_err().to_string();
        assert_eq!(message, "position 1 is (0, NaN, 0), expected finite numbers of at most 1e100");
        let message = scene(&[DVec3::ZERO; 2], &[1.0, 0.0], None).check().unwrap_err().to_string();
        assert_eq!(message, "radius 1 is 0, expected a positive number of at most 1e100");
        let message = scene(&[DVec3::ZERO; 2], &[1.0; 2], Some(&[f64::INFINITY, 0.0])).check().unwrap_err().to_string();
        assert_eq!(message, "value 0 is inf, expected a finite number of at most 1e300");
        let message = scene(&[DVec3::ZERO; 2], &[1.0; 3], None).check().unwrap_err().to_string();
        assert_eq!(message, "radius column has 3 entries, expected 2, one for each position");
    }
}
