use std::collections::BTreeMap;

use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Lanes, Vector, Width};
use dem_core::material::PairMaterial;
use dem_core::rotation::{quaternion_from_rodrigues, rodrigues_from_rotation_vector};

use super::Kuhn;
use crate::ParameterValue;
use crate::frame::{Transport, TransportKind};
use crate::law::Kinematics;
use crate::normal::{ContactDamped, NormalModel, NormalResponse};
use crate::parameter::ParameterSet;
use crate::submodels::contact_damping::ContactDamping;
use crate::tangential::{Conventional, LaneTangential, TangentialModel, TangentialResponse};

mod accuracy;

/// Normal stiffness; with the ratio and friction below a limit of 1 is an overlap of 1, and a slip of 2/3 loads the spring to it.
const NORMAL_STIFFNESS: f64 = 2.0;
const RATIO: f64 = 0.75;
const STIFFNESS: f64 = 1.5;
const FRICTION: f64 = 0.5;
const TIME_STEP: f64 = 1e-2;

fn model<T: TangentialModel>(flags: &[(&str, bool)], words: &[(&str, &str)], numbers: &[(&str, f64)]) -> T {
    let mut given: BTreeMap<String, ParameterValue> = [("stiffness_ratio", RATIO), ("friction", FRICTION)]
        .iter()
        .chain(numbers)
        .map(|&(name, x)| (name.to_owned(), ParameterValue::Number(x)))
        .collect();
    given.extend(flags.iter().map(|&(name, x)| (name.to_owned(), ParameterValue::Flag(x))));
    given.extend(words.iter().map(|&(name, x)| (name.to_owned(), ParameterValue::Word(x.to_owned()))));
    let pair = PairMaterial {
        effective_young_modulus: 1.0,
        effective_shear_modulus: 0.25,
        shear_moduli: [1.0; 2],
        poisson_ratios: [0.25; 2],
    };
    T::new(&ParameterSet::resolve(&T::parameters(), given).unwrap(), &pair, Some(NORMAL_STIFFNESS)).unwrap()
}

fn refined() -> Kuhn {
    model(&[], &[], &[])
}

fn conventional() -> Conventional {
    model(&[], &[], &[])
}

fn kinematics<R: Lanes>(overlap0: R, overlap1: R, slip: Vector<R>) -> Kinematics<R> {
    let (normal, zero) = (Vector::parameter(DVec3::Z), Vector::zero());
    Kinematics {
        normal0: normal,
        normal1: normal,
        overlap0,
        overlap1,
        overlap_rate: (overlap1 - overlap0) / R::splat(TIME_STEP),
        slip,
        tangential_velocity: slip * R::splat(1.0 / TIME_STEP),
        relative_spin: zero,
        relative_rotation: zero,
        transport: Transport::new(TransportKind::Exact, normal, normal, zero, zero),
        effective_radius: R::splat(1.0),
        effective_mass: R::splat(1.0),
        smaller_radius: R::splat(1.0),
        centre_distance: R::splat(2.0),
        near_field_distance: R::splat(2.0),
        time_step: R::splat(TIME_STEP),
        time: R::zero(),
    }
}

fn normal_response<R: Lanes>(k: &Kinematics<R>) -> NormalResponse<R> {
    let zero = R::zero();
    let elastic = |overlap: R| R::splat(NORMAL_STIFFNESS) * overlap.maximum(zero);
    let (elastic0, elastic1) = (elastic(k.overlap0), elastic(k.overlap1));
    NormalResponse {
        // the friction limit must not depend on these
        force0: zero,
        force1: zero,
        dashpot_force: -elastic1,
        elastic0,
        elastic1,
        limit0: zero,
        limit1: zero,
        elastic_limit0: elastic0,
        elastic_limit1: elastic1,
        contact_radius0: zero,
        contact_radius1: zero,
        viscosity: zero,
        viscous_work: zero,
    }
}

/// A contact that is led along a path.
#[derive(Clone, Copy, Debug)]
struct Contact {
    force: DVec3,
    overlap: f64,
    stored: f64,
    friction: f64,
}

impl Contact {
    fn new(force: DVec3, overlap: f64) -> Self {
        Self { force, overlap, stored: 0.0, friction: 0.0 }
    }

    /// Leads it to another overlap; `motion` is that of j against i.
    fn step<T: TangentialModel>(&mut self, model: &T, overlap: f64, motion: DVec3) -> TangentialResponse {
        let k = kinematics(self.overlap, overlap, (-motion).into());
        let mut end = [f64::NAN; 3];
        let response = model.respond(&k, &normal_response(&k), 0.0, &self.force.to_array(), &mut end);
        self.force = DVec3::from_array(end);
        self.overlap = overlap;
        self.stored += response.stored;
        self.friction += response.friction;
        assert!(self.force.is_finite() && self.stored.is_finite() && self.friction.is_finite(), "{self:?}");
        response
    }

    /// The same in equal parts.
    fn steps<T: TangentialModel>(mut self, model: &T, overlap: f64, motion: DVec3, parts: u32) -> Self {
        let start = self.overlap;
        for part in 1..=parts {
            let share = f64::from(part) / f64::from(parts);
            self.step(model, start + share * (overlap - start), motion / f64::from(parts));
        }
        self
    }

    fn work(&self) -> f64 {
        self.stored + self.friction
    }
}

/// SplitMix64.
struct Scatter(u64);

impl Scatter {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn plane(&mut self, size: f64) -> DVec3 {
        size * DVec3::new(2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0, 0.0)
    }
}

/// Steps of every kind: inside and on the cone, loading and unloading, far beyond it, towards separation.
fn random_steps(seed: u64, count: usize) -> Vec<(Contact, f64, DVec3)> {
    let mut scatter = Scatter(seed);
    (0..count)
        .map(|k| {
            let overlap = 0.2 + scatter.unit();
            let share = if k % 3 == 0 { 1.0 } else { scatter.unit() };
            let force = scatter.plane(1.0).normalize() * (share * overlap);
            let end = if k % 5 == 0 { overlap } else { overlap * (0.05 + 2.0 * scatter.unit()) };
            let size = [1e-3, 0.1, 1.0, 10.0][k % 4];
            (Contact::new(force, overlap), end, scatter.plane(size))
        })
        .collect()
}

#[test]
fn a_fresh_contact_slips_only_from_when_the_bodies_meet() {
    let after = 0.25; // from −0.6 to 0.2
    for (motion, slides) in [(DVec3::new(0.3, -0.2, 0.0), false), (DVec3::new(3.0, 4.0, 0.0), true)] {
        let mut contact = Contact::new(DVec3::ZERO, -0.6);
        let response = contact.step(&refined(), 0.2, motion);
        let elastic = motion * (after * STIFFNESS);
        let expected = if slides { 0.2 * motion.normalize() } else { elastic };
        assert_eq!(response.slides, slides);
        assert!((contact.force - expected).length() < 1e-15);
        assert!((contact.work() - 0.5 * after * motion.dot(expected)).abs() < 1e-15);
        assert!((contact.stored - expected.length_squared() / (2.0 * STIFFNESS)).abs() < 1e-15);
        assert!(slides || contact.friction.abs() < 1e-17);

        let whole: Kuhn = model(&[("fresh_contact_split", false)], &[], &[]);
        let mut contact = Contact::new(DVec3::ZERO, -0.6);
        contact.step(&whole, 0.2, motion);
        let mut usual = Contact::new(DVec3::ZERO, -0.6);
        usual.step(&conventional(), 0.2, motion);
        assert!((contact.force - usual.force).length() < 1e-15, "the slip before the contact counts");
    }
}

/// What a contact that separates in one step does is what it does in two, the first of which ends just before it
/// separates.
#[test]
fn a_contact_that_parts_works_until_then() {
    for (force, motion) in [
        (DVec3::new(0.3, 0.1, 0.0), DVec3::new(0.2, -0.4, 0.0)),
        (DVec3::new(0.5, 0.0, 0.0), DVec3::new(-0.9, 0.1, 0.0)),
        (DVec3::new(0.0, 0.2, 0.0), DVec3::ZERO),
        (DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0)),
    ] {
        let (start, touching) = (Contact::new(force, 0.5), 0.5 / 0.8);
        let mut parted = start;
        let response = parted.step(&refined(), -0.3, motion);
        assert_eq!((parted.force, response.force.lane(0), response.loaded), (DVec3::ZERO, DVec3::ZERO, false));
        let almost = start.steps(&refined(), 1e-9, motion * (touching * (1.0 - 2e-9)), 1);
        assert!((parted.work() - almost.work()).abs() < 1e-8, "{parted:?} {almost:?}");
        assert!(
            (parted.stored + force.length_squared() / (2.0 * STIFFNESS)).abs() < 1e-15,
            "nothing stays in the spring"
        );

        let whole: Kuhn = model(&[("separation_split", false)], &[], &[]);
        let mut parted = start;
        parted.step(&whole, -0.3, motion);
        assert!(parted.work().abs() < 1e-15, "the work before the end is left out");
        assert!((parted.friction - force.length_squared() / (2.0 * STIFFNESS)).abs() < 1e-15);
    }
}

/// Unloading of a sliding contact: with C = 0, A > 0 and B < 0 the printed root is 6.7; and without any motion the direction is 0/0.
#[test]
fn a_sliding_contact_under_unloading_slides_from_the_start() {
    let force = DVec3::new(0.0, 1.0, 0.0);
    let kept = Contact::new(force, 1.0).steps(&refined(), 0.4, DVec3::ZERO, 1);
    assert!((kept.force - 0.4 * force).length() < 1e-15);
    assert!(kept.work().abs() < 1e-15 && (kept.friction - (1.0 - 0.16) / (2.0 * STIFFNESS)).abs() < 1e-15);
    let motion = DVec3::new(0.1, 0.02, 0.0);
    let one = Contact::new(force, 1.0).steps(&refined(), 0.4, motion, 1);
    let many = Contact::new(force, 1.0).steps(&conventional(), 0.4, motion, 100_000);
    assert!((one.force.length() - 0.4).abs() < 1e-15);
    assert!((one.force - many.force).length() < 1e-6 && (one.friction - many.friction).abs() < 1e-6);
}

#[test]
fn without_refinements_it_is_the_conventional_law() {
    let names = ["fresh_contact_split", "separation_split", "stick_slip_split", "slip_rotation"];
    let plain: Kuhn = model(&names.map(|name| (name, false)), &[("sliding_work", "trapezoid")], &[]);
    for (start, overlap, motion) in random_steps(4, 1000) {
        let (a, b) = (start.steps(&plain, overlap, motion, 1), start.steps(&conventional(), overlap, motion, 1));
        assert!((a.force - b.force).length() < 1e-14);
        let scale = 1.0 + motion.length();
        // what the trapezoid would return of a step too long for it counts as no friction in the conventional law
        let friction = a.friction.max(0.0);
        assert!((a.stored - b.stored).abs() < 1e-14 * scale && (friction - b.friction).abs() < 1e-14 * scale);
    }
}

/// Each refinement matters for itself, and the split without the turn changes only the work.
#[test]
fn every_refinement_has_its_switch() {
    let (force, motion) = (DVec3::new(0.1, 0.7, 0.0), DVec3::new(1.5, -0.2, 0.0));
    let start = Contact::new(force, 1.0);
    let with = |flags: &[(&str, bool)], work: &str| {
        start.steps(&model::<Kuhn>(flags, &[("sliding_work", work)], &[]), 1.2, motion, 1)
    };
    let full = with(&[], "exact");
    let trapezoid = with(&[], "trapezoid");
    assert!(trapezoid.force == full.force && (trapezoid.work() - full.work()).abs() > 1e-3);
    let unsplit = with(&[("stick_slip_split", false)], "exact");
    assert!((unsplit.force - full.force).length() > 1e-2 && (unsplit.force.length() - 1.2).abs() < 1e-15);
    let straight = with(&[("slip_rotation", false)], "exact");
    let usual = start.steps(&conventional(), 1.2, motion, 1);
    assert!((straight.force - usual.force).length() < 1e-15 && (straight.force - full.force).length() > 1e-2);
    assert!((straight.work() - usual.work()).abs() > 1e-3);
}

#[test]
fn without_friction_nothing_is_carried() {
    let smooth: Kuhn = model(&[], &[], &[("friction", 0.0)]);
    let soft: Kuhn = model(&[], &[], &[("stiffness_ratio", 0.0)]);
    for (start, overlap, motion) in random_steps(5, 200) {
        for model in [&smooth, &soft] {
            let end = Contact::new(DVec3::ZERO, start.overlap).steps(model, overlap, motion, 2);
            assert_eq!((end.force, end.stored, end.friction), (DVec3::ZERO, 0.0, 0.0));
        }
    }
    // friction that is switched off during the run takes the energy of the spring
    let end = Contact::new(DVec3::X, 2.0).steps(&smooth, 2.0, DVec3::ZERO, 1);
    assert!(end.force == DVec3::ZERO && (end.friction - 0.5 / STIFFNESS).abs() < 1e-15);
    assert!((end.stored + 0.5 / STIFFNESS).abs() < 1e-15);
}

#[test]
fn the_force_turns_with_the_contact() {
    let turn = rodrigues_from_rotation_vector(DVec3::new(0.4, -0.7, 0.9));
    let rotation = quaternion_from_rodrigues(turn);
    let force = DVec3::new(0.3, 0.4, 0.0);
    let normal1: Vector = (rotation * DVec3::Z).into();
    let transport = Transport::new(TransportKind::Exact, DVec3::Z.into(), normal1, turn.into(), turn.into());
    let k = Kinematics { normal1, transport, ..kinematics(1.0, 1.0, Vector::zero()) };
    let mut end = [0.0; 3];
    let response = refined().respond(&k, &normal_response(&k), 0.0, &force.to_array(), &mut end);
    assert!((DVec3::from_array(end) - rotation * force).length() < 1e-15);
    assert_eq!((response.stored, response.friction), (0.0, 0.0), "a rigid motion does no work");
}

/// Damping acts on the whole mean velocity of the step, beyond the limit of friction, and pulls bodies together that separate.
#[test]
fn contact_damping_is_outside_the_friction_limit_and_pulls() {
    let motion = DVec3::new(4.0, 0.0, 0.0);
    let k = kinematics(1.0, 1.0, Vector::from(-motion));
    let without = refined().respond(&k, &normal_response(&k), 0.0, &[1.0, 0.0, 0.0], &mut [0.0; 3]);
    let mut with = without;
    ContactDamping { viscosity: 3.0 }.add_tangential(&k, &mut with);
    let extra = with.force.lane(0) - without.force.lane(0);
    assert!((extra - 3.0 * motion / TIME_STEP).length() < 1e-12);
    assert!((with.viscous - 3.0 * motion.length_squared() / TIME_STEP).abs() < 1e-11);

    let given = [("normal_stiffness", NORMAL_STIFFNESS), ("damping_ratio", 0.0), ("contact_damping", 3.0)];
    let given = given.map(|(name, x)| (name.to_owned(), ParameterValue::Number(x)));
    let set = ParameterSet::resolve(&ContactDamped::parameters(), given.into()).unwrap();
    let unit = PairMaterial {
        effective_young_modulus: 1.0,
        effective_shear_modulus: 1.0,
        shear_moduli: [1.0; 2],
        poisson_ratios: [0.0; 2],
    };
    let normal = ContactDamped::new(&set, &unit).unwrap();
    let respond = |k: &Kinematics| {
        let (mut n, []) = normal.respond::<f64>(k, 0.0, &[]);
        let limiting = n.limit1;
        ContactDamping { viscosity: normal.viscosity() }.add_normal(k, &mut n);
        (limiting, n)
    };
    let (limiting, n) = respond(&kinematics(0.3, 0.1, Vector::zero()));
    let pull = 3.0 * -0.2 / TIME_STEP;
    assert!((limiting - 0.1 * NORMAL_STIFFNESS).abs() < 1e-12);
    assert!((n.force1 - (0.1 * NORMAL_STIFFNESS + pull)).abs() < 1e-12 && n.force1 < 0.0);
    assert!((n.dashpot_force - pull).abs() < 1e-12 && (n.viscous_work - 0.5 * pull * -0.2).abs() < 1e-12);
    assert_eq!(respond(&kinematics(0.3, -0.1, Vector::zero())).1.force1, 0.0);
}

/// Steps of every kind in lanes, as bits.
struct InLanes<'a>(&'a [(Contact, f64, DVec3)], Kuhn);

impl LaneTask for InLanes<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Vec<u64> {
        let Self(steps, model) = self;
        let mut bits = Vec::new();
        for group in steps.chunks_exact(8).flat_map(|steps| steps.chunks_exact(R::LANES)) {
            let number = |get: fn(&(Contact, f64, DVec3)) -> f64| R::from_lanes(|lane| get(&group[lane]));
            let slip = Vector::from_lanes(|lane| -group[lane].2);
            let k = kinematics(number(|s| s.0.overlap), number(|s| s.1), slip);
            let start = [number(|s| s.0.force.x), number(|s| s.0.force.y), R::zero()];
            let (response, record) = model.respond_in_lanes(&k, &normal_response(&k), R::zero(), &start);
            let f = response.force;
            let numbers = [f.x, f.y, f.z, response.stored, response.friction, response.viscous, record[0], record[1]];
            R::rows(&numbers, |_, row| bits.extend(row.map(f64::to_bits)));
        }
        bits
    }
}

#[test]
fn every_width_gives_the_bits_of_the_scalar() {
    let mut steps = random_steps(6, 4000);
    for (k, (start, overlap, _)) in steps.iter_mut().enumerate() {
        match k % 11 {
            3 => *overlap = -*overlap,
            5 => (start.overlap, start.force) = (-start.overlap, DVec3::ZERO),
            _ => {}
        }
    }
    for model in [refined(), model(&[("stick_slip_split", false)], &[], &[])] {
        let reference = Width::SCALAR.run(InLanes(&steps, model));
        for width in Width::available() {
            assert!(width.run(InLanes(&steps, model)) == reference, "{}", width.name());
        }
    }
}
