//! The trait of a normal model.

use dem_core::history::FieldSpec;
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use super::response::NormalResponse;
use crate::law::{Derived, Kinematics, Record};
use crate::parameter::{LawError, ModelChoice, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

/// What of a normal force tangential models may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalKind {
    /// `N = k δ`.
    Linear,
    /// `N = 4/3 E* √r* δ^(3/2)`.
    Hertz,
    /// Anything.
    Other,
}

/// A normal force.
pub trait NormalModel: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Name in scenes.
    const KEY: &'static str;

    /// What it remembers of a contact: `[R; 0]` for a force that depends on the present alone.
    type Record<R: Real>: Record<R> + Copy + std::fmt::Debug;

    /// Parameters.
    fn parameters() -> Vec<ParameterSpec>;

    /// Choices among models, for a model that stands for several.
    fn choices() -> Vec<ModelChoice> {
        Vec::new()
    }

    /// Validates parameters.
    ///
    /// # Errors
    /// Combinations that the declarations cannot exclude.
    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError>;

    /// Fields of its record.
    fn fields(&self) -> Vec<FieldSpec> {
        Vec::new()
    }

    /// What of the force tangential models may rely on.
    fn kind(&self) -> NormalKind {
        NormalKind::Other
    }

    /// Whether bodies that have touched adhere when their surfaces separate.
    fn holds_on(&self) -> bool {
        false
    }

    /// Distance between the surfaces up to which they do \[m\].
    fn range<R: Real>(&self, _effective_radius: R) -> R {
        R::zero()
    }

    /// The stiffness if it does not depend on the load \[N/m\].
    fn constant_stiffness(&self) -> Option<f64>;

    /// `dN/dδ` of the elastic force \[N/m\]; the largest that a contact of this overlap may have if it depends on the history.
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R;

    /// Force without the dashpot of a contact with a record \[N\].
    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64;

    /// Dashpot in parallel with the spring.
    fn dashpot(&self) -> Dashpot;

    /// Viscosity of that dashpot beside a spring of a stiffness \[N/m\], if there is one \[N s/m\].
    fn dashpot_viscosity(&self, stiffness: f64, _effective_radius: f64, effective_mass: f64) -> Option<f64> {
        self.dashpot().viscosity(stiffness, effective_mass)
    }

    /// Viscosity of damping that does not scale with the mass, of the normal and tangential motion alike \[N s/m\].
    fn viscosity(&self) -> f64 {
        0.0
    }

    /// Overlap that an impact reaches \[m\], damping left out.
    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of a head-on impact \[s\].
    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of a half oscillation by the pull with which a contact hit at `speed` \[m/s\] ends, `π √(m* δ_f/F_c)` \[s\]; infinite where it does not
    /// reach beyond the touch of the surfaces.
    fn pull_duration(&self, _effective_radius: f64, _effective_mass: f64, _speed: f64) -> f64 {
        f64::INFINITY
    }

    /// Energy that a contact with a record would return \[J\].
    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64;

    /// Whether joined faces have an energy.
    fn adheres(&self) -> bool {
        false
    }

    /// Energy that the faces of a contact with a record have given up by being joined \[J\]; zero or less.
    fn adhesion_energy(&self, _effective_radius: f64, _overlap: f64, _record: &[f64]) -> f64 {
        0.0
    }

    /// Overlap of spheres that would touch over the area of a contact with a record \[m\]: the overlap itself but for models with an area of their own.
    fn area_overlap(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        overlap
    }

    /// Whether the radius of the contact area is `√(r* δ)`, and nothing when the bodies do not overlap.
    fn has_area_of_spheres(&self) -> bool {
        true
    }

    /// What follows for a contact of an effective radius \[m\] and mass \[kg\] that is hit at a speed \[m/s\], to show in `dem check`.
    fn facts(&self, _effective_radius: f64, _effective_mass: f64, _speed: f64) -> Vec<Derived> {
        Vec::new()
    }

    /// Quantities to show in `dem check`.
    fn derived(&self) -> Vec<Derived>;

    /// The force and what it remembers at the end of the step; `dashpot0` is the dashpot force at the start, `start` what it remembers there.
    fn respond<R: Real>(
        &self,
        kinematics: &Kinematics<R>,
        dashpot0: R,
        start: &Self::Record<R>,
    ) -> (NormalResponse<R>, Self::Record<R>);
}
