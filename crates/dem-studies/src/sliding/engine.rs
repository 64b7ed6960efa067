//! The experiments with the engine: a sphere on a guide over a fixed one, and a sphere on a ring under constant forces.

use std::collections::BTreeMap;

use dem_core::particles::{ExternalLoad, NewParticle, frozen};
use dem_core::{DQuat, DVec3};
use dem_reference::finite_sliding::Path;
use dem_reference::hysteretic_sliding::{Form, Instant, Reading};
use dem_report::ReportError;
use dem_sim::builder::{self, parse_scene};
use dem_sim::fields::Fields;
use dem_sim::forces::ForceEvaluation;
use dem_sim::guides::{Drive, Follower, Guide, Path as GuidePath};
use dem_sim::integrators;
use dem_sim::pipeline::{Limits, Pipeline};
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::world::World;

use super::path_friction::{PathFriction, Place};
use super::setup::Setup;
use crate::error::StudyError;

/// Name of the guide.
const GUIDE: &str = "path";
/// Instants of a recorded motion at most.
const MOST_INSTANTS: usize = 1500;

/// A motion by the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// What was recorded of it.
    pub instants: Vec<Instant>,
    /// Time and velocity at parting, if it came to that.
    pub parting: Option<[f64; 2]>,
    /// Largest drift of the energy ledger \[J\].
    pub drift: f64,
}

/// When a motion is not followed any more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// At this time \[s\].
    pub time: f64,
    /// When the velocity is not positive any more.
    pub turns: bool,
}

impl Setup {
    fn scene(&self) -> String {
        let effective_modulus = 0.75 / 0.5f64.sqrt();
        let young_modulus = 2.0 * (1.0 - self.poisson_ratio * self.poisson_ratio) * effective_modulus;
        let (form, length_factor) = match self.form {
            Form::Incremental => ("incremental", 1.0),
            Form::NonIncremental => ("non-incremental", 1.0),
            // a transition without length
            Form::Coulomb => ("incremental", 1e-9),
        };
        format!(
            "{}\n[contact]\nlaw = \"balevicius\"\nfriction = {}\nrestitution = 1\nhysteresis_power = {}\n\
             hysteresis_branch = \"{form}\"\nhysteresis_length_factor = {length_factor}\n",
            preamble(young_modulus, self.poisson_ratio),
            match self.reading {
                Reading::Contact => self.friction,
                Reading::Path => 0.0,
            },
            self.power,
        )
    }

    fn guide_path(&self) -> GuidePath {
        let height = 2.0 - self.overlap;
        match self.path {
            Path::Line => GuidePath::Line { point: height * DVec3::Z, direction: DVec3::X },
            Path::Circle(eccentricity) => {
                let radius = height / (1.0 - eccentricity);
                GuidePath::Circle { centre: -eccentricity * radius * DVec3::Z, normal: DVec3::Y, radius }
            }
        }
    }

    /// Slides from touch with a velocity \[m/s\]; at each of `impulses` \[s\], ascending, the velocity is reversed at once.
    pub fn slide(&self, velocity: f64, time_step: f64, until: Until, impulses: &[f64]) -> Result<Motion, StudyError> {
        let Simulation { mut world, .. } = empty(&self.scene())?;
        world.time_step = time_step;
        let path = self.guide_path();
        let start = path.onward((2.0 - self.overlap) * DVec3::Z, -self.end);
        let all = frozen::TRANSLATION.iter().chain(&frozen::ROTATION).fold(0, |all, bit| all | bit);
        let turns = frozen::ROTATION.iter().fold(0, |all, bit| all | bit);
        world.insert(sphere(DVec3::ZERO, DVec3::ZERO, all));
        world.insert(sphere(start.point, velocity * start.tangent, turns));
        let mut guide = Guide::new(GUIDE, path, Drive::Free);
        guide.attach(&mut world.particles, 1, velocity, 0.0);
        world.guides.push(guide);

        let mut on_path = (self.reading == Reading::Path).then(|| PathFriction::new(self, path));
        if on_path.is_some() {
            world.particles.external.resize(world.particles.len(), ExternalLoad::default());
        }
        let mut pipeline = stepper(&self.integrator)?;
        pipeline.initialise(&mut world).map_err(SimulationError::from)?;
        let every = ((until.time / time_step) as usize / MOST_INSTANTS).max(1) as u64;
        let balance = world.energy().balance();
        let mut motion = Motion { instants: vec![self.instant(&world)], parting: None, drift: 0.0 };
        let mut impulses = impulses.iter().copied().peekable();
        let mut was_driven = false;
        while world.time < until.time {
            let before = follower(&world);
            if let (Some(friction), Some(now)) = (&mut on_path, before) {
                let slot = slot_of(&world, now.particle);
                let p = &mut world.particles;
                let acceleration = p.force[slot].dot(path.nearest(p.position[slot]).tangent) / p.mass[slot];
                let place = Place { coordinate: now.coordinate - self.end, velocity: now.velocity, acceleration };
                p.external[slot].force = friction.force(place, world.time_step, std::mem::take(&mut was_driven));
            }
            pipeline.step(&mut world).map_err(SimulationError::from)?;
            let Some(now) = follower(&world) else { break };
            if world.step.is_multiple_of(every) {
                motion.instants.push(self.instant(&world));
                motion.drift = motion.drift.max((world.energy().balance() - balance).abs());
            }
            let beyond = now.coordinate - 2.0 * self.end;
            if beyond >= 0.0 && before.is_some_and(|before| before.coordinate < 2.0 * self.end) {
                motion.parting = Some([world.time - beyond / now.velocity, now.velocity]);
                motion.instants.push(self.instant(&world));
                break;
            }
            if now.coordinate < 0.0 || until.turns && now.velocity <= 0.0 {
                break;
            }
            if impulses.next_if(|&at| world.time >= at).is_some() {
                motion.instants.push(self.instant(&world));
                world.drive_guide(GUIDE, -now.velocity, None);
                was_driven = true;
                motion.instants.push(self.instant(&world));
            }
        }
        Ok(motion)
    }

    fn instant(&self, world: &World) -> Instant {
        let Some(follower) = follower(world) else {
            return Instant {
                time: world.time,
                position: f64::NAN,
                velocity: f64::NAN,
                along: f64::NAN,
                across: f64::NAN,
            };
        };
        let slot = slot_of(world, follower.particle);
        let frame = self.guide_path().nearest(world.particles.position[slot]);
        let outwards = frame.tangent.cross(DVec3::Y);
        // the guide's force turns the velocity and balances the contact's across the path
        let turning = world.particles.mass[slot] * follower.velocity * follower.velocity * frame.curvature;
        Instant {
            time: world.time,
            position: follower.coordinate - self.end,
            velocity: world.particles.velocity[slot].dot(frame.tangent),
            along: world.particles.force[slot].dot(frame.tangent),
            across: (turning - follower.reaction).dot(outwards),
        }
    }
}

/// A rigid sphere of radius 1 m and 1 kg that constant forces drive over an equal one, as a one-sided ring of radius 2 m with friction.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenRing {
    /// Coefficient of friction.
    pub friction: f64,
    /// Load downwards \[N\].
    pub load: f64,
    /// Drive sideways \[N\].
    pub drive: f64,
    /// Angle from the top at which it starts from rest, negative \[rad\].
    pub start: f64,
    /// Integrator.
    pub integrator: String,
}

/// A motion on a ring by the engine: time, angle and velocity at which it was let go.
#[derive(Clone, Debug, PartialEq)]
pub struct RingMotion {
    /// Time \[s\], way along the ring from its top \[m\], velocity \[m/s\], force of the ring \[N\].
    pub instants: Vec<[f64; 4]>,
    /// Time \[s\], angle \[rad\], velocity \[m/s\] at which the force of the ring vanished.
    pub parting: Option<[f64; 3]>,
}

impl DrivenRing {
    /// Slides from rest until it parts or `end` \[s\].
    pub fn slide(&self, time_step: f64, end: f64) -> Result<RingMotion, StudyError> {
        let contact = "[contact]\nlaw = \"hertz-mindlin\"\nfriction = 0\nrestitution = 1\n";
        let Simulation { mut world, .. } = empty(&format!("{}\n{contact}", preamble(1.0, 0.3)))?;
        world.time_step = time_step;
        // constant forces on one particle are a gravity
        world.fields = Fields { gravity: DVec3::new(self.drive, 0.0, -self.load), ..Fields::default() };
        let path = GuidePath::Circle { centre: DVec3::ZERO, normal: DVec3::Y, radius: 2.0 };
        let turns = frozen::ROTATION.iter().fold(0, |all, bit| all | bit);
        world.insert(sphere(path.onward(2.0 * DVec3::Z, 2.0 * self.start).point, DVec3::ZERO, turns));
        let mut guide = Guide::new(GUIDE, path, Drive::Free);
        (guide.friction, guide.one_sided) = (self.friction, true);
        guide.attach(&mut world.particles, 0, 0.0, 0.0);
        world.guides.push(guide);

        let mut pipeline = stepper(&self.integrator)?;
        pipeline.initialise(&mut world).map_err(SimulationError::from)?;
        let every = ((end / time_step) as usize / MOST_INSTANTS).max(1) as u64;
        let mut motion = RingMotion { instants: Vec::new(), parting: None };
        let mut last: Option<(f64, Follower, f64)> = None;
        while world.time < end {
            let Some(now) = follower(&world) else { break };
            let outwards = path.nearest(world.particles.position[0]).curvature * -2.0;
            let load = now.reaction.dot(outwards);
            if now.released {
                if let Some((time, before, load_before)) = last {
                    // the load falls in a straight line to nothing within the step
                    let after = self.static_load(&now) - now.velocity * now.velocity / 2.0;
                    let share = load_before / (load_before - after);
                    let between = |a: f64, b: f64| a + share * (b - a);
                    let angle = self.start + between(before.coordinate, now.coordinate) / 2.0;
                    motion.parting = Some([between(time, world.time), angle, between(before.velocity, now.velocity)]);
                }
                break;
            }
            if world.step.is_multiple_of(every) {
                motion.instants.push([world.time, 2.0 * self.start + now.coordinate, now.velocity, load]);
            }
            last = Some((world.time, now, load));
            pipeline.step(&mut world).map_err(SimulationError::from)?;
        }
        Ok(motion)
    }

    fn static_load(&self, follower: &Follower) -> f64 {
        let angle = self.start + follower.coordinate / 2.0;
        self.load * angle.cos() - self.drive * angle.sin()
    }
}

/// Time and material of a scene; the step is set afterwards.
fn preamble(young_modulus: f64, poisson_ratio: f64) -> String {
    let density = 0.75 / std::f64::consts::PI;
    format!(
        "[time]\nstep = 1\nend = 1e9\n[fields]\ngravity = [0, 0, 0]\n\
         [materials.sphere]\ndensity = {density}\nyoung_modulus = {young_modulus}\npoisson_ratio = {poisson_ratio}"
    )
}

fn empty(scene: &str) -> Result<Simulation, StudyError> {
    // the spheres are put in place one by one, to the last bit
    Ok(builder::build_empty(&parse_scene("sliding", scene, &[])?)?)
}

fn sphere(position: DVec3, velocity: DVec3, frozen: u8) -> NewParticle {
    NewParticle {
        position,
        velocity,
        angular_velocity: DVec3::ZERO,
        orientation: DQuat::IDENTITY,
        radius: 1.0,
        density: 0.75 / std::f64::consts::PI,
        material: 0,
        group: 1,
        frozen,
    }
}

/// Slot of a particle that is there.
fn slot_of(world: &World, particle: u64) -> usize {
    world.particles.id.iter().position(|&id| id == particle).unwrap_or(0)
}

fn follower(world: &World) -> Option<Follower> {
    world.guides.find(GUIDE)?.followers.first().copied()
}

/// A pipeline with an integrator of the registry and its default options.
fn stepper(integrator: &str) -> Result<Pipeline, StudyError> {
    let refused = || {
        StudyError::from(ReportError::Option {
            option: "--integrator",
            value: integrator.to_owned(),
            allowed: integrators::INTEGRATORS.iter().map(|entry| entry.key).collect::<Vec<_>>().join(", "),
        })
    };
    let entry = integrators::find(integrator).ok_or_else(refused)?;
    let scheme = entry.build(BTreeMap::new()).map_err(|_| refused())?;
    let mut pipeline = Pipeline::new(scheme, ForceEvaluation::default());
    // overlaps are as large as those of the source
    pipeline.limits = Limits { overlap_ratio: 1.0, ..Limits::default() };
    Ok(pipeline)
}
