//! Every broadphase finds the pairs that brute force finds.

use dem_broadphase::{Automatic, Broadphase, BruteForce, CellList, KdTree};
use dem_core::cell::{Cell, FacePolicy};
use dem_core::contact_list::CandidateRows;
use dem_core::particles::{NewParticle, Particles};
use dem_core::{DMat3, DQuat, DVec3};

/// SplitMix64: a tiny generator is enough to scatter points.
struct Scatter(u64);
impl Scatter {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn cloud(count: usize, size: DVec3, radius: impl Fn(f64) -> f64, seed: u64) -> Particles {
    let mut scatter = Scatter(seed);
    let mut particles = Particles::default();
    for _ in 0..count {
        let position = DVec3::new(scatter.next(), scatter.next(), scatter.next()) * size;
        particles.push(NewParticle {
            position,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            radius: radius(scatter.next()),
            density: 1.0,
            material: 0,
            group: 1,
            frozen: 0,
        });
    }
    particles
}

fn pairs(broadphase: &mut dyn Broadphase, particles: &Particles, cell: &Cell, margin: f64) -> Vec<(u32, u32)> {
    let mut rows = CandidateRows::default();
    broadphase.candidates(particles, cell, margin, &mut rows);
    let mut pairs = Vec::new();
    for i in 0..particles.len() {
        for &j in &rows.partner[rows.row[i] as usize..rows.row[i + 1] as usize] {
            pairs.push((j.min(i as u32), j.max(i as u32)));
        }
    }
    pairs.sort_unstable();
    let count = pairs.len();
    pairs.dedup();
    assert_eq!(count, pairs.len(), "a pair was found twice");
    pairs
}

fn all() -> [Box<dyn Broadphase>; 4] {
    [
        Box::new(CellList::default()),
        Box::new(CellList::hierarchical()),
        Box::new(KdTree::default()),
        Box::new(Automatic::default()),
    ]
}

#[test]
fn every_broadphase_finds_the_pairs_of_brute_force() {
    let size = DVec3::new(1.0, 0.7, 1.3);
    for (seed, periodic) in [[false; 3], [true; 3], [true, false, true], [false, true, false]].into_iter().enumerate() {
        let cell = Cell::orthogonal(DVec3::ZERO, size, periodic, [[FacePolicy::Error; 2]; 3]);
        // the largest range, 0.31, still leaves two bins across the narrow direction
        for (count, radius, margin) in [(400, 0.03, 0.01), (300, 0.13, 0.05), (2, 0.1, 0.0), (1, 0.1, 0.0)] {
            let particles = cloud(count, size, |u| radius * (0.4 + 0.6 * u), seed as u64);
            let expected = pairs(&mut BruteForce, &particles, &cell, margin);
            assert!(count < 3 || !expected.is_empty());
            for mut broadphase in all() {
                let found = pairs(broadphase.as_mut(), &particles, &cell, margin);
                assert_eq!(found, expected, "{}: {periodic:?}, {count} of {radius} m", broadphase.key());
            }
        }
    }
}

/// Radii with a number density in proportion to r⁻⁴ between 1 and `ratio`.
fn wide(ratio: f64) -> impl Fn(f64) -> f64 {
    move |u| (1.0 - u * (1.0 - ratio.powi(-3))).powf(-1.0 / 3.0)
}

#[test]
fn spheres_of_very_different_sizes_find_each_other() {
    let size = DVec3::new(1.0, 0.7, 1.3);
    let sheared = {
        let mut cell = Cell::orthogonal(DVec3::ZERO, DVec3::ONE, [true; 3], [[FacePolicy::Error; 2]; 3]);
        cell.set_matrix(DMat3::from_cols(DVec3::X, DVec3::new(0.4, 0.9, 0.0), DVec3::new(-0.2, 0.1, 1.1)));
        cell
    };
    let open = |periodic| Cell::orthogonal(DVec3::ZERO, size, periodic, [[FacePolicy::Error; 2]; 3]);
    let cells = [open([false; 3]), open([true; 3]), open([false, true, false]), sheared];
    for (seed, cell) in cells.iter().enumerate() {
        for ratio in [2.0, 20.0, 1e4] {
            let smallest = 0.12 / ratio;
            let size_of = wide(ratio);
            let mut particles = cloud(1500, size, |u| smallest * size_of(u), seed as u64);
            // at least one of the largest and one of the smallest
            (particles.radius[7], particles.radius[8]) = (0.12, smallest);
            let expected = pairs(&mut BruteForce, &particles, cell, 0.02);
            assert!(expected.len() > 20);
            for mut broadphase in all() {
                let found = pairs(broadphase.as_mut(), &particles, cell, 0.02);
                assert_eq!(found, expected, "{}: ratio {ratio}, cell {seed}", broadphase.key());
            }
        }
    }
    let mut grid = CellList::hierarchical();
    let mut rows = CandidateRows::default();
    grid.candidates(&cloud(1500, size, |u| if u < 0.5 { 0.1 } else { 0.013 }, 1), &cells[0], 0.0, &mut rows);
    assert_eq!(grid.levels(), 2, "octaves without spheres have no level");
    grid.candidates(&cloud(1500, size, |_| 0.1, 1), &cells[0], 0.0, &mut rows);
    assert_eq!(grid.levels(), 1);
}

#[test]
fn clusters_far_apart_are_searched_by_the_tree() {
    let cell = Cell::unbounded();
    let mut particles = cloud(600, DVec3::ONE, |_| 0.05, 3);
    for x in &mut particles.position[300..] {
        *x += DVec3::new(1e3, -1e3, 0.0);
    }
    let mut automatic = Automatic::default();
    let expected = pairs(&mut BruteForce, &particles, &cell, 0.01);
    assert_eq!(pairs(&mut automatic, &particles, &cell, 0.01), expected);
    assert_eq!(automatic.key(), "kd_tree");
    let near = cloud(300, DVec3::ONE, |_| 0.05, 3);
    assert_eq!(pairs(&mut automatic, &near, &cell, 0.01), pairs(&mut BruteForce, &near, &cell, 0.01));
    assert_eq!(automatic.key(), "hierarchical_grid");
}

#[test]
fn sparse_and_degenerate_clouds_are_searched_within_bounded_memory() {
    let cell = Cell::unbounded();
    let mut particles = cloud(50, DVec3::ONE, |_| 0.05, 9);
    particles.position[0] = DVec3::new(1e7, -1e7, 3e6);
    let expected = pairs(&mut BruteForce, &particles, &cell, 0.01);
    for mut broadphase in all() {
        assert_eq!(pairs(broadphase.as_mut(), &particles, &cell, 0.01), expected);
    }
    for x in &mut particles.position {
        *x = DVec3::splat(0.25);
    }
    for mut broadphase in all() {
        assert_eq!(pairs(broadphase.as_mut(), &particles, &cell, 0.01).len(), 50 * 49 / 2, "{}", broadphase.key());
        let mut rows = CandidateRows::default();
        broadphase.candidates(&Particles::default(), &cell, 0.1, &mut rows);
        assert_eq!(rows.row, [0]);
    }
}

#[test]
fn spatial_order_is_a_permutation_that_shortens_jumps() {
    let cell = Cell::unbounded();
    let mut particles = cloud(2000, DVec3::ONE, |_| 0.03, 4);
    let jump = |p: &Particles| p.position.windows(2).map(|w| w[0].distance(w[1])).sum::<f64>();
    let before = jump(&particles);
    let order = CellList::default().spatial_order(&particles, &cell, 0.01);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert!(sorted.iter().enumerate().all(|(k, &slot)| k == slot as usize));
    particles.rearrange(&order);
    assert!(jump(&particles) < 0.3 * before);
}

/// Spheres that are all near each other are not listed pair by pair before somebody finds that there are too many.
#[test]
fn search_gives_up_beyond_a_number_of_pairs_and_counts_exactly() {
    let particles = cloud(1200, DVec3::splat(1.0), |_| 1.0, 5);
    let all_pairs = 1200 * 1199 / 2;
    let cell = Cell::orthogonal(DVec3::splat(-9.0), DVec3::splat(9.0), [false; 3], [[FacePolicy::Open; 2]; 3]);
    for mut broadphase in all() {
        let mut rows = CandidateRows::default();
        for most in [0, 20_000, all_pairs - 1] {
            let refused = broadphase.candidates_within(&particles, &cell, 0.0, most, &mut rows);
            assert_eq!(refused.map_err(|many| many.most), Err(most), "{}", broadphase.key());
            assert_eq!((rows.row.len(), rows.partner.len()), (1201, 0));
        }
        broadphase.candidates_within(&particles, &cell, 0.0, all_pairs, &mut rows).unwrap();
        assert_eq!(rows.partner.len(), all_pairs);
    }
}
