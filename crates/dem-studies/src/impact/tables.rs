//! Tables and findings of the study.

use dem_report::table::{Table, Value};

use super::case::{Case, Scales};
use super::collision::Collision;
use super::results::Results;
use super::solutions;
use crate::error::StudyError;

/// Rows of one history, about.
const HISTORY_ROWS: usize = 400;

/// All tables; that of the rebounds is the first.
pub fn all(results: &Results) -> Result<Vec<Table>, StudyError> {
    Ok(vec![rebounds(results), solutions(results), histories(results)?])
}

fn rebounds(results: &Results) -> Table {
    let mut table = Table::new(
        "impact",
        &[
            "law",
            "angle_deg",
            "e_n",
            "e_t",
            "phi_contact_deg",
            "phi_centre_deg",
            "omega_rad_s",
            "contact_time_s",
            "max_normal_force_N",
            "max_tangential_force_N",
            "max_overlap_m",
            "kinetic_loss_J",
            "friction_work_J",
            "viscous_work_J",
            "released_work_J",
            "imbalance_J",
            "integrator",
            "normal_speed_m_s",
            "tangential_speed_m_s",
            "spin_rad_s",
            "friction",
            "restitution",
            "steps_per_contact",
        ],
    );
    for (case, collision) in results.cases.iter().zip(&results.collisions) {
        let end = collision.end();
        let cells: [Value; 23] = [
            case.bodies.law.label.as_str().into(),
            case.angle.into(),
            collision.normal_restitution().into(),
            collision.tangential_restitution().into(),
            collision.contact_angle().to_degrees().into(),
            collision.centre_angle().to_degrees().into(),
            end.spin.into(),
            collision.contact_time.into(),
            collision.largest(|m| m.normal_force).into(),
            collision.largest(|m| m.tangential_force.abs()).into(),
            collision.largest(|m| m.overlap).into(),
            collision.kinetic_loss().into(),
            end.friction_work.into(),
            end.viscous_work.into(),
            end.released_work.into(),
            end.imbalance.into(),
            case.bodies.integrator.label.as_str().into(),
            case.approach.normal_speed.into(),
            case.approach.tangential_velocity.into(),
            case.approach.spin.into(),
            case.bodies.friction.into(),
            case.bodies.restitution.into(),
            case.steps.into(),
        ];
        table.push(cells);
    }
    table
}

fn solutions(results: &Results) -> Table {
    let mut table = Table::new(
        "impact_references",
        &[
            "reference",
            "angle_deg",
            "e_n",
            "e_t",
            "phi_contact_deg",
            "phi_centre_deg",
            "omega_rad_s",
            "contact_time_s",
            "max_normal_force_N",
            "max_overlap_m",
            "psi",
            "chi",
        ],
    );
    for (solution, case) in results.solutions.iter().zip(results.cases[..results.options.angles.len()].iter().cycle()) {
        let rebound = &solution.rebound;
        let normal =
            |of: fn(&dem_reference::hertz_impact::NormalImpact) -> f64| solution.normal.as_ref().map_or(f64::NAN, of);
        table.push([
            solution.name.into(),
            solution.angle.into(),
            (rebound.normal_speed / solution.oblique.normal_speed).into(),
            rebound.tangential_restitution.into(),
            rebound.contact_angle().to_degrees().into(),
            rebound.centre_angle().to_degrees().into(),
            solution.spin(case).into(),
            normal(|n| n.duration).into(),
            normal(|n| n.force).into(),
            normal(|n| n.overlap).into(),
            solution.oblique.psi().into(),
            solution.oblique.pair.chi().into(),
        ]);
    }
    table
}

fn histories(results: &Results) -> Result<Table, StudyError> {
    let mut table = Table::new(
        "impact_histories",
        &[
            "law",
            "angle_deg",
            "time_s",
            "overlap_m",
            "normal_velocity_m_s",
            "tangential_velocity_m_s",
            "spin_rad_s",
            "contact_velocity_m_s",
            "displacement_m",
            "elastic_slip_m",
            "normal_force_N",
            "tangential_force_N",
            "mode",
            "kinetic_J",
            "elastic_normal_J",
            "elastic_tangential_J",
            "friction_work_J",
            "viscous_work_J",
            "released_work_J",
            "imbalance_J",
            "tau",
            "f_n",
            "f_t",
            "psi",
            "delta_t",
            "chi",
        ],
    );
    let shown = results.shown_angles();
    for (case, collision) in results.main_cases().filter(|(case, _)| shown.contains(&case.angle)) {
        // without friction there are no scales of tangential quantities
        let scales = case.scales().ok();
        push_history(&mut table, case, collision, scales.as_ref());
    }
    Ok(table)
}

fn push_history(table: &mut Table, case: &Case, collision: &Collision, scales: Option<&Scales>) {
    let stride = (collision.history.len() / HISTORY_ROWS).max(1);
    let last = collision.history.len() - 1;
    let kept = collision.history.iter().enumerate().filter(|(k, _)| k % stride == 0 || *k == last);
    for (_, m) in kept {
        let scaled = |value: f64, scale: fn(&Scales) -> f64| scales.map_or(f64::NAN, |s| value / scale(s));
        let cells: [Value; 26] = [
            case.bodies.law.label.as_str().into(),
            case.angle.into(),
            m.time.into(),
            m.overlap.into(),
            m.normal_velocity.into(),
            m.tangential_velocity.into(),
            m.spin.into(),
            m.contact_velocity.into(),
            m.displacement.into(),
            m.elastic_slip.into(),
            m.normal_force.into(),
            m.tangential_force.into(),
            format!("{:?}", m.mode).to_lowercase().into(),
            m.kinetic.into(),
            m.elastic_normal.into(),
            m.elastic_tangential.into(),
            m.friction_work.into(),
            m.viscous_work.into(),
            m.released_work.into(),
            m.imbalance.into(),
            (m.time / collision.contact_time).into(),
            scaled(m.normal_force, |s| s.normal_force).into(),
            scaled(m.tangential_force, |s| s.tangential_force).into(),
            scaled(m.contact_velocity, |s| s.velocity).into(),
            scaled(m.displacement, |s| s.displacement).into(),
            scales.map_or(f64::NAN, |s| s.chi).into(),
        ];
        table.push(cells);
    }
}

/// How far each law is from the annuli, and where sliding all the way begins.
pub fn findings(results: &Results) -> Vec<String> {
    let mut findings = Vec::new();
    let solved: Vec<_> = results.solutions.iter().filter(|s| s.name == solutions::ANNULI).collect();
    for law in &results.options.laws {
        let errors =
            results.main_cases().filter(|(case, _)| case.bodies.law.label == law.label).filter_map(|(case, c)| {
                let solution = solved.iter().find(|s| s.angle == case.angle)?;
                Some((c.tangential_restitution() - solution.rebound.tangential_restitution, case.angle))
            });
        if let Some((error, angle)) = errors.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) {
            findings.push(format!(
                "{}: e_t differs from the annuli of Maw, Barber and Fawcett by at most {error:+.2e}, at {angle} degrees.",
                law.label
            ));
        }
    }
    if let Some(solution) = solved.first() {
        findings.push(format!(
            "Without spin this pair slides all the way above {:.2} degrees (tan α = μ (7 − 1/κ)).",
            solution.oblique.pair.critical_angle().to_degrees()
        ));
    }
    findings
}
