//! What the evaluation of forces knows of other ranks.

use std::sync::Arc;

use dem_core::history::SavedRecord;
use dem_ranks::Interrupted;

use crate::error::StepError;
use crate::ranks::decomposition::Cuts;
use crate::ranks::link::Link;
use crate::state::world::World;

/// This rank among the others.
pub(crate) struct Ranks {
    /// Connects it with them.
    pub link: Arc<Link>,
    /// Which places belong to which rank.
    pub cuts: Cuts,
    /// How much two particles may have approached each other before ghosts are renewed \[m\].
    pub margin: f64,
    /// The same before owners change \[m\].
    pub margin_of_owners: f64,
    /// How far particles have moved between the last change of owners and the last renewal of ghosts \[m\].
    pub moved_with_owners: f64,
    /// Least margin when ghosts are renewed next \[m\].
    pub wanted_margin: f64,
    /// Histories, by laws, of contacts with ghosts that are away for a while.
    pub kept: Vec<Vec<SavedRecord>>,
    /// Number of particles of all ranks when ghosts were last renewed.
    pub particles: usize,
    /// What has happened so far.
    pub counts: RankCounts,
    /// Space is cut anew whenever ghosts are renewed, every time in other directions: for tests.
    pub shuffles: bool,
}

/// What has happened between ranks so far, as this one knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankCounts {
    /// How often ghosts were renewed.
    pub renewals: u64,
    /// Particles that this rank has handed over to others.
    pub handed_over: u64,
    /// Rigid bodies among them, each once.
    pub bodies_handed_over: u64,
    /// How often space was cut anew.
    pub rebalancings: u64,
    /// Ghosts that this rank has now.
    pub ghosts: usize,
    /// Bytes of states of its particles that this rank has sent.
    pub bytes_told: u64,
    /// Messages with them.
    pub messages_told: u64,
    /// Questions that all ranks have answered together, such as for the largest of a number.
    pub questions: u64,
}

impl Ranks {
    /// A rank of a run that begins.
    pub fn new(link: Arc<Link>) -> Self {
        Self {
            link,
            cuts: Cuts::Part(0),
            margin: 0.0,
            wanted_margin: 0.0,
            margin_of_owners: 0.0,
            moved_with_owners: 0.0,
            kept: Vec::new(),
            particles: 0,
            counts: RankCounts::default(),
            shuffles: false,
        }
    }

    /// Largest distance of the centres of a particle and a ghost that it may have to do with \[m\].
    pub fn reach(&self, world: &World) -> f64 {
        let own = world.particles.radius.iter().copied().fold(world.largest_radius_elsewhere, f64::max);
        2.0 * own + world.range() + self.margin
    }
}

/// What a step comes to if a rank has interrupted all.
pub(crate) fn elsewhere(Interrupted(why): Interrupted) -> StepError {
    StepError::Elsewhere(why)
}
