//! The force of one contact.

use dem_contact::registry;
use dem_core::DVec3;

use crate::conformance::driven_pair::{DrivenPair, Loads};
use crate::conformance::path::{self, OVERLAP, Pose, RADII};
use crate::conformance::{Property, ensure};
use crate::worlds;

/// No force without an overlap.
pub const ZERO_AT_TOUCH: Property = Property {
    name: "zero at touch",
    claim: "no force and no torque at zero overlap, whatever the history; an undamped force falls with the overlap at least as fast",
    check: zero_at_touch,
};

fn zero_at_touch(law: &str) -> Result<(), String> {
    let poses = path::random(1, 40);
    for restitution in [1.0, 0.5] {
        let mut pair = DrivenPair::common(law, restitution, &poses[0]);
        pair.follow(&poses);
        let loads = pair.step(&Pose::still(0.0, DVec3::X));
        let none = Loads { force: [DVec3::ZERO; 2], torque: [DVec3::ZERO; 2] };
        ensure(loads == none, || format!("{loads:?} at zero overlap, restitution {restitution}"))?;
    }
    let force = |overlap: f64| {
        let apart = Pose::still(-OVERLAP, DVec3::X);
        let pose = Pose::still(overlap, DVec3::X);
        DrivenPair::common(law, 1.0, &apart).follow(&[apart, pose])[1].normal_force(&pose)
    };
    // a linear spring falls as fast as its overlap; round-off of the positions is 1e-14 of the overlap
    let (whole, part) = (force(OVERLAP), force(1e-4 * OVERLAP));
    ensure(whole > 0.0 && part <= 1.0001e-4 * whole, || format!("{part} N at 1e-4 of the overlap of {whole} N"))
}

/// Action and reaction.
pub const THIRD_LAW: Property = Property {
    name: "third law",
    claim: "forces on the two spheres opposite to the last bit, and no torque about any point but round-off (1e-13 of force times distance)",
    check: third_law,
};

fn third_law(law: &str) -> Result<(), String> {
    let poses = path::random(2, 400);
    let mut pair = DrivenPair::common(law, 0.6, &poses[0]);
    for (step, pose) in poses.iter().enumerate() {
        let loads = pair.step(pose);
        ensure(loads.force[0] == -loads.force[1], || format!("step {step}: {:?}", loads.force))?;
        for point in [DVec3::ZERO, DVec3::new(0.3, -0.2, 0.1)] {
            let moment = |k: usize| (pose.position[k] - point).cross(loads.force[k]) + loads.torque[k];
            let (total, scale) = (moment(0) + moment(1), loads.force[0].length() * (pose.position[0] - point).length());
            ensure(total.length() <= 1e-13 * scale, || format!("step {step}: torque {total} N m about {point}"))?;
        }
    }
    Ok(())
}

/// The tangential force has no normal part.
pub const PERPENDICULAR: Property = Property {
    name: "T ⟂ n",
    claim: "friction changes the force only across the normal: its normal part is that of the same path without friction, to 1e-12; after loads head-on too",
    check: perpendicular,
};

fn perpendicular(law: &str) -> Result<(), String> {
    for poses in [path::random(3, 400), head_on_then_slip()] {
        let frictionless = worlds::common_parameters(law, 0.0, 0.6);
        let mut without = DrivenPair::new(law, &frictionless, &poses[0], false);
        let mut with = DrivenPair::common(law, 0.6, &poses[0]);
        let mut seen = false;
        for (step, pose) in poses.iter().enumerate() {
            let (a, b) = (without.step(pose), with.step(pose));
            let (expected, found) = (a.normal_force(pose), b.normal_force(pose));
            seen |= b.tangential_force(pose).length() > 0.1 * found;
            let scale = b.force[0].length();
            ensure((found - expected).abs() <= 1e-12 * scale, || {
                format!("step {step}: {found} N, expected {expected} N")
            })?;
        }
        ensure(seen, || "no tangential force on the path".to_owned())?;
    }
    Ok(())
}

/// While the spheres approach, the slip is nothing but round-off, whose direction must not be remembered.
fn head_on_then_slip() -> Vec<Pose> {
    let normal = DVec3::new(1.0, 2.0, -3.0).normalize();
    let across = normal.any_orthonormal_vector();
    let pose = |step: u32| {
        let slips = if step > 200 { 1e-2 * OVERLAP / RADII[1] } else { 0.0 };
        let loaded = Pose::still(OVERLAP * f64::from(step.min(200)) / 200.0, normal);
        Pose { rotation: [across * slips, DVec3::ZERO], ..loaded }
    };
    (0..400).map(pose).collect()
}

/// Coulomb's bound.
pub const COULOMB: Property = Property {
    name: "Coulomb",
    claim: "|T| ≤ μN(1 + 1e-12) in every step of a random path, N with the dashpot or, where the law says so, without it",
    check: coulomb,
};

fn coulomb(law: &str) -> Result<(), String> {
    let elastic = registry::find(law).is_some_and(|entry| entry.conformance.is_limited_without_dashpot);
    let (mut sticks, mut slides) = (false, false);
    for seed in 10..14 {
        let poses = path::random(seed, 400);
        let mut pair = DrivenPair::common(law, 0.6, &poses[0]);
        let mut undamped = DrivenPair::common(law, 1.0, &poses[0]);
        for (step, pose) in poses.iter().enumerate() {
            let (loads, spring) = (pair.step(pose), undamped.step(pose));
            let normal = if elastic { spring } else { loads }.normal_force(pose);
            let (force, limit) = (loads.tangential_force(pose).length(), 0.4 * normal.max(0.0));
            // what is left of the normal force when its part along a rounded normal is taken off
            let round_off = 4.0 * f64::EPSILON * loads.force[0].length();
            ensure(force <= limit * (1.0 + 1e-12) + round_off, || {
                format!("seed {seed} step {step}: |T| = {force} N over {limit} N")
            })?;
            sticks |= force > 0.0 && force < 0.9 * limit;
            slides |= force > 0.0 && force > (1.0 - 1e-9) * limit;
        }
    }
    ensure(sticks && slides, || format!("the path must stick and slide: {sticks} {slides}"))
}
