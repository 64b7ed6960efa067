//! Laws in lanes, and laws without shortcuts, against the same laws one contact at a time, bit by bit.

use dem_core::cell::Cell;
use dem_core::lanes::{LaneMask, LaneTask, Lanes, Rows, Source, SourceRows, Target, TargetRows, Vector, Width};
use dem_core::particles::{NewParticle, Particles};
use dem_core::{DQuat, DVec3};

use crate::force_loop::kinematics::geometry::{self, ContactGeometry, Lever, SlipForm, Slots, StepContext};
use crate::frame::TransportKind;
use crate::law::{Kinematics, LaneLaw, Needs, Record, Response, StraightLaw};
use crate::pessimist::Pessimist;

const PAIRS: usize = 48;
const STEPS: usize = 8;
const RADIUS: f64 = 0.01;

/// SplitMix64, numbers in [−1, 1).
struct Scatter(u64);

impl Scatter {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}

/// Pairs of spheres 2p and 2p + 1 that touch, just touch or do not.
fn pairs(scatter: &mut Scatter) -> Particles {
    let mut particles = Particles::default();
    for _ in 0..PAIRS {
        let first = scatter.vector();
        let radii = [RADIUS, RADIUS * (1.0 + 0.5 * scatter.number())];
        let distance = (radii[0] + radii[1]) * (1.0 - 0.002 * scatter.number());
        for (position, radius) in [(first, radii[0]), (first + scatter.vector().normalize() * distance, radii[1])] {
            particles.push(NewParticle {
                position,
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius,
                density: 2500.0,
                material: 0,
                group: 1,
                frozen: 0,
            });
        }
    }
    particles
}

fn advance(particles: &mut Particles, scatter: &mut Scatter) {
    for slot in 0..particles.len() {
        particles.previous_position[slot] = particles.position[slot];
        particles.position[slot] += scatter.vector() * 1e-3 * RADIUS;
        particles.rotation_increment[slot] = scatter.vector() * 1e-3;
        particles.velocity[slot] = scatter.vector();
        particles.angular_velocity[slot] = scatter.vector() * 100.0;
    }
}

fn numbers_of<R: Lanes>(k: &Kinematics<R>, response: &Response<R>, lane: usize) -> Vec<f64> {
    let test = Vector::new(R::splat(0.3), R::splat(-0.4), R::splat(0.5));
    let vectors = [
        k.normal0,
        k.normal1,
        k.slip,
        k.tangential_velocity,
        k.relative_spin,
        k.relative_rotation,
        k.transport.carry(test),
        response.tangential_force,
        response.couple,
    ];
    let numbers = [
        k.overlap0,
        k.overlap1,
        k.overlap_rate,
        k.effective_radius,
        k.effective_mass,
        k.smaller_radius,
        response.normal_force,
    ];
    let flags = [response.loaded, response.slides].map(|mask| f64::from(u8::from(mask.lane(lane))));
    let vectors = vectors.iter().flat_map(|v| v.lane(lane).to_array());
    vectors.chain(numbers.iter().map(|x| x.lane(lane))).chain(flags).collect()
}

/// Responses of a law over some steps of random motion, all numbers of all pairs in order, one vector per step.
struct Answers<'a, L> {
    law: &'a L,
    geometry: ContactGeometry,
    /// What is evaluated one contact after the other; otherwise it is the law in lanes.
    alone: Option<Alone<L>>,
}

/// The form of [`crate::law::ContactLaw::respond`].
type Alone<L> = fn(&L, &Kinematics, &[f64], &mut [f64]) -> Response;

impl<L: LaneLaw> LaneTask for Answers<'_, L> {
    type Output = Vec<Vec<u64>>;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Vec<Vec<u64>> {
        let mut scatter = Scatter(7);
        let (cell, mut particles) = (Cell::unbounded(), pairs(&mut scatter));
        let stride = dem_core::history::stride(&self.law.fields());
        assert_eq!(stride, L::Record::<R>::WIDTH, "the record has the width of the declared fields");
        let mut records = vec![0.0; PAIRS * stride];
        let mut found = Vec::new();
        for step in 1..=STEPS {
            advance(&mut particles, &mut scatter);
            let time_step = 1e-5;
            let time = time_step * step as f64;
            let context = StepContext::new(&particles, &cell, &[], time_step, time, self.geometry, Width::SCALAR);
            let bodies = context.bodies();
            let start = records.clone();
            let mut bits = Vec::new();
            for at in (0..PAIRS).step_by(R::LANES) {
                // entries beyond the last lane are never read
                let first: Slots = std::array::from_fn(|lane| 2 * (at + lane.min(R::LANES - 1)) as u32);
                let (k, _) =
                    geometry::pairs::<R>(&context, &bodies, &first, &first.map(|slot| slot + 1), Needs::EVERYTHING);
                let answers: Vec<f64> = if let Some(respond) = self.alone {
                    let contact = k.split()[0];
                    let before: Vec<f64> = (0..stride).map(|k| start[k * PAIRS + at]).collect();
                    let mut after = vec![0.0; stride];
                    let response = respond(self.law, &contact, &before, &mut after);
                    let needs = self.law.needs();
                    if needs != Needs::EVERYTHING {
                        let only = |needed: bool, vector: Vector| if needed { vector } else { Vector::zero() };
                        let still = Kinematics {
                            tangential_velocity: only(needs.tangential_velocity, contact.tangential_velocity),
                            relative_spin: only(needs.relative_spin, contact.relative_spin),
                            ..contact
                        };
                        let mut record = vec![0.0; stride];
                        let same = respond(self.law, &still, &before, &mut record);
                        assert_eq!(
                            numbers_of(&contact, &same, 0),
                            numbers_of(&contact, &response, 0),
                            "needs what it says it does not"
                        );
                        assert_eq!(record, after);
                    }
                    for (k, number) in after.into_iter().enumerate() {
                        records[k * PAIRS + at] = number;
                    }
                    numbers_of(&k.split()[0], &response, 0)
                } else {
                    let rows = Rows { first: at, room: PAIRS, set: (1 << R::LANES) - 1 };
                    let source = SourceRows::new::<R>(&start, rows, stride);
                    let (response, record) = self.law.respond_in_lanes(&k, &L::Record::<R>::load(&source, 0));
                    record.store(&mut TargetRows::new::<R>(&mut records, rows, stride), 0);
                    (0..R::LANES).flat_map(|lane| numbers_of(&k, &response, lane)).collect()
                };
                assert!(answers.iter().all(|x| x.is_finite()));
                bits.extend(answers.into_iter().map(f64::to_bits));
            }
            assert!(records.iter().all(|x| x.is_finite()), "a record is not finite");
            bits.extend(records.iter().map(|x| x.to_bits()));
            found.push(bits);
        }
        found
    }
}

/// All transports, lever arms and forms of the slip, one other than the default at a time.
fn geometries() -> impl Iterator<Item = ContactGeometry> {
    let default = ContactGeometry::default();
    let transports = TransportKind::NAMES
        .iter()
        .filter_map(|name| TransportKind::from_name(name))
        .map(move |transport| ContactGeometry { transport, ..default });
    let levers = Lever::NAMES
        .iter()
        .filter_map(|name| Lever::from_name(name))
        .map(move |lever| ContactGeometry { lever, ..default });
    let slips = SlipForm::NAMES
        .iter()
        .filter_map(|name| SlipForm::from_name(name))
        .map(move |slip| ContactGeometry { slip, ..default });
    transports.chain(levers).chain(slips)
}

fn assert_same_bits(found: &[Vec<u64>], reference: &[Vec<u64>], of: &str) {
    for (step, (found, reference)) in found.iter().zip(reference).enumerate() {
        let differs = found.iter().zip(reference).position(|(a, b)| a != b);
        assert!(differs.is_none(), "{of} step {step}: number {differs:?}");
    }
}

/// Asserts that a law in lanes gives the bits of the law for one contact, for every width of this machine, geometry and transport.
pub fn assert_lanes_give_the_bits_of_the_scalar<L: LaneLaw>(law: &L) {
    for geometry in geometries() {
        let reference = Width::SCALAR.run(Answers { law, geometry, alone: Some(L::respond) });
        for width in Width::available() {
            let found = width.run(Answers { law, geometry, alone: None });
            assert_same_bits(&found, &reference, &format!("{} {} {geometry:?}", L::KEY, width.name()));
        }
    }
}

/// Asserts that a law gives the same bits if it never skips work: every query of a mask is answered in the way that
/// requires most work.
pub fn assert_shortcuts_change_no_bit<L: StraightLaw>(law: &L) {
    for geometry in geometries() {
        let [reference, found] = [L::respond as Alone<L>, respond_without_shortcuts::<L>]
            .map(|respond| Width::SCALAR.run(Answers { law, geometry, alone: Some(respond) }));
        assert_same_bits(&found, &reference, &format!("{} without shortcuts {geometry:?}", L::KEY));
    }
}

/// A law for one contact in numbers whose masks know nothing.
fn respond_without_shortcuts<L: StraightLaw>(law: &L, k: &Kinematics, start: &[f64], end: &mut [f64]) -> Response {
    let start = L::Record::<Pessimist>::load(&Columns(start.to_vec()), 0);
    let (response, record) = law.respond_straight(&k.with_pessimism(), &start);
    let mut columns = Columns(end.to_vec());
    record.store(&mut columns, 0);
    end.copy_from_slice(&columns.0);
    let vector = |v: Vector<Pessimist>| Vector::new(v.x.0, v.y.0, v.z.0);
    Response {
        normal_force: response.normal_force.0,
        limiting_force: response.limiting_force.0,
        tangential_force: vector(response.tangential_force),
        couple: vector(response.couple),
        loaded: response.loaded.0,
        slides: response.slides.0,
    }
}

/// A record of one contact.
struct Columns(Vec<f64>);

impl Source<Pessimist> for Columns {
    fn numbers<const N: usize>(&self, column: usize) -> [Pessimist; N] {
        std::array::from_fn(|k| Pessimist(self.0[column + k]))
    }
}

impl Target<Pessimist> for Columns {
    fn put<const N: usize>(&mut self, numbers: &[Pessimist; N], column: usize) {
        for (k, number) in numbers.iter().enumerate() {
            self.0[column + k] = number.0;
        }
    }
}
