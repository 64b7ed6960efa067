//! The scene of a workload, as text.

use std::path::Path;

use dem_contact::registry;
use dem_report::given::one_of;

use super::case::{BROADPHASES, Case};
use super::options::{Options, refused};
use crate::error::WorkloadError;

/// Stiffness of linear springs \[N/m\], and its share for the tangential one.
const STIFFNESS: [(&str, &str); 2] = [("normal_stiffness", "1e4"), ("stiffness_ratio", "1")];

/// The scene of a case with a law and a packing from a table, in a cell with these periods \[m\], as options have it.
///
/// # Errors
/// A broadphase, a law or facets that do not exist, a mesh that cannot be written.
pub fn scene(
    case: &Case,
    law: &str,
    options: &Options,
    period: [f64; 3],
    table: &Path,
) -> Result<String, WorkloadError> {
    let broadphase = options.broadphase.as_deref().unwrap_or(BROADPHASES[0]);
    if !BROADPHASES.contains(&broadphase) {
        return Err(refused("--broadphase", broadphase, &format!("one of {}", BROADPHASES.join(", "))));
    }
    let Some(entry) = registry::find(law) else {
        let names = registry::keys();
        return Err(refused("--law", law, &one_of(law, &names)));
    };
    let sample = entry.sample();
    let parameters = (entry.declaration)().applicable(&sample).unwrap_or_default();
    let takes = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    let mut contact = format!("law = \"{law}\"\nfriction = 0.5\n{}", case.damping.lines(takes));
    let mut add = |name: &str, value: &str| contact += &format!("{name} = {value}\n");
    sample.iter().for_each(|(name, value)| add(name, &value.to_string()));
    if takes("normal_stiffness") {
        STIFFNESS.into_iter().filter(|(name, _)| takes(name)).for_each(|(name, value)| add(name, value));
    }
    if takes("unloading") {
        // the rule of the codes that the workloads are compared with, and the one that needs no works
        add("unloading", "\"none\"");
    }
    if !options.works && takes("work_bookkeeping") {
        add("work_bookkeeping", "false");
    }
    let around = case.surroundings.scene(&materials(case), options, period, table)?;
    Ok(format!(
        r#"
[time]
step = {step:e}
[contact_search]
broadphase = "{broadphase}"
[contact]
{contact}
{around}
[[particles]]
name = "bed"
material = "{material}"
fill = {{ type = "file", path = {table:?}, max_overlap = {max_overlap:?} }}
[output]
orientations = {orientations}
"#,
        material = case.surroundings.material(),
        orientations = options.orientations,
        step = case.time_step,
        max_overlap = case.packing.max_overlap,
    ))
}

/// Materials of beds.
fn materials(case: &Case) -> String {
    let names = if case.lots.is_empty() { &["m"] } else { case.lots };
    let young = case.young_modulus;
    let line = |name| format!("[materials.{name}]\ndensity = 2500\nyoung_modulus = {young:e}\npoisson_ratio = 0.25\n");
    names.iter().map(line).collect()
}
