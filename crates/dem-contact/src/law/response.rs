//! The response of a law, and what it reports of the state of a contact.

use dem_core::lanes::{Real, Vector};

/// State of the tangential contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// No load.
    #[default]
    Open = 0,
    /// The contact carries the load without sliding.
    Stick = 1,
    /// The friction limit is reached.
    Slide = 2,
    /// The surfaces do not touch; a force acts at a distance.
    Apart = 3,
}

impl Mode {
    /// From the masks of a [`Response`].
    #[inline(always)]
    pub fn of(loaded: bool, slides: bool) -> Self {
        match (loaded, slides) {
            (_, true) => Self::Slide,
            (true, false) => Self::Stick,
            (false, false) => Self::Open,
        }
    }

    /// From the number of a mode.
    #[inline]
    pub fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Stick,
            2 => Self::Slide,
            3 => Self::Apart,
            _ => Self::Open,
        }
    }
}

/// The response of a law: the force on i is `−N n + T`, the couple on i is `couple`.
#[derive(Clone, Copy, Debug)]
pub struct Response<R: Real = f64> {
    /// Normal force N \[N\], positive when it pushes the bodies apart.
    pub normal_force: R,
    /// Normal force that limits what the surfaces resist with \[N\]: N, or more than it by what adhesion presses them together with. What is laid over a
    /// law takes its own limits from it.
    pub limiting_force: R,
    /// Tangential force T on i \[N\], perpendicular to `normal1`.
    pub tangential_force: Vector<R>,
    /// Couple on i, the opposite acts on j \[N m\] (rolling and twisting resistance).
    pub couple: Vector<R>,
    /// Where the contact carries a load: false is [`Mode::Open`].
    pub loaded: R::Mask,
    /// Where it slides.
    pub slides: R::Mask,
}

impl<R: Real> Default for Response<R> {
    fn default() -> Self {
        let none = R::zero().less(R::zero());
        Self {
            normal_force: R::zero(),
            limiting_force: R::zero(),
            tangential_force: Vector::zero(),
            couple: Vector::zero(),
            loaded: none,
            slides: none,
        }
    }
}

impl Response {
    /// State of the tangential contact.
    pub fn mode(&self) -> Mode {
        Mode::of(self.loaded, self.slides)
    }
}

/// Tangent stiffnesses of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffness {
    /// `dN/dδ` \[N/m\].
    pub normal: f64,
    /// Tangential stiffness at zero slip \[N/m\].
    pub tangential: f64,
    /// Stiffness against rolling or twisting, the larger of the two \[N m/rad\].
    pub rolling: f64,
}

/// Viscosities of the dashpots of a contact that sticks, for bounds of the time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dashpots {
    /// Of the normal motion \[N s/m\].
    pub normal: f64,
    /// Of the tangential motion \[N s/m\].
    pub tangential: f64,
    /// Against rolling or twisting, the larger of the two \[N m s/rad\].
    pub rolling: f64,
}

/// Elastic energy held by a contact \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticEnergy {
    /// In the normal spring.
    pub normal: f64,
    /// Given up by faces that are joined, zero or less.
    pub adhesion: f64,
    /// In the tangential spring.
    pub tangential: f64,
    /// In the springs of rolling and twisting resistance.
    pub rolling: f64,
    /// Potential energy of a force that acts at a distance.
    pub near_field: f64,
}
