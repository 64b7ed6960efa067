//! Messages between ranks, the parts of a run that threads or processes compute.
//!
//! A [`Transport`] sends bytes from one rank to another, in order, and tells all ranks when one of them cannot go on. Everything else, sums and
//! exchanges among all ranks, is made of such messages in [`collectives`], once for all transports:
//!
//! - [`threads`]: ranks are threads of one process.
//! - [`mpi`]: they are processes that an MPI launcher has started.
//!
//! What is sent means nothing here; the engine decides.

pub mod collectives;
#[cfg(unix)]
pub mod mpi;
pub mod threads;
mod transport;

pub use transport::{Interrupted, Transport};
