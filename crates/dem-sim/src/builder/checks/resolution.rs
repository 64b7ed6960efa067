//! Whether positions are resolved finely enough for overlaps to mean something.
//!
//! Numbers in double precision have some sixteen digits: far from the origin few of them are left for the distance of two surfaces.

use dem_core::DVec3;
use dem_core::figure::Figure;

use crate::simulation::components::Simulation;

/// Resolution of a position in proportion to the smallest radius from which on overlaps suffer: a hundredth of the overlap that tables may have
/// by rounding, and of the smallest ones of beds at rest.
const COARSE: f64 = 1e-8;

/// Warns of particles, and of places where they appear, so far from the origin that rounding of positions shows in overlaps.
pub(crate) fn warn(simulation: &Simulation) {
    let (p, sources) = (&simulation.world.particles, &simulation.sources);
    let radii = p.radius.iter().copied().chain(sources.iter().map(|source| source.smallest));
    let smallest = radii.fold(f64::INFINITY, f64::min);
    let corners = sources.iter().flat_map(|source| [source.bounds.0, source.bounds.1]);
    let farthest = p.position.iter().copied().chain(corners).fold(DVec3::ZERO, |all, x| all.max(x.abs()));
    let resolution = resolution_at(farthest.max_element());
    if resolution > COARSE * smallest {
        tracing::warn!(
            "{} m from the origin positions have a resolution of {:.1e} m, {:.1e} of the smallest radius, and so have overlaps; move the scene closer to the origin",
            Figure::new(farthest.max_element(), 3),
            resolution,
            resolution / smallest
        );
    }
}

/// Distance between neighbouring numbers of a size.
fn resolution_at(coordinate: f64) -> f64 {
    coordinate.next_up() - coordinate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolution_is_that_of_double_precision() {
        assert_eq!(resolution_at(1.0), f64::EPSILON);
        assert!((1e-4..2e-4).contains(&resolution_at(1e12)));
        assert!(resolution_at(0.0) > 0.0);
    }
}
