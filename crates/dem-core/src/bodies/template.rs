//! The shape of a body: what all bodies of one kind have in common, but for their size.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

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

    /// Longest arm of a contact from the centre of mass \[m\].
    pub fn longest_arm(&self) -> f64 {
        self.bounding_radius
    }
}
