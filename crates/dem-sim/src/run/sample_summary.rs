//! Stress, strain and porosity of what a run tested: the cell, or what pistons press on.

use dem_core::DVec3;
use dem_core::wall::Wall;
use serde::Serialize;

use crate::deformation::deforming_cell::Sense;
use crate::deformation::sampled_body;
use crate::measure;
use crate::measure::stress::{StressMeasure, solid_volume};
use crate::state::world::World;
use crate::wall_servos::servo::WallServo;

/// Why a state that was read has no stress.
pub(super) const UNKNOWN_FORCES: &str = "no step has been done since the state was read";

/// Components of a symmetric tensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Components {
    /// Along x and x.
    pub xx: f64,
    /// Along y and y.
    pub yy: f64,
    /// Along z and z.
    pub zz: f64,
    /// Along y and z.
    pub yz: f64,
    /// Along x and z.
    pub xz: f64,
    /// Along x and y.
    pub xy: f64,
}

impl Components {
    fn of(tensor: dem_core::DMat3, sign: f64) -> Self {
        // zero without sign
        let at = |i: usize, j: usize| sign * tensor.col(j)[i] + 0.0;
        Self { xx: at(0, 0), yy: at(1, 1), zz: at(2, 2), yz: at(1, 2), xz: at(0, 2), xy: at(0, 1) }
    }
}

/// State of a cell that deforms, or that is periodic along every edge and holds no wall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// Which stresses and strains are positive.
    pub positive: String,
    /// A third of the trace of the whole stress \[Pa\].
    pub mean_stress: f64,
    /// `√(3/2 s:s)` of its deviator s \[Pa\].
    pub deviator: f64,
    /// Deviator in proportion to the magnitude of the mean stress; null without stress.
    pub q_over_p: Option<f64>,
    /// The whole stress \[Pa\].
    pub stress: Components,
    /// True strain so far; null if the cell does not deform.
    pub strain: Option<Components>,
    /// True volumetric strain so far; null if the cell does not deform.
    pub volumetric_strain: Option<f64>,
    /// Fraction of the cell that no sphere or body fills, overlaps of contacts counted twice.
    pub porosity: f64,
    /// Volume of the voids in proportion to that of the spheres and bodies.
    pub void_ratio: f64,
}

impl CellSummary {
    /// Of a world; nothing if its cell is not the sample.
    pub(super) fn of(world: &World) -> Option<Self> {
        if !measure::cell_is_sample(world) || world.particles.is_empty() || !world.forces.are_known() {
            return None;
        }
        let deformation = world.deformation.as_ref();
        let sense = deformation.map_or(Sense::Tension, |deformation| deformation.sense);
        let sign = sense.sign();
        let total = StressMeasure::of(world).total();
        let (p, q) = (total.to_cols_array().iter().step_by(4).sum::<f64>() / 3.0, measure::deviator(total));
        let strain = deformation.map(|deformation| Components::of(deformation.state.strain, sign));
        let porosity = measure::porosity(world);
        Some(Self {
            positive: sense.describe().to_owned(),
            mean_stress: sign * p + 0.0,
            deviator: q,
            q_over_p: (p != 0.0).then(|| q / p.abs()),
            stress: Components::of(total, sign),
            volumetric_strain: strain.map(|strain| strain.xx + strain.yy + strain.zz),
            strain,
            porosity,
            void_ratio: porosity / (1.0 - porosity),
        })
    }
}

/// A wall that presses with a force, and the sample between it and what it presses against. Stresses and strains are positive in compression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PistonSummary {
    /// Name of the wall.
    pub name: String,
    /// Force with which it presses \[N\].
    pub force: f64,
    /// That force over its area \[Pa\]; null while the area is unknown.
    pub pressure: Option<f64>,
    /// Displacement since the start of the run \[m\].
    pub way: f64,
    /// The sample; null if it is no prism under the wall.
    pub sample: Option<PressedSample>,
    /// Why there is no sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_sample_because: Option<&'static str>,
}

/// What a piston presses on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PressedSample {
    /// Height \[m\].
    pub height: f64,
    /// Displacement of the piston since the start of the run in proportion to the height then.
    pub axial_strain: f64,
    /// Fraction of the volume that no sphere or body fills, overlaps of contacts counted twice.
    pub porosity: f64,
    /// Volume of the voids in proportion to that of the spheres and bodies.
    pub void_ratio: f64,
    /// A third of the trace of the stress \[Pa\].
    pub mean_stress: f64,
    /// `√(3/2 s:s)` of its deviator s \[Pa\].
    pub deviator: f64,
    /// Deviator in proportion to the magnitude of the mean stress; null without stress.
    pub q_over_p: Option<f64>,
    /// The stress \[Pa\].
    pub stress: Components,
}

impl PistonSummary {
    /// Of every wall in place that presses or has pressed; whether forces of contacts are known decides whether there is a stress.
    pub(super) fn all(world: &World, knows_forces: bool) -> Vec<Self> {
        let in_place = world.wall_servos.iter().filter(|servo| world.walls[servo.wall].active);
        in_place
            .map(|servo| {
                let force = servo.force(&world.walls);
                let sample = if knows_forces { PressedSample::of(world, servo) } else { Err(UNKNOWN_FORCES) };
                Self {
                    name: world.walls[servo.wall].name.clone(),
                    force: force + 0.0,
                    pressure: servo.area(&world.cell, &world.walls).map(|area| force / area + 0.0),
                    way: servo.way(&world.walls[servo.wall]) + 0.0,
                    no_sample_because: sample.as_ref().err().copied(),
                    sample: sample.ok(),
                }
            })
            .collect()
    }
}

/// Most particles from which the height of a sample is measured.
const MOST_SIGHTS: usize = 1000;
/// Largest difference of heights, in proportion to them, of a sample that is a prism.
const UNEVEN: f64 = 1e-3;

impl PressedSample {
    fn of(world: &World, servo: &WallServo) -> Result<Self, &'static str> {
        let p = &world.particles;
        let area = servo.area(&world.cell, &world.walls).ok_or("the area of the wall is unknown")?;
        if p.is_empty() {
            return Err("there are no particles");
        }
        if !world.forces.are_known() {
            return Err(UNKNOWN_FORCES);
        }
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for slot in p.slots_by_id().into_iter().step_by(p.len().div_ceil(MOST_SIGHTS)) {
            let from = p.position[slot as usize];
            let piston = std::iter::once(&world.walls[servo.wall]);
            let back = sight(piston, from, -servo.direction).ok_or("not all particles lie under the wall")?;
            let others = sampled_body::walls_in_place(&world.walls).filter(|(number, _)| *number != servo.wall);
            let ahead = sight(others.map(|(_, wall)| wall), from, servo.direction)
                .ok_or("no wall bounds the sample on the opposite side")?;
            (shortest, longest) = (shortest.min(back + ahead), longest.max(back + ahead));
        }
        if longest - shortest > UNEVEN * longest {
            return Err("the wall and the opposite wall are not parallel");
        }
        let height = 0.5 * (shortest + longest);
        let volume = area * height;
        let porosity = 1.0 - solid_volume(world) / volume;
        // sums over contacts and particles, over another volume
        let total = StressMeasure::of(world).total() * (-sampled_body::volume(&world.cell, &world.walls) / volume);
        let (mean, q) = (total.to_cols_array().iter().step_by(4).sum::<f64>() / 3.0, measure::deviator(total));
        let way = servo.way(&world.walls[servo.wall]);
        Ok(Self {
            height,
            axial_strain: way / (height + way) + 0.0,
            porosity,
            void_ratio: porosity / (1.0 - porosity),
            mean_stress: mean + 0.0,
            deviator: q,
            q_over_p: (mean != 0.0).then(|| q / mean.abs()),
            stress: Components::of(total, 1.0),
        })
    }
}

/// Distance from a point along a unit vector to the nearest of walls \[m\]: as far as nothing is near, again and again.
fn sight<'a>(walls: impl Iterator<Item = &'a Wall> + Clone, from: DVec3, along: DVec3) -> Option<f64> {
    /// Steps after which a ray is given up; one that grazes a wall takes steps of a radius.
    const MOST_STEPS: usize = 10_000;
    let mut way = 0.0;
    for _ in 0..MOST_STEPS {
        let clear = walls.clone().map(|wall| wall.distance(from + along * way).abs()).fold(f64::INFINITY, f64::min);
        way += clear;
        if !way.is_finite() {
            return None;
        }
        if clear <= 1e-12 * way {
            return Some(way);
        }
    }
    None
}
