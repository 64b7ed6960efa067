//! One step of the classical Runge-Kutta method.

/// State after a step of `step` in the independent variable, error of fifth order in it.
pub fn advance<const N: usize>(rate: impl Fn(&[f64; N]) -> [f64; N], state: &[f64; N], step: f64) -> [f64; N] {
    let moved = |slope: &[f64; N], by: f64| -> [f64; N] { std::array::from_fn(|k| state[k] + by * slope[k]) };
    let first = rate(state);
    let second = rate(&moved(&first, 0.5 * step));
    let third = rate(&moved(&second, 0.5 * step));
    let fourth = rate(&moved(&third, step));
    std::array::from_fn(|k| state[k] + step / 6.0 * (first[k] + 2.0 * (second[k] + third[k]) + fourth[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_step_leaves_a_sixteenth_of_the_error() {
        let error = |steps: usize| {
            let mut state = [1.0, 0.0];
            for _ in 0..steps {
                state = advance(|y| [y[1], -y[0]], &state, 1.0 / steps as f64);
            }
            (state[0] - 1.0_f64.cos()).abs()
        };
        let ratio = error(20) / error(40);
        assert!((ratio - 16.0).abs() < 1.0, "{ratio}");
    }
}
