//! The schemes that tests run over: a new integrator or choice is covered by them without further code.
#![expect(clippy::expect_used, reason = "a test whose integrator does not exist must stop")]

pub use dem_sim::integrators::{Scheme, all_schemes};

/// The scheme of a name as [`Scheme`] displays it.
///
/// # Panics
/// If there is none.
pub fn scheme(name: &str) -> Scheme {
    all_schemes().into_iter().find(|scheme| scheme.to_string() == name).expect("the scheme exists")
}
