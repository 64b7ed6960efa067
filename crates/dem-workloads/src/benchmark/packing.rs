//! The spheres of a workload: shipped, copied side by side, or read.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use dem_core::DVec3;
use dem_io::atomic::write_atomically;
use dem_io::table::{ParticleRow, read_particle_table};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::case::Case;
use super::options::refused;
use super::shipped::Shipped;
use super::surroundings::Surroundings;
use crate::error::WorkloadError;

/// Height of the domain over a bed \[m\].
const HEADROOM: f64 = 0.12;
/// More spheres than anybody has memory for.
const MOST_SPHERES: usize = 100_000_000;

/// Spheres in a cell.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Lengths of the cell \[m\]; the last is the height of the domain where z is not periodic.
    pub period: [f64; 3],
    spheres: Vec<ParticleRow>,
}

impl Packing {
    /// The packing of a case, or as many copies of it as give `size` spheres.
    pub fn shipped(case: &Case, size: Option<usize>) -> Result<Self, WorkloadError> {
        let Shipped { table: bytes, mut period, .. } = *case.packing;
        let folder = tempfile::tempdir().map_err(dem_io::Error::system("create directory", &std::env::temp_dir()))?;
        let table = folder.path().join("packing.csv.gz");
        write_atomically(&table, bytes)?;
        let one = read_particle_table(&table)?;
        let size = size.unwrap_or(one.len());
        let axes = case.surroundings.periodic_axes();
        if size == 0 || !size.is_multiple_of(one.len()) || size > MOST_SPHERES || axes == 0 && size > one.len() {
            let of_many = format!("a multiple of {}, at most {MOST_SPHERES}", one.len());
            let allowed = if axes > 0 { of_many } else { format!("{} for {}", one.len(), case.name) };
            return Err(refused("--size", &size.to_string(), &allowed));
        }
        let copies = factors(size / one.len(), axes);
        let mut spheres = Vec::with_capacity(size);
        for copy in 0..copies.iter().product() {
            let place = [copy % copies[0], copy / copies[0] % copies[1], copy / (copies[0] * copies[1])];
            let shift = DVec3::from_array(std::array::from_fn(|k| place[k] as f64 * period[k]));
            spheres.extend(one.iter().map(|s| ParticleRow { position: s.position + shift, ..s.clone() }));
        }
        for axis in 0..3 {
            period[axis] *= copies[axis] as f64;
        }
        let mut packing = Self { period, spheres };
        packing.close(case);
        Ok(packing)
    }

    /// A packing from a table.
    pub fn read(path: &Path, period: &[f64], case: &Case) -> Result<Self, WorkloadError> {
        let axes = case.surroundings.periodic_axes();
        if axes == 0 {
            return Err(refused("--particles", &path.display().to_string(), &format!("none with {}", case.name)));
        }
        if period.len() != axes || period.iter().any(|&length| !(length.is_finite() && length > 0.0)) {
            let value = period.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
            return Err(refused("--period", &value, &format!("{axes} lengths in metres, as in 0.048,0.048")));
        }
        let spheres = read_particle_table(path)?;
        let period = [period[0], period[1], period.get(2).copied().unwrap_or(0.0)];
        let mut packing = Self { period, spheres };
        packing.close(case);
        Ok(packing)
    }

    /// Headroom, velocities and materials, where the case has them and the packing does not.
    fn close(&mut self, case: &Case) {
        if case.surroundings == Surroundings::Floor {
            self.period[2] = self.spheres.iter().fold(0.0, |top: f64, s| top.max(s.position.z)) + HEADROOM;
        }
        if case.stir > 0.0 && self.spheres.iter().all(|s| s.velocity == DVec3::ZERO) {
            let velocities = gaussian_velocities(self.spheres.len(), case.stir);
            for (sphere, velocity) in self.spheres.iter_mut().zip(velocities) {
                sphere.velocity = velocity;
            }
        }
        if !case.lots.is_empty() {
            let mut random = Pcg64Mcg::seed_from_u64(777_002);
            let lots: Vec<Arc<str>> = case.lots.iter().map(|&name| name.into()).collect();
            for sphere in self.spheres.iter_mut().filter(|sphere| sphere.material.is_none()) {
                sphere.material = Some(lots[(random.next_u64() >> 33) as usize % lots.len()].clone());
            }
        }
    }

    /// Writes the packing as a table.
    pub fn write(&self, path: &Path) -> Result<(), WorkloadError> {
        let mut text = String::from("x,y,z,r,vx,vy,vz,wx,wy,wz,material\n");
        for ParticleRow { position: x, radius, velocity: v, angular_velocity: w, material, .. } in &self.spheres {
            let material = material.as_deref().unwrap_or_default();
            // writing into a string cannot fail
            let _ = writeln!(
                text,
                "{:?},{:?},{:?},{radius:?},{:?},{:?},{:?},{:?},{:?},{:?},{material}",
                x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z
            );
        }
        Ok(write_atomically(path, text.as_bytes())?)
    }
}

/// Two or three whole numbers, as equal as possible, with a product.
fn factors(product: usize, axes: usize) -> [usize; 3] {
    let nearest = |n: usize, root: f64| (1..=root.round() as usize).rev().find(|k| n.is_multiple_of(*k)).unwrap_or(1);
    let third = if axes == 3 { nearest(product, (product as f64).cbrt()) } else { 1 };
    let rest = product / third;
    let second = nearest(rest, (rest as f64).sqrt());
    [rest / second, second, third]
}

/// Normally distributed velocities without a mean, whose root mean square is `rms` exactly \[m/s\].
fn gaussian_velocities(count: usize, rms: f64) -> Vec<DVec3> {
    let mut random = Pcg64Mcg::seed_from_u64(777_001);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    // Box and Muller (1958)
    let mut normal = || libm::sqrt(-2.0 * libm::log(1.0 - unit())) * libm::cos(std::f64::consts::TAU * unit());
    let drawn: Vec<DVec3> = (0..count).map(|_| DVec3::new(normal(), normal(), normal())).collect();
    let mean = drawn.iter().sum::<DVec3>() / count as f64;
    let square = drawn.iter().map(|v| (*v - mean).length_squared()).sum::<f64>() / count as f64;
    let scale = if square > 0.0 { rms / square.sqrt() } else { 0.0 };
    drawn.iter().map(|v| (*v - mean) * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_as_square_as_the_number_allows() {
        assert_eq!(factors(1, 2), [1, 1, 1]);
        assert_eq!(factors(10, 2), [5, 2, 1]);
        assert_eq!(factors(100, 2), [10, 10, 1]);
        assert_eq!(factors(8, 3), [2, 2, 2]);
        assert_eq!(factors(12, 3), [3, 2, 2]);
        assert_eq!(factors(7, 3), [7, 1, 1]);
    }

    #[test]
    fn stirring_has_the_speed_of_the_case_and_no_drift() {
        let velocities = gaussian_velocities(5000, 0.5);
        let square: f64 = velocities.iter().map(|v| v.length_squared()).sum::<f64>() / 5000.0;
        assert!((square.sqrt() - 0.5).abs() < 1e-12);
        assert!(velocities.iter().sum::<DVec3>().length() < 1e-9);
        // the fourth moment of a normal distribution is three times the square of the second
        let variance = square / 3.0;
        let fourth: f64 = velocities.iter().flat_map(|v| v.to_array()).map(|x| x.powi(4)).sum::<f64>() / 15000.0;
        assert!((fourth / (variance * variance) - 3.0).abs() < 0.2, "{fourth}");
    }
}
