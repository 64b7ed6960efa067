//! Fields on a grid from particles and contacts, with a kernel of compact support.
//!
//! The kernel is that of L. B. Lucy (Astron. J. 82 (1977) 1013), `w(s) ∝ (1 + 3 s/c)(1 − s/c)³` for s < c, as in the coarse-graining of
//! granular flows (D. R. Tunuguntla, A. R. Thornton, T. Weinhart, Comput. Part. Mech. 3 (2016) 349). It is evaluated at the centres of the
//! grid's cells and **divided by its sum over the grid**, for each particle: so the sums of density and momentum density over all cells, times
//! the volume of a cell, are mass and momentum of the particles to rounding, whether the grid ends there or is periodic. At an end of the
//! grid that is no period the kernel is thereby cut off and becomes higher, as if nothing were smeared through a wall.
//!
//! ```text
//! density ρ = Σ m w,  momentum density = Σ m v w,  velocity u = momentum density / density,  solid fraction = Σ V w
//! granular temperature = Σ m |v − u|² w / 3ρ,   contact stress = Σ f ⊗ l ∫₀¹ w(x_i + s l) ds
//! ```
//!
//! The integral along a branch is that of two Gauss points (I. Goldhirsch, Granular Matter 12 (2010) 239, has it for any kernel); the
//! sum of the stress over the grid, times the volume of a cell, is Σ f ⊗ l, positive in tension.

use dem_core::DVec3;
use dem_io::snapshot::{CellField, ColumnSpec, GridFields};
use dem_report::ReportError;

use super::assembly::Assembly;
use crate::error::AnalysisError;
use crate::volume::sphere;

/// Most cells of a grid.
const MOST_CELLS: f64 = 2e7;
/// Points of the Gauss rule with two points on (0, 1), each with the weight one half.
const GAUSS: [f64; 2] = [0.211_324_865_405_187_13, 0.788_675_134_594_812_9];

/// A grid around an assembly and the width of the kernel.
#[derive(Clone, Debug)]
struct Grid {
    origin: DVec3,
    spacing: DVec3,
    cells: [usize; 3],
    periodic: [bool; 3],
    reach: f64,
}

/// Fields of an assembly on a grid over the periodic cell, and over the spheres along directions that are not periodic.
///
/// `spacing` \[m\] is made smaller so that it divides the grid; the kernel reaches `reach` \[m\].
///
/// # Errors
/// No particles, lengths that are not positive, too many cells, a kernel wider than half of a period.
pub fn coarse_grained(assembly: &Assembly, spacing: f64, reach: f64) -> Result<GridFields, AnalysisError> {
    let grid = Grid::new(assembly, spacing, reach)?;
    let count: usize = grid.cells.iter().product();
    let volume = grid.spacing.element_product();
    let (mut density, mut solid) = (vec![0.0; count], vec![0.0; count]);
    let mut momentum = vec![DVec3::ZERO; count];
    let mut weights = Vec::new();
    for k in 0..assembly.len() {
        grid.kernel(assembly.position[k], &mut weights);
        let (mass, sphere) =
            (assembly.mass[k] / volume, assembly.grains.filling[k] * sphere(assembly.radius[k]) / volume);
        for &(cell, weight) in &weights {
            density[cell] += mass * weight;
            solid[cell] += sphere * weight;
            momentum[cell] += mass * weight * assembly.velocity[k];
        }
    }
    let velocity: Vec<DVec3> =
        momentum.iter().zip(&density).map(|(p, &rho)| if rho > 0.0 { *p / rho } else { DVec3::ZERO }).collect();
    let mut temperature = vec![0.0; count];
    for k in 0..assembly.len() {
        grid.kernel(assembly.position[k], &mut weights);
        for &(cell, weight) in &weights {
            let relative = assembly.velocity[k] - velocity[cell];
            temperature[cell] += assembly.mass[k] / volume * weight * relative.length_squared();
        }
    }
    for (value, &rho) in temperature.iter_mut().zip(&density) {
        *value = if rho > 0.0 { *value / (3.0 * rho) } else { 0.0 };
    }
    let scalar = |name, unit, meaning, values| CellField { spec: ColumnSpec::new(name, unit, meaning, 1), values };
    let vector = |name, unit, meaning, values: &[DVec3]| CellField {
        spec: ColumnSpec::new(name, unit, meaning, 3),
        values: values.iter().flat_map(|v| v.to_array()).collect(),
    };
    let mut fields = vec![
        scalar("density", "kg/m^3", "mass of particles per volume", density),
        scalar("solid_fraction", "1", "volume of particles per volume, each smeared by the kernel", solid),
        vector("momentum_density", "kg/(m^2 s)", "momentum of particles per volume", &momentum),
        vector("velocity", "m/s", "momentum density over density; zero where there is no mass", &velocity),
        scalar("granular_temperature", "m^2/s^2", "a third of the mean square of relative velocities", temperature),
    ];
    if assembly.contacts.is_some() {
        let values = contact_stress(assembly, &grid, volume);
        let meaning = "contact stress, xx, xy, xz, yx, ..., first direction: force; positive in tension";
        fields.push(CellField { spec: ColumnSpec::new("contact_stress", "Pa", meaning, 9), values });
    }
    let Grid { origin, spacing, cells, .. } = grid;
    Ok(GridFields { origin: origin.to_array(), spacing: spacing.to_array(), cells, fields })
}

fn contact_stress(assembly: &Assembly, grid: &Grid, volume: f64) -> Vec<f64> {
    let mut values = vec![0.0; 9 * grid.cells.iter().product::<usize>()];
    let mut weights = Vec::new();
    for contact in assembly.contact_list() {
        let force = contact.force / volume;
        let products: [f64; 9] = std::array::from_fn(|k| 0.5 * force[k / 3] * contact.branch[k % 3]);
        for along in GAUSS {
            grid.kernel(contact.start + along * contact.branch, &mut weights);
            for &(cell, weight) in &weights {
                for (value, product) in values[9 * cell..9 * cell + 9].iter_mut().zip(products) {
                    *value += weight * product;
                }
            }
        }
    }
    values
}

impl Grid {
    fn new(assembly: &Assembly, spacing: f64, reach: f64) -> Result<Self, AnalysisError> {
        let positive = |option, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            Err(ReportError::Option { option, value: value.to_string(), allowed: "a length above 0 m".to_owned() })
        };
        positive("--grid", spacing)?;
        positive("--kernel", reach)?;
        let (mut low, mut high) =
            assembly.extent().ok_or_else(|| AnalysisError::Snapshots("the frame holds no particles".to_owned()))?;
        let cell = &assembly.surroundings.cell;
        for k in (0..3).filter(|&k| cell.periodic[k]) {
            (low[k], high[k]) = (cell.origin[k], cell.origin[k] + cell.width(k));
            if reach > 0.5 * cell.width(k) {
                let allowed = format!("at most half of the period of {} m", cell.width(k));
                return Err(ReportError::Option { option: "--kernel", value: format!("{reach} m"), allowed }.into());
            }
        }
        let numbers = ((high - low) / spacing).ceil().max(DVec3::ONE);
        if numbers.element_product() > MOST_CELLS {
            let allowed = format!("a spacing that makes at most {MOST_CELLS:e} cells");
            return Err(ReportError::Option { option: "--grid", value: format!("{spacing} m"), allowed }.into());
        }
        let cells = numbers.to_array().map(|n| n as usize);
        Ok(Self { origin: low, spacing: (high - low) / numbers, cells, periodic: cell.periodic, reach })
    }

    /// Cells that the kernel of a point reaches, with weights of sum 1. A point whose kernel holds no centre of a cell goes to its own cell.
    fn kernel(&self, point: DVec3, weights: &mut Vec<(usize, f64)>) {
        weights.clear();
        let at = (point - self.origin) / self.spacing - 0.5;
        let range = |k: usize| {
            let reach = self.reach / self.spacing[k];
            let (from, to) = ((at[k] - reach).ceil() as i64, (at[k] + reach).floor() as i64);
            if self.periodic[k] { from..=to } else { from.max(0)..=to.min(self.cells[k] as i64 - 1) }
        };
        let number = |k: usize, index: i64| {
            let cells = self.cells[k] as i64;
            (if self.periodic[k] { index.rem_euclid(cells) } else { index.clamp(0, cells - 1) }) as usize
        };
        let away = |k: usize, index: i64| (index as f64 - at[k]) * self.spacing[k];
        let mut sum = 0.0;
        for c in range(2) {
            for b in range(1) {
                let across = away(2, c).powi(2) + away(1, b).powi(2);
                if across >= self.reach * self.reach {
                    continue;
                }
                let row = (number(2, c) * self.cells[1] + number(1, b)) * self.cells[0];
                for a in range(0) {
                    let s = (across + away(0, a).powi(2)).sqrt() / self.reach;
                    if s < 1.0 {
                        let value = (1.0 + 3.0 * s) * (1.0 - s).powi(3);
                        weights.push((row + number(0, a), value));
                        sum += value;
                    }
                }
            }
        }
        if sum > 0.0 {
            weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
        } else {
            let own: [usize; 3] = std::array::from_fn(|k| number(k, at[k].round() as i64));
            weights.push(((own[2] * self.cells[1] + own[1]) * self.cells[0] + own[0], 1.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::test_packings::{simple_cubic, spheres, touching};
    use rand::{Rng, SeedableRng};

    fn field<'a>(fields: &'a GridFields, name: &str) -> &'a [f64] {
        &fields.fields.iter().find(|field| field.spec.name == name).unwrap().values
    }

    fn random(periodic: bool) -> Assembly {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut point = |edge: f64| DVec3::new(unit(), unit(), unit()) * edge;
        let positions: Vec<DVec3> = (0..300).map(|_| point(8.0)).collect();
        let velocities: Vec<DVec3> = (0..300).map(|_| point(2.0) - 1.0).collect();
        let (mut assembly, _) = spheres(positions, 8.0, periodic);
        assembly.velocity = velocities;
        for k in 0..assembly.len() {
            assembly.mass[k] = 1.0 + assembly.position[k].x;
        }
        assembly
    }

    #[test]
    fn mass_and_momentum_are_those_of_the_particles_in_bounded_and_periodic_domains() {
        for periodic in [true, false] {
            for (spacing, reach) in [(0.5, 1.5), (0.9, 1.1), (1.0, 0.2)] {
                let assembly = random(periodic);
                let grid = coarse_grained(&assembly, spacing, reach).unwrap();
                let volume: f64 = grid.spacing.iter().product();
                let mass: f64 = assembly.mass.iter().sum();
                let sum: f64 = field(&grid, "density").iter().sum::<f64>() * volume;
                assert!((sum - mass).abs() < 1e-12 * mass, "{periodic} {spacing}: {sum} {mass}");
                let momentum: DVec3 = (0..300).map(|k| assembly.mass[k] * assembly.velocity[k]).sum();
                let sum: DVec3 =
                    field(&grid, "momentum_density").chunks_exact(3).map(DVec3::from_slice).sum::<DVec3>() * volume;
                assert!((sum - momentum).length() < 1e-12 * mass, "{periodic} {spacing}: {sum} {momentum}");
            }
        }
    }

    #[test]
    fn stress_of_the_grid_adds_up_to_the_virial() {
        let (mut assembly, _) = simple_cubic(5);
        assembly.contacts = Some(touching(&assembly, 2.0));
        let grid = coarse_grained(&assembly, 0.5, 1.5).unwrap();
        let volume: f64 = grid.spacing.iter().product();
        let stress = field(&grid, "contact_stress");
        let sum: f64 = stress.iter().step_by(9).sum::<f64>() * volume;
        // one contact of each sphere along x, force 2 against the branch 1
        assert!((sum + 250.0).abs() < 1e-10, "{sum}");
        let mean = -2.0;
        assert!(stress.iter().step_by(9).all(|s| (s - mean).abs() < 0.1), "a lattice is nearly uniform");
    }

    #[test]
    fn uniform_motion_has_no_temperature() {
        let mut assembly = random(true);
        assembly.velocity.fill(DVec3::new(1.0, -2.0, 0.5));
        let grid = coarse_grained(&assembly, 0.5, 1.5).unwrap();
        assert!(field(&grid, "granular_temperature").iter().all(|t| t.abs() < 1e-28));
    }

    #[test]
    fn grids_that_cannot_be_are_refused() {
        let assembly = random(true);
        for (spacing, reach, option) in
            [(0.0, 1.0, "--grid"), (1.0, -1.0, "--kernel"), (1e-4, 1.0, "--grid"), (1.0, 5.0, "--kernel")]
        {
            let message = coarse_grained(&assembly, spacing, reach).unwrap_err().to_string();
            assert!(message.starts_with(option), "{message}");
        }
    }
}
