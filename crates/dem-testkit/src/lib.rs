//! Analytic references and small worlds shared by the tests. A dev-dependency only.

pub mod worlds;
