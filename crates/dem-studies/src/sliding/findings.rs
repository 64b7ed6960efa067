//! What the numbers of the study say.

use crate::error::StudyError;
use crate::references::sliding_under_force::Centrifugal;

use super::cases::Cases;
use super::comparisons::Comparison;

/// The findings, a sentence each.
pub fn all(cases: &Cases, rows: &[Comparison]) -> Result<Vec<String>, StudyError> {
    let mut findings = vec![agreement(rows)];
    findings.extend(rows.iter().filter(|row| !row.passes()).map(|row| {
        let Comparison { quantity, method, reference, result, tolerance, .. } = row;
        format!("{quantity} by {method}: {result:.6}, expected {reference:.6} within {tolerance:.1e}")
    }));
    let worst_of = |relevant: &dyn Fn(&str) -> bool| {
        let rows = rows.iter().filter(|row| row.method == "engine" && relevant(&row.quantity));
        rows.map(|row| (row.result / row.reference - 1.0).abs()).fold(0.0, f64::max)
    };
    findings.push(format!(
        "The engine is within {:.0e} of the critical velocities, {:.0e} of the restitutions, {:.0e} of the contact times and {:.0e} of \
         the partings under force control, relatively.",
        worst_of(&|q| q.contains("critical velocity")),
        worst_of(&|q| q.contains("restitution")),
        worst_of(&|q| !q.starts_with("force") && q.contains("contact time")),
        worst_of(&|q| q.starts_with("force")),
    ));
    for case in &cases.paths {
        let exact = &case.exact;
        let mut near = (0.0f64, 0.0f64);
        for passage in &case.passages {
            let off = exact.contact_time_lobatto(passage.velocity) / exact.contact_time(passage.velocity)? - 1.0;
            if passage.velocity < 1.04 * exact.critical_velocity() {
                near.0 = off
            } else {
                near.1 = near.1.max(off.abs())
            }
        }
        findings.push(format!(
            "{}: the five-point rule is {:.1e} off the critical velocity, and {:.1} % off the contact time at 1.02 v_crit, at most \
             {:.1} % from 1.05 v_crit on.",
            case.name,
            exact.critical_velocity_lobatto() / exact.critical_velocity() - 1.0,
            100.0 * near.0,
            100.0 * near.1,
        ));
    }
    let mut worst = (0.0f64, 0.0);
    for case in &cases.drives {
        let off = case.exact.contact_time_elliptic()? / case.exact.contact_time(Centrifugal::Included)? - 1.0;
        if off.abs() > worst.0.abs() {
            worst = (off, case.over_limit);
        }
    }
    findings.push(format!(
        "Force control: equation 47 is off the contact time by up to {:.1} %, at T0 = {} T_mu; it leaves the centrifugal load out of the \
         velocity. The engine cannot leave it out: it is part of the motion on a ring.",
        100.0 * worst.0,
        worst.1,
    ));
    Ok(findings)
}

fn agreement(rows: &[Comparison]) -> String {
    let agree = rows.iter().filter(|row| row.passes()).count();
    format!("{agree} of {} comparisons agree.", rows.len())
}
