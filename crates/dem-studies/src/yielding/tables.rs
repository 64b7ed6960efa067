//! Tables and findings of the study.

use dem_report::table::{Table, Value};

use super::results::Results;

/// All tables; that of the impacts is the first.
pub fn all(results: &Results<'_>) -> Vec<Table> {
    let mut impacts = Table::new(
        "yield",
        &[
            "law",
            "speed_m_s",
            "restitution",
            "expected_restitution",
            "difference",
            "plastic_work_J",
            "viscous_work_J",
            "imbalance_over_kinetic",
        ],
    );
    for impact in &results.impacts {
        let law = &results.laws[impact.law];
        let (found, expected) = (impact.rebound.restitution, results.bodies.expected(law, impact.speed));
        let cells: [Value; 8] = [
            law.label.into(),
            impact.speed.into(),
            found.into(),
            expected.into(),
            (found - expected).into(),
            impact.rebound.plastic_work().into(),
            impact.rebound.end.viscous.into(),
            impact.rebound.imbalance().into(),
        ];
        impacts.push(cells);
    }
    let mut laws = Table::new("yield_laws", &["law", "as_written"]);
    for law in &results.laws {
        laws.push([law.label.into(), law.law.label.as_str().into()]);
    }
    vec![impacts, laws]
}

/// How far each law is from its closed form.
pub fn findings(results: &Results<'_>) -> Vec<String> {
    let of = |number: usize| {
        let law = &results.laws[number];
        let own = results.impacts.iter().filter(|impact| impact.law == number);
        let apart = own.map(|impact| (impact.rebound.restitution - results.bodies.expected(law, impact.speed)).abs());
        format!("{}: restitution within {:.1e} of its closed form.", law.label, apart.fold(0.0, f64::max))
    };
    (0..results.laws.len()).map(of).collect()
}
