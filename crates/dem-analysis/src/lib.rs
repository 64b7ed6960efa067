//! What runs that are done tell, from their directories: profiles and fields of a packing ([`profile`]), its order ([`order`]), the angle of its
//! surface ([`surface`]), the rate at which it flows out ([`discharge`]), means over the members of an ensemble ([`ensemble`]), columns as figures ([`plot`]), and a run
//! in tables and sentences ([`run_report`], [`methods`]).
//!
//! Nothing is simulated here.

#![forbid(unsafe_code)]

mod bibliography;
pub mod discharge;
pub mod ensemble;
pub mod error;
pub mod interactive;
pub mod methods;
pub mod order;
pub mod plot;
pub mod profile;
mod run_kinds;
pub mod run_record;
pub mod run_report;
pub mod surface;
mod volume;

pub use error::AnalysisError;
