//! Tables of the study.

use dem_reference::liquid_bridge::PULLS;
use dem_report::table::{Table, Value};

use super::results::Results;

/// All tables; that of the pull-off curves is the first.
pub fn all(results: &Results<'_>) -> Vec<Table> {
    vec![pull_off(results), laws(results), points(results), impacts(results), bridges(results), ruptures(results)]
}

fn pull_off(results: &Results<'_>) -> Table {
    let mut table = Table::new(
        "adhesion",
        &[
            "law",
            "pull_off_N",
            "expected_pull_off_N",
            "end_distance_m",
            "expected_end_distance_m",
            "loop_work_J",
            "ledger_work_J",
            "expected_loss_J",
        ],
    );
    for curve in &results.curves {
        let ([pull, end, work], [exact_pull, exact_end, loss]) = (curve.found, curve.expected);
        let cells: [Value; 8] = [
            curve.label.into(),
            pull.into(),
            exact_pull.into(),
            end.into(),
            exact_end.max(0.0).into(),
            work.into(),
            curve.ledger().into(),
            loss.into(),
        ];
        table.push(cells);
    }
    table
}

fn laws(results: &Results<'_>) -> Table {
    let mut table = Table::new("adhesion_laws", &["law", "as_written"]);
    for curve in &results.curves {
        table.push([curve.label.into(), curve.law.as_str().into()]);
    }
    table
}

fn points(results: &Results<'_>) -> Table {
    let mut table = Table::new("adhesion_points", &["law", "overlap_m", "normal_force_N", "loss_J"]);
    for curve in &results.curves {
        let stride = (curve.answers.len() / 600).max(1);
        for answer in curve.answers.iter().step_by(stride) {
            let loss = answer.adhesion_work + answer.plastic_work;
            table.push([curve.label.into(), answer.overlap.into(), answer.normal_force.into(), loss.into()]);
        }
    }
    table
}

fn impacts(results: &Results<'_>) -> Table {
    let mut table = Table::new(
        "adhesion_impacts",
        &[
            "law",
            "speed_over_sticking_speed",
            "speed_m_s",
            "restitution",
            "expected_restitution",
            "adhesion_work_J",
            "plastic_work_J",
            "imbalance_over_kinetic",
        ],
    );
    for impact in &results.impacts {
        let cells: [Value; 8] = [
            impact.label.into(),
            impact.speed[1].into(),
            impact.speed[0].into(),
            impact.restitution[1].into(),
            impact.restitution[0].into(),
            impact.rebound.adhesion_work().into(),
            impact.rebound.plastic_work().into(),
            impact.rebound.imbalance().into(),
        ];
        table.push(cells);
    }
    table
}

fn bridges(results: &Results<'_>) -> Table {
    let mut table = Table::new(
        "adhesion_bridges",
        &["form", "volume", "contact_angle_deg", "distance", "pull", "young_laplace_pull", "error"],
    );
    for bridge in &results.bridges {
        for exact in PULLS.iter().filter(|pull| pull.volume == bridge.volume && pull.angle == bridge.angle) {
            let pull = bridge.pull(exact.distance);
            let cells: [Value; 7] = [
                bridge.form.into(),
                bridge.volume.into(),
                bridge.angle.into(),
                exact.distance.into(),
                pull.into(),
                exact.force.into(),
                (pull / exact.force - 1.0).into(),
            ];
            table.push(cells);
        }
    }
    table
}

fn ruptures(results: &Results<'_>) -> Table {
    let mut table = Table::new(
        "adhesion_ruptures",
        &["form", "volume", "contact_angle_deg", "rupture_distance", "young_laplace_distance", "work", "ledger_work"],
    );
    for bridge in &results.bridges {
        let cells: [Value; 7] = [
            bridge.form.into(),
            bridge.volume.into(),
            bridge.angle.into(),
            bridge.rupture.into(),
            bridge.exact_rupture.unwrap_or(f64::NAN).into(),
            bridge.work().into(),
            bridge.loss.into(),
        ];
        table.push(cells);
    }
    table
}
