//! What checkpoints hold of guides that give a spin, beside what they hold of all.

use dem_core::DVec3;
use serde::{Deserialize, Serialize};

use super::follower::Turn;
use super::guide::Guide;
use crate::limits::within;

/// The spin that a guide gives, and what it does to those that it leads.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedTurns {
    spin: Option<DVec3>,
    turns: Vec<Turn>,
}

/// That of all guides; none if no guide gives a spin.
pub(crate) fn of(guides: &[Guide]) -> Option<Vec<SavedTurns>> {
    let one = |guide: &Guide| SavedTurns {
        spin: guide.spin,
        turns: guide.followers.iter().map(|follower| follower.turn).collect(),
    };
    guides.iter().any(|guide| guide.spin.is_some()).then(|| guides.iter().map(one).collect())
}

/// Gives it back to the guides that it is of. Returns whether it is of these.
pub(crate) fn restore(guides: &mut [Guide], saved: Vec<SavedTurns>) -> bool {
    if saved.len() != guides.len() {
        return false;
    }
    for (guide, SavedTurns { spin, turns }) in guides.iter_mut().zip(saved) {
        let sound = spin.is_none_or(|spin| spin.to_array().into_iter().all(within)) && turns.iter().all(Turn::is_sound);
        if !sound || turns.len() != guide.followers.len() {
            return false;
        }
        guide.spin = spin;
        for (follower, turn) in guide.followers.iter_mut().zip(turns) {
            follower.turn = turn;
        }
    }
    true
}
