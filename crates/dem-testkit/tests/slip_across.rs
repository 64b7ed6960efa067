//! Laws with a history of slip, off a straight line: continuous in the slip across, with a limit for short steps, near the foundation.

use std::f64::consts::TAU;

use dem_contact::composite::Composite;
use dem_contact::law::ContactLaw;
use dem_contact::laws::balevicius::Balevicius;
use dem_contact::laws::mdr::Mdr;
use dem_contact::laws::mindlin_deresiewicz::MindlinDeresiewicz;
use dem_core::DVec3;
use dem_core::material::PairMaterial;
use dem_testkit::micro_slip::ConstantLoad;
use dem_testkit::oblique_impact::ObliqueImpact;
use dem_testkit::single_contact::SingleContact;
use dem_testkit::worlds::{Scatter, parameters};

type Mindlin = Composite<MindlinDeresiewicz>;
type Springs = Composite<Mdr>;
type Finite = Composite<Balevicius>;

const FRICTION: f64 = 0.4;
const RADIUS: f64 = 5e-3;
const OVERLAP: f64 = 2e-5;

fn pair() -> PairMaterial {
    ObliqueImpact::of_kharaz().pair
}

/// Slip at which sliding begins, `μN` and the unit of work.
fn units() -> (f64, f64, f64) {
    let load = ConstantLoad::new(&pair(), FRICTION, RADIUS, OVERLAP);
    (load.sliding_slip(), load.limit, load.limit * load.sliding_slip())
}

/// A contact pressed to the overlap.
fn pressed<L: ContactLaw>(more: &[(&str, f64)]) -> SingleContact<L> {
    let set = parameters(&[&[("friction", FRICTION), ("damping_ratio", 0.0)], more].concat(), &[]);
    let mut contact = SingleContact::new(&pair(), &set, RADIUS, 1e-4);
    contact.step(OVERLAP, 0.0);
    contact
}

/// The force against the slip after every step along a path, in units of μN, at constant load; the path and `t` go from 0 to 1.
fn follow<L: ContactLaw>(contact: &mut SingleContact<L>, steps: u32, path: impl Fn(f64) -> DVec3) -> Vec<DVec3> {
    let ((slip, limit, _), mut before) = (units(), path(0.0));
    let mut step = |k: u32| {
        let now = path(f64::from(k) / f64::from(steps));
        let force = contact.step_vector(OVERLAP, slip * (now - before), 1.0).tangential_force;
        before = now;
        DVec3::from(force) / -limit
    };
    (1..=steps).map(&mut step).collect()
}

/// Two cycles of partial slip along x, with a share of it across that drifts as well.
fn cycles(amplitude: f64, across: f64) -> impl Fn(f64) -> DVec3 {
    move |t| {
        let s = libm::sin(2.0 * TAU * t);
        amplitude * DVec3::new(s, across * (s + 2.0 * t), 0.0)
    }
}

/// Work of friction over the cycles, in units of μN times the slip at which sliding begins.
fn work<L: ContactLaw>(steps: u32, amplitude: f64, across: f64) -> f64 {
    let mut contact = pressed::<L>(&[]);
    follow(&mut contact, steps, cycles(amplitude, across));
    contact.work().friction / units().2
}

/// The bounds are of the square of the share across: what its own work amounts to.
fn a_little_across_changes_little<L: ContactLaw>(name: &str) {
    for amplitude in [0.2, 0.53, 1.2] {
        for steps in [200, 1600, 12_800] {
            let straight = work::<L>(steps, amplitude, 0.0);
            for (across, bound) in [(1e-4, 1e-7), (1e-3, 1e-5), (1e-2, 1e-3)] {
                let change = work::<L>(steps, amplitude, across) / straight - 1.0;
                assert!(change.abs() < bound, "{name} {amplitude} {steps} {across}: {change:.1e} of {straight}");
            }
        }
    }
}

#[test]
fn a_little_slip_across_changes_little_however_short_the_steps() {
    a_little_across_changes_little::<Mindlin>("mindlin-deresiewicz");
    a_little_across_changes_little::<Finite>("balevicius");
}

/// The force itself: the direction of the first slip, its opposite and everything between are alike.
#[test]
fn the_force_follows_the_slip_across_without_a_jump() {
    fn largest<L: ContactLaw>(steps: u32, across: f64) -> f64 {
        let run = |across| follow(&mut pressed::<L>(&[]), steps, cycles(0.53, across));
        let pairs = run(across).into_iter().zip(run(0.0));
        pairs.map(|(a, b)| (a - b).length()).fold(0.0, f64::max)
    }
    for steps in [200, 3200, 25_600] {
        for across in [1e-6, 1e-4, 1e-2] {
            let (mindlin, finite) = (largest::<Mindlin>(steps, across), largest::<Finite>(steps, across));
            assert!(mindlin < 2.0 * across, "mindlin-deresiewicz {steps} {across}: {mindlin:.1e}");
            // at a turning point the power takes up a slip across of the second order
            assert!(finite < 10.0 * across, "balevicius {steps} {across}: {finite:.1e}");
        }
    }
}

/// A straight path in the direction of an axis leaves the law for straight lines alone.
#[test]
fn a_path_without_slip_across_stays_on_its_line() {
    for along in [DVec3::X, DVec3::Y, -DVec3::Y] {
        let path = |t: f64| along * 0.6 * libm::sin(5.0 * TAU * t);
        let (mut mindlin, mut finite) = (pressed::<Mindlin>(&[]), pressed::<Finite>(&[]));
        let forces = follow(&mut mindlin, 500, path);
        follow(&mut finite, 500, path);
        assert_eq!((mindlin.field("in_plane"), finite.field("in_plane")), (&[0.0][..], &[0.0][..]));
        assert!(forces.iter().all(|force| force.cross(along) == DVec3::ZERO));
        follow(&mut mindlin, 10, |t| 0.1 * t * DVec3::Z.cross(along));
        follow(&mut finite, 10, |t| 0.1 * t * DVec3::Z.cross(along));
        assert_eq!(finite.field("in_plane"), [1.0]);
    }
}

/// A smooth random path in the plane, from a fifth of the slip at which sliding begins to three times it.
fn random_path(seed: u64) -> impl Fn(f64) -> DVec3 {
    let mut scatter = Scatter(seed);
    let mut next = move || 2.0 * scatter.next_unit() - 1.0;
    let size = libm::pow(10.0, -0.1 + 0.6 * next());
    let waves: Vec<[f64; 5]> = (0..4).map(|_| std::array::from_fn(|_| next())).collect();
    move |t: f64| {
        let wave = |(k, w): (usize, &[f64; 5])| {
            let rate = 2.0 * TAU * (0.6 + 0.7 * k as f64 + 0.3 * w[4]);
            let part = |phase: f64| libm::sin(rate * t + 3.0 * phase) - libm::sin(3.0 * phase);
            0.7 * size * DVec3::new(w[0] * part(w[2]), w[1] * part(w[3]), 0.0)
        };
        waves.iter().enumerate().map(wave).sum()
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// Mean and largest distance of two courses of the force.
fn distance(a: &[DVec3], b: &[DVec3]) -> (f64, f64) {
    let apart: Vec<f64> = a.iter().zip(b).map(|(a, b)| (*a - *b).length()).collect();
    (apart.iter().sum::<f64>() / apart.len() as f64, apart.iter().copied().fold(0.0, f64::max))
}

#[test]
fn random_plane_paths_keep_a_bounded_distance_from_the_foundation() {
    let (mut means, mut largest) = (Vec::new(), Vec::new());
    for seed in 0..1000 {
        let springs = follow(&mut pressed::<Springs>(&[("springs", 300.0)]), 400, random_path(seed));
        let mindlin = follow(&mut pressed::<Mindlin>(&[]), 400, random_path(seed));
        let (mean, worst) = distance(&mindlin, &springs);
        means.push(mean);
        largest.push(worst);
    }
    let (means, largest) = (sorted(means), sorted(largest));
    let [of_means, of_largest] = [&means, &largest].map(|v| (v[500], v[900], v[999]));
    println!("1,000 plane paths, distance from 300 springs in μN, median, nine tenths and largest of the paths:");
    println!("mean over the path {of_means:.3?}, largest on the path {of_largest:.3?}");
    assert!(of_means.0 < 0.06 && of_means.2 < 0.2, "{of_means:?}");
    assert!(of_largest.0 < 0.2 && of_largest.2 < 0.45, "{of_largest:?}");
    // an approximation off straight lines, and stated as such
    assert!(of_means.0 > 0.02, "{of_means:?}");
}

/// Halving the step four times: the change of the force at twenty places of the path.
fn halvings<L: ContactLaw>(seed: u64, coarsest: u32) -> [f64; 4] {
    let places = |halvings: u32| -> Vec<DVec3> {
        let every = (coarsest << halvings) as usize / 20;
        let forces = follow(&mut pressed::<L>(&[]), coarsest << halvings, random_path(seed));
        forces.into_iter().skip(every - 1).step_by(every).collect()
    };
    let runs: Vec<Vec<DVec3>> = (0..5).map(places).collect();
    std::array::from_fn(|k| distance(&runs[k], &runs[k + 1]).0)
}

/// Their mean over random paths.
fn changes<L: ContactLaw>(coarsest: u32) -> [f64; 4] {
    let all: Vec<[f64; 4]> = (0..200).map(|seed| halvings::<L>(seed, coarsest)).collect();
    std::array::from_fn(|k| all.iter().map(|changes| changes[k]).sum::<f64>() / all.len() as f64)
}

#[test]
fn halving_the_step_converges_off_straight_lines() {
    let mindlin = changes::<Mindlin>(200);
    let order = (mindlin[0] / mindlin[3]).log2() / 3.0;
    println!("mindlin-deresiewicz: mean change of the force at each halving {mindlin:?} μN, order {order:.2}");
    assert!(order > 0.8 && mindlin[3] < 1e-3, "{order} {mindlin:?}");
    // of order p = 1/2 at a reversal, whose place within a step is not resolved
    let finite = changes::<Finite>(400);
    let order = (finite[0] / finite[3]).log2() / 3.0;
    println!("balevicius: {finite:?} μN, order {order:.2}");
    assert!(order > 0.4 && finite[3] < 1e-2, "{order} {finite:?}");
}
