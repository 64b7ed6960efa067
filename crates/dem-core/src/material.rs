//! Materials and the elastic constants of a pair of them.

use serde::{Deserialize, Serialize};

/// Constants of one material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Name, unique in a scene.
    pub name: String,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Young's modulus E \[Pa\].
    pub young_modulus: f64,
    /// Poisson's ratio ν \[-\], 0 ≤ ν < 0.5.
    pub poisson_ratio: f64,
}

impl Material {
    /// Shear modulus `G = E / (2 (1 + ν))` \[Pa\].
    pub fn shear_modulus(&self) -> f64 {
        self.young_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }
}

/// Elastic constants of two materials in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMaterial {
    /// `1/E* = Σ (1 − ν²)/E` \[Pa\] (Hertz).
    pub effective_young_modulus: f64,
    /// `1/G* = Σ (2 − ν)/G` \[Pa\] (Mindlin).
    pub effective_shear_modulus: f64,
    /// Shear moduli G of the two materials \[Pa\].
    pub shear_moduli: [f64; 2],
    /// Poisson's ratios ν of the two materials \[-\].
    pub poisson_ratios: [f64; 2],
}

impl PairMaterial {
    /// Combines two materials.
    pub fn new(a: &Material, b: &Material) -> Self {
        let compliance = |m: &Material| (1.0 - m.poisson_ratio * m.poisson_ratio) / m.young_modulus;
        let shear_compliance = |m: &Material| (2.0 - m.poisson_ratio) / m.shear_modulus();
        Self {
            effective_young_modulus: 1.0 / (compliance(a) + compliance(b)),
            effective_shear_modulus: 1.0 / (shear_compliance(a) + shear_compliance(b)),
            shear_moduli: [a.shear_modulus(), b.shear_modulus()],
            poisson_ratios: [a.poisson_ratio, b.poisson_ratio],
        }
    }

    /// Ratio of the incremental tangential to normal stiffness of a Hertz–Mindlin contact, `κ = 4 G*/E*`, 2/3 to 1 \[-\].
    pub fn stiffness_ratio(&self) -> f64 {
        4.0 * self.effective_shear_modulus / self.effective_young_modulus
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(young_modulus: f64, poisson_ratio: f64) -> Material {
        Material { name: String::new(), density: 1.0, young_modulus, poisson_ratio }
    }

    #[test]
    fn effective_moduli_match_the_impact_of_di_renzo_and_di_maio() {
        // Glass bead on aluminium oxide, Chem. Eng. Sci. 59 (2004) Table 1, with the (2 − ν) of Mindlin: κ = 0.859.
        let pair = PairMaterial::new(&material(380e9, 0.23), &material(70e9, 0.25));
        assert!((pair.stiffness_ratio() - 0.859).abs() < 5e-4);
    }

    #[test]
    fn equal_materials_give_the_textbook_values() {
        let glass = material(70e9, 0.25);
        let pair = PairMaterial::new(&glass, &glass);
        assert!((pair.effective_young_modulus / (70e9 / (2.0 * (1.0 - 0.0625))) - 1.0).abs() < 1e-15);
        assert!((pair.effective_shear_modulus / (28e9 / (2.0 * 1.75)) - 1.0).abs() < 1e-15);
        assert!((pair.stiffness_ratio() - 2.0 * 0.75 / 1.75).abs() < 1e-15);
    }
}
