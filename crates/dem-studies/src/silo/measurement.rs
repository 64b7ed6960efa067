//! What is measured in one silo.

use dem_analysis::AnalysisError;
use dem_analysis::profile::assembly::Assembly;
use dem_analysis::profile::averages::sums;
use dem_analysis::profile::bins::Bins;
use dem_analysis::profile::{Axis, Region};
use dem_core::DVec3;
use dem_core::wall::Shape;
use dem_sim::wall_probes::ProbeRow;

use super::janssen;

/// Fewest bins of the wall.
const FEWEST_BINS: usize = 4;
/// Distance in diameters of the silo that measurements of ratios keep from floor and surface.
const CLEARANCE: f64 = 0.5;
/// Rise of the axis of an upright cylinder over its length.
const UPRIGHT: f64 = 1.0 - 1e-9;

/// A slab of the filling and the ring of the wall around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// Height of its middle above the floor \[m\].
    pub height: f64,
    /// Depth of its middle below the level surface \[m\].
    pub depth: f64,
    /// Pressure on the wall \[Pa\].
    pub pressure: f64,
    /// Friction of the wall on the filling, upwards \[Pa\].
    pub shear: f64,
    /// Vertical stress, positive in compression \[Pa\].
    pub stress: f64,
    /// Share of the slab that spheres fill \[-\].
    pub solid_fraction: f64,
    /// Whether it is far enough from floor and surface for ratios.
    pub is_inside: bool,
}

/// Everything about one silo.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The run, or the way it was filled.
    pub label: String,
    /// Seed.
    pub seed: u64,
    /// Spheres and rigid bodies.
    pub particles: usize,
    /// Diameter of the silo \[m\].
    pub diameter: f64,
    /// Mean diameter of the spheres \[m\].
    pub sphere: f64,
    /// Height that the spheres would have with a level surface and the bulk density \[m\].
    pub height: f64,
    /// Bulk density \[kg/m³\].
    pub density: f64,
    /// Solid fraction of the slabs inside \[-\].
    pub solid_fraction: f64,
    /// Weight of all spheres \[N\].
    pub weight: f64,
    /// Part that the wall of the silo bears \[-\].
    pub wall_share: f64,
    /// Part that all other walls bear \[-\].
    pub floor_share: f64,
    /// Pressure on the wall over vertical stress \[-\].
    pub lateral_ratio: f64,
    /// Standard deviation of that ratio over the slabs \[-\].
    pub lateral_deviation: f64,
    /// Shear over pressure on the wall \[-\].
    pub wall_friction: f64,
    /// Standard deviation of that ratio over the slabs \[-\].
    pub friction_deviation: f64,
    /// λ from the measured ratios \[m\].
    pub length: f64,
    /// λ that fits best \[m\].
    pub fitted_length: f64,
    /// Residual with the measured λ, in proportion to the mean stress \[-\].
    pub residual: f64,
    /// Residual with the fitted λ \[-\].
    pub fitted_residual: f64,
    /// Slabs from the floor upwards.
    pub slabs: Vec<Slab>,
}

impl Measurement {
    /// Measures a filling at rest under gravity \[m/s²\] along −z; `rows` are those of `profiles.csv` at its end.
    ///
    /// # Errors
    /// No probe on an upright cylinder, too few bins, snapshots without contacts, a filling that is too low.
    pub fn new(
        label: String,
        seed: u64,
        gravity: f64,
        assembly: &Assembly,
        rows: &[ProbeRow],
    ) -> Result<Self, AnalysisError> {
        let refused = |why: &str| AnalysisError::Unsuitable { run: label.clone(), why: why.to_owned() };
        let walls = &assembly.surroundings.walls;
        let upright = |number: usize| match walls.get(number).map(|wall| (wall, &wall.shape)) {
            Some((wall, &Shape::Revolution { base, axis, start, end }))
                if start.x == end.x && axis.z > UPRIGHT && assembly.surroundings.up.z > UPRIGHT =>
            {
                Some((wall.pose.position + base, start.x))
            }
            _ => None,
        };
        let found = rows.iter().find_map(|row| upright(row.wall as usize).map(|of| (row.probe, row.wall as usize, of)));
        let Some((probe, wall, (base, radius))) = found else {
            return Err(refused("it has no wall probe on an upright cylinder with its axis along z"));
        };
        let rings = rings(rows.iter().filter(|row| row.probe == probe));
        if rings.len() < FEWEST_BINS {
            return Err(refused(&format!("the probe of the wall has fewer than {FEWEST_BINS} bins")));
        }
        if assembly.contacts.is_none() {
            return Err(refused("its snapshots do not hold contacts (output.contacts)"));
        }
        let width = rings[1].position - rings[0].position;
        let base = base + DVec3::Z * (rings[0].position - 0.5 * width);
        let region =
            Region::Cylinder { base, axis: DVec3::Z, radius, height: width * rings.len() as f64, whole: false };
        let bins = Bins::new(Axis::Z, region, rings.len() as u64, &assembly.surroundings.cell)?;
        let of_bins = sums(assembly, &bins);
        let (low, high) = assembly.extent().ok_or_else(|| refused("its last frame holds no particles"))?;

        let mass: f64 = assembly.mass.iter().sum();
        let clearance = CLEARANCE * 2.0 * radius;
        let middles: Vec<f64> = (0..rings.len()).map(|bin| 0.5 * (bins.edge(bin) + bins.edge(bin + 1))).collect();
        let full = |bin: &usize| middles[*bin] > low.z + clearance && middles[*bin] < high.z - clearance;
        let volume = bins.volume(0);
        let inside: Vec<usize> = (0..rings.len()).filter(full).collect();
        if inside.len() < 2 {
            return Err(refused(
                "fewer than two bins of the wall are half a diameter of the silo away from floor and surface",
            ));
        }
        let mean = |of: &dyn Fn(usize) -> f64| inside.iter().map(|&bin| of(bin)).sum::<f64>() / inside.len() as f64;
        let density = mean(&|bin| of_bins[bin].mass / volume);
        let solid_fraction = mean(&|bin| of_bins[bin].volume / volume);
        let height = mass / (density * std::f64::consts::PI * radius * radius);
        let slabs: Vec<Slab> = (0..rings.len())
            .map(|bin| Slab {
                height: middles[bin] - low.z,
                depth: low.z + height - middles[bin],
                pressure: rings[bin].pressure,
                shear: -rings[bin].shear,
                stress: -of_bins[bin].virial[2][2] / volume,
                solid_fraction: of_bins[bin].volume / volume,
                is_inside: full(&bin),
            })
            .filter(|slab| slab.depth > 0.0)
            .collect();

        let among = |of: fn(&Slab) -> f64| slabs.iter().filter(|slab| slab.is_inside).map(of).collect::<Vec<f64>>();
        let [pressure, shear, stress] =
            [among(|slab| slab.pressure), among(|slab| slab.shear), among(|slab| slab.stress)];
        let (lateral_ratio, lateral_deviation) = ratio(&pressure, &stress);
        let (wall_friction, friction_deviation) = ratio(&shear, &pressure);
        let length = 0.5 * radius / (wall_friction * lateral_ratio);
        let points: Vec<[f64; 2]> = slabs.iter().map(|slab| [slab.depth, slab.stress]).collect();
        let fitted_length = janssen::fitted_length(&points, density * gravity);
        let weight = mass * gravity;
        let borne = |number: usize| -walls[number].force.z / weight;
        Ok(Self {
            seed,
            particles: assembly.grains.count(),
            diameter: 2.0 * radius,
            sphere: assembly.mean_diameter(),
            height,
            density,
            solid_fraction,
            weight,
            wall_share: borne(wall),
            floor_share: (0..walls.len()).filter(|&number| number != wall).map(borne).sum(),
            lateral_ratio,
            lateral_deviation,
            wall_friction,
            friction_deviation,
            length,
            fitted_length,
            residual: janssen::residual(&points, density * gravity, length),
            fitted_residual: janssen::residual(&points, density * gravity, fitted_length),
            slabs,
            label,
        })
    }

    /// Part of the weight that floor and wall bear too much or too little \[-\].
    pub fn imbalance(&self) -> f64 {
        self.wall_share + self.floor_share - 1.0
    }

    /// Part of the weight that would press on the floor by the law with the measured λ \[-\].
    pub fn expected_floor_share(&self) -> f64 {
        janssen::stress(1.0, self.length, self.height) / self.height
    }

    /// Vertical stress by the law at a depth \[Pa\], for a λ \[m\].
    pub fn law(&self, length: f64, depth: f64) -> f64 {
        let weight = self.weight / (self.height * std::f64::consts::PI * 0.25 * self.diameter * self.diameter);
        janssen::stress(weight, length, depth)
    }
}

/// A bin of the wall, all sectors together.
struct Ring {
    position: f64,
    pressure: f64,
    shear: f64,
}

fn rings<'a>(rows: impl Iterator<Item = &'a ProbeRow>) -> Vec<Ring> {
    let mut rings: Vec<Ring> = Vec::new();
    let mut sectors = 0.0;
    for row in rows {
        if rings.len() <= row.bin as usize {
            rings.push(Ring { position: row.position, pressure: 0.0, shear: 0.0 });
            sectors = 0.0;
        }
        sectors += 1.0;
        if let Some(ring) = rings.last_mut() {
            // running means over the sectors, which are equal
            ring.pressure += (row.pressure - ring.pressure) / sectors;
            ring.shear += (row.shear_along - ring.shear) / sectors;
        }
    }
    rings
}

/// Ratio of the sums of two columns, and the standard deviation of the ratios of their rows.
fn ratio(numerator: &[f64], denominator: &[f64]) -> (f64, f64) {
    let whole = numerator.iter().sum::<f64>() / denominator.iter().sum::<f64>();
    let square: f64 = numerator.iter().zip(denominator).map(|(a, b)| (a / b - whole).powi(2)).sum();
    (whole, (square / numerator.len().saturating_sub(1) as f64).sqrt())
}
