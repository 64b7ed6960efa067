//! The loop over contacts: from candidates to the motion of particles.
//!
//! ```text
//!  Verlet list                dem_core::contact_list, kept up by the stepper
//!      |   every ten steps or so: what may touch soon                                neighbours/
//!  near list
//!      |   every step, in turns of 1,024 candidates, blocks of turns and regions     sweep/
//!  kinematics                 positions, velocities, rotations -> overlap, slip      kinematics/
//!      |   eight contacts at a time in SIMD lanes                                    kernel/
//!  law                        crate::law, histories of the start -> of the end
//!      |
//!  wrenches                   one cache line each, in frames that stay in cache      reduction/
//!      |   streaming reduction: a group of 64 particles as soon as all its contacts are computed
//!  sums of particles          in the order of partner ids
//!      |   fused integration: the integrator advances the group at once
//!  motion
//! ```
//!
//! | module | what may be changed there | what must hold |
//! |---|---|---|
//! | [`neighbours`] | how near pairs are chosen, margins, what survives a rebuild | every pair that touches, or did at the start of the step, is near |
//! | [`sweep`] | order, blocks, regions, claims, prefetch | a chunk has one turn; a group is summed after all its contacts; frames are free when they are taken |
//! | [`kinematics`] | how bodies are read | the bits of one lane alone |
//! | [`kernel`] | how a law is called, packing of histories | the bits of one lane alone; histories of touching contacts in ascending order |
//! | [`reduction`] | where wrenches lie | terms of a sum and their order |
//!
//! No bit of a result depends on the number of threads, on which of them computes what, or on when sums are taken.
//! Nothing here knows a formula of physics; laws do not depend on this module.

pub mod kernel;
pub mod kinematics;
pub mod neighbours;
pub mod reduction;
pub mod sweep;
