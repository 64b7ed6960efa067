//! Round numbers along an axis or a colour bar, and their labels.

/// Ranges narrower than this fraction of their magnitude count as one value: labels would need more than ten digits.
const NARROWEST_RELATIVE_RANGE: f64 = 1e-10;
/// Magnitudes below this count as zero, so that no power of ten leaves the range of `f64`.
const SMALLEST_MAGNITUDE: f64 = 1e-280;

/// Text with an optional raised exponent behind it, as in "10" with "-6" raised.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Label {
    pub text: String,
    pub exponent: Option<i32>,
}

/// One labelled value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub value: f64,
    pub label: Label,
}

/// The ticks of one axis, and the power of ten that all labels leave out.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TickSet {
    pub ticks: Vec<Tick>,
    /// Values between the ticks that get a mark and no label.
    pub minor: Vec<f64>,
    /// Exponent `e` of the factor `10^e` to be shown once at the axis.
    pub common_exponent: Option<i32>,
}

impl TickSet {
    /// The factor shown at the axis, if any.
    pub fn factor(&self) -> Option<Label> {
        self.common_exponent.map(|exponent| Label { text: "×10".to_owned(), exponent: Some(exponent) })
    }
}

/// Widens a range that is a single value (or so narrow that rounding fills it) so that an axis can show it.
pub(crate) fn widen_degenerate_range(min: f64, max: f64) -> [f64; 2] {
    let magnitude = min.abs().max(max.abs());
    if magnitude < SMALLEST_MAGNITUDE {
        return [-1.0, 1.0];
    }
    if max - min > NARROWEST_RELATIVE_RANGE * magnitude {
        return [min, max];
    }
    let middle = min + 0.5 * (max - min);
    [middle - 0.1 * magnitude, middle + 0.1 * magnitude]
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten inside `[min, max]`, about `target` of them.
///
/// The range must come out of [`widen_degenerate_range`] and stay below 1e300 in magnitude.
pub(crate) fn linear_ticks(min: f64, max: f64, target: usize) -> TickSet {
    let raw_step = (max - min) / target.max(1) as f64;
    let power = raw_step.log10().floor();
    let lead = raw_step / 10f64.powf(power);
    // Thresholds are the geometric means of neighbours: the number of ticks stays within a factor 1.6 of the target.
    let (lead, power) = match lead * lead {
        square if square <= 2.0 => (1.0, power),
        square if square <= 10.0 => (2.0, power),
        square if square <= 50.0 => (5.0, power),
        _ => (1.0, power + 1.0),
    };
    let power = power as i32;
    let exponent = common_exponent(min.abs().max(max.abs()));
    let decimals = (exponent - power).max(0) as usize;
    let step = lead * power_of_ten(power);
    // A sliver of a step keeps end points that rounding moved just outside.
    let first = (min / step - 1e-6).ceil();
    let last = (max / step + 1e-6).floor();
    let count = ((last - first).max(-1.0) + 1.0) as usize;
    let ticks = (0..count.min(4 * target + 4))
        .map(|k| {
            let multiple = first + k as f64;
            let scaled = multiple * lead * power_of_ten(power - exponent);
            Tick { value: multiple * step, label: Label { text: format_fixed(scaled, decimals), exponent: None } }
        })
        .collect();
    TickSet { ticks, minor: Vec::new(), common_exponent: (exponent != 0).then_some(exponent) }
}

/// Ticks at powers of ten inside `[min, max]`, thinned to about `target`; a range of less than two decades gets the
/// ticks of a linear axis, at their logarithmic places.
pub(crate) fn logarithmic_ticks(min: f64, max: f64, target: usize) -> TickSet {
    let first = (min.log10() - 1e-9).ceil() as i32;
    let last = (max.log10() + 1e-9).floor() as i32;
    if last - first < 1 {
        return linear_ticks(min, max, target);
    }
    let decades = (last - first) as usize;
    let stride = decades.div_ceil(target.max(1)).max(1);
    let ticks = (first..=last)
        .filter(|power| power.rem_euclid(stride as i32) == 0)
        .map(|power| Tick { value: power_of_ten(power), label: Label { text: "10".to_owned(), exponent: Some(power) } })
        .collect();
    let minor = match stride {
        1 if decades <= 8 => (first - 1..=last)
            .flat_map(|power| (2..10).map(move |digit| f64::from(digit) * power_of_ten(power)))
            .filter(|value| (min..=max).contains(value))
            .collect(),
        1 => Vec::new(),
        _ => (first..=last).map(power_of_ten).collect(),
    };
    TickSet { ticks, minor, common_exponent: None }
}

/// The power of ten, a multiple of three, that leaves one to three digits before the point; zero for magnitudes that
/// read well as they are.
fn common_exponent(magnitude: f64) -> i32 {
    if (0.0099..1e4).contains(&magnitude) {
        return 0;
    }
    let power = (magnitude.log10() + 1e-9).floor() as i32;
    power.div_euclid(3) * 3
}

fn power_of_ten(power: i32) -> f64 {
    // Division keeps negative powers correctly rounded, which `powi` does not promise.
    if power < 0 { 1.0 / 10f64.powi(-power) } else { 10f64.powi(power) }
}

/// Fixed-point text with a true minus sign and no negative zero.
fn format_fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().any(|c| c.is_ascii_digit() && c != '0') => {
            format!("−{digits}")
        }
        Some(digits) => digits.to_owned(),
        None => text,
    }
}

/// An exponent with a true minus sign.
pub(crate) fn format_exponent(exponent: i32) -> String {
    if exponent < 0 { format!("−{}", exponent.unsigned_abs()) } else { exponent.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(set: &TickSet) -> Vec<&str> {
        set.ticks.iter().map(|tick| tick.label.text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        let set = linear_ticks(0.013, 0.987, 5);
        assert_eq!(labels(&set), ["0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(set.common_exponent, None);
        assert_eq!(labels(&linear_ticks(-2.0, 2.0, 4)), ["−2", "−1", "0", "1", "2"]);
    }

    #[test]
    fn micrometres_keep_their_digits() {
        let set = linear_ticks(0.0, 3.2e-6, 4);
        assert_eq!(labels(&set), ["0", "1", "2", "3"]);
        assert_eq!(set.factor(), Some(Label { text: "×10".into(), exponent: Some(-6) }));
        assert_eq!(set.ticks[2].value, 2e-6);
    }

    #[test]
    fn large_values_share_an_exponent() {
        let set = linear_ticks(0.0, 7.1e10, 4);
        assert_eq!(labels(&set), ["0", "20", "40", "60"]);
        assert_eq!(set.common_exponent, Some(9));
    }

    #[test]
    fn neighbouring_labels_differ_on_a_small_offset_range() {
        let set = linear_ticks(100.0, 100.00004, 4);
        let mut texts = labels(&set);
        let count = texts.len();
        texts.dedup();
        assert!(count >= 3 && texts.len() == count, "{texts:?}");
    }

    #[test]
    fn count_stays_near_the_target_over_all_magnitudes() {
        for power in -270..290 {
            for lead in [1.0, 1.7, 3.3, 9.9] {
                let max = lead * 10f64.powi(power);
                for min in [0.0, -max, 0.9 * max] {
                    let [low, high] = widen_degenerate_range(min, max);
                    let set = linear_ticks(low, high, 5);
                    assert!((2..=12).contains(&set.ticks.len()), "{min} {max}: {}", set.ticks.len());
                    assert!(set.ticks.iter().all(|t| t.label.text.len() < 20), "{min} {max}: {set:?}");
                }
            }
        }
    }

    #[test]
    fn single_values_get_a_range_around_them() {
        for value in [0.0, 5.0, -3e-9, 1e200, 1e-300] {
            let [low, high] = widen_degenerate_range(value, value);
            assert!(low < value && value < high, "{value}");
        }
    }

    #[test]
    fn decades_are_thinned_and_short_ranges_fall_back_to_linear() {
        let set = logarithmic_ticks(1e-12, 1e8, 5);
        assert!(set.ticks.len() <= 6);
        assert!(set.ticks.iter().all(|tick| tick.label.text == "10" && tick.label.exponent.is_some()));
        assert_eq!(labels(&logarithmic_ticks(2.0, 9.0, 4)), ["2", "4", "6", "8"]);
        let minor = logarithmic_ticks(1.0, 100.0, 4).minor;
        assert_eq!(minor.len(), 16);
    }
}
