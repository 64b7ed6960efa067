//! Analytic references, small worlds and the conformance of the contact laws, shared by the tests and the validation cases.

#![forbid(unsafe_code)]

pub mod bodies;
pub mod conformance;
pub mod floor_impact;
pub mod gas;
pub mod micro_slip;
pub mod oblique_impact;
pub mod proof_laws;
pub mod schemes;
pub mod single_contact;
pub mod step_convergence;
pub mod worlds;
