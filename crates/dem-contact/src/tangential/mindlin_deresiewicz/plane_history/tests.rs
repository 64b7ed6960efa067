//! Unit of the edge and of slip: the overlap; unit of force: `μ N(1)`.

use super::super::loading_history::{LoadingHistory, Travel};
use super::*;

const PLACES: usize = 61;

#[derive(Clone)]
struct Contact {
    history: PlaneHistory<PLACES>,
    edge: f64,
}

impl Contact {
    /// A contact of overlap 1, pressed without slip.
    fn with_room(room: usize) -> Self {
        let mut contact = Self { history: PlaneHistory::of_line(0.0, 0.0, room, |_| 0.0), edge: 0.0 };
        contact.go(1.0, DVec2::ZERO);
        contact
    }

    fn pressed() -> Self {
        Self::with_room(PLACES)
    }

    fn go(&mut self, edge: f64, slip: DVec2) -> DVec2 {
        self.history.advance(self.edge, edge, slip);
        self.edge = edge;
        let (force, energy) = self.history.load(edge);
        assert!(force.length() <= raised(edge) * (1.0 + 1e-12) && energy >= 0.0);
        force
    }

    fn force(&self) -> DVec2 {
        self.history.load(self.edge).0
    }

    fn energy(&self) -> f64 {
        0.75 * self.history.load(self.edge).1
    }
}

/// Numbers from −1 to 1.
fn scatter(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A smooth path in the plane that begins at zero and is of the size of the slip at which sliding begins.
fn curve(seed: u64) -> impl Fn(f64) -> DVec2 {
    let mut random = scatter(seed);
    let size = 0.3 + 1.2 * random().abs();
    let waves: Vec<[f64; 5]> = (0..4).map(|_| std::array::from_fn(|_| random())).collect();
    move |t: f64| {
        let wave = |(k, w): (usize, &[f64; 5])| {
            let rate = std::f64::consts::TAU * (0.6 + 0.7 * k as f64 + 0.3 * w[4]);
            let part = |phase: f64| libm::sin(rate * t + 3.0 * phase) - libm::sin(3.0 * phase);
            size * DVec2::new(w[0] * part(w[2]), w[1] * part(w[3]))
        };
        waves.iter().enumerate().map(wave).sum()
    }
}

#[test]
fn on_a_straight_line_it_is_the_scalar_history() {
    for seed in 0..40 {
        let (mut random, varies) = (scatter(seed), seed % 2 == 0);
        let direction = DVec2::from_angle(3.0 * random());
        let mut plane = Contact::pressed();
        let mut line: LoadingHistory<f64, PLACES> = LoadingHistory::new(0.0, 0.0, [0.0; PLACES], PLACES);
        line.advance(true, 0.0, 1.0, 0.0, Travel::Exact);
        let mut edge = 1.0;
        for step in 0..300 {
            let slip = 0.3 * random();
            // growth that is slower than the slip: a simple history
            let most = if varies { f64::min(1.5, edge + 0.99 * f64::abs(slip)) } else { edge };
            let next = if varies { (edge + 0.1 * random()).clamp(0.3, most) } else { edge };
            line.advance(true, edge, next, slip, Travel::Exact);
            let force = plane.go(next, direction * slip);
            let (expected, energy) = (line.force(next), 0.75 * line.load(next).energy);
            edge = next;
            assert!((force - direction * expected).length() < 1e-11, "{seed} {step}: {force} {expected}");
            assert!((plane.energy() - energy).abs() < 1e-11, "{seed} {step}: {} {energy}", plane.energy());
        }
    }
}

/// A history taken over from a line continues as if it had been in the plane from the start.
#[test]
fn a_line_is_taken_over_as_it_is() {
    let (mut random, mut plane) = (scatter(5), Contact::pressed());
    let mut line: LoadingHistory<f64, PLACES> = LoadingHistory::new(0.0, 0.0, [0.0; PLACES], PLACES);
    line.advance(true, 0.0, 1.0, 0.0, Travel::Exact);
    for slip in [0.7, -0.5, 0.3, -0.1] {
        line.advance(true, 1.0, 1.0, slip, Travel::Exact);
        plane.go(1.0, DVec2::new(slip, 0.0));
    }
    let (branches, dropped, circles) = line.record();
    let mut taken = Contact { history: PlaneHistory::of_line(branches, dropped, PLACES, |i| circles[i]), edge: 1.0 };
    assert_eq!(branches, -4.0);
    for _ in 0..50 {
        let slip = 0.2 * DVec2::new(random(), random());
        let (a, b) = (plane.go(1.0, slip), taken.go(1.0, slip));
        assert!((a - b).length() < 1e-12, "{a} {b}");
    }
}

/// The force moves by the stiffness of full stick, springs take all of the work, and it does not matter in how many steps.
#[test]
fn growth_faster_than_slip_sticks() {
    for seed in 0..20 {
        let (mut random, at) = (scatter(seed), curve(seed));
        let mut contact = Contact::pressed();
        for k in 0..40 {
            contact.go(1.0, at(f64::from(k + 1) / 40.0) - at(f64::from(k) / 40.0));
        }
        let (mut in_parts, force, energy) = (contact.clone(), contact.force(), contact.energy());
        let (edge, slip) = (1.0 + 0.5 * random().abs(), 0.2 * DVec2::new(random(), random()));
        let slip = slip.clamp_length_max(0.9 * (edge - 1.0));
        let stiffness = (raised(edge) - 1.0) / (edge - 1.0);
        let expected = force + slip * stiffness;
        assert!((contact.go(edge, slip) - expected).length() < 1e-13, "{seed}");
        let parts = 400;
        let (mut work, mut before) = (0.0, force);
        for k in 1..=parts {
            let next = in_parts.go(1.0 + (edge - 1.0) * f64::from(k) / f64::from(parts), slip / f64::from(parts));
            work += 0.5 * (before + next).dot(slip / f64::from(parts));
            before = next;
        }
        assert!((before - expected).length() < 1e-12, "{seed}");
        let stored = contact.energy() - energy;
        assert!((in_parts.energy() - energy - stored).abs() < 1e-12, "{seed}: {} {stored}", in_parts.energy() - energy);
        assert!((stored - work).abs() < 1e-6, "{seed}: {stored} {work}");
        assert!(!contact.history.slides());
    }
}

/// A size of the contact that varies and trembles, together with a slip that does: shorter steps give the same result.
#[test]
fn varying_load_converges_with_the_step() {
    let paths = 30;
    let run = |seed: u64, steps: u32| {
        let (slip, size, trembling) = (curve(seed), curve(seed + 1000), curve(seed + 2000));
        let at = |t: f64| slip(t) + 2e-3 * trembling(25.0 * t);
        let edge = |t: f64| f64::max(0.3, 1.0 + 0.1 * size(t).x + 2e-3 * trembling(25.0 * t).perp().x);
        let mut contact = Contact::with_room(9);
        let t = |k: u32| 2.0 * f64::from(k) / f64::from(steps);
        let forces = (0..steps).map(|k| contact.go(edge(t(k + 1)), at(t(k + 1)) - at(t(k))));
        let marked = forces.enumerate().filter(|(k, _)| (k + 1) % (steps as usize / 40) == 0);
        marked.map(|(_, force)| force).collect::<Vec<_>>()
    };
    let runs: Vec<Vec<_>> = (0..6).map(|halving| (0..paths).map(|seed| run(seed, 1000 << halving)).collect()).collect();
    let apart: Vec<(f64, f64)> = runs
        .windows(2)
        .map(|pair| {
            let of_path = |seed: usize| {
                let squares = pair[0][seed].iter().zip(&pair[1][seed]).map(|(a, b)| (*a - *b).length_squared());
                (squares.sum::<f64>() / 40.0).sqrt()
            };
            let all: Vec<f64> = (0..paths as usize).map(of_path).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            (mean, all.iter().copied().fold(0.0, f64::max))
        })
        .collect();
    println!("differences from step to half step, mean and worst of {paths} paths: {apart:?}");
    let (first, last) = (apart[0], apart[apart.len() - 1]);
    // four halvings; a path that is decided by the step would stay where it is
    assert!(last.0 < first.0 / 12.0 && last.1 < first.1 / 6.0, "{apart:?}");
}

/// While a contact grows faster than it slips every step adds a branch; in little room they represent the same path,
/// however many they are.
#[test]
fn little_room_is_enough_for_growth_in_any_number_of_steps() {
    let apart = |steps: u32| {
        let (mut all, mut few) = (Contact::with_room(PLACES), Contact::with_room(9));
        (all.edge, few.edge) = (0.0, 0.0);
        let edge = |k: u32| libm::sin(std::f64::consts::PI * f64::from(k) / f64::from(steps));
        let at = |k: u32| {
            let t = f64::from(k) / f64::from(steps);
            let along = t + 0.25 * libm::sin(5.0 * t) - 0.9 * t * t;
            DVec2::new(along, 0.1 * along * t)
        };
        let differences = (1..steps).map(|k| {
            let slip = at(k) - at(k - 1);
            (all.go(edge(k), slip) - few.go(edge(k), slip)).length()
        });
        differences.fold(0.0, f64::max)
    };
    let found = [250, 1000, 4000].map(apart);
    println!("nine branches from 61: {found:?} μN(1) apart in 250, 1,000 and 4,000 steps");
    // a smooth path in nine pieces, which is no worse in more steps
    assert!(found.iter().all(|&apart| apart < 1.2e-3), "{found:?}");
}

#[test]
fn no_direction_is_special() {
    for seed in 0..10 {
        let (turn, mut random) = (DVec2::from_angle(1.1), scatter(seed));
        let at = curve(seed);
        let (mut here, mut turned, mut mirrored) = (Contact::pressed(), Contact::pressed(), Contact::pressed());
        for k in 0..400 {
            let slip = at(f64::from(k + 1) / 200.0) - at(f64::from(k) / 200.0);
            let edge = 1.0 + 0.02 * random();
            let force = here.go(edge, slip);
            assert!((turned.go(edge, turn.rotate(slip)) - turn.rotate(force)).length() < 1e-9, "{seed} {k}");
            let flip = DVec2::new(1.0, -1.0);
            assert_eq!(mirrored.go(edge, slip * flip), force * flip, "{seed} {k}");
        }
    }
}

/// Friction takes work in every step of constant load.
#[test]
fn friction_gives_nothing_back_at_constant_load() {
    let back = |steps: u32| {
        let (mut worst, mut total) = (0.0f64, 0.0);
        for seed in 0..30 {
            let (at, mut contact) = (curve(seed), Contact::pressed());
            let (mut force, mut energy) = (DVec2::ZERO, 0.0);
            for k in 0..steps {
                let t = |k: u32| 2.0 * f64::from(k) / f64::from(steps);
                let slip = at(t(k + 1)) - at(t(k));
                let (next, held) = (contact.go(1.0, slip), contact.energy());
                let friction = 0.5 * (force + next).dot(slip) - (held - energy);
                (worst, total) = (worst.min(friction), total + friction);
                (force, energy) = (next, held);
            }
        }
        -worst / total
    };
    let (coarse, fine) = (back(500), back(2000));
    println!("friction falls by at most {coarse:.1e} of itself in a step of 1/500, {fine:.1e} in one of 1/2000");
    assert!(coarse.max(fine) < 1e-10, "{coarse} {fine}");
}

/// A little slip across moves the force a little, however short the steps, also where the force passes zero and where the slip turns back.
#[test]
fn the_force_is_continuous_in_the_slip_across() {
    for steps in [100, 1000, 10_000] {
        let run = |across: f64| {
            let at = |t: f64| {
                let s = libm::sin(std::f64::consts::TAU * t);
                DVec2::new(0.5 * s, 0.5 * across * (s + t))
            };
            let mut contact = Contact::pressed();
            let t = |k: u32| 2.0 * f64::from(k) / f64::from(steps);
            (0..steps).map(|k| contact.go(1.0, at(t(k + 1)) - at(t(k)))).collect::<Vec<_>>()
        };
        let straight = run(0.0);
        for across in [1e-6, 1e-4, 1e-2] {
            let apart = run(across).iter().zip(&straight).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            assert!(apart < 2.0 * across, "{steps} {across}: {apart}");
        }
    }
}

/// The lag of a force that slides along a wide circle.
#[test]
fn a_sliding_force_turns_over_its_way() {
    let (radius, steps) = (40.0, 20_000);
    let mut contact = Contact::pressed();
    let mut force = DVec2::ZERO;
    let at = |k: i32| radius * DVec2::from_angle(f64::from(k) / f64::from(steps));
    for k in 0..steps {
        force = contact.go(1.0, at(k + 1) - at(k));
    }
    let lag = force.angle_to(at(steps).perp());
    assert!((libm::sin(lag) * radius - TURNING).abs() < 2e-3 && (force.length() - 1.0).abs() < 1e-12, "{lag}");
}

/// With little room branches are merged, which is counted and makes a small difference.
#[test]
fn little_room_makes_a_small_difference() {
    let (mut worst, mut dropped) = (0.0f64, 0.0);
    for seed in 0..30 {
        let at = curve(seed);
        let (mut all, mut few) = (Contact::pressed(), Contact::with_room(9));
        for k in 0..1000 {
            let slip = at(f64::from(k + 1) / 500.0) - at(f64::from(k) / 500.0);
            worst = worst.max((all.go(1.0, slip) - few.go(1.0, slip)).length());
        }
        dropped += few.history.dropped();
        assert_eq!(all.history.dropped(), 0.0);
    }
    println!("{dropped} branches merged, up to {worst:.1e} μN apart");
    assert!(dropped > 10.0 && worst < 0.02, "{dropped} {worst}");
}
