//! Frames and names that must not matter.

use dem_core::{DQuat, DVec3};

use crate::conformance::driven_pair::{DrivenPair, Loads};
use crate::conformance::path;
use crate::conformance::{Property, ensure};
use crate::worlds::{self, Scatter};

/// A turned path gives turned forces.
pub const INDIFFERENT: Property = Property {
    name: "frame indifference",
    claim: "a random path turned by a random rotation gives the forces and torques turned by it, to 1e-9 of the largest on the path \
            (positions are rounded to 1e-13 of the overlap in each of 400 steps)",
    check: indifferent,
};

fn indifferent(law: &str) -> Result<(), String> {
    let mut scatter = Scatter(77);
    let poses = path::random(4, 400);
    let reference = DrivenPair::common(law, 0.6, &poses[0]).follow(&poses);
    let largest = |of: fn(&Loads) -> DVec3| reference.iter().map(|loads| of(loads).length()).fold(0.0, f64::max);
    let (force_scale, torque_scale) = (largest(|l| l.force[0]), largest(|l| l.torque[0]));
    for _ in 0..4 {
        let [x, y, z, w] = [0; 4].map(|_| 2.0 * scatter.next_unit() - 1.0);
        let q = DQuat::from_xyzw(x, y, z, w).normalize();
        let turned: Vec<_> = poses.iter().map(|pose| pose.turned(q)).collect();
        let found = DrivenPair::common(law, 0.6, &turned[0]).follow(&turned);
        for (step, (found, expected)) in found.iter().zip(&reference).enumerate() {
            for k in 0..2 {
                let force = (found.force[k] - q * expected.force[k]).length() / force_scale;
                let torque = (found.torque[k] - q * expected.torque[k]).length() / torque_scale;
                ensure(force.max(torque) < 1e-9, || {
                    format!("step {step}: force off by {force:.1e}, torque {torque:.1e}")
                })?;
            }
        }
    }
    Ok(())
}

/// The order of the bodies does not matter.
pub const SYMMETRIC: Property = Property {
    name: "i ↔ j",
    claim: "exchanging the ids of the spheres changes no bit of the force on either, and the torques by less than 1e-14 of force times radius",
    check: symmetric,
};

fn symmetric(law: &str) -> Result<(), String> {
    let poses = path::random(5, 400);
    let given = worlds::common_parameters(law, 0.4, 0.6);
    let found = DrivenPair::new(law, &given, &poses[0], true).follow(&poses);
    let expected = DrivenPair::new(law, &given, &poses[0], false).follow(&poses);
    for (step, (found, expected)) in found.iter().zip(&expected).enumerate() {
        ensure(found.force == expected.force, || {
            format!("step {step}: {:?}, expected {:?}", found.force, expected.force)
        })?;
        for k in 0..2 {
            let off = (found.torque[k] - expected.torque[k]).length();
            let scale = expected.force[k].length() * path::RADII[0];
            ensure(off <= 1e-14 * scale, || format!("step {step}: torque off by {off} N m of {scale}"))?;
        }
    }
    Ok(())
}
