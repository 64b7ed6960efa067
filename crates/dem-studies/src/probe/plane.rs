//! Directions of strain, and symmetric tensors as vectors.
//!
//! Tensors are vectors of six numbers xx, yy, zz, √2 yz, √2 xz, √2 xy, so that their scalar product is that of the tensors. A plane is spanned
//! by orthonormal ones; in the Rendulic plane of axisymmetric states about x the coordinates are `ε_v = tr ε/√3` and `ε_d = √(2/3) (ε₁₁ − ε₃₃)`.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2, TAU};

use dem_core::{DMat3, DVec3};
use rand::{RngExt as _, SeedableRng as _};
use serde::{Deserialize, Serialize};

/// A symmetric tensor as a vector.
pub type Vector6 = [f64; 6];

/// Row and column of each component.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
/// Names of the components.
pub const COMPONENTS: [&str; 6] = ["xx", "yy", "zz", "yz", "xz", "xy"];

/// Vector of a symmetric tensor.
pub fn vector_of(tensor: DMat3) -> Vector6 {
    let component = |k: usize| {
        let (i, j) = PLACES[k];
        if i == j { tensor.col(j)[i] } else { FRAC_1_SQRT_2 * (tensor.col(j)[i] + tensor.col(i)[j]) }
    };
    std::array::from_fn(component)
}

/// Symmetric tensor of a vector.
pub fn tensor_of(vector: Vector6) -> DMat3 {
    let mut tensor = DMat3::ZERO;
    for (&(i, j), value) in PLACES.iter().zip(vector) {
        let entry = if i == j { value } else { value / SQRT_2 };
        tensor.col_mut(j)[i] = entry;
        tensor.col_mut(i)[j] = entry;
    }
    tensor
}

/// Scalar product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Length.
pub fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Difference.
pub fn minus(a: &Vector6, b: &Vector6) -> Vector6 {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Where directions of strain lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plane {
    /// Axisymmetric strains about the axis of loading.
    #[default]
    Rendulic,
    /// Strains without change of volume, without shear.
    Deviatoric,
    /// All six components: each by itself in both senses, then random directions.
    General,
}

impl Plane {
    /// Names, the default first.
    pub const NAMES: [&str; 3] = ["rendulic", "deviatoric", "general"];

    /// Plane of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "rendulic" => Some(Self::Rendulic),
            "deviatoric" => Some(Self::Deviatoric),
            "general" => Some(Self::General),
            _ => None,
        }
    }

    /// Name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Orthonormal vectors that span it, for loading along axis `axis` (0, 1, 2).
    pub fn basis(self, axis: usize) -> Vec<Vector6> {
        let unit = |k: usize| DVec3::AXES[k % 3];
        let normal = |v: DVec3| [v.x, v.y, v.z, 0.0, 0.0, 0.0];
        let third = |x: f64| (x / 3.0).sqrt();
        let volumetric = DVec3::splat(third(1.0));
        let deviatoric = unit(axis) * third(2.0) - (unit(axis + 1) + unit(axis + 2)) * (0.5 * third(2.0));
        match self {
            Self::Rendulic => vec![normal(volumetric), normal(deviatoric)],
            Self::Deviatoric => {
                vec![normal(deviatoric), normal((unit(axis + 1) - unit(axis + 2)) * FRAC_1_SQRT_2)]
            }
            Self::General => (0..6).map(|k| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })).collect(),
        }
    }

    /// Directions of unit length in coordinates of the basis: even angles in a plane. Random ones follow from a seed.
    pub fn directions(self, count: usize, seed: u64) -> Vec<Vec<f64>> {
        if self != Self::General {
            let direction = |k: usize| {
                let (sine, cosine) = libm::sincos(TAU * k as f64 / count as f64);
                vec![cosine, sine]
            };
            return (0..count).map(direction).collect();
        }
        let single = (0..12usize).map(|k| {
            let sense = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            (0..6).map(|i| if i == k / 2 { sense } else { 0.0 }).collect()
        });
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
        let mut any = || loop {
            let v: Vec<f64> = (0..6).map(|_| random.random_range(-1.0..1.0)).collect();
            let size = length(&v);
            if (0.1..1.0).contains(&size) {
                return v.into_iter().map(|x| x / size).collect::<Vec<f64>>();
            }
        };
        let mut all: Vec<Vec<f64>> = single.take(count).collect();
        while all.len() < count {
            all.push(any());
        }
        all
    }
}

/// Sum of the vectors of a basis times coordinates.
pub fn combine(basis: &[Vector6], coordinates: &[f64]) -> Vector6 {
    let mut sum = [0.0; 6];
    for (vector, factor) in basis.iter().zip(coordinates) {
        sum.iter_mut().zip(vector).for_each(|(s, v)| *s += factor * v);
    }
    sum
}

/// Coordinates of the part within a plane.
pub fn project(basis: &[Vector6], vector: &Vector6) -> Vec<f64> {
    basis.iter().map(|b| dot(b, vector)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_keep_scalar_products_of_tensors() {
        let a = DMat3::from_cols(DVec3::new(1.0, 4.0, 5.0), DVec3::new(4.0, 2.0, 6.0), DVec3::new(5.0, 6.0, 3.0));
        let square: f64 = a.to_cols_array().iter().map(|x| x * x).sum();
        let vector = vector_of(a);
        assert!((dot(&vector, &vector) / square - 1.0).abs() < 1e-14);
        assert!((tensor_of(vector) - a).to_cols_array().iter().all(|x| x.abs() < 1e-14));
    }

    #[test]
    fn bases_are_orthonormal_and_rendulic_coordinates_are_those_of_the_paper() {
        for plane in [Plane::Rendulic, Plane::Deviatoric, Plane::General] {
            assert_eq!(Plane::from_name(plane.name()), Some(plane));
            for axis in 0..3 {
                let basis = plane.basis(axis);
                for (i, a) in basis.iter().enumerate() {
                    for (j, b) in basis.iter().enumerate() {
                        assert!((dot(a, b) - if i == j { 1.0 } else { 0.0 }).abs() < 1e-15);
                    }
                }
            }
            let directions = plane.directions(20, 4);
            assert!(directions.iter().all(|d| (length(d) - 1.0).abs() < 1e-14));
            assert_eq!(directions, plane.directions(20, 4));
        }
        let strain = [3.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let [v, d]: [f64; 2] = project(&Plane::Rendulic.basis(0), &strain).try_into().unwrap();
        assert!((v - 5.0 / 3.0f64.sqrt()).abs() < 1e-14 && (d - (2.0 / 3.0f64).sqrt() * 2.0).abs() < 1e-14);
        let back = combine(&Plane::Rendulic.basis(0), &[v, d]);
        assert!(back.iter().zip(strain).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}
