//! Tables and findings of the study.

use dem_report::table::{Table, Value};

use super::driven_contact::Answer;
use super::results::{Followed, Results, exact_turn};

/// All tables; the summary is the first.
pub fn all(results: &Results) -> Vec<Table> {
    vec![summary(results), points(results), turns(results)]
}

/// Largest distance between the forces of a law and of the foundation, over the largest friction limit of the path; without friction it is
/// zero if there is no force, as there should be none.
fn distance(results: &Results, path: &Followed, answers: &[Answer]) -> f64 {
    let pressed = answers.iter().map(|a| a.normal_force).fold(0.0, f64::max);
    // a contact that is only pulled has no load of its own
    let limit = results.friction * if pressed > 0.0 { pressed } else { results.scale.normal_force };
    let apart = answers
        .iter()
        .zip(&path.foundation)
        .map(|(answer, force)| (answer.tangential_force[0] - force[0]).hypot(answer.tangential_force[1] - force[1]));
    let apart = apart.fold(0.0, f64::max);
    if apart == 0.0 { 0.0 } else { apart / limit }
}

/// Work done on the slip against the tangential force, by the trapezoidal rule \[J\].
fn work_of(answers: &[Answer]) -> f64 {
    let mut work = 0.0;
    for pair in answers.windows(2) {
        for k in 0..2 {
            let mean = 0.5 * (pair[0].tangential_force[k] + pair[1].tangential_force[k]);
            work += mean * (pair[1].slip[k] - pair[0].slip[k]);
        }
    }
    work
}

fn summary(results: &Results) -> Table {
    let mut table = Table::new(
        "path",
        &[
            "path",
            "law",
            "points",
            "max_normal_force_N",
            "max_tangential_force_N",
            "end_tangential_force_N",
            "distance_from_springs",
            "work_on_slip_J",
            "elastic_tangential_J",
            "friction_work_J",
            "viscous_work_J",
            "stiffness_work_J",
            "adhesion_work_J",
            "plastic_work_J",
        ],
    );
    for path in &results.paths {
        for (law, answers) in &path.laws {
            let Some(end) = answers.last() else { continue };
            let size = |a: &Answer| a.tangential_force[0].hypot(a.tangential_force[1]);
            let cells: [Value; 14] = [
                path.name.as_str().into(),
                law.as_str().into(),
                answers.len().into(),
                answers.iter().map(|a| a.normal_force).fold(0.0, f64::max).into(),
                answers.iter().map(size).fold(0.0, f64::max).into(),
                size(end).into(),
                distance(results, path, answers).into(),
                work_of(answers).into(),
                end.elastic_tangential.into(),
                end.friction_work.into(),
                end.viscous_work.into(),
                end.stiffness_work.into(),
                end.adhesion_work.into(),
                end.plastic_work.into(),
            ];
            table.push(cells);
        }
    }
    table
}

fn points(results: &Results) -> Table {
    let mut table = Table::new(
        "path_points",
        &[
            "path",
            "law",
            "overlap_m",
            "slip_x_m",
            "slip_y_m",
            "normal_force_N",
            "force_x_N",
            "force_y_N",
            "springs_x_N",
            "springs_y_N",
            "mode",
            "elastic_tangential_J",
            "friction_work_J",
            "viscous_work_J",
            "stiffness_work_J",
            "adhesion_work_J",
            "plastic_work_J",
        ],
    );
    for path in &results.paths {
        for (law, answers) in &path.laws {
            for (a, springs) in answers.iter().zip(&path.foundation) {
                let cells: [Value; 17] = [
                    path.name.as_str().into(),
                    law.as_str().into(),
                    a.overlap.into(),
                    a.slip[0].into(),
                    a.slip[1].into(),
                    a.normal_force.into(),
                    a.tangential_force[0].into(),
                    a.tangential_force[1].into(),
                    springs[0].into(),
                    springs[1].into(),
                    format!("{:?}", a.mode).to_lowercase().into(),
                    a.elastic_tangential.into(),
                    a.friction_work.into(),
                    a.viscous_work.into(),
                    a.stiffness_work.into(),
                    a.adhesion_work.into(),
                    a.plastic_work.into(),
                ];
                table.push(cells);
            }
        }
    }
    table
}

fn turns(results: &Results) -> Table {
    let mut table = Table::new("path_turn", &["law", "movement", "angle_deg", "exact_angle_deg"]);
    for turn in &results.turns {
        for &[length, angle] in &turn.angles {
            table.push([turn.law.as_str().into(), length.into(), angle.into(), exact_turn(length).into()]);
        }
    }
    table
}

/// How far the laws are from the foundation on each path.
pub fn findings(results: &Results) -> Vec<String> {
    let of = |path: &Followed| {
        let words: Vec<String> =
            path.laws.iter().map(|(law, answers)| format!("{law} {:.2e}", distance(results, path, answers))).collect();
        format!("{}, {}: largest distance from the springs over μN: {}.", path.name, path.summary, words.join(", "))
    };
    results.paths.iter().map(of).collect()
}
