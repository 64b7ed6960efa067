//! The interface between a contact law and the rest of the engine.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::{Lanes, MOST_LANES, Real, Source, Target, Vector};
use dem_core::material::PairMaterial;

use crate::frame::Transport;
use crate::parameter::{LawError, ModelChoice, ParameterSet, ParameterSpec};
use crate::submodels::contact_damping::ContactDamping;

/// Everything a law may know of one contact over one step, or of several side by side. `n` points from i to j; index 0 is the
/// start of the step, 1 its end.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics<R: Real = f64> {
    /// Unit normal at the start.
    pub normal0: Vector<R>,
    /// Unit normal at the end.
    pub normal1: Vector<R>,
    /// Overlap at the start, recomputed from positions \[m\]; negative if apart.
    pub overlap0: R,
    /// Overlap at the end \[m\].
    pub overlap1: R,
    /// Rate of overlap at the end `(vᵢ − vⱼ)·n` \[m/s\].
    pub overlap_rate: R,
    /// Slip of i against j over the step, in the tangent plane at the end \[m\]; zero for any rigid motion of the pair.
    pub slip: Vector<R>,
    /// Tangential velocity of i against j at the end \[m/s\].
    pub tangential_velocity: Vector<R>,
    /// Angular velocity of i minus that of j \[rad/s\].
    pub relative_spin: Vector<R>,
    /// Rotation of i minus that of j over the step, as rescaled Rodrigues vectors \[rad\]: its part in the tangent plane is rolling, its
    /// part along the normal twisting.
    pub relative_rotation: Vector<R>,
    /// Carries vectors of the tangent plane from the start to the end of the step.
    pub transport: Transport<R>,
    /// Effective radius r* \[m\].
    pub effective_radius: R,
    /// Effective mass m* \[kg\]. If neither body can move, it is zero where they have a velocity against each other all the same.
    pub effective_mass: R,
    /// Radius of the smaller sphere \[m\].
    pub smaller_radius: R,
    /// Distance of the centres at the end \[m\]; infinite for a wall.
    pub centre_distance: R,
    /// Distance that a force at a distance acts over at the end \[m\]: that of the centres, or of the centre from the nearest point of a wall that
    /// takes part; infinite for other walls.
    pub near_field_distance: R,
    /// Length of the step \[s\].
    pub time_step: R,
    /// Time at the end of the step \[s\].
    pub time: R,
}

impl<R: Lanes> Kinematics<R> {
    /// The contacts one by one; lanes that do not exist are zero.
    #[inline(always)]
    pub fn split(&self) -> [Kinematics; MOST_LANES] {
        let (normal0, normal1) = (self.normal0.to_lanes(), self.normal1.to_lanes());
        let (overlap0, overlap1) = (self.overlap0.to_lanes(), self.overlap1.to_lanes());
        let (overlap_rate, slip) = (self.overlap_rate.to_lanes(), self.slip.to_lanes());
        let tangential_velocity = self.tangential_velocity.to_lanes();
        let (relative_spin, relative_rotation) = (self.relative_spin.to_lanes(), self.relative_rotation.to_lanes());
        let transport = self.transport.split();
        let (effective_radius, effective_mass) = (self.effective_radius.to_lanes(), self.effective_mass.to_lanes());
        let (smaller_radius, centre_distance) = (self.smaller_radius.to_lanes(), self.centre_distance.to_lanes());
        let near_field_distance = self.near_field_distance.to_lanes();
        let (time_step, time) = (self.time_step.to_lanes(), self.time.to_lanes());
        std::array::from_fn(|lane| Kinematics {
            normal0: normal0[lane],
            normal1: normal1[lane],
            overlap0: overlap0[lane],
            overlap1: overlap1[lane],
            overlap_rate: overlap_rate[lane],
            slip: slip[lane],
            tangential_velocity: tangential_velocity[lane],
            relative_spin: relative_spin[lane],
            relative_rotation: relative_rotation[lane],
            transport: transport[lane],
            effective_radius: effective_radius[lane],
            effective_mass: effective_mass[lane],
            smaller_radius: smaller_radius[lane],
            centre_distance: centre_distance[lane],
            near_field_distance: near_field_distance[lane],
            time_step: time_step[lane],
            time: time[lane],
        })
    }
}

/// Kinematics that a law may do without; what it does not need is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// [`Kinematics::tangential_velocity`], which dashpots ask for.
    pub tangential_velocity: bool,
    /// [`Kinematics::relative_spin`], which resistance to rolling and twisting asks for.
    pub relative_spin: bool,
}

impl Needs {
    /// All of it.
    pub const EVERYTHING: Self = Self { tangential_velocity: true, relative_spin: true };
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
    /// The surfaces do not touch; a force acts at a distance.
    Apart = 3,
}

/// What a law answers: the force on i is `−N n + T`, the couple on i is `couple`.
#[derive(Clone, Copy, Debug)]
pub struct Response<R: Real = f64> {
    /// Normal force N \[N\], positive when it pushes the bodies apart.
    pub normal_force: R,
    /// Tangential force T on i \[N\], perpendicular to `normal1`.
    pub tangential_force: Vector<R>,
    /// Couple on i, the opposite acts on j \[N m\] (rolling and twisting resistance).
    pub couple: Vector<R>,
    /// Where the contact carries a load: false is [`Mode::Open`].
    pub loaded: R::Mask,
    /// Where it slides.
    pub slides: R::Mask,
}

/// Tangent stiffnesses of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffness {
    /// `dN/dδ` \[N/m\].
    pub normal: f64,
    /// Tangential stiffness at zero slip \[N/m\].
    pub tangential: f64,
    /// Stiffness against rolling or twisting, the larger of the two \[N m/rad\].
    pub rolling: f64,
}

/// Viscosities of the dashpots of a contact that sticks, for bounds of the time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dashpots {
    /// Of the normal motion \[N s/m\].
    pub normal: f64,
    /// Of the tangential motion \[N s/m\].
    pub tangential: f64,
    /// Against rolling or twisting, the larger of the two \[N m s/rad\].
    pub rolling: f64,
}

/// Elastic energy held by a contact \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticEnergy {
    /// In the normal spring.
    pub normal: f64,
    /// In the tangential spring.
    pub tangential: f64,
    /// In the springs of rolling and twisting resistance.
    pub rolling: f64,
    /// Potential energy of a force that acts at a distance.
    pub near_field: f64,
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

impl<R: Real> Default for Response<R> {
    fn default() -> Self {
        let none = R::zero().less(R::zero());
        Self {
            normal_force: R::zero(),
            tangential_force: Vector::zero(),
            couple: Vector::zero(),
            loaded: none,
            slides: none,
        }
    }
}

impl Response {
    /// State of the tangential contact.
    pub fn mode(&self) -> Mode {
        Mode::of(self.loaded, self.slides)
    }
}

impl Mode {
    /// From the masks of a [`Response`].
    #[inline(always)]
    pub fn of(loaded: bool, slides: bool) -> Self {
        match (loaded, slides) {
            (_, true) => Self::Slide,
            (true, false) => Self::Stick,
            (false, false) => Self::Open,
        }
    }

    /// From the number of a mode.
    #[inline]
    pub fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Stick,
            2 => Self::Slide,
            3 => Self::Apart,
            _ => Self::Open,
        }
    }
}

/// A contact law for one pair of materials.
///
/// # Contract
/// `respond` is a pure function: same arguments, same bits; it reads the record of the start and writes every number of the
/// record of the end. It uses only `+ − × ÷ √` or software functions of `libm`. With zero overlap it returns zero force
/// unless [`ContactLaw::range`] is positive; `T·n = 0`; and it treats i and j alike except for the sign of forces.
pub trait ContactLaw: Copy + Send + Sync + 'static {
    /// A type of the file that the law is written in, with whose code its loops are compiled: see [`Width::run_in_lanes_beside`](dem_core::lanes::Width::run_in_lanes_beside).
    type Home: 'static;

    /// Name in scenes and output.
    const KEY: &'static str;
    /// For people.
    const DESCRIPTION: LawDescription;

    /// Parameters that the law always knows.
    fn parameters() -> Vec<ParameterSpec>;

    /// Choices of models that this law is put together from, with the parameters that each brings.
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

    /// The damping that the law adds outside its limits; what is laid over the law takes it off the normal force for limits of its own.
    fn contact_damping(&self) -> ContactDamping {
        ContactDamping::default()
    }

    /// What the answer depends on: what it does not need is not computed.
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

    /// Elastic slip, the displacement held by the tangential spring \[m\].
    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3;

    /// Quantities to show in `dem check`.
    fn derived(&self) -> Vec<Derived>;

    /// The law itself.
    fn respond(&self, kinematics: &Kinematics, start: &[f64], end: &mut [f64]) -> Response;
}

/// A law that answers for several contacts side by side, with the bits it gives for one.
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

/// A law that is one straight line of arithmetic: it asks for nothing but [`Real`], and whether it leaves out work that changes nothing
/// makes no difference to the bits. So it can be written down once, for any machine. Laws in lanes that are not: `kuhn` (a quadrature whose
/// panels are counted as it goes) and `mindlin-deresiewicz` (histories of branches, each changed by itself).
pub trait StraightLaw: LaneLaw {
    /// The law itself; see [`ContactLaw::respond`].
    fn respond_straight<R: Real>(
        &self,
        kinematics: &Kinematics<R>,
        start: &Self::Record<R>,
    ) -> (Response<R>, Self::Record<R>);
}

/// Records of several contacts side by side.
pub trait Record<R: Real>: Sized {
    /// Numbers per contact.
    const WIDTH: usize;

    /// Reads it, from a column on.
    fn load(source: &impl Source<R>, column: usize) -> Self;

    /// Writes it, from a column on.
    fn store(&self, target: &mut impl Target<R>, column: usize);
}

impl<R: Real, const N: usize> Record<R> for [R; N] {
    const WIDTH: usize = N;

    #[inline(always)]
    fn load(source: &impl Source<R>, column: usize) -> Self {
        source.numbers(column)
    }

    #[inline(always)]
    fn store(&self, target: &mut impl Target<R>, column: usize) {
        target.put(self, column);
    }
}

impl<R: Real, A: Record<R>, B: Record<R>> Record<R> for (A, B) {
    const WIDTH: usize = A::WIDTH + B::WIDTH;

    #[inline(always)]
    fn load(source: &impl Source<R>, column: usize) -> Self {
        (A::load(source, column), B::load(source, column + A::WIDTH))
    }

    #[inline(always)]
    fn store(&self, target: &mut impl Target<R>, column: usize) {
        self.0.store(target, column);
        self.1.store(target, column + A::WIDTH);
    }
}
