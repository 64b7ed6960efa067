//! From which side and how closely a picture is taken.

use glam::DVec3;

use crate::error::ViewError;

/// How depth shrinks things.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Far things are smaller.
    Perspective {
        /// Full vertical opening angle `[degree]`, 1 to 120.
        field_of_view_degrees: f64,
    },
    /// Lengths across the line of sight are the same everywhere.
    Orthographic,
}

/// From which side and how closely to look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Angle of the eye about the vertical `[degree]`, counter-clockwise seen from above; 0 looks from the +x side if the
    /// vertical is z.
    pub azimuth_degrees: f64,
    /// Angle of the eye above the horizontal `[degree]`, -90 to 90.
    pub elevation_degrees: f64,
    /// Vertical direction, any length.
    pub up: DVec3,
    /// Magnification of the fitted picture about its middle; 1 shows everything.
    pub zoom: f64,
    /// Projection.
    pub projection: Projection,
    /// Point in the middle of the picture; without it the content is centred.
    pub look_at: Option<DVec3>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            azimuth_degrees: -60.0,
            elevation_degrees: 18.0,
            up: DVec3::Z,
            zoom: 1.0,
            projection: Projection::Perspective { field_of_view_degrees: 28.0 },
            look_at: None,
        }
    }
}

impl View {
    /// Refuses numbers out of range; `aspect` is width over height of the picture.
    pub(crate) fn check(&self, aspect: f64) -> Result<(), ViewError> {
        let check = |good: bool, what: &'static str, value: String, allowed: &'static str| {
            if good { Ok(()) } else { Err(ViewError::Option { what, value, allowed }) }
        };
        let View { azimuth_degrees: azimuth, elevation_degrees: elevation, up, zoom, projection, look_at } = *self;
        check(azimuth.abs() <= 1e6, "azimuth", azimuth.to_string(), "a finite angle in degrees")?;
        check(elevation.abs() <= 90.0, "elevation", elevation.to_string(), "-90 to 90 degrees")?;
        let length = up.length();
        check(
            length.is_finite() && length > 1e-100,
            "up direction",
            format!("{up}"),
            "a finite vector of some length",
        )?;
        check((1e-3..=1e6).contains(&zoom), "zoom", zoom.to_string(), "0.001 to 1000000")?;
        if let Projection::Perspective { field_of_view_degrees: angle } = projection {
            check((1.0..=120.0).contains(&angle), "field of view", angle.to_string(), "1 to 120 degrees")?;
        }
        if let Some(point) = look_at {
            let good = point.is_finite() && point.abs().max_element() <= 1e100;
            check(good, "point to look at", format!("{point}"), "finite numbers of at most 1e100")?;
        }
        check((1e-4..=1e4).contains(&aspect), "aspect", aspect.to_string(), "0.0001 to 10000")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_views_are_named() {
        for (view, name) in [
            (View { zoom: 0.0, ..View::default() }, "zoom"),
            (View { elevation_degrees: f64::NAN, ..View::default() }, "elevation"),
            (View { up: DVec3::ZERO, ..View::default() }, "up direction"),
            (View { projection: Projection::Perspective { field_of_view_degrees: 180.0 }, ..View::default() }, "field"),
        ] {
            let message = view.check(1.0).unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
    }
}
