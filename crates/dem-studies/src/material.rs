//! Materials of the published two-body tests, by name.

use dem_reference::oblique_impact::Solid;
use dem_report::ReportError;
use dem_report::given::quantity;

use crate::error::StudyError;

/// An elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Name, empty if given by numbers.
    pub name: &'static str,
    /// Where the numbers come from.
    pub source: &'static str,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Young's modulus \[Pa\].
    pub young_modulus: f64,
    /// Poisson's ratio.
    pub poisson_ratio: f64,
}

/// The materials. Adding one is an entry here.
pub const MATERIALS: &[Material] = &[
    ALUMINIUM_OXIDE,
    SODA_LIME_GLASS,
    SOFT,
    Material { name: "steel", source: "common values", density: 7850.0, young_modulus: 210e9, poisson_ratio: 0.3 },
];

/// The sphere of Kharaz, Gorham and Salman.
pub const ALUMINIUM_OXIDE: Material = Material {
    name: "aluminium-oxide",
    source: "Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Table 1",
    density: 4000.0,
    young_modulus: 380e9,
    poisson_ratio: 0.23,
};

/// Their anvil.
pub const SODA_LIME_GLASS: Material = Material {
    name: "soda-lime-glass",
    source: "Di Renzo & Di Maio, Chem. Eng. Sci. 59 (2004) 525, Table 1; density of common glass",
    density: 2500.0,
    young_modulus: 70e9,
    poisson_ratio: 0.25,
};

/// Sphere and wall of Zabulionis and others.
pub const SOFT: Material = Material {
    name: "soft",
    source: "Zabulionis and others, Bull. Pol. Acad. Sci. Tech. 60 (2012) 265, section 4",
    density: 1000.0,
    young_modulus: 0.3e9,
    poisson_ratio: 0.3,
};

impl Material {
    /// A material of the list, or `DENSITY,YOUNG_MODULUS,POISSON_RATIO` with their units.
    ///
    /// # Errors
    /// A name that is not in the list; numbers out of range.
    pub fn parse(option: &'static str, text: &str) -> Result<Self, StudyError> {
        if let Some(found) = MATERIALS.iter().find(|material| material.name == text.trim()) {
            return Ok(*found);
        }
        if let [density, young_modulus, poisson_ratio] = text.split(',').collect::<Vec<_>>()[..]
            && let Ok(density) = quantity(option, "kg/m^3", density)
            && let Ok(young_modulus) = quantity(option, "Pa", young_modulus)
            && let Ok(poisson_ratio) = poisson_ratio.trim().parse::<f64>()
            && [density, young_modulus].iter().all(|x| *x > 0.0 && x.is_finite())
            && (0.0..0.5).contains(&poisson_ratio)
        {
            return Ok(Self { name: "", source: "given", density, young_modulus, poisson_ratio });
        }
        let names: Vec<&str> = MATERIALS.iter().map(|material| material.name).collect();
        let allowed = format!(
            "one of {}, or DENSITY,YOUNG_MODULUS,POISSON_RATIO with their units, as in \"1200 kg/m^3, 2 GPa, 0.35\", with positive moduli and 0 <= ratio < 0.5",
            names.join(", ")
        );
        Err(ReportError::Option { option, value: text.to_owned(), allowed }.into())
    }

    /// For the reference solutions.
    pub fn solid(&self) -> Solid {
        Solid::isotropic(self.young_modulus, self.poisson_ratio)
    }

    /// As a table of a scene.
    pub(crate) fn scene(&self, name: &str) -> String {
        let Self { density, young_modulus, poisson_ratio, .. } = self;
        format!(
            "[materials.{name}]\ndensity = {density:?}\nyoung_modulus = {young_modulus:?}\npoisson_ratio = {poisson_ratio:?}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_by_name_and_by_numbers() {
        assert_eq!(Material::parse("--sphere", "soft").unwrap(), SOFT);
        let given = Material::parse("--sphere", "1200 kg/m^3, 2 GPa, 0.35").unwrap();
        assert_eq!((given.density, given.young_modulus, given.poisson_ratio), (1200.0, 2e9, 0.35));
        for refused in [
            "cheese",
            "1200/2e9/0.35",
            "1200,2e9,0.35",
            "1 kg/m^3,2 Pa",
            "1 kg/m^3,2 Pa,0.5",
            "-1 kg/m^3,2 Pa,0.3",
            "1 kg/m^3,2 Pa,0.3,4",
        ] {
            let message = Material::parse("--sphere", refused).unwrap_err().to_string();
            assert!(message.contains("soda-lime-glass"), "{message}");
        }
    }
}
