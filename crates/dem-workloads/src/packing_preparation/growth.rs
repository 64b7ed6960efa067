//! Growth of spheres until they press on each other.
//!
//! After B. D. Lubachevsky & F. H. Stillinger, J. Stat. Phys. 60 (1990) 561, but with soft spheres without temperature: they start at
//! rest, all radii grow at the same relative rate, contacts push the spheres apart, and contact damping takes what growth puts in. Slow
//! growth does not crystallise them, for nothing makes them wander.

use dem_sim::world::World;

use super::phase::Running;
use super::preparation::mean_pressure;
use crate::error::WorkloadError;

/// Steps between two increments of the radii.
const STEPS: u64 = 10;
/// Largest growth of an increment in proportion to the radius: far below the distance at which the next contacts are looked for.
const LARGEST_INCREMENT: f64 = 1e-3;

/// Lets the radii grow at a relative rate \[1/s\] in a volume \[m³\] until the mean stress reaches a pressure \[Pa\].
///
/// # Errors
/// Steps that fail, too many steps, an interruption.
pub fn grow(running: &mut Running, volume: f64, pressure: f64, rate: f64) -> Result<(), WorkloadError> {
    // radii that grow bring energy in that the ledger does not know
    running.simulation.pipeline.limits.created_energy = 1.0;
    loop {
        let world = &running.simulation.world;
        if world.step > 0 && mean_pressure(world, volume) >= pressure {
            return Ok(());
        }
        running.pause()?;
        let increment = 1.0 + (rate * running.simulation.world.time_step * STEPS as f64).min(LARGEST_INCREMENT);
        scale_radii(&mut running.simulation.world, increment);
        running.simulation.pipeline.forces.invalidate();
        running.growth *= increment;
        for _ in 0..STEPS {
            running.advance()?;
        }
    }
}

/// Radii and masses of all spheres at constant density; bodies grow about their centres of mass.
fn scale_radii(world: &mut World, factor: f64) {
    let cube = factor * factor * factor;
    let p = &mut world.particles;
    p.radius.iter_mut().for_each(|radius| *radius *= factor);
    p.mass.iter_mut().for_each(|mass| *mass *= cube);
    p.inverse_mass.iter_mut().for_each(|inverse| *inverse /= cube);
    for body in &mut p.bodies.all {
        body.scale *= factor;
        body.equivalent_radius *= factor;
        body.mass *= cube;
        // at the angular velocity that they have, like spheres
        body.moments *= cube * factor * factor;
        body.angular_momentum *= cube * factor * factor;
    }
    let templates = p.bodies.templates.clone();
    for at in 0..p.bodies.len() {
        let body = p.bodies.all[at];
        // the numbers that a body of this scale is inserted with
        for (slot, member) in (body.first as usize..).zip(&templates[body.template as usize].members) {
            p.radius[slot] = member.radius * body.scale;
            p.mass[slot] = body.mass * member.share;
            p.inverse_mass[slot] = body.inverse_mass();
        }
        p.place_members(at, &world.cell);
    }
}
