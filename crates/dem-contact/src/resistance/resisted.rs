//! A law with resistance laid over it.

use dem_core::DVec3;
use dem_core::history::{FieldSpec, stride};
use dem_core::lanes::{LaneTask, Lanes, Real, Vector, Width};
use dem_core::material::PairMaterial;

use super::record::{ELASTIC_WORK, ROLLING_WORK, ResistedRecord, TWISTING_COUPLE, TWISTING_WORK, WIDTH, fields};
use super::rolling::Rolling;
use super::twisting::Twisting;
use crate::law::{
    Conformance, ContactLaw, Dashpots, Derived, ElasticEnergy, Kinematics, LaneLaw, LawDescription, Needs, Response,
    Stiffness, StraightLaw,
};
use crate::parameter::{LawError, ModelChoice, ParameterSet, ParameterSpec};

/// A law with resistance against rolling and twisting: it runs the law and adds the couples that its normal force gives
/// rise to. Its record is that of the law with seven numbers behind it. The registry uses it only where some pair of
/// materials requires resistance.
#[derive(Clone, Copy, Debug)]
pub struct Resisted<L> {
    law: L,
    /// Numbers in the record of the law.
    width: usize,
    couples: Couples,
}

/// The couples of a contact.
#[derive(Clone, Copy, Debug)]
struct Couples {
    rolling: Rolling,
    twisting: Twisting,
}

impl Couples {
    /// Adds the couples to the response of the law, whose normal and tangential stiffness at the end of the step is given.
    #[inline(always)]
    fn resist<R: Real>(
        &self,
        k: &Kinematics<R>,
        response: &mut Response<R>,
        start: &[R; WIDTH],
        stiffnesses: impl Fn() -> [R; 2],
    ) -> [R; WIDTH] {
        let force = response.limiting_force.maximum(R::zero());
        let rolling = self.rolling.respond(k, force, || stiffnesses()[0], Vector::from_slice(start));
        let twisting_stiffness = || self.twisting.stiffness(k.effective_radius, k.overlap1, stiffnesses());
        let twisting = self.twisting.respond(k, force, twisting_stiffness, start[TWISTING_COUPLE]);
        response.couple += rolling.total + twisting.total;
        [
            rolling.spring.x,
            rolling.spring.y,
            rolling.spring.z,
            twisting.spring.dot(k.normal1),
            start[ELASTIC_WORK] + rolling.stored + twisting.stored,
            start[ROLLING_WORK] + rolling.dissipated,
            start[TWISTING_WORK] + twisting.dissipated,
        ]
    }
}

/// The couples of one contact: compiled once for all laws.
struct ResistAlone<'a> {
    couples: &'a Couples,
    k: &'a Kinematics,
    response: &'a mut Response,
    start: &'a [f64; WIDTH],
    stiffnesses: &'a dyn Fn() -> [f64; 2],
}

impl LaneTask for ResistAlone<'_> {
    type Output = [f64; WIDTH];
    #[inline(always)]
    fn run<R: Lanes>(self) -> [f64; WIDTH] {
        self.couples.resist(self.k, self.response, self.start, self.stiffnesses)
    }
}

impl<L: ContactLaw> Resisted<L> {
    fn twisting_stiffness(&self, effective_radius: f64, overlap: f64) -> f64 {
        let law = self.law.stiffness(effective_radius, overlap);
        self.couples.twisting.stiffness(effective_radius, overlap, [law.normal, law.tangential])
    }
}

impl<L: ContactLaw> ContactLaw for Resisted<L> {
    type Home = L::Home;
    type WithNormal = Resisted<L::WithNormal>;
    const KEY: &'static str = L::KEY;
    const DESCRIPTION: LawDescription = L::DESCRIPTION;
    const CONFORMANCE: Conformance = L::CONFORMANCE;

    fn parameters() -> Vec<ParameterSpec> {
        L::parameters()
    }

    fn replaceable_normal() -> Option<ModelChoice> {
        L::replaceable_normal()
    }

    fn choices() -> Vec<ModelChoice> {
        L::choices().into_iter().chain([Rolling::choice(), Twisting::choice()]).collect()
    }

    fn has_contact_area(&self) -> bool {
        self.law.has_contact_area()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let law = L::new(parameters, pair)?;
        Ok(Self {
            law,
            width: stride(&law.fields()),
            couples: Couples {
                rolling: Rolling::new(parameters),
                twisting: Twisting::new(parameters, law.has_contact_area())?,
            },
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        self.law.fields().into_iter().chain(fields()).collect()
    }

    fn range(&self, effective_radius: f64) -> f64 {
        self.law.range(effective_radius)
    }

    fn begins_by_touch(&self) -> bool {
        self.law.begins_by_touch()
    }

    fn adheres(&self) -> bool {
        self.law.adheres()
    }

    fn needs(&self) -> Needs {
        Needs { relative_spin: true, ..self.law.needs() }
    }

    fn stiffness(&self, effective_radius: f64, overlap: f64) -> Stiffness {
        let law = self.law.stiffness(effective_radius, overlap);
        let rolling = self.couples.rolling.stiffness(effective_radius, law.normal);
        Stiffness { rolling: rolling.max(self.twisting_stiffness(effective_radius, overlap)), ..law }
    }

    fn elastic_normal_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.law.elastic_normal_force(effective_radius, overlap, record.get(..self.width).unwrap_or_default())
    }

    fn dashpots(&self, effective_radius: f64, effective_mass: f64, overlap: f64) -> Dashpots {
        let normal_stiffness = self.law.stiffness(effective_radius, overlap).normal;
        let rolling = self.couples.rolling.stiffness(effective_radius, normal_stiffness);
        let rolling = self.couples.rolling.dashpot(rolling, effective_mass, effective_radius);
        let twisting = self.twisting_stiffness(effective_radius, overlap);
        let twisting = self.couples.twisting.dashpot(twisting, effective_mass, effective_radius);
        Dashpots {
            rolling: rolling.unwrap_or(0.0).max(twisting.unwrap_or(0.0)),
            ..self.law.dashpots(effective_radius, effective_mass, overlap)
        }
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.contact_duration(effective_radius, effective_mass, speed)
    }

    fn pull_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.law.pull_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> ElasticEnergy {
        let (law, resistance) = record.split_at(self.width);
        let energy = self.law.elastic_energy(effective_radius, overlap, law);
        ElasticEnergy { rolling: resistance[ELASTIC_WORK], ..energy }
    }

    fn tangential_force_without_dashpots(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> Option<DVec3> {
        self.law.tangential_force_without_dashpots(effective_radius, overlap, &record[..self.width])
    }

    fn tangential_spring_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.tangential_spring_force(effective_radius, overlap, &record[..self.width])
    }

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        self.law.elastic_slip(effective_radius, overlap, &record[..self.width])
    }

    fn facts(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        self.law.facts(effective_radius, effective_mass, speed)
    }

    fn derived(&self) -> Vec<Derived> {
        self.law
            .derived()
            .into_iter()
            .chain(self.couples.rolling.derived())
            .chain(self.couples.twisting.derived())
            .collect()
    }

    fn respond(&self, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        self.respond_by(Width::SCALAR, k, start, end)
    }

    fn respond_by(&self, width: Width, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
        let (law_start, start) = start.split_at(self.width);
        let (law_end, end) = end.split_at_mut(self.width);
        let mut response = self.law.respond_by(width, k, law_start, law_end);
        let start = start.first_chunk().unwrap_or(&[0.0; WIDTH]);
        let stiffnesses = &|| {
            let Stiffness { normal, tangential, .. } = self.law.stiffness(k.effective_radius, k.overlap1);
            [normal, tangential]
        };
        let couples = ResistAlone { couples: &self.couples, k, response: &mut response, start, stiffnesses };
        end[..WIDTH].copy_from_slice(&width.run_alone(couples));
        response
    }
}

impl<L: LaneLaw> LaneLaw for Resisted<L> {
    type Record<R: Real> = ResistedRecord<R, L::Record<R>>;

    #[inline(always)]
    fn respond_in_lanes<R: Lanes>(&self, k: &Kinematics<R>, start: &Self::Record<R>) -> (Response<R>, Self::Record<R>) {
        let (mut response, law) = self.law.respond_in_lanes(k, &start.law);
        let stiffnesses = || self.law.stiffnesses(k.effective_radius, k.overlap1);
        let resistance = self.couples.resist(k, &mut response, &start.resistance, stiffnesses);
        (response, ResistedRecord { law, resistance })
    }

    #[inline(always)]
    fn stiffnesses<R: Real>(&self, effective_radius: R, overlap: R) -> [R; 2] {
        self.law.stiffnesses(effective_radius, overlap)
    }

    #[inline(always)]
    fn range_in_lanes<R: Real>(&self, effective_radius: R) -> R {
        self.law.range_in_lanes(effective_radius)
    }
}

impl<L: StraightLaw> StraightLaw for Resisted<L> {
    #[inline(always)]
    fn respond_straight<R: Real>(&self, k: &Kinematics<R>, start: &Self::Record<R>) -> (Response<R>, Self::Record<R>) {
        let (mut response, law) = self.law.respond_straight(k, &start.law);
        let stiffnesses = || self.law.stiffnesses(k.effective_radius, k.overlap1);
        let resistance = self.couples.resist(k, &mut response, &start.resistance, stiffnesses);
        (response, ResistedRecord { law, resistance })
    }
}
