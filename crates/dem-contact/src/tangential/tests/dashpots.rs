//! Dashpots beside the tangential spring.

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

#[test]
fn both_together_are_refused() {
    let both = given![tangential_damping_ratio = 0.1, tangential_damping_rate = 700.0];
    let error = law::<Linear>(&both).unwrap_err();
    assert_eq!(error.parameter, "tangential_damping_rate");
    assert!(error.message.contains("give one of the two"), "{error}");
}
