//! The traits of a contact law.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::{LaneTask, Lanes, Real, Width};
use dem_core::material::PairMaterial;

use super::conformance::Conformance;
use super::description::{Derived, LawDescription};
use super::films::Films;
use super::kinematics::{Kinematics, Needs};
use super::record::Record;
use super::response::{Dashpots, ElasticEnergy, Response, Stiffness};
use crate::parameter::{LawError, ModelChoice, ParameterSet, ParameterSpec};

/// A contact law for one pair of materials.
///
/// # Contract
/// `respond` is a pure function: same arguments, same bits; it reads the record of the start and writes every number of the
/// record of the end. It uses only `+ − × ÷ √` or software functions of `libm`. With zero overlap it returns zero force
/// unless [`ContactLaw::range`] is positive; `T·n = 0`; and it treats i and j alike except for the sign of forces.
pub trait ContactLaw: Copy + Send + Sync + 'static {
    /// A type of the file that the law is written in, with whose code its loops are compiled: see [`Width::run_in_lanes_beside`](dem_core::lanes::Width::run_in_lanes_beside).
    type Home: 'static;

    /// The law with a normal model of the scene's choice in place of its own; the law itself if it is not composed of models.
    type WithNormal: ContactLaw;

    /// Name in scenes and output.
    const KEY: &'static str;
    /// For people.
    const DESCRIPTION: LawDescription;
    /// For the tests of all laws.
    const CONFORMANCE: Conformance = Conformance::FULL;

    /// Parameters that the law always knows.
    fn parameters() -> Vec<ParameterSpec>;

    /// The choice of a normal model in place of that of the law, if it may be replaced; the own one is the default.
    fn replaceable_normal() -> Option<ModelChoice> {
        None
    }

    /// Choices of models that this law is composed of, with the parameters that each brings.
    fn choices() -> Vec<ModelChoice> {
        Vec::new()
    }

    /// Whether the radius of the contact area √(r* δ) is that of an elastic contact.
    fn has_contact_area(&self) -> bool {
        true
    }

    /// Validates parameters and precomputes what does not depend on the contact.
    ///
    /// # Errors
    /// Combinations of parameters that the declarations cannot exclude.
    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError>;

    /// Fields of the history record; the same for every pair of materials of a scene.
    fn fields(&self) -> Vec<FieldSpec>;

    /// Distance between surfaces up to which the law acts \[m\].
    fn range(&self, _effective_radius: f64) -> f64 {
        0.0
    }

    /// Whether a contact begins only where the surfaces touch, so that the range is that of bodies which have touched.
    fn begins_by_touch(&self) -> bool {
        false
    }

    /// Whether faces that are joined have an energy, [`ElasticEnergy::adhesion`].
    fn adheres(&self) -> bool {
        false
    }

    /// Whether bodies that have touched count as touching as long as they are within the range: surfaces that adhere do, bodies that only a
    /// liquid connects do not.
    fn touches_apart(&self) -> bool {
        self.begins_by_touch()
    }

    /// How its liquid bridges share the films of spheres, if they do.
    fn films(&self) -> Option<Films> {
        None
    }

    /// Fills the liquid bridge of a contact with a volume \[m³\]; `record` is its history.
    fn fill_bridge(&self, _effective_radius: f64, _overlap: f64, _volume: f64, _record: &mut [f64]) {}

    /// What the response depends on: what it does not need is not computed.
    fn needs(&self) -> Needs {
        Needs::EVERYTHING
    }

    /// Tangent stiffness at an overlap \[m\].
    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness;

    /// What a force at a distance adds to the normal stiffness where it acts over a distance \[N/m\].
    fn near_field_stiffness(&self, _distance: f64) -> f64 {
        0.0
    }

    /// Normal force of a contact in the state of `record` without its dashpot \[N\].
    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64;

    /// Viscosities of the dashpots at an overlap \[m\].
    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots;

    /// Overlap that an impact with the relative speed `speed` \[m/s\] reaches \[m\], damping left out.
    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of a head-on impact \[s\].
    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of a half oscillation by the pull with which a contact hit at `speed` \[m/s\] ends \[s\]; infinite if it ends without one.
    fn pull_duration(&self, _effective_radius: f64, _effective_mass: f64, _speed: f64) -> f64 {
        f64::INFINITY
    }

    /// Elastic energy of a contact in the state of `record`.
    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy;

    /// Tangential force on i without what dashpots add to it, if it may differ from the whole \[N\].
    fn tangential_force_without_dashpots(
        &self,
        _effective_radius: f64,
        _overlap: f64,
        _record: &[f64],
    ) -> Option<DVec3> {
        None
    }

    /// Tangential force on i of the spring \[N\]: the whole without dashpots and liquid.
    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let stiffness = self.stiffness(effective_radius, overlap).tangential;
        self.elastic_slip(effective_radius, overlap, record) * -stiffness
    }

    /// Normal force without dashpots and the viscosity of a liquid, with what acts at a distance \[N\].
    fn undamped_normal_force(&self, kinematics: &Kinematics, record: &[f64]) -> f64 {
        self.elastic_normal_force(kinematics.effective_radius, kinematics.overlap1, record)
    }

    /// Whether a viscous liquid acts beside the dashpots.
    fn lubricates(&self) -> bool {
        false
    }

    /// Elastic slip, the displacement held by the tangential spring \[m\].
    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3;

    /// What follows for a contact of an effective radius \[m\] and mass \[kg\] that is hit at a speed \[m/s\], to show in `dem check`.
    fn facts(&self, _effective_radius: f64, _effective_mass: f64, _speed: f64) -> Vec<Derived> {
        Vec::new()
    }

    /// Quantities to show in `dem check`.
    fn derived(&self) -> Vec<Derived>;

    /// The law itself.
    fn respond(&self, kinematics: &Kinematics, start: &[f64], end: &mut [f64]) -> Response;

    /// [`Self::respond`] with the instructions that a width stands for. A law of parts passes the width on to them, so that each part is compiled
    /// once, not once for every law that it belongs to.
    fn respond_by(&self, width: Width, kinematics: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        width.run_alone_beside::<Self::Home, _>(Alone { law: self, kinematics, start, end })
    }
}

/// One contact passed to a law.
struct Alone<'a, L> {
    law: &'a L,
    kinematics: &'a Kinematics,
    start: &'a [f64],
    end: &'a mut [f64],
}

impl<L: ContactLaw> LaneTask for Alone<'_, L> {
    type Output = Response;
    #[inline(always)]
    fn run<R: Lanes>(self) -> Response {
        self.law.respond(self.kinematics, self.start, self.end)
    }
}

/// A law that evaluates several contacts at once, in SIMD lanes, with the bits it gives for one.
pub trait LaneLaw: ContactLaw {
    /// Its history record.
    type Record<R: Real>: Record<R>;

    /// The law itself; see [`ContactLaw::respond`].
    fn respond_in_lanes<R: Lanes>(
        &self,
        kinematics: &Kinematics<R>,
        start: &Self::Record<R>,
    ) -> (Response<R>, Self::Record<R>);

    /// Tangent stiffnesses at an overlap, normal and tangential \[N/m\]; see [`ContactLaw::stiffness`].
    fn stiffnesses<R: Real>(&self, effective_radius: R, overlap: R) -> [R; 2];

    /// [`ContactLaw::range`] \[m\].
    fn range_in_lanes<R: Real>(&self, _effective_radius: R) -> R {
        R::zero()
    }
}

/// A law in straight-line (branch-free) code: it requires nothing but [`Real`], and whether it skips work that changes
/// nothing makes no difference to the bits. So it can be written once, for any machine. The table in [`crate::laws`] says
/// which laws are, and why others in lanes are not.
pub trait StraightLaw: LaneLaw {
    /// The law itself; see [`ContactLaw::respond`].
    fn respond_straight<R: Real>(
        &self,
        kinematics: &Kinematics<R>,
        start: &Self::Record<R>,
    ) -> (Response<R>, Self::Record<R>);
}
