//! What a paper has to say about rigid bodies of spheres.

use serde_json::Value;

use super::draft::Draft;
use crate::run_record::RunRecord;

/// How they rotate.
const FREE_ROTATION: &str = "Dullweber et al., J. Chem. Phys. 107 (1997) 5840; Fassò, J. Comput. Phys. 189 (2003) 527";

/// Whether a run may have bodies.
pub(super) fn are_there(record: &RunRecord) -> bool {
    record.summary.get("bodies").is_some()
}

/// What bodies are made of, and how they move.
pub(super) fn describe(record: &RunRecord, draft: &mut Draft) {
    let Some(bodies) = record.summary.get("bodies") else { return };
    let templates = bodies.get("templates").and_then(Value::as_array).into_iter().flatten();
    let templates: Vec<&str> = templates.filter_map(Value::as_str).collect();
    let number = draft.cite(FREE_ROTATION);
    let effective_mass = match record.loaded.scene.contact.effective_mass.as_deref() {
        Some("body") => "the mass of the body",
        Some("sphere") => "the mass of the touching sphere",
        _ => "what the contact moves, with the inertia of the body",
    };
    draft.say(format!(
        "Spheres of a body (clumps: {}) do not touch each other; bodies move by their centre of mass and angular momentum, and rotate freely by a \
         splitting {number}. The damping of a contact follows from {effective_mass}. Coordination numbers count contacts of bodies, stresses come from their centres of mass.",
        templates.join(", ")
    ));
}
