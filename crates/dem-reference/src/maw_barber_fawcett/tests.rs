use super::*;
use crate::constant_load_slip::ConstantLoad;
use crate::kharaz::{Quantity, kharaz, measured_rebounds};
use crate::many_spring_foundation;
use crate::oblique_impact::{ElasticPair, ObliqueImpact};
use crate::scaled_impact::rebound;

const ANGLES: [f64; 5] = [2.0, 5.0, 10.0, 20.0, 30.0];

fn at(degrees: f64) -> ObliqueImpact {
    kharaz(degrees.to_radians()).unwrap()
}

fn restitution(oblique: &ObliqueImpact, history: &[Moment]) -> f64 {
    rebound(oblique, history).tangential_restitution
}

fn annuli(influence: &AnnuliInfluence, degrees: f64) -> f64 {
    let oblique = at(degrees);
    restitution(&oblique, &impact(influence, oblique.psi(), oblique.pair.chi()).unwrap())
}

fn springs(count: usize, degrees: f64) -> f64 {
    let oblique = at(degrees);
    restitution(&oblique, &many_spring_foundation::impact(count, oblique.psi(), oblique.pair.chi()).unwrap())
}

/// Looks at every step of an impact.
struct Watched<'a> {
    contact: AnnuliContact<'a>,
    /// Largest traction over the limit of friction in any stuck annulus.
    largest_traction: f64,
}

impl TangentialContact for Watched<'_> {
    fn advance(&mut self, contact_radius: f64, displaced: f64) -> Result<f64, ReferenceError> {
        let force = self.contact.advance(contact_radius, displaced)?;
        let influence = self.contact.influence;
        for annulus in 0..self.contact.weights.len() {
            let r = influence.middle(annulus);
            let shape = |b: f64| (1.0 - r * r / (b * b)).max(0.0).sqrt();
            let inner: f64 = (annulus..self.contact.weights.len())
                .map(|k| self.contact.weights[k] * shape(influence.radius(k)))
                .sum();
            let traction = inner + self.contact.edge_weight * shape(contact_radius);
            self.largest_traction =
                self.largest_traction.max(traction.abs() / (contact_radius * shape(contact_radius)));
        }
        Ok(force)
    }
}

#[test]
fn stuck_annuli_keep_below_friction() {
    let influence = AnnuliInfluence::new(100).unwrap();
    for degrees in [2.0, 5.0, 10.0, 20.0, 27.0] {
        let oblique = at(degrees);
        let mut watched = Watched { contact: AnnuliContact::new(&influence), largest_traction: 0.0 };
        run(oblique.psi(), oblique.pair.chi(), &phases(&influence), &mut watched).unwrap();
        assert!((0.9..1.0 + 1e-9).contains(&watched.largest_traction), "{degrees}: {}", watched.largest_traction);
    }
}

#[test]
fn a_path_under_constant_load_runs_through_the_loops_of_mindlin() {
    let influence = AnnuliInfluence::new(200).unwrap();
    let mut contact = AnnuliContact::new(&influence);
    let radius = 0.8_f64;
    // springs of the scaled contact: 3/2 of the radius
    let load = ConstantLoad { limit: radius.powi(3), stiffness: 1.5 * radius };
    let slip = 0.7 * load.full_slip();
    contact.advance(radius, 0.0).unwrap();
    let close = |force: f64, exact: f64| assert!((force - exact).abs() < 2e-3 * load.limit, "{force} {exact}");
    let loaded = contact.advance(radius, slip).unwrap();
    close(loaded, load.loading(slip));
    let unloaded = contact.advance(radius, -0.2 * slip).unwrap();
    close(unloaded, load.from_turning_point(loaded, -1.2 * slip));
    let reloaded = contact.advance(radius, 0.5 * slip).unwrap();
    close(reloaded, load.from_turning_point(unloaded, 0.7 * slip));
    close(contact.advance(radius, 2.0 * load.full_slip()).unwrap(), load.limit);
}

#[test]
fn restitution_of_the_kharaz_impact() {
    let influence = AnnuliInfluence::new(100).unwrap();
    for (degrees, known) in ANGLES.into_iter().zip([0.774, 0.736, 0.636, 0.592, 0.681]) {
        let value = annuli(&influence, degrees);
        assert!((value - known).abs() < 1e-3, "{degrees}: {value}");
    }
}

#[test]
fn annuli_and_springs_agree() {
    let influence = AnnuliInfluence::new(200).unwrap();
    for degrees in ANGLES {
        let (one, other) = (annuli(&influence, degrees), springs(400, degrees));
        assert!((one - other).abs() < 5e-5, "{degrees}: {one} {other}");
    }
}

#[test]
fn annuli_converge_with_their_number() {
    let exact = springs(2000, 5.0);
    let errors = [50, 100, 200].map(|n| (annuli(&AnnuliInfluence::new(n).unwrap(), 5.0) - exact).abs());
    assert!(errors[0] > 2.5 * errors[1] && errors[1] > 2.5 * errors[2], "{errors:?}");
}

/// Prints the table of the documentation.
#[test]
#[ignore = "takes minutes unless optimised: cargo test --release -p dem-reference --lib thousand_annuli -- --ignored --nocapture"]
fn a_thousand_annuli_agree_with_two_thousand_springs() {
    let clock = std::time::Instant::now();
    let influence = AnnuliInfluence::new(1000).unwrap();
    println!("factors {:?}", clock.elapsed());
    for degrees in ANGLES {
        let clock = std::time::Instant::now();
        let one = annuli(&influence, degrees);
        let spent = clock.elapsed();
        let other = springs(2000, degrees);
        println!("{degrees} deg: annuli {one:.6} ({spent:?}), springs {other:.6} ({:?})", clock.elapsed() - spent);
        assert!((one - other).abs() < 1e-5, "{degrees}: {one} {other}");
    }
}

#[test]
fn impacts_beyond_the_critical_angle_slide_all_the_way() {
    let influence = AnnuliInfluence::new(100).unwrap();
    let slides = |degrees: f64| {
        let oblique = at(degrees);
        let history = impact(&influence, oblique.psi(), oblique.pair.chi()).unwrap();
        // the first and last moments have no annulus in contact
        let mut resolved = history.iter().filter(|moment| moment.overlap > 1e-3);
        resolved.all(|moment| moment.tangential_force >= moment.normal_force * (1.0 - 1e-9))
    };
    let (mut below, mut above) = (20.0, 40.0);
    while above - below > 1e-4 {
        let middle = 0.5 * (below + above);
        if slides(middle) { above = middle } else { below = middle }
    }
    let closed = at(20.0).pair.critical_angle().to_degrees();
    assert!((above - closed).abs() < 0.01, "{above} {closed}");
    assert!((28.1..28.3).contains(&above), "{above}");
    let oblique = at(50.0);
    let value = annuli(&influence, 50.0);
    assert!((value - oblique.gross_sliding().tangential_restitution).abs() < 1e-4, "{value}");
}

#[test]
fn measured_rebounds_lie_within_their_reading_error() {
    let influence = AnnuliInfluence::new(50).unwrap();
    for point in measured_rebounds() {
        let oblique = at(point.angle);
        let history = impact(&influence, oblique.psi(), oblique.pair.chi()).unwrap();
        let rebound = rebound(&oblique, &history);
        let (ours, tolerance) = match point.quantity {
            Quantity::TangentialRestitution => (rebound.tangential_restitution, 0.04),
            Quantity::Spin => (rebound.surface_speed / 2.5e-3, 50.0),
            Quantity::ContactAngle => (rebound.contact_angle().to_degrees(), 4.0),
        };
        assert!((ours - point.value).abs() < tolerance, "{point:?}: {ours}");
    }
}

#[test]
fn spheres_and_a_wall_differ_in_the_effective_constants_only() {
    let wall = at(7.0);
    let solid = crate::oblique_impact::Solid::isotropic(70e9, 0.25);
    let pair = ElasticPair::spheres([2e-3, 3e-3], 2500.0, [solid, solid], 0.2).unwrap();
    let other = ObliqueImpact { pair, ..wall };
    assert!((other.pair.chi() - 1.75 * other.pair.stiffness_ratio()).abs() < 1e-14);
    let influence = AnnuliInfluence::new(30).unwrap();
    let history = impact(&influence, other.psi(), other.pair.chi()).unwrap();
    let rebound = rebound(&other, &history);
    // momentum and angular momentum about the contact
    let lost = other.tangential_velocity - rebound.tangential_velocity;
    assert!((2.5 * lost + rebound.surface_speed).abs() < 1e-14);
}
