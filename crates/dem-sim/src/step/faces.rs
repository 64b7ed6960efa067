//! Faces of the domain: particles that cross one are reflected, leave or stop the run.

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::exact_sum::ExactSum;
use dem_core::particles::HigherDerivatives;
use rayon::prelude::*;

use crate::error::{FACES, StepError};
use crate::state::movers::Mover;
use crate::state::world::World;

/// How far every centre is from the faces of the domain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clearance {
    /// The rebuild of the contact list after which it was measured.
    rebuild: u64,
    /// Less than the smallest distance \[m\].
    distance: f64,
}

/// Particles that have crossed faces in a step.
#[derive(Default)]
pub(super) struct Crossings {
    /// Energy that reflections have brought in \[J\].
    pub reflected: ExactSum,
    /// Those that leave.
    pub leaving: Vec<Mover>,
    /// The one with the lowest id that was not to cross a face.
    pub escaped: Option<StepError>,
}

impl Clearance {
    /// Less than the distance of any centre from the faces \[m\], after a number of rebuilds of the contact list; nothing if it is not known.
    pub fn at(&self, rebuilds: u64, cell: &Cell) -> f64 {
        if cell.periodic == [true; 3] {
            f64::INFINITY
        } else if self.rebuild == rebuilds {
            self.distance
        } else {
            0.0
        }
    }

    /// What is outside after a step in which nothing has moved by more than `moved` \[m\].
    pub fn outside(&mut self, world: &World, rebuilds: u64, moved: f64) -> Vec<Mover> {
        if world.cell.periodic == [true; 3] {
            return Vec::new();
        }
        if self.rebuild == rebuilds {
            self.distance -= moved;
            if self.distance > 0.0 {
                return Vec::new();
            }
        }
        *self = Self { rebuild: rebuilds, distance: distance_of_movers(world) };
        if self.distance >= 0.0 {
            return Vec::new();
        }
        let (low, high) = bounds(&world.cell);
        let inside = |x: DVec3| x.cmpge(low).all() && x.cmple(high).all();
        world.movers().filter(|&mover| !inside(world.centre_of(mover))).collect()
    }
}

/// Corners of the domain \[m\]; only axes that are not periodic are of interest, along which it is a box.
fn bounds(cell: &Cell) -> (DVec3, DVec3) {
    (cell.origin, cell.origin + cell.matrix() * DVec3::ONE)
}

impl Crossings {
    /// Reflects what has crossed a face, and finds which leave or have escaped.
    pub fn of(world: &mut World, outside: Vec<Mover>) -> Self {
        let cell = world.cell;
        let (low, high) = bounds(&cell);
        let mut escaped: Option<(u64, Mover, usize, usize)> = None;
        let mut leaving = Vec::new();
        let mut reflected = ExactSum::ZERO;
        for mover in outside {
            let x = world.centre_of(mover);
            for k in 0..3 {
                let side = usize::from(x[k] > high[k]);
                if cell.periodic[k] || !(x[k] < low[k] || x[k] > high[k]) {
                    continue;
                }
                match cell.faces[k][side] {
                    FacePolicy::Open => leaving.push(mover),
                    FacePolicy::Reflect => {
                        let face = if side == 0 { low[k] } else { high[k] };
                        let gravity = world.fields.potential_gravity()[k];
                        let before = gravity * x[k];
                        reflect(world, mover, k, face, if side == 0 { 1.0 } else { -1.0 });
                        reflected.add(world.mass_of(mover) * (before - gravity * world.centre_of(mover)[k]));
                    }
                    FacePolicy::Error => {
                        let particle = world.id_of(mover);
                        if escaped.is_none_or(|(id, ..)| particle < id) {
                            escaped = Some((particle, mover, k, side));
                        }
                    }
                }
            }
        }
        let escaped = escaped.map(|(particle, mover, k, side)| {
            let position = world.centre_of(mover).to_array();
            StepError::Escaped { step: world.step, particle, face: FACES[k][side], position }
        });
        leaving.dedup();
        Self { reflected, leaving, escaped }
    }
}

/// Mirrors what has crossed a face along an axis back, and turns its velocity inwards.
fn reflect(world: &mut World, mover: Mover, axis: usize, face: f64, inwards: f64) {
    let World { particles: p, cell, .. } = world;
    match mover {
        Mover::Sphere(slot) => {
            p.position[slot][axis] = 2.0 * face - p.position[slot][axis];
            p.velocity[slot][axis] = inwards * p.velocity[slot][axis].abs();
            if let Some(derivatives) = p.higher_derivatives.get_mut(slot) {
                *derivatives = HigherDerivatives::default();
            }
        }
        Mover::Body(at) => {
            let body = &mut p.bodies.all[at];
            body.position[axis] = 2.0 * face - body.position[axis];
            body.velocity[axis] = inwards * body.velocity[axis].abs();
            p.place_members(at, cell);
        }
    }
}

/// Smallest distance of any centre, of a body that of its mass, from the faces that are not periodic \[m\]; negative outside.
fn distance_of_movers(world: &World) -> f64 {
    let (p, cell) = (&world.particles, &world.cell);
    let spheres = distance_to_faces(cell, &p.position[..p.independent()]);
    let bodies: Vec<DVec3> = p.bodies.all.iter().map(|body| body.position).collect();
    spheres.min(distance_to_faces(cell, &bodies))
}

/// Smallest distance of any centre from the faces that are not periodic \[m\]; negative outside.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a minimum")]
fn distance_to_faces(cell: &Cell, positions: &[DVec3]) -> f64 {
    let (low, high) = bounds(cell);
    let smallest = |block: &[DVec3]| {
        let gaps = block.iter().fold(DVec3::INFINITY, |least, &x| least.min((x - low).min(high - x)));
        (0..3).filter(|&k| !cell.periodic[k]).map(|k| gaps[k]).fold(f64::INFINITY, f64::min)
    };
    positions.par_chunks(4096).map(smallest).reduce(|| f64::INFINITY, f64::min)
}
