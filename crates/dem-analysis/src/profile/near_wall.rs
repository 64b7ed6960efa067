//! Porosity near the wall of a cylinder: a published correlation, and the waves that were found.
//!
//! A. de Klerk, Voidage variation in packed beds at small column to particle diameter ratio, AIChE J. 49 (2003) 2022, for equal spheres;
//! ε_b is the porosity far from the wall and z the distance from it in diameters:
//!
//! ```text
//! ε = 2.14 z² − 2.53 z + 1                                                  z ≤ 0.637
//! ε = ε_b + 0.29 e^(−0.6 z) cos(2.3 π (z − 0.16)) + 0.15 e^(−0.9 z)         z > 0.637
//! ```

use std::f64::consts::PI;

/// Porosity at a distance from the wall in diameters \[-\].
pub fn de_klerk(distance: f64, bulk: f64) -> f64 {
    if distance <= 0.637 {
        2.14 * distance * distance - 2.53 * distance + 1.0
    } else {
        let wave = libm::cos(2.3 * PI * (distance - 0.16));
        bulk + 0.29 * libm::exp(-0.6 * distance) * wave + 0.15 * libm::exp(-0.9 * distance)
    }
}

/// Waves of the solid fraction next to a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waves {
    /// Distance of the first and of the second peak of the solid fraction from the wall \[diameters\].
    pub peaks: [f64; 2],
    /// Distance between them \[diameters\].
    pub period: f64,
    /// Porosity farther than three diameters from the wall, weighted by volume \[-\].
    pub bulk: f64,
    /// Root mean square difference of the porosity from the correlation up to three diameters from the wall \[-\].
    pub deviation: f64,
}

/// Distance up to which waves are looked for and compared \[diameters\].
const NEAR: f64 = 3.0;
/// Half of the width over which a peak must be the highest point \[diameters\].
const PEAK: f64 = 0.3;

/// Waves in a profile of (distance from the wall in diameters, solid fraction, volume), in any order; `None` without two peaks or bulk.
pub fn waves(profile: &[(f64, f64, f64)]) -> Option<Waves> {
    let far = || profile.iter().filter(|bin| bin.0 > NEAR);
    let volume: f64 = far().map(|bin| bin.2).sum();
    if volume <= 0.0 {
        return None;
    }
    let bulk = 1.0 - far().map(|bin| bin.1 * bin.2).sum::<f64>() / volume;
    let mut near: Vec<(f64, f64, f64)> = profile.iter().copied().filter(|bin| bin.0 <= NEAR).collect();
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let is_peak =
        |at: &(f64, f64, f64)| at.0 > 0.2 && near.iter().all(|bin| (bin.0 - at.0).abs() > PEAK || bin.1 <= at.1);
    let mut peaks = near.iter().filter(|bin| is_peak(bin)).map(|bin| bin.0);
    let peaks = [peaks.next()?, peaks.next()?];
    let square: f64 = near.iter().map(|bin| (1.0 - bin.1 - de_klerk(bin.0, bulk)).powi(2)).sum();
    Some(Waves { peaks, period: peaks[1] - peaks[0], bulk, deviation: (square / near.len() as f64).sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_begins_at_one_and_is_continuous_for_a_common_porosity() {
        assert_eq!(de_klerk(0.0, 0.4), 1.0);
        // the two branches of the paper meet to a hundredth for a dense bed
        assert!((de_klerk(0.637, 0.36) - de_klerk(0.638, 0.36)).abs() < 0.01);
        assert!((de_klerk(20.0, 0.4) - 0.4).abs() < 1e-5);
    }

    #[test]
    fn waves_of_the_correlation_are_found() {
        let bins: Vec<(f64, f64, f64)> =
            (0..250).map(|k| (k as f64 + 0.5) * 0.04).map(|z| (z, 1.0 - de_klerk(z, 0.38), 1.0)).collect();
        let found = waves(&bins).unwrap();
        assert!((found.period - 0.87).abs() < 0.06, "{found:?}: 2/2.3 of a diameter");
        assert!(found.deviation < 0.02 && (found.bulk - 0.38).abs() < 0.01, "{found:?}");
        assert_eq!(waves(&bins[..50]), None);
    }
}
