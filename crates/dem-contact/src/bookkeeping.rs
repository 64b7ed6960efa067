//! What a law composed of models remembers of a contact besides what its force depends on: work terms since the contact
//! formed.
//!
//! Four numbers of each record, five where the tangential stiffness depends on the load, serve the energy ledger alone.
//! Laws that do not read them may be built without: a contact of them takes less than half the memory and moves the
//! same way to the last bit, but what it has stored in its tangential spring or dissipated is not known.

use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::Real;

use crate::law::Record;
use crate::normal::NormalResponse;
use crate::parameter::{ParameterKind, ParameterSpec};
use crate::tangential::TangentialResponse;

/// Whether work terms are kept, for laws that can do without.
pub(crate) const WORK_BOOKKEEPING: ParameterSpec = ParameterSpec {
    name: "work_bookkeeping",
    unit: "-",
    meaning: "keep the work terms of each contact for the energy ledger; false saves memory and time, but these energies are then unknown",
    kind: ParameterKind::Flag(true),
};

/// Name of the field of the damping part of the normal force.
pub(crate) const DASHPOT_FORCE: &str = "normal_dashpot_force";

/// Why the friction work of a law may fall in a step: a [departure](crate::law::Conformance::departures) of the laws that book by the trapezoid.
pub(crate) const BOOKED_BY_TRAPEZOID: &str = "friction is the work of the step by the trapezoid of its ends minus what the energy grows by, so that the sum is exact: a step that \
     reverses the force beyond what the trapezoid resolves takes back up to 0.1 % of the work on the random path; on smooth ones it falls with the step";

/// The front of a history record.
pub trait Bookkeeping: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Its numbers.
    type Header<R: Real>: Record<R> + AsRef<[R]> + Copy + std::fmt::Debug;

    /// What they mean.
    fn fields() -> Vec<FieldSpec>;

    /// From the numbers of one contact; those that are missing are zero.
    fn of_one(numbers: &[f64]) -> Self::Header<f64>;

    /// Damping part of the normal force at the start of the step, zero if it is not kept \[N\].
    fn dashpot_force<R: Real>(start: &Self::Header<R>) -> R;

    /// Energy of the tangential spring at the start of the step, zero if it is not kept \[J\].
    fn tangential_energy<R: Real>(start: &Self::Header<R>) -> R;

    /// The header at the end of a step.
    fn end<R: Real>(
        start: &Self::Header<R>,
        normal: &NormalResponse<R>,
        tangential: &TangentialResponse<R>,
    ) -> Self::Header<R>;
}

/// Works and the dashpot force are kept.
#[derive(Clone, Copy, Debug)]
pub struct Booked;

/// As [`Booked`], with the work of changes of the tangential stiffness: for springs whose stiffness follows the area of contact.
#[derive(Clone, Copy, Debug)]
pub struct StiffnessBooked;

/// Nothing is kept. Only for models whose force depends neither on the dashpot force nor on the energy of the tangential spring at the start of
/// the step.
#[derive(Clone, Copy, Debug)]
pub struct Unbooked;

/// Numbers of [`Booked`].
const NUMBERS: usize = 4;

const fn field(name: &'static str, unit: &'static str, meaning: &'static str, role: FieldRole) -> FieldSpec {
    FieldSpec { name, unit, meaning, width: 1, role }
}

impl Bookkeeping for Booked {
    type Header<R: Real> = [R; NUMBERS];

    fn fields() -> Vec<FieldSpec> {
        vec![
            field(DASHPOT_FORCE, "N", "damping part of the normal force", FieldRole::State),
            field("elastic_tangential_work", "J", "energy of the tangential spring", FieldRole::ElasticTangentialWork),
            field(
                "friction_work",
                "J",
                "energy dissipated by friction since the contact formed",
                FieldRole::FrictionWork,
            ),
            field("viscous_work", "J", "energy dissipated by damping since the contact formed", FieldRole::ViscousWork),
        ]
    }

    #[inline(always)]
    fn of_one(numbers: &[f64]) -> [f64; NUMBERS] {
        *numbers.first_chunk().unwrap_or(&[0.0; NUMBERS])
    }

    #[inline(always)]
    fn dashpot_force<R: Real>(start: &[R; NUMBERS]) -> R {
        start[0]
    }

    #[inline(always)]
    fn tangential_energy<R: Real>(start: &[R; NUMBERS]) -> R {
        start[1]
    }

    #[inline(always)]
    fn end<R: Real>(start: &[R; NUMBERS], n: &NormalResponse<R>, t: &TangentialResponse<R>) -> [R; NUMBERS] {
        [n.dashpot_force, start[1] + t.stored, start[2] + t.friction, start[3] + n.viscous_work + t.viscous]
    }
}

impl Bookkeeping for StiffnessBooked {
    type Header<R: Real> = [R; NUMBERS + 1];

    fn fields() -> Vec<FieldSpec> {
        let stiffness = field(
            "stiffness_work",
            "J",
            "energy that changes of the tangential stiffness have taken since the contact formed, negative for what they have added",
            FieldRole::StiffnessWork,
        );
        Booked::fields().into_iter().chain([stiffness]).collect()
    }

    #[inline(always)]
    fn of_one(numbers: &[f64]) -> [f64; NUMBERS + 1] {
        *numbers.first_chunk().unwrap_or(&[0.0; NUMBERS + 1])
    }

    #[inline(always)]
    fn dashpot_force<R: Real>(start: &[R; NUMBERS + 1]) -> R {
        start[0]
    }

    #[inline(always)]
    fn tangential_energy<R: Real>(start: &[R; NUMBERS + 1]) -> R {
        start[1]
    }

    #[inline(always)]
    fn end<R: Real>(start: &[R; NUMBERS + 1], n: &NormalResponse<R>, t: &TangentialResponse<R>) -> [R; NUMBERS + 1] {
        let [dashpot_force, stored, friction, viscous] = Booked::end(&[start[0], start[1], start[2], start[3]], n, t);
        [dashpot_force, stored, friction, viscous, start[4] + t.stiffness]
    }
}

impl Bookkeeping for Unbooked {
    type Header<R: Real> = [R; 0];

    fn fields() -> Vec<FieldSpec> {
        Vec::new()
    }

    #[inline(always)]
    fn of_one(_: &[f64]) -> [f64; 0] {
        []
    }

    #[inline(always)]
    fn dashpot_force<R: Real>(_: &[R; 0]) -> R {
        R::zero()
    }

    #[inline(always)]
    fn tangential_energy<R: Real>(_: &[R; 0]) -> R {
        R::zero()
    }

    #[inline(always)]
    fn end<R: Real>(_: &[R; 0], _: &NormalResponse<R>, _: &TangentialResponse<R>) -> [R; 0] {
        []
    }
}
