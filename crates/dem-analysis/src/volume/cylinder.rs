//! Volume that a sphere, or a part of it between planes, has in common with an unlimited cylinder across these planes.
//!
//! Along the axis of the cylinder the part of the sphere above the height h ≥ 0 is `w − h` thick at the distance t from the centre, with
//! `w = √(r² − u)`, `u = t²`; it ends at `u_m = r² − h²`. The cylinder of radius R at the distance ρ takes the angle 2φ(t) of the circle
//! of radius t. Integrated by parts with `G(u) = ∫ₜ (w − h) t dt = (w − h)²(2w + h)/6`,
//!
//! ```text
//! V = ∫ (w − h) 2φ t dt = 2φ(0) G(0) + ∫ 2φ' G dt,   φ' dt = −(1 + c/u) du / 2S,
//! S² = (u − u₁)(u₂ − u),   u₁ = (R − ρ)²,   u₂ = (R + ρ)²,   c = R² − ρ².
//! ```
//!
//! With `G = G(0) + (G − G(0))` in the term with c/u, whose first part has a closed form, the pole at u = 0 is gone, for every ρ:
//!
//! ```text
//! V = G(0) [π + 2 atan2((R − ρ) √(u₂ − u_m), (R + ρ) √(u_m − u₁))] − ∫ F du / S
//! F = G − c [(w² + w r + r²)/(3 (w + r)) − h/2]
//! ```
//!
//! over u₁ to the lower of u₂ and u_m (the square root of a negative number counts as zero). These are complete and incomplete elliptic
//! integrals of the third kind; their combination by closed forms (S. Lamarche, C. Leroy, Comput. Phys. Commun. 59 (1990) 359, for h = 0)
//! loses digits where R is close to ρ. Here the integral itself is taken with its root singularities substituted away, to rounding.

use std::f64::consts::{FRAC_PI_2, PI};

use super::integral::integral;

/// Change between two refinements, in proportion to the volume of the cube of the radius, at which the integral is done.
const TOLERANCE: f64 = 1e-15;

/// Volume of the part of a sphere that lies between two heights above its centre and in a cylinder \[m³\].
///
/// `heights` are distances from the centre along the axis of the cylinder, in rising order; they may be infinite. `distance` ≥ 0 is that
/// of the centre from the axis.
pub fn part_in_cylinder(radius: f64, heights: [f64; 2], cylinder: f64, distance: f64) -> f64 {
    cap_in_cylinder(radius, heights[0], cylinder, distance) - cap_in_cylinder(radius, heights[1], cylinder, distance)
}

/// Volume of the part of a sphere above a height over its centre that lies in a cylinder \[m³\].
pub fn cap_in_cylinder(radius: f64, height: f64, cylinder: f64, distance: f64) -> f64 {
    let upper = |height: f64| upper_cap(radius, height, cylinder, distance);
    if height >= radius || cylinder <= 0.0 {
        0.0
    } else if height <= -radius {
        2.0 * upper(0.0)
    } else if height < 0.0 {
        2.0 * upper(0.0) - upper(-height)
    } else {
        upper(height)
    }
}

/// The same for 0 ≤ height < radius.
fn upper_cap(r: f64, h: f64, cylinder: f64, distance: f64) -> f64 {
    // in units of the radius of the sphere
    let scale = r * r * r;
    let (h, outer, rho) = (h / r, cylinder / r, distance / r);
    // the difference before the division, for a sphere that is small beside the cylinder
    let (inwards, sum) = ((cylinder - distance) / r, outer + rho);
    let end = (1.0 - h) * (1.0 + h);
    let (u1, u2) = (inwards * inwards, sum * sum);
    let whole = (1.0 - h) * (1.0 - h) * (2.0 + h) / 6.0;
    if end <= u1 {
        return if inwards > 0.0 { scale * 2.0 * PI * whole } else { 0.0 };
    }
    let c = inwards * sum;
    let f = |u: f64| {
        let w = (1.0 - u).max(h * h).sqrt();
        let g = (w - h) * (w - h) * (2.0 * w + h) / 6.0;
        g - c * ((w * w + w + 1.0) / (3.0 * (w + 1.0)) - 0.5 * h)
    };
    let rest = if u2 <= end {
        // u = middle − half cos θ, du = S dθ
        let (middle, half) = (outer * outer + rho * rho, 2.0 * outer * rho);
        integral(&|angle: f64| f(middle - half * libm::cos(angle)), 0.0, PI, TOLERANCE)
    } else {
        // u = u₁ + (u_m − u₁) sin²ψ
        let (span, beyond) = (end - u1, u2 - end);
        let of_angle = |angle: f64| {
            let (sine, cosine) = libm::sincos(angle);
            let left = span * cosine * cosine;
            2.0 * span.sqrt() * cosine * f(u1 + span * sine * sine) / (beyond + left).sqrt()
        };
        integral(&of_angle, 0.0, FRAC_PI_2, TOLERANCE)
    };
    let across = inwards * (u2 - end).max(0.0).sqrt();
    let turn = PI + 2.0 * libm::atan2(across, sum * (end - u1).sqrt());
    // rounding may leave a negative trace of a sphere that is all but outside
    (scale * (whole * turn - rest)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::{cap, sphere};

    /// Area common to two circles.
    fn lens(a: f64, b: f64, distance: f64) -> f64 {
        let small = a.min(b);
        if distance >= a + b {
            return 0.0;
        }
        if distance <= (a - b).abs() {
            return PI * small * small;
        }
        let to_a = (distance * distance + a * a - b * b) / (2.0 * distance);
        let to_b = distance - to_a;
        let segment = |r: f64, x: f64| r * r * (x / r).acos() - x * (r * r - x * x).max(0.0).sqrt();
        segment(a, to_a) + segment(b, to_b)
    }

    /// By slices: shares nothing with the derivation above.
    fn by_slices(r: f64, from: f64, cylinder: f64, distance: f64) -> f64 {
        let mut cuts = vec![from.max(-r), r];
        for s in [cylinder - distance, distance - cylinder, distance + cylinder] {
            if s.abs() < r {
                let z = (r * r - s * s).sqrt();
                cuts.extend([-z, z].iter().filter(|&&z| z > from));
            }
        }
        cuts.sort_by(f64::total_cmp);
        let area = |z: f64| lens((r * r - z * z).max(0.0).sqrt(), cylinder, distance);
        cuts.windows(2).map(|pair| super::super::integral::integral_with_roots(&area, pair[0], pair[1], 1e-15)).sum()
    }

    #[test]
    fn volumes_agree_with_the_sum_of_slices() {
        let mut worst: f64 = 0.0;
        for radius in [1.0, 0.3] {
            for height in [-2.0, -0.7, -0.1, 0.0, 1e-6, 0.2, 0.9] {
                for cylinder in [1e-3, 0.05, 0.4, 1.0, 1.3, 5.0, 40.0] {
                    for offset in [-3.0, -1.0, -0.5, -1e-3, 0.0, 1e-9, 0.2, 0.99, 1.0, 1.2] {
                        let distance: f64 = cylinder + offset * radius;
                        if distance < 0.0 {
                            continue;
                        }
                        let (h, expected) = (height * radius, by_slices(radius, height * radius, cylinder, distance));
                        let found = cap_in_cylinder(radius, h, cylinder, distance);
                        let error = (found - expected).abs() / sphere(radius);
                        worst = worst.max(error);
                        // the area of the lens, not the volume, loses digits to a large circle
                        let tolerance = 1e-12 + 4e-16 * (cylinder / radius).powi(2);
                        assert!(error < tolerance, "{radius} {height} {cylinder} {distance}: {found} {expected}");
                    }
                }
            }
        }
        assert!(worst > 0.0);
    }

    #[test]
    fn volumes_agree_with_counted_points() {
        // a grid of points: the error is of the order of the spacing over the number of points on the surface
        let (r, h, cylinder, distance) = (1.0, -0.3, 1.4, 1.1);
        let edge = 200;
        let at = |k: usize| -1.0 + (2 * k + 1) as f64 / edge as f64;
        let mut inside = 0u32;
        for i in 0..edge {
            for j in 0..edge {
                let (x, y) = (at(i), at(j));
                if (x + distance) * (x + distance) + y * y > cylinder * cylinder {
                    continue;
                }
                inside += (0..edge).filter(|&k| at(k) > h && x * x + y * y + at(k) * at(k) < r * r).count() as u32;
            }
        }
        let counted = f64::from(inside) * (2.0 / edge as f64).powi(3);
        assert!((cap_in_cylinder(r, h, cylinder, distance) - counted).abs() < 2e-3, "{counted}");
    }

    #[test]
    fn cylinder_through_the_centre_of_half_the_radius_cuts_out_the_solid_of_viviani() {
        // 2π/3 − 8/9 for radius 1
        let found = cap_in_cylinder(1.0, -1.0, 0.5, 0.5);
        assert!((found - (2.0 * PI / 3.0 - 8.0 / 9.0)).abs() < 1e-14, "{found}");
    }

    #[test]
    fn coaxial_cylinder_leaves_a_napkin_ring() {
        for cylinder in [0.1, 0.6, 0.999] {
            let outside = sphere(1.0) - cap_in_cylinder(1.0, -1.0, cylinder, 0.0);
            let height = 2.0 * (1.0f64 - cylinder * cylinder).sqrt();
            assert!((outside - PI / 6.0 * height.powi(3)).abs() < 1e-13, "{cylinder}");
        }
    }

    #[test]
    fn wide_cylinder_leaves_the_cap_and_a_far_one_nothing() {
        for height in [-1.0, -0.2, 0.0, 0.6] {
            assert!((cap_in_cylinder(1.0, height, 10.0, 8.9) - cap(1.0, height)).abs() < 1e-14);
            assert_eq!(cap_in_cylinder(1.0, height, 10.0, 11.1), 0.0);
        }
        assert_eq!(part_in_cylinder(1.0, [-f64::INFINITY, f64::INFINITY], 1.0, 3.0), 0.0);
    }

    #[test]
    fn flat_wall_is_the_limit_of_a_large_cylinder() {
        let wall = 0.3;
        let found = cap_in_cylinder(1.0, -1.0, 1e7, 1e7 - wall);
        assert!((found - cap(1.0, -wall)).abs() < 1e-6, "curvature is of the order 1e-7");
    }
}
