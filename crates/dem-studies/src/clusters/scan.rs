//! Assemblies of all shapes: the friction of their compression, and their tests.

use dem_report::parallel_runs::side_by_side;
use dem_report::unfinished::Unfinished;

use super::options::Options;
use super::results::{Preparation, Scanned, Tested, void_ratio};
use super::shape::Shape;
use crate::error::StudyError;
use crate::triaxial::course::Prepared;

/// How near to the void ratio that is asked for the first assembly must come for the search to end.
const SOUGHT: f64 = 2e-3;
/// Rounds of the search for the friction that gives it.
const ROUNDS: usize = 3;

/// One assembly that is to be compressed and sheared.
#[derive(Clone, Copy)]
pub struct Task {
    /// Its shape.
    pub shape: Shape,
    /// Friction of the compression.
    pub friction: f64,
    /// Seed.
    pub seed: u64,
    /// Clusters.
    pub clusters: u64,
}

/// Finds the friction of the compression of every shape with its first assembly, then compresses and shears all of them.
///
/// # Errors
/// A step that fails, a file that cannot be read or written.
pub fn all(options: &Options, kept: &Unfinished) -> Result<Vec<Scanned>, StudyError> {
    let searched = side_by_side(&options.shapes, |&shape| search(options, shape, kept))?;
    let chosen: Vec<f64> = searched.iter().map(|tried| nearest_friction(tried, options.void_ratio)).collect();
    let of_shape = |(&shape, &friction): (&Shape, &f64)| {
        (1..=options.seeds)
            .map(move |seed| Task { shape, friction, seed, clusters: options.clusters })
            .collect::<Vec<_>>()
    };
    let tasks: Vec<Task> = options.shapes.iter().zip(&chosen).flat_map(of_shape).collect();
    let mut tested = side_by_side(&tasks, |task| test(options, task, kept))?.into_iter();
    let scanned = options.shapes.iter().zip(searched).zip(chosen).map(|((&shape, preparations), friction)| Scanned {
        shape,
        friction,
        tested: tested.by_ref().take(options.seeds as usize).collect(),
        preparations,
    });
    Ok(scanned.collect())
}

/// Compresses the first assembly of a shape with one friction after another until its void ratio is near enough. Preparations by rising friction.
fn search(options: &Options, shape: Shape, kept: &Unfinished) -> Result<Vec<Preparation>, StudyError> {
    let mut tried: Vec<Preparation> = Vec::new();
    let mut due = options.frictions.clone();
    for _ in 0..=ROUNDS {
        for friction in due {
            let loaded = options.scene(&shape, friction, 1, options.clusters)?;
            let sample = Prepared::new(&loaded, kept, None)?.describe();
            tried.push(Preparation { friction, void_ratio: void_ratio(sample.porosity) });
        }
        tried.sort_unstable_by(|a, b| a.friction.total_cmp(&b.friction));
        due = next_friction(&tried, options.void_ratio).into_iter().collect();
        if due.is_empty() {
            break;
        }
    }
    Ok(tried)
}

/// The larger assembly of a shape, if it is asked for.
///
/// # Errors
/// As [`all`].
pub fn larger(options: &Options, scanned: &Scanned, kept: &Unfinished) -> Result<Option<Tested>, StudyError> {
    let task = |clusters| Task { shape: scanned.shape, friction: scanned.friction, seed: 1, clusters };
    options.larger.map(|clusters| test(options, &task(clusters), kept)).transpose()
}

/// Compresses and shears an assembly.
///
/// # Errors
/// As [`all`].
pub fn test(options: &Options, task: &Task, kept: &Unfinished) -> Result<Tested, StudyError> {
    let &Task { shape, friction, seed, clusters } = task;
    let loaded = options.scene(&shape, friction, seed, clusters)?;
    let prepared = Prepared::new(&loaded, kept, None)?;
    let course = prepared.follow("test", &options.triaxial(), 1.0)?;
    Ok(Tested { seed, clusters, sample: prepared.describe(), in_vain: prepared.in_vain().to_vec(), course })
}

/// The friction that was tried and came nearest.
fn nearest_friction(tried: &[Preparation], void_ratio: f64) -> f64 {
    let off = |one: &Preparation| (one.void_ratio - void_ratio).abs();
    tried.iter().min_by(|a, b| off(a).total_cmp(&off(b))).map_or(f64::NAN, |found| found.friction)
}

/// The friction to try next: where a straight line between the neighbours reaches the void ratio. None if one is near enough, if no two have it between
/// them, or if the rounding of the friction, to as many digits as one writes, gives one that was tried.
fn next_friction(tried: &[Preparation], void_ratio: f64) -> Option<f64> {
    if tried.iter().any(|one| (one.void_ratio - void_ratio).abs() <= SOUGHT) {
        return None;
    }
    let pair = tried.windows(2).find(|pair| (pair[0].void_ratio..=pair[1].void_ratio).contains(&void_ratio))?;
    let [low, high] = [pair[0], pair[1]];
    let share = (void_ratio - low.void_ratio) / (high.void_ratio - low.void_ratio);
    let friction = (1e3 * (low.friction + (high.friction - low.friction) * share)).round() / 1e3;
    tried.iter().all(|one| one.friction != friction).then_some(friction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_friction_of_a_void_ratio_is_found_between_its_neighbours() {
        let one = |friction: f64, void_ratio: f64| Preparation { friction, void_ratio };
        let few = [one(0.0, 0.4), one(0.1, 0.51), one(0.2, 0.61)];
        assert_eq!(next_friction(&few, 0.56), Some(0.15));
        assert_eq!(nearest_friction(&few, 0.55), 0.1);
        assert_eq!(next_friction(&few, 0.511), None, "near enough");
        assert_eq!(next_friction(&few, 0.7), None, "beyond all");
        assert_eq!(nearest_friction(&few, 0.7), 0.2);
        let close = [one(0.1, 0.5), one(0.101, 0.6)];
        assert_eq!(next_friction(&close, 0.51), None, "as near as one writes");
        assert!((void_ratio(0.363) - 0.570).abs() < 2e-4);
    }
}
