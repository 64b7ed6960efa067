use super::super::*;
use super::*;
use crate::insertion::pouring::PouringState;

fn settings(rate: PouringRate, limit: Option<PouringLimit>) -> PouringSettings {
    PouringSettings {
        rate,
        region: Region::Box { min: DVec3::ZERO, max: DVec3::ONE },
        sizes: SizeDistribution::Uniform { min: 0.01, max: 0.03 },
        bodies: None,
        density: 2500.0,
        velocity: DVec3::NEG_Z,
        limit,
        gap: 0.0,
        trials: 50,
        periodic: PeriodicLengths { lengths: [Some(1.0), None, None], origin: DVec3::ZERO },
    }
}

fn free(_: DVec3, _: f64) -> bool {
    true
}

#[test]
fn number_rate_is_met_exactly() {
    // Amounts per step whose sum is not exact: ten times 0.1 is below 1.
    for (rate, step, every) in [(7.0, 1e-3, 1000), (10.0, 1e-2, 100)] {
        let rate_setting = PouringRate::NumberPerSecond(rate);
        let mut pouring = Pouring::new(settings(rate_setting, None), rng(1)).unwrap();
        for number in 1..=10_000_u64 {
            pouring.due(step, &mut free).unwrap();
            assert_eq!(pouring.count(), rate as u64 * number / every, "{number}");
        }
        assert_eq!(pouring.blocked_time(), 0.0);
    }
}

#[test]
fn mass_rate_is_met_to_one_sphere() {
    let mut pouring = Pouring::new(settings(PouringRate::MassPerSecond(3.0), None), rng(1)).unwrap();
    let heaviest = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.03_f64.powi(3);
    let mut mass = 0.0;
    for step in 1..=5000 {
        for sphere in pouring.due(1e-3, &mut free).unwrap() {
            mass += 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * sphere.radius.powi(3);
        }
        let owed = 3e-3 * f64::from(step) - mass;
        // Nothing is late by more than one sphere; 1e-9 is the error of the sum.
        assert!((-1e-9..heaviest).contains(&owed), "{owed}");
        assert!((pouring.owed_mass() - owed).abs() < 1e-9);
    }
    assert!((pouring.mass() - mass).abs() < 1e-9);
}

#[test]
fn limits_are_met() {
    let fast = PouringRate::NumberPerSecond(1000.0);
    let count = settings(fast, Some(PouringLimit::Count(25)));
    let mut pouring = Pouring::new(count, rng(1)).unwrap();
    assert_eq!(pouring.due(1.0, &mut free).unwrap().len(), 25);
    assert!(pouring.is_finished());
    assert!(pouring.due(1.0, &mut free).unwrap().is_empty());

    let mass = settings(fast, Some(PouringLimit::Mass(5.0)));
    let mut pouring = Pouring::new(mass, rng(1)).unwrap();
    for _ in 0..1000 {
        pouring.due(1e-3, &mut free).unwrap();
    }
    assert!(pouring.is_finished());
    let heaviest = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.03_f64.powi(3);
    assert!((pouring.mass() - 5.0).abs() <= 0.5 * heaviest);

    let none = settings(fast, Some(PouringLimit::Count(0)));
    assert!(Pouring::new(none, rng(1)).unwrap().is_finished());
}

#[test]
fn what_does_not_fit_stays_owed_and_comes_later() {
    let mut wanted = settings(PouringRate::NumberPerSecond(10.0), None);
    wanted.sizes = SizeDistribution::Single { radius: 0.01 };
    let mut pouring = Pouring::new(wanted, rng(1)).unwrap();
    let mut tries = 0;
    for _ in 0..10 {
        let spheres = pouring.due(0.1, &mut |_, _| {
            tries += 1;
            false
        });
        assert!(spheres.unwrap().is_empty());
    }
    assert_eq!(tries, 10 * 50, "bounded trials per call");
    assert!((pouring.blocked_time() - 1.0).abs() < 1e-12);
    assert_eq!(pouring.due(0.0, &mut free).unwrap().len(), 10);
    assert_eq!(pouring.count(), 10);
}

#[test]
fn spheres_of_one_call_are_clear_of_each_other_across_the_face() {
    let pouring = settings(PouringRate::NumberPerSecond(2000.0), None);
    let periodic = pouring.periodic;
    let region = pouring.region.clone();
    let mut pouring = Pouring::new(pouring, rng(1)).unwrap();
    let spheres = pouring.due(1.0, &mut free).unwrap();
    assert!(spheres.len() > 1000, "{}", spheres.len());
    assert!(
        smallest_gap(
            &spheres.iter().map(|s| NewSphere { centre: s.centre, radius: s.radius }).collect::<Vec<_>>(),
            &periodic
        ) >= -1e-14
    );
    let crossing = spheres.iter().filter(|s| s.centre.x < s.radius);
    assert!(crossing.count() > 0);
    for sphere in &spheres {
        assert!(region.contains_sphere(sphere.centre, sphere.radius, &periodic));
    }
}

#[test]
fn same_bits_after_round_trip() {
    let wanted = settings(PouringRate::MassPerSecond(2.7), None);
    let mut straight = Pouring::new(wanted.clone(), rng(9)).unwrap();
    let mut crowded = |_: DVec3, radius: f64| radius < 0.02;
    for _ in 0..37 {
        straight.due(0.013, &mut crowded).unwrap();
    }
    let text = serde_json::to_string(straight.state()).unwrap();
    let state: PouringState = serde_json::from_str(&text).unwrap();
    assert_eq!(&state, straight.state());
    let mut resumed = Pouring::resume(wanted, state).unwrap();
    for _ in 0..200 {
        let expected = straight.due(0.013, &mut free).unwrap();
        assert_eq!(resumed.due(0.013, &mut free).unwrap(), expected);
    }
    assert_eq!(resumed.state(), straight.state());
    assert!(resumed.blocked_time() > 0.0);
}

#[test]
fn same_seed_gives_the_same_bits_on_every_platform() {
    let mut pouring = Pouring::new(settings(PouringRate::NumberPerSecond(1.0), None), rng(42)).unwrap();
    let sphere = pouring.due(1.0, &mut free).unwrap()[0];
    let bits = [sphere.centre.x, sphere.centre.y, sphere.centre.z, sphere.radius];
    let bits = bits.map(f64::to_bits);
    assert_eq!(bits, [0x3fc1103115791f34, 0x3fd72d03c7746aa7, 0x3fce5c86cb9a8b2a, 0x3f95fcb63a5746c6], "{bits:#x?}");
}

#[test]
fn bad_settings_and_states_are_refused() {
    let good = settings(PouringRate::NumberPerSecond(1.0), None);
    for bad in [
        PouringSettings { rate: PouringRate::MassPerSecond(0.0), ..good.clone() },
        PouringSettings { density: -1.0, ..good.clone() },
        PouringSettings { trials: 0, ..good.clone() },
        PouringSettings { velocity: DVec3::NAN, ..good.clone() },
        PouringSettings { sizes: SizeDistribution::Single { radius: 0.6 }, ..good.clone() },
    ] {
        assert!(Pouring::new(bad, rng(1)).is_err());
    }
    let mut pouring = Pouring::new(good.clone(), rng(1)).unwrap();
    assert!(pouring.due(f64::NAN, &mut free).is_err());
    assert!(pouring.due(-1.0, &mut free).is_err());
    let state = pouring.state().clone();
    let other = PouringSettings { sizes: SizeDistribution::Single { radius: 0.1 }, ..good };
    assert!(Pouring::resume(other, state).is_err());
}
