//! Circles through the points of probes.
//!
//! A point lies in the direction of the stress increment, as far from the origin as the irreversible strain is long in proportion to the
//! stress increment. With one mechanism of elastoplasticity the points of loading form a circle through the origin: its diameter is the inverse
//! of the plastic modulus, and it leans in the direction normal to the yield surface (M. R. Kuhn, K. Suzuki, A. Daouadji, figure 5). The fit is
//! that of least squares of `x² + y² − 2 c·x − d`, which is linear; it does not know of the origin.

use rand::{RngExt as _, SeedableRng as _};

use super::linear::solve;

/// Rounds in which the points that are fitted and the circle are found from each other.
const ROUNDS: usize = 10;
/// Resamplings of the confidence intervals.
const RESAMPLINGS: usize = 1000;
/// Their seed: the same points have the same interval.
const SEED: u64 = 1;

/// A point and the irreversible strain it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbePoint {
    /// Irreversible strain over stress, in the direction of the stress increment \[1/Pa\].
    pub place: [f64; 2],
    /// Irreversible strain in the plane \[-\].
    pub strain: [f64; 2],
}

/// A fitted circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre \[1/Pa\].
    pub centre: [f64; 2],
    /// Radius \[1/Pa\].
    pub radius: f64,
    /// Points it was fitted to.
    pub points: usize,
    /// Root mean square of the radial distance of these points, over the diameter \[-\].
    pub misfit: f64,
    /// Distance of the origin from the circle, over the diameter \[-\].
    pub origin: f64,
    /// Direction of the irreversible strain, the mean over these points, as an angle \[rad\].
    pub flow: f64,
    /// Standard deviation of the direction, weighted by the length of the strain \[rad\].
    pub flow_spread: f64,
}

/// Which part of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Those around the largest response.
    Loading,
    /// Those opposite.
    Unloading,
}

impl Side {
    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Unloading => "unloading",
        }
    }
}

impl Circle {
    /// Plastic modulus, the inverse of the diameter \[Pa\].
    pub fn plastic_modulus(&self) -> f64 {
        0.5 / self.radius
    }

    /// Angle of the normal to the yield surface \[rad\].
    pub fn yield_direction(&self) -> f64 {
        libm::atan2(self.centre[1], self.centre[0])
    }

    /// The circle of one side; none if fewer than four points lie on it, or on no circle.
    pub fn fit(points: &[ProbePoint], side: Side) -> Option<Self> {
        // the far points tell where loading is
        let mut normal = points.iter().fold([0.0, 0.0], |sum, p| {
            let weight = p.place[0].hypot(p.place[1]);
            [sum[0] + weight * p.place[0], sum[1] + weight * p.place[1]]
        });
        let mut found = None;
        for _ in 0..ROUNDS {
            let towards = |p: &&ProbePoint| p.place[0] * normal[0] + p.place[1] * normal[1] > 0.0;
            let loading: Vec<ProbePoint> = points.iter().filter(towards).copied().collect();
            let circle = Self::through(&loading)?;
            let settled = found.is_some_and(|before: Self| before.centre == circle.centre);
            normal = circle.centre;
            found = Some(circle);
            if settled {
                break;
            }
        }
        match side {
            Side::Loading => found,
            Side::Unloading => {
                let away = |p: &&ProbePoint| p.place[0] * normal[0] + p.place[1] * normal[1] <= 0.0;
                Self::through(&points.iter().filter(away).copied().collect::<Vec<_>>())
            }
        }
    }

    fn through(points: &[ProbePoint]) -> Option<Self> {
        if points.len() < 4 {
            return None;
        }
        let count = points.len() as f64;
        let scale = (points.iter().map(|p| p.place[0].powi(2) + p.place[1].powi(2)).sum::<f64>() / count).sqrt();
        let mut square = vec![vec![0.0; 3]; 3];
        let mut right = vec![0.0; 3];
        for p in points {
            let [x, y] = p.place.map(|c| c / scale);
            let row = [2.0 * x, 2.0 * y, 1.0];
            for i in 0..3 {
                right[i] += row[i] * (x * x + y * y);
                for j in 0..3 {
                    square[i][j] += row[i] * row[j];
                }
            }
        }
        let [a, b, d]: [f64; 3] = solve(&square, &right)?.try_into().ok()?;
        let size = d + a * a + b * b;
        if size.is_nan() || size <= 0.0 {
            return None;
        }
        let (centre, radius) = ([a * scale, b * scale], size.sqrt() * scale);
        let off = |p: &ProbePoint| (p.place[0] - centre[0]).hypot(p.place[1] - centre[1]) - radius;
        let misfit = (points.iter().map(|p| off(p).powi(2)).sum::<f64>() / count).sqrt();
        let mean = points.iter().fold([0.0, 0.0], |s, p| [s[0] + p.strain[0], s[1] + p.strain[1]]);
        let flow = libm::atan2(mean[1], mean[0]);
        let (mut spread, mut weight) = (0.0, 0.0);
        for p in points {
            let [x, y] = p.strain;
            let along = x * mean[0] + y * mean[1];
            let across = y * mean[0] - x * mean[1];
            spread += x.hypot(y) * libm::atan2(across, along).powi(2);
            weight += x.hypot(y);
        }
        Some(Self {
            centre,
            radius,
            points: points.len(),
            misfit: misfit / (2.0 * radius),
            origin: (centre[0].hypot(centre[1]) - radius).abs() / (2.0 * radius),
            flow,
            flow_spread: (spread / weight).sqrt(),
        })
    }
}

/// Ends of the interval of 95 % of `value` over resamplings of the indices 0 to `count`; not a number if it seldom has a value.
pub fn bootstrap(count: usize, value: impl Fn(&[usize]) -> Option<f64>) -> [f64; 2] {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(SEED);
    let mut found = Vec::with_capacity(RESAMPLINGS);
    let mut chosen = vec![0; count];
    if count == 0 {
        return [f64::NAN; 2];
    }
    for _ in 0..RESAMPLINGS {
        chosen.iter_mut().for_each(|k| *k = random.random_range(0..count));
        found.extend(value(&chosen));
    }
    if found.len() < RESAMPLINGS / 2 {
        return [f64::NAN; 2];
    }
    found.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| found[(share * (found.len() - 1) as f64).round() as usize];
    [at(0.025), at(0.975)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One mechanism: `dε = n_g ⟨n_f·dσ⟩/h`, and a small one against it.
    fn points(modulus: f64, normal: f64, flow: f64, against: f64) -> Vec<ProbePoint> {
        let point = |k: i32| {
            let angle = f64::from(k) * std::f64::consts::TAU / 72.0;
            let along = (angle - normal).cos() / modulus;
            let size = if along > 0.0 { along } else { -against * along };
            let sense = if along > 0.0 { size } else { -size };
            ProbePoint {
                place: [size * angle.cos(), size * angle.sin()],
                strain: [sense * flow.cos(), sense * flow.sin()],
            }
        };
        (0..72).map(point).collect()
    }

    #[test]
    fn modulus_yield_and_flow_of_one_mechanism_are_found() {
        let points = points(2e8, 1.1, 0.7, 0.2);
        let loading = Circle::fit(&points, Side::Loading).unwrap();
        assert!((loading.plastic_modulus() / 2e8 - 1.0).abs() < 1e-12, "{loading:?}");
        assert!((loading.yield_direction() - 1.1).abs() < 1e-12 && (loading.flow - 0.7).abs() < 1e-12);
        assert!(loading.misfit < 1e-12 && loading.origin < 1e-12 && loading.flow_spread < 1e-6);
        let unloading = Circle::fit(&points, Side::Unloading).unwrap();
        assert!((unloading.plastic_modulus() / 1e9 - 1.0).abs() < 1e-12, "{unloading:?}");
        assert!(Circle::fit(&points[..3], Side::Loading).is_none());
        assert!(Circle::fit(&[ProbePoint { place: [0.0; 2], strain: [0.0; 2] }; 9], Side::Loading).is_none());
    }

    #[test]
    fn intervals_hold_the_value_and_grow_with_scatter() {
        let exact = points(2e8, 1.1, 0.7, 0.2);
        let width = |noise: f64| {
            let shaken: Vec<ProbePoint> = exact
                .iter()
                .enumerate()
                .map(|(k, p)| {
                    let factor = 1.0 + noise * if k.is_multiple_of(3) { 1.0 } else { -0.5 };
                    ProbePoint { place: p.place.map(|x| x * factor), ..*p }
                })
                .collect();
            let modulus = |chosen: &[usize]| {
                let taken: Vec<ProbePoint> = chosen.iter().map(|&k| shaken[k]).collect();
                Circle::fit(&taken, Side::Loading).map(|c| c.plastic_modulus())
            };
            let [low, high] = bootstrap(shaken.len(), modulus);
            let own = Circle::fit(&shaken, Side::Loading).unwrap().plastic_modulus();
            assert!(low <= own * (1.0 + 1e-12) && own <= high * (1.0 + 1e-12), "{low} {own} {high}");
            (high - low) / own
        };
        assert!(width(0.0) < 1e-9 && width(0.1) > 10.0 * width(0.005));
        assert!(bootstrap(0, |_| Some(1.0))[0].is_nan() && bootstrap(3, |_| None)[0].is_nan());
    }
}
