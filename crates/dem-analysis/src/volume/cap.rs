//! The sphere and what a plane cuts off it.

use std::f64::consts::PI;

/// Volume of a sphere \[m³\].
pub fn sphere(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

/// Volume of the part of a sphere beyond a plane at a signed distance from its centre \[m³\]: all of it at or below `−radius`.
pub fn cap(radius: f64, distance: f64) -> f64 {
    if distance >= radius {
        0.0
    } else if distance <= -radius {
        sphere(radius)
    } else {
        let height = radius - distance;
        PI / 3.0 * height * height * (3.0 * radius - height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_on_both_sides_of_a_plane_make_the_sphere() {
        for distance in [-1.3, -1.0, -0.4, 0.0, 0.7, 1.0, 2.0] {
            assert!((cap(1.0, distance) + cap(1.0, -distance) - sphere(1.0)).abs() < 1e-15, "{distance}");
        }
        assert!((cap(2.0, 0.0) - 0.5 * sphere(2.0)).abs() < 1e-14);
    }
}
