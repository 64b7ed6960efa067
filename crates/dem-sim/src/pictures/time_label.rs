//! The simulated time as it is written on pictures.

/// Units of time and their size \[s\].
const UNITS: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("\u{b5}s", 1e-6), ("ns", 1e-9)];
/// Least number of a unit that is used.
const LEAST: f64 = 0.1;
/// Most digits after the point.
const MOST_DIGITS: usize = 6;
/// Digits of a time that stands alone.
const FIGURES: i32 = 4;

/// How times are written, the same for all pictures of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeLabel {
    unit: &'static str,
    size: f64,
    digits: usize,
}

impl TimeLabel {
    /// For times in any order \[s\]: in the unit that suits the last one, with as many digits as their usual distance has.
    pub fn for_times(times: &[f64]) -> Self {
        let mut times: Vec<f64> = times.iter().copied().filter(|time| time.is_finite()).collect();
        times.sort_unstable_by(f64::total_cmp);
        let last = times.iter().fold(0.0, |most: f64, time| most.max(time.abs()));
        let suits = |&&(_, size): &&(&str, f64)| last >= LEAST * size;
        let (unit, size) = *UNITS.iter().find(suits).unwrap_or(if last > 0.0 { &UNITS[3] } else { &UNITS[0] });
        let mut steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|&step| step > 0.0).collect();
        steps.sort_unstable_by(f64::total_cmp);
        let digits = match steps.get(steps.len() / 2) {
            // frames are at whole time steps, which need not divide their distance
            Some(step) => (0..MOST_DIGITS).find(|&digits| {
                let scaled = step / size * 10f64.powi(digits as i32);
                scaled.round() >= 1.0 && (scaled - scaled.round()).abs() <= 0.02 * scaled
            }),
            None => {
                let written = format!("{:.*e}", FIGURES as usize - 1, last / size);
                let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
                let figures = mantissa.trim_end_matches('0').trim_end_matches('.').len().saturating_sub(2);
                let exponent: i32 = exponent.parse().unwrap_or(0);
                Some((figures as i32 - exponent).clamp(0, MOST_DIGITS as i32) as usize)
            }
        };
        Self { unit, size, digits: digits.unwrap_or(MOST_DIGITS) }
    }

    /// A time \[s\] with its unit.
    pub fn of(&self, time: f64) -> String {
        // without the sign of a zero
        format!("t = {:.*} {}", self.digits, time / self.size + 0.0, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_digits_of_their_distance() {
        let said = |step: f64, count: u32, at: f64| {
            // each a little late, as the next whole time step is
            let times: Vec<f64> = (0..count).map(|k| f64::from(k) * step * (1.0 + 1e-4) + 1e-3 * step).collect();
            TimeLabel::for_times(&times).of(at)
        };
        assert_eq!(said(0.05, 17, 0.800_03), "t = 0.80 s");
        assert_eq!(said(0.025, 33, 0.800_03), "t = 0.800 s");
        assert_eq!(said(1.0, 9, 7.000_1), "t = 7 s");
        assert_eq!(said(0.002, 11, 0.006_000_1), "t = 6 ms");
        assert_eq!(said(2.5e-6, 11, 2.5e-6), "t = 2.5 µs");
        assert_eq!(said(0.01, 400, 3.5), "t = 3.50 s");
        assert_eq!(said(1.0 / 3.0, 30, 1.0 / 3.0), "t = 0.33 s");
    }

    #[test]
    fn time_that_stands_alone_is_rounded_to_four_figures() {
        let alone = |time: f64| TimeLabel::for_times(&[time]).of(time);
        assert_eq!(alone(0.800_03), "t = 0.8 s");
        assert_eq!(alone(1.234_56), "t = 1.235 s");
        assert_eq!(alone(12_345.6), "t = 12346 s");
        assert_eq!(alone(2.5e-5), "t = 25 µs");
        assert_eq!(alone(0.0), "t = 0 s");
        assert_eq!(alone(f64::NAN), "t = NaN s");
        assert_eq!(TimeLabel::for_times(&[]).of(0.0), "t = 0 s");
    }
}
