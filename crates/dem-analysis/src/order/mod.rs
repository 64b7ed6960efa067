//! Order of a packing of equal discs in the plane: how hexagonal are the neighbours of each?
//!
//! `ψ₆ = Σ w exp(6iθ)/Σ w` over the Delaunay neighbours of a particle, θ the direction to each; |ψ₆| is 1 in a hexagonal lattice. With equal
//! weights w it is the measure of D. R. Nelson, B. I. Halperin, Phys. Rev. B 19 (1979) 2457. Where four particles lie on a circle, which
//! two of them are neighbours is up to rounding; with the length of the common side of their Voronoi cells as the weight such a
//! neighbour does not count (W. Mickel, S. C. Kapfer, G. E. Schröder-Turk, K. Mecke, J. Chem. Phys. 138 (2013) 044501), and a square
//! lattice has 0.

mod triangulation;

use triangulation::Triangulation;

/// Order about one particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalOrder {
    /// |ψ₆| with equal weights \[-\]; not a number without neighbours.
    pub equal: f64,
    /// |ψ₆| with the sides of the Voronoi cells as weights \[-\].
    pub by_sides: f64,
    /// Delaunay neighbours.
    pub neighbours: usize,
    /// Whether it belongs to the boundary of the packing, where neighbours are missing.
    pub is_boundary: bool,
}

/// Order of a packing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanOrder {
    /// Mean |ψ₆| with equal weights \[-\]; not a number if there is no particle inside.
    pub equal: f64,
    /// Mean |ψ₆| with the sides of the Voronoi cells as weights \[-\].
    pub by_sides: f64,
    /// Particles inside, over which the means are.
    pub inside: usize,
}

/// Order about every particle of a packing of discs of equal `diameter` with given centres \[m\].
///
/// The boundary is what a disc larger than a particle touches that comes from outside (an alpha shape): particles at walls, at the surface
/// and at its bays, but not those about a vacancy inside.
pub fn local_order(centres: &[[f64; 2]], diameter: f64) -> Vec<LocalOrder> {
    let triangulation = Triangulation::new(centres);
    let boundary = triangulation.boundary(diameter);
    // cosine and sine of six times the direction, summed with equal weights and with sides, and the weights
    let mut sums = vec![[0.0f64; 6]; centres.len()];
    triangulation.for_each_edge(|[from, to], side| {
        let [dx, dy] = [centres[to][0] - centres[from][0], centres[to][1] - centres[from][1]];
        let (sine, cosine) = libm::sincos(6.0 * libm::atan2(dy, dx));
        // the direction back differs by half a turn, six times which is three turns
        for end in [from, to] {
            for (sum, term) in sums[end].iter_mut().zip([cosine, sine, 1.0, side * cosine, side * sine, side]) {
                *sum += term;
            }
        }
    });
    let order = |(sum, is_boundary): (&[f64; 6], bool)| LocalOrder {
        equal: libm::hypot(sum[0], sum[1]) / sum[2],
        by_sides: libm::hypot(sum[3], sum[4]) / sum[5],
        neighbours: sum[2] as usize,
        is_boundary,
    };
    sums.iter().zip(boundary).map(order).collect()
}

/// Mean order of the particles that are not of the boundary.
pub fn mean_order(local: &[LocalOrder]) -> MeanOrder {
    let inside = || local.iter().filter(|order| !order.is_boundary);
    let count = inside().count();
    let mean = |of: &dyn Fn(&LocalOrder) -> f64| inside().map(of).sum::<f64>() / count as f64;
    MeanOrder { equal: mean(&|order| order.equal), by_sides: mean(&|order| order.by_sides), inside: count }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A patch of a lattice, turned by an angle.
    fn lattice(a: [f64; 2], b: [f64; 2], edge: usize, angle: f64) -> Vec<[f64; 2]> {
        let (s, c) = angle.sin_cos();
        let sites = (0..edge * edge).map(|k| [(k % edge) as f64, (k / edge) as f64]);
        let at = sites.map(|[i, j]| [a[0] * i + b[0] * j, a[1] * i + b[1] * j]);
        at.map(|[x, y]| [c * x - s * y, s * x + c * y]).collect()
    }

    fn hexagonal(edge: usize, angle: f64) -> Vec<[f64; 2]> {
        lattice([1.0, 0.0], [0.5, 0.75f64.sqrt()], edge, angle)
    }

    #[test]
    fn hexagonal_lattice_has_order_one_in_any_direction() {
        for angle in [0.0, 0.1, 0.7, 2.0] {
            let mean = mean_order(&local_order(&hexagonal(10, angle), 1.0));
            assert_eq!(mean.inside, 64, "all but the outermost ring");
            assert!((mean.equal - 1.0).abs() < 1e-9 && (mean.by_sides - 1.0).abs() < 1e-9, "{mean:?}");
        }
    }

    #[test]
    fn square_lattice_has_no_order_by_sides_and_little_otherwise() {
        let mean = mean_order(&local_order(&lattice([1.0, 0.0], [0.0, 1.0], 10, 0.3), 1.0));
        assert_eq!(mean.inside, 64);
        assert!(mean.by_sides < 1e-6, "{mean:?}");
        // diagonals that rounding makes neighbours: at most two like ones beside four that cancel
        assert!(mean.equal < 0.5, "{mean:?}");
    }

    #[test]
    fn vacancy_is_inside_and_bay_is_boundary() {
        let mut centres = hexagonal(12, 0.0);
        let vacancy = 5 + 5 * 12;
        centres.remove(vacancy);
        let local = local_order(&centres, 1.0);
        let about = 6 + 5 * 12 - 1;
        assert!(!local[about].is_boundary, "the neighbour of the vacancy");
        assert!(local[about].equal < 0.999);
        // a bay five deep into the straight edge
        let bay: Vec<[f64; 2]> = hexagonal(12, 0.0)
            .into_iter()
            .enumerate()
            .filter(|(k, _)| !((k % 12).abs_diff(6) <= 1 && k / 12 < 5))
            .map(|(_, centre)| centre)
            .collect();
        let floor =
            bay.iter().position(|c| (c[0] - 8.5).abs() < 1e-9 && (c[1] - 5.0 * 0.75f64.sqrt()).abs() < 1e-9).unwrap();
        assert!(local_order(&bay, 1.0)[floor].is_boundary);
    }

    #[test]
    fn few_or_collinear_particles_have_no_inside() {
        for centres in [vec![], vec![[0.0, 0.0]], (0..5).map(|k| [f64::from(k), 0.0]).collect()] {
            let local = local_order(&centres, 1.0);
            assert_eq!(local.len(), centres.len());
            assert!(mean_order(&local).equal.is_nan());
        }
    }
}
