use super::*;
use crate::runge_kutta::advance;

const MOMENTS: Vector = [1.0, 2.0, 3.0];

/// Starts on both sides of the separatrix, with all signs, and permanent rotations among them.
fn starts() -> impl Iterator<Item = Vector> {
    let sizes =
        [[0.3, 0.2, 1.0], [1.0, 0.3, 0.2], [0.01, 1.0, 0.02], [0.02, 1.0, 0.01], [0.0, 0.0, 1.3], [-0.7, 0.0, 0.0]];
    (0..8).flat_map(move |signs| sizes.map(|w| std::array::from_fn(|k| if signs >> k & 1 == 1 { -w[k] } else { w[k] })))
}

/// Euler's equations and the attitude.
fn rate(y: &[f64; 7]) -> [f64; 7] {
    let [i1, i2, i3] = MOMENTS;
    let [w1, w2, w3, x, y, z, w] = *y;
    let turn = product([x, y, z, w], [0.5 * w1, 0.5 * w2, 0.5 * w3, 0.0]);
    let euler = [(i2 - i3) / i1 * w2 * w3, (i3 - i1) / i2 * w3 * w1, (i1 - i2) / i3 * w1 * w2];
    [euler[0], euler[1], euler[2], turn[0], turn[1], turn[2], turn[3]]
}

fn rotated(q: [f64; 4], v: Vector) -> Vector {
    let [x, y, z, _] = product(product(q, [v[0], v[1], v[2], 0.0]), [-q[0], -q[1], -q[2], q[3]]);
    [x, y, z]
}

fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    (0..N).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max)
}

#[test]
fn angular_velocity_and_attitude_are_those_of_a_runge_kutta_method() {
    for start in starts() {
        let top = FreeTop::new(MOMENTS, start).unwrap();
        let mut state = [start[0], start[1], start[2], 0.0, 0.0, 0.0, 1.0];
        let step = 1e-3;
        for k in 0..=20_000 {
            if [0, 1000, 2000, 3000, 20_000].contains(&k) {
                let time = f64::from(k) * step;
                // what rounding and the method leave, some 1e-14 in the beginning, grows by e^(t/√3) beside the separatrix
                let tolerance = if k <= 3000 { 1e-12 } else { 1e-9 };
                let [w1, w2, w3, x, y, z, w] = state;
                let found = top.angular_velocity(time);
                assert!(distance(found, [w1, w2, w3]) < tolerance, "{start:?} {time}: {found:?} {w1} {w2} {w3}");
                let attitude = top.attitude(time);
                let same: f64 = [x, y, z, w].iter().zip(attitude).map(|(a, b)| a * b).sum();
                let difference = distance(attitude, [x, y, z, w].map(|c| c * same.signum()));
                assert!(difference < tolerance, "{start:?} {time}: {difference:e}");
            }
            state = advance(rate, &state, step);
        }
    }
}

#[test]
fn energy_and_angular_momentum_are_conserved_in_space() {
    for start in starts() {
        let top = FreeTop::new(MOMENTS, start).unwrap();
        let momentum = top.angular_momentum(start);
        for time in [-30.0, 0.0, 0.7, 8.0, 40.0] {
            let w = top.angular_velocity(time);
            assert!(
                (dot(top.angular_momentum(w), w) - dot(momentum, start)).abs() < 1e-14 * dot(momentum, start) * 10.0
            );
            let seen = rotated(top.attitude(time), top.angular_momentum(w));
            // an argument of 40 has an error of 4e-15, and grows in the function by its slope
            assert!(distance(seen, momentum) < 1e-12, "{start:?} {time}: {seen:?} {momentum:?}");
        }
    }
}

#[test]
fn period_of_a_known_top() {
    let top = FreeTop::new(MOMENTS, [0.3, 0.0, 1.0]).unwrap();
    assert!((top.period() - 6.331_121_370).abs() < 5e-10, "{}", top.period());
    for time in [0.0, 1.0, 2.5] {
        assert!(distance(top.angular_velocity(time), top.angular_velocity(time + 7.0 * top.period())) < 1e-13);
    }
}

#[test]
fn top_about_its_intermediate_axis_turns_over_again_and_again() {
    for (about_third, expected) in [(1e-2, 18.851_035_79), (1e-3, 26.828_560_93)] {
        let top = FreeTop::new(MOMENTS, [0.0, 1.0, about_third]).unwrap();
        let time = top.time_between_flips();
        assert!((time - expected).abs() < 5e-9, "{time}");
        for flips in 0..6 {
            let [_, w, _] = top.angular_velocity(flips as f64 * time);
            assert!((w - if flips % 2 == 0 { 1.0 } else { -1.0 }).abs() < 1e-10, "{flips}: {w}");
        }
    }
    // a disturbance grows by √((I₃ − I₂)(I₂ − I₁)/(I₁ I₃)) ω₂ = 1/√3 per time, ten times one takes that much less time to grow
    let flip = |small: f64| FreeTop::new(MOMENTS, [0.0, 1.0, small]).unwrap().time_between_flips();
    let growth = 2.0 * 10.0_f64.ln() / (flip(1e-7) - flip(1e-6));
    assert!((growth - 1.0 / 3.0_f64.sqrt()).abs() < 1e-9, "{growth}");
}

#[test]
fn what_has_no_solution_by_these_functions_is_refused() {
    assert!(FreeTop::new([1.0, 1.0, 2.0], [1.0, 0.0, 0.0]).is_err());
    assert!(FreeTop::new([2.0, 1.0, 3.0], [1.0, 0.0, 0.0]).is_err());
    assert!(FreeTop::new(MOMENTS, [0.0, 1.0, 0.0]).is_err(), "the separatrix");
    assert!(FreeTop::new(MOMENTS, [0.0; 3]).is_err());
}
