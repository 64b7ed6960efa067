//! Whole steps against many small ones.

use dem_core::DVec3;

use super::{Contact, STIFFNESS, Scatter, conventional, random_steps, refined};
use crate::tangential::TangentialModel;

#[test]
fn one_step_is_as_good_as_many() {
    let refined = refined();
    let (mut slid, mut worst) = (0, [0.0f64; 2]);
    for (start, overlap, motion) in random_steps(1, 2000) {
        let one = start.steps(&refined, overlap, motion, 1);
        let many = start.steps(&refined, overlap, motion, 7);
        slid += usize::from(one.friction > 0.0);
        let scale = start.overlap.max(overlap);
        worst[0] = worst[0].max((one.force - many.force).length() / scale);
        let work = (one.work() - many.work()).abs().max((one.friction - many.friction).abs());
        worst[1] = worst[1].max(work / (scale * (scale + motion.length())));
    }
    println!("largest difference of force and work: {worst:?}");
    // round-off, and what the quadrature of the work leaves
    assert!(worst[0] < 1e-13 && worst[1] < 1e-11, "{worst:?}");
    assert!(slid > 500, "{slid}");
}

/// The brute force: 10³, 10⁴ and 10⁵ conventional sub-steps close in on the single refined step in proportion to their length.
#[test]
fn conventional_substeps_converge_to_the_refined_step() {
    let (refined, conventional) = (refined(), conventional());
    for (start, overlap, motion) in random_steps(2, 48) {
        let one = start.steps(&refined, overlap, motion, 1);
        let errors = [1_000, 10_000, 100_000].map(|parts| {
            let many = start.steps(&conventional, overlap, motion, parts);
            let scale = start.overlap.max(overlap);
            let work = (many.work() - one.work()).abs().max((many.friction - one.friction).abs());
            ((many.force - one.force).length() / scale).max(work / (scale * (scale + motion.length())))
        });
        // first order: the constant is the travel in proportion to the limit, at most a few hundred here
        assert!(errors[2] < 2e-3 * (motion.length() / overlap.min(start.overlap)).max(0.01), "{errors:?}");
        assert!(errors[1] < 1e-11 || errors[2] < 0.2 * errors[1], "{start:?} {overlap} {motion}: {errors:?}");
        assert!(errors[0] < 1e-11 || errors[1] < 0.3 * errors[0], "{start:?} {overlap} {motion}: {errors:?}");
    }
}

/// Along a curved path at varying N, halving the step divides the error of the refined law by four, of the conventional by two.
#[test]
fn the_refined_law_is_second_order_along_a_curved_path() {
    fn along<T: TangentialModel>(model: &T, parts: u32) -> Contact {
        let mut contact = Contact::new(DVec3::ZERO, 1.0);
        let place = |share: f64| {
            let angle = 5.0 * share;
            DVec3::new(3.0 * angle.cos(), 2.0 * angle.sin(), 0.0)
        };
        for part in 0..parts {
            let (from, to) = (f64::from(part) / f64::from(parts), f64::from(part + 1) / f64::from(parts));
            contact.step(model, 1.0 + 0.4 * (7.0 * to).sin(), place(to) - place(from));
        }
        contact
    }
    let exact = along(&refined(), 40_000);
    let error = |c: Contact| (c.force - exact.force).length().max((c.work() - exact.work()).abs() / exact.work());
    let counts = [100, 200, 400, 800];
    let of_refined = counts.map(|parts| error(along(&refined(), parts)));
    let of_conventional = counts.map(|parts| error(along(&conventional(), parts)));
    println!("steps {counts:?}\nrefined {of_refined:?}\nconventional {of_conventional:?}");
    let order = |errors: [f64; 4]| (errors[0] / errors[3]).log2() / 3.0;
    assert!((order(of_refined) - 2.0).abs() < 0.2, "{}", order(of_refined));
    assert!((order(of_conventional) - 1.0).abs() < 0.2, "{}", order(of_conventional));
    assert!(of_refined[0] < 0.1 * of_conventional[0]);
}

#[test]
fn work_is_stored_or_dissipated_and_friction_never_gives() {
    let mut scatter = Scatter(3);
    let refined = refined();
    let mut least = 0.0f64;
    for _ in 0..10_000 {
        let mut contact = Contact::new(DVec3::ZERO, -0.1);
        let size = libm::pow(10.0, 1.5 - 5.0 * scatter.unit());
        for _ in 0..12 {
            let overlap = if scatter.unit() < 0.1 { -0.1 } else { scatter.unit() };
            let response = contact.step(&refined, overlap, scatter.plane(size));
            if overlap <= 0.0 {
                contact.force = DVec3::ZERO;
            }
            least = least.min(response.friction);
            // the spring holds what was stored: sums of a dozen numbers of order one
            assert!((contact.stored - contact.force.length_squared() / (2.0 * STIFFNESS)).abs() < 1e-14);
        }
    }
    println!("least work of friction in a step: {least:.1e}");
    // round-off of work terms of order one
    assert!(least > -1e-15, "{least:e}");
}
