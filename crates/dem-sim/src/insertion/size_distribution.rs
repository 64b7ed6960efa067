//! Distributions of sphere radii.
//!
//! Every distribution counts particles: `Normal` is normal in the number of spheres, not
//! in their mass. Tables may be given by mass, as sieves measure it, and are converted.

use std::f64::consts::PI;

use rand_pcg::Pcg64Mcg;

use super::error::{InsertionError, check, check_radius};
use super::normal_probability::{between, density, truncated_quantile};
use super::uniform;

/// Rows of a size table at most; every sample reads the table.
const MAXIMUM_ROWS: usize = 4096;
/// Smallest fraction a truncated distribution may keep: below, its moments lose digits.
const LEAST_KEPT: f64 = 1e-9;

/// What the weights of a size table measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightedBy {
    /// Number of spheres.
    Number,
    /// Mass (of equal density): the number fraction of a radius is its mass fraction over r³.
    Mass,
}

/// How the radii of spheres are distributed.
#[derive(Debug, Clone, PartialEq)]
pub enum SizeDistribution {
    /// Equal spheres.
    Single {
        /// Radius `[m]`.
        radius: f64,
    },
    /// Uniform in the radius.
    Uniform {
        /// Smallest radius `[m]`.
        min: f64,
        /// Largest radius `[m]`.
        max: f64,
    },
    /// Normal in the radius, truncated.
    Normal {
        /// Mean before truncation `[m]`.
        mean: f64,
        /// Standard deviation before truncation `[m]`.
        standard_deviation: f64,
        /// Smallest radius `[m]`.
        min: f64,
        /// Largest radius `[m]`.
        max: f64,
    },
    /// Normal in the logarithm of the radius, truncated.
    LogNormal {
        /// Median before truncation `[m]`.
        median: f64,
        /// Ratio of the 84 % radius to the median before truncation `[1]`, above 1.
        geometric_standard_deviation: f64,
        /// Smallest radius `[m]`.
        min: f64,
        /// Largest radius `[m]`.
        max: f64,
    },
    /// A table of sizes.
    ///
    /// Without `interpolate`, sphere sizes are the radii and `weights` their shares, in
    /// any unit. With `interpolate`, the table is a sieve curve: radii rise, `weights` are
    /// the shares passing, from 0 at the first radius up to all at the last, in any unit.
    /// Between two rows the curve is a straight line: the number, or the mass, is spread
    /// evenly over the radii between them. Two equal radii make a step.
    Table {
        /// Radii `[m]`.
        radii: Vec<f64>,
        /// Shares, or shares passing.
        weights: Vec<f64>,
        /// What the weights measure.
        by: WeightedBy,
        /// Whether the table is a curve rather than a list of sizes.
        interpolate: bool,
    },
}

/// Number of spheres and moments of one row, or one interval, of a table.
struct Part {
    low: f64,
    high: f64,
    number: f64,
    /// Mean radius and mean cubed radius of its spheres.
    mean: f64,
    mean_cube: f64,
}

impl SizeDistribution {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`InsertionError::Value`], [`InsertionError::Table`] or
    /// [`InsertionError::NothingKept`].
    pub fn validate(&self) -> Result<(), InsertionError> {
        let bounds = |min: f64, max: f64| {
            check_radius("smallest radius", min)?;
            check_radius("largest radius", max)?;
            check("largest radius", max, max > min, "above the smallest")
        };
        match *self {
            Self::Single { radius } => check_radius("radius", radius),
            Self::Uniform { min, max } => bounds(min, max),
            Self::Normal { mean, standard_deviation: deviation, min, max } => {
                bounds(min, max)?;
                check("mean radius", mean, true, "finite")?;
                check("standard deviation of the radius", deviation, deviation > 0.0, "above 0")?;
                check_kept(between((min - mean) / deviation, (max - mean) / deviation), min, max)
            }
            Self::LogNormal { median, geometric_standard_deviation: ratio, min, max } => {
                bounds(min, max)?;
                check_radius("median radius", median)?;
                check("geometric standard deviation", ratio, ratio > 1.0 && ratio <= 10.0, "above 1, at most 10")?;
                let score = |radius: f64| libm::log(radius / median) / libm::log(ratio);
                check_kept(between(score(min), score(max)), min, max)
            }
            Self::Table { ref radii, ref weights, interpolate, .. } => validate_table(radii, weights, interpolate),
        }
    }

    /// One radius of a valid distribution `[m]`. Draws at most two random numbers.
    pub fn sample(&self, rng: &mut Pcg64Mcg) -> f64 {
        match *self {
            Self::Single { radius } => radius,
            Self::Uniform { min, max } => uniform::between(rng, min, max),
            Self::Normal { mean, standard_deviation: deviation, min, max } => {
                let (low, high) = ((min - mean) / deviation, (max - mean) / deviation);
                let score = truncated_quantile(low, high, uniform::unit(rng));
                (mean + deviation * score).clamp(min, max)
            }
            Self::LogNormal { median, geometric_standard_deviation: ratio, min, max } => {
                let deviation = libm::log(ratio);
                let score = |radius: f64| libm::log(radius / median) / deviation;
                let score = truncated_quantile(score(min), score(max), uniform::unit(rng));
                (median * libm::exp(deviation * score)).clamp(min, max)
            }
            Self::Table { by, .. } => {
                let all: f64 = self.parts().map(|part| part.number).sum();
                let mut left = uniform::unit(rng) * all;
                let mut chosen = None;
                for part in self.parts().filter(|part| part.number > 0.0) {
                    let found = left < part.number;
                    left -= part.number;
                    chosen = Some(part);
                    if found {
                        break;
                    }
                }
                let Some(part) = chosen else {
                    return self.min_radius();
                };
                if part.low == part.high {
                    return part.low;
                }
                let share = uniform::unit(rng);
                let radius = match by {
                    WeightedBy::Number => part.low + share * (part.high - part.low),
                    // Even in mass is r⁻³ in number, and r⁻² of its spheres is uniform.
                    WeightedBy::Mass => {
                        let ratio = part.low / part.high;
                        part.low / (1.0 - share * (1.0 - ratio * ratio)).sqrt()
                    }
                };
                radius.clamp(part.low, part.high)
            }
        }
    }

    /// The same distribution of radii multiplied by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Single { radius } => Self::Single { radius: radius * factor },
            Self::Uniform { min, max } => Self::Uniform { min: min * factor, max: max * factor },
            Self::Normal { mean, standard_deviation, min, max } => Self::Normal {
                mean: mean * factor,
                standard_deviation: standard_deviation * factor,
                min: min * factor,
                max: max * factor,
            },
            Self::LogNormal { median, geometric_standard_deviation, min, max } => Self::LogNormal {
                median: median * factor,
                geometric_standard_deviation,
                min: min * factor,
                max: max * factor,
            },
            Self::Table { ref radii, ref weights, by, interpolate } => Self::Table {
                radii: radii.iter().map(|radius| radius * factor).collect(),
                weights: weights.clone(),
                by,
                interpolate,
            },
        }
    }

    /// Mean radius of a sphere `[m]`.
    pub fn mean_radius(&self) -> f64 {
        self.mean_power(1)
    }

    /// Mean volume of a sphere `[m³]`; a mass flow over density over it is a number rate.
    pub fn mean_volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.mean_power(3)
    }

    /// Smallest radius that occurs `[m]`.
    pub fn min_radius(&self) -> f64 {
        self.extreme_radius(f64::INFINITY, f64::min)
    }

    /// Largest radius that occurs `[m]`.
    pub fn max_radius(&self) -> f64 {
        self.extreme_radius(0.0, f64::max)
    }

    fn extreme_radius(&self, start: f64, choose: impl Fn(f64, f64) -> f64) -> f64 {
        match *self {
            Self::Single { radius } => radius,
            Self::Uniform { min, max } | Self::Normal { min, max, .. } | Self::LogNormal { min, max, .. } => {
                choose(min, max)
            }
            Self::Table { .. } => self
                .parts()
                .filter(|part| part.number > 0.0)
                .fold(start, |found, part| choose(found, choose(part.low, part.high))),
        }
    }

    /// Mean of the radius (`power` 1) or of its cube (`power` 3).
    fn mean_power(&self, power: u8) -> f64 {
        let cubed = power == 3;
        match *self {
            Self::Single { radius } if cubed => radius * radius * radius,
            Self::Single { radius } => radius,
            Self::Uniform { min, max } if cubed => (min + max) * (min * min + max * max) / 4.0,
            Self::Uniform { min, max } => 0.5 * (min + max),
            Self::Normal { mean, standard_deviation, min, max } => {
                let (first, third) = truncated_normal_moments(mean, standard_deviation, min, max);
                if cubed { third } else { first }
            }
            Self::LogNormal { median, geometric_standard_deviation, min, max } => {
                // E[rᵏ] = medianᵏ exp(k²s²/2) P(bounds moved down by k s) / P(bounds).
                let deviation = libm::log(geometric_standard_deviation);
                let low = libm::log(min / median) / deviation;
                let high = libm::log(max / median) / deviation;
                let shift = f64::from(power) * deviation;
                let scale = if cubed { median * median * median } else { median };
                scale * libm::exp(0.5 * shift * shift) * (between(low - shift, high - shift) / between(low, high))
            }
            Self::Table { .. } => {
                let (mut all, mut sum) = (0.0, 0.0);
                for part in self.parts() {
                    all += part.number;
                    sum += part.number * if cubed { part.mean_cube } else { part.mean };
                }
                sum / all
            }
        }
    }

    /// The rows of a list of sizes or the intervals of a curve; nothing for the others.
    fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let (radii, weights, by, interpolate): (&[f64], &[f64], _, _) = match self {
            Self::Table { radii, weights, by, interpolate } => (radii, weights, *by, *interpolate),
            _ => (&[], &[], WeightedBy::Number, false),
        };
        // Radii relative to the first keep r⁻³ in range for any unit.
        let unit = radii.first().copied().unwrap_or(1.0);
        let first = usize::from(interpolate);
        (first..radii.len().min(weights.len())).map(move |row| {
            let before = row - first;
            let (low, high) = (radii[before], radii[row]);
            let weight = weights[row] - if interpolate { weights[before] } else { 0.0 };
            let (a, b) = (low / unit, high / unit);
            let mean_square = 0.5 * (low * low + high * high);
            match by {
                WeightedBy::Number => Part {
                    low,
                    high,
                    number: weight,
                    mean: 0.5 * (low + high),
                    mean_cube: 0.5 * (low + high) * mean_square,
                },
                // The number of spheres in a mass m spread evenly over a..b is
                // m/(b−a) ∫ r⁻³ dr = m (a+b)/(2a²b²), the sum of their radii m/(ab).
                WeightedBy::Mass => Part {
                    low,
                    high,
                    number: weight * (a + b) / (2.0 * a * a * b * b),
                    mean: 2.0 * low * high / (low + high),
                    mean_cube: 2.0 * low * high * (low * high) / (low + high),
                },
            }
        })
    }
}

/// First and third moment of a normal distribution truncated to `min..max`, by the
/// recursion that integration by parts gives.
fn truncated_normal_moments(mean: f64, deviation: f64, min: f64, max: f64) -> (f64, f64) {
    let (low, high) = ((min - mean) / deviation, (max - mean) / deviation);
    let kept = between(low, high);
    let (at_min, at_max) = (density(low) / kept, density(high) / kept);
    let variance = deviation * deviation;
    let first = mean + deviation * (at_min - at_max);
    let second = variance + mean * first + deviation * (min * at_min - max * at_max);
    let third = 2.0 * variance * first + mean * second + deviation * (min * min * at_min - max * max * at_max);
    (first.clamp(min, max), third.clamp(min * min * min, max * max * max))
}

fn check_kept(kept: f64, min: f64, max: f64) -> Result<(), InsertionError> {
    if kept >= LEAST_KEPT { Ok(()) } else { Err(InsertionError::NothingKept { kept, min, max }) }
}

fn validate_table(radii: &[f64], weights: &[f64], interpolate: bool) -> Result<(), InsertionError> {
    let refuse = |problem: String| Err(InsertionError::Table { problem });
    let rows = radii.len();
    let least = if interpolate { 2 } else { 1 };
    if rows != weights.len() {
        let weights = weights.len();
        return refuse(format!("{rows} radii and {weights} weights, allowed is one weight per radius"));
    }
    if !(least..=MAXIMUM_ROWS).contains(&rows) {
        return refuse(format!("{rows} rows, allowed are {least} to {MAXIMUM_ROWS}"));
    }
    for radius in radii {
        check_radius("radius in the size table", *radius)?;
    }
    for weight in weights {
        check("weight in the size table", *weight, (0.0..=1e100).contains(weight), "0 to 1e100")?;
    }
    if interpolate {
        for row in 1..rows {
            if radii[row] < radii[row - 1] || weights[row] < weights[row - 1] {
                return refuse(format!(
                    "radius {} with share {} follows radius {} with share {}, allowed is a rising curve",
                    radii[row],
                    weights[row],
                    radii[row - 1],
                    weights[row - 1]
                ));
            }
        }
        if weights[0] != 0.0 {
            return refuse(format!(
                "share {} passes the first radius {}, allowed is 0: sizes below it are unknown",
                weights[0], radii[0]
            ));
        }
    }
    let (smallest, largest) =
        radii.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), radius| (low.min(*radius), high.max(*radius)));
    if largest > 1e6 * smallest {
        return refuse(format!("radii from {smallest} to {largest}, allowed is a ratio of at most 1e6"));
    }
    if !weights.iter().any(|weight| *weight > 0.0) {
        return refuse("all weights are 0, allowed is at least one above 0".to_owned());
    }
    Ok(())
}
