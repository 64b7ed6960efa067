use super::*;
use crate::frame::{Transport, TransportKind};
use crate::parameter::ParameterValue;
use dem_core::lanes::Vector;
use dem_core::material::Material;
use std::collections::BTreeMap;

const FRICTION_COEFFICIENT: f64 = 0.3;
const OVERLAP: f64 = 1e-5;
/// Numbers of a record.
const WIDTH: usize = PLANE_BASE + 3;
/// Of Hertz at this overlap, so that a transition and the stiffness across the axis fit together \[N\].
const FORCE: f64 = 2.317;

fn law(power: f64, branch: &str) -> Balevicius {
    let glass = Material { name: String::new(), density: 2500.0, young_modulus: 1e9, poisson_ratio: 0.3 };
    let given = BTreeMap::from([
        ("friction".to_owned(), ParameterValue::Number(FRICTION_COEFFICIENT)),
        ("hysteresis_power".to_owned(), ParameterValue::Number(power)),
        ("hysteresis_branch".to_owned(), ParameterValue::Word(branch.to_owned())),
    ]);
    let set = ParameterSet::resolve(&Balevicius::parameters(), given).unwrap();
    Balevicius::new(&set, &PairMaterial::new(&glass, &glass), None).unwrap()
}

/// A contact with a wall, driven by slips.
struct Driven {
    law: Balevicius,
    load: f64,
    record: [f64; WIDTH],
}

impl Driven {
    fn new(power: f64, branch: &str) -> Self {
        Self { law: law(power, branch), load: FORCE, record: [0.0; WIDTH] }
    }

    /// Mindlin's displacement at full slip.
    fn length() -> f64 {
        FRICTION_COEFFICIENT * (2.0 - 0.3) / (2.0 * (1.0 - 0.3)) * OVERLAP
    }

    fn slip(&mut self, slip: DVec3) -> (DVec3, TangentialResponse) {
        let n = Vector::parameter(DVec3::Z);
        let zero = Vector::zero();
        let kinematics = Kinematics {
            normal0: n,
            normal1: n,
            overlap0: OVERLAP,
            overlap1: OVERLAP,
            overlap_rate: 0.0,
            slip: slip.into(),
            tangential_velocity: zero,
            relative_spin: zero,
            relative_rotation: zero,
            transport: Transport::new(TransportKind::Exact, n, n, zero, zero),
            effective_radius: 0.01,
            effective_mass: 1.0,
            smaller_radius: 0.01,
            centre_distance: f64::INFINITY,
            near_field_distance: f64::INFINITY,
            time_step: 1e-6,
            time: 0.0,
        };
        let area_radius = (0.01 * OVERLAP).sqrt();
        let normal = NormalResponse {
            force0: self.load,
            force1: self.load,
            dashpot_force: 0.0,
            elastic0: self.load,
            elastic1: self.load,
            limit0: self.load,
            limit1: self.load,
            elastic_limit0: self.load,
            elastic_limit1: self.load,
            contact_radius0: area_radius,
            contact_radius1: area_radius,
            viscosity: 0.0,
            viscous_work: 0.0,
        };
        let mut end = [0.0; WIDTH];
        let response = self.law.respond(&kinematics, &normal, 0.0, &self.record, &mut end);
        self.record = end;
        (response.force.into(), response)
    }

    /// Slips along x in equal parts; the force against +x in units of μN.
    fn along(&mut self, slip: f64, parts: u32) -> f64 {
        let mut force = DVec3::ZERO;
        for _ in 0..parts {
            force = self.slip(DVec3::X * (slip / f64::from(parts))).0;
        }
        -force.x / (FRICTION_COEFFICIENT * FORCE)
    }
}

#[test]
fn the_first_slip_is_met_by_the_friction_limit_and_a_reversal_by_the_power() {
    for power in [0.25, 1.0 / 3.0, 0.5] {
        for branch in ["incremental", "non-incremental"] {
            let mut contact = Driven::new(power, branch);
            assert_eq!(contact.along(0.0, 1), 0.0);
            assert!((contact.along(3.0 * Driven::length(), 7) - 1.0).abs() < 1e-14);
            for (k, share) in [0.01f64, 0.1, 0.5, 0.9].into_iter().enumerate() {
                let before = [0.0, 0.01, 0.1, 0.5][k];
                let found = contact.along(-(share - before) * Driven::length(), 13);
                let expected = 1.0 - 2.0 * share.powf(power);
                assert!((found - expected).abs() < 1e-12, "{power} {branch} {share}: {found} {expected}");
            }
            assert!((contact.along(-0.2 * Driven::length(), 3) + 1.0).abs() < 1e-14, "beyond the transition it slides");
        }
    }
}

#[test]
fn a_reversal_within_a_transition_continues_only_the_incremental_branch() {
    let (turn, back) = (0.16f64, 0.04f64);
    let loaded = |branch| {
        let mut contact = Driven::new(0.5, branch);
        contact.along(Driven::length(), 1);
        let at_turn = contact.along(-turn * Driven::length(), 4);
        (at_turn, contact.along(back * Driven::length(), 5), contact)
    };
    let (at_turn, found, mut contact) = loaded("incremental");
    assert!((at_turn - (1.0 - 2.0 * turn.sqrt())).abs() < 1e-12);
    assert!((found - (at_turn + 2.0 * back.sqrt())).abs() < 1e-12, "{found}");
    // the limit cuts the transition short
    assert!((contact.along(0.5 * Driven::length(), 50) - 1.0).abs() < 1e-14);
    let (_, found, _) = loaded("non-incremental");
    assert!((found - (2.0 * back.sqrt() - 1.0)).abs() < 1e-12, "the force jumps to the friction limit: {found}");
}

/// A cycle between two turning points closes from the second time on, and takes the same work each time.
#[test]
fn incremental_loops_close() {
    let mut contact = Driven::new(0.5, "incremental");
    contact.along(Driven::length(), 1);
    let mut ends = Vec::new();
    for _ in 0..4 {
        let low = contact.along(-0.2 * Driven::length(), 40);
        ends.push((low, contact.along(0.2 * Driven::length(), 40)));
    }
    let ((low, high), (low3, high3)) = (ends[1], ends[3]);
    assert!((low - low3).abs() + (high - high3).abs() < 1e-12, "{ends:?}");
}

#[test]
fn the_force_stays_within_the_limit_and_the_plane_on_a_random_path() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    for branch in ["incremental", "non-incremental"] {
        let mut contact = Driven::new(0.25, branch);
        for _ in 0..10_000 {
            let slip = DVec3::new(random(), random(), 0.0) * Driven::length();
            let (force, _) = contact.slip(slip);
            assert!(force.length() <= FRICTION_COEFFICIENT * FORCE * (1.0 + 1e-12) && force.z == 0.0);
        }
    }
}

/// The first slip may be any direction, and a slip that turns drags the force along.
#[test]
fn sliding_along_a_curve_turns_the_force_against_the_slip() {
    let mut contact = Driven::new(0.5, "incremental");
    let mut force = DVec3::ZERO;
    let mut slip = DVec3::X;
    for k in 0..1000 {
        let angle = 1.5 * f64::from(k) / 1000.0;
        slip = DVec3::new(angle.cos(), angle.sin(), 0.0);
        force = contact.slip(slip * 0.1 * Driven::length()).0;
    }
    let angle = (-force).angle_between(slip);
    // at the start of a step it lags by μN dθ/(8G*a ds) = (2/3) 0.0015/0.1, at its end by dθ less
    assert!(
        (angle - 0.0085).abs() < 1e-4 && (force.length() / (FRICTION_COEFFICIENT * FORCE) - 1.0).abs() < 1e-12,
        "{angle}"
    );
}

/// Slips of the size of round-off, back and forth, leave a loaded contact as it is.
#[test]
fn round_off_is_no_reversal() {
    let mut contact = Driven::new(0.25, "incremental");
    assert_eq!(contact.along(1e-10 * Driven::length(), 1), 0.0);
    contact.along(Driven::length(), 1);
    let before = contact.along(-0.3 * Driven::length(), 3);
    for k in 0..1000 {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        contact.along(sign * 1e-12 * Driven::length(), 1);
    }
    let after = contact.along(0.0, 1);
    assert!((after - before).abs() < 1e-8, "{before} {after}");
}

/// A sliding contact whose load has grown carries what it carried until it slips on.
#[test]
fn round_off_does_not_load_a_sliding_contact() {
    let mut contact = Driven::new(0.5, "incremental");
    contact.along(Driven::length(), 1);
    contact.load = 8.0 * FORCE;
    for sign in [1.0, -1.0, 1.0, 1.0] {
        assert_eq!(contact.along(sign * 1e-12 * Driven::length(), 100), 1.0);
    }
    assert!((contact.along(1e-6 * Driven::length(), 1) - 8.0).abs() < 1e-13);
}

/// A slip with a little across goes through the reversal as the straight one does, in the plane and however short the steps.
#[test]
fn a_reversal_with_a_little_slip_across_is_the_straight_one() {
    for branch in ["incremental", "non-incremental"] {
        for parts in [10u32, 100, 10_000] {
            let run = |across: f64| {
                let mut contact = Driven::new(0.5, branch);
                let mut forces = Vec::new();
                for share in [1.0, -0.4, 0.2, -1.0] {
                    for _ in 0..parts {
                        let slip = Driven::length() * share / f64::from(parts) * DVec3::new(1.0, across, 0.0);
                        forces.push(contact.slip(slip + Driven::length() * across / f64::from(parts) * DVec3::Y).0);
                    }
                }
                assert_eq!(contact.record[IN_PLANE] > 0.0, across > 0.0);
                forces
            };
            let straight = run(0.0);
            for across in [1e-6, 1e-3] {
                let apart = run(across).iter().zip(&straight).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
                assert!(apart < 20.0 * across * FRICTION_COEFFICIENT * FORCE, "{branch} {parts} {across}: {apart}");
            }
        }
    }
}

/// In steps that need no reversal to be found, the vector law along an oblique line is the scalar one.
#[test]
fn the_vector_law_on_a_line_is_the_scalar_law() {
    let law =
        PlaneLaw { power: 0.5, incremental: true, limit: 1.0, reversal: (1.0, 2.0), resolution: 1e-8, across: 1.5 };
    let scalar_law = self::law(0.5, "incremental");
    let direction = DVec3::new(0.6, 0.8, 0.0);
    let mut scalar = Path::default();
    let mut plane = PlanePath { force: direction, ..PlanePath::default() };
    (scalar.direction, scalar.force) = (1.0, 1.0);
    for slip in [0.3, -0.2, -0.3, 0.1, -0.05, 1.2, -0.9, -0.3, 0.4] {
        scalar_law.travel(&mut scalar, slip, 1.0, (1.0, 2.0));
        plane.travel(direction * slip, &law);
        assert!((plane.force - direction * scalar.force).length() < 1e-14, "{} {}", plane.force, scalar.force);
    }
}
