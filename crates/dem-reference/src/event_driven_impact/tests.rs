use super::*;

/// The sphere of the source: E = 0.3 GPa, ν = 0.3, 1000 kg/m³, Kohring's tangential stiffness with its factor 2/3.
fn published() -> SpringSlider {
    let (radius, mass): (f64, f64) = (0.05, 1000.0 * std::f64::consts::PI / 6.0 * 1e-3);
    let modulus = 0.3e9 / (2.0 * (1.0 - 0.09));
    SpringSlider {
        normal: NormalSpring::Hertz(4.0 / 3.0 * modulus * radius.sqrt()),
        stiffness_ratio: 4.0 / 3.0 * (1.0 - 0.3) / (2.0 - 0.3),
        friction: 0.3,
        mass,
        inertia: 0.4 * mass * radius * radius,
        radius,
        lever: Lever::MiddleOfOverlap,
        gravity: 9.81,
    }
}

fn ends(impact: &Impact) -> Vec<f64> {
    impact.intervals.iter().map(|interval| interval.end / impact.duration()).collect()
}

fn modes(impact: &Impact) -> Vec<Mode> {
    impact.intervals.iter().map(|interval| interval.mode).collect()
}

/// Times at which the continuous elongation changes sign, over the duration.
fn zeros_of_the_elongation(impact: &Impact) -> Vec<f64> {
    let passes = |pair: &&[Moment]| pair[0].continuous_elongation * pair[1].continuous_elongation < 0.0;
    impact.history.windows(2).filter(passes).map(|pair| pair[1].time / impact.duration()).collect()
}

const FIVE_MODES: [Mode; 5] =
    [Mode::Slip, Mode::ElasticLoading, Mode::ElasticUnloading, Mode::ReverseLoading, Mode::Slip];

#[test]
fn the_published_impact_has_five_modes() {
    // both readings of the sign of the spin; independent values: v_c = 0 at 0.470 and 0.423, the elongation changes sign in the
    // last slip at 0.837 and 0.814, jump of the secant elongation 2.2e-6 m, continuous elongation 5.15e-5 m at separation
    let (one, other) = (published().impact(0.2, 0.02, 3.6).unwrap(), published().impact(0.2, 0.02, -3.6).unwrap());
    assert_eq!(modes(&one), FIVE_MODES);
    assert_eq!(modes(&other), FIVE_MODES);
    assert!((ends(&one)[1] - 0.470).abs() < 5e-4, "{:?}", ends(&one));
    assert!((ends(&other)[1] - 0.4225).abs() < 1e-3, "{:?}", ends(&other));
    assert!((zeros_of_the_elongation(&one)[1] - 0.837).abs() < 5e-4);
    assert!((zeros_of_the_elongation(&other)[1] - 0.814).abs() < 5e-4);
    assert!((one.intervals[4].secant_jump.abs() - 2.2e-6).abs() < 0.05e-6);
    assert!((one.history.last().unwrap().continuous_elongation - 5.15e-5).abs() < 0.01e-5);
    assert!(one.reversals_in_slip.is_empty() && other.reversals_in_slip.is_empty());
}

#[test]
fn a_fast_contact_reverses_while_it_slips() {
    let impact = published().impact(0.2, 0.3, 0.0).unwrap();
    assert_eq!(impact.reversals_in_slip.len(), 1);
    let reversal = impact.reversals_in_slip[0] / impact.duration();
    assert!((reversal - 0.593).abs() < 5e-4, "{reversal}");
    let end = impact.history.last().unwrap().contact_velocity;
    assert!((end + 0.136).abs() < 5e-4, "{end}");
    // slip to stick is then from the limit straight into unloading
    assert_eq!(modes(&impact)[1], Mode::ElasticUnloading);
}

#[test]
fn the_secant_elongation_jumps_and_the_continuous_one_does_not() {
    let impact = published().impact(0.2, 0.02, 3.6).unwrap();
    let largest = |of: fn(&Moment) -> f64, from: f64| {
        let late = impact.history.iter().filter(|moment| moment.time >= from).collect::<Vec<_>>();
        late.windows(2).map(|pair| (of(pair[1]) - of(pair[0])).abs()).fold(0.0, f64::max)
    };
    let from = impact.intervals[3].start;
    assert!(largest(|moment| moment.secant_elongation, from) > 2e-6);
    assert!(largest(|moment| moment.continuous_elongation, from) < 1e-7);
}

#[test]
fn the_second_contact_of_the_published_sphere_jumps_by_more_than_half() {
    // independent values: 2.4e-5 m, 57 % of the elongation
    let end = *published().impact(0.2, 0.02, 3.6).unwrap().history.last().unwrap();
    let second = published().impact(-end.normal_velocity, end.tangential_velocity, end.spin).unwrap();
    assert_eq!(modes(&second), FIVE_MODES);
    let jump = second.intervals[4].secant_jump;
    assert!((jump.abs() - 2.4e-5).abs() < 0.1e-5, "{jump}");
}

#[test]
fn energy_is_kept_while_the_contact_sticks_on_linear_springs() {
    let contact = SpringSlider { normal: NormalSpring::Linear(1e5), friction: 10.0, gravity: 0.0, ..published() };
    let impact = SpringSlider { lever: Lever::Radius, ..contact }.impact(0.2, 0.05, 0.0).unwrap();
    let slips = impact.intervals.iter().find(|interval| interval.mode == Mode::Slip);
    let stuck_until = slips.map_or(impact.duration(), |interval| interval.start);
    assert!(stuck_until > 0.9 * impact.duration());
    for moment in impact.history.iter().filter(|moment| moment.time <= stuck_until) {
        let tangential_stiffness = contact.stiffness_ratio * 1e5;
        let energy = 0.5 * contact.mass * (moment.normal_velocity.powi(2) + moment.tangential_velocity.powi(2))
            + 0.5 * contact.inertia * moment.spin.powi(2)
            + 0.5 * 1e5 * moment.overlap.powi(2)
            + 0.5 * moment.tangential_force.powi(2) / tangential_stiffness;
        let start = 0.5 * contact.mass * (0.04 + 0.0025);
        assert!((energy / start - 1.0).abs() < 1e-12, "{energy} {start}");
    }
}

#[test]
fn switches_of_a_linear_contact_lie_where_the_closed_form_has_them() {
    let (k, v) = (1e5, 0.2);
    let contact = SpringSlider {
        normal: NormalSpring::Linear(k),
        lever: Lever::Radius,
        gravity: 0.0,
        stiffness_ratio: 0.8,
        ..published()
    };
    let contact_velocity = 2.0 * contact.friction * v / 0.8;
    let impact = contact.impact(v, contact_velocity, 0.0).unwrap();
    assert_eq!(modes(&impact), FIVE_MODES);
    let frequency = (k / contact.mass).sqrt();
    assert!((impact.duration() * frequency / std::f64::consts::PI - 1.0).abs() < 1e-12);
    // slip until κ v_c = μ ḣ with v_c = v_c0 − (7/2) μ v (1 − cos ωt), ḣ = v cos ωt, ψ0 = 2
    let chi: f64 = 0.5 * 0.8 * 3.5;
    let stick = ((2.0 * chi - 2.0) / (2.0 * chi - 1.0)).acos() / frequency;
    // then an oscillator with ω_t² = (7/2) k_t/m from T₁ = μN and v₁ = μ ḣ/κ
    let tangential = (3.5 * 0.8 * k / contact.mass).sqrt();
    let force = contact.friction * v * (k * contact.mass).sqrt() * (frequency * stick).sin();
    let velocity = contact.friction * v * (frequency * stick).cos() / 0.8;
    let rest = stick + (0.8 * k * velocity / tangential).atan2(force) / tangential;
    let reverse = rest + 0.5 * std::f64::consts::PI / tangential;
    for (interval, exact) in impact.intervals.iter().zip([stick, rest, reverse]) {
        assert!((interval.end / exact - 1.0).abs() < 1e-12, "{:?}: {} {exact}", interval.mode, interval.end);
    }
}

#[test]
fn an_impact_beyond_the_critical_angle_is_one_slip() {
    let contact = SpringSlider { lever: Lever::Radius, gravity: 0.0, ..published() };
    let chi = 1.75 * contact.stiffness_ratio;
    let at_psi = |psi: f64| {
        let velocity = psi * contact.friction * 0.2 / contact.stiffness_ratio;
        modes(&contact.impact(0.2, velocity, 0.0).unwrap())
    };
    assert_eq!(at_psi(4.0 * chi - 1.0 + 1e-6), [Mode::Slip]);
    assert!(at_psi(4.0 * chi - 1.0 - 1e-3).len() > 1);
    assert_eq!(at_psi(0.999)[0], Mode::ElasticLoading);
}

#[test]
fn constants_out_of_range_are_refused() {
    assert!(published().impact(0.0, 0.1, 0.0).is_err());
    assert!(SpringSlider { mass: -1.0, ..published() }.impact(0.2, 0.1, 0.0).is_err());
}
