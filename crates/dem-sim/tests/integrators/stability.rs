//! What the bound of the time step by the contacts of a particle is for: packings whose dashpots act together come to rest.

use dem_contact::time_step::particle_bound;
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::particles::Particles;
use dem_sim::integrators::Scheme;
use dem_sim::world::World;
use dem_testkit::schemes::all_schemes;
use dem_testkit::worlds::{self, Scatter};

use super::alone;

const RADIUS: f64 = 0.01;

/// A law with its numbers and words.
type Case = (&'static str, Vec<(&'static str, f64)>, &'static [(&'static str, &'static str)]);
const SIMPLE_CUBIC: &[DVec3] = &[DVec3::ZERO];
const FACE_CENTRED: &[DVec3] =
    &[DVec3::ZERO, DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.0, 0.5, 0.5)];

/// Spheres of a periodic lattice that all spin alike, so that every contact shears at twice the rate of one, with some disorder on top.
fn spinning_lattice(law: &str, given: &[(&str, f64)], rolling: &[(&str, &str)], sites: &[DVec3]) -> World {
    // one layer of images lies beyond the reach of a contact
    let (cells, edge): (i32, f64) = if sites.len() == 1 { (3, 2.0) } else { (2, 8.0f64.sqrt()) };
    let edge = edge * RADIUS * (1.0 - 1e-3);
    let cell =
        Cell::orthogonal(DVec3::ZERO, DVec3::splat(f64::from(cells) * edge), [true; 3], [[FacePolicy::Open; 2]; 3]);
    let mut parameters = worlds::parameters(given, &[]);
    parameters.extend(worlds::words(rolling));
    let mut world = worlds::world_of(law, &parameters, cell, 1e8);
    let mut scatter = Scatter(5);
    for k in 0..cells.pow(3) {
        let place = DVec3::new(f64::from(k % cells), f64::from(k / cells % cells), f64::from(k / (cells * cells)));
        for &site in sites {
            let mut sphere = worlds::sphere((place + site) * edge, RADIUS);
            sphere.velocity = scatter.next_vector() * 1e-8;
            sphere.angular_velocity = DVec3::new(2.0, 1.0, 3.0) * 1e-5 + scatter.next_vector() * 1e-6;
            world.insert(sphere);
        }
    }
    world
}

fn kinetic_energy(p: &Particles) -> f64 {
    let mean = p.velocity.iter().sum::<DVec3>() / p.len() as f64;
    (0..p.len())
        .map(|slot| {
            let translation = (p.velocity[slot] - mean).length_squared() / p.inverse_mass[slot];
            0.5 * (translation + p.inertia(slot) * p.angular_velocity[slot].length_squared())
        })
        .sum()
}

/// Largest and last kinetic energy of 600 steps at the bound, in units of that at the start.
fn course_of_energy(mut world: World, scheme: &Scheme) -> [f64; 2] {
    world.time_step = 1e-12;
    let mut pipeline = worlds::pipeline_of(scheme);
    pipeline.initialise(&mut world).unwrap();
    let fractions = pipeline.integrator.fractions();
    let bound = particle_bound(&world.kernels, &world.list, &world.context(), &fractions).unwrap();
    world.time_step = bound.time_step;
    pipeline.initialise(&mut world).unwrap();
    let start = kinetic_energy(&world.particles);
    let mut largest = 0.0f64;
    for _ in 0..600 {
        if pipeline.step(&mut world).is_err() {
            return [f64::INFINITY; 2];
        }
        largest = largest.max(kinetic_energy(&world.particles) / start);
    }
    [largest, kinetic_energy(&world.particles) / start]
}

#[test]
fn packings_whose_dashpots_act_together_come_to_rest_at_the_bound_of_their_step() {
    let linear = [("normal_stiffness", 1e5), ("stiffness_ratio", 0.8), ("friction", 1e12)];
    let hertz = [("friction", 1e12), ("damping_ratio", 0.5), ("tangential_damping_ratio", 0.7)];
    let with = |more: &[(&'static str, f64)]| [&linear[..], more].concat();
    let cases: [Case; 5] = [
        ("linear", with(&[("damping_ratio", 0.5), ("tangential_damping_ratio", 0.5)]), &[]),
        ("linear", with(&[("damping_ratio", 2.0), ("tangential_damping_ratio", 2.0)]), &[]),
        ("hertz-mindlin", hertz.to_vec(), &[]),
        ("kuhn", with(&[("damping_ratio", 0.1), ("contact_damping", 60.0)]), &[]),
        (
            "linear",
            with(&[
                ("damping_ratio", 0.1),
                ("tangential_damping_ratio", 0.3),
                ("rolling_friction", 1e12),
                ("rolling_stiffness", 5.0),
                ("rolling_damping_ratio", 2.0),
            ]),
            &[("rolling", "elastic-plastic")],
        ),
    ];
    alone(|| {
        let mut wrong = Vec::new();
        for (number, (law, given, words)) in cases.iter().enumerate() {
            for (lattice, sites) in [("simple cubic", SIMPLE_CUBIC), ("face-centred cubic", FACE_CENTRED)] {
                for scheme in all_schemes() {
                    let [largest, last] = course_of_energy(spinning_lattice(law, given, words, sites), &scheme);
                    let line = format!("case {number}, {law}, {lattice}, {scheme}: {largest:.3}, {last:.1e}");
                    println!("{line}");
                    if !(largest < 1.05 && last < 0.05) {
                        wrong.push(line);
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}
