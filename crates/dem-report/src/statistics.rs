//! Medians, slopes and confidence intervals.

/// The middle of some numbers; not a number if there are none.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
    }
}

/// Median over the rounds of the ratio of two measurements.
pub fn median_ratio(numerator: &[f64], denominator: &[f64]) -> f64 {
    let ratios: Vec<f64> = numerator.iter().zip(denominator).map(|(a, b)| a / b).collect();
    median(&ratios)
}

/// Slope of a straight line through the logarithms of points, by least squares; not a number for fewer than two.
pub fn slope(points: &[[f64; 2]]) -> f64 {
    let logarithms: Vec<[f64; 2]> = points.iter().map(|p| p.map(|x| libm::log(x.abs()))).collect();
    StraightLine::through(&logarithms).slope
}

/// A straight line through points by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightLine {
    /// Ordinate at zero.
    pub intercept: f64,
    /// Slope.
    pub slope: f64,
    /// Half the width of the interval that holds the true slope with 95 % confidence, for independent and normally distributed deviations;
    /// not a number for fewer than three points.
    pub slope_half_width: f64,
}

impl StraightLine {
    /// Through points; not numbers for fewer than two.
    pub fn through(points: &[[f64; 2]]) -> Self {
        let count = points.len() as f64;
        let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / count;
        let [x, y] = [mean(0), mean(1)];
        let square: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
        let slope = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum::<f64>() / square;
        let residual: f64 = points.iter().map(|p| (p[1] - y - slope * (p[0] - x)).powi(2)).sum();
        let degrees = points.len().saturating_sub(2);
        let deviation = (residual / degrees as f64 / square).sqrt();
        Self { intercept: y - slope * x, slope, slope_half_width: student_quantile(degrees) * deviation }
    }
}

/// Mean of independent numbers, for example of differences of pairs, and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanEstimate {
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Standard deviation of one of them.
    pub deviation: f64,
    /// Half the width of the interval that holds the true mean with 95 % confidence, for normally distributed numbers.
    pub half_width: f64,
}

impl MeanEstimate {
    /// Of the numbers themselves. Without a deviation for fewer than two.
    pub fn of(numbers: &[f64]) -> Self {
        let count = numbers.len();
        let mean = numbers.iter().sum::<f64>() / count as f64;
        let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
        let degrees = count.saturating_sub(1);
        let deviation = if degrees == 0 { f64::NAN } else { (squares / degrees as f64).sqrt() };
        Self { count, mean, deviation, half_width: student_quantile(degrees) * deviation / (count as f64).sqrt() }
    }

    /// Of a quantity of runs with different seeds, as [`Self::of`]. If it is the same in all of them the seeds do not change it, and there is no
    /// interval: scatter that is not there says nothing about what a mean of other starts would be.
    pub fn over_seeds(numbers: &[f64]) -> Self {
        let found = Self::of(numbers);
        if !is_constant(numbers) {
            return found;
        }
        Self { mean: numbers[0], deviation: 0.0, half_width: f64::NAN, ..found }
    }

    /// Ends of the interval.
    pub fn interval(&self) -> [f64; 2] {
        [self.mean - self.half_width, self.mean + self.half_width]
    }

    /// Whether the interval leaves out zero.
    pub fn is_significant(&self) -> bool {
        self.mean.abs() > self.half_width
    }
}

/// Whether there are several numbers, all the same.
pub fn is_constant(numbers: &[f64]) -> bool {
    numbers.len() > 1 && numbers.iter().all(|x| *x == numbers[0])
}

/// The t beyond which, on either side, Student's distribution has 5 % of its weight; not a number without a degree of freedom.
fn student_quantile(degrees: usize) -> f64 {
    if degrees == 0 {
        return f64::NAN;
    }
    let (mut low, mut high) = (1.0, 20.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if student_weight(middle, degrees) < 0.95 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Weight of Student's distribution between −t and t: finite sums for whole degrees of freedom (M. Abramowitz, I. A. Stegun, Handbook of
/// Mathematical Functions (1964), 26.7.3 and 26.7.4).
fn student_weight(t: f64, degrees: usize) -> f64 {
    let angle = libm::atan(t / (degrees as f64).sqrt());
    let (sine, cosine) = libm::sincos(angle);
    let odd = degrees % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    let mut k = if odd { 1 } else { 0 };
    while k + 2 <= degrees {
        sum += term;
        term *= cosine * cosine * (k + 1) as f64 / (k + 2) as f64;
        k += 2;
    }
    if odd { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of the distribution.
    #[test]
    fn quantiles_of_student_are_those_of_tables() {
        for (degrees, expected) in
            [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (19, 2.093), (30, 2.042)]
        {
            let found = student_quantile(degrees);
            assert!((found - expected).abs() < 6e-4, "{degrees}: {found}");
        }
        assert!(student_quantile(0).is_nan());
    }

    #[test]
    fn interval_of_a_mean_follows_from_the_deviation() {
        let found = MeanEstimate::of(&[1.0, 2.0, 3.0]);
        assert_eq!((found.mean, found.deviation), (2.0, 1.0));
        assert!((found.half_width - 4.303 / 3.0f64.sqrt()).abs() < 1e-3);
        assert!(!found.is_significant());
        assert!(MeanEstimate::of(&[1.0, 1.1, 0.9]).is_significant());
        assert!(MeanEstimate::of(&[1.0]).half_width.is_nan());
    }

    #[test]
    fn what_seeds_do_not_change_has_no_interval() {
        let same = MeanEstimate::over_seeds(&[0.1, 0.1, 0.1]);
        assert_eq!((same.count, same.mean, same.deviation), (3, 0.1, 0.0));
        assert!(same.half_width.is_nan() && !same.is_significant());
        assert_eq!(MeanEstimate::over_seeds(&[1.0, 2.0, 3.0]), MeanEstimate::of(&[1.0, 2.0, 3.0]));
        assert!(!is_constant(&[1.0]) && !is_constant(&[]) && !is_constant(&[1.0, 2.0]));
    }

    /// Four points about y = 1 + 2 x with deviations ±e that are orthogonal to the line: s² = 4 e²/2, Σ(x − x̄)² = 5.
    #[test]
    fn interval_of_a_slope_follows_from_the_deviations() {
        let points = [[0.0, 1.1], [1.0, 2.9], [2.0, 4.9], [3.0, 7.1]];
        let found = StraightLine::through(&points);
        assert!((found.slope - 2.0).abs() < 1e-12 && (found.intercept - 1.0).abs() < 1e-12);
        assert!((found.slope_half_width - 4.303 * (0.02f64 / 5.0).sqrt()).abs() < 1e-4);
        assert!(StraightLine::through(&points[..2]).slope_half_width.is_nan());
    }

    #[test]
    fn slope_is_the_power_of_a_power_law() {
        let points = [1.0f64, 2.0, 4.0].map(|x| [x, 3.0 * x.powi(-2)]);
        assert!((slope(&points) + 2.0).abs() < 1e-12);
        assert_eq!(median(&[3.0, 1.0, 2.0, 10.0]), 2.5);
    }
}
