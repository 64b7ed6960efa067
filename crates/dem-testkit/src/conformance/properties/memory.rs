//! What a contact remembers.

use dem_core::DVec3;
use dem_core::history::SavedRecord;

use crate::conformance::driven_pair::DrivenPair;
use crate::conformance::path::{self, OVERLAP, Pose};
use crate::conformance::{Property, ensure};

/// Separation ends the history.
pub const CLEARED: Property = Property {
    name: "history cleared",
    claim: "after a separation the second contact has the bits of a first one",
    check: cleared,
};

fn cleared(law: &str) -> Result<(), String> {
    let (first, second) = (path::random(6, 100), path::random(7, 100));
    let apart = Pose::still(-OVERLAP, DVec3::X);
    let mut used = DrivenPair::common(law, 0.6, &first[0]);
    used.follow(&first);
    ensure(!used.save().is_empty(), || "no history was kept while in contact".to_owned())?;
    used.step(&apart);
    ensure(used.save().is_empty(), || "a history is left after the separation".to_owned())?;
    let found = used.follow(&second);
    let mut fresh = DrivenPair::common(law, 0.6, &apart);
    fresh.step(&apart);
    let expected = fresh.follow(&second);
    let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
    ensure(differs.is_none(), || format!("first differs in step {differs:?}"))
}

/// A restart goes on with the same bits.
pub const SAVED: Property = Property {
    name: "save and restore",
    claim: "histories saved in the middle of a contact and restored are the same bytes, and the contact goes on with the same bits",
    check: saved,
};

fn saved(law: &str) -> Result<(), String> {
    let poses = path::random(8, 200);
    let (before, after) = poses.split_at(120);
    let middle = &before[before.len() - 1];
    let mut pair = DrivenPair::common(law, 0.6, &poses[0]);
    pair.follow(before);
    let saved = pair.save();
    let mut restored = DrivenPair::common(law, 0.6, middle);
    restored.world.time = pair.world.time;
    restored.restore(&saved);
    ensure(saved.len() == 1 && bits(&saved) == bits(&restored.save()), || "the record changed on the way".to_owned())?;
    let (found, expected) = (restored.follow(after), pair.follow(after));
    let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
    ensure(differs.is_none(), || format!("first differs {differs:?} steps after the restart"))?;
    ensure(bits(&pair.save()) == bits(&restored.save()), || "the records differ at the end".to_owned())
}

fn bits(records: &[SavedRecord]) -> Vec<u64> {
    records.iter().flat_map(|saved| &saved.record).map(|x| x.to_bits()).collect()
}

/// What was tried and not accepted leaves no trace.
pub const TRIED: Property = Property {
    name: "trial steps",
    claim: "a step that is evaluated at three other poses first, one of them apart, has the loads, the history and the work of a step \
            evaluated once, to the last bit",
    check: tried,
};

fn tried(law: &str) -> Result<(), String> {
    // a path that is left twice, so that work is booked for contacts that end
    let poses: Vec<Pose> = [path::random(9, 60), path::random(10, 60), path::random(11, 60)].concat();
    let mut once = DrivenPair::common(law, 0.6, &poses[0]);
    let mut often = DrivenPair::common(law, 0.6, &poses[0]);
    for (step, pose) in poses.iter().enumerate() {
        let expected = once.step(pose);
        let found = often.step_after_trials(&[poses[(step + 7) % poses.len()], poses[0], poses[step / 2]], pose);
        ensure(found == expected, || format!("step {step}: {found:?}, expected {expected:?}"))?;
        ensure(bits(&once.save()) == bits(&often.save()), || format!("step {step}: the records differ"))?;
    }
    let (expected, found) = (once.world.energy(), often.world.energy());
    ensure(expected.friction != 0.0 && found == expected, || format!("{found:?}, expected {expected:?}"))
}
