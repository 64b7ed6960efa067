//! Laws with micro-slip against closed forms and against a fine foundation of springs.

use std::collections::BTreeMap;

use dem_contact::composite::Composite;
use dem_contact::law::{ContactLaw, Mode};
use dem_contact::laws::mdr::Mdr;
use dem_contact::laws::mindlin_deresiewicz::MindlinDeresiewicz;
use dem_contact::registry::{self, PairParameters};
use dem_contact::{ParameterSet, ParameterValue};
use dem_core::DVec3;
use dem_core::material::PairMaterial;
use dem_testkit::micro_slip::{ConstantLoad, FineFoundation};
use dem_testkit::oblique_impact::ObliqueImpact;
use dem_testkit::single_contact::SingleContact;
use dem_testkit::worlds::{Scatter, parameters, words};

type Law = Composite<MindlinDeresiewicz>;
type Springs = Composite<Mdr>;

const FRICTION: f64 = 0.3;
const RADIUS: f64 = 2.5e-3;
const MASS: f64 = 1e-4;
const OVERLAP: f64 = 1e-5;

fn pair() -> PairMaterial {
    ObliqueImpact::of_kharaz().pair
}

fn undamped(more: &[(&str, f64)]) -> BTreeMap<String, ParameterValue> {
    parameters(&[&[("friction", FRICTION), ("damping_ratio", 0.0)], more].concat(), &[])
}

fn contact<L: ContactLaw>(more: &[(&str, f64)]) -> SingleContact<L> {
    SingleContact::new(&pair(), &undamped(more), RADIUS, MASS)
}

fn constant_load() -> ConstantLoad {
    ConstantLoad::new(&pair(), FRICTION, RADIUS, OVERLAP)
}

/// Slip that shifts the friction limit of a spring by one unit of overlap, `μE*/(4G*)`.
fn slip_per_overlap() -> f64 {
    FRICTION / pair().stiffness_ratio()
}

/// Forces at the ends of legs at constant load, nested three deep, and the slip that leads there by the closed forms.
fn nested_loops(load: &ConstantLoad) -> Vec<(f64, f64)> {
    let f = |share: f64| share * load.limit;
    let down = |from: f64, to: f64| -load.slip_back(f(from), f(to));
    let up = |from: f64, to: f64| load.slip_back(-f(from), -f(to));
    vec![
        (f(0.8), load.first_slip(f(0.8))),
        (f(-0.3), down(0.8, -0.3)),
        (f(0.5), up(-0.3, 0.5)),
        (f(-0.1), down(0.5, -0.1)),
        (f(0.3), up(-0.1, 0.3)),
        // closes the innermost loop and goes on from 0.5, then closes the next and goes on from 0.8
        (f(-0.2), down(0.5, -0.2) - down(0.5, -0.1) + down(0.3, -0.1)),
        (f(-0.6), down(0.8, -0.6) - down(0.8, -0.3) + down(0.5, -0.3) - down(0.5, -0.2)),
        // past −0.8 nothing is left but first loading the other way
        (f(-0.9), down(0.8, -0.8) - down(0.8, -0.6) - load.first_slip(f(0.9)) + load.first_slip(f(0.8))),
        (f(0.2), up(-0.9, 0.2)),
    ]
}

#[test]
fn nested_loops_at_constant_load_follow_the_closed_form() {
    let load = constant_load();
    for steps in [1, 3, 40] {
        let mut md = contact::<Law>(&[]);
        md.step(OVERLAP, 0.0);
        for (leg, (force, slip)) in nested_loops(&load).into_iter().enumerate() {
            let mut reached = 0.0;
            for _ in 0..steps {
                reached = md.step(OVERLAP, slip / f64::from(steps));
            }
            let error = (reached - force).abs() / load.limit;
            assert!(error < 1e-12, "leg {leg} in {steps}: {error:.1e} of the limit");
        }
        assert_eq!(md.field("branches"), [2.0], "closed loops leave no trace");
    }
}

/// The fine foundation is the reference elsewhere: here it meets the closed form, the error falling with the spacing.
#[test]
fn the_fine_foundation_meets_the_closed_form() {
    let load = constant_load();
    let error = |springs| {
        let mut fine = FineFoundation::new(&pair(), FRICTION, RADIUS, OVERLAP, springs);
        fine.step(OVERLAP, 0.0);
        let errors = nested_loops(&load).into_iter().map(|(force, slip)| (fine.step(OVERLAP, slip) - force).abs());
        errors.fold(0.0, f64::max) / load.limit
    };
    let (coarse, fine) = (error(200), error(2000));
    println!("foundation of 200 and 2,000 springs against the closed form: {coarse:.1e}, {fine:.1e} μN");
    // kinks of the profile between springs: second order in the spacing
    assert!(coarse < 3e-5 && fine < 3e-7, "{coarse:.1e} {fine:.1e}");
}

/// Overlap and slip of a random step of 5 % in overlap.
fn random_step(scatter: &mut Scatter, overlap: f64, simple: bool) -> (f64, f64) {
    let change = 0.05 * overlap * (2.0 * scatter.next_unit() - 1.0);
    let next = (overlap + change).clamp(0.3 * OVERLAP, 1.5 * OVERLAP);
    let growth = slip_per_overlap() * (next - overlap).max(0.0);
    let sign = if scatter.next_unit() < 0.6 { 1.0 } else { -1.0 };
    let free = 0.1 * slip_per_overlap() * OVERLAP * scatter.next_unit();
    (next, sign * if simple { growth + free } else { free })
}

/// A law with another word for what becomes of a contact that grows faster than it slips.
fn growing(growth: &str, more: &[(&str, f64)]) -> SingleContact<Law> {
    let given = undamped(more).into_iter().chain(words(&[("fast_growth", growth)])).collect();
    SingleContact::new(&pair(), &given, RADIUS, MASS)
}

fn largest_error(simple: bool, growth: &str, springs: usize) -> f64 {
    let mut worst = 0.0f64;
    for path in 0..20 {
        let mut scatter = Scatter(path);
        let mut md = growing(growth, &[("turning_points", 64.0)]);
        let mut fine = FineFoundation::new(&pair(), FRICTION, RADIUS, 1.5 * OVERLAP, springs);
        md.step(OVERLAP, 0.0);
        fine.step(OVERLAP, 0.0);
        let mut overlap = OVERLAP;
        for _ in 0..300 {
            let (next, slip) = random_step(&mut scatter, overlap, simple);
            overlap = next;
            let limit = ConstantLoad::new(&pair(), FRICTION, RADIUS, overlap).limit;
            worst = worst.max((md.step(overlap, slip) - fine.step(overlap, slip)).abs() / limit);
        }
        assert_eq!(md.field("dropped_loops"), [0.0]);
    }
    worst
}

#[test]
fn simple_histories_under_varying_load_are_exact_in_steps_of_five_per_cent() {
    let (coarse, fine) = (largest_error(true, "fitted", 500), largest_error(true, "fitted", 2000));
    println!("random simple paths: {coarse:.1e} μN from 500 springs, {fine:.1e} from 2,000");
    // what is left is the discretisation of the reference, of second order in its spacing
    assert!(fine < 5e-6, "{fine:.1e}");
    assert!(coarse > 6.0 * fine, "{coarse:.1e} {fine:.1e}");
}

#[test]
fn histories_that_are_not_simple_are_exact_unless_they_are_fitted() {
    let fitted = largest_error(false, "fitted", 2000);
    let (coarse, fine) = (largest_error(false, "exact", 500), largest_error(false, "exact", 2000));
    println!(
        "random paths with growth faster than slip: {coarse:.1e} μN from 500 springs, {fine:.1e} from 2,000; fitted {fitted:.3}"
    );
    assert!((0.02..0.1).contains(&fitted), "{fitted}");
    assert!(fine < 5e-6 && coarse > 6.0 * fine, "{coarse:.1e} {fine:.1e}");
}

/// A smooth path, on which load and slip are not proportional within a step: only the turning point, somewhere inside a step, makes an error.
#[test]
fn smooth_simple_paths_converge_at_second_order() {
    let unit = slip_per_overlap() * OVERLAP;
    // the slip turns at `turn`, while the load falls; where the load grows, the slip is faster
    let at = |t: f64, turn: f64| (OVERLAP * (1.0 + 0.3 * libm::sin(5.0 * t)), unit * 3.0 * (t - 0.5 * t * t / turn));
    let run = |steps: u32, turn: f64| {
        let mut md = contact::<Law>(&[]);
        md.step(OVERLAP, 0.0);
        let (mut before, mut samples) = (0.0, Vec::new());
        for k in 1..=steps {
            let (overlap, slip) = at(1.5 * f64::from(k) / f64::from(steps), turn);
            let force = md.step(overlap, slip - before);
            before = slip;
            if k % (steps / 20) == 0 {
                samples.push(force / constant_load().limit);
            }
        }
        assert_eq!(md.field("branches"), [-2.0]);
        samples
    };
    // averaged over places of the turn within the step
    let mut errors = [0.0; 4];
    for phase in 0..16 {
        let turn = 0.6 + 0.0375 * f64::from(phase) / 16.0;
        let exact = run(20 * 4096, turn);
        for (error, steps) in errors.iter_mut().zip([40, 80, 160, 320]) {
            let samples = run(steps, turn);
            *error += samples.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / 16.0;
        }
    }
    let order = (errors[0] / errors[3]).log2() / 3.0;
    println!("errors in 40 to 320 steps {errors:?} μN, order {order:.2}");
    assert!((1.8..2.3).contains(&order), "{errors:?}");
    assert!(errors[0] < 5e-3);
}

/// A load that trembles at rest holds its force. Simple histories forget what the rim remembers, and the force creeps.
#[test]
fn a_trembling_load_makes_the_force_creep_only_where_histories_are_fitted() {
    fn left<L: ContactLaw>(mut contact: SingleContact<L>) -> f64 {
        contact.step(OVERLAP, 0.0);
        let start = contact.step(OVERLAP, 0.4 * slip_per_overlap() * OVERLAP);
        for _ in 0..200 {
            contact.step(0.99 * OVERLAP, 0.0);
            contact.step(OVERLAP, 0.0);
        }
        contact.step(OVERLAP, 0.0) / start
    }
    let (exact, fitted, springs) =
        (left(growing("exact", &[])), left(growing("fitted", &[])), left(contact::<Springs>(&[])));
    println!("force left after 200 cycles of 1 % in overlap: exact {exact:.4}, fitted {fitted:.3}, mdr {springs:.4}");
    assert!((0.2..0.5).contains(&fitted), "{fitted}");
    assert!((0.99..=1.0).contains(&exact) && (exact - springs).abs() < 1e-3, "{exact} {springs}");
}

/// Where in a step an impact begins does not move the springs: few of them give one answer, whatever the step.
#[test]
fn few_springs_give_one_answer_whatever_the_step() {
    let impact = ObliqueImpact::of_kharaz();
    let set = parameters(&[("friction", impact.friction), ("damping_ratio", 0.0)], &[]);
    for angle in [2.0, 5.0, 10.0, 15.0] {
        let run = |steps: usize| impact.run::<Springs>(&set, f64::to_radians(angle), steps).tangential_restitution;
        let found: Vec<f64> = (0..12).map(|k| run(1000 + 137 * k)).collect();
        let (low, high) = found.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        println!("{angle} degrees: e_t from {low:.6} to {high:.6} in 1,000 to 2,507 steps");
        assert!(high - low < 2e-5, "{angle}: {found:?}");
    }
}

#[test]
fn cycles_at_constant_load_dissipate_the_area_of_the_loop() {
    for share in [0.2, 0.6, 0.95] {
        let load = constant_load();
        let amplitude = load.first_slip(share * load.limit);
        let mut md = contact::<Law>(&[]);
        md.step(OVERLAP, 0.0);
        let steps = 400;
        let mut leg = |slip: f64| {
            for _ in 0..steps {
                let before = md.work().friction;
                md.step(OVERLAP, slip / f64::from(steps));
                assert!(
                    md.work().friction - before >= -1e-9 * load.loop_area(load.limit),
                    "friction gives nothing back"
                );
            }
        };
        leg(amplitude);
        leg(-2.0 * amplitude);
        leg(2.0 * amplitude);
        let before = md.work();
        md.step(OVERLAP, 0.0);
        for sign in [-1.0, 1.0] {
            for _ in 0..steps {
                md.step(OVERLAP, sign * 2.0 * amplitude / f64::from(steps));
            }
        }
        let after = md.work();
        let area = after.friction - before.friction;
        let expected = load.loop_area(share * load.limit);
        println!("amplitude {share}: {:.1e} relative error of the loop", area / expected - 1.0);
        // the trapezoidal rule of the work
        assert!((area / expected - 1.0).abs() < 2e-4, "{area} {expected}");
        assert!((after.elastic_tangential - before.elastic_tangential).abs() < 1e-12 * before.elastic_tangential);
    }
}

#[test]
fn closed_cycles_never_give_energy_at_constant_load() {
    let mut scatter = Scatter(3);
    for _ in 0..50 {
        let mut md = contact::<Law>(&[]);
        let mut springs = contact::<Springs>(&[]);
        md.step(OVERLAP, 0.0);
        springs.step(OVERLAP, 0.0);
        let mut path: Vec<f64> = (0..20).map(|_| slip_per_overlap() * OVERLAP * (scatter.next_unit() - 0.5)).collect();
        path.push(-path.iter().sum::<f64>());
        for &slip in path.iter().chain(&path) {
            for _ in 0..20 {
                md.step(OVERLAP, slip / 20.0);
                springs.step(OVERLAP, slip / 20.0);
            }
        }
        assert!(md.work().friction > 0.0 && springs.work().friction > 0.0);
        assert!(md.work().elastic_tangential >= 0.0 && springs.work().elastic_tangential >= 0.0);
    }
}

fn slides_then_lets_go<L: ContactLaw>() {
    let load = constant_load();
    let mut contact = contact::<L>(&[]);
    contact.step(OVERLAP, 0.0);
    let response = contact.step_vector(OVERLAP, DVec3::new(0.0, -3.0 * load.sliding_slip(), 0.0), 1.0);
    assert_eq!(response.mode(), Mode::Slide);
    // the force of the discrete normal model is that of the law: μN to round-off
    assert!((response.tangential_force.y / load.limit - 1.0).abs() < 1e-12, "{:?}", response.tangential_force);
    let response = contact.step_vector(OVERLAP, DVec3::new(0.0, 0.1 * load.sliding_slip(), 0.0), 1.0);
    assert_eq!(response.mode(), Mode::Stick);
    let stored = contact.work().elastic_tangential;
    assert!(stored > 0.0);
    let response = contact.step_vector(-1e-7, DVec3::ZERO, 1.0);
    assert_eq!(response.mode(), Mode::Open);
    assert_eq!(DVec3::from(response.tangential_force), DVec3::ZERO);
    assert!(contact.work().elastic_tangential.abs() < 1e-15 * stored);
    // nothing of the history is left: a new contact answers like a fresh one
    let fresh = self::contact::<L>(&[]).step(OVERLAP, 1e-8);
    contact.overlap = 0.0;
    assert_eq!(contact.step(OVERLAP, 1e-8), fresh);
}

#[test]
fn a_sliding_contact_holds_the_limit_and_lost_load_clears_the_history() {
    slides_then_lets_go::<Law>();
    slides_then_lets_go::<Springs>();
}

/// The limit is that of the normal force with its dashpot, at every instant of an impact.
#[test]
fn the_force_never_exceeds_friction_times_the_damped_normal_force() {
    fn worst<L: ContactLaw>() -> (f64, f64) {
        let set = parameters(&[("friction", FRICTION), ("restitution", 0.4)], &[]);
        let mut contact = SingleContact::<L>::new(&pair(), &set, RADIUS, MASS);
        let steps = 400;
        let (mut excess, mut jump, mut before) = (0.0f64, 0.0f64, 0.0);
        for k in 0..=steps {
            let t = std::f64::consts::PI * f64::from(k) / f64::from(steps);
            let slip =
                slip_per_overlap() * OVERLAP * DVec3::new(0.01 * libm::cos(3.0 * t), 0.004 * libm::sin(7.0 * t), 0.0);
            let response = contact.step_vector(OVERLAP * libm::sin(t), slip, 1e-5 / f64::from(steps));
            let force = DVec3::from(response.tangential_force).length();
            excess = excess.max(force - FRICTION * response.normal_force);
            jump = jump.max((force - before).abs());
            before = force;
        }
        (excess / constant_load().limit, jump / constant_load().limit)
    }
    for (name, (excess, jump)) in [("mindlin-deresiewicz", worst::<Law>()), ("mdr", worst::<Springs>())] {
        println!("{name}: excess {excess:.1e}, largest change of the force in a step {jump:.3} μN");
        assert!(excess < 1e-13, "{name}: {excess}");
        assert!(jump < 0.05, "{name}: {jump}");
    }
}

/// Slip along a circle at constant load, partly sliding: the annuli of the law have one direction each, those of the foundation any.
#[test]
fn on_a_circle_the_annuli_stay_near_the_foundation() {
    let load = constant_load();
    let radius = 0.5 * load.sliding_slip();
    let run = |steps: u32, law: &mut dyn FnMut(DVec3) -> DVec3| {
        let at = |t: f64| radius * DVec3::new(libm::cos(t), libm::sin(t), 0.0);
        let mut forces = vec![law(at(0.0))];
        for k in 0..2 * steps {
            let t = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(steps);
            forces.push(law(at(t(k + 1)) - at(t(k))));
        }
        forces
    };
    let mut annuli = contact::<Law>(&[]);
    let mut springs = contact::<Springs>(&[("springs", 400.0)]);
    annuli.step(OVERLAP, 0.0);
    springs.step(OVERLAP, 0.0);
    let by_annuli = run(200, &mut |slip| annuli.step_vector(OVERLAP, slip, 1.0).tangential_force.into());
    let by_springs = run(200, &mut |slip| springs.step_vector(OVERLAP, slip, 1.0).tangential_force.into());
    let worst = by_annuli.iter().zip(&by_springs).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max) / load.limit;
    println!("two turns on a circle of half the sliding slip: {worst:.3} μN apart");
    assert!((0.04..0.1).contains(&worst), "{worst}");
}

#[test]
fn a_straight_path_in_any_direction_is_the_scalar_path() {
    let mut scatter = Scatter(9);
    let direction = DVec3::new(0.6, -0.8, 0.0);
    let mut scalar = contact::<Law>(&[]);
    let mut plane = contact::<Law>(&[]);
    let mut overlap = OVERLAP;
    scalar.step(OVERLAP, 0.0);
    plane.step(OVERLAP, 0.0);
    for _ in 0..300 {
        let (next, slip) = random_step(&mut scatter, overlap, false);
        overlap = next;
        let force = scalar.step(overlap, slip);
        let vector = DVec3::from(plane.step_vector(overlap, direction * slip, 1.0).tangential_force);
        assert!((vector + direction * force).length() < 1e-12 * constant_load().limit);
    }
}

#[test]
fn few_springs_are_enough_and_more_are_better() {
    let error = |springs: f64| {
        let mut worst = 0.0f64;
        for path in 0..10 {
            let mut scatter = Scatter(100 + path);
            let mut row = contact::<Springs>(&[("springs", springs)]);
            let mut fine = FineFoundation::new(&pair(), FRICTION, RADIUS, 1.5 * OVERLAP, 4000);
            row.step(OVERLAP, 0.0);
            fine.step(OVERLAP, 0.0);
            let mut overlap = OVERLAP;
            for _ in 0..200 {
                let (next, slip) = random_step(&mut scatter, overlap, false);
                overlap = next;
                worst = worst.max((row.step(overlap, slip) - fine.step(overlap, slip)).abs());
            }
        }
        worst / constant_load().limit
    };
    let errors: Vec<f64> = [15.0, 30.0, 60.0, 120.0, 480.0].into_iter().map(error).collect();
    println!("mdr of 15, 30, 60, 120, 480 springs on random paths: {errors:?} μN");
    assert!(errors.windows(2).all(|pair| pair[1] < 0.8 * pair[0]), "{errors:?}");
    assert!(errors[1] < 0.03 && errors[4] < 2e-3, "{errors:?}");
}

/// A contact that grows a thousandfold after its springs were laid out, and one that shrinks as much.
#[test]
fn springs_follow_a_contact_that_outgrows_them() {
    let mut row = contact::<Springs>(&[]);
    let mut fine = FineFoundation::new(&pair(), FRICTION, RADIUS, OVERLAP, 20_000);
    let mut overlap = 1e-3 * OVERLAP;
    row.step(overlap, 0.0);
    fine.step(overlap, 0.0);
    let limit = |overlap| ConstantLoad::new(&pair(), FRICTION, RADIUS, overlap).limit;
    let mut worst = 0.0f64;
    for (target, slip) in [(OVERLAP, 0.5), (0.9 * OVERLAP, -0.3), (1e-3 * OVERLAP, -0.1)] {
        let steps = 300;
        for k in 1..=steps {
            let next = overlap * libm::pow(target / overlap, 1.0 / f64::from(steps - k + 1));
            let step = slip_per_overlap() * slip * (next - overlap).abs();
            overlap = next;
            worst = worst.max((row.step(overlap, step) - fine.step(overlap, step)).abs() / limit(overlap));
        }
    }
    println!("growth and shrinkage by 1,000: up to {worst:.3} of the limit of the moment");
    assert!(worst < 0.05, "{worst}");
}

/// The impact of Kharaz et al. in the theory of Maw, Barber and Fawcett.
#[test]
fn thirty_springs_give_the_restitution_of_two_thousand() {
    let impact = ObliqueImpact::of_kharaz();
    let set = |more: &[(&str, f64)]| {
        parameters(&[&[("friction", impact.friction), ("damping_ratio", 0.0)], more].concat(), &[])
    };
    // tangential restitution of the centre: foundation (Maw, Barber, Fawcett), and simple histories only
    let expected =
        [(2.0, 0.774, 0.838), (5.0, 0.736, 0.786), (10.0, 0.636, 0.647), (20.0, 0.592, 0.592), (30.0, 0.681, 0.681)];
    for (angle, foundation, simple) in expected {
        let angle = f64::to_radians(angle);
        let run = |springs: f64| impact.run::<Springs>(&set(&[("springs", springs)]), angle, 1000);
        let (coarse, fine) = (run(30.0), run(2000.0));
        let md = impact.run::<Law>(&set(&[]), angle, 1000);
        let fitted = set(&[]).into_iter().chain(words(&[("fast_growth", "fitted")])).collect();
        let fitted = impact.run::<Law>(&fitted, angle, 1000).tangential_restitution;
        let (few, many, one) = (coarse.tangential_restitution, fine.tangential_restitution, md.tangential_restitution);
        println!(
            "{:.0} degrees: 30 springs {few:.5}, 2,000 springs {many:.5}, mindlin-deresiewicz {one:.5}",
            angle.to_degrees()
        );
        assert!((few - many).abs() < 1e-3 && (many - foundation).abs() < 1e-3, "{few} {many} {foundation}");
        assert!((one - many).abs() < 1.5e-3 && (fitted - simple).abs() < 1e-3, "{one} {fitted} {simple}");
        for rebound in [coarse, fine, md] {
            // second order in the step: 10⁻⁶ at 100 steps, so 10⁻⁸ here
            let open = rebound.lost - rebound.work.friction - rebound.work.elastic_tangential;
            assert!(open.abs() < 1e-8 * rebound.initial, "{open} of {}", rebound.initial);
            assert!(rebound.work.friction > 0.0 && rebound.largest_force_ratio <= 1.0 + 1e-12);
        }
    }
    // beyond the critical angle all of the impact slides: 1 − 2 μ cot α
    let sliding = impact.run::<Springs>(&set(&[]), 30f64.to_radians(), 1000).tangential_restitution;
    assert!((sliding - (1.0 - 2.0 * impact.friction / libm::tan(30f64.to_radians()))).abs() < 1e-5);
}

#[test]
fn capacities_must_be_whole_numbers_within_bounds() {
    let refused = |given: BTreeMap<String, ParameterValue>, springs: bool| {
        let message =
            |specs, new: &dyn Fn(&ParameterSet) -> Option<String>| match ParameterSet::resolve(specs, given.clone()) {
                Ok(set) => new(&set),
                Err(error) => Some(error.to_string()),
            };
        if springs {
            message(&Springs::parameters(), &|set| Springs::new(set, &pair()).err().map(|e| e.to_string()))
        } else {
            message(&Law::parameters(), &|set| Law::new(set, &pair()).err().map(|e| e.to_string()))
        }
    };
    assert!(refused(undamped(&[("turning_points", 3.0)]), false).is_some());
    assert!(refused(undamped(&[("turning_points", 65.0)]), false).is_some());
    assert!(refused(undamped(&[("turning_points", 6.5)]), false).unwrap().contains("whole number"));
    assert!(refused(undamped(&[("springs", 1e9)]), true).is_some());
    assert!(refused(undamped(&[("springs", 30.5)]), true).unwrap().contains("whole number"));
    assert!(refused(undamped(&[("turning_points", 12.0)]), false).is_none());
}

#[test]
fn pairs_of_one_law_keep_histories_of_one_size() {
    for (law, size) in [("mindlin-deresiewicz", "turning_points"), ("mdr", "springs")] {
        let build = |other: f64| {
            let given = |n: f64| Some((pair(), undamped(&[(size, n)])));
            let pairs = vec![given(12.0), given(12.0), given(12.0), given(other)];
            (registry::find(law).unwrap().build)(&PairParameters { materials: 2, pairs }).map(|_| ())
        };
        assert!(build(12.0).is_ok());
        let error = build(20.0).unwrap_err();
        assert_eq!(error.materials, (1, 1));
        assert!(error.to_string().contains("the size of their history"), "{error}");
    }
}
