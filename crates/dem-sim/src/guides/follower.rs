//! Spheres and bodies on paths.

use bytemuck::{Pod, Zeroable};
use dem_core::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::limits::within;

/// A sphere or a body on a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Follower {
    /// Id of the particle, of a body that of its first member.
    pub particle: u64,
    /// Where it began \[m\].
    pub origin: DVec3,
    /// Path coordinate, zero where it began \[m\].
    pub coordinate: f64,
    /// Velocity along the path \[m/s\].
    pub velocity: f64,
    /// Force of the guide on it at the end of the last step, friction included \[N\].
    pub reaction: DVec3,
    /// Whether a one-sided guide has let go.
    pub released: bool,
    /// Coordinate at time zero by the present prescribed speed \[m\].
    pub(super) phase: f64,
    /// What the guide does to its rotation.
    #[serde(skip)]
    pub turn: Turn,
}

/// What a guide that gives a spin does to the rotation of one that it leads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Orientation at time zero by the present spin: x, y, z, w.
    pub(super) attitude: [f64; 4],
    /// Torque of the guide on it at the end of the last step \[N m\].
    pub reaction: DVec3,
}

impl Default for Turn {
    fn default() -> Self {
        Self { attitude: DQuat::IDENTITY.to_array(), reaction: DVec3::ZERO }
    }
}

impl Turn {
    /// Whether one that comes from a file has an orientation and a torque.
    pub(crate) fn is_sound(&self) -> bool {
        let attitude = DQuat::from_array(self.attitude);
        (attitude.length_squared() - 1.0).abs() < 1e-6 && self.reaction.to_array().into_iter().all(within)
    }
}

impl Follower {
    /// Whether a follower that comes from a file has numbers that squares of are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let Self { origin, coordinate, velocity, reaction, phase, .. } = *self;
        let numbers = [coordinate, velocity, phase].into_iter().chain(origin.to_array()).chain(reaction.to_array());
        numbers.into_iter().all(within)
    }
}

/// What a step changes of a follower, as a message from the part of the assembly that moves it to all others.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Told {
    /// Number of the guide.
    pub guide: u32,
    /// Number of the follower among those of the guide.
    pub follower: u32,
    released: u64,
    coordinate: f64,
    velocity: f64,
    phase: f64,
    reaction: DVec3,
    attitude: [f64; 4],
    torque: DVec3,
}

/// Words of such a message.
const WORDS: usize = size_of::<Told>() / size_of::<u64>();

impl Told {
    /// Of a follower, given its number and that of its guide.
    pub fn of(guide: u32, follower: u32, state: &Follower) -> Self {
        let &Follower { coordinate, velocity, reaction, released, phase, turn, .. } = state;
        let Turn { attitude, reaction: torque } = turn;
        Self { guide, follower, released: released.into(), coordinate, velocity, phase, reaction, attitude, torque }
    }

    /// As a message.
    pub fn to_words(self) -> [u64; WORDS] {
        bytemuck::cast(self)
    }

    /// From messages, one after the other.
    pub fn all_of(words: &[u64]) -> impl Iterator<Item = Self> {
        words.as_chunks::<WORDS>().0.iter().map(|words| bytemuck::cast(*words))
    }

    /// Has a follower be as told.
    pub fn put(&self, state: &mut Follower) {
        let Self { coordinate, velocity, phase, reaction, attitude, torque, .. } = *self;
        (state.coordinate, state.velocity, state.phase, state.reaction) = (coordinate, velocity, phase, reaction);
        state.released = self.released != 0;
        state.turn = Turn { attitude, reaction: torque };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn followers_are_the_same_elsewhere() {
        let follower = |velocity, released| Follower {
            particle: 7,
            origin: DVec3::X,
            coordinate: 0.25,
            velocity,
            reaction: DVec3::new(1.0, 2.0, f64::MIN_POSITIVE),
            released,
            phase: -3.0,
            turn: Turn { attitude: [0.0, 0.6, -0.0, 0.8], reaction: DVec3::NEG_Z },
        };
        let followers = [follower(-0.0, true), follower(1e300, false)];
        let told = followers.iter().zip(0..).flat_map(|(state, number)| Told::of(5, number, state).to_words());
        let words: Vec<u64> = told.collect();
        let mut heard = [Follower { coordinate: 9.0, turn: Turn::default(), ..follower(4.0, false) }; 2];
        for told in Told::all_of(&words) {
            assert_eq!(told.guide, 5);
            told.put(&mut heard[told.follower as usize]);
        }
        assert_eq!(heard, followers);
    }
}
