//! Dashpots in parallel with the tangential spring.

use super::*;

const OVERLAP: f64 = 1e-5;

/// Force of the dashpot alone over the slip velocity, while the contact sticks: the spring is taken off by slipping the same way at another speed.
fn viscosity<L: ContactLaw>(given: &[(String, ParameterValue)]) -> f64 {
    let force = |time_step: f64| {
        let mut drive = Drive::new(law::<L>(given).unwrap(), OVERLAP);
        drive.step(OVERLAP, DVec3::Y * 1e-9, time_step);
        drive.force.y
    };
    // speeds of 2e-4 and 1e-4 m/s
    (force(1e-5) - force(5e-6)) / 1e-4
}

#[test]
fn viscosity_is_a_rate_times_the_mass_or_a_share_of_critical() {
    let (mass, stiffness): (f64, f64) = (1e-3, 0.8 * 2e5);
    let rate = viscosity::<Linear>(&given![stiffness_ratio = 0.8, tangential_damping_rate = 700.0]);
    assert!((rate / (700.0 * mass) - 1.0).abs() < 1e-9, "{rate}");
    let ratio = viscosity::<Linear>(&given![stiffness_ratio = 0.8, tangential_damping_ratio = 0.1]);
    assert!((ratio / (0.2 * (stiffness * mass).sqrt()) - 1.0).abs() < 1e-9, "{ratio}");
    assert_eq!(viscosity::<Linear>(&given![tangential_damping_rate = 0.0]), 0.0);
}

/// c_n = 2ζ √(k m*) of the linear spring, 2ζ √(2E* a m*) of Hertz, γ m* of a rate; clipped or not.
#[test]
fn viscosity_is_a_share_of_the_normal_one() {
    let mass: f64 = 1e-3;
    let of_ratio = |stiffness: f64| 0.3 * 0.4 * (stiffness * mass).sqrt();
    let hertz = of_ratio(2.0 * pair().effective_young_modulus * (EFFECTIVE_RADIUS * OVERLAP).sqrt());
    for no_tension in [true, false] {
        let given = given![damping_ratio = 0.2, tangential_damping_share = 0.3, no_tension = no_tension];
        for (found, expected) in [
            (viscosity::<Linear>(&given), of_ratio(2e5)),
            (viscosity::<HertzMindlin>(&given), hertz),
            (viscosity::<Mindlin>(&given), hertz),
            (viscosity::<MindlinTotal>(&given), hertz),
        ] {
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }
    let rate = viscosity::<Linear>(&given![damping_rate = 700.0, tangential_damping_share = 0.3]);
    assert!((rate / (0.3 * 700.0 * mass) - 1.0).abs() < 1e-9, "{rate}");
    assert_eq!(viscosity::<HertzMindlin>(&given![damping_ratio = 0.2, tangential_damping_share = 0.0]), 0.0);
}

/// What the search for a stable time step is given.
#[test]
fn a_law_declares_the_viscosity_that_acts() {
    let given = given![damping_ratio = 0.2, tangential_damping_share = 0.3];
    let declared = law::<HertzMindlin>(&given).unwrap().dashpots(EFFECTIVE_RADIUS, 1e-3, OVERLAP);
    assert!((declared.tangential / viscosity::<HertzMindlin>(&given) - 1.0).abs() < 1e-9);
    assert!((declared.tangential / declared.normal - 0.3).abs() < 1e-15);
}

#[test]
fn two_together_are_refused_at_the_second() {
    let refused = |given: &[(String, ParameterValue)], second| {
        let error = law::<Linear>(given).unwrap_err();
        assert_eq!(error.parameter, second);
        assert!(error.message.contains("give one of the two"), "{error}");
    };
    refused(&given![tangential_damping_ratio = 0.1, tangential_damping_rate = 700.0], "tangential_damping_rate");
    refused(&given![tangential_damping_ratio = 0.1, tangential_damping_share = 0.5], "tangential_damping_share");
    refused(&given![tangential_damping_rate = 700.0, tangential_damping_share = 0.5], "tangential_damping_share");
}
