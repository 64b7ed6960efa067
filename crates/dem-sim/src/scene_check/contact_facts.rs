//! What follows from laws whose contacts depend on size and speed: forces that pull off, speeds that stick and yield.

use dem_contact::law::Derived;
use dem_contact::submodels::adhesion::PULL_OFF;
use dem_core::particles::sphere_volume;

use crate::simulation::components::Simulation;

/// Facts of a contact of two materials, for spheres of their mean radii that meet at the expected speed.
pub fn contact_facts(simulation: &Simulation, a: u16, b: u16) -> Vec<Derived> {
    let world = &simulation.world;
    // materials that no sphere has are those of walls
    let spheres = [a, b].map(|material| mean_radius(simulation, material));
    let (radius, first, second) = match spheres {
        [Some(first), Some(second)] => (first * second / (first + second), Some(first), Some(second)),
        [Some(radius), None] => (radius, Some(radius), None),
        [None, Some(radius)] => (radius, None, Some(radius)),
        [None, None] => return Vec::new(),
    };
    let mass = |material: u16, radius: f64| world.materials[material as usize].density * sphere_volume(radius);
    let masses: Vec<f64> =
        [(a, first), (b, second)].into_iter().filter_map(|(material, radius)| Some(mass(material, radius?))).collect();
    let effective_mass = 1.0 / masses.iter().map(|mass| 1.0 / mass).sum::<f64>();
    let kernel = &world.kernels[world.laws.get(a, b) as usize];
    let mut facts = kernel.facts(a, b, radius, effective_mass, simulation.time_step.expected_speed);
    let gravity = world.fields.gravity.length();
    let lightest = masses.iter().copied().fold(f64::INFINITY, f64::min);
    let pull_off = facts.iter().find(|fact| fact.name == PULL_OFF).map(|fact| fact.value);
    if let Some(pull_off) = pull_off.filter(|_| gravity > 0.0) {
        let value = pull_off / (lightest * gravity);
        facts.push(Derived { name: "granular Bond number (pull-off force over weight)", value, unit: "-" });
    }
    facts
}

/// Mean radius of the spheres of a material, present or, if there are none yet, to come \[m\].
fn mean_radius(simulation: &Simulation, material: u16) -> Option<f64> {
    let p = &simulation.world.particles;
    let radii = p.material.iter().zip(&p.radius).filter(|(of, _)| **of == material).map(|(_, radius)| *radius);
    let (count, sum) = radii.fold((0.0, 0.0), |(count, sum), radius| (count + 1.0, sum + radius));
    if count > 0.0 {
        return Some(sum / count);
    }
    let poured = simulation
        .sources
        .iter()
        .find(|source| source.smallest_impacts().into_iter().any(|(of, ..)| of == material))?;
    Some(0.5 * (poured.smallest + poured.largest))
}
