//! What files say of clumps.

use glam::DVec3;

/// A sphere of a clump, in the units of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct ClumpSphere {
    /// Centre.
    pub position: DVec3,
    /// Radius, greater than zero.
    pub radius: f64,
    /// Type or material, as the file writes it.
    pub kind: Option<String>,
    /// Mass, greater than zero.
    pub mass: Option<f64>,
}

impl ClumpSphere {
    pub(super) fn new([x, y, z, radius]: [f64; 4]) -> Self {
        Self { position: DVec3::new(x, y, z), radius, kind: None, mass: None }
    }
}

/// Properties of the whole clump that a file gives, in its units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GivenProperties {
    /// Mass, greater than zero.
    pub mass: Option<f64>,
    /// Centre of mass.
    pub centre: Option<DVec3>,
    /// Inertia about the centre of mass along the axes of the file: the components xx, yy, zz, xy, xz, yz of the tensor.
    pub inertia: Option<[f64; 6]>,
}

/// A clump of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ClumpShape {
    /// Number of the clump, if the file numbers clumps.
    pub id: Option<i64>,
    /// Its spheres in the order of the file, at least one.
    pub spheres: Vec<ClumpSphere>,
    /// What the file says of the whole.
    pub given: GivenProperties,
}

impl ClumpShape {
    pub(super) fn of_spheres(spheres: Vec<ClumpSphere>) -> Self {
        Self { id: None, spheres, given: GivenProperties::default() }
    }
}
