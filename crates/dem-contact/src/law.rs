//! The interface between a contact law and the rest of the engine.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::material::PairMaterial;

use crate::frame::Transport;
use crate::parameter::{LawError, ParameterSet, ParameterSpec};

/// Everything a law may know of one contact over one step. `n` points from i to j; index 0 is the start of the step, 1 its end.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics {
    /// Unit normal at the start.
    pub normal0: DVec3,
    /// Unit normal at the end.
    pub normal1: DVec3,
    /// Overlap at the start, recomputed from positions \[m\]; negative if apart.
    pub overlap0: f64,
    /// Overlap at the end \[m\].
    pub overlap1: f64,
    /// Rate of overlap at the end `(vᵢ − vⱼ)·n` \[m/s\].
    pub overlap_rate: f64,
    /// Slip of i against j over the step, in the tangent plane at the end \[m\]; zero for any rigid motion of the pair.
    pub slip: DVec3,
    /// Tangential velocity of i against j at the end \[m/s\].
    pub tangential_velocity: DVec3,
    /// Angular velocity of i minus that of j \[rad/s\].
    pub relative_spin: DVec3,
    /// Carries vectors of the tangent plane from the start to the end of the step.
    pub transport: Transport,
    /// Effective radius r* \[m\].
    pub effective_radius: f64,
    /// Effective mass m* \[kg\].
    pub effective_mass: f64,
    /// Radius of the smaller sphere \[m\].
    pub smaller_radius: f64,
    /// Length of the step \[s\].
    pub time_step: f64,
    /// Time at the end of the step \[s\].
    pub time: f64,
}

/// State of the tangential contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// No load.
    #[default]
    Open = 0,
    /// The contact carries the load without sliding.
    Stick = 1,
    /// The friction limit is reached.
    Slide = 2,
}

/// What a law answers: the force on i is `−N n + T`, the couple on i is `couple`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Response {
    /// Normal force N \[N\], positive when it pushes the bodies apart.
    pub normal_force: f64,
    /// Tangential force T on i \[N\], perpendicular to `normal1`.
    pub tangential_force: DVec3,
    /// Couple on i, the opposite acts on j \[N m\] (rolling and twisting resistance).
    pub couple: DVec3,
    /// Stick or slide.
    pub mode: Mode,
}

/// Tangent stiffnesses of a contact \[N/m\] and its damping ratio \[-\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffness {
    /// `dN/dδ` \[N/m\].
    pub normal: f64,
    /// Tangential stiffness at zero slip \[N/m\].
    pub tangential: f64,
    /// Damping as a fraction of critical, the larger of the normal and tangential one \[-\].
    pub damping_ratio: f64,
}

/// Elastic energy held by a contact \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticEnergy {
    /// In the normal spring.
    pub normal: f64,
    /// In the tangential spring.
    pub tangential: f64,
}

/// A quantity that follows from the parameters, for `dem check`.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// What it is.
    pub name: &'static str,
    /// Value in SI.
    pub value: f64,
    /// Unit.
    pub unit: &'static str,
}

/// Description of a law for people.
#[derive(Clone, Copy, Debug)]
pub struct LawDescription {
    /// One sentence.
    pub summary: &'static str,
    /// Formulae as text.
    pub formula: &'static str,
    /// Publications.
    pub source: &'static str,
    /// Departures from the sources, and limits of validity.
    pub notes: &'static str,
}

/// A contact law for one pair of materials.
///
/// # Contract
/// `respond` is a pure function: same arguments, same bits; it reads the record of the start and writes every number of the
/// record of the end. It uses only `+ − × ÷ √` or software functions of `libm`. With zero overlap it returns zero force
/// unless [`ContactLaw::range`] is positive; `T·n = 0`; and it treats i and j alike except for the sign of forces.
pub trait ContactLaw: Copy + Send + Sync + 'static {
    /// Name in scenes and output.
    const KEY: &'static str;
    /// For people.
    const DESCRIPTION: LawDescription;
    /// Parameters.
    const PARAMETERS: &'static [ParameterSpec];

    /// Validates parameters and precomputes what does not depend on the contact.
    ///
    /// # Errors
    /// Combinations of parameters that the declarations cannot exclude.
    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError>;

    /// Fields of the history record.
    fn fields(&self) -> &'static [FieldSpec];

    /// Distance between surfaces up to which the law acts \[m\].
    fn range(&self) -> f64 {
        0.0
    }

    /// Tangent stiffness at an overlap \[m\].
    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness;

    /// Overlap that an impact with the relative speed `speed` \[m/s\] reaches \[m\], damping left out.
    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Duration of a head-on impact \[s\].
    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64;

    /// Elastic energy of a contact in the state of `record`.
    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy;

    /// Elastic slip, the displacement held by the tangential spring \[m\].
    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3;

    /// Quantities to show in `dem check`.
    fn derived(&self) -> Vec<Derived>;

    /// The law itself.
    fn respond(&self, kinematics: &Kinematics, start: &[f64], end: &mut [f64]) -> Response;
}
