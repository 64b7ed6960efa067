//! Where the picture is taken from.

use glam::DVec3;

use crate::error::ViewError;
use crate::picture::view::{Projection, View};

/// Part of the half-height and half-width of the picture that fitted content may fill.
const FILL: f64 = 0.94;

/// A placed camera.
///
/// Inside, lengths are divided by the extent of the content and counted from its middle, so that neither a tiny scene
/// nor one far from the origin loses digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// World point that camera coordinates are counted from.
    origin: DVec3,
    /// World length of one camera unit.
    unit: f64,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Eye in camera axes, relative to `origin` [camera unit].
    eye: DVec3,
    /// Half-heights of the picture per unit slope (perspective) or per camera unit (orthographic).
    focal: f64,
    perspective: bool,
}

impl Camera {
    /// Places a camera so that every ball of `content` (centre and radius; radius 0 for a point) is inside a picture of
    /// `aspect` = width / height, as large as it can be.
    ///
    /// Films fit once, to content that covers the whole run, and give the same camera to every picture.
    ///
    /// # Errors
    /// [`ViewError::Option`] if a number of `view` or `aspect` is out of range, [`ViewError::Entry`] if a ball is not
    /// finite, [`ViewError::NothingToFrame`] if there is no ball.
    pub fn fit(content: &[(DVec3, f64)], view: &View, aspect: f64) -> Result<Self, ViewError> {
        view.check(aspect)?;
        for (index, &(centre, radius)) in content.iter().enumerate() {
            check_point("framed point", index, centre)?;
            check_point("framed radius", index, DVec3::splat(radius))?;
        }
        let axes = Axes::new(view);
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for &(centre, radius) in content {
            low = low.min(centre - radius.abs());
            high = high.max(centre + radius.abs());
        }
        if content.is_empty() {
            return Err(ViewError::NothingToFrame);
        }
        let origin = view.look_at.unwrap_or(low + 0.5 * (high - low));
        // Below 1e-200 the inverse would overflow; a single point has no extent at all.
        let extent = (0.5 * (high - low)).max_element();
        let unit = if extent > 1e-200 { extent } else { 1.0 };

        let slopes = slopes(view, aspect);
        let ([slope_x, slope_y], perspective) = (slopes.unwrap_or_default(), slopes.is_some());
        // For each of the four side planes of the field of view, the plane of that slope that just touches the content.
        let (root_x, root_y) = ((1.0 + slope_x * slope_x).sqrt(), (1.0 + slope_y * slope_y).sqrt());
        let mut touch = [f64::NEG_INFINITY; 4];
        let mut nearest = f64::INFINITY;
        for &(centre, radius) in content {
            let p = axes.rotate((centre - origin) / unit);
            let r = radius.abs() / unit;
            touch[0] = touch[0].max(p.x - slope_x * p.z + r * root_x);
            touch[1] = touch[1].max(-p.x - slope_x * p.z + r * root_x);
            touch[2] = touch[2].max(p.y - slope_y * p.z + r * root_y);
            touch[3] = touch[3].max(-p.y - slope_y * p.z + r * root_y);
            nearest = nearest.min(p.z - r);
        }
        let centred = view.look_at.is_some();
        let middle = |a: f64, b: f64| if centred { 0.0 } else { 0.5 * (a - b) };
        let half = |a: f64, b: f64| if centred { a.max(b) } else { 0.5 * (a + b) };
        let (half_x, half_y) = (half(touch[0], touch[1]), half(touch[2], touch[3]));
        let mut eye = DVec3::new(middle(touch[0], touch[1]), middle(touch[2], touch[3]), nearest - 1.0);
        let focal = if perspective {
            eye.z = (-half_x / slope_x).min(-half_y / slope_y).min(nearest - 1e-3);
            FILL / slope_y
        } else {
            let half_height = half_y.max(half_x / aspect);
            FILL / if half_height > 0.0 { half_height } else { 1.0 }
        };
        let Axes { right, up, forward } = axes;
        Ok(Self { origin, unit, right, up, forward, eye, focal: focal * view.zoom, perspective })
    }

    /// Column, row and distance along the line of sight of a world point in a picture of `width` x `height` pixels.
    ///
    /// Columns and rows are counted from the upper left corner of the upper left pixel; the distance has the unit of
    /// the world. `None` for points beside or behind a perspective eye.
    pub fn project(&self, point: DVec3, width: u32, height: u32) -> Option<[f64; 3]> {
        let p = self.to_camera(point);
        if self.perspective && p.z <= 0.0 {
            return None;
        }
        let scale = 0.5 * f64::from(height) * self.focal / if self.perspective { p.z } else { 1.0 };
        Some([0.5 * f64::from(width) + p.x * scale, 0.5 * f64::from(height) - p.y * scale, p.z * self.unit])
    }

    /// World point in camera axes (right, up, away from the eye), relative to the eye [camera unit].
    pub(crate) fn to_camera(self, point: DVec3) -> DVec3 {
        self.turn((point - self.origin) / self.unit) - self.eye
    }

    /// Direction in camera axes.
    pub(crate) fn turn(self, direction: DVec3) -> DVec3 {
        Axes { right: self.right, up: self.up, forward: self.forward }.rotate(direction)
    }

    /// World length of one camera unit.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    /// Half-heights of the picture per unit slope, or per camera unit.
    pub(crate) fn focal(&self) -> f64 {
        self.focal
    }

    pub(crate) fn is_perspective(&self) -> bool {
        self.perspective
    }

    /// Vertical of the picture's world in camera axes, for the light from the sky.
    pub(crate) fn world_up(&self, up: DVec3) -> DVec3 {
        self.turn(up.normalize_or(DVec3::Z))
    }
}

impl View {
    /// Unit direction to the eye from the middle of the picture.
    ///
    /// # Errors
    /// [`ViewError::Option`] if a number of the view is out of range.
    pub fn towards_eye(&self) -> Result<DVec3, ViewError> {
        self.check(1.0)?;
        Ok(-Axes::new(self).forward)
    }
}

/// How far the sides of the part to be filled lean outwards per distance from the eye; `None` in parallel projection.
fn slopes(view: &View, aspect: f64) -> Option<[f64; 2]> {
    match view.projection {
        Projection::Perspective { field_of_view_degrees } => {
            let slope = (0.5 * field_of_view_degrees.to_radians()).tan();
            Some([slope * aspect * FILL, slope * FILL])
        }
        Projection::Orthographic => None,
    }
}

/// Those of many balls that decide on the camera fitted to all of them: the outermost ones along the axes of the world, towards the four sides of the
/// field of view and towards the eye.
pub(crate) fn outermost(
    balls: impl IntoIterator<Item = (DVec3, f64)>,
    view: &View,
    aspect: f64,
) -> Result<Vec<(DVec3, f64)>, ViewError> {
    view.check(aspect)?;
    let Axes { right, up, forward } = Axes::new(view);
    let [slope_x, slope_y] = slopes(view, aspect).unwrap_or_default();
    let (side, top) = (slope_x * forward, slope_y * forward);
    let directions = [right - side, -right - side, up - top, -up - top, -forward];
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let mut found: Vec<Outermost> = directions
        .into_iter()
        .chain(axes)
        .map(|towards| Outermost { towards, reach: f64::NEG_INFINITY, ball: None })
        .collect();
    for ball in balls {
        found.iter_mut().for_each(|outermost| outermost.compare(ball));
    }
    Ok(found.into_iter().filter_map(|outermost| outermost.ball).collect())
}

/// The ball that reaches farthest in a direction.
struct Outermost {
    towards: DVec3,
    reach: f64,
    ball: Option<(DVec3, f64)>,
}

impl Outermost {
    fn compare(&mut self, (centre, radius): (DVec3, f64)) {
        let reach = self.towards.dot(centre) + radius * self.towards.length();
        if reach > self.reach {
            (self.reach, self.ball) = (reach, Some((centre, radius)));
        }
    }
}

/// Orthonormal axes of the picture in the world.
struct Axes {
    right: DVec3,
    up: DVec3,
    forward: DVec3,
}

impl Axes {
    fn new(view: &View) -> Self {
        let vertical = view.up.normalize();
        // Azimuth counts from x, or from y where x is (nearly) vertical.
        let reference = if vertical.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
        let ahead = (reference - vertical * reference.dot(vertical)).normalize();
        let aside = vertical.cross(ahead);
        let (sine, cosine) = view.azimuth_degrees.to_radians().sin_cos();
        let (rise, reach) = view.elevation_degrees.to_radians().sin_cos();
        let horizontal = ahead * cosine + aside * sine;
        // Built from the azimuth rather than from the direction, `right` exists looking straight down as well.
        let right = aside * cosine - ahead * sine;
        let forward = -(horizontal * reach + vertical * rise);
        Self { right, up: right.cross(forward), forward }
    }

    fn rotate(&self, v: DVec3) -> DVec3 {
        DVec3::new(v.dot(self.right), v.dot(self.up), v.dot(self.forward))
    }
}

/// Refuses coordinates whose squares or differences could overflow.
pub(crate) fn check_point(what: &'static str, index: usize, point: DVec3) -> Result<(), ViewError> {
    if point.is_finite() && point.abs().max_element() <= 1e100 {
        return Ok(());
    }
    let value = format!("({}, {}, {})", point.x, point.y, point.z);
    Err(ViewError::Entry { what, index, value, allowed: "finite numbers of at most 1e100" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(azimuth: f64, elevation: f64, projection: Projection) -> View {
        View { azimuth_degrees: azimuth, elevation_degrees: elevation, projection, ..View::default() }
    }

    #[test]
    fn azimuth_zero_looks_from_x_with_y_to_the_right_and_z_up() {
        for projection in [Projection::Orthographic, Projection::Perspective { field_of_view_degrees: 30.0 }] {
            let camera = Camera::fit(&[(DVec3::ZERO, 1.0)], &view(0.0, 0.0, projection), 1.0).unwrap();
            let at = |p| camera.project(p, 200, 200).unwrap();
            let [x, y, depth] = at(DVec3::ZERO);
            assert!((x - 100.0).abs() < 1e-9 && (y - 100.0).abs() < 1e-9);
            assert!(at(DVec3::X)[2] < depth, "x points to the eye");
            assert!(at(0.5 * DVec3::Y)[0] > 110.0 && at(0.5 * DVec3::Z)[1] < 90.0);
        }
    }

    #[test]
    fn orthographic_unit_ball_fills_the_promised_part() {
        let camera = Camera::fit(&[(DVec3::ZERO, 1.0)], &view(0.0, 0.0, Projection::Orthographic), 1.0).unwrap();
        let [x, y, _] = camera.project(DVec3::new(0.0, 0.5, 1.0), 1000, 1000).unwrap();
        // Half the picture is 500 pixels, of which the ball fills 0.94.
        assert!((x - (500.0 + 235.0)).abs() < 1e-9 && (y - (500.0 - 470.0)).abs() < 1e-9, "{x} {y}");
    }

    #[test]
    fn content_touches_the_margin_and_stays_inside_it() {
        let points: Vec<(DVec3, f64)> = (0..200)
            .map(|k| {
                let t = f64::from(k);
                (DVec3::new((t * 0.7).sin() * 3.0, (t * 1.3).cos(), t / 40.0), 0.0)
            })
            .collect();
        for projection in [Projection::Orthographic, Projection::Perspective { field_of_view_degrees: 50.0 }] {
            for (azimuth, elevation) in [(0.0, 0.0), (-60.0, 20.0), (200.0, -75.0), (10.0, 90.0)] {
                let camera = Camera::fit(&points, &view(azimuth, elevation, projection), 1.5).unwrap();
                let reach = points.iter().map(|&(p, _)| {
                    let [x, y, _] = camera.project(p, 1500, 1000).unwrap();
                    ((x - 750.0) / 750.0).abs().max(((y - 500.0) / 500.0).abs())
                });
                let most = reach.fold(0.0, f64::max);
                assert!((most - FILL).abs() < 1e-9, "{projection:?} {azimuth} {elevation}: {most}");
            }
        }
    }

    #[test]
    fn outermost_balls_of_two_clouds_give_the_camera_of_both() {
        let ball = |k: u32, shift: f64| {
            let t = f64::from(k);
            let centre = DVec3::new((t * 0.7).sin() * 3.0 + shift, (t * 1.3).cos() - shift, t / 40.0 + shift);
            (centre, 0.1 + 0.1 * (t * 0.3).sin())
        };
        let clouds = [-1.0, 2.5].map(|shift| (0..200).map(|k| ball(k, shift)).collect::<Vec<_>>());
        for projection in [Projection::Orthographic, Projection::Perspective { field_of_view_degrees: 50.0 }] {
            for (azimuth, elevation) in [(0.0, 0.0), (-60.0, 20.0), (200.0, -75.0), (10.0, 90.0)] {
                let view = view(azimuth, elevation, projection);
                let few: Vec<_> =
                    clouds.iter().flat_map(|cloud| outermost(cloud.clone(), &view, 1.5).unwrap()).collect();
                assert!(few.len() <= 22);
                assert_eq!(Camera::fit(&few, &view, 1.5), Camera::fit(&clouds.concat(), &view, 1.5));
            }
        }
    }

    #[test]
    fn looked_at_point_is_in_the_middle() {
        let target = DVec3::new(0.3, -0.2, 0.9);
        let view = View { look_at: Some(target), zoom: 7.0, ..View::default() };
        let camera = Camera::fit(&[(DVec3::ZERO, 1.0)], &view, 1.3).unwrap();
        let [x, y, _] = camera.project(target, 130, 100).unwrap();
        assert!((x - 65.0).abs() < 1e-9 && (y - 50.0).abs() < 1e-9);
    }

    #[test]
    fn scale_and_place_of_the_scene_do_not_matter() {
        let points: Vec<DVec3> =
            (0..20).map(|k| DVec3::new(f64::from(k % 3), f64::from(k % 4), f64::from(k % 5))).collect();
        let pixels = |scale: f64, shift: DVec3| -> Vec<[f64; 3]> {
            let balls: Vec<_> = points.iter().map(|&p| (p * scale + shift, 0.1 * scale)).collect();
            let camera = Camera::fit(&balls, &View::default(), 1.0).unwrap();
            balls.iter().map(|b| camera.project(b.0, 1000, 1000).unwrap()).collect()
        };
        let reference = pixels(1.0, DVec3::ZERO);
        for (scale, shift) in [(1e-9, DVec3::ZERO), (1e-60, DVec3::ZERO), (1e90, DVec3::ZERO), (1.0, DVec3::splat(1e6))]
        {
            for (a, b) in reference.iter().zip(pixels(scale, shift)) {
                // Shifted by 1e6, positions themselves are only known to 1e-10; a pixel is 5e-3.
                assert!((a[0] - b[0]).abs() < 1e-5 && (a[1] - b[1]).abs() < 1e-5, "{scale} {shift}");
            }
        }
    }

    #[test]
    fn single_point_is_framed() {
        for projection in [Projection::Orthographic, Projection::Perspective { field_of_view_degrees: 30.0 }] {
            let camera = Camera::fit(&[(DVec3::splat(7.0), 0.0)], &view(0.0, 0.0, projection), 1.0).unwrap();
            let [x, y, _] = camera.project(DVec3::splat(7.0), 10, 10).unwrap();
            assert!((x - 5.0).abs() < 1e-9 && (y - 5.0).abs() < 1e-9);
        }
    }

    #[test]
    fn content_must_exist_and_be_finite() {
        assert_eq!(Camera::fit(&[], &View::default(), 1.0), Err(ViewError::NothingToFrame));
        assert!(Camera::fit(&[(DVec3::NAN, 1.0)], &View::default(), 1.0).is_err());
    }
}
