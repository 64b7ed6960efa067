//! The course of a contact does not depend on the length of its steps, once they are small, nor much on a little slip across.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_core::DVec3;

use super::works::damped;
use crate::conformance::driven_pair::{DrivenPair, Loads};
use crate::conformance::path::{self, OVERLAP, Pose, RADII};
use crate::conformance::{Property, ensure};

/// A limit for small steps.
pub const LIMIT: Property = Property {
    name: "small steps",
    claim: "a smooth path that loads, unloads, turns, sticks and slides, with dashpots beside all springs and with and without resistance to rolling \
            and twisting, is gone in 500 to 8,000 steps: from one halving of the step to the next the loads differ by at least a quarter less on \
            average, and by less than 2 % of the largest after four of them",
    check: limit,
};

/// Slip across.
pub const ACROSS: Property = Property {
    name: "slip across",
    claim: "slip to and fro at constant overlap, a third of what slides and four times it, with 1 % of it across: the force changes by less than 2 % of the \
            largest in the root mean square and 4 % where it turns at a reversal, and its work by less than 0.1 %, at 100 and at 3,200 steps per cycle",
    check: across,
};

/// Time in which the path is gone \[s\].
const DURATION: f64 = 1e-4;
/// Instants at which loads are compared.
const INSTANTS: usize = 50;
const COARSEST: usize = 500;

fn limit(law: &str) -> Result<(), String> {
    for resisted in [false, true] {
        let given = damped(law, resisted);
        let courses: Vec<Vec<Loads>> = [1, 2, 4, 8, 16].map(|factor| course(law, &given, factor * COARSEST)).into();
        let scale = |of: fn(&Loads) -> DVec3| courses[4].iter().map(|loads| of(loads).length()).fold(0.0, f64::max);
        let parts: [fn(&Loads) -> DVec3; 2] = [|loads| loads.force[0], |loads| loads.torque[0]];
        let scales = parts.map(scale);
        let distance = |a: &[Loads], b: &[Loads]| {
            let each = a.iter().zip(b).map(|(a, b)| {
                let off = [0, 1].map(|k| (parts[k](a) - parts[k](b)).length() / scales[k]);
                off[0].max(off[1])
            });
            each.fold(0.0, f64::max)
        };
        let found: Vec<f64> = courses.windows(2).map(|pair| distance(&pair[0], &pair[1])).collect();
        // four differences of three halvings
        let shrinks = found[3] <= 0.75f64.powi(3) * found[0];
        ensure(shrinks && found[3] < 0.02, || {
            let shown: Vec<String> = found.iter().map(|off| format!("{off:.1e}")).collect();
            format!(
                "resistance {resisted}: loads differ by {} of the largest between a step and its half",
                shown.join(", ")
            )
        })?;
    }
    Ok(())
}

/// Loads at the instants of comparison.
fn course(law: &str, given: &BTreeMap<String, ParameterValue>, steps: usize) -> Vec<Loads> {
    let poses = path::smooth(steps);
    let mut pair = DrivenPair::new(law, given, &poses[0], false);
    pair.world.time_step = DURATION / steps as f64;
    let every = steps / INSTANTS;
    let loads = poses.iter().map(|pose| pair.step(pose)).enumerate();
    loads.filter(|(step, _)| step % every == 0 && *step > 0).map(|(_, loads)| loads).collect()
}

fn across(law: &str) -> Result<(), String> {
    for amplitude in [0.3, 4.0] {
        for steps in [100, 3200] {
            let [(straight, work), (bent, bent_work)] = [0.0, 0.01].map(|share| cycles(law, amplitude, share, steps));
            let largest = straight.iter().map(|force| force.length()).fold(0.0, f64::max);
            let off = straight.iter().zip(&bent).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max) / largest;
            // a contact that only sticks does no work
            let of_work = (bent_work - work).abs() / work.abs().max(1e-3 * largest * amplitude * SLIDES);
            let squares = straight.iter().zip(&bent).map(|(a, b)| (*a - *b).length_squared());
            let mean = (squares.sum::<f64>() / straight.len() as f64).sqrt() / largest;
            ensure(off < 0.04 && mean < 0.02 && of_work < 1e-3, || {
                format!(
                    "amplitude {amplitude}, {steps} steps: 1 % across changes the force by {off:.1e}, {mean:.1e} in the mean, and the work by {of_work:.1e}"
                )
            })?;
        }
    }
    Ok(())
}

/// Slip at which a spring of the stiffness of the normal one slides \[m\].
const SLIDES: f64 = 0.4 * OVERLAP;

/// Two cycles of slip, with a share of it across and a phase of its own; tangential forces at every hundredth of a cycle and the work done.
fn cycles(law: &str, amplitude: f64, share: f64, steps: usize) -> (Vec<DVec3>, f64) {
    use std::f64::consts::TAU;
    let mut given = crate::worlds::common_parameters(law, 0.4, 1.0);
    if law == "mdr" {
        given.extend(crate::worlds::parameters(&[("springs", 100.0)], &[]));
    }
    let pose = Pose::still(OVERLAP, DVec3::X);
    let mut pair = DrivenPair::new(law, &given, &pose, false);
    let mut before = pair.step(&pose).tangential_force(&pose);
    let lever = RADII[0] - 0.5 * OVERLAP;
    let slip = |step: usize| {
        let phase = TAU * step as f64 / steps as f64;
        SLIDES * amplitude * DVec3::new(0.0, libm::sin(phase), share * libm::sin(0.5 * phase))
    };
    let (mut forces, mut work) = (Vec::new(), 0.0);
    for step in 1..=2 * steps {
        let moved = slip(step) - slip(step - 1);
        // the first sphere turns under the contact
        let rotation = DVec3::new(0.0, -moved.z, moved.y) / lever;
        let next = Pose { rotation: [rotation, DVec3::ZERO], ..pose };
        let force = pair.step(&next).tangential_force(&pose);
        work -= 0.5 * (before + force).dot(moved);
        before = force;
        if step % (steps / 100) == 0 {
            forces.push(force);
        }
    }
    (forces, work)
}
