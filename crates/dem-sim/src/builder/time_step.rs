//! The time step: given, or the largest that all criteria admit.

use dem_contact::time_step::{Bound, Fractions, contact_bounds, rayleigh_time};
use dem_core::DVec3;
use dem_core::wall::Wall;
use dem_io::document::{SceneDocument, SceneError};
use dem_io::units::UncheckedQuantity;

use super::{ContactDefinition, positive};
use crate::scene::Scene;
use crate::simulation::PouringSource;
use crate::world::World;

/// Displacement per step in proportion to the smallest radius.
const LARGEST_MOVE: f64 = 0.01;
/// Rotation per step \[rad\]: the velocity of a point of the surface then turns little within it.
pub(crate) const LARGEST_TURN: f64 = 0.05;

/// The time step of a run and why.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeStepChoice {
    /// The step \[s\].
    pub time_step: f64,
    /// Whether it was chosen, and may be reduced during the run.
    pub automatic: bool,
    /// All bounds, the tightest first.
    pub bounds: Vec<Bound>,
    /// Speed of impacts that the bounds reckon with \[m/s\].
    pub expected_speed: f64,
}

impl TimeStepChoice {
    /// Name of the criterion that set the step.
    pub fn criterion(&self) -> &'static str {
        self.bounds.first().filter(|_| self.automatic).map_or("given", |bound| bound.criterion)
    }
}

/// Chooses the time step of a scene.
pub(super) fn choose(
    document: &SceneDocument,
    scene: &Scene,
    contact: &ContactDefinition,
    world: &World,
    sources: &[PouringSource],
) -> Result<TimeStepChoice, SceneError> {
    let expected_speed = match scene.time.expected_speed {
        Some(speed) => positive(document, &["time", "expected_speed"], speed.si(), "m/s")?,
        None => expected_speed(world, sources),
    };
    let mut bounds = bounds(contact, world, sources, expected_speed);
    bounds.sort_by(|a, b| a.time_step.total_cmp(&b.time_step));
    let given = match &scene.time.step {
        None => None,
        Some(_) if is_automatic(scene) => None,
        Some(quantity) => {
            let step = quantity.in_unit("s").map_err(|error| {
                document
                    .error_at(&["time", "step"], format!("expected \"auto\" or a time such as \"1e-6 s\" ({error})"))
            })?;
            Some(positive(document, &["time", "step"], step, "s")?)
        }
    };
    let Some(tightest) = bounds.first().map(|bound| bound.time_step) else {
        // without particles; a saved state that brings some brings its step, or asks again
        let automatic = given.is_none();
        return Ok(TimeStepChoice { time_step: given.unwrap_or(1.0), automatic, bounds, expected_speed });
    };
    let (time_step, automatic) = match given {
        Some(step) => {
            if step > tightest {
                tracing::warn!(
                    "time step {step:.3e} s is above the {tightest:.3e} s that {} admits",
                    bounds[0].criterion
                );
            }
            (step, false)
        }
        None => (tightest, true),
    };
    Ok(TimeStepChoice { time_step, automatic, bounds, expected_speed })
}

/// Whether the scene leaves the time step to the engine.
pub(super) fn is_automatic(scene: &Scene) -> bool {
    match &scene.time.step {
        None => true,
        Some(UncheckedQuantity::Text(word)) => word == "auto",
        Some(UncheckedQuantity::Number(_)) => false,
    }
}

/// Speed of the fastest impact to expect \[m/s\]: initial velocities, walls, and the fall from the highest to the lowest point of the scene.
fn expected_speed(world: &World, sources: &[PouringSource]) -> f64 {
    let p = &world.particles;
    let fastest = p
        .velocity
        .iter()
        .map(|v| v.length())
        .chain(sources.iter().map(|source| source.kind.velocity.length()))
        .fold(0.0, f64::max);
    let size = (world.cell.matrix() * DVec3::ONE).length().min(1e3);
    // a turning wall is as fast as its farthest point; without bounds, as that point of it in the domain
    let reach = |wall: &Wall| wall.shape.bounds().map_or(size, |(low, high)| low.abs().max(high.abs()).length());
    let walls = world.walls.iter().map(|wall| wall.speed_bound(reach(wall))).fold(0.0, f64::max);
    let gravity = world.fields.gravity.length();
    let fall = if gravity == 0.0 {
        0.0
    } else if world.fields.gravity_turns() {
        // down is everywhere in turn
        DVec3::AXES.iter().map(|&axis| fall_along(axis, world, sources).powi(2)).sum::<f64>().sqrt()
    } else {
        fall_along(-world.fields.gravity / gravity, world, sources)
    };
    ((fastest * fastest + 2.0 * gravity * fall).sqrt() + walls).max(1e-3)
}

/// Height from which something may fall to the lowest point of the scene \[m\].
fn fall_along(up: DVec3, world: &World, sources: &[PouringSource]) -> f64 {
    // particles fall from where they are, appear, or may be lifted to
    let mut highest = f64::NEG_INFINITY;
    let mut lowest = f64::INFINITY;
    for &x in &world.particles.position {
        let height = x.dot(up);
        (lowest, highest) = (lowest.min(height), highest.max(height));
    }
    for source in sources {
        let (low, high) = heights(source.bounds, up);
        (lowest, highest) = (lowest.min(low), highest.max(high));
    }
    for wall in &world.walls {
        let at = wall.pose.position;
        let (low, high) = match wall.shape.bounds() {
            Some((low, high)) => heights((low + at, high + at), up),
            None => (at.dot(up), f64::NEG_INFINITY),
        };
        lowest = lowest.min(low);
        if !wall.motion.is_fixed() {
            highest = highest.max(high);
        }
    }
    (highest - lowest).max(0.0)
}

/// Lowest and highest point of a box along a direction.
fn heights((low, high): (DVec3, DVec3), up: DVec3) -> (f64, f64) {
    let (a, b) = (low * up, high * up);
    (a.min(b).element_sum(), a.max(b).element_sum())
}

fn bounds(contact: &ContactDefinition, world: &World, sources: &[PouringSource], speed: f64) -> Vec<Bound> {
    let p = &world.particles;
    let fractions = Fractions::default();
    // smallest radius and density of each material in the scene
    let mut smallest: Vec<Option<f64>> = vec![None; contact.materials.len()];
    let mut note = |material: u16, radius: f64| {
        let entry = &mut smallest[material as usize];
        *entry = Some(entry.map_or(radius, |r: f64| r.min(radius)));
    };
    for slot in 0..p.len() {
        note(p.material[slot], p.radius[slot]);
    }
    for source in sources {
        note(source.kind.material, source.smallest);
    }
    let mut all = Vec::new();
    let spins = p.angular_velocity.iter().chain(sources.iter().map(|source| &source.kind.angular_velocity));
    let spin = spins.map(|w| w.length()).fold(0.0, f64::max);
    if spin > 0.0 {
        let detail = format!("{LARGEST_TURN} rad at {spin:.3} rad/s");
        all.push(Bound { criterion: "rotation per step", time_step: LARGEST_TURN / spin, detail });
    }
    let mass = |material: usize, r: f64| contact.materials[material].density * dem_core::particles::sphere_volume(r);
    for (a, radius) in smallest.iter().enumerate() {
        let Some(ra) = *radius else { continue };
        let (a16, ma) = (a as u16, mass(a, ra));
        let material = &contact.materials[a];
        all.push(Bound {
            criterion: "Rayleigh time",
            time_step: fractions.rayleigh
                * rayleigh_time(ra, material.density, material.shear_modulus(), material.poisson_ratio),
            detail: format!("{} of radius {ra:.3e} m", material.name),
        });
        all.push(Bound {
            criterion: "displacement per step",
            time_step: LARGEST_MOVE * ra / speed,
            detail: format!("{LARGEST_MOVE} r at {speed:.3} m/s"),
        });
        let mut add = |b: u16, effective_radius: f64, effective_mass: f64, partner: &str| {
            let kernel = &world.kernels[contact.laws.get(a16, b) as usize];
            for mut bound in
                contact_bounds(kernel.as_ref(), a16, b, effective_radius, effective_mass, speed, &fractions)
            {
                bound.detail = format!("{} on {partner}, {}", material.name, bound.detail);
                all.push(bound);
            }
        };
        for (b, other) in smallest.iter().enumerate().skip(a) {
            if let Some(rb) = *other {
                let mb = mass(b, rb);
                add(b as u16, ra * rb / (ra + rb), ma * mb / (ma + mb), &contact.materials[b].name);
            }
        }
        for wall in &world.walls {
            add(wall.material, ra, ma, &format!("wall {}", wall.name));
        }
    }
    all
}
