//! Tangential springs whose stiffness follows the area of contact.

use super::*;

/// Rules, and the energy that two loops of one cycle dissipate, in units of `k s²` with the stiffness of the smaller area and the slip s of the loop.
/// The first loop slips by s at the smaller area, doubles it, and slips back; the second slips at the double area, halves it, and slips back.
///
/// At the smaller area 1 and unit slip: `none` puts in ½ and takes back, from the force 1 with stiffness 2, 1·s − ½·2 s² = 0 until the spring is at
/// rest at s = ½, so ½ − ¼ = ¼ remain, and so on for each rule.
const LOOPS: [(&str, f64, f64); 7] = [
    ("carried", 0.25, 0.5),
    ("none", 0.25, -1.0),
    ("area", 0.25, 0.5),
    ("neutral", 0.25, 0.0),
    ("total", -0.5, 0.5),
    ("displacement", -0.5, 0.875),
    ("hyperelastic", 0.0, 0.0),
];

const OVERLAP: f64 = 1e-5;
const STEPS: u32 = 2000;

fn drive(rule: &str, overlap: f64) -> Drive<HertzMindlin> {
    Drive::new(law::<HertzMindlin>(&given![unloading = rule, friction = 1e3]).unwrap(), overlap)
}

/// Goes to an overlap without slip, evenly in the contact radius. Returns the work against the part of the normal force that friction brings.
fn press(drive: &mut Drive<HertzMindlin>, overlap: f64) -> f64 {
    let (from, to) = (drive.overlap.sqrt(), overlap.sqrt());
    let mut work = 0.0;
    let mut before = extra(drive);
    for step in 1..=STEPS {
        let start = drive.overlap;
        let radius = from + (to - from) * f64::from(step) / f64::from(STEPS);
        drive.step(radius * radius, DVec3::ZERO, 1e-6);
        let now = extra(drive);
        work += 0.5 * (before + now) * (drive.overlap - start);
        before = now;
    }
    work
}

/// Normal force in addition to that of Hertz.
fn extra(drive: &Drive<HertzMindlin>) -> f64 {
    drive.normal - drive.normal_force()
}

/// Slips until the spring is at rest.
fn release(drive: &mut Drive<HertzMindlin>) {
    let slip = drive.force.y / drive.stiffness();
    drive.slip(slip, STEPS);
    assert!(drive.force.length() < 1e-9 * drive.stiffness() * slip.abs());
}

#[test]
fn loops_dissipate_what_the_rules_say() {
    for (rule, rising, falling) in LOOPS {
        for (first, second, expected) in [(OVERLAP, 4.0 * OVERLAP, rising), (4.0 * OVERLAP, OVERLAP, falling)] {
            let mut drive = drive(rule, first);
            drive.step(first, DVec3::ZERO, 1e-6);
            let slip = 1e-9;
            drive.slip(slip, STEPS);
            let mut normal_work = press(&mut drive, second);
            release(&mut drive);
            normal_work += press(&mut drive, first);
            let smaller = drive.law.stiffness(EFFECTIVE_RADIUS, OVERLAP).tangential;
            let dissipated = (drive.work + normal_work) / (smaller * slip * slip);
            assert!((dissipated - expected).abs() < 2e-3, "{rule}: {dissipated}, expected {expected}");
            // all of it is booked, and nothing as friction
            assert_eq!(drive.field("friction_work")[0], 0.0, "{rule}");
            let booked = (drive.field("stiffness_work")[0] + drive.field("elastic_tangential_work")[0])
                / (smaller * slip * slip);
            assert!((booked - dissipated).abs() < 2e-3, "{rule}: {booked} {dissipated}");
        }
    }
}

/// Slip of a contact under a held tangential force while the overlap goes down and up by a fraction of N, over the
/// first slip.
fn creep(rule: &str, share: f64, cycles: u32) -> f64 {
    let mut drive = drive(rule, OVERLAP);
    drive.step(OVERLAP, DVec3::ZERO, 1e-6);
    let first = 1e-9;
    drive.slip(first, 10);
    let (held, mut total) = (drive.force.y, first);
    let steps = 50;
    for step in 1..=steps * cycles {
        // N in proportion to δ^1.5, down first
        let phase = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
        let overlap = OVERLAP * libm::cbrt(1.0 - share * libm::sin(phase)).powi(2);
        drive.step(overlap, DVec3::ZERO, 1e-6);
        // slips until the force is what it was
        for _ in 0..3 {
            let slip = (drive.force.y - held) / drive.stiffness();
            drive.step(overlap, DVec3::Y * slip, 1e-6);
            total += slip;
        }
    }
    total / first
}

/// Closed form: where the area falls by da the force loses the fraction da/a, which takes the slip da/a² of the first
/// slip to bring back: `area` slips by 1/a_min − 1/a_max in each cycle, `neutral` by half of it, and `carried` once, by
/// 1/a_min − 1.
#[test]
fn a_held_force_creeps_without_end_only_under_the_rule_area() {
    for (share, cycles) in [(0.05, [1, 2, 20, 1000]), (0.01, [1, 2, 20, 1000])] {
        let radius = |factor: f64| libm::cbrt(factor);
        let (low, high) = (radius(1.0 - share), radius(1.0 + share));
        for cycles in cycles {
            let found = |rule| creep(rule, share, cycles);
            let per_cycle = 1.0 / low - 1.0 / high;
            for (rule, slip) in [
                ("area", f64::from(cycles) * per_cycle),
                ("neutral", f64::from(cycles) * 0.5 * per_cycle),
                ("carried", 1.0 / low - 1.0),
            ] {
                let creep = found(rule) - 1.0;
                // steps of a fiftieth of a cycle do not meet the extremes of the area
                assert!((creep - slip).abs() < 0.01 * slip, "{rule}, {cycles} cycles: {creep} {slip}");
            }
            for rule in ["none", "total", "hyperelastic"] {
                let constant = found(rule);
                assert!((constant - 1.0).abs() < 1e-6, "{rule} {constant}");
            }
        }
    }
}

/// `D = T·du − dΨ ≥ 0` in every step of any path, the cut at the friction limit included.
#[test]
fn some_rules_never_create_energy() {
    let mut scatter = 1u64;
    let mut random = || {
        scatter = scatter.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (scatter >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    for rule in ["carried", "area", "neutral"] {
        let mut drive = Drive::new(law::<HertzMindlin>(&given![unloading = rule]).unwrap(), OVERLAP);
        drive.step(OVERLAP, DVec3::ZERO, 1e-6);
        let (mut friction, mut stiffness) = (0.0, 0.0);
        let mut slides = 0;
        for _ in 0..200_000 {
            let overlap = (drive.overlap + 1e-3 * OVERLAP * random()).clamp(0.2 * OVERLAP, 3.0 * OVERLAP);
            let slip = 0.03 * OVERLAP * DVec3::new(0.0, random(), random());
            slides += u32::from(drive.step(overlap, slip, 1e-6).slides);
            let scale = drive.force.length() * slip.length();
            let now = [drive.field("friction_work")[0], drive.field("stiffness_work")[0]];
            // the trapezoid of the ends against the path within the step: second order in what the area changes
            assert!(now[0] >= friction && now[1] >= stiffness - 2e-3 * scale, "{rule}: {now:?}");
            [friction, stiffness] = now;
        }
        assert!(slides > 1000 && stiffness > 0.0, "{rule}: {slides} {stiffness}");
    }
}

/// The area of an adhesive contact changes without bound where it snaps, and that of a dented one depends on its past.
#[test]
fn contacts_with_an_area_of_their_own_refuse_the_normal_force_of_the_spring() {
    let hyperelastic = given![unloading = "hyperelastic", surface_energy = 0.1];
    assert!(law::<Composite<laws::dmt::Dmt, StiffnessBooked>>(&hyperelastic).is_ok());
    let adhesive = law::<Composite<laws::jkr::Jkr, StiffnessBooked>>(&hyperelastic).unwrap_err();
    let dented = given![unloading = "hyperelastic", yield_pressure = 1e7];
    let dented = law::<Composite<laws::thornton_ning::ThorntonNing, StiffnessBooked>>(&dented).unwrap_err();
    for error in [adhesive, dented] {
        assert_eq!(error.parameter, "unloading");
    }
    assert!(law::<Composite<laws::jkr::Jkr, StiffnessBooked>>(&given![surface_energy = 0.1]).is_ok());
}
