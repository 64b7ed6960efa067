//! Works that a contact dissipates.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;

use crate::conformance::driven_pair::DrivenPair;
use crate::conformance::{Property, ensure, path};
use crate::worlds;

/// What is dissipated stays dissipated.
pub const NEVER_FALL: Property = Property {
    name: "works never fall",
    claim: "the works of friction, of dashpots and of resistance to rolling and twisting do not fall in any step of smooth and random paths, with \
            dashpots beside all springs (but for 1e-9 of the whole, which is round-off)",
    check: never_fall,
};

/// Parameters of a law with a dashpot beside every spring that may have one, and with resistance to rolling and twisting where `resisted`.
pub(super) fn damped(law: &str, resisted: bool) -> BTreeMap<String, ParameterValue> {
    let mut given = worlds::common_parameters(law, 0.4, 0.6);
    if worlds::declares(law, "tangential_damping_ratio") {
        given.extend(worlds::parameters(&[("tangential_damping_ratio", 0.3)], &[]));
    }
    if resisted {
        given.extend(worlds::words(&[("rolling", "elastic-plastic"), ("twisting", "spring-dashpot")]));
        given.extend(worlds::parameters(&[("rolling_friction", 0.1), ("twisting_friction", 0.1)], &[]));
    }
    given
}

fn never_fall(law: &str) -> Result<(), String> {
    for resisted in [false, true] {
        for (poses, time_step) in [(path::smooth(1000), 1e-7), (path::random(31, 2000), path::TIME_STEP)] {
            let mut pair = DrivenPair::new(law, &damped(law, resisted), &poses[0], false);
            pair.world.time_step = time_step;
            let mut before = [0.0; 5];
            for (step, pose) in poses.iter().enumerate() {
                pair.step(pose);
                let ledger = pair.world.energy();
                let now = [ledger.friction, ledger.viscous, ledger.rolling, ledger.twisting, ledger.further()];
                for (k, name) in
                    ["friction", "dashpots", "rolling", "twisting", "plasticity or adhesion"].into_iter().enumerate()
                {
                    ensure(now[k] >= before[k] - 1e-9 * now[k].abs(), || {
                        format!("step {step}: the work of {name} falls from {:.6e} to {:.6e} J", before[k], now[k])
                    })?;
                }
                before = now;
            }
            let is_damped = worlds::declares(law, "restitution");
            ensure(before[0] > 0.0 && (!is_damped || before[1] + before[4] > 0.0), || {
                format!("the path is no test: {before:?}")
            })?;
        }
    }
    Ok(())
}
