//! Tables of the study.

use dem_reference::finite_sliding::Path;
use dem_reference::sliding_under_force::Centrifugal;
use dem_report::table::Table;

use super::cases::Cases;
use super::comparisons::Comparison;
use crate::error::StudyError;

/// All tables; the first holds the comparisons.
pub fn all(cases: &Cases, rows: &[Comparison]) -> Result<Vec<Table>, StudyError> {
    Ok(vec![comparisons(rows), displacement_control(cases)?, force_control(cases)?])
}

fn comparisons(rows: &[Comparison]) -> Table {
    let columns = ["quantity", "method", "reference", "result", "deviation", "tolerance", "agrees", "source"];
    let mut table = Table::new("sliding_comparisons", &columns);
    for row in rows {
        table.push([
            row.quantity.as_str().into(),
            row.method.into(),
            row.reference.into(),
            row.result.into(),
            (row.result - row.reference).into(),
            row.tolerance.into(),
            row.passes().into(),
            row.source.into(),
        ]);
    }
    table
}

/// Critical velocity, restitution and contact time: exact, by the source's five-point rule, by elliptic integrals and by the engine.
fn displacement_control(cases: &Cases) -> Result<Table, StudyError> {
    let columns = [
        "path",
        "v0_over_v_crit",
        "v0_m_s",
        "v_crit_m_s",
        "v_crit_elliptic_m_s",
        "v_loss_m_s",
        "v_loss_elliptic_m_s",
        "v_loss_lobatto_m_s",
        "restitution",
        "restitution_lobatto",
        "restitution_engine",
        "contact_time_s",
        "contact_time_lobatto_s",
        "contact_time_engine_s",
        "energy_drift_engine_j",
    ];
    let mut table = Table::new("sliding_displacement_control", &columns);
    for case in &cases.paths {
        let exact = &case.exact;
        let critical = exact.critical_velocity();
        let (elliptic, loss_elliptic) = if case.setup.path == Path::Line {
            (exact.critical_velocity_elliptic()?, exact.loss_velocity_elliptic()?)
        } else {
            (f64::NAN, f64::NAN)
        };
        let (loss, lobatto) = (exact.loss_velocity(), exact.loss_velocity_lobatto());
        for passage in &case.passages {
            let velocity = passage.velocity;
            let [time, parted] = passage.motion.parting.unwrap_or([f64::NAN; 2]);
            table.push([
                case.name.into(),
                (velocity / critical).into(),
                velocity.into(),
                critical.into(),
                elliptic.into(),
                loss.into(),
                loss_elliptic.into(),
                lobatto.into(),
                exact.restitution(velocity).into(),
                (1.0 - (lobatto / velocity).powi(2)).sqrt().into(),
                (parted / velocity).into(),
                exact.contact_time(velocity)?.into(),
                exact.contact_time_lobatto(velocity).into(),
                time.into(),
                passage.motion.drift.into(),
            ]);
        }
    }
    Ok(table)
}

fn force_control(cases: &Cases) -> Result<Table, StudyError> {
    let columns = [
        "drive_over_limit",
        "drive_n",
        "parting_m",
        "parting_engine_m",
        "parting_without_centrifugal_m",
        "velocity_m_s",
        "velocity_engine_m_s",
        "contact_time_s",
        "contact_time_engine_s",
        "contact_time_without_centrifugal_s",
        "contact_time_eq_47_s",
    ];
    let mut table = Table::new("sliding_force_control", &columns);
    for case in &cases.drives {
        let angle = case.exact.parting(Centrifugal::Included);
        let [time, parted, velocity] = case.motion.parting.unwrap_or([f64::NAN; 3]);
        table.push([
            case.over_limit.into(),
            case.drive.into(),
            (2.0 * angle).into(),
            (2.0 * parted).into(),
            (2.0 * case.exact.parting(Centrifugal::LeftOut)).into(),
            case.exact.velocity(angle, Centrifugal::Included).into(),
            velocity.into(),
            case.exact.contact_time(Centrifugal::Included)?.into(),
            time.into(),
            case.exact.contact_time(Centrifugal::LeftOut)?.into(),
            case.exact.contact_time_elliptic()?.into(),
        ]);
    }
    Ok(table)
}
