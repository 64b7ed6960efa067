//! A small dense bed of spheres under cyclic shear, in a periodic cell that deforms or between plates of which one swings.
//!
//! The bed is compressed without friction and damped until it is at rest; the contacts of all courses begin from there without history. It is
//! sheared to and back by `γ = γ₀ (1 − cos ωt)/2`, which starts and turns without a jump of the rate, so slowly that it stays dense and by
//! so little that no contact network breaks down: a smooth course, on which small errors stay small. Contacts stick, slide, turn and some
//! open and close. Compared are the shear stress and the works at marked times.
#![expect(clippy::expect_used, reason = "a bed that cannot be prepared must stop the test")]

use dem_contact::time_step::{particle_bound, rayleigh_time};
use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::particles::{NewParticle, sphere_volume};
use dem_core::wall::{Motion, Shape, Wall};
use dem_sim::deformation::Deformation;
use dem_sim::deformation::control::{Component, Constraint, Control};
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;

use super::convergence::Course;
use super::subject::{NormalSpring, Subject, elastic};
use crate::worlds::{self, Scatter};

/// Mean radius \[m\].
const RADIUS: f64 = 5e-3;
/// Share of the cell that is solid \[-\]: overlaps are a hundredth of the radius.
const SOLID_FRACTION: f64 = 0.65;
/// Period of the shear \[s\], about 50 periods of oscillation of a contact.
const PERIOD: f64 = 0.01;
/// Largest shear strain γ₀ \[-\]: the slip at a contact is up to a few times that at which it slides.
const STRAIN: f64 = 0.01;
/// Marked times in a period.
const MARKS: usize = 20;

/// What shears the bed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// A periodic cell that deforms.
    Cell,
    /// A plate above the bed that swings, over one at rest.
    Plates,
}

/// A bed at rest under its own pressure, without tangential forces.
#[derive(Clone, Debug)]
pub struct Bed {
    /// What shears it.
    pub drive: Drive,
    /// Edges of the cell, or of the room between the plates \[m\].
    size: DVec3,
    spheres: Vec<NewParticle>,
}

impl Bed {
    /// Presses a lattice of `sites` spheres along an edge, slightly out of order, together, and lets it come to rest.
    ///
    /// # Panics
    /// If it does not.
    pub fn prepared(normal: NormalSpring, drive: Drive, sites: usize) -> Self {
        let law = match normal {
            NormalSpring::Linear => "linear",
            NormalSpring::Hertz => "hertz-mindlin",
        };
        let mut scatter = Scatter(5);
        let radii: Vec<f64> = (0..sites.pow(3)).map(|_| RADIUS * (0.9 + 0.2 * scatter.next_unit())).collect();
        let solid: f64 = radii.iter().map(|&radius| sphere_volume(radius)).sum();
        let edge = libm::cbrt(solid / SOLID_FRACTION);
        let height = match drive {
            Drive::Cell => edge,
            // plates have voids beside them
            Drive::Plates => edge + 0.5 * RADIUS,
        };
        let size = DVec3::new(edge, edge, height);
        let spheres = radii.iter().enumerate().map(|(k, &radius)| {
            let site = [k % sites, k / sites % sites, k / sites / sites].map(|n| n as f64 + 0.5);
            worlds::sphere((DVec3::from_array(site) + 0.2 * scatter.next_vector()) / sites as f64 * size, radius)
        });
        let mut bed = Self { drive, size, spheres: spheres.collect() };
        let mut world = bed.world(&Subject::of_law(law, elastic(law)));
        // strong, but slow against the contacts
        world.fields.mass_damping = 500.0;
        world.time_step = 1e-5;
        for wall in &mut world.walls {
            wall.motion = Motion::default();
        }
        let mut pipeline = worlds::pipeline();
        pipeline.limits.overlap_ratio = 1.0;
        pipeline.initialise(&mut world).expect("the cell is wide enough");
        while world.time < 0.2 {
            pipeline.step(&mut world).expect("the bed comes to rest");
        }
        let ledger = world.energy();
        assert!(ledger.kinetic() < 1e-9 * ledger.elastic_normal, "the bed is not at rest: {ledger:?}");
        for (sphere, slot) in bed.spheres.iter_mut().zip(world.particles.slots_by_id()) {
            sphere.position = world.particles.position[slot as usize];
        }
        bed
    }

    /// A period of shear whose step is that of an automatic choice divided by `division`.
    ///
    /// # Errors
    /// A run that stops.
    pub fn run(&self, subject: &Subject, division: usize) -> Result<Course, String> {
        let mut world = self.world(subject);
        let mut pipeline = worlds::pipeline_of(&subject.scheme);
        pipeline.initialise(&mut world).map_err(|error| error.to_string())?;
        let every = (PERIOD / MARKS as f64 / automatic_step(&world, &pipeline)).ceil() as usize * division;
        let steps = every * MARKS;
        world.time_step = PERIOD / steps as f64;
        let mut course = Course::default();
        for step in 1..=steps {
            if self.drive == Drive::Cell {
                let strain = |step: usize| {
                    let phase = std::f64::consts::TAU * step as f64 / steps as f64;
                    0.5 * STRAIN * (1.0 - libm::cos(phase))
                };
                // so that the strain at the ends of all steps is that of the course
                let rate = (strain(step) - strain(step - 1)) / world.time_step;
                shear(&mut world, rate);
            }
            pipeline.step(&mut world).map_err(|error| error.to_string())?;
            if step % every == 0 {
                course.state.push(self.shear_stress(&world));
                let ledger = world.energy();
                course.work.extend([ledger.friction, ledger.viscous, ledger.rolling, ledger.twisting]);
                course.work.extend([ledger.stiffness, ledger.cell + ledger.walls]);
                course.work.extend(world.further_works().into_iter().map(|work| ledger.further[work.place()]));
            }
        }
        course.state_scale = course.state.iter().fold(0.0, |largest, stress| f64::max(largest, stress.abs()));
        // negative where more adhesion is gained than work is lost
        course.work_scale = world.energy().dissipated_at_contacts().abs();
        Ok(course)
    }

    /// Shear stress \[Pa\].
    fn shear_stress(&self, world: &World) -> f64 {
        match &world.deformation {
            Some(deformation) => deformation.stress(world.cell.volume()).col(1).x,
            None => world.walls[1].force.x / (self.size.x * self.size.y),
        }
    }

    /// The bed under the forces of a subject.
    fn world(&self, subject: &Subject) -> World {
        let periodic = [true, true, self.drive == Drive::Cell];
        let cell = Cell::orthogonal(DVec3::ZERO, self.size, periodic, [[FacePolicy::Error; 2]; 3]);
        let mut world = subject.world(cell);
        match self.drive {
            Drive::Cell => world.deformation = Some(Deformation::default()),
            Drive::Plates => {
                worlds::add_floor(&mut world);
                let top = DVec3::Z * self.size.z;
                let motion = Motion {
                    amplitude: DVec3::X * (0.5 * STRAIN * self.size.z),
                    frequency: 1.0 / PERIOD,
                    phase: -std::f64::consts::FRAC_PI_2,
                    ..Motion::default()
                };
                let shape = Shape::Plane { point: top, normal: -DVec3::Z };
                world.walls.push(Wall::new("plate", shape, top, 0, motion));
            }
        }
        for sphere in &self.spheres {
            world.insert(*sphere);
        }
        world
    }
}

/// The smallest of the bounds that concern a bed at rest \[s\].
fn automatic_step(world: &World, pipeline: &Pipeline) -> f64 {
    let fractions = pipeline.integrator.fractions();
    let by_contacts = particle_bound(&world.kernels, &world.list, &world.context(), &fractions);
    let material = &world.materials[0];
    let shear_modulus = material.young_modulus / (2.0 * (1.0 + material.poisson_ratio));
    let smallest = world.particles.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let by_waves = rayleigh_time(smallest, material.density, shear_modulus, material.poisson_ratio);
    by_contacts.map_or(f64::INFINITY, |bound| bound.time_step).min(fractions.rayleigh * by_waves)
}

/// Asks for a rate of simple shear from now on \[1/s\].
fn shear(world: &mut World, rate: f64) {
    let mut component = [[Component::Unasked; 3]; 3];
    component[0][1] = Component::Rate(rate);
    let control = Control::new(component, Constraint::None, None).expect("a rate is admissible");
    if let Some(deformation) = &mut world.deformation {
        deformation.begin_stage(Some(control));
    }
}
