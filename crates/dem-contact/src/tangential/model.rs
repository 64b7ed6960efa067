//! The traits of a tangential model.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::{Lanes, Real, Rows, SourceRows, TargetRows};
use dem_core::material::PairMaterial;

use super::response::TangentialResponse;
use crate::law::{Derived, Kinematics, Record};
use crate::normal::{NormalKind, NormalResponse};
use crate::parameter::{LawError, ModelChoice, ParameterSet, ParameterSpec};
use crate::submodels::tangential_dashpot::TangentialDashpot;

/// A tangential force.
pub trait TangentialModel: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Name in scenes.
    const KEY: &'static str;

    /// Parameters.
    fn parameters() -> Vec<ParameterSpec>;

    /// Choices among models, for a model that stands for several.
    fn choices() -> Vec<ModelChoice> {
        Vec::new()
    }

    /// Validates parameters. `normal_stiffness` is that of the normal model if it does not depend on the load \[N/m\].
    ///
    /// # Errors
    /// Combinations that the declarations cannot exclude.
    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError>;

    /// The normal force that the model is made for, if it does not go with any.
    fn made_for(&self) -> Option<NormalKind> {
        None
    }

    /// Fields of its history.
    fn fields(&self) -> Vec<FieldSpec>;

    /// Tangential stiffness at zero slip \[N/m\].
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R;

    /// Dashpot in parallel with the spring.
    fn dashpot(&self) -> TangentialDashpot {
        TangentialDashpot::NONE
    }

    /// Whether the force depends on the tangential velocity, as that of a dashpot does. If not, the velocity is not computed.
    fn needs_tangential_velocity(&self) -> bool {
        self.dashpot().is_present()
    }

    /// Largest fall of the friction coefficient with the speed of sliding \[s/m\].
    fn weakening(&self) -> f64 {
        0.0
    }

    /// Elastic slip, the displacement held by the tangential spring \[m\].
    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3;

    /// Energy of the tangential spring \[J\], if the state of the contact determines it; otherwise it is the work that
    /// was booked as stored.
    fn elastic_energy(&self, _effective_radius: f64, _overlap: f64, _record: &[f64]) -> Option<f64> {
        None
    }

    /// Elastic and frictional part of the tangential force on i, the force without what dashpots add to it \[N\].
    fn force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.elastic_slip(effective_radius, overlap, record) * -self.stiffness(effective_radius, overlap)
    }

    /// Quantities to show in `dem check`.
    fn derived(&self) -> Vec<Derived>;

    /// The force; see [`crate::law::ContactLaw::respond`]. Vectors in the history are carried to the end of the step with
    /// `kinematics.transport` before anything is added to them. `energy0` is what the law has booked as stored in the tangential spring at
    /// the start \[J\], zero if it books nothing.
    fn respond(
        &self,
        kinematics: &Kinematics,
        normal: &NormalResponse,
        energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse;
}

/// A tangential model that evaluates several contacts at once, in SIMD lanes.
pub trait LaneTangential: TangentialModel {
    /// Its history.
    type Record<R: Real>: Record<R>;

    /// The force; see [`TangentialModel::respond`].
    fn respond_in_lanes<R: Lanes>(
        &self,
        kinematics: &Kinematics<R>,
        normal: &NormalResponse<R>,
        energy0: R,
        start: &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>);
}

/// A tangential model in straight-line (branch-free) code; see [`crate::law::StraightLaw`].
pub trait StraightTangential: TangentialModel {
    /// Its history.
    type Record<R: Real>: Record<R>;

    /// The force; see [`TangentialModel::respond`].
    fn respond_straight<R: Real>(
        &self,
        kinematics: &Kinematics<R>,
        normal: &NormalResponse<R>,
        energy0: R,
        start: &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>);
}

impl<T: StraightTangential> LaneTangential for T {
    type Record<R: Real> = <T as StraightTangential>::Record<R>;

    #[inline(always)]
    fn respond_in_lanes<R: Lanes>(
        &self,
        kinematics: &Kinematics<R>,
        normal: &NormalResponse<R>,
        energy0: R,
        start: &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>) {
        self.respond_straight(kinematics, normal, energy0, start)
    }
}

/// [`TangentialModel::respond`] of a model that is written in lanes.
#[inline(always)]
pub(super) fn respond_alone<T: LaneTangential>(
    model: &T,
    kinematics: &Kinematics,
    normal: &NormalResponse,
    energy0: f64,
    start: &[f64],
    end: &mut [f64],
) -> TangentialResponse {
    // one contact: its row is a table of one row
    let (rows, columns) = (Rows { first: 0, room: 1, set: 1 }, T::Record::<f64>::WIDTH);
    let start = T::Record::<f64>::load(&SourceRows::new::<f64>(start, rows, columns), 0);
    let (response, record) = model.respond_in_lanes::<f64>(kinematics, normal, energy0, &start);
    record.store(&mut TargetRows::new::<f64>(end, rows, columns), 0);
    response
}
