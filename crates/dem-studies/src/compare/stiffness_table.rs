//! What stiffness every law has where laws are matched.

use dem_report::table::Table;

use super::matching::{Reference, stiffness};
use super::variant::Variant;
use crate::error::StudyError;

/// Stiffnesses of all laws at the overlap.
///
/// # Errors
/// A scene of a law that cannot be built.
pub fn table(reference: &Reference, laws: &[Variant]) -> Result<Table, StudyError> {
    let columns = ["law", "materials", "overlap_m", "force_N", "secant_N_m", "tangential_N_m", "achieved_restitution"];
    let mut table = Table::new("stiffness", &columns);
    for law in laws {
        let built = dem_sim::builder::build_empty(&law.scene(0)?)?;
        for &pair in &reference.pairs {
            let found = stiffness(&built, pair, reference.overlap);
            let (a, b) = pair.materials;
            let kernel = &built.world.kernels[built.world.laws.get(a, b) as usize];
            let restitution = kernel.derived(a, b).iter().find(|d| d.name == "achieved restitution").map(|d| d.value);
            table.push([
                law.label.as_str().into(),
                reference.name(pair).into(),
                reference.overlap.into(),
                (found.secant * reference.overlap).into(),
                found.secant.into(),
                found.tangential.into(),
                restitution.unwrap_or(f64::NAN).into(),
            ]);
        }
    }
    Ok(table)
}
