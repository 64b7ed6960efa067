//! Surface energy of adhesive contacts, and what all models of adhesion share.
//!
//! γ is the energy of one face, `w = 2γ` the work that parts two equal faces per area. Published codes mix the two; so laws here take either by
//! its name, one of the two.

use dem_core::lanes::Real;

use crate::law::Derived;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};

/// Energy of one face.
pub const SURFACE_ENERGY: ParameterSpec = ParameterSpec {
    name: "surface_energy",
    unit: "J/m^2",
    meaning: "surface energy of one face, half the work of adhesion; alternative to work_of_adhesion",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

/// Work that parts two faces.
pub const WORK_OF_ADHESION: ParameterSpec = ParameterSpec {
    name: "work_of_adhesion",
    unit: "J/m^2",
    meaning: "work that parts the two faces per area, twice the surface energy; alternative to surface_energy",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

/// Surface energy γ of one face \[J/m²\], if either parameter is given.
///
/// # Errors
/// Both are given.
pub fn optional_surface_energy(parameters: &ParameterSet) -> Result<Option<f64>, LawError> {
    match (parameters.optional(SURFACE_ENERGY.name), parameters.optional(WORK_OF_ADHESION.name)) {
        (Some(_), Some(_)) => {
            let message = format!("given together with {}: give one of the two", SURFACE_ENERGY.name);
            Err(LawError::new(WORK_OF_ADHESION.name, message))
        }
        (Some(energy), None) => Ok(Some(energy)),
        (None, Some(work)) => Ok(Some(0.5 * work)),
        (None, None) => Ok(None),
    }
}

/// Surface energy γ of one face \[J/m²\].
///
/// # Errors
/// Both parameters are given, or none.
pub fn surface_energy(parameters: &ParameterSet) -> Result<f64, LawError> {
    optional_surface_energy(parameters)?.ok_or_else(|| {
        LawError::new(SURFACE_ENERGY.name, format!("missing: give it or {} [J/m^2]", WORK_OF_ADHESION.name))
    })
}

/// Distance of atoms in a contact \[m\], for the Tabor number.
const EQUILIBRIUM_DISTANCE: f64 = 3e-10;

/// Tabor's number `(r* w²/(E*² z₀³))^(1/3)` with z₀ = 0.3 nm: JKR holds above 5, DMT below 0.1.
pub fn tabor_number(effective_radius: f64, young_modulus: f64, surface_energy: f64) -> Derived {
    let (w, z) = (2.0 * surface_energy, EQUILIBRIUM_DISTANCE);
    let value = libm::cbrt(effective_radius * w * w / (young_modulus * young_modulus)) / z;
    Derived { name: "Tabor number at 0.3 nm (JKR above 5, DMT below 0.1)", value, unit: "-" }
}

/// The force that pulls bodies apart.
pub const PULL_OFF: &str = "pull-off force";
/// The largest force of a liquid bridge.
pub const BRIDGE_PULL: &str = "pull of a liquid bridge at contact";
/// The largest force of van der Waals.
pub const VAN_DER_WAALS_PULL: &str = "van der Waals pull at contact";
/// A restitution that follows from the speed.
pub const RESTITUTION_AT_SPEED: &str = "restitution at the expected speed, without dashpot";

/// A normal force with its dashpot \[N\], of which the dashpot may not pull where tension is not allowed: the force is not below what the contact
/// pulls with by itself.
#[inline(always)]
pub fn with_dashpot<R: Real>(elastic: R, dashpot: R, no_tension: bool) -> R {
    let force = elastic + dashpot;
    if no_tension { force.maximum(elastic.minimum(R::zero())) } else { force }
}
