//! The law, and the length that fits it best.

/// Lengths that are tried before the best of them is refined.
const TRIALS: usize = 200;
/// Ends of the lengths that are tried, in proportion to the greatest depth.
const RANGE: [f64; 2] = [1e-2, 1e3];
/// Halvings, about, of the interval around the best trial.
const REFINEMENTS: usize = 60;

/// Vertical stress at a depth \[Pa\], for the weight of the bulk per volume \[N/m³\] and the length λ \[m\].
pub fn stress(weight: f64, length: f64, depth: f64) -> f64 {
    -weight * length * libm::expm1(-depth / length)
}

/// The λ with the smallest sum of squares of the differences from stresses at depths, `[depth, stress]` \[m\].
pub fn fitted_length(points: &[[f64; 2]], weight: f64) -> f64 {
    let deepest = points.iter().map(|point| point[0]).fold(0.0, f64::max);
    let square = |logarithm: f64| -> f64 {
        let length = libm::exp(logarithm);
        points.iter().map(|[depth, found]| (stress(weight, length, *depth) - found).powi(2)).sum()
    };
    let ends = RANGE.map(|share| libm::log(share * deepest));
    let width = (ends[1] - ends[0]) / TRIALS as f64;
    let trials = (0..=TRIALS).map(|k| ends[0] + k as f64 * width);
    let best = trials.min_by(|a, b| square(*a).total_cmp(&square(*b))).unwrap_or(ends[0]);
    // golden section
    let share = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (best - width, best + width);
    for _ in 0..REFINEMENTS {
        let inner = [high - share * (high - low), low + share * (high - low)];
        if square(inner[0]) < square(inner[1]) { high = inner[1] } else { low = inner[0] }
    }
    libm::exp(0.5 * (low + high))
}

/// Root mean square of the differences from the law in proportion to the mean stress \[-\].
pub fn residual(points: &[[f64; 2]], weight: f64, length: f64) -> f64 {
    let count = points.len() as f64;
    let square: f64 = points.iter().map(|[depth, found]| (stress(weight, length, *depth) - found).powi(2)).sum();
    let mean = points.iter().map(|point| point[1]).sum::<f64>() / count;
    (square / count).sqrt() / mean
}
