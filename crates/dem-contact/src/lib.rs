//! Contact laws and the loop over contacts that evaluates them.
//!
//! A law is a pure function of the state and geometry at the start of a step and the geometry at its end
//! ([`law::ContactLaw`]); it has no access to particle indices, walls or threads. [`geometry`] turns sphere–sphere and
//! sphere–wall contacts into the same [`law::Kinematics`], [`frame`] carries tangential vectors with the contact,
//! [`force_loop`] runs laws over the contact list, and [`registry`] names the laws.
//!
//! Adding a law is one file in `laws/` and one line in the table of `laws/mod.rs`.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use dem_contact::ParameterValue;
//! use dem_contact::registry::{self, PairParameters};
//! use dem_core::material::{Material, PairMaterial};
//!
//! let glass = Material { name: "glass".to_owned(), density: 2500.0, young_modulus: 7e10, poisson_ratio: 0.25 };
//! let pair = PairMaterial::new(&glass, &glass);
//! let given = BTreeMap::from([
//!     ("friction".to_owned(), ParameterValue::Number(0.3)),
//!     ("restitution".to_owned(), ParameterValue::Number(1.0)),
//! ]);
//! let law = registry::find("hertz-mindlin").ok_or("no such law")?;
//! let kernel = (law.build)(&PairParameters { materials: 1, pairs: vec![Some((pair, given))] })?;
//!
//! // two spheres of 5 mm meet at 1 m/s: the largest overlap of Hertz's impact, (15 m* v² / (16 E* √r*))^(2/5)
//! let (radius, mass, speed) = (2.5e-3, 1e-3, 1.0);
//! let overlap = kernel.impact_overlap(0, 0, radius, mass, speed);
//! let expected = (15.0 * mass * speed * speed / (16.0 * pair.effective_young_modulus * f64::sqrt(radius))).powf(0.4);
//! assert!((overlap / expected - 1.0).abs() < 1e-12);
//!
//! // what a law does not know is refused by name
//! let given = BTreeMap::from([("fricton".to_owned(), ParameterValue::Number(0.3))]);
//! let refused = (law.build)(&PairParameters { materials: 1, pairs: vec![Some((pair, given))] });
//! assert!(refused.is_err_and(|refused| refused.to_string().contains("fricton")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod bookkeeping;
pub mod composite;
pub mod force_loop;
pub mod frame;
pub mod law;
pub mod laws;
pub mod near_field;
pub mod normal;
pub mod pair_law;
pub mod parameter;
#[cfg(test)]
mod pessimist;
pub mod pull;
pub mod registry;
pub mod resistance;
pub mod submodels;
pub mod tangential;
pub mod time_step;

pub use force_loop::kernel::{self, evaluator};
pub use force_loop::kinematics::{geometry, wall_geometry};
pub use force_loop::reduction::{contact_forces, fused_integration, sums, wrench};
pub use force_loop::sweep;
pub use law::{ContactLaw, Kinematics, Mode, Response};
pub use parameter::{
    Declaration, Interval, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec, ParameterValue,
};
