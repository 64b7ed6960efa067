//! Stages: what is done when they begin, and conditions that end them.

use dem_core::DVec3;

use crate::deformation::control::Control;
use crate::fields::body_forces::Fields;
use crate::insertion::region::Region;
use crate::state::contact_parameters::ContactDefinition;
use crate::wall_servos::servo::WallMotion;

/// A bound of a column of the series.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Column.
    pub quantity: String,
    /// Holds below this value.
    pub below: Option<f64>,
    /// Holds above this value.
    pub above: Option<f64>,
}

/// A true strain of the cell since the stage began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainBound {
    /// Row and column; none for that of the volume.
    pub component: Option<(usize, usize)>,
    /// Reached from the side of zero, positive in extension \[-\].
    pub value: f64,
}

/// When the stresses prescribed for the cell and the forces prescribed for walls count as reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressReached {
    /// Largest distance from a target in proportion to the largest target \[-\].
    pub tolerance: f64,
    /// Largest mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: f64,
}

/// Conditions of which any one ends a stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Condition {
    /// Time in the stage \[s\].
    pub time: Option<f64>,
    /// Steps in the stage.
    pub steps: Option<u64>,
    /// At rest with nothing left to pour.
    pub at_rest: bool,
    /// Nothing left to pour.
    pub poured: bool,
    /// Strains of the cell.
    pub strain: Vec<StrainBound>,
    /// Stresses of the cell.
    pub stress_reached: Option<StressReached>,
    /// A measured quantity.
    pub measure: Option<Measure>,
}

/// Something done at the start of a stage; walls by number, sources by name.
#[derive(Clone)]
pub enum Action {
    /// Takes a wall away.
    RemoveWall(usize),
    /// Puts a wall in place.
    AddWall(usize),
    /// Gives a wall a new motion.
    MoveWall(usize, Box<WallMotion>),
    /// Changes contact parameters.
    SetContact(Box<ContactDefinition>),
    /// Replaces gravity and the other fields.
    SetFields(Box<Fields>),
    /// Takes out the particles of a region.
    RemoveParticles(Box<Region>),
    /// Gives the particles of a guide a velocity along its path \[m/s\] and an angular velocity \[rad/s\].
    DriveGuide(String, f64, Option<DVec3>),
    /// Lets a source pour.
    StartPouring(String),
    /// Stops a source.
    StopPouring(String),
}

/// A stage.
#[derive(Clone)]
pub struct Stage {
    /// Name.
    pub name: String,
    /// Done when it begins.
    pub actions: Vec<Action>,
    /// What is prescribed for the cell while it lasts.
    pub deform: Option<Control>,
    /// When it ends.
    pub until: Condition,
}

impl Stage {
    /// The one of a scene without stages: until at rest, or the end of time.
    pub(crate) fn implied() -> Self {
        let until = Condition { at_rest: true, ..Condition::default() };
        Self { name: "run".to_owned(), actions: Vec::new(), deform: None, until }
    }

    /// Whether it is that one.
    pub(crate) fn is_implied(&self) -> bool {
        let own = Self::implied();
        self.name == own.name && self.actions.is_empty() && self.deform.is_none() && self.until == own.until
    }
}

/// When the assembly counts as at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestCriterion {
    /// Kinetic energy per particle in proportion to m g d \[-\].
    pub kinetic_energy: f64,
    /// Mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: f64,
    /// For how long \[s\].
    pub duration: f64,
}

impl Default for RestCriterion {
    fn default() -> Self {
        Self { kinetic_energy: 1e-7, unbalanced_force: 1e-3, duration: 0.05 }
    }
}
