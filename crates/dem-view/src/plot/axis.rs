//! One axis of a plot: which values it spans and where they lie.

use crate::tick::{TickSet, linear_ticks, logarithmic_ticks, widen_degenerate_range};

/// Exponents of ten at which logarithmic axes end, inside the range of `f64`.
const EXPONENT_LIMIT: f64 = 305.0;

/// How an axis places values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AxisScale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are equally far apart. Values below 1e-300 cannot be shown: they interrupt the line.
    Logarithmic,
}

/// Ends and ticks of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    scale: AxisScale,
    /// Ends, as values on a linear axis and as decimal logarithms on a logarithmic one.
    ends: [f64; 2],
    pub ticks: TickSet,
}

impl Axis {
    /// An axis that holds `bounds` and `padding` times their distance on both sides, with about `target` ticks.
    ///
    /// On a logarithmic scale the bounds must be positive.
    pub fn new(bounds: [f64; 2], scale: AxisScale, padding: f64, target: usize) -> Self {
        let [low, high] = match scale {
            AxisScale::Linear => widen_degenerate_range(bounds[0], bounds[1]),
            AxisScale::Logarithmic => {
                let [low, high] = bounds.map(f64::log10);
                // A single value gets half a decade around it.
                if high - low > 1e-9 { [low, high] } else { [low - 0.25, low + 0.25] }
            }
        };
        let margin = padding * (high - low);
        let ends = [low - margin, high + margin];
        let (ends, ticks) = match scale {
            AxisScale::Linear => (ends, linear_ticks(ends[0], ends[1], target)),
            AxisScale::Logarithmic => {
                let ends = ends.map(|end| end.clamp(-EXPONENT_LIMIT, EXPONENT_LIMIT));
                let [low, high] = ends.map(|end| 10f64.powf(end));
                (ends, logarithmic_ticks(low, high, target))
            }
        };
        Self { scale, ends, ticks }
    }

    /// An axis from one end to the other; where one is not given, as [`Self::new`] ends. Nothing if they are no two ends of such an axis.
    pub fn between(
        ends: [Option<f64>; 2],
        bounds: [f64; 2],
        scale: AxisScale,
        padding: f64,
        target: usize,
    ) -> Option<Self> {
        if ends == [None; 2] {
            return Some(Self::new(bounds, scale, padding, target));
        }
        let is_shown = |end: &f64| end.abs() <= 1e300 && (scale == AxisScale::Linear || *end >= 1e-300);
        if !ends.iter().flatten().all(is_shown) {
            return None;
        }
        let free = Self::new(bounds, scale, padding, target);
        let value = |place: f64| if scale == AxisScale::Linear { place } else { 10f64.powf(place) };
        let [low, high] = [0, 1].map(|k| ends[k].unwrap_or_else(|| value(free.ends[k])));
        // points beyond a given end leave the other one to be found
        let (low, high) = match (low < high, ends) {
            (true, _) => (low, high),
            (false, [Some(low), None]) => (low, beyond(low, scale)),
            (false, [None, Some(high)]) if scale == AxisScale::Linear => (-beyond(-high, scale), high),
            (false, [None, Some(high)]) => (0.1 * high, high),
            _ => return None,
        };
        (high - low > 1e-9 * high.abs().max(low.abs())).then(|| Self::new([low, high], scale, 0.0, target))
    }

    /// Place of a value as a fraction of the axis, 0 at its start.
    pub fn fraction(&self, value: f64) -> f64 {
        let place = match self.scale {
            AxisScale::Linear => value,
            AxisScale::Logarithmic => value.log10(),
        };
        // Halves keep differences of huge numbers finite.
        (0.5 * place - 0.5 * self.ends[0]) / (0.5 * self.ends[1] - 0.5 * self.ends[0])
    }
}

/// An end above a lower one that all points lie below.
fn beyond(low: f64, scale: AxisScale) -> f64 {
    match scale {
        AxisScale::Linear => low + if low == 0.0 { 1.0 } else { low.abs() },
        AxisScale::Logarithmic => 10.0 * low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_equally_far_apart() {
        let axis = Axis::new([1e-6, 1e2], AxisScale::Logarithmic, 0.0, 10);
        for (power, fraction) in [(-6, 0.0), (-2, 0.5), (2, 1.0)] {
            assert!((axis.fraction(10f64.powi(power)) - fraction).abs() < 1e-12);
        }
    }

    #[test]
    fn given_ends_are_the_ends() {
        let axis = Axis::between([Some(0.0), Some(2.0)], [0.5, 7.0], AxisScale::Linear, 0.1, 5).unwrap();
        assert_eq!((axis.fraction(0.0), axis.fraction(2.0)), (0.0, 1.0));
        let axis = Axis::between([Some(1e-3), None], [1e-9, 1.0], AxisScale::Logarithmic, 0.0, 5).unwrap();
        assert!(axis.fraction(1e-3).abs() < 1e-12 && (axis.fraction(1.0) - 1.0).abs() < 1e-12);
        for ends in [[Some(1.0), Some(1.0)], [Some(2.0), Some(1.0)], [Some(f64::NAN), None], [Some(1e301), None]] {
            assert_eq!(Axis::between(ends, [0.0, 1.0], AxisScale::Linear, 0.0, 5), None, "{ends:?}");
        }
        assert_eq!(Axis::between([Some(0.0), None], [0.1, 1.0], AxisScale::Logarithmic, 0.0, 5), None);
        assert!(Axis::between([Some(5.0), None], [0.0, 1.0], AxisScale::Linear, 0.0, 5).is_some());
    }

    #[test]
    fn ticks_lie_on_the_axis() {
        for scale in [AxisScale::Linear, AxisScale::Logarithmic] {
            for bounds in [[1e-300, 1e300], [1e-6, 1.2e-6], [3.0, 3.0], [1e299, 1e300], [1e-300, 2e-300], [1.0, 90.0]] {
                let axis = Axis::new(bounds, scale, 0.05, 6);
                assert!(axis.ticks.ticks.len() >= 2, "{scale:?} {bounds:?}");
                for tick in &axis.ticks.ticks {
                    // Rounding of the step may put the outermost tick a hair outside.
                    let fraction = axis.fraction(tick.value);
                    assert!((-1e-6..=1.0 + 1e-6).contains(&fraction), "{scale:?} {bounds:?} {fraction}");
                }
            }
        }
    }
}
