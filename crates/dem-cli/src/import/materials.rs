//! Materials for the kinds of particles in a file.

use dem_io::exchange::ForeignState;

use super::notes::Notes;

/// Density where nothing is known \[kg/m³\]: that of glass.
const DENSITY: f64 = 2500.0;
/// Differences of densities that rounding in text explains.
const ROUNDING: f64 = 1e-6;

/// The material of a kind.
pub struct Material {
    /// Its key in the scene.
    pub name: String,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Where the density comes from.
    pub origin: &'static str,
}

/// A material for each kind; `density` is that of kinds without one.
pub fn of(state: &ForeignState, density: Option<f64>, notes: &mut Notes) -> Vec<Material> {
    let kinds = if state.kinds.is_empty() { vec!["imported".to_owned()] } else { state.kinds.clone() };
    let mut materials: Vec<Material> = Vec::new();
    let mut without: Vec<String> = Vec::new();
    // sums of the cubes of radii, and of densities times these
    let mut sums = vec![[0.0_f64; 2]; kinds.len()];
    let mut ranges = vec![[f64::INFINITY, 0.0_f64]; kinds.len()];
    for particle in &state.particles {
        let Some(density) = particle.density else { continue };
        let kind = (particle.kind as usize).min(kinds.len() - 1);
        let volume = particle.radius.powi(3);
        sums[kind][0] += volume;
        sums[kind][1] += density * volume;
        ranges[kind] = [ranges[kind][0].min(density), ranges[kind][1].max(density)];
    }
    for (kind, given) in kinds.iter().enumerate() {
        let name = key(given, &materials);
        if name != *given {
            notes.assume(format!("material {name} for what the file calls {given:?}"));
        }
        let [low, high] = ranges[kind];
        let (of_kind, origin) = if high > 0.0 {
            if high - low > ROUNDING * high {
                notes.assume(format!(
                    "particles of {name} have the density that keeps their mass: those of the file are from {low:.6} to {high:.6} kg/m^3"
                ));
            }
            let mean = sums[kind][1] / sums[kind][0];
            // as the file has it where all agree
            (if high - low > ROUNDING * high || !mean.is_finite() { mean } else { rounded(mean, low) }, "from the file")
        } else if let Some(density) = density {
            (density, "as given")
        } else {
            without.push(name.clone());
            (DENSITY, "assumed")
        };
        materials.push(Material { name, density: of_kind, origin });
    }
    if !without.is_empty() {
        let names = without.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        notes.assume(format!("density {DENSITY} kg/m^3 of {names}: the file has no masses (--density gives one)"));
    }
    materials
}

/// The density with the fewest digits within the rounding of the file.
fn rounded(mean: f64, low: f64) -> f64 {
    let digits = (6.0 - mean.abs().log10().floor()).clamp(-15.0, 15.0) as i32;
    let scale = 10f64.powi(digits);
    let short = (mean * scale).round() / scale;
    if short.is_finite() && (short - low).abs() <= ROUNDING * low { short } else { mean }
}

/// A key of the scene for a name, none that another material has.
fn key(name: &str, others: &[Material]) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' }).collect();
    let mut key = plain.clone();
    let mut number = 2;
    while others.iter().any(|other| other.name == key) {
        key = format!("{plain}_{number}");
        number += 1;
    }
    key
}

/// Names of the materials of particles, by the numbers of their kinds.
pub fn names(materials: &[Material]) -> Vec<String> {
    materials.iter().map(|material| material.name.clone()).collect()
}
