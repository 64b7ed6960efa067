//! The energy ledger: every term of the energy balance of a run.

use serde::{Deserialize, Serialize};

use crate::history::{ContactWork, FurtherWork};

/// Energies of a run that the present state does not show; the rest of the ledger is computed from the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AccumulatedEnergy {
    /// Work fields of the contacts that have separated \[J\]. Its `elastic_tangential` and `elastic_rolling` are what springs had not
    /// given back when their contact ended.
    pub separated: ContactWork,
    /// Work done on the particles by walls, including those removed from the scene \[J\].
    pub walls: f64,
    /// Work done on the particles by the deformation of the cell \[J\].
    pub cell: f64,
    /// What fields without a potential took from particles that have left \[J\].
    pub fields_of_removed: f64,
    /// Mechanical energy brought in by inserted particles minus that taken out by removed ones and by reflections, plus the energy
    /// that changes of parameters between stages added \[J\].
    pub exchanged: f64,
}

/// All terms of the ledger at one instant \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyLedger {
    /// Kinetic energy of translation.
    pub kinetic_translation: f64,
    /// Kinetic energy of rotation.
    pub kinetic_rotation: f64,
    /// Potential energy in the field of gravity, zero at the origin; turning gravity has none.
    pub gravity: f64,
    /// Stored in normal contact springs.
    pub elastic_normal: f64,
    /// Given up by the faces of contacts that are joined by adhesion, zero or less.
    #[serde(default)]
    pub adhesion: f64,
    /// Stored in tangential contact springs.
    pub elastic_tangential: f64,
    /// Stored in the springs of rolling and twisting resistance.
    pub elastic_rolling: f64,
    /// Potential energy of forces between bodies at a distance, zero at their cutoff.
    pub near_field: f64,
    /// Dissipated by friction so far.
    pub friction: f64,
    /// Dissipated by contact damping so far.
    pub viscous: f64,
    /// Taken from tangential springs by changes of their stiffness so far, negative for what these have added.
    pub stiffness: f64,
    /// Dissipated by rolling resistance so far.
    pub rolling: f64,
    /// Dissipated by twisting resistance so far.
    pub twisting: f64,
    /// Taken by fields without a potential so far: drag, local and global damping; negative for what the Magnus force of a moving fluid
    /// and turning gravity have added.
    pub fields: f64,
    /// Left in tangential, rolling and twisting springs when their contacts ended.
    pub released: f64,
    /// Dissipated at contacts in ways that only some laws know, by [place](FurtherWork::place).
    pub further: [f64; FurtherWork::COUNT],
    /// Work done by walls on the particles so far.
    pub walls: f64,
    /// Work done on the particles by the deformation of the cell so far.
    pub cell: f64,
    /// Brought in and out with particles so far.
    pub exchanged: f64,
}

impl EnergyLedger {
    /// Kinetic energy.
    pub fn kinetic(&self) -> f64 {
        self.kinetic_translation + self.kinetic_rotation
    }

    /// Dissipated at contacts so far.
    pub fn dissipated_at_contacts(&self) -> f64 {
        self.friction + self.viscous + self.rolling + self.twisting + self.further()
    }

    /// Dissipated in ways that only some laws know so far.
    pub fn further(&self) -> f64 {
        self.further.iter().sum()
    }

    /// Everything the particles hold or have dissipated minus everything put in: constant in an exact solution.
    pub fn balance(&self) -> f64 {
        self.kinetic()
            + self.gravity
            + self.elastic_normal
            + self.adhesion
            + self.elastic_tangential
            + self.elastic_rolling
            + self.near_field
            + self.friction
            + self.viscous
            + self.stiffness
            + self.rolling
            + self.twisting
            + self.further()
            + self.fields
            + self.released
            - self.walls
            - self.cell
            - self.exchanged
    }
}
