//! Bounds of the time step that are known before the first step: from materials, sizes, and the impacts to expect.

use dem_contact::time_step::{Bound, Fractions, contact_bounds, rayleigh_time};
use dem_core::DVec3;
use dem_core::figure::Figure;
use dem_core::particles::sphere_volume;
use dem_core::wall::Wall;

use super::choice::ExpectedImpact;
use super::criteria::{DISPLACEMENT, RAYLEIGH, RELAXATION, ROTATION, relaxation_step};
use crate::insertion::pouring_source::PouringSource;
use crate::resolution::{LARGEST_MOVE, LARGEST_TURN};
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;

/// Local porosity that is reckoned with before any is measured: that of a dense random packing.
const EXPECTED_POROSITY: f64 = 0.36;

/// Speed of the fastest impact to expect \[m/s\]: initial velocities, walls, and the fall from the highest to the lowest point of the scene.
pub(crate) fn expected_speed(world: &World, sources: &[PouringSource]) -> f64 {
    let sources: Vec<&PouringSource> = sources.iter().filter(|source| !source.pouring.is_finished()).collect();
    let sources = sources.as_slice();
    let p = &world.particles;
    let fastest = p
        .velocity
        .iter()
        .map(|v| v.length())
        .chain(sources.iter().map(|source| source.kind.velocity.length()))
        .fold(0.0, f64::max);
    let fastest = world.whole.largest(fastest);
    let size = extent(world, sources);
    // a turning wall is as fast as its farthest point; without bounds, as that point of it in the domain
    let reach = |wall: &Wall| wall.shape.bounds().map_or(size, |(low, high)| low.abs().max(high.abs()).length());
    let walls = world.walls.iter().map(|wall| wall.speed_bound(reach(wall))).fold(0.0, f64::max);
    let pressing = world.wall_servos.iter().filter_map(|servo| servo.hold()?.max_speed);
    let walls = pressing.fold(walls, f64::max);
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

/// Length that no two places of the scene are farther apart than, by order of magnitude \[m\].
fn extent(world: &World, sources: &[&PouringSource]) -> f64 {
    let diagonal = (world.cell.matrix() * DVec3::ONE).length();
    if diagonal < 1e3 {
        return diagonal;
    }
    // without limits: around everything that has some
    let walls = world.walls.iter().filter_map(|wall| {
        let (low, high) = wall.shape.bounds()?;
        Some((low + wall.pose.position, high + wall.pose.position))
    });
    let particles = world.particles.position.iter().map(|&x| (x, x));
    let boxes = walls.chain(particles).chain(sources.iter().map(|source| source.bounds));
    let around = boxes.reduce(|(low, high), (a, b)| (low.min(a), high.max(b)));
    around.map_or(1e3, |(low, high)| (3.0 * (high - low).length()).min(1e3))
}

/// Height from which something may fall to the lowest point of the scene \[m\].
fn fall_along(up: DVec3, world: &World, sources: &[&PouringSource]) -> f64 {
    // particles fall from where they are, appear, or may be lifted to
    let mut highest = f64::NEG_INFINITY;
    let mut lowest = f64::INFINITY;
    for &x in &world.particles.position {
        let height = x.dot(up);
        (lowest, highest) = (lowest.min(height), highest.max(height));
    }
    (lowest, highest) = (world.whole.smallest(lowest), world.whole.largest(highest));
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

/// Smallest radius \[m\] of the spheres of each material in the scene, and smallest mass \[kg\] that an impact on one may meet.
fn smallest_of_materials(
    contact: &ContactDefinition,
    world: &World,
    sources: &[PouringSource],
) -> Vec<Option<(f64, f64)>> {
    let p = &world.particles;
    let mut smallest = vec![(f64::INFINITY, f64::INFINITY); contact.materials.len()];
    let mass = |material: u16, r: f64| contact.materials[material as usize].density * sphere_volume(r);
    let mut note = |material: u16, radius: f64, mass: f64| {
        let (r, m) = &mut smallest[material as usize];
        (*r, *m) = (r.min(radius), m.min(mass));
    };
    let contact_masses: Vec<f64> =
        p.bodies.templates.iter().map(|template| template.smallest_contact_mass() / template.volume).collect();
    for slot in 0..p.owned() {
        let (material, radius) = (p.material[slot], p.radius[slot]);
        let mass = match p.body_of(slot) {
            Some(body) => body.mass * contact_masses[body.template as usize],
            None => mass(material, radius),
        };
        note(material, radius, mass);
    }
    for source in sources {
        source.smallest_impacts().into_iter().for_each(|(material, radius, mass)| note(material, radius, mass));
    }
    let of_all = |(radius, mass): (f64, f64)| (world.whole.smallest(radius), world.whole.smallest(mass));
    smallest.into_iter().map(of_all).map(|found| Some(found).filter(|(radius, _)| radius.is_finite())).collect()
}

/// Bounds that are known beforehand, the tightest first, and the deepest impact.
pub(crate) fn bounds(
    contact: &ContactDefinition,
    world: &World,
    sources: &[PouringSource],
    speed: f64,
    fractions: &Fractions,
) -> (Vec<Bound>, Option<ExpectedImpact>) {
    let p = &world.particles;
    let smallest = smallest_of_materials(contact, world, sources);
    let (mut all, mut deepest) = (Vec::new(), None::<ExpectedImpact>);
    let spins = p.angular_velocity.iter().chain(sources.iter().map(|source| &source.kind.angular_velocity));
    let spin = world.whole.largest(spins.map(|w| w.length()).fold(0.0, f64::max));
    if spin > 0.0 {
        let detail = format!("{LARGEST_TURN} rad at {} rad/s", Figure::new(spin, 3));
        all.push(Bound { criterion: ROTATION, time_step: LARGEST_TURN / spin, detail });
    }
    for (a, of_material) in smallest.iter().enumerate() {
        let Some((ra, ma)) = *of_material else { continue };
        let a16 = a as u16;
        let material = &contact.materials[a];
        all.push(Bound {
            criterion: RAYLEIGH,
            time_step: fractions.rayleigh
                * rayleigh_time(ra, material.density, material.shear_modulus(), material.poisson_ratio),
            detail: format!("{} of radius {ra:.3e} m", material.name),
        });
        let through_fluid = speed + world.fields.drag.map_or(0.0, |drag| drag.fluid_velocity.length());
        let rate = world.fields.relaxation_rate(ra, ma, through_fluid, || EXPECTED_POROSITY);
        if rate > 0.0 {
            let detail = format!(
                "{} of radius {ra:.3e} m at {} m/s through the fluid",
                material.name,
                Figure::new(through_fluid, 3)
            );
            all.push(Bound { criterion: RELAXATION, time_step: relaxation_step(rate, fractions), detail });
        }
        all.push(Bound {
            criterion: DISPLACEMENT,
            time_step: LARGEST_MOVE * ra / speed,
            detail: format!("{LARGEST_MOVE} r at {} m/s", Figure::new(speed, 3)),
        });
        let mut add = |b: u16, effective_radius: f64, effective_mass: f64, partner: &str| {
            let kernel = &world.kernels[contact.laws.get(a16, b) as usize];
            for mut bound in
                contact_bounds(kernel.as_ref(), (a16, b), effective_radius, effective_mass, speed, fractions)
            {
                bound.detail = format!("{} on {partner}, {}", material.name, bound.detail);
                all.push(bound);
            }
            // a wall counts as an infinitely large sphere
            let smaller = ra.min(1.0 / (1.0 / effective_radius - 1.0 / ra).max(f64::MIN_POSITIVE));
            let overlap_ratio = kernel.impact_overlap(a16, b, effective_radius, effective_mass, speed) / smaller;
            if deepest.as_ref().is_none_or(|deepest| overlap_ratio > deepest.overlap_ratio) {
                deepest = Some(ExpectedImpact { overlap_ratio, between: format!("{} on {partner}", material.name) });
            }
        };
        for (b, other) in smallest.iter().enumerate().skip(a) {
            if let Some((rb, mb)) = *other {
                add(b as u16, ra * rb / (ra + rb), ma * mb / (ma + mb), &contact.materials[b].name);
            }
        }
        for (number, wall) in world.walls.iter().enumerate() {
            // walls of one material agree
            if world.walls[..number].iter().all(|other| other.material != wall.material) {
                let others = world.walls[number + 1..].iter().filter(|other| other.material == wall.material).count();
                let others = if others > 0 {
                    format!(" and {others} more of {}", contact.materials[wall.material as usize].name)
                } else {
                    String::new()
                };
                add(wall.material, ra, ma, &format!("wall \"{}\"{others}", wall.name));
            }
        }
    }
    all.sort_by(|a, b| a.time_step.total_cmp(&b.time_step));
    (all, deepest)
}
