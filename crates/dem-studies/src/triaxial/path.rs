//! Paths of loading.

/// What is held while a sample is compressed or extended along its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// What is held.
    pub held: Held,
    /// Mean or lateral stress, positive in compression; not used if the volume is held \[Pa\].
    pub pressure: f64,
    /// Rate of the strain along the axis, positive in compression \[1/s\].
    pub rate: f64,
}

/// What is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The mean stress.
    MeanStress,
    /// Both lateral stresses: drained.
    LateralStress,
    /// The volume: undrained.
    Volume,
}

impl Held {
    /// Names on the command line.
    pub const NAMES: [&str; 3] = ["constant-p", "drained", "undrained"];

    /// Of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::MeanStress, Self::LateralStress, Self::Volume];
        Self::NAMES.iter().position(|known| *known == name).map(|k| all[k])
    }
}
