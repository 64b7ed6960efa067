//! Spheres that a wall cuts when one of them is put in place: a sphere of a table, a wall that a stage brings in, either in a new branch.
//!
//! What is squeezed together by no motion brings energy that no work has supplied. It is refused beyond rounding,
//! unless the scene allows it; then it is booked as brought in, and a warning reports how much it is. A wall that moves
//! to where spheres are does work instead.

use dem_core::DVec3;
use dem_core::wall::Wall;

use super::world::World;

/// Overlap that rounding explains, in proportion to the radius.
pub(crate) const ROUNDING_OVERLAP: f64 = 1e-6;

/// The spheres that a wall cuts by more than is allowed, or by any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// The one that it cuts deepest; the first of those that it cuts alike.
    pub particle: u64,
    /// How deep, in proportion to its radius; above one its centre is behind a plane.
    pub ratio: f64,
    /// How many there are.
    pub count: usize,
}

/// Overlap of a sphere and a wall in proportion to the radius; negative apart.
pub(crate) fn overlap_ratio(wall: &Wall, centre: DVec3, radius: f64) -> f64 {
    (radius - wall.distance(centre)) / radius
}

/// What a wall cuts deeper than a fraction of the radius. `spheres` have a name, a centre \[m\], a radius \[m\] and how
/// much of their overlap counts not.
pub(crate) fn deepest(
    wall: &Wall,
    spheres: impl Iterator<Item = (u64, DVec3, f64)>,
    natural: impl Fn(DVec3, f64) -> f64,
    limit: f64,
) -> Option<Cut> {
    let mut found: Option<Cut> = None;
    for (particle, centre, radius) in spheres {
        let ratio = overlap_ratio(wall, centre, radius);
        if ratio <= limit || ratio <= limit + natural(centre, radius).max(0.0) {
            continue;
        }
        let count = found.map_or(0, |cut| cut.count) + 1;
        let deeper = found.is_none_or(|cut| ratio > cut.ratio || ratio == cut.ratio && particle < cut.particle);
        let worst =
            if deeper { (particle, ratio) } else { found.map_or((particle, ratio), |cut| (cut.particle, cut.ratio)) };
        found = Some(Cut { particle: worst.0, ratio: worst.1, count });
    }
    found
}

/// The spheres of a world.
pub(crate) fn spheres(world: &World) -> impl Iterator<Item = (u64, DVec3, f64)> {
    let p = &world.particles;
    (0..p.len()).map(|slot| (p.id[slot], p.position[slot], p.radius[slot]))
}

impl Cut {
    /// What is wrong, as the end of a sentence about the sphere and the wall.
    pub fn describe(&self, wall: &str, limit: f64) -> String {
        let Self { ratio, .. } = *self;
        if ratio > 1.0 {
            format!("lies behind wall \"{wall}\" ({ratio:.3e} of the radius deep), expected at most {limit:e}")
        } else {
            format!("and wall \"{wall}\" overlap by {ratio:.3e} of the radius, expected at most {limit:e}")
        }
    }
}
