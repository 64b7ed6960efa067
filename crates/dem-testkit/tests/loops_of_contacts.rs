//! Energy of contacts that adhere and yield over ways that load, unload, pull and slip.

use dem_core::DVec3;
use dem_testkit::conformance::driven_pair::Loads;
use dem_testkit::conformance::path::Pose;

use crate::cohesive_subjects::{Subject, at, corners, leg, subjects};

/// What the contact does to the spheres, the terms of its ledger at the end, and the sizes of the works \[J\].
#[derive(Clone, Copy, Debug, Default)]
struct Works {
    normal: f64,
    tangential: f64,
    size: [f64; 2],
    /// What the contact holds and has dissipated.
    ledger: f64,
    dissipated: f64,
}

/// Goes along corners of overlap and slip, in steps a leg.
fn along(subject: &Subject, corners: &[(f64, f64)], steps: u32) -> Works {
    let mut pose = at(corners[0].0);
    let mut pair = subject.pair(&pose);
    let mut loads = pair.step(&pose);
    let mut works = Works::default();
    for ends in corners.windows(2) {
        for next in leg(ends[0].0, ends[1].0, ends[1].1 - ends[0].1, steps) {
            let after = pair.step(&next);
            let mean = |of: fn(&Loads) -> DVec3| 0.5 * (of(&loads) + of(&after));
            let normal = mean(|l| l.force[1]).dot(next.position[1] - pose.position[1]);
            let tangential = mean(|l| l.torque[0]).dot(next.rotation[0]);
            works.normal += normal;
            works.tangential += tangential;
            works.size[0] += normal.abs();
            works.size[1] += tangential.abs();
            (pose, loads) = (next, after);
        }
    }
    let ledger = pair.world.energy();
    works.ledger = ledger.balance() - ledger.kinetic();
    works.dissipated = ledger.dissipated_at_contacts();
    works
}

/// Elastic, joined and dissipated energy are what was put in: to a thousandth of what is dissipated where laws do dissipate, and to first order of the
/// step where a force jumps.
#[test]
fn energy_of_loading_pulling_and_loading_again_closes() {
    for subject in subjects() {
        let way: Vec<(f64, f64)> = corners(&subject).into_iter().map(|overlap| (overlap, 0.0)).collect();
        // the error of one way depends on where in a step the jump falls
        let off = |steps: u32| {
            let squares = (0..8).map(|k| {
                let works = along(&subject, &way, steps + k * steps / 16);
                let scale = if subject.jump > 0.0 { works.size[0] } else { works.dissipated };
                // apart from rounding, laws that do not dissipate have nothing to divide by
                let scale = if scale > 1e-3 * works.size[0] { scale } else { works.size[0] };
                ((works.ledger + works.normal) / scale).powi(2)
            });
            (squares.sum::<f64>() / 8.0).sqrt()
        };
        let [coarse, fine] = [200, 400].map(off);
        println!("{}: balance off by {coarse:.1e}, with twice the steps {fine:.1e}", subject.name);
        // the published memory leaves a jump of first order in the step wherever it lags
        let jumps = subject.jump > 0.0 || subject.name == "luding, literal";
        // listed under `dem study adhesion` in the guide
        let allowed = match subject.name {
            "dmt" => 3e-3,
            "luding, literal" => 2e-3,
            _ if jumps => 5e-3,
            _ => 1e-3,
        };
        assert!(coarse < allowed, "{}: {coarse:e}", subject.name);
        assert!(fine < 0.65 * coarse || fine < 1e-5, "{}: {coarse:e} {fine:e}", subject.name);
    }
}

/// The columns: what is lost where soft surfaces snap together and apart, and no plastic work without a dent.
#[test]
fn ways_that_end_apart_leave_dissipated_energy_alone() {
    for subject in subjects() {
        let way: Vec<(f64, f64)> = corners(&subject).into_iter().map(|overlap| (overlap, 0.0)).collect();
        let mut pair = subject.pair(&at(way[0].0));
        for ends in way.windows(2) {
            pair.follow(&leg(ends[0].0, ends[1].0, 0.0, 400).collect::<Vec<Pose>>());
        }
        let ledger = pair.world.energy();
        assert_eq!([ledger.elastic_normal, ledger.adhesion, ledger.near_field], [0.0; 3], "{}", subject.name);
        let is_elastic = ["dmt", "sjkr", "constant pull"].contains(&subject.name);
        assert_eq!(ledger.further() > 0.0, !is_elastic, "{}: {ledger:?}", subject.name);
    }
}

/// No closed way from apart to apart, on which bodies slip while they pull and slip back while they press or the reverse, gives energy: neither the
/// normal force by itself nor the tangential one.
#[test]
fn no_contact_gives_energy_over_a_closed_way() {
    for subject in subjects() {
        let pulled = if subject.pulls { subject.pulled } else { 0.5 };
        let mut worst = [f64::NEG_INFINITY; 2];
        for slip in [0.05, 0.3, 2.0] {
            for (first, second) in [(pulled, 0.8), (0.8, pulled), (pulled, pulled), (1.2, 0.6)] {
                for back in [0.0, -slip] {
                    let way = [
                        (-0.2, 0.0),
                        (1.5, 0.0),
                        (first, 0.0),
                        (first, slip),
                        (second, slip),
                        (second, back),
                        (first, back),
                        (first, 0.0),
                        (1.0, 0.0),
                        (-3.1, 0.0),
                    ];
                    let works = along(&subject, &way, 300);
                    // the trapezoid of a force that jumps while the bodies approach by a step
                    let jump = subject.jump * 1e-2 * dem_testkit::conformance::path::OVERLAP;
                    let gains = [
                        (works.normal - jump) / works.size[0],
                        works.tangential / works.size[1].max(1e-6 * works.size[0]),
                    ];
                    worst = [0, 1].map(|k| f64::max(worst[k], gains[k]));
                }
            }
        }
        println!(
            "{}: gives at most {:.1e} of the work of its normal force, {:.1e} of its tangential",
            subject.name, worst[0], worst[1]
        );
        assert!(worst[0] < 1e-3 && worst[1] < 1e-3, "{}: {worst:?}", subject.name);
    }
}

/// Small loops under a pull, again and again: the memory that a pull draws out gives nothing back twice.
#[test]
fn no_contact_gives_energy_over_small_loops_under_a_pull() {
    for subject in subjects().into_iter().filter(|subject| subject.pulls) {
        let mut way = vec![(-0.2, 0.0), (1.5, 0.0), (subject.pulled, 0.0)];
        for _ in 0..6 {
            way.extend([(subject.pulled + 0.25, 0.0), (subject.pulled, 0.0)]);
        }
        let short = along(&subject, &way[..3], 300).normal;
        let long = along(&subject, &way, 300);
        let gain = (long.normal - short) / long.size[0];
        println!("{}: {gain:.1e}", subject.name);
        assert!(gain < 1e-3, "{}: {gain}", subject.name);
    }
}

/// With the ways of a tangential spring through changes of the area that are said never to create energy.
#[test]
fn springs_that_lose_with_the_area_give_no_energy_under_a_pull() {
    for subject in
        subjects().into_iter().filter(|subject| ["jkr", "dmt", "thornton-ning, adhesive"].contains(&subject.name))
    {
        for word in ["carried", "area", "neutral"] {
            let mut subject = subject.clone();
            subject.given.extend(dem_testkit::worlds::words(&[("unloading", word)]));
            for (first, second) in [(subject.pulled, 1.0), (1.0, subject.pulled)] {
                let way = [
                    (-0.2, 0.0),
                    (1.5, 0.0),
                    (first, 0.0),
                    (first, 0.3),
                    (second, 0.3),
                    (second, 0.0),
                    (first, 0.0),
                    (-3.1, 0.0),
                ];
                let works = along(&subject, &way, 400);
                let gain = works.tangential / works.size[1];
                assert!(gain < 1e-3, "{}, {word}: {gain}", subject.name);
            }
        }
    }
}
