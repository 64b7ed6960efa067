//! What a reader should know before trusting the numbers of a run.

use dem_sim::scene::FaceScene;
use dem_sim::simulation::StopReason;
use serde_json::Value as Json;

use crate::run_record::RunRecord;

/// Overlap above which contacts are no longer small, in proportion to the radius: Hertz's theory and the geometry of two touching spheres.
const LARGE_OVERLAP: f64 = 0.05;
/// Change of the energy balance that is worth a warning, in proportion to the energy dissipated.
const LARGE_IMBALANCE: f64 = 0.01;

/// All that is unexpected.
pub(super) fn warnings(record: &RunRecord) -> Vec<String> {
    let mut found = Vec::new();
    let reason = record.word("stop_reason");
    if reason == StopReason::NotAtRest.describe() {
        found.push(format!("the result does not meet the request: {reason}"));
    } else if !StopReason::ALL.iter().any(|own| own.describe() == reason) {
        found.push(format!("the run has not come to its own end ({reason})"));
    }
    let sources = record.summary.get("pouring").and_then(Json::as_array).into_iter().flatten();
    for source in sources.filter(|source| source.get("lacks_room").and_then(Json::as_bool) == Some(true)) {
        let name = source.get("source").and_then(Json::as_str).unwrap_or_default();
        found.push(format!("source \"{name}\" found no room for all that it was to pour"));
    }
    let peak = record.number(&["max_overlap_ratio_peak"]);
    if peak > LARGE_OVERLAP {
        let limit = 100.0 * LARGE_OVERLAP;
        found.push(format!(
            "an overlap reached {:.1} % of the radius, contact laws suppose less than {limit} %",
            100.0 * peak
        ));
    }
    let (imbalance, dissipated) = (record.imbalance(), record.dissipated());
    if imbalance > LARGE_IMBALANCE * dissipated.abs() && dissipated != 0.0 {
        let share = 100.0 * imbalance / dissipated.abs();
        found.push(format!("the energy balance changed by {imbalance:.3e} J, {share:.2} % of the energy dissipated: try a shorter time step"));
    }
    let carried = record.number(&["wall_force_over_weight"]);
    if (carried - 1.0).abs() > 0.01 {
        found.push(format!("the walls carry {:.2} % of the weight in the final rest", 100.0 * carried));
    }
    let removed = record.number(&["removed"]);
    if removed > 0.0 && !has_outlet(record) {
        found.push(format!("{removed} particles left the domain, which has no face that is open by its scene"));
    }
    if record.series.is_torn() {
        found.push("the last line of series.csv is incomplete".to_owned());
    }
    found
}

/// Whether the scene says that particles leave: it opens a face of the domain or follows what leaves.
fn has_outlet(record: &RunRecord) -> bool {
    let scene = &record.loaded.scene;
    let is_open = |face: &Option<FaceScene>| *face == Some(FaceScene::Open);
    let opens = scene.domain.as_ref().is_some_and(|d| {
        [&d.x, &d.y, &d.z, &d.x_min, &d.x_max, &d.y_min, &d.y_max, &d.z_min, &d.z_max].into_iter().any(is_open)
    });
    opens || !scene.output.materials.is_empty()
}
