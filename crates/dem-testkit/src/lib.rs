//! Analytic references and small worlds shared by the tests. A dev-dependency only.

pub mod conformance;
pub mod gas;
pub mod micro_slip;
pub mod oblique_impact;
pub mod schemes;
pub mod single_contact;
pub mod worlds;
