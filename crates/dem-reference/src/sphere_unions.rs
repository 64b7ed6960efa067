//! Mass properties of unions of spheres that have a closed form, for density one: two spheres, and a sphere with six others around it.
//!
//! What two spheres have in common is a lens of two caps. A cap of a sphere of radius r between the heights a and r above its centre has, along its axis z and
//! across it,
//!
//! ```text
//! ∫ dV = π [r² z − z³/3]    ∫ z dV = π [r² z²/2 − z⁴/4]    ∫ z² dV = π [r² z³/3 − z⁵/5]    ∫ x² dV = π/4 [r⁴ z − 2 r² z³/3 + z⁵/5]
//! ```
//!
//! with the brackets taken from a to r, and the union is the two spheres less the lens.
//!
//! Source: integrals over discs of radius `√(r² − z²)`; the volume of a lens is in every table (for example E. W. Weisstein, Sphere-Sphere Intersection).

use std::f64::consts::PI;

use crate::error::{ReferenceError, positive};

/// Mass properties of a body with an axis, for density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxialBody {
    /// Volume \[m³\].
    pub volume: f64,
    /// Centre of volume, along the axis from the centre of the first sphere \[m\].
    pub centre: f64,
    /// Moment of inertia about the axis \[m⁵\].
    pub axial: f64,
    /// Moment of inertia across the axis, about the centre of volume \[m⁵\].
    pub transverse: f64,
}

/// Integrals of 1, z, z² and x² over a body whose axis is z.
#[derive(Clone, Copy, Debug)]
struct Integrals([f64; 4]);

impl Integrals {
    /// Of the part of a sphere about the origin from the height `a` up.
    fn cap(r: f64, a: f64) -> Self {
        let at = |z: f64| {
            [
                r * r * z - z.powi(3) / 3.0,
                r * r * z * z / 2.0 - z.powi(4) / 4.0,
                r * r * z.powi(3) / 3.0 - z.powi(5) / 5.0,
                0.25 * (r.powi(4) * z - 2.0 * r * r * z.powi(3) / 3.0 + z.powi(5) / 5.0),
            ]
        };
        let (top, bottom) = (at(r), at(a));
        Self(std::array::from_fn(|k| PI * (top[k] - bottom[k])))
    }

    /// Of a body that is turned upside down.
    fn mirrored(self) -> Self {
        let [volume, z, zz, xx] = self.0;
        Self([volume, -z, zz, xx])
    }

    /// Of a body that is moved upwards.
    fn moved(self, by: f64) -> Self {
        let [volume, z, zz, xx] = self.0;
        Self([volume, z + by * volume, zz + by * (2.0 * z + by * volume), xx])
    }

    fn plus(self, sign: f64, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + sign * other.0[k]))
    }

    fn body(self) -> AxialBody {
        let [volume, z, zz, xx] = self.0;
        let centre = z / volume;
        AxialBody { volume, centre, axial: 2.0 * xx, transverse: xx + zz - volume * centre * centre }
    }
}

/// The lens of a sphere about the origin and one about the height `distance`, neither of them inside the other.
fn lens(first: f64, second: f64, distance: f64) -> Integrals {
    if distance >= first + second {
        return Integrals([0.0; 4]);
    }
    let height = (distance * distance + (first - second) * (first + second)) / (2.0 * distance);
    Integrals::cap(first, height).plus(1.0, Integrals::cap(second, distance - height).mirrored().moved(distance))
}

/// The union of two spheres.
///
/// # Errors
/// A radius or a distance that is not positive, and one sphere inside the other.
pub fn two_spheres(radii: [f64; 2], distance: f64) -> Result<AxialBody, ReferenceError> {
    let [first, second] = radii;
    positive("radii", first)?;
    positive("radii", second)?;
    positive("distance", distance)?;
    if distance <= (first - second).abs() {
        let allowed = "no sphere inside the other: more than the difference of the radii".to_owned();
        return Err(ReferenceError::Argument { argument: "distance", value: distance.to_string(), allowed });
    }
    let spheres = Integrals::cap(first, -first).plus(1.0, Integrals::cap(second, -second).moved(distance));
    Ok(spheres.plus(-1.0, lens(first, second, distance)).body())
}

/// Exposed surface of the union of two spheres \[m²\]: spheres less their caps `2π r h`.
///
/// # Errors
/// As [`two_spheres`].
pub fn surface_of_two_spheres(radii: [f64; 2], distance: f64) -> Result<f64, ReferenceError> {
    two_spheres(radii, distance)?;
    let [first, second] = radii;
    let height = (distance * distance + (first - second) * (first + second)) / (2.0 * distance);
    let exposed = |r: f64, plane: f64| 2.0 * PI * r * (r + plane.min(r));
    Ok(exposed(first, height) + exposed(second, distance - height))
}

/// A sphere in the middle and six outer ones in the directions of the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctahedralCluster {
    /// Radius of the sphere in the middle \[m\].
    pub central_radius: f64,
    /// Radius of the outer spheres \[m\].
    pub outer_radius: f64,
    /// Distance of their centres from the middle \[m\].
    pub distance: f64,
}

impl OctahedralCluster {
    /// Volume \[m³\], and the moment of inertia about any axis through the middle \[m⁵\], of the union.
    ///
    /// What two outer spheres have in common must lie inside the central one: then it counts as little as what they have in common with that.
    ///
    /// # Errors
    /// Other clusters, and lengths that are not positive.
    pub fn volume_and_inertia(&self) -> Result<[f64; 2], ReferenceError> {
        let Self { central_radius, outer_radius, distance } = *self;
        two_spheres([central_radius, outer_radius], distance)?;
        // of what two outer spheres have in common, their circle reaches farthest
        let middle = distance / 2.0_f64.sqrt();
        let square = outer_radius * outer_radius - middle * middle;
        if square > 0.0 && middle + square.sqrt() > central_radius {
            return Err(ReferenceError::Argument {
                argument: "outer_radius",
                value: outer_radius.to_string(),
                allowed: "outer spheres that do not overlap each other outside the central one".to_owned(),
            });
        }
        let [central, _, _, central_xx] = Integrals::cap(central_radius, -central_radius).0;
        let outer = Integrals::cap(outer_radius, -outer_radius).moved(distance);
        let [part, _, zz, xx] = outer.plus(-1.0, lens(central_radius, outer_radius, distance)).0;
        // two of six along an axis, four across
        let square_of_axis = central_xx + 2.0 * zz + 4.0 * xx;
        Ok([central + 6.0 * part, 2.0 * square_of_axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quadrature::gauss;

    fn near(found: f64, expected: f64, tolerance: f64) -> bool {
        (found - expected).abs() <= tolerance * expected.abs()
    }

    #[test]
    fn union_of_two_spheres_is_what_quadrature_gives() {
        for (radii, distance) in [([1.0, 0.6], 1.2), ([1.0, 1.0], 1.0), ([0.3, 2.0], 1.9), ([1.0, 0.5], 2.0)] {
            let found = two_spheres(radii, distance).unwrap();
            let [first, second]: [f64; 2] = radii;
            let square = |z: f64| (first * first - z * z).max(second * second - (z - distance).powi(2)).max(0.0);
            let height = (distance * distance + first * first - second * second) / (2.0 * distance);
            let mut ends = [-first, first, distance - second, distance + second, height];
            ends.sort_by(f64::total_cmp);
            let integral = |f: &dyn Fn(f64) -> f64| -> f64 {
                ends.windows(2).filter(|w| w[1] > w[0]).map(|w| gauss(f, w[0], w[1], 64)).sum()
            };
            let volume = integral(&|z| PI * square(z));
            let centre = integral(&|z| PI * z * square(z)) / volume;
            let axial = integral(&|z| 0.5 * PI * square(z).powi(2));
            let transverse = 0.5 * axial + integral(&|z| PI * (z - centre).powi(2) * square(z));
            for (found, expected) in
                [(found.volume, volume), (found.centre, centre), (found.axial, axial), (found.transverse, transverse)]
            {
                assert!(near(found, expected, 1e-13), "{radii:?} {distance}: {found} {expected}");
            }
        }
        assert!(two_spheres([1.0, 0.4], 0.5).is_err() && two_spheres([1.0, 0.0], 0.5).is_err());
    }

    #[test]
    fn surface_is_the_rate_of_the_volume_as_all_spheres_grow() {
        let grown = |by: f64| two_spheres([1.0 + by, 0.6 + by], 1.2).unwrap().volume;
        let rate = (grown(1e-5) - grown(-1e-5)) / 2e-5;
        assert!(near(surface_of_two_spheres([1.0, 0.6], 1.2).unwrap(), rate, 1e-9));
        let apart = surface_of_two_spheres([1.0, 0.6], 1.7).unwrap();
        assert!(near(apart, 4.0 * PI * 1.36, 1e-14), "{apart}");
    }

    #[test]
    fn outer_spheres_that_overlap_outside_are_refused() {
        let cluster = OctahedralCluster { central_radius: 1.0, outer_radius: 0.7, distance: 0.6 };
        assert!(cluster.volume_and_inertia().is_ok());
        assert!(OctahedralCluster { distance: 0.9, outer_radius: 0.8, ..cluster }.volume_and_inertia().is_err());
    }

    #[test]
    fn octahedral_cluster_has_the_volume_of_its_parts() {
        // apart: six spheres on a cross
        let cluster = OctahedralCluster { central_radius: 1.0, outer_radius: 0.5, distance: 2.0 };
        let [volume, inertia] = cluster.volume_and_inertia().unwrap();
        let outer = 4.0 / 3.0 * PI * 0.125;
        assert!(near(volume, 4.0 / 3.0 * PI + 6.0 * outer, 1e-14));
        let expected = 0.4 * 4.0 / 3.0 * PI + 6.0 * 0.4 * outer * 0.25 + 4.0 * outer * 4.0;
        assert!(near(inertia, expected, 1e-14), "{inertia} {expected}");
    }
}
