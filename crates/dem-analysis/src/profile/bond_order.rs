//! Bond-orientational order of sixth rank of a packing of nearly equal spheres.
//!
//! `q₆² = 4π/13 Σ_m |Σ_f w_f Y₆ₘ(f)|²` over the Voronoi neighbours f of a particle with the shares `w` of their faces in the surface of
//! the Voronoi cell (W. Mickel, S. C. Kapfer, G. E. Schröder-Turk, K. Mecke, J. Chem. Phys. 138 (2013) 044501, who show why the neighbours
//! of P. J. Steinhardt, D. R. Nelson, M. Ronchetti, Phys. Rev. B 28 (1983) 784 need these weights). `Q₆` is the same with the mean over
//! all particles inside the sums: it sees one orientation for the whole packing. Face-centred cubic 0.5745, hexagonal close-packed 0.4848,
//! simple cubic 0.3536; a random arrangement of neighbours about 0.26 to 0.29.

use dem_core::DVec3;
use rayon::prelude::*;

use super::assembly::Assembly;
use super::neighbours::Neighbourhood;
use super::region::Region;
use super::voronoi::faces;

/// Largest standard deviation of the radii in proportion to their mean: beyond it the faces say more about sizes than about order.
pub const LARGEST_SPREAD: f64 = 0.1;
/// Distance in mean diameters up to which points may have a part in a Voronoi cell: half of it is the radius of the largest hole.
const REACH: f64 = 2.6;

/// Order of the particles of a region whose Voronoi cells are closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondOrder {
    /// Mean q₆ of a particle.
    pub local: f64,
    /// Standard deviation of q₆ between particles.
    pub spread: f64,
    /// Q₆ of all particles together.
    pub global: f64,
    /// Mean number of Voronoi neighbours.
    pub neighbours: f64,
    /// Particles.
    pub particles: usize,
}

/// Sums of harmonics for m = 0 to 6, real and imaginary part.
type Moment = [[f64; 2]; 7];

/// What the Voronoi cell of one particle gives.
struct Surrounding {
    moment: Moment,
    neighbours: usize,
}

/// Order of the centres of grains, of rigid bodies those of mass; `None` without a particle in a closed Voronoi cell.
pub fn bond_order(assembly: &Assembly, region: &Region) -> Option<BondOrder> {
    let cell = &assembly.surroundings.cell;
    let periods = (0..3).filter(|&k| cell.periodic[k]).map(|k| 0.5 * cell.width(k));
    let reach = periods.fold(REACH * assembly.mean_diameter(), f64::min);
    let near = Neighbourhood::new(&assembly.grains.centre, reach, cell);
    let of_particle = |row: usize| {
        if !region.contains(assembly.grains.centre[row]) {
            return None;
        }
        let mut ways = Vec::new();
        near.around(row, |_, way| ways.push(way));
        let found = faces(&mut ways, reach)?;
        let surface: f64 = found.iter().map(|face| face.area).sum();
        let mut moment = Moment::default();
        for face in &found {
            add_harmonics(&mut moment, face.direction, face.area / surface);
        }
        Some(Surrounding { moment, neighbours: found.len() })
    };
    let each: Vec<Option<Surrounding>> = (0..assembly.grains.count()).into_par_iter().map(of_particle).collect();
    let each: Vec<Surrounding> = each.into_iter().flatten().collect();
    if each.is_empty() {
        return None;
    }
    let count = each.len() as f64;
    let mean = |values: &dyn Fn(&Surrounding) -> f64| each.iter().map(values).sum::<f64>() / count;
    let local = mean(&|one| invariant(&one.moment));
    let spread = mean(&|one| (invariant(&one.moment) - local).powi(2)).sqrt();
    let all = std::array::from_fn(|m| std::array::from_fn(|part| mean(&|one| one.moment[m][part])));
    Some(BondOrder {
        local,
        spread,
        global: invariant(&all),
        neighbours: mean(&|one| one.neighbours as f64),
        particles: each.len(),
    })
}

/// `√(Σ_m |c_m|²)` over m from −6 to 6; those of negative m have the magnitude of those of positive m.
fn invariant(moment: &Moment) -> f64 {
    let square = |[re, im]: [f64; 2]| re * re + im * im;
    (square(moment[0]) + 2.0 * moment[1..].iter().map(|&c| square(c)).sum::<f64>()).sqrt()
}

/// Adds the harmonics `√(4π/13) Y₆ₘ` of a direction for m = 0 to 6 with a weight, real and imaginary part.
fn add_harmonics(moment: &mut Moment, n: DVec3, weight: f64) {
    let s = n.z * n.z;
    let along = [
        (((231.0 * s - 315.0) * s + 105.0) * s - 5.0) / 16.0,
        -(42f64.sqrt() / 16.0) * n.z * ((33.0 * s - 30.0) * s + 5.0),
        (420f64.sqrt() / 64.0) * ((33.0 * s - 18.0) * s + 1.0),
        -(420f64.sqrt() / 32.0) * n.z * (11.0 * s - 3.0),
        (3.0 * 14f64.sqrt() / 32.0) * (11.0 * s - 1.0),
        -(3.0 * 308f64.sqrt() / 32.0) * n.z,
        924f64.sqrt() / 64.0,
    ];
    // (x + iy)^m
    let mut turn = [1.0, 0.0];
    for (sum, factor) in moment.iter_mut().zip(along) {
        sum[0] += weight * factor * turn[0];
        sum[1] += weight * factor * turn[1];
        turn = [turn[0] * n.x - turn[1] * n.y, turn[0] * n.y + turn[1] * n.x];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::test_packings::{fcc, simple_cubic};

    #[test]
    fn harmonics_obey_the_addition_theorem() {
        let directions = [DVec3::X, DVec3::new(0.3, -0.5, 0.8).normalize(), DVec3::new(-0.7, 0.1, -0.2).normalize()];
        for a in directions {
            for b in directions {
                let (mut at_a, mut at_b) = ([[0.0; 2]; 7], [[0.0; 2]; 7]);
                add_harmonics(&mut at_a, a, 1.0);
                add_harmonics(&mut at_b, b, 1.0);
                let product = |m: usize| at_a[m][0] * at_b[m][0] + at_a[m][1] * at_b[m][1];
                let sum = product(0) + 2.0 * (1..7).map(product).sum::<f64>();
                let s = a.dot(b).powi(2);
                let legendre = (((231.0 * s - 315.0) * s + 105.0) * s - 5.0) / 16.0;
                assert!((sum - legendre).abs() < 1e-13, "{sum} {legendre}");
            }
        }
    }

    #[test]
    fn lattices_have_their_values() {
        let (cubic, cubic_region) = simple_cubic(6);
        let found = bond_order(&cubic, &cubic_region).unwrap();
        assert_eq!(found.particles, 216);
        assert!((found.local - 0.353_553).abs() < 1e-6 && (found.global - 0.353_553).abs() < 1e-6, "{found:?}");
        let (fcc, fcc_region) = fcc(4);
        let found = bond_order(&fcc, &fcc_region).unwrap();
        assert!((found.local - 0.574_524).abs() < 1e-6 && found.spread < 1e-9, "{found:?}");
    }
}
