//! Impacts in space: pairs of unequal spheres and spheres on a plane, from all directions, with spin about any axis.
//!
//! All of them happen in one world, out of reach of each other. They begin at places within a step that have nothing to do with it, so
//! that their mean error shows its order where that of a single impact scatters. Compared are the velocities and spins of every sphere
//! within the impacts and after them, and the works of all.
#![expect(clippy::expect_used, reason = "an unbounded cell is never too narrow")]

use dem_contact::time_step::contact_steps;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_sim::world::World;

use super::convergence::Course;
use super::subject::Subject;
use crate::worlds::{self, Scatter};

/// Radii of the spheres of a pair \[m\]; the smaller one also falls on the plane.
const RADII: [f64; 2] = [8e-3, 4e-3];
/// Slowest and fastest approach along the normal \[m/s\].
const APPROACH: [f64; 2] = [0.5, 1.5];
/// Slip velocity at touch of the centres, and speed of each surface by its spin, at most, in approaches: from sticking to gross sliding.
const SLIP: f64 = 1.5;
/// Distance between places of impacts \[m\].
const APART: f64 = 0.05;

/// How slip and spin go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Directions {
    /// In all directions.
    Space,
    /// Along one direction for each impact, but for a share of the slip that goes across.
    Line {
        /// Slip across in proportion to that along the line \[-\].
        across: f64,
    },
}

/// A number of impacts of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Impacts {
    /// Pairs of spheres, and as many spheres on the plane.
    pub count: usize,
    /// How slip and spin go.
    pub directions: Directions,
}

impl Impacts {
    /// A run whose step is that of an automatic choice divided by `division`.
    ///
    /// # Errors
    /// A sphere that does not touch or does not part, and a run that stops.
    pub fn run(&self, subject: &Subject, division: usize) -> Result<Course, String> {
        let mut world = subject.world(Cell::unbounded());
        worlds::add_floor(&mut world);
        let speeds = self.place(&mut world);
        let mut pipeline = worlds::pipeline_of(&subject.scheme);
        pipeline.limits.overlap_ratio = 0.5;
        let fractions = pipeline.integrator.fractions();
        let kernel = &world.kernels[0];
        let bodies = effective(&world);
        let steps = bodies
            .iter()
            .flat_map(|&[radius, mass]| contact_steps(kernel.as_ref(), (0, 0), radius, mass, APPROACH[1], &fractions));
        let automatic = steps.fold(f64::INFINITY, f64::min);
        let durations = bodies.map(|[radius, mass]| kernel.contact_duration(0, 0, radius, mass, APPROACH[0]));
        let longest = durations[0].max(durations[1]);
        let count = (2.0 * longest / automatic).ceil() as usize;
        // so that a quarter of it, when most touch, is an instant of every run
        let count = count.next_multiple_of(4) * division;
        world.time_step = 2.0 * longest / count as f64;
        pipeline.initialise(&mut world).expect("the cell is wide enough");
        let kinetic = world.energy().kinetic();
        let before = motion(&world, &speeds);
        let mut course = Course { state_scale: 1.0, work_scale: kinetic, ..Course::default() };
        for step in 1..=count {
            pipeline.step(&mut world).map_err(|error| error.to_string())?;
            if step == count / 4 || step == count {
                course.state.extend(motion(&world, &speeds));
            }
        }
        let touching = world.contact_count();
        // bodies that hold on to each other may stay together
        if touching.pairs + touching.walls > 0 && world.range() == 0.0 {
            return Err(format!("{} pairs and {} spheres on the plane do not part", touching.pairs, touching.walls));
        }
        let after = motion(&world, &speeds);
        if let Some(id) = before.chunks(6).zip(after.chunks(6)).position(|(before, after)| before == after) {
            return Err(format!("sphere {id} does not touch"));
        }
        let ledger = world.energy();
        course.work =
            vec![ledger.friction, ledger.viscous, ledger.rolling, ledger.twisting, ledger.stiffness, ledger.released];
        course.work.extend(world.further_works().into_iter().map(|work| ledger.further[work.place()]));
        Ok(course)
    }

    /// Puts the spheres in; returns the speed of approach of each \[m/s\].
    fn place(&self, world: &mut World) -> Vec<f64> {
        let mut scatter = Scatter(7);
        let mut speeds = Vec::new();
        for place in 0..self.count {
            let approach = APPROACH[0] + (APPROACH[1] - APPROACH[0]) * scatter.next_unit();
            // within the first steps
            let gap = 2e-5 * approach * scatter.next_unit();
            let drift = 0.2 * scatter.next_vector();
            let normal = scatter.next_vector().normalize();
            let along = APART * (place as f64 + 1.0);
            let centre = DVec3::new(along, 0.0, 10.0 * APART);
            let other = centre + normal * (RADII[0] + RADII[1] + gap);
            let (slip, axes) = self.directions.draw(normal, &mut scatter);
            let flight = approach * (normal + slip);
            for (k, (position, share)) in [(centre, 0.4), (other, -0.6)].into_iter().enumerate() {
                let mut sphere = worlds::sphere(position, RADII[k]);
                sphere.velocity = flight * share + drift;
                sphere.angular_velocity = axes[k] * (approach / RADII[k]);
                world.insert(sphere);
            }
            let (slip, axes) = self.directions.draw(DVec3::Z, &mut scatter);
            let mut sphere = worlds::sphere(DVec3::new(along, 0.0, RADII[1] + gap), RADII[1]);
            sphere.velocity = approach * (slip - DVec3::Z);
            sphere.angular_velocity = axes[0] * (approach / RADII[1]);
            world.insert(sphere);
            speeds.extend([approach; 3]);
        }
        speeds
    }
}

impl Directions {
    /// Slip velocity of the centres, and spins of both bodies as velocities of their surfaces, all in proportion to the approach.
    fn draw(self, normal: DVec3, scatter: &mut Scatter) -> (DVec3, [DVec3; 2]) {
        match self {
            Self::Space => {
                let slip = SLIP * scatter.next_vector().reject_from(normal);
                (slip, [0, 1].map(|_| SLIP * scatter.next_vector()))
            }
            Self::Line { across } => {
                let line = scatter.next_vector().reject_from(normal).normalize();
                let aside = normal.cross(line);
                let mut size = || SLIP * (2.0 * scatter.next_unit() - 1.0);
                let slip = size();
                (slip * (line + across * aside), [0, 1].map(|_| size() * aside))
            }
        }
    }
}

/// Effective radius and mass of a pair and of the sphere on the plane.
fn effective(world: &World) -> [[f64; 2]; 2] {
    let mass = &world.particles.mass;
    let harmonic = |a: f64, b: f64| a * b / (a + b);
    [[harmonic(RADII[0], RADII[1]), harmonic(mass[0], mass[1])], [RADII[1], mass[2]]]
}

/// Velocities and speeds of the surface by the spin, in proportion to the approach, in order of ids.
fn motion(world: &World, speeds: &[f64]) -> Vec<f64> {
    let p = &world.particles;
    let of = |(slot, speed): (u32, &f64)| {
        let slot = slot as usize;
        let (v, w) = (p.velocity[slot] / *speed, p.angular_velocity[slot] * (p.radius[slot] / speed));
        [v.x, v.y, v.z, w.x, w.y, w.z]
    };
    p.slots_by_id().into_iter().zip(speeds).flat_map(of).collect()
}
