//! The shape of a body: what all bodies of one kind have in common, but for their size.

use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::eigenvalue::largest_eigenvalue;

/// A sphere of a template, in its principal frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Centre, from the centre of mass along the principal axes \[m\].
    pub position: DVec3,
    /// Radius \[m\].
    pub radius: f64,
    /// Index of the material.
    pub material: u16,
    /// Share of the body's mass, that of the part of the body nearest to this sphere \[-\]. No law of motion reads it.
    pub share: f64,
}

/// A kind of bodies at scale 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// Name, unique among the templates.
    pub name: String,
    /// The spheres.
    pub members: Vec<Member>,
    /// Volume that has mass \[m³\].
    pub volume: f64,
    /// Principal moments of inertia at density 1, ascending \[m⁵\].
    pub moments: DVec3,
    /// Orientation of the principal frame in the frame in which the template was given.
    pub principal: DQuat,
    /// Centre of mass in the frame in which the template was given \[m\].
    pub centre: DVec3,
    /// Distance from the centre of mass within which all of the body lies \[m\].
    pub bounding_radius: f64,
}

impl Template {
    /// Radius of the sphere of equal volume \[m\], which fields and drag take for the radius of the body.
    pub fn equivalent_radius(&self) -> f64 {
        // libm: the same bits on every machine
        libm::cbrt(self.volume * (0.75 / std::f64::consts::PI))
    }

    /// Smallest mass that a force on the surface of a member meets along its normal, wherever it acts, at density 1 \[m³\]:
    /// `1/(1/V + max (s × n)·I⁻¹(s × n))` with the centre s of the member.
    pub fn smallest_contact_mass(&self) -> f64 {
        let inverse = self.moments.recip();
        let turning = self.members.iter().map(|member| {
            let s = member.position;
            // columns of the cross product with s
            let columns = DVec3::AXES.map(|axis| s.cross(axis));
            let entry = |i: usize, j: usize| (columns[i] * inverse).dot(columns[j]);
            let column = |j: usize| DVec3::new(entry(0, j), entry(1, j), entry(2, j));
            largest_eigenvalue(DMat3::from_cols(column(0), column(1), column(2)))
        });
        1.0 / (1.0 / self.volume + turning.fold(0.0, f64::max))
    }
}
