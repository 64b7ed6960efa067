//! Thin anti-aliased lines of walls.

use std::ops::Range;

use glam::DVec3;

use crate::picture::lens::{Lens, samples};
use crate::picture::rasteriser::{DepthBuffer, FIRST_SOLID, FIRST_VEIL};

/// Ends of a segment in the picture: column, row and depth [sample, sample, camera unit].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stroke {
    ends: [[f64; 2]; 2],
    depths: [f64; 2],
}

/// Opacity of lines on walls and background, and on spheres.
const OPACITY: [f32; 2] = [0.62, 0.40];
/// How far behind the surface of an opaque wall a line may lie and still belong to it [sample].
const SLACK: f64 = 4.0;

impl Stroke {
    /// The visible part of a segment, if any.
    pub fn new(segment: [DVec3; 2], lens: &Lens) -> Option<Self> {
        let clipped = lens.clip_segment(segment)?;
        Some(Self { ends: clipped.map(|end| lens.project(end)), depths: clipped.map(|end| end.z) })
    }

    /// Rows touched by a line of that half-width.
    pub fn rows(&self, half_width: f64) -> [f64; 2] {
        let (a, b) = (self.ends[0][1], self.ends[1][1]);
        [a.min(b) - half_width - 1.0, a.max(b) + half_width + 1.0]
    }

    /// Raises `cover`, the opacity of lines along one row, where this line is nearer than the spheres and the opaque walls.
    ///
    /// The greatest opacity wins, so that joints of a chain of segments are not darker than the rest.
    pub fn cover_row(&self, cover: &mut [f32], row: usize, half_width: f64, lens: &Lens, buffer: &DepthBuffer) {
        let [a, b] = self.ends;
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length_squared = dx * dx + dy * dy;
        let y = row as f64 + 0.5;
        let margin = half_width + 1.0;
        for column in samples(self.columns_near(y, margin), &columns_of(cover)) {
            let x = column as f64 + 0.5;
            let along = ((x - a[0]) * dx + (y - a[1]) * dy) / length_squared;
            let along = if along.is_nan() { 0.0 } else { along.clamp(0.0, 1.0) };
            let distance = (x - a[0] - along * dx).hypot(y - a[1] - along * dy);
            let coverage = (half_width + 0.5 - distance).clamp(0.0, 1.0) as f32;
            if coverage <= 0.0 {
                continue;
            }
            let (depth, owner) = buffer.get(column, row);
            let on_sphere = owner < FIRST_SOLID;
            // The edges of a solid lie in it, and what slopes away is nearer at one end of a sample than at the other.
            let slack = if on_sphere { 0.0 } else { SLACK / lens.magnification(depth) };
            if owner < FIRST_VEIL && lens.interpolate_depth(self.depths, along) > depth + slack {
                continue;
            }
            cover[column] = cover[column].max(coverage * OPACITY[usize::from(on_sphere)]);
        }
    }

    /// Columns of the part of the segment whose rows are within `margin` of `y`, widened by `margin`.
    fn columns_near(&self, y: f64, margin: f64) -> [f64; 2] {
        let [a, b] = self.ends;
        let dy = b[1] - a[1];
        let (mut from, mut to) = (0.0, 1.0);
        if dy.abs() > 1e-9 {
            let (first, second) = ((y - margin - a[1]) / dy, (y + margin - a[1]) / dy);
            from = first.min(second).clamp(0.0, 1.0);
            to = first.max(second).clamp(0.0, 1.0);
        }
        let (start, end) = (a[0] + (b[0] - a[0]) * from, a[0] + (b[0] - a[0]) * to);
        [start.min(end) - margin, start.max(end) + margin]
    }
}

fn columns_of(cover: &[f32]) -> Range<usize> {
    0..cover.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::lens::Ball;
    use crate::picture::rasteriser::{Facet, Stage, rasterise};
    use crate::picture::view::{Projection, View};

    #[test]
    fn line_shows_before_a_sphere_and_an_opaque_wall_and_not_behind_them() {
        let view = View {
            azimuth_degrees: 0.0,
            elevation_degrees: 0.0,
            projection: Projection::Orthographic,
            ..View::default()
        };
        let camera = Camera::fit(&[(DVec3::ZERO, 0.94)], &view, 1.0).unwrap();
        let lens = Lens::new(&camera, [0.0; 2], [100.0; 2]);
        let ball = Ball { centre: DVec3::new(0.0, 0.0, 3.0), radius: 0.4, index: 0 };
        let corners = [[-0.4, -0.4], [0.4, -0.4], [0.0, 0.8]].map(|[x, y]| DVec3::new(x, y, 3.0));
        let facet = Facet { corners, normal: -DVec3::Z, is_cut: false };
        let sphere = Stage { balls: vec![ball], ..Stage::default() };
        let solid = Stage { solids: vec![facet], ..Stage::default() };
        for (stage, is_fainter) in [(sphere, true), (solid, false)] {
            let buffer = rasterise(&stage, &lens, 100, 0..100);
            let cover_at = |depth: f64| {
                let stroke = Stroke::new([DVec3::new(-1.0, 0.0, depth), DVec3::new(1.0, 0.0, depth)], &lens).unwrap();
                let mut cover = vec![0.0; 100];
                stroke.cover_row(&mut cover, 50, 1.0, &lens, &buffer);
                cover
            };
            let (before, behind) = (cover_at(1.0), cover_at(5.0));
            assert!(before[50] > 0.3 && (before[50] < before[5]) == is_fainter, "fainter on a sphere");
            assert_eq!(behind[50], 0.0);
            assert_eq!(behind[5], before[5]);
        }
    }
}
