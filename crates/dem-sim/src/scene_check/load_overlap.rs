//! How deep spheres overlap under a load, beforehand: their own weight and that of what lies on them, the pressure of walls and cells.
//!
//! Two bodies that hit each other alone share their motion, and the lighter one gives way. On a bed it cannot, and rest is a load, too: a steel
//! ball on small soft grains sinks into the first that it meets.

use dem_core::figure::Figure;
use dem_core::particles::sphere_volume;

use crate::insertion::pouring::PouringLimit;
use crate::simulation::components::Simulation;
use crate::simulation::stage::Action;
use crate::state::world::World;
use crate::wall_servos::servo::Target;

/// A load on a single contact.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadOverlap {
    /// Overlap at rest in proportion to the radius of the smaller sphere, at most 1 \[-\].
    pub at_rest: f64,
    /// The same where the load is put on at once, without damping \[-\].
    pub at_once: f64,
    /// The force \[N\].
    pub force: f64,
    /// What the load is, and on what it rests.
    pub load: String,
}

/// An impact of a sphere on another that something holds from behind.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldImpact {
    /// Largest overlap in proportion to the radius of the smaller sphere, at most 1 \[-\].
    pub overlap_ratio: f64,
    /// Who hits whom.
    pub between: String,
}

/// Spheres of a material, present and to come.
struct Spheres {
    material: u16,
    name: String,
    smallest: f64,
    largest: f64,
    /// Mass of the heaviest, of members that of their body \[kg\].
    heaviest: f64,
    has_bodies: bool,
}

impl Spheres {
    fn describe_heaviest(&self) -> String {
        let (name, radius) = (&self.name, self.largest);
        if self.has_bodies {
            format!("a body of {name} of {:.3e} kg", self.heaviest)
        } else {
            format!("a sphere of {name} of radius {radius:.3e} m")
        }
    }
}

/// Of all loads that a scene puts on single contacts of spheres, the one that overlaps deepest; none without spheres or loads.
pub fn deepest_under_load(simulation: &Simulation) -> Option<LoadOverlap> {
    let world = &simulation.world;
    let all = spheres(simulation);
    let gravity = world.fields.gravity.length();
    let mut deepest: Option<LoadOverlap> = None;
    let mut add = |on: &Spheres, by: &Spheres, partner_radius: f64, force: f64, load: String| {
        let radius = on.smallest;
        let effective = radius * partner_radius / (radius + partner_radius);
        let Some([at_rest, at_once]) = overlaps(world, (on.material, by.material), effective, radius, force) else {
            return;
        };
        if deepest.as_ref().is_none_or(|known| at_rest > known.at_rest) {
            let load = format!("{load} on a sphere of {} of radius {:.3e} m", on.name, radius);
            deepest = Some(LoadOverlap { at_rest, at_once, force, load });
        }
    };
    let pressure = pressure(simulation);
    for on in &all {
        for by in all.iter().filter(|_| gravity > 0.0) {
            let load = format!("{} at rest", by.describe_heaviest());
            add(on, by, by.largest, by.heaviest * gravity, load);
        }
        if let Some((pressure, what)) = &pressure {
            let load = format!("{what}, {} Pa,", Figure::new(*pressure, 3));
            add(on, on, on.smallest, pressure * (2.0 * on.smallest).powi(2), load);
        }
    }
    deepest
}

/// The deepest overlap of a sphere that hits another at the expected speed while something holds that one from behind.
pub fn deepest_held_impact(simulation: &Simulation) -> Option<HeldImpact> {
    let world = &simulation.world;
    let speed = simulation.time_step.expected_speed;
    let all = spheres(simulation);
    let mut deepest: Option<HeldImpact> = None;
    for on in &all {
        for by in &all {
            let effective = on.smallest * by.largest / (on.smallest + by.largest);
            let kernel = &world.kernels[world.laws.get(on.material, by.material) as usize];
            let overlap = kernel.impact_overlap(on.material, by.material, effective, by.heaviest, speed);
            let overlap_ratio = (overlap / on.smallest).min(1.0);
            if overlap.is_finite() && deepest.as_ref().is_none_or(|known| overlap_ratio > known.overlap_ratio) {
                let between = format!(
                    "{} on a sphere of {} of radius {:.3e} m that is held from behind",
                    by.describe_heaviest(),
                    on.name,
                    on.smallest
                );
                deepest = Some(HeldImpact { overlap_ratio, between });
            }
        }
    }
    deepest
}

fn spheres(simulation: &Simulation) -> Vec<Spheres> {
    let world = &simulation.world;
    let p = &world.particles;
    let present = (0..p.len()).map(|slot| {
        let body = p.body_of(slot);
        let mass = body.map_or(p.mass[slot], |body| body.mass);
        (p.material[slot], [p.radius[slot]; 2], mass, body.is_some())
    });
    let to_come = simulation.sources.iter().flat_map(|source| {
        let materials = source.smallest_impacts().into_iter().map(|(material, ..)| material);
        // sizes of bodies are those of spheres of their volume
        let mass = source.kind.density * sphere_volume(source.pouring.settings().sizes.max_radius());
        let are_bodies = source.kind.bodies.is_some();
        materials.map(move |material| (material, [source.smallest, source.largest], mass, are_bodies))
    });
    let mut found: Vec<Spheres> = Vec::new();
    for (material, [small, large], mass, is_body) in present.chain(to_come) {
        match found.iter_mut().find(|spheres| spheres.material == material) {
            Some(spheres) => {
                spheres.smallest = spheres.smallest.min(small);
                spheres.largest = spheres.largest.max(large);
                spheres.heaviest = spheres.heaviest.max(mass);
                spheres.has_bodies |= is_body;
            }
            None => {
                let name = world.materials[material as usize].name.clone();
                found.push(Spheres {
                    material,
                    name,
                    smallest: small,
                    largest: large,
                    heaviest: mass,
                    has_bodies: is_body,
                });
            }
        }
    }
    found
}

/// The largest pressure on the spheres \[Pa\] and what it is: what walls or the cell press with, or the weight of all over the area that they
/// stand on, of which walls may carry some.
fn pressure(simulation: &Simulation) -> Option<(f64, String)> {
    let world = &simulation.world;
    let mut all: Vec<(f64, String)> = Vec::new();
    let held = |wall: usize, target: &Target, area: Option<f64>| {
        let pressure = match target {
            Target::Pressure(pressure) => pressure.abs(),
            Target::Force(force) => force.abs() / area?,
        };
        Some((pressure, format!("the pressure of wall \"{}\"", world.walls[wall].name)))
    };
    for servo in &world.wall_servos {
        all.extend(servo.hold().and_then(|hold| held(servo.wall, &hold.target, servo.area(&world.cell, &world.walls))));
    }
    for stage in &simulation.stages {
        for action in &stage.actions {
            if let Action::MoveWall(wall, motion) = action
                && let Some(hold) = &motion.hold
            {
                all.extend(held(*wall, &hold.target, hold.area));
            }
        }
        if let Some(target) = stage.deform.as_ref().map(|control| control.largest_target()) {
            all.push((target, format!("the stress of stage \"{}\"", stage.name)));
        }
    }
    if let Some(weight) = weight_over_area(simulation) {
        all.push((weight, "the weight of all particles over the area that they stand on".to_owned()));
    }
    all.into_iter().filter(|(pressure, _)| *pressure > 0.0 && pressure.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Weight of all spheres, present and to come, over the area across gravity \[Pa\]; none without gravity along an axis. Spheres that are poured
/// spread as far as walls reach.
fn weight_over_area(simulation: &Simulation) -> Option<f64> {
    let world = &simulation.world;
    let gravity = world.fields.gravity;
    let axis = crate::deformation::sampled_body::axis_along(gravity.try_normalize()?)?;
    let p = &world.particles;
    let mut mass: f64 = p.mass.iter().fold(0.0, |sum, mass| sum + mass);
    for source in &simulation.sources {
        let settings = source.pouring.settings();
        mass += match settings.limit {
            Some(PouringLimit::Count(count)) => count as f64 * settings.density * settings.sizes.mean_volume(),
            Some(PouringLimit::Mass(mass)) => mass,
            None => 0.0,
        };
    }
    let spheres = p.position.iter().zip(&p.radius).map(|(&x, &r)| (x - r, x + r));
    let walls = world.walls.iter().filter(|_| !simulation.sources.is_empty()).filter_map(|wall| {
        let (low, high) = wall.shape.bounds()?;
        Some((low + wall.pose.position, high + wall.pose.position))
    });
    let boxes = spheres.chain(simulation.sources.iter().map(|source| source.bounds)).chain(walls);
    let (low, high) = boxes.reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))?;
    let sides = high - low;
    let area = (0..3).filter(|&k| k != axis).map(|k| sides[k]).product::<f64>();
    (area > 0.0).then(|| mass * gravity.length() / area)
}

/// Overlaps over the radius at which the normal force is `force`, and to which it leads if it is put on at once; none for a law without a
/// normal stiffness.
fn overlaps(world: &World, (a, b): (u16, u16), effective: f64, radius: f64, force: f64) -> Option<[f64; 2]> {
    let kernel = &world.kernels[world.laws.get(a, b) as usize];
    let stiffness = |overlap: f64| kernel.stiffness(a, b, effective, overlap).normal;
    // force and its power of the overlap, of a stiffness that goes with a power of it
    let law = |overlap: f64| {
        let here = stiffness(overlap);
        let power = 1.0 + 0.5 * libm::log2(here / stiffness(0.25 * overlap));
        (here * overlap / power, power)
    };
    let reached = |force: f64| {
        let (mut low, mut high) = (0.0, radius);
        if law(high).0 < force {
            return radius;
        }
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if law(middle).0 < force { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    let first = stiffness(1e-3 * radius);
    if first.is_nan() || first <= 0.0 {
        return None;
    }
    let at_rest = reached(force);
    let (_, power) = law(at_rest);
    // the work of the load is what the spring holds: force x overlap = F(overlap) overlap/(power + 1)
    let at_once = reached((power + 1.0) * force);
    let ratios = [at_rest, at_once].map(|overlap| overlap / radius);
    ratios.iter().all(|ratio| ratio.is_finite()).then_some(ratios)
}
