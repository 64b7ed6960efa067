//! What of a sample follows its cell by itself: everything, or the images beyond the faces only.
//!
//! A cell that drives a sample at its boundary leaves what is inside alone: a particle keeps its velocity and its
//! angular velocity until its contacts change them, and only its images move with the cell. Particles are carried along
//! all the same, so that velocities stay peculiar ones; what the carrying adds to the motion is taken off the peculiar
//! velocity, measured from the centre of the cell, which therefore stays at rest. With the gradients F₀ and F of the
//! last and of this step, and y the vector from the centre,
//!
//! ```text
//! v ← F₀⁻¹ v + (1 − F₀⁻¹) y / Δt − (F − 1) y / Δt
//! ```
//!
//! makes the displacement of a free particle, `(F − 1) y + v Δt`, the same in every step: it flies straight on. To
//! first order in the step this is `dv/dt = f/m − L v − (dL/dt + L²) y`; the last term is what affine displacement
//! leaves out. It vanishes in steady simple shear, where both are the same motion. The peculiar velocity of an image is
//! that of its particle, so that its velocity differs by that of the cell. A time step that is another than the last
//! one enters with the square of L.

/// What a deforming cell displaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Displacement {
    /// All particles, by the affine step.
    #[default]
    Affine,
    /// The periodic images only, relative to the particles.
    Boundary,
}

impl Displacement {
    /// In headers.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Affine => "affine displacement",
            Self::Boundary => "boundary displacement",
        }
    }

    /// What a column of that name says.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Affine => "1: the cell carries all particles along by the affine step",
            Self::Boundary => "1: the cell drives the sample at its boundary, by the periodic images",
        }
    }
}
