//! Parts of an assembly in several ranks, with the bits of one.
//!
//! Every particle is owned by one rank, which moves it, and every rigid body with all its members. Particles of others that its own may touch before
//! the next exchange are ghosts, whose predicted state their owners send in every step; a contact between two ranks is computed by both, each with a
//! history of its own, and has the same inputs and therefore the same bits on both. Sums over all ranks are exact ([`dem_core::exact_sum`]), so that
//! nothing depends on the number of ranks or on which rank owns what.
//!
//! - [`decomposition`] cuts space into parts with equally many particles.
//! - [`halo`] says which particles another rank needs as ghosts, and for how long.
//! - [`link`] answers the questions of [`Whole`](crate::state::whole::Whole) by messages between ranks.
//! - [`share`] is what owners tell of their particles in every step.
//! - [`records`] packs histories of contacts, which go with particles that change their owner.
//! - [`loads`] says what ranks would have to do, for forecasts.
//!
//! How ghosts and owners are renewed, `forces/ghosts.rs` says.

pub(crate) mod decomposition;
pub(crate) mod halo;
pub(crate) mod link;
pub(crate) mod loads;
pub(crate) mod records;
pub(crate) mod share;

pub use loads::RankLoad;
