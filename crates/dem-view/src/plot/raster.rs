//! Marks as pixels: the coverage of each is computed exactly and laid over those before.

use ab_glyph::{Font, OutlineCurve};
use ab_glyph_rasterizer::{Point, Rasterizer, point};

use crate::error::ViewError;
use crate::image::{Image, check_size};
use crate::plot::mark::{Colour, Mark, Place, UNITS};
use crate::text_line::TextLine;
use crate::typeface::faces;

/// Corners of the polygon that stands for a disc.
const CORNERS: usize = 24;

/// Draws marks on white. `scale` is the number of pixels in a millimetre.
pub(crate) fn paint(marks: &[Mark], [width, height]: [f64; 2], scale: f64) -> Result<Image, ViewError> {
    let [across, down] = [width, height].map(|side| (side * scale).round() as u32);
    check_size(across, down, 1)?;
    let mut image = Image::from_bytes(across, down, vec![255; across as usize * down as usize * 3]);
    let place = |(x, y): Place| [x, y].map(|c| f64::from(c) / UNITS * scale);
    for mark in marks {
        let mut shape = Shape::default();
        match mark {
            Mark::Line { points, width, colour } => {
                let radius = 0.5 * (width * scale).max(1.0);
                let points: Vec<[f64; 2]> = points.iter().map(|&point| place(point)).collect();
                shape.line(&points, radius);
                shape.lay_over(&mut image, *colour, false);
            }
            Mark::Disc { centre, radius, colour } => {
                shape.disc(place(*centre), radius * scale);
                shape.lay_over(&mut image, *colour, false);
            }
            Mark::Text { line, at, is_upright, colour } => {
                shape.text(line, at.map(|c| c * scale), scale, *is_upright)?;
                shape.lay_over(&mut image, *colour, true);
            }
        }
    }
    Ok(image)
}

/// Closed outlines that all run around the same way, in pixels.
#[derive(Default)]
struct Shape {
    edges: Vec<[[f64; 2]; 2]>,
}

impl Shape {
    fn polygon(&mut self, corners: &[[f64; 2]]) {
        let area: f64 = (0..corners.len())
            .map(|k| {
                let ([x, y], [u, v]) = (corners[k], corners[(k + 1) % corners.len()]);
                x * v - u * y
            })
            .sum();
        for k in 0..corners.len() {
            let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
            self.edges.push(if area < 0.0 { [to, from] } else { [from, to] });
        }
    }

    fn disc(&mut self, [x, y]: [f64; 2], radius: f64) {
        let corner = |k: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
            [x + radius * cosine, y + radius * sine]
        };
        self.polygon(&std::array::from_fn::<_, CORNERS, _>(corner));
    }

    fn line(&mut self, points: &[[f64; 2]], radius: f64) {
        for pair in points.windows(2) {
            let ([x, y], [u, v]) = (pair[0], pair[1]);
            let length = (u - x).hypot(v - y);
            if length == 0.0 {
                continue;
            }
            let (across, up) = (radius * (y - v) / length, radius * (u - x) / length);
            self.polygon(&[[x + across, y + up], [u + across, v + up], [u - across, v - up], [x - across, y - up]]);
        }
        for &corner in points.iter().skip(1).take(points.len().saturating_sub(2)) {
            self.disc(corner, radius);
        }
    }

    fn text(&mut self, line: &TextLine, at: [f64; 2], scale: f64, is_upright: bool) -> Result<(), ViewError> {
        for glyph in &line.glyphs {
            let font = faces()?.font(glyph.face);
            let Some(outline) = font.outline(glyph.id) else { continue };
            let unit = glyph.em * scale / f64::from(font.units_per_em().unwrap_or(1000.0));
            let place = |p: Point| {
                let (x, up) = (glyph.x * scale + unit * f64::from(p.x), glyph.rise * scale + unit * f64::from(p.y));
                if is_upright { [at[0] - up, at[1] - x] } else { [at[0] + x, at[1] - up] }
            };
            for curve in &outline.curves {
                match *curve {
                    OutlineCurve::Line(from, to) => self.edges.push([place(from), place(to)]),
                    OutlineCurve::Quad(from, by, to) => self.curve(|t| {
                        let [a, b, c] = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
                        mix(&[(a, place(from)), (b, place(by)), (c, place(to))])
                    }),
                    OutlineCurve::Cubic(from, by, and, to) => self.curve(|t| {
                        let s = 1.0 - t;
                        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
                        let [a, b, c, d] = weights;
                        mix(&[(a, place(from)), (b, place(by)), (c, place(and)), (d, place(to))])
                    }),
                }
            }
        }
        Ok(())
    }

    fn curve(&mut self, at: impl Fn(f64) -> [f64; 2]) {
        const PARTS: usize = 6;
        let points: [[f64; 2]; PARTS + 1] = std::array::from_fn(|k| at(k as f64 / PARTS as f64));
        self.edges.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
    }

    /// Lays the inside of the outlines over an image.
    fn lay_over(&self, image: &mut Image, colour: Colour, is_text: bool) {
        let bounds = |k: usize| {
            let all = self.edges.iter().flatten().map(|point| point[k]);
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        };
        let ([left, right], [top, bottom]) = (bounds(0), bounds(1));
        // a pixel of room on all sides: the rasteriser runs over at the ends of rows
        let (left, top) = (left.floor() - 1.0, top.floor() - 1.0);
        let (width, height) = (right.ceil() - left + 2.0, bottom.ceil() - top + 2.0);
        let most = 4.0 * f64::from(image.width()).max(f64::from(image.height()));
        if !(width > 0.0 && height > 0.0 && width.max(height) < most) {
            return;
        }
        let mut raster = Rasterizer::new(width as usize, height as usize);
        let local = |[x, y]: [f64; 2]| point((x - left) as f32, (y - top) as f32);
        for [from, to] in &self.edges {
            raster.draw_line(local(*from), local(*to));
        }
        raster.for_each_pixel_2d(|x, y, coverage| {
            let coverage = coverage.clamp(0.0, 1.0);
            if coverage > 0.0 {
                // The face is a light cut; a steeper ramp gives its stems the weight of running text.
                let alpha = if is_text { 1.0 - (1.0 - coverage).powf(1.6) } else { coverage };
                image.blend(left as i64 + i64::from(x), top as i64 + i64::from(y), colour, alpha);
            }
        });
    }
}

fn mix(points: &[(f64, [f64; 2])]) -> [f64; 2] {
    [0, 1].map(|k: usize| points.iter().map(|(weight, point)| weight * point[k]).sum())
}
