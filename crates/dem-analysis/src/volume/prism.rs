//! Volume that the part of a sphere between two planes has in common with a prism of rectangular cross-section across them.
//!
//! The cross-section of the sphere at a height is a circle, and the area of a circle in a rectangle has a closed form; the heights at which
//! the circle begins to touch a side or a corner are known, and between them the area is smooth up to roots at the ends.

use std::f64::consts::PI;

use super::integral::integral_with_roots;

/// Change between two refinements, in proportion to the cube of the radius, at which the integral is done.
const TOLERANCE: f64 = 1e-15;

/// Volume of the part of a sphere between two heights above its centre (in rising order, may be infinite) and in a prism \[m³\].
///
/// `sides` are the lower and upper limits of the rectangle relative to the centre along two directions \[m\].
pub fn part_in_prism(radius: f64, heights: [f64; 2], sides: [[f64; 2]; 2]) -> f64 {
    // in units of the radius
    let sides = sides.map(|side| side.map(|x| x / radius));
    let [from, to] = heights.map(|h| (h / radius).clamp(-1.0, 1.0));
    if from >= to {
        return 0.0;
    }
    let mut cuts = vec![from, to];
    let mut cut = |circle: f64| {
        if circle.abs() < 1.0 {
            let height = (1.0 - circle * circle).sqrt();
            cuts.extend([-height, height].into_iter().filter(|height| (from..to).contains(height)));
        }
    };
    for a in sides[0] {
        cut(a);
        for b in sides[1] {
            cut(libm::hypot(a, b));
        }
    }
    sides[1].into_iter().for_each(&mut cut);
    cuts.sort_unstable_by(f64::total_cmp);
    let area = |height: f64| circle_in_rectangle(((1.0 - height) * (1.0 + height)).max(0.0).sqrt(), sides);
    let pieces = cuts.windows(2).filter(|pair| pair[1] > pair[0]);
    let sum: f64 = pieces.map(|pair| integral_with_roots(&area, pair[0], pair[1], TOLERANCE)).sum();
    radius * radius * radius * sum
}

/// Area of a circle about the origin in a rectangle.
fn circle_in_rectangle(radius: f64, [x, y]: [[f64; 2]; 2]) -> f64 {
    let below = |a: f64, b: f64| circle_below(radius, a, b);
    below(x[1], y[1]) - below(x[0], y[1]) - below(x[1], y[0]) + below(x[0], y[0])
}

/// Area of the part of a circle about the origin with the first coordinate below `a` and the second below `b`.
fn circle_below(radius: f64, a: f64, b: f64) -> f64 {
    let square = radius * radius;
    let half_plane = |x: f64| {
        if x >= radius {
            PI * square
        } else if x <= -radius {
            0.0
        } else {
            square * (PI - libm::acos(x / radius)) + x * (square - x * x).sqrt()
        }
    };
    if a <= -radius || b <= -radius {
        0.0
    } else if a * a + b * b < square {
        0.5 * (half_plane(a) + half_plane(b) - 0.5 * PI * square) + a * b
    } else {
        // the corner is outside: what both lines cut off does not meet
        match (a > 0.0, b > 0.0) {
            (true, true) => half_plane(a) + half_plane(b) - PI * square,
            (true, false) => half_plane(b),
            (false, true) => half_plane(a),
            (false, false) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::{cap, sphere};

    const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    #[test]
    fn prism_with_one_side_near_cuts_off_a_cap() {
        for side in [-1.2, -0.5, 0.0, 0.3, 0.999] {
            let found = part_in_prism(2.0, FREE, [[f64::NEG_INFINITY, 2.0 * side], FREE]);
            assert!((found - cap(2.0, -2.0 * side)).abs() < 1e-14 * sphere(2.0), "{side}: {found}");
        }
    }

    #[test]
    fn octants_are_eighths() {
        let up = [0.0, f64::INFINITY];
        assert!((part_in_prism(1.0, up, [up, up]) - sphere(1.0) / 8.0).abs() < 1e-15);
    }

    #[test]
    fn order_of_the_axes_does_not_matter() {
        let (x, y, z) = ([-0.3, 0.8], [-0.9, 0.2], [0.1, 0.7]);
        let found = [part_in_prism(1.0, z, [x, y]), part_in_prism(1.0, x, [y, z]), part_in_prism(1.0, y, [z, x])];
        assert!(found.iter().all(|v| (v - found[0]).abs() < 1e-15), "{found:?}");
        // a corner of the block lies outside the sphere, another one inside: counted points
        let edge = 240;
        let at = |[a, b]: [f64; 2], k: usize| a + (b - a) * (k as f64 + 0.5) / edge as f64;
        let mut inside = 0u32;
        for i in 0..edge {
            for j in 0..edge {
                let square = at(x, i).powi(2) + at(y, j).powi(2);
                inside += (0..edge).filter(|&k| square + at(z, k).powi(2) < 1.0).count() as u32;
            }
        }
        let counted = f64::from(inside) / (edge as f64).powi(3) * 1.1 * 1.1 * 0.6;
        assert!((found[0] - counted).abs() < 1e-4 * counted, "{} {counted}", found[0]);
    }

    #[test]
    fn cells_of_a_grid_add_up_to_the_sphere() {
        let at = |k: i32| f64::from(k) * 0.37 - 1.2;
        let mut sum = 0.0;
        for i in 0..7 {
            for j in 0..7 {
                for k in 0..7 {
                    let cell = |n: i32| [at(n), at(n + 1)];
                    sum += part_in_prism(1.0, cell(k), [cell(i), cell(j)]);
                }
            }
        }
        assert!((sum - sphere(1.0)).abs() < 1e-13, "{sum}");
    }
}
