//! Stiffnesses that laws have in common.
//!
//! Two laws are compared at one overlap δ of two spheres of the mean radius r. It is given as a share of r, or follows from a pressure p: in an
//! isotropic packing of equal spheres of diameter d the mean normal force is `N = π d² p/(Z φ)` (from Love and Weber's
//! `p = (Z/2)(6 φ/π d³) N d/3`), here with Z φ = 3, the product of a coordination number of 5 and a solid fraction of 0.6.
//!
//! Matched are the normal force at δ, that is the secant stiffness `k = N(δ)/δ`, and the tangential stiffness at δ at zero slip:
//!
//! | law | secant k | tangential k_t |
//! |---|---|---|
//! | linear spring | k | ratio · k |
//! | Hertz with Mindlin | 4/3 E\* √(r\* δ) | 8 G\* √(r\* δ) |
//!
//! A law with a constant normal stiffness is given k, and as ratio k_t/k of the reference. A law after Hertz has no stiffness of its own: if the
//! reference has a linear spring, all Young's moduli are multiplied by `k/(4/3 E* √(r* δ))`, and k_t follows from them.

use dem_core::material::Material;
use dem_report::ReportError;
use dem_sim::builder::LoadedScene;
use dem_sim::run::{Origin, first_state};
use dem_sim::simulation::Simulation;

use crate::error::StudyError;

/// Coordination number times solid fraction with which a pressure becomes a force.
const COORDINATION_TIMES_FRACTION: f64 = 3.0;
/// Largest overlap at which laws may be matched, in proportion to the mean radius.
const LARGEST_OVERLAP: f64 = 0.1;

/// Where laws agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// At this overlap in proportion to the mean radius.
    Overlap(f64),
    /// At the mean force of this pressure \[Pa\].
    Pressure(f64),
}

/// What laws have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matching {
    /// Stiffnesses at a load; other parameters as given.
    Stiffness(Load),
    /// Parameters as given, whatever stiffness they make.
    Parameters,
}

/// Stiffness of a pair of materials under a law at an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairStiffness {
    /// Normal force over overlap \[N/m\].
    pub secant: f64,
    /// Tangential stiffness at zero slip \[N/m\].
    pub tangential: f64,
}

/// A pair of materials that meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Numbers of the materials.
    pub materials: (u16, u16),
    /// Effective radius of mean bodies \[m\].
    pub effective_radius: f64,
}

/// The scene as it was given, with which the laws are matched.
pub struct Reference {
    /// Its materials.
    pub materials: Vec<Material>,
    /// Whether particles are poured.
    pub pours: bool,
    /// What is matched.
    pub matching: Matching,
    /// The overlap \[m\], of two spheres of the mean radius.
    pub overlap: f64,
    /// Mean radius \[m\].
    pub radius: f64,
    /// Pairs of materials that meet, that of two spheres first.
    pub pairs: Vec<Pair>,
    /// Their stiffnesses at the overlap.
    stiffnesses: Vec<PairStiffness>,
}

impl Reference {
    /// Builds the scene and finds the overlap.
    ///
    /// # Errors
    /// A scene that cannot be built, a load that is no positive number, no particles.
    pub fn of(scene: &LoadedScene, origin: &Origin, matching: Matching) -> Result<Self, StudyError> {
        let (simulation, _) = first_state(scene, origin)?;
        let radii = mean_radii(&simulation);
        let known: Vec<f64> = radii.iter().flatten().copied().collect();
        let Some(&first) = known.first() else {
            return Err(StudyError::Ensemble("the scene has neither particles nor sources that pour".to_owned()));
        };
        let radius = known.iter().sum::<f64>() / known.len() as f64;
        let pairs = pairs(&simulation, &radii);
        let refused = |option, value: f64, allowed: &str| {
            Err(ReportError::Option { option, value: value.to_string(), allowed: allowed.to_owned() }.into())
        };
        let overlap = match matching {
            Matching::Stiffness(Load::Overlap(share)) => {
                if !(share > 0.0 && share <= LARGEST_OVERLAP) {
                    return refused("--overlap", share, "a share of the radius, 0 < value <= 0.1");
                }
                share * radius
            }
            Matching::Stiffness(Load::Pressure(pressure)) => {
                if !(pressure > 0.0 && pressure.is_finite()) {
                    return refused("--pressure", pressure, "a finite pressure > 0 [Pa]");
                }
                let force = std::f64::consts::PI * 4.0 * first * first * pressure / COORDINATION_TIMES_FRACTION;
                overlap_under(&simulation, pairs[0], radius, force)?
            }
            // nothing is matched; stiffnesses are compared at a usual overlap
            Matching::Parameters => 1e-3 * radius,
        };
        let stiffnesses = pairs.iter().map(|&pair| stiffness(&simulation, pair, overlap)).collect();
        let pours = !simulation.sources.is_empty();
        Ok(Self { materials: simulation.world.materials, pours, matching, overlap, radius, pairs, stiffnesses })
    }

    /// Stiffness of the pair of a number under the law of the scene.
    pub fn stiffness(&self, number: usize) -> PairStiffness {
        self.stiffnesses[number]
    }

    /// Name of a pair.
    pub fn name(&self, pair: Pair) -> String {
        let name = |k: u16| self.materials[k as usize].name.as_str();
        format!("{} - {}", name(pair.materials.0), name(pair.materials.1))
    }

    /// What was matched, in words.
    pub fn statements(&self) -> Vec<String> {
        let share = 100.0 * self.overlap / self.radius;
        let force = self.stiffness(0).secant * self.overlap;
        let state = format!(
            "an overlap of {:.4e} m ({share:.4} % of the mean radius {:.4e} m), a force of {force:.4e} N",
            self.overlap, self.radius
        );
        match self.matching {
            Matching::Stiffness(load) => {
                let from = match load {
                    Load::Overlap(_) => String::new(),
                    Load::Pressure(p) => format!(
                        ", that of a pressure of {p:e} Pa by N = pi d^2 p/(Z phi) with Z phi = {COORDINATION_TIMES_FRACTION}"
                    ),
                };
                vec![format!(
                    "Matched by stiffness at {state}{from}: secant normal stiffness N/delta (Hertz: 4/3 E* sqrt(r* delta)) and, where it is free, tangential stiffness at zero slip (Mindlin: 8 G* sqrt(r* delta))."
                )]
            }
            Matching::Parameters => {
                vec![format!(
                    "Parameters are taken as given, stiffnesses are not matched; the table of stiffnesses is for {state}."
                )]
            }
        }
    }
}

/// Stiffness of a pair in a simulation. The tangent of a power law N ∝ δ^(n+1) is (n + 1) times its secant; n follows from the tangent at a
/// quarter of the overlap.
pub fn stiffness(simulation: &Simulation, pair: Pair, overlap: f64) -> PairStiffness {
    let world = &simulation.world;
    let (a, b) = pair.materials;
    let kernel = &world.kernels[world.laws.get(a, b) as usize];
    let at = |overlap: f64| kernel.stiffness(a, b, pair.effective_radius, overlap);
    let here = at(overlap);
    let power = 0.5 * libm::log2(here.normal / at(0.25 * overlap).normal);
    PairStiffness { secant: here.normal / (1.0 + power), tangential: here.tangential }
}

/// Overlap of two mean spheres at which the normal force is `force` \[N\].
fn overlap_under(simulation: &Simulation, pair: Pair, radius: f64, force: f64) -> Result<f64, StudyError> {
    let force_at = |overlap: f64| stiffness(simulation, pair, overlap).secant * overlap;
    let (mut low, mut high) = (0.0, LARGEST_OVERLAP * radius);
    if force_at(high) < force {
        return Err(StudyError::Ensemble(
            "the pressure makes overlaps of more than a tenth of the radius, expected a lower one".to_owned(),
        ));
    }
    // halves until neighbouring numbers are left, or nearly
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if force_at(middle) < force { low = middle } else { high = middle }
    }
    Ok(0.5 * (low + high))
}

/// Mean radius of the spheres of each material, of those that are there and of those that will be poured \[m\].
fn mean_radii(simulation: &Simulation) -> Vec<Option<f64>> {
    let world = &simulation.world;
    let of_material = |material: usize| {
        let slots = world.particles.slots_by_id();
        let present =
            slots.iter().map(|&slot| slot as usize).filter(|&slot| world.particles.material[slot] as usize == material);
        let mut radii: Vec<f64> = present.map(|slot| world.particles.radius[slot]).collect();
        if radii.is_empty() {
            let own = simulation.sources.iter().filter(|source| source.kind.material as usize == material);
            radii = own.map(|source| 0.5 * (source.smallest + source.largest)).collect();
        }
        (!radii.is_empty()).then(|| radii.iter().sum::<f64>() / radii.len() as f64)
    };
    (0..world.materials.len()).map(of_material).collect()
}

/// Pairs of materials that can meet; a material without spheres is that of walls, which are flat.
fn pairs(simulation: &Simulation, radii: &[Option<f64>]) -> Vec<Pair> {
    let walls = |k: usize| simulation.world.walls.iter().any(|wall| wall.material as usize == k);
    let mut found = Vec::new();
    for a in 0..radii.len() {
        for b in a..radii.len() {
            let effective_radius = match (radii[a], radii[b]) {
                (Some(ra), Some(rb)) => ra * rb / (ra + rb),
                (Some(r), None) if walls(b) => r,
                (None, Some(r)) if walls(a) => r,
                _ => continue,
            };
            let between_spheres = radii[a].is_some() && radii[b].is_some();
            found.push((!between_spheres, Pair { materials: (a as u16, b as u16), effective_radius }));
        }
    }
    found.sort_by_key(|&(last, _)| last);
    found.into_iter().map(|(_, pair)| pair).collect()
}
