//! One hopper that runs out.

use dem_analysis::AnalysisError;
use dem_analysis::discharge::SteadyRate;
use dem_analysis::profile::assembly::Assembly;
use dem_analysis::profile::averages::sums;
use dem_analysis::profile::bins::Bins;
use dem_analysis::profile::{Axis, Region};
use dem_core::DVec3;
use dem_report::ReportError;
use dem_sim::simulation::Condition;
use dem_workloads::scenes::HOPPER;

use crate::error::StudyError;

/// Mean diameter of the spheres of the example \[m\].
const DIAMETER: f64 = 5e-3;
/// Radius of its bin \[m\].
const BIN: f64 = 50e-3;
/// Shares of the mass that has left between which the discharge is taken as steady; the run ends at the second.
const STEADY: [f64; 2] = [0.08, 0.4];
/// Time between two looks \[s\].
const LOOK: f64 = 2e-3;
/// Longest discharge that is waited for \[s\].
const LONGEST: f64 = 20.0;
/// Shares of the height of the bed between which its density is taken.
const MIDDLE: [f64; 2] = [0.15, 0.85];

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Diameter of the outlet \[m\].
    pub outlet: f64,
    /// Mean diameter of the spheres \[m\].
    pub diameter: f64,
    /// Magnitude of gravity \[m/s²\].
    pub gravity: f64,
    /// Density of the bed before the outlet was opened \[kg/m³\].
    pub density: f64,
    /// The steady rate.
    pub rate: SteadyRate,
    /// Mean mass of a sphere \[kg\].
    pub sphere: f64,
    /// Mass that has left since the outlet was opened \[s, kg\].
    pub left: Vec<[f64; 2]>,
}

impl Course {
    /// Fills the hopper, opens an outlet of some diameters, and lets a part of the spheres out.
    ///
    /// # Errors
    /// A scene that cannot be built or run, an outlet that clogs.
    pub fn run(outlet: f64, particles: u64, seed: u64) -> Result<Self, StudyError> {
        let radius = 0.5 * outlet * DIAMETER;
        let mut simulation = HOPPER.simulation(&[
            format!("seed={seed}"),
            format!("particles.filling.fill.count={particles}"),
            format!("walls.floor.shape.inner_radius={radius}"),
            format!("walls.gate.shape.radius={radius}"),
        ])?;
        while simulation.state.stage == 0 {
            simulation.advance()?;
        }
        let density = bed_density(&Assembly::of(&simulation.world)?)?;
        let world = &simulation.world;
        let total = world.particles.mass.iter().sum::<f64>();
        let (count, opened) = (world.particles.len() as f64, world.time);
        let diameter = 2.0 * world.particles.radius.iter().sum::<f64>() / count;
        let gravity = world.fields.gravity.length();
        let mut left = vec![[0.0, 0.0]];
        // the example ends when nothing leaves any more, the study earlier
        simulation.stages[1].until = Condition { time: Some(2.0 * LONGEST), ..Condition::default() };
        while simulation.world.removed_mass < STEADY[1] * total {
            simulation.advance()?;
            let (time, mass) = (simulation.world.time - opened, simulation.world.removed_mass);
            if time >= LOOK * left.len() as f64 {
                left.push([time, mass]);
            }
            if time > LONGEST || simulation.state.stopped.is_some() {
                return Err(clogged(outlet));
            }
        }
        left.push([simulation.world.time - opened, simulation.world.removed_mass]);
        let shares = [STEADY[0] / STEADY[1], 0.999];
        let window = SteadyRate::window_of_shares(&left, shares).ok_or_else(|| clogged(outlet))?;
        let rate = SteadyRate::of(&left, window).ok_or_else(|| clogged(outlet))?;
        Ok(Self { outlet: 2.0 * radius, diameter, gravity, density, rate, sphere: total / count, left })
    }
}

fn clogged(outlet: f64) -> StudyError {
    let allowed = "outlets that the spheres leave through without clogging".to_owned();
    StudyError::from(ReportError::Option { option: "--outlets", value: outlet.to_string(), allowed })
}

/// Density of the middle of a bed \[kg/m³\].
fn bed_density(bed: &Assembly) -> Result<f64, StudyError> {
    let (low, high) = bed.extent().ok_or_else(|| AnalysisError::Snapshots("the hopper is empty".to_owned()))?;
    let [from, to] = MIDDLE.map(|share| low.z + share * (high.z - low.z));
    let base = DVec3::new(0.0, 0.0, from);
    let region = Region::Cylinder { base, axis: DVec3::Z, radius: BIN, height: to - from, whole: false };
    let bins = Bins::new(Axis::Z, region, 1, &bed.surroundings.cell)?;
    let mass: f64 = sums(bed, &bins).iter().map(|sum| sum.mass).sum();
    Ok(mass / region.volume())
}
