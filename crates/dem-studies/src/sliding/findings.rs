//! What the numbers of the study say.

use dem_reference::sliding_under_force::Centrifugal;

use super::cases::{Cases, PathCase};
use super::comparisons::Comparison;
use crate::error::StudyError;

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
            "{}: the five-point rule is {:.1e} off the velocity of the loss, and {:.1} % off the contact time at 1.02 v_crit, at most \
             {:.1} % from 1.05 v_crit on.",
            case.name,
            exact.loss_velocity_lobatto() / exact.loss_velocity() - 1.0,
            100.0 * near.0,
            100.0 * near.1,
        ));
    }
    findings.extend(cases.paths.iter().map(least_work));
    findings.extend(readings(rows));
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

/// Where a sphere that is too slow stops, and what that makes of the published critical velocity.
fn least_work(case: &PathCase) -> String {
    let exact = &case.exact;
    let (place, end) = (exact.place_of_least_work(), exact.end());
    let ratio = exact.critical_velocity() / exact.loss_velocity();
    if place < end {
        format!(
            "{}: a slow sphere stops at {place:.4} m, where tan(beta) is the friction: the critical velocity is {ratio:.4} times that of \
             equations 21 and 34, which holds if friction stops it at the end of the path, {end:.4} m.",
            case.name
        )
    } else {
        format!(
            "{}: friction is enough to stop a slow sphere at the end of the path, as in equations 21 and 34.",
            case.name
        )
    }
}

/// How far the two readings of a transition are apart where a slow sphere comes to rest, if it does.
fn readings(rows: &[Comparison]) -> Option<String> {
    let place = |label: &str| rows.iter().find(|row| row.quantity.ends_with(label)).map(|row| row.result);
    let contact = place(" incremental: place of rest [m]")?;
    let published = place("published reading: place of rest [m]")?;
    Some(format!(
        "A sphere with 0.7 v_crit comes to rest at {contact:.4} m where transitions are measured by the slip and the load at the reversal, \
         and at {published:.4} m where they are measured along the path and by the load ahead, as in the source: {:.4} m apart.",
        (published - contact).abs()
    ))
}

fn agreement(rows: &[Comparison]) -> String {
    let agree = rows.iter().filter(|row| row.passes()).count();
    format!("{agree} of {} comparisons agree.", rows.len())
}
