//! What a file of another code says of the particles at one instant, as columns without any physics.

use glam::{DQuat, DVec3};

use super::format::ForeignFormat;

/// A particle.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignParticle {
    /// Its number in the file, if particles have one there.
    pub id: Option<u64>,
    /// Which of the kinds it is of.
    pub kind: u32,
    /// Centre, in the unit of length of the file.
    pub position: DVec3,
    /// Radius, in the unit of length of the file.
    pub radius: f64,
    /// Velocity, zero where the file has none.
    pub velocity: DVec3,
    /// Angular velocity, zero where the file has none.
    pub angular_velocity: DVec3,
    /// Orientation as a unit quaternion.
    pub orientation: Option<DQuat>,
    /// Density, from a column of densities or from mass and radius.
    pub density: Option<f64>,
}

/// The parallelepiped that a file gives as its box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignBox {
    /// Corner.
    pub origin: DVec3,
    /// Edges.
    pub edges: [DVec3; 3],
    /// Whether it is periodic along each edge; `None` where the file does not say.
    pub periodic: [Option<bool>; 3],
}

impl ForeignBox {
    /// A box along the axes.
    pub(super) fn rectangular(low: DVec3, high: DVec3, periodic: [Option<bool>; 3]) -> Self {
        let size = high - low;
        let edges = [DVec3::X * size.x, DVec3::Y * size.y, DVec3::Z * size.z];
        Self { origin: low, edges, periodic }
    }

    /// Whether its edges lie along the axes.
    #[must_use]
    pub fn is_rectangular(&self) -> bool {
        (0..3).all(|i| (0..3).all(|k| i == k || self.edges[i][k] == 0.0))
    }
}

/// Units of a file in SI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForeignUnits {
    /// Length \[m\].
    pub length: f64,
    /// Time \[s\].
    pub time: f64,
    /// Mass \[kg\].
    pub mass: f64,
}

/// What a file says of its units.
#[derive(Debug, Clone, PartialEq)]
pub enum UnitsInFile {
    /// Nothing.
    Unsaid,
    /// A system of units with sizes, by its name.
    Known(String, ForeignUnits),
    /// A system of units whose sizes are the user's, as `lj`, or one for atoms.
    Free(String),
}

/// Which columns a file has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Present {
    /// Numbers of particles.
    pub id: bool,
    /// Kinds of particles.
    pub kind: bool,
    /// Velocities.
    pub velocity: bool,
    /// Angular velocities.
    pub angular_velocity: bool,
    /// Densities or masses.
    pub density: bool,
}

/// One instant of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignState {
    /// The format that was read.
    pub format: ForeignFormat,
    /// Number of the frame, from 0.
    pub frame: usize,
    /// Steps done.
    pub step: Option<u64>,
    /// Time, in the unit of time of the file.
    pub time: Option<f64>,
    /// Units.
    pub units: UnitsInFile,
    /// The box.
    pub bounds: Option<ForeignBox>,
    /// Names of the kinds of particles, in the order in which they come.
    pub kinds: Vec<String>,
    /// Which columns there are.
    pub present: Present,
    /// The particles, in the order of the file.
    pub particles: Vec<ForeignParticle>,
    /// What the file holds beside and what was not taken from it, a sentence each.
    pub left_out: Vec<String>,
    /// What had to be assumed in reading it, a sentence each.
    pub assumed: Vec<String>,
}

impl ForeignState {
    /// No particles of a format.
    pub(super) fn new(format: ForeignFormat) -> Self {
        Self {
            format,
            frame: 0,
            step: None,
            time: None,
            units: UnitsInFile::Unsaid,
            bounds: None,
            kinds: Vec::new(),
            present: Present::default(),
            particles: Vec::new(),
            left_out: Vec::new(),
            assumed: Vec::new(),
        }
    }
}
