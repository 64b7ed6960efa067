//! What a profile says, and what it cannot say.

use super::bond_order::LARGEST_SPREAD;
use super::results::Results;

/// Width of a bin in mean diameters below which neighbouring bins see the same spheres.
const NARROW: f64 = 0.02;
/// Fewest spheres in a bin for an average to be one.
const FEWEST_SPHERES: f64 = 10.0;

/// All findings.
pub fn all(results: &Results) -> Vec<String> {
    let mut findings = vec![extent(results), solid_fraction(results)];
    findings.extend(warnings(results));
    if let Some(waves) = &results.waves {
        findings.push(format!(
            "The solid fraction peaks {:.2} and {:.2} mean diameters from the wall, a period of {:.2}; up to 3 diameters from the wall the \
             porosity differs by {:.3} (root mean square) from the correlation of de Klerk (2003) for equal spheres with a porosity of {:.4} \
             far from the wall.",
            waves.peaks[0], waves.peaks[1], waves.period, waves.deviation, waves.bulk
        ));
    }
    if let Some(contacts) = &results.contact_numbers {
        findings.push(format!(
            "Coordination {:.4}, {:.4} without {} rattlers (fewer than {} contacts, walls counted, removed one after the other), {:.4} over \
             particles with at least two neighbours.",
            contacts.coordination,
            contacts.without_rattlers,
            contacts.rattlers,
            contacts.threshold,
            contacts.mechanical
        ));
    }
    if let Some(found) = &results.radial_distribution {
        findings.push(format!(
            "Radial distribution of {} centres at least {:.2} mean diameters from the limits of the region.",
            found.centres,
            found.clearance / results.last.mean_diameter()
        ));
    }
    let spread = results.last.size_spread();
    if let Some(order) = &results.bond_order {
        findings.push(format!(
            "q6 of the Voronoi neighbours {:.4} ± {:.4} over {} particles, Q6 of all together {:.4}.",
            order.local, order.spread, order.particles, order.global
        ));
    } else if spread > LARGEST_SPREAD {
        findings.push(format!(
            "q6 is left out: the radii differ by {:.1} % (standard deviation), beyond {:.0} % it says more about sizes than about order.",
            100.0 * spread,
            100.0 * LARGEST_SPREAD
        ));
    } else {
        findings.push("q6 is left out: no particle of the region has a closed Voronoi cell.".to_owned());
    }
    findings
}

fn extent(results: &Results) -> String {
    let (bins, times) = (&results.bins, &results.times);
    let first = times.first().copied().unwrap_or_default();
    let frames = match times.len() {
        1 => format!("the frame at {first} s"),
        count => format!("{count} frames from {first} s to {} s", times.last().copied().unwrap_or_default()),
    };
    format!(
        "{} bins along {} of {:.4e} m ({:.3} mean diameters) in a {}, from {frames}.",
        bins.count(),
        bins.axis.name(),
        bins.width(),
        bins.width() / results.last.mean_diameter(),
        bins.region.describe()
    )
}

fn solid_fraction(results: &Results) -> String {
    let solid: f64 = results.sums.iter().map(|sum| sum.volume).sum();
    let fraction = solid / (results.bins.region.volume() * results.times.len() as f64);
    let all = results.last.solid_volume();
    let lens = |c: &super::assembly::Contact| {
        let Some(second) = c.second else { return 0.0 };
        let (a, b) = (results.last.radius[c.first], results.last.radius[second]);
        let distance = a + b - c.overlap;
        let shape = distance * distance + 2.0 * distance * (a + b) - 3.0 * (a - b) * (a - b);
        std::f64::consts::PI * c.overlap * c.overlap * shape / (12.0 * distance)
    };
    let twice: f64 = results.last.contact_list().iter().map(lens).sum();
    format!(
        "Solid fraction {fraction:.5} of the region; what overlaps of spheres count twice is {:.1e} of the solid volume.",
        twice / all
    )
}

fn warnings(results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    let width = results.bins.width() / results.last.mean_diameter();
    if width < NARROW {
        warnings.push(format!(
            "Warning: bins of {width:.4} mean diameters are narrower than {NARROW}: the volumes are exact, but neighbouring bins hold the same \
             spheres, and averages over them do not differ by more than noise."
        ));
    }
    let frames = results.times.len() as f64;
    let inside = results.sums.iter().filter(|sum| sum.spheres > 0.0);
    let few = inside.filter(|sum| sum.spheres / frames < FEWEST_SPHERES).count();
    if few > 0 {
        warnings.push(format!(
            "Warning: {few} bins hold parts of fewer than {FEWEST_SPHERES} spheres; fewer bins or a larger region carry more."
        ));
    }
    if !results.has_contacts {
        warnings.push(
            "Warning: the snapshots do not hold contacts (output.contacts = false): coordination and stress are left out.".to_owned(),
        );
    }
    warnings
}
