//! Work of a contact against what it books.

use dem_core::DVec3;
use dem_core::energy::EnergyLedger;

use crate::conformance::driven_pair::DrivenPair;
use crate::conformance::path;
use crate::conformance::{Property, ensure};
use crate::worlds;

/// Work is either stored or dissipated.
pub const BOOKED: Property = Property {
    name: "work identity",
    claim: "along a smooth path that loads, unloads, turns, sticks and slides the work against the contact is what it stores and dissipates, \
            with and without damping, to 1e-4 of what it dissipates in 1,000 steps; 4,000 steps bring the two at least twice as close",
    check: booked,
};

/// Time in which the path is gone \[s\]: an impact at 1 m/s takes a few microseconds.
const DURATION: f64 = 1e-4;

/// Differences below this share are round-off of positions.
const ROUND_OFF: f64 = 1e-9;

fn booked(law: &str) -> Result<(), String> {
    for restitution in [1.0, 0.6] {
        let (coarse, fine) = (difference(law, restitution, 1000)?, difference(law, restitution, 4000)?);
        ensure(coarse < 1e-4 && fine <= (0.5 * coarse).max(ROUND_OFF), || {
            format!("restitution {restitution}: off by {coarse:.1e} in 1,000 steps, {fine:.1e} in 4,000")
        })?;
    }
    Ok(())
}

/// Work done against the contact minus what it stores and has dissipated, in proportion to the latter, after each step; the largest.
fn difference(law: &str, restitution: f64, steps: usize) -> Result<f64, String> {
    let poses = path::smooth(steps);
    let mut pair = DrivenPair::common(law, restitution, &poses[0]);
    pair.world.time_step = DURATION / steps as f64;
    let mut loads = pair.step(&poses[0]);
    let (mut work, mut largest) = (0.0, 0.0f64);
    for (from, to) in poses.iter().zip(&poses[1..]) {
        let next = pair.step(to);
        for k in 0..2 {
            let mean = |start: [DVec3; 2], end: [DVec3; 2]| 0.5 * (start[k] + end[k]);
            work -= mean(loads.force, next.force).dot(to.position[k] - from.position[k]);
            work -= mean(loads.torque, next.torque).dot(to.rotation[k]);
        }
        loads = next;
        largest = largest.max((work - held(&pair.world.energy())).abs());
    }
    let end = pair.world.energy();
    // of a law that takes no restitution no damping can be asked
    let is_as_asked = !worlds::declares(law, "restitution")
        || if restitution < 1.0 { end.viscous + end.further() > 0.0 } else { end.viscous == 0.0 };
    ensure(end.friction > 0.0 && is_as_asked, || format!("the path is no test: {end:?}"))?;
    Ok(largest / end.dissipated_at_contacts())
}

fn held(ledger: &EnergyLedger) -> f64 {
    ledger.elastic_normal
        + ledger.adhesion
        + ledger.elastic_tangential
        + ledger.released
        + ledger.stiffness
        + ledger.dissipated_at_contacts()
}
