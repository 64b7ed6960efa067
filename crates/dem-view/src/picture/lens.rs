//! From samples of the picture to rays in camera axes, and back.

use std::ops::Range;

use glam::DVec3;

use crate::picture::camera::Camera;

/// Least distance at which a perspective eye sees anything [camera unit].
pub(crate) const NEAREST: f64 = 1e-6;

/// Projection of camera coordinates to sample coordinates; columns and rows grow to the right and downwards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lens {
    perspective: bool,
    /// Samples per unit slope (perspective) or per camera unit (orthographic).
    scale: f64,
    /// Its inverse: rays are made for every sample and neighbour.
    inverse_scale: f64,
    /// Column and row of the optical axis.
    axis: [f64; 2],
}

/// Points `origin + depth * direction`; the direction has unit length along the optical axis, so that the parameter is
/// the depth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub origin: DVec3,
    pub direction: DVec3,
}

/// A sphere in camera axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ball {
    pub centre: DVec3,
    pub radius: f64,
    /// Place in the caller's columns.
    pub index: usize,
}

/// Keeps the points `p` with `normal . p <= offset`, in camera axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HalfSpace {
    pub normal: DVec3,
    pub offset: f64,
}

/// Where a ray meets a ball.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub depth: f64,
    /// The ray enters through the cut face.
    pub on_cut: bool,
}

impl Ray {
    /// Direction back to the eye, of unit length.
    pub fn back(&self) -> DVec3 {
        -self.direction.normalize()
    }

    pub fn at(&self, depth: f64) -> DVec3 {
        self.origin + self.direction * depth
    }
}

impl Lens {
    /// The camera's picture in a window that starts at `corner` and is `size` large [sample].
    pub fn new(camera: &Camera, corner: [f64; 2], size: [f64; 2]) -> Self {
        let scale = 0.5 * size[1] * camera.focal();
        Self {
            perspective: camera.is_perspective(),
            scale,
            inverse_scale: 1.0 / scale,
            axis: [corner[0] + 0.5 * size[0], corner[1] + 0.5 * size[1]],
        }
    }

    /// The ray through the middle of a sample.
    pub fn ray(&self, column: usize, row: usize) -> Ray {
        let x = (column as f64 + 0.5 - self.axis[0]) * self.inverse_scale;
        let y = (self.axis[1] - row as f64 - 0.5) * self.inverse_scale;
        if self.perspective {
            Ray { origin: DVec3::ZERO, direction: DVec3::new(x, y, 1.0) }
        } else {
            Ray { origin: DVec3::new(x, y, 0.0), direction: DVec3::Z }
        }
    }

    /// Samples per camera unit at some depth.
    pub fn magnification(&self, depth: f64) -> f64 {
        if self.perspective { self.scale / depth.max(NEAREST) } else { self.scale }
    }

    /// Column and row of a point in front of the eye.
    pub fn project(&self, point: DVec3) -> [f64; 2] {
        let scale = self.magnification(point.z);
        [self.axis[0] + point.x * scale, self.axis[1] - point.y * scale]
    }

    /// Whether both points of a silhouette test lie on the same side of the plane through the eye and an edge.
    pub fn is_silhouette(&self, edge: [DVec3; 2], beside: [DVec3; 2]) -> bool {
        let sight = if self.perspective { edge[0] } else { DVec3::Z };
        let normal = (edge[1] - edge[0]).cross(sight);
        (beside[0] - edge[0]).dot(normal) * (beside[1] - edge[0]).dot(normal) > 0.0
    }

    /// Part of a segment in front of the eye.
    pub fn clip_segment(&self, [a, b]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        if !self.perspective {
            return Some([a, b]);
        }
        match (a.z >= NEAREST, b.z >= NEAREST) {
            (true, true) => Some([a, b]),
            (false, false) => None,
            (a_inside, _) => {
                let crossing = a + (b - a) * ((NEAREST - a.z) / (b.z - a.z));
                Some(if a_inside { [a, crossing] } else { [crossing, b] })
            }
        }
    }

    /// Rows that a ball can touch, not clipped to the picture.
    pub fn rows(&self, ball: &Ball) -> [f64; 2] {
        let [low, high] = self.slopes(ball.centre.y, ball);
        [self.axis[1] - high * self.scale, self.axis[1] - low * self.scale]
    }

    /// Columns that a ball can touch, not clipped to the picture.
    pub fn columns(&self, ball: &Ball) -> [f64; 2] {
        let [low, high] = self.slopes(ball.centre.x, ball);
        [self.axis[0] + low * self.scale, self.axis[0] + high * self.scale]
    }

    /// Least and greatest picture coordinate of a ball whose centre has the lateral coordinate `across`: the slopes of
    /// the two tangents from the eye to its circle.
    fn slopes(&self, across: f64, ball: &Ball) -> [f64; 2] {
        let (depth, radius) = (ball.centre.z, ball.radius);
        if !self.perspective {
            return [across - radius, across + radius];
        }
        if depth <= radius {
            // The plane of the eye cuts the ball (or it is behind): anything is possible.
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let power = depth * depth - radius * radius;
        let root = radius * (across * across + power).sqrt();
        [(across * depth - root) / power, (across * depth + root) / power]
    }
}

/// Samples whose middles lie in `span`, clipped to `bounds`.
pub(crate) fn samples(span: [f64; 2], bounds: &Range<usize>) -> Range<usize> {
    let (first, end) = (bounds.start as f64, bounds.end as f64);
    // Both conversions see numbers inside the bounds (or NaN, which becomes zero samples).
    let start = (span[0] - 0.5).ceil().clamp(first, end) as usize;
    let stop = ((span[1] - 0.5).floor() + 1.0).clamp(first, end) as usize;
    start..stop.max(start)
}

impl Ball {
    /// First point of the kept part of the ball along a ray.
    pub fn hit(&self, ray: &Ray, kept: Option<&HalfSpace>, perspective_limit: f64) -> Option<Hit> {
        let to_centre = self.centre - ray.origin;
        let speed_squared = ray.direction.length_squared();
        let middle = to_centre.dot(ray.direction) / speed_squared;
        // Squaring the distance of closest approach keeps digits that the textbook discriminant cancels away.
        let rest = self.radius * self.radius - (to_centre - ray.direction * middle).length_squared();
        if rest <= 0.0 {
            return None;
        }
        let half_chord = (rest / speed_squared).sqrt();
        let mut hit = Hit { depth: middle - half_chord, on_cut: false };
        if let Some(kept) = kept {
            let speed = kept.normal.dot(ray.direction);
            let start = kept.normal.dot(ray.origin) - kept.offset;
            if start + speed * hit.depth > 0.0 {
                let crossing = -start / speed;
                if speed >= 0.0 || crossing >= middle + half_chord {
                    return None;
                }
                hit = Hit { depth: crossing, on_cut: true };
            }
        }
        (hit.depth > perspective_limit).then_some(hit)
    }
}

impl Lens {
    /// Depth at a fraction of the way between two projected points.
    pub fn interpolate_depth(&self, [from, to]: [f64; 2], fraction: f64) -> f64 {
        if self.perspective {
            // Straight lines stay straight in the inverse of the depth.
            1.0 / ((1.0 - fraction) / from + fraction / to)
        } else {
            from + (to - from) * fraction
        }
    }

    /// Depth that a hit must exceed.
    pub fn nearest_depth(&self) -> f64 {
        if self.perspective { NEAREST } else { f64::NEG_INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(perspective: bool) -> Lens {
        Lens { perspective, scale: 400.0, inverse_scale: 1.0 / 400.0, axis: [200.0, 150.0] }
    }

    #[test]
    fn bounds_hold_every_hit_and_are_tight() {
        for perspective in [true, false] {
            let lens = lens(perspective);
            for centre in [DVec3::new(0.0, 0.0, 4.0), DVec3::new(0.4, -0.2, 1.5), DVec3::new(-0.3, 0.2, 2.0)] {
                let ball = Ball { centre, radius: 0.15, index: 0 };
                let columns = samples(lens.columns(&ball), &(0..400));
                let rows = samples(lens.rows(&ball), &(0..300));
                let mut seen = [usize::MAX, 0, usize::MAX, 0];
                for row in 0..300 {
                    for column in 0..400 {
                        if ball.hit(&lens.ray(column, row), None, lens.nearest_depth()).is_some() {
                            assert!(columns.contains(&column) && rows.contains(&row));
                            seen = [seen[0].min(column), seen[1].max(column), seen[2].min(row), seen[3].max(row)];
                        }
                    }
                }
                // The tangent rows and columns may touch no sample middle.
                assert!(seen[0] - columns.start <= 1 && columns.end - 1 - seen[1] <= 1, "{perspective} {centre}");
                assert!(seen[2] - rows.start <= 1 && rows.end - 1 - seen[3] <= 1, "{perspective} {centre}");
            }
        }
    }

    #[test]
    fn perspective_silhouette_is_wider_than_the_projected_radius() {
        let ball = Ball { centre: DVec3::new(0.0, 0.0, 1.0), radius: 0.5, index: 0 };
        let [low, high] = lens(true).columns(&ball);
        // Tangent of asin(0.5) rather than 0.5.
        assert!((high - low - 2.0 * 400.0 * 0.5 / 0.75f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn cut_replaces_the_cap_and_removes_the_front() {
        let lens = lens(false);
        let ray = lens.ray(200, 150);
        let ball = Ball { centre: DVec3::new(0.0, 0.0, 3.0), radius: 1.0, index: 0 };
        let behind = |offset: f64| HalfSpace { normal: -DVec3::Z, offset: -offset };
        let hit = |offset| ball.hit(&ray, Some(&behind(offset)), f64::NEG_INFINITY);
        assert!(hit(1.0).is_some_and(|hit| !hit.on_cut && (hit.depth - 2.0).abs() < 1e-5));
        assert!(hit(2.5).is_some_and(|hit| hit.on_cut && (hit.depth - 2.5).abs() < 1e-12));
        assert!(hit(4.5).is_none());
    }

    #[test]
    fn sample_ranges_survive_infinite_and_undefined_spans() {
        assert_eq!(samples([f64::NEG_INFINITY, f64::INFINITY], &(3..9)), 3..9);
        assert_eq!(samples([f64::NAN, f64::NAN], &(3..9)).len(), 0);
        assert_eq!(samples([4.6, 6.4], &(3..9)), 5..6);
        assert_eq!(samples([40.0, 50.0], &(3..9)).len(), 0);
    }
}
