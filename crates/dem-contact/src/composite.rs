//! Laws composed of a normal and a tangential model.
//!
//! A named law is a [`Recipe`]: a name, a description and two models, compiled together. The history is a header of
//! [work terms](crate::bookkeeping), then what the tangential model remembers.

use std::marker::PhantomData;

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::{LaneTask, Lanes, Real, Rows, Source, SourceRows, Target, TargetRows, Vector, Width};
use dem_core::material::PairMaterial;

use crate::bookkeeping::{Booked, Bookkeeping, WORK_BOOKKEEPING};
use crate::law::{
    Conformance, ContactLaw, Dashpots, Derived, ElasticEnergy, Kinematics, LaneLaw, LawDescription, Needs, Record,
    Response, Stiffness, StraightLaw,
};
use crate::normal::{ChosenNormal, NORMAL, NormalKind, NormalModel, NormalResponse, normal_choice};
use crate::parameter::{LawError, ModelChoice, ParameterSet, ParameterSpec};
use crate::submodels::contact_damping::ContactDamping;
use crate::submodels::unloading::{UNLOADING, Unloading};
use crate::tangential::{LaneTangential, StraightTangential, TangentialModel, TangentialResponse};

/// Factor by which the viscosity of friction that falls with the speed counts for the time step: a step is a tenth of the time in which an
/// instability grows, where a dashpot that is heavily damped has four tenths.
const RESOLUTION: f64 = 4.0;

/// A named combination.
pub trait Recipe: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Name in scenes and output.
    const KEY: &'static str;
    /// For people.
    const DESCRIPTION: LawDescription;
    /// For the tests of all laws: required parameters, departures from the conformance table, parameters without effect.
    const CONFORMANCE: Conformance = Conformance::FULL;
    /// Whether the law may be built without [work terms](crate::bookkeeping); the registry has both then.
    const MAY_FORGET_WORK: bool = false;
    /// Normal force.
    type Normal: NormalModel;
    /// Tangential force.
    type Tangential: TangentialModel;
}

/// A recipe with a normal model of the scene's choice in place of its own.
#[derive(Clone, Copy, Debug)]
pub struct WithNormal<C>(PhantomData<C>);

impl<C: Recipe> Recipe for WithNormal<C> {
    const KEY: &'static str = C::KEY;
    const DESCRIPTION: LawDescription = C::DESCRIPTION;
    const CONFORMANCE: Conformance = C::CONFORMANCE;
    type Normal = ChosenNormal;
    type Tangential = C::Tangential;
}

/// The law of a recipe for one pair of materials, with the work terms of its contacts or without.
#[derive(Clone, Copy, Debug)]
pub struct Composite<C: Recipe, W: Bookkeeping = Booked> {
    normal: C::Normal,
    tangential: C::Tangential,
    recipe: PhantomData<(C, W)>,
}

#[inline(always)]
fn combine<W: Bookkeeping, R: Real>(
    start: &W::Header<R>,
    mut n: NormalResponse<R>,
    mut t: TangentialResponse<R>,
    contact_damping: ContactDamping,
    k: &Kinematics<R>,
) -> (Response<R>, W::Header<R>) {
    n.force1 += t.normal;
    let limiting_force = n.limit1 + t.normal;
    contact_damping.add_normal(k, &mut n);
    contact_damping.add_tangential(k, &mut t);
    let header = W::end(start, &n, &t);
    let response = Response {
        normal_force: n.force1,
        limiting_force,
        tangential_force: t.force,
        couple: Vector::zero(),
        loaded: t.loaded,
        slides: t.slides,
    };
    (response, header)
}

/// A record of one contact from its numbers.
#[inline(always)]
fn of_one<T: Record<f64>>(numbers: &[f64]) -> T {
    let rows = Rows { first: 0, room: 1, set: 1 };
    T::load(&SourceRows::new::<f64>(numbers, rows, T::WIDTH), 0)
}

/// Numbers of a record of one contact.
#[inline(always)]
fn put_one<T: Record<f64>>(record: &T, numbers: &mut [f64]) {
    let rows = Rows { first: 0, room: 1, set: 1 };
    record.store(&mut TargetRows::new::<f64>(numbers, rows, T::WIDTH), 0);
}

/// The normal model of one contact.
struct NormalAlone<'a, N> {
    normal: &'a N,
    k: &'a Kinematics,
    dashpot0: f64,
    start: &'a [f64],
    end: &'a mut [f64],
}

impl<N: NormalModel> LaneTask for NormalAlone<'_, N> {
    type Output = NormalResponse;
    #[inline(always)]
    fn run<R: Lanes>(self) -> NormalResponse {
        let (response, record) = self.normal.respond(self.k, self.dashpot0, &of_one(self.start));
        put_one(&record, self.end);
        response
    }
}

/// The tangential model of one contact.
struct TangentialAlone<'a, T> {
    tangential: &'a T,
    k: &'a Kinematics,
    n: &'a NormalResponse,
    energy0: f64,
    start: &'a [f64],
    end: &'a mut [f64],
}

impl<T: TangentialModel> LaneTask for TangentialAlone<'_, T> {
    type Output = TangentialResponse;
    #[inline(always)]
    fn run<R: Lanes>(self) -> TangentialResponse {
        self.tangential.respond(self.k, self.n, self.energy0, self.start, self.end)
    }
}

/// Both responses of one contact.
struct CombineAlone<'a, W: Bookkeeping> {
    start: &'a W::Header<f64>,
    n: NormalResponse,
    t: TangentialResponse,
    contact_damping: ContactDamping,
    k: &'a Kinematics,
}

impl<W: Bookkeeping> LaneTask for CombineAlone<'_, W> {
    type Output = (Response, W::Header<f64>);
    #[inline(always)]
    fn run<R: Lanes>(self) -> Self::Output {
        combine::<W, f64>(self.start, self.n, self.t, self.contact_damping, self.k)
    }
}

impl<C: Recipe, W: Bookkeeping> Composite<C, W> {
    /// Numbers before those of the normal model.
    const HEADER: usize = <W::Header<f64> as Record<f64>>::WIDTH;
    /// Numbers before those of the tangential model.
    const FRONT: usize = Self::HEADER + <<C::Normal as NormalModel>::Record<f64> as Record<f64>>::WIDTH;

    /// The normal model knows of it, but it comes on top of both models: what limits the tangential force is without it.
    #[inline(always)]
    fn contact_damping(&self) -> ContactDamping {
        ContactDamping { viscosity: self.normal.viscosity() }
    }

    /// See [`NormalModel::area_overlap`].
    fn area_overlap(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.normal.area_overlap(effective_radius, overlap, self.normal_part(record))
    }

    /// What the normal model remembers, of a record.
    fn normal_part<'a>(&self, record: &'a [f64]) -> &'a [f64] {
        record.get(Self::HEADER..Self::FRONT).unwrap_or_default()
    }
}

impl<C: Recipe, W: Bookkeeping> ContactLaw for Composite<C, W> {
    type Home = C;
    type WithNormal = Composite<WithNormal<C>, W>;
    const KEY: &'static str = C::KEY;
    const DESCRIPTION: LawDescription = C::DESCRIPTION;
    const CONFORMANCE: Conformance = C::CONFORMANCE;

    fn parameters() -> Vec<ParameterSpec> {
        let mut all = C::Normal::parameters();
        for spec in C::Tangential::parameters() {
            if all.iter().all(|known| known.name != spec.name) {
                all.push(spec);
            }
        }
        if C::MAY_FORGET_WORK {
            all.push(WORK_BOOKKEEPING);
        }
        all
    }

    fn replaceable_normal() -> Option<ModelChoice> {
        // one that is chosen by a word already has no word of its own
        normal_choice(C::Normal::choices().is_empty().then_some(C::Normal::KEY))
    }

    fn choices() -> Vec<ModelChoice> {
        C::Normal::choices().into_iter().chain(C::Tangential::choices()).collect()
    }

    fn has_contact_area(&self) -> bool {
        self.normal.constant_stiffness().is_none()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let normal = C::Normal::new(parameters, pair)?;
        let tangential = C::Tangential::new(parameters, pair, normal.constant_stiffness())?;
        if let Some(kind) = tangential.made_for().filter(|kind| *kind != normal.kind()) {
            let expected = if kind == NormalKind::Hertz { "hertz" } else { "linear" };
            let message = format!(
                "= \"{}\", expected \"{expected}\" with the tangential force {}, which is derived for it",
                parameters.choice(NORMAL),
                C::Tangential::KEY
            );
            return Err(LawError::new(NORMAL, message));
        }
        if !normal.has_area_of_spheres() && Unloading::from_parameters(parameters) == Unloading::Hyperelastic {
            let message = "= \"hyperelastic\", which adds to the normal force what follows from a contact radius of sqrt(r* overlap); expected \
                           one of carried, none, area, neutral, total, displacement with a normal force whose contacts have another radius";
            return Err(LawError::new(UNLOADING.name, message));
        }
        Ok(Self { normal, tangential, recipe: PhantomData })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        W::fields().into_iter().chain(self.normal.fields()).chain(self.tangential.fields()).collect()
    }

    fn range(&self, effective_radius: f64) -> f64 {
        self.normal.range(effective_radius)
    }

    fn begins_by_touch(&self) -> bool {
        self.normal.holds_on()
    }

    fn adheres(&self) -> bool {
        self.normal.adheres()
    }

    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.normal.elastic_force(effective_radius, overlap, self.normal_part(record))
    }

    fn needs(&self) -> Needs {
        Needs { tangential_velocity: self.tangential.needs_tangential_velocity(), relative_spin: false }
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness {
        Stiffness {
            normal: self.normal.stiffness(effective_radius, overlap),
            tangential: self.tangential.stiffness(effective_radius, overlap),
            rolling: 0.0,
        }
    }

    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        let stiffness = self.stiffness(effective_radius, overlap);
        let normal = self.normal.dashpot_viscosity(stiffness.normal, effective_radius, effective_mass).unwrap_or(0.0);
        let tangential = self.tangential.dashpot().viscosity(normal, stiffness.tangential, effective_mass);
        let both = self.contact_damping().viscosity;
        // friction that falls with the speed grows unstably as fast as a dashpot of this viscosity decays; the normal force is at most that of
        // the tangent at the overlap
        let weakening = RESOLUTION * self.tangential.weakening() * stiffness.normal * overlap.max(0.0);
        Dashpots { normal: normal + both, tangential: tangential.unwrap_or(0.0) + both + weakening, rolling: 0.0 }
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.normal.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.normal.contact_duration(effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.normal.pull_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        ElasticEnergy {
            normal: self.normal.elastic_energy(effective_radius, overlap, self.normal_part(record)),
            adhesion: self.normal.adhesion_energy(effective_radius, overlap, self.normal_part(record)),
            tangential: self
                .tangential
                .elastic_energy(
                    effective_radius,
                    self.area_overlap(effective_radius, overlap, record),
                    record.get(Self::FRONT..).unwrap_or_default(),
                )
                .unwrap_or_else(|| W::tangential_energy(&W::of_one(record))),
            ..ElasticEnergy::default()
        }
    }

    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3> {
        let is_damped = self.tangential.dashpot().is_present() || self.contact_damping().viscosity > 0.0;
        is_damped.then(|| self.tangential_spring_force(effective_radius, overlap, record))
    }

    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let area = self.area_overlap(effective_radius, overlap, record);
        self.tangential.force_without_dashpots(effective_radius, area, &record[Self::FRONT..])
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let area = self.area_overlap(effective_radius, overlap, record);
        self.tangential.elastic_slip(effective_radius, area, &record[Self::FRONT..])
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        self.normal.facts(effective_radius, effective_mass, speed)
    }

    fn derived(&self) -> Vec<Derived> {
        self.normal.derived().into_iter().chain(self.tangential.derived()).collect()
    }

    fn respond(&self, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        self.respond_by(Width::SCALAR, k, start, end)
    }

    fn respond_by(&self, width: Width, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        let (front, tangential_start) = start.split_at(Self::FRONT);
        let (front_end, tangential_end) = end.split_at_mut(Self::FRONT);
        let header = W::of_one(front);
        let normal = &self.normal;
        let (dashpot0, start, end) =
            (W::dashpot_force(&header), &front[Self::HEADER..], &mut front_end[Self::HEADER..]);
        let n = width.run_alone_beside::<C::Normal, _>(NormalAlone { normal, k, dashpot0, start, end });
        let (tangential, energy0) = (&self.tangential, W::tangential_energy(&header));
        let (start, end) = (tangential_start, tangential_end);
        let t =
            width.run_alone_beside::<C::Tangential, _>(TangentialAlone { tangential, k, n: &n, energy0, start, end });
        let sum = CombineAlone::<W> { start: &header, n, t, contact_damping: self.contact_damping(), k };
        let (response, header) = width.run_alone_beside::<W, _>(sum);
        front_end[..Self::HEADER].copy_from_slice(header.as_ref());
        response
    }
}

/// Header, normal and tangential history.
#[derive(Clone, Copy, Debug)]
pub struct CompositeRecord<H, N, T> {
    header: H,
    normal: N,
    tangential: T,
}

impl<R: Real, H: Record<R>, N: Record<R>, T: Record<R>> Record<R> for CompositeRecord<H, N, T> {
    const WIDTH: usize = H::WIDTH + N::WIDTH + T::WIDTH;

    #[inline(always)]
    fn load(source: &impl Source<R>, column: usize) -> Self {
        let normal = column + H::WIDTH;
        Self {
            header: H::load(source, column),
            normal: N::load(source, normal),
            tangential: T::load(source, normal + N::WIDTH),
        }
    }

    #[inline(always)]
    fn store(&self, target: &mut impl Target<R>, column: usize) {
        self.header.store(target, column);
        self.normal.store(target, column + H::WIDTH);
        self.tangential.store(target, column + H::WIDTH + N::WIDTH);
    }
}

impl<C: Recipe, W: Bookkeeping> LaneLaw for Composite<C, W>
where
    C::Tangential: LaneTangential,
{
    type Record<R: Real> = CompositeRecord<
        W::Header<R>,
        <C::Normal as NormalModel>::Record<R>,
        <C::Tangential as LaneTangential>::Record<R>,
    >;

    #[inline(always)]
    fn respond_in_lanes<R: Lanes>(&self, k: &Kinematics<R>, start: &Self::Record<R>) -> (Response<R>, Self::Record<R>) {
        let (n, normal) = self.normal.respond(k, W::dashpot_force(&start.header), &start.normal);
        let energy0 = W::tangential_energy(&start.header);
        let (t, tangential) = self.tangential.respond_in_lanes(k, &n, energy0, &start.tangential);
        let (response, header) = combine::<W, R>(&start.header, n, t, self.contact_damping(), k);
        (response, CompositeRecord { header, normal, tangential })
    }

    #[inline(always)]
    fn stiffnesses<R: Real>(&self, effective_radius: R, overlap: R) -> [R; 2] {
        [self.normal.stiffness(effective_radius, overlap), self.tangential.stiffness(effective_radius, overlap)]
    }

    #[inline(always)]
    fn range_in_lanes<R: Real>(&self, effective_radius: R) -> R {
        self.normal.range(effective_radius)
    }
}

impl<C: Recipe, W: Bookkeeping> StraightLaw for Composite<C, W>
where
    C::Tangential: StraightTangential,
{
    #[inline(always)]
    fn respond_straight<R: Real>(&self, k: &Kinematics<R>, start: &Self::Record<R>) -> (Response<R>, Self::Record<R>) {
        let (n, normal) = self.normal.respond(k, W::dashpot_force(&start.header), &start.normal);
        let energy0 = W::tangential_energy(&start.header);
        let (t, tangential) = self.tangential.respond_straight(k, &n, energy0, &start.tangential);
        let (response, header) = combine::<W, R>(&start.header, n, t, self.contact_damping(), k);
        (response, CompositeRecord { header, normal, tangential })
    }
}
