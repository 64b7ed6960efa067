//! Closed cycles of one undamped contact.

use dem_core::DVec3;

use crate::conformance::driven_pair::{DrivenPair, Loads};
use crate::conformance::path::{OVERLAP, Pose, RADII};
use crate::conformance::{Property, ensure};

/// No perpetual motion.
pub const CLOSED_CYCLES: Property = Property {
    name: "closed cycles",
    claim: "an undamped contact gives no energy in a closed cycle of overlap and slip that starts and ends at touch, to 1e-3 of the work of its \
            tangential force (sum of sizes): slip at a small and back at a large overlap and the reverse, overlap and slip by turns and together, with \
            and without sliding",
    check: closed_cycles,
};

/// Steps of each leg: the trapezoidal work of a leg is then good to 1e-5.
const STEPS: usize = 400;

/// A corner of a cycle: overlap in units of [`OVERLAP`], slip in units of the slip at which a spring of the normal stiffness slides.
type Corner = (f64, f64);

fn closed_cycles(law: &str) -> Result<(), String> {
    for slip in [0.1, 0.3, 3.0] {
        for (first, second) in [(0.5, 2.0), (2.0, 0.5), (1.0, 1.0)] {
            for signs in [[1.0, 0.0], [1.0, -1.0]] {
                let [there, back] = signs.map(|sign| sign * slip);
                let by_turns = [
                    (first, 0.0),
                    (first, there),
                    (second, there),
                    (second, back),
                    (first, back),
                    (first, 0.0),
                    (0.0, 0.0),
                ];
                let together = [(first, 0.0), (second, there), (second, back), (first, 0.0), (0.0, 0.0)];
                for (cycle, how) in [(&by_turns[..], "by turns"), (&together[..], "together")] {
                    let (gain, scale) = work(law, cycle);
                    ensure(gain <= 1e-3 * scale, || {
                        format!(
                            "slip {slip}, overlap {first} and {second}, back to {back}, {how}: gains {:.3} of {scale:.2e} J",
                            gain / scale
                        )
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// Work of the contact on the spheres over a cycle, and the sum of the magnitudes of its tangential work \[J\].
fn work(law: &str, cycle: &[Corner]) -> (f64, f64) {
    let mut pose = Pose::still(0.0, DVec3::X);
    let mut pair = DrivenPair::common(law, 1.0, &pose);
    let mut loads = pair.step(&pose);
    let (mut normal, mut tangential, mut size) = (0.0, 0.0, 0.0);
    let mut from: Corner = (0.0, 0.0);
    for &to in cycle {
        for step in 1..=STEPS {
            let share = step as f64 / STEPS as f64;
            let overlap = OVERLAP * (from.0 + share * (to.0 - from.0));
            // the first sphere turns under the contact
            let slip = 0.4 * OVERLAP * (to.1 - from.1) / STEPS as f64;
            let mut next = Pose::still(overlap, DVec3::X);
            next.rotation[0] = DVec3::Z * (slip / (RADII[0] - 0.5 * overlap));
            let next_loads = pair.step(&next);
            let mean = |of: fn(&Loads) -> DVec3| 0.5 * (of(&loads) + of(&next_loads));
            normal += mean(|l| l.force[1]).dot(next.position[1] - pose.position[1]);
            let turned = mean(|l| l.torque[0]).dot(next.rotation[0]);
            (tangential, size) = (tangential + turned, size + turned.abs());
            (pose, loads) = (next, next_loads);
        }
        from = to;
    }
    (normal + tangential, size)
}
