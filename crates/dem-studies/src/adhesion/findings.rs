//! What the numbers of the study say.

use dem_reference::adhesive_contact::Separation;
use dem_reference::liquid_bridge::PULLS;

use super::bridges::FORMS;
use super::results::Results;

/// A sentence each.
pub fn all(results: &Results<'_>) -> Vec<String> {
    let mut all = vec![pulls(results), losses(results), sticking(results)];
    all.extend(FORMS.map(|form| bridges(results, form)));
    all.push(ruptures(results));
    all
}

fn pulls(results: &Results<'_>) -> String {
    let words = results.curves.iter().map(|curve| {
        let off = curve.found[0] / curve.expected[0] - 1.0;
        format!("{} {:.4e} N ({off:+.1e})", curve.label, curve.found[0])
    });
    format!("Pull-off forces, with what they are off the closed forms: {}.", words.collect::<Vec<_>>().join(", "))
}

fn losses(results: &Results<'_>) -> String {
    let lossy = results.curves.iter().filter(|curve| curve.expected[2] > 0.0);
    let words = lossy.map(|curve| {
        let off = curve.found[2] / curve.expected[2] - 1.0;
        format!("{} {:.4e} J ({off:+.1e})", curve.label, curve.found[2])
    });
    format!("Energy lost by pressing and parting once: {}; the others lose none.", words.collect::<Vec<_>>().join(", "))
}

fn sticking(results: &Results<'_>) -> String {
    let setup = &results.setup;
    let [fold, peak] = [Separation::Fold, Separation::Peak].map(|end| setup.contact.sticking_speed(setup.mass, end));
    let apart = results.impacts.iter().map(|impact| (impact.restitution[0] - impact.restitution[1]).abs());
    format!(
        "This sphere sticks below {:.6} mm/s; if contacts end at the largest pull, below {:.3} of that. Restitutions are within {:.1e} of the closed forms.",
        1e3 * fold,
        peak / fold,
        apart.fold(0.0, f64::max)
    )
}

fn bridges(results: &Results<'_>, form: &str) -> String {
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for bridge in results.bridges.iter().filter(|bridge| bridge.form == form) {
        for exact in PULLS.iter().filter(|pull| pull.volume == bridge.volume && pull.angle == bridge.angle) {
            let error = 100.0 * (bridge.pull(exact.distance) / exact.force - 1.0);
            range = [range[0].min(error), range[1].max(error)];
        }
    }
    let [least, most] = range;
    format!("Liquid bridges, {form}: {least:+.1} to {most:+.1} % off the Young-Laplace equation.")
}

fn ruptures(results: &Results<'_>) -> String {
    let off = results
        .bridges
        .iter()
        .filter_map(|bridge| bridge.exact_rupture.map(|exact| (bridge.rupture / exact - 1.0).abs()))
        .fold(0.0, f64::max);
    format!(
        "Bridges break within {:.1} % of the distance at which the Young-Laplace equation has no solution any more.",
        100.0 * off
    )
}
