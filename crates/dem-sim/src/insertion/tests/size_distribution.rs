use super::super::*;
use super::*;
use std::f64::consts::PI;

use crate::insertion::normal_probability::{cumulative, quantile};

const SAMPLES: usize = 200_000;

fn table(by: WeightedBy, interpolate: bool) -> SizeDistribution {
    SizeDistribution::Table {
        radii: vec![0.5e-3, 1e-3, 2e-3, 2.5e-3],
        weights: if interpolate { vec![0.0, 20.0, 70.0, 100.0] } else { vec![10.0, 0.0, 60.0, 30.0] },
        by,
        interpolate,
    }
}

fn all_kinds() -> Vec<SizeDistribution> {
    let normal = |mean, min, max| SizeDistribution::Normal { mean, standard_deviation: 0.4e-3, min, max };
    let mut kinds = vec![
        SizeDistribution::Single { radius: 1e-3 },
        SizeDistribution::Uniform { min: 1e-3, max: 3e-3 },
        normal(2e-3, 0.8e-3, 3.5e-3),
        // Both tails, far from the mean.
        normal(0.2e-3, 1.8e-3, 3e-3),
        normal(4e-3, 1e-3, 2.2e-3),
        SizeDistribution::LogNormal { median: 1e-3, geometric_standard_deviation: 1.6, min: 0.4e-3, max: 4e-3 },
        SizeDistribution::LogNormal { median: 1e-3, geometric_standard_deviation: 1.2, min: 1.1e-3, max: 3e-3 },
    ];
    for by in [WeightedBy::Number, WeightedBy::Mass] {
        kinds.push(table(by, false));
        kinds.push(table(by, true));
    }
    kinds
}

/// Sample mean and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|v| (v - mean) * (v - mean)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

#[test]
fn moments_of_samples_agree_with_the_analytic_ones() {
    for (number, sizes) in all_kinds().into_iter().enumerate() {
        sizes.validate().unwrap();
        let mut rng = rng(number as u64);
        let radii: Vec<f64> = (0..SAMPLES).map(|_| sizes.sample(&mut rng)).collect();
        let (least, most) = (sizes.min_radius(), sizes.max_radius());
        assert!(radii.iter().all(|r| (least..=most).contains(r)), "{sizes:?}");
        let (mean, error) = mean_and_error(radii.iter().copied());
        // Five standard errors; 1e-10 for equal spheres, whose error is the rounding of sums.
        let off = (mean - sizes.mean_radius()).abs();
        assert!(off <= 5.0 * error + 1e-10 * mean, "{sizes:?} {off} {error}");
        let (mean, error) = mean_and_error(radii.iter().map(|r| 4.0 / 3.0 * PI * r * r * r));
        let off = (mean - sizes.mean_volume()).abs();
        assert!(off <= 5.0 * error + 1e-10 * mean, "{sizes:?} {off} {error}");
    }
}

#[test]
fn mass_weighted_sizes_have_the_mass_shares_of_the_table() {
    for interpolate in [false, true] {
        let sizes = table(WeightedBy::Mass, interpolate);
        let mut rng = rng(5);
        let radii: Vec<f64> = (0..SAMPLES).map(|_| sizes.sample(&mut rng)).collect();
        // Upper ends of the bins and the mass shares up to there; inside an interval the
        // curve is linear in mass.
        let expected = if interpolate {
            vec![(0.75e-3, 0.1), (1e-3, 0.2), (1.5e-3, 0.45), (2e-3, 0.7), (2.2e-3, 0.82)]
        } else {
            vec![(0.6e-3, 0.1), (1.5e-3, 0.1), (2.2e-3, 0.7)]
        };
        let all: f64 = radii.iter().map(|r| r * r * r).sum();
        for (radius, share) in expected {
            // Standard error of a ratio of sums, from the residuals.
            let residuals = radii.iter().map(|r| {
                let below = if *r <= radius { 1.0 } else { 0.0 };
                r * r * r * (below - share)
            });
            let sum: f64 = residuals.clone().sum();
            let squares: f64 = residuals.map(|x| x * x).sum();
            assert!(sum.abs() <= 5.0 * squares.sqrt(), "{radius} {}", sum / all);
        }
    }
}

#[test]
fn steps_in_a_curve_are_single_sizes() {
    let sizes = SizeDistribution::Table {
        radii: vec![1.0, 1.0, 2.0, 2.0],
        weights: vec![0.0, 1.0, 1.0, 2.0],
        by: WeightedBy::Mass,
        interpolate: true,
    };
    sizes.validate().unwrap();
    let mut rng = rng(1);
    let large = (0..90_000).filter(|_| match sizes.sample(&mut rng) {
        1.0 => false,
        2.0 => true,
        other => panic!("{other}"),
    });
    // One sphere in nine has radius 2: five standard errors of a binomial count.
    let large = large.count() as f64;
    assert!((large - 10_000.0).abs() < 5.0 * (90_000.0_f64 * 8.0 / 81.0).sqrt());
}

#[test]
fn quantile_inverts_the_cumulative_distribution() {
    for exponent in 1..300 {
        let p = 10.0_f64.powi(-exponent);
        // A relative error e of the quantile changes p by e x² relatively.
        let x = quantile(p);
        assert!((cumulative(x) / p - 1.0).abs() < 1e-14 * (1.0 + x * x), "{p}");
    }
    for step in 1..1000 {
        let p = f64::from(step) / 1000.0;
        assert!((cumulative(quantile(p)) - p).abs() < 4e-16, "{p}");
        assert!((quantile(p) + quantile(1.0 - p)).abs() < 1e-13);
    }
    // Published value.
    assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-15);
}

#[test]
fn bad_distributions_are_refused() {
    let normal = |standard_deviation, min, max| SizeDistribution::Normal { mean: 1.0, standard_deviation, min, max };
    let curve = |radii: &[f64], weights: &[f64], interpolate| SizeDistribution::Table {
        radii: radii.to_vec(),
        weights: weights.to_vec(),
        by: WeightedBy::Mass,
        interpolate,
    };
    let bad = [
        SizeDistribution::Single { radius: 0.0 },
        SizeDistribution::Single { radius: f64::NAN },
        SizeDistribution::Uniform { min: 2.0, max: 1.0 },
        normal(0.0, 0.5, 1.5),
        normal(0.1, -1.0, 1.5),
        normal(0.01, 2.0, 3.0),
        curve(&[], &[], false),
        curve(&[1.0], &[1.0, 2.0], false),
        curve(&[1.0, 2.0], &[0.0, 0.0], false),
        curve(&[1.0, 2.0], &[1.0, -1.0], false),
        curve(&[1.0, 2.0], &[0.5, 1.0], true),
        curve(&[1.0, 2.0, 3.0], &[0.0, 1.0, 0.5], true),
        curve(&[2.0, 1.0], &[0.0, 1.0], true),
        curve(&[1.0; 5000], &[1.0; 5000], false),
    ];
    for sizes in bad {
        assert!(sizes.validate().is_err(), "{sizes:?}");
    }
}

#[test]
fn same_seed_gives_the_same_radii_on_every_platform() {
    let mut rng = rng(42);
    let bits: Vec<u64> = all_kinds().iter().map(|sizes| sizes.sample(&mut rng).to_bits()).collect();
    let golden = [
        0x3f50624dd2f1a9fc,
        0x3f6196f82eac389e,
        0x3f5985d5b76f0d7a,
        0x3f5e2a6b991c6a71,
        0x3f610428f0cc79f6,
        0x3f43b8fe7c2730b2,
        0x3f532dcf3d7a0e27,
        0x3f60624dd2f1a9fc,
        0x3f61c81b4f66c3c8,
        0x3f40624dd2f1a9fc,
        0x3f4374bb2ab8ef16,
    ];
    assert_eq!(bits, golden, "{bits:#x?}");
}
