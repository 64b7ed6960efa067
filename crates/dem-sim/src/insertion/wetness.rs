//! Liquid on the spheres of a source.

use dem_core::particles::sphere_volume;

/// How much liquid a sphere has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Wetness {
    /// None.
    #[default]
    Dry,
    /// A film of a thickness \[m\].
    Film(f64),
    /// A volume in proportion to that of the sphere.
    Content(f64),
}

impl Wetness {
    /// Volume of the liquid on a sphere of a radius \[m\] \[m³\].
    pub fn volume(self, radius: f64) -> f64 {
        match self {
            Self::Dry => 0.0,
            Self::Film(thickness) => {
                // not the difference of two spheres, which cancels
                let ratio = thickness / radius;
                sphere_volume(radius) * ratio * (3.0 + ratio * (3.0 + ratio))
            }
            Self::Content(content) => content * sphere_volume(radius),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_a_shell() {
        let shell = sphere_volume(1.25) - sphere_volume(1.0);
        assert!((Wetness::Film(0.25).volume(1.0) / shell - 1.0).abs() < 1e-14);
        assert_eq!(Wetness::Dry.volume(1.0), 0.0);
        assert_eq!(Wetness::Content(0.5).volume(2.0), 0.5 * sphere_volume(2.0));
    }
}
