//! How well the particles of a material are mixed with all others: the index of Lacey.
//!
//! ```text
//! M  = (S0² − S²) / (S0² − SR²),   S0² = p q,   SR² = p q / n,
//! S² = Σ n_i (p_i − p)² / N
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | n_i, p_i | particles in sample cell i, and the share by number of the reference material among them |
//! | N, p, q | particles in all cells, share of the reference material among them, 1 − p |
//! | n | N over the number of cells with particles |
//!
//! P. M. C. Lacey, Journal of Applied Chemistry 4 (1954) 257, for samples of equal size. Here cells count by their particles:
//! p is then the mean of the p_i, S² is S0² exactly where no cell has particles of both kinds, and its expectation for
//! particles distributed at random is SR² exactly, whatever the sizes of the samples.

use dem_core::DVec3;
use dem_io::series::SeriesColumn;

use super::names::column_name;
use crate::state::mixing_grid::MixingGrid;
use crate::state::world::World;

const COLUMNS: [(&str, &str); 5] = [
    (
        "lacey",
        "index of Lacey, 0 unmixed and 1 mixed at random; NaN with fewer than two kinds of particles or cells that hold one each, grid",
    ),
    ("variance", "variance of the share of the reference material among the cells, weighted by their particles, grid"),
    ("share", "share of the reference material by number, rigid bodies counted once, grid"),
    ("particles", "particles that count, grid"),
    ("cells", "sample cells with particles, grid"),
];

/// Names of the columns of one grid.
pub fn mixing_columns(grid: &str) -> Vec<String> {
    describe(grid).into_iter().map(|column| column.name).collect()
}

/// The columns of a grid with their meanings.
pub(super) fn describe(grid: &str) -> Vec<SeriesColumn> {
    let column = |(end, meaning): (&str, &str)| {
        SeriesColumn::new(format!("mixing_{}_{end}", column_name(grid)), "-", format!("{meaning} {grid}"))
    };
    COLUMNS.into_iter().map(column).collect()
}

/// Values of the columns of a grid.
pub(super) fn values(world: &World, grid: &MixingGrid) -> [f64; 5] {
    let mut samples = vec![[0usize; 2]; grid.len()];
    for mover in world.movers() {
        let centre: DVec3 = world.centre_of(mover);
        if let Some(sample) = grid.cell_of(centre, &world.cell).and_then(|cell| samples.get_mut(cell)) {
            sample[0] += 1;
            sample[1] += usize::from(world.material_of(mover) == grid.reference);
        }
    }
    if !world.whole.is_alone() {
        samples.iter_mut().flatten().for_each(|count| *count = world.whole.count(*count));
    }
    let mixture = Mixture::of(&samples);
    [mixture.index, mixture.variance, mixture.share, mixture.particles, mixture.cells]
}

/// What samples tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture {
    /// Index of Lacey.
    pub index: f64,
    /// S².
    pub variance: f64,
    /// p.
    pub share: f64,
    /// N.
    pub particles: f64,
    /// Samples that are not empty.
    pub cells: f64,
}

impl Mixture {
    /// Of samples, each with the number of its particles and that of the reference material among them.
    pub fn of(samples: &[[usize; 2]]) -> Self {
        let [particles, chosen] = [0, 1].map(|k: usize| samples.iter().map(|sample| sample[k]).sum::<usize>() as f64);
        let filled = || samples.iter().filter(|sample| sample[0] > 0).map(|sample| sample.map(|count| count as f64));
        let cells = filled().count() as f64;
        let share = chosen / particles;
        let variance = filled().map(|[all, chosen]| all * (chosen / all - share) * (chosen / all - share)).sum::<f64>();
        let variance = if particles > 0.0 { variance / particles } else { f64::NAN };
        let unmixed = share * (1.0 - share);
        let random = unmixed * cells / particles;
        let range = unmixed - random;
        let index = if range > 0.0 { (unmixed - variance) / range } else { f64::NAN };
        Self { index, variance, share, particles, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmixed_samples_have_index_zero_and_even_ones_the_value_of_the_formula() {
        // whatever the sizes of the samples
        let apart = Mixture::of(&[[10, 10], [30, 0], [5, 5], [0, 0], [1, 0]]);
        assert!(apart.index.abs() < 1e-15, "{apart:?}");
        assert_eq!((apart.particles, apart.cells, apart.variance), (46.0, 4.0, apart.share * (1.0 - apart.share)));
        // every cell has the share of the whole: S² = 0, and M = 1 / (1 − 1/n)
        let even = Mixture::of(&[[8, 2]; 12]);
        assert!((even.index - 1.0 / (1.0 - 1.0 / 8.0)).abs() < 1e-14 && even.variance == 0.0, "{even:?}");
    }

    #[test]
    fn index_of_random_samples_is_one_on_average() {
        // samples of 3 to 40 particles, each of the reference material with probability 0.3; a plain congruential generator
        let mut state = 12_345u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let repetitions = 2_000;
        let mut sum = 0.0;
        for _ in 0..repetitions {
            let samples: Vec<[usize; 2]> = (0..50)
                .map(|_| {
                    let all = 3 + (38.0 * random()) as usize;
                    [all, (0..all).filter(|_| random() < 0.3).count()]
                })
                .collect();
            sum += Mixture::of(&samples).index;
        }
        // the spread of M in one set of 50 samples is about (2/50)^(1/2) / (n − 1) = 0.01; p is that of the samples
        // themselves, which adds 1/50 / n
        assert!((sum / f64::from(repetitions) - 1.0).abs() < 2e-3, "{}", sum / f64::from(repetitions));
    }

    #[test]
    fn samples_that_tell_nothing_have_no_index() {
        for samples in [vec![], vec![[0, 0]], vec![[5, 5], [3, 3]], vec![[4, 0]], vec![[1, 1], [1, 0]]] {
            assert!(Mixture::of(&samples).index.is_nan(), "{samples:?}");
        }
    }
}
