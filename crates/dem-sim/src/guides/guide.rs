//! Guides, the particles that follow them, and the forces that hold these.

use dem_core::DVec3;
use dem_core::exact_sum::ExactSum;
use dem_core::particles::Particles;
use serde::{Deserialize, Serialize};

use super::path::{Frame, Path};
use crate::limits::within;

/// What moves a guided particle along the path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Drive {
    /// The forces along the path.
    Free,
    /// Nothing resists this speed \[m/s\].
    Prescribed(f64),
}

/// A particle on a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Follower {
    /// Id of the particle.
    pub particle: u64,
    /// Where it began \[m\].
    pub origin: DVec3,
    /// Path coordinate, zero where it began \[m\].
    pub coordinate: f64,
    /// Velocity along the path \[m/s\].
    pub velocity: f64,
    /// Force of the guide on it at the end of the last step, friction included \[N\].
    pub reaction: DVec3,
    /// Whether a one-sided guide has let go.
    pub released: bool,
    /// Coordinate at time zero by the present prescribed speed \[m\].
    phase: f64,
}

impl Follower {
    /// Whether a follower that comes from a file has numbers that squares of are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let Self { origin, coordinate, velocity, reaction, phase, .. } = *self;
        let numbers = [coordinate, velocity, phase].into_iter().chain(origin.to_array()).chain(reaction.to_array());
        numbers.into_iter().all(within)
    }
}

/// A path and who follows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guide {
    /// Name.
    pub name: String,
    /// The path.
    pub path: Path,
    /// What moves its particles.
    pub drive: Drive,
    /// Coefficient of friction between guide and particle.
    pub friction: f64,
    /// Whether it lets go of particles that it would have to pull.
    pub one_sided: bool,
    /// Its particles.
    pub followers: Vec<Follower>,
}

/// A guided particle as the sums of forces treat it.
#[derive(Clone, Copy, Debug)]
struct Place {
    slot: u32,
    guide: u32,
    follower: u32,
}

/// All guides of a world.
#[derive(Clone, Debug, Default)]
pub struct Guides {
    list: Vec<Guide>,
    /// Particles that are being guided, by slot.
    places: Vec<Place>,
}

/// A particle under a guide.
#[derive(Clone, Copy, Debug)]
pub struct GuidedMotion {
    /// Mass \[kg\].
    pub mass: f64,
    /// Position \[m\].
    pub position: DVec3,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
}

impl Guide {
    /// A guide without particles or friction, two-sided.
    pub fn new(name: &str, path: Path, drive: Drive) -> Self {
        Self { name: name.to_owned(), path, drive, friction: 0.0, one_sided: false, followers: Vec::new() }
    }

    /// Puts a particle on the path, where it is nearest, with a velocity along it \[m/s\]; of no account if the speed is prescribed.
    pub fn attach(&mut self, p: &mut Particles, slot: usize, velocity: f64, time: f64) {
        let frame = self.path.nearest(p.position[slot]);
        let velocity = match self.drive {
            Drive::Free => velocity,
            Drive::Prescribed(speed) => speed,
        };
        p.position[slot] = frame.point;
        p.velocity[slot] = frame.tangent * velocity;
        self.followers.push(Follower {
            particle: p.id[slot],
            origin: frame.point,
            coordinate: 0.0,
            velocity,
            reaction: DVec3::ZERO,
            released: false,
            phase: -velocity * time,
        });
    }

    /// Force of the guide \[N\] on a particle that other forces act on.
    fn reaction(&self, motion: &GuidedMotion, force: DVec3) -> DVec3 {
        let Frame { tangent, curvature, .. } = self.path.nearest(motion.position);
        let velocity = motion.velocity.dot(tangent);
        let turning = motion.mass * velocity * velocity * curvature;
        if let Drive::Prescribed(_) = self.drive {
            return turning - force;
        }
        let along = force.dot(tangent);
        let across = turning - (force - along * tangent);
        let limit = self.friction * across.length();
        let friction = if velocity == 0.0 { along.clamp(-limit, limit) } else { limit.copysign(velocity) };
        across - friction * tangent
    }
}

impl Guides {
    /// The guides.
    pub fn list(&self) -> &[Guide] {
        &self.list
    }

    /// Whether there is no guide.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Guide of a name.
    pub fn find(&self, name: &str) -> Option<&Guide> {
        self.list.iter().find(|guide| guide.name == name)
    }

    /// Adds a guide.
    pub fn push(&mut self, guide: Guide) {
        self.list.push(guide);
    }

    /// Replaces all guides.
    pub fn replace(&mut self, list: Vec<Guide>) {
        self.list = list;
        self.places.clear();
    }

    /// Finds the slots of the guided particles; those that are gone are dropped.
    pub fn locate(&mut self, ids: &[u64]) {
        self.places.clear();
        if self.list.is_empty() {
            return;
        }
        let mut slots: Vec<(u64, u32)> = ids.iter().zip(0..).map(|(&id, slot)| (id, slot)).collect();
        slots.sort_unstable();
        let slot_of = |id: u64| slots.binary_search_by_key(&id, |entry| entry.0).ok().map(|at| slots[at].1);
        for (guide, number) in self.list.iter_mut().zip(0..) {
            guide.followers.retain(|follower| slot_of(follower.particle).is_some());
            for (follower, index) in guide.followers.iter().zip(0..) {
                if let Some(slot) = slot_of(follower.particle).filter(|_| !follower.released) {
                    self.places.push(Place { slot, guide: number, follower: index });
                }
            }
        }
        self.places.sort_unstable_by_key(|place| place.slot);
    }

    /// Whether no particle is being guided.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        self.places.is_empty()
    }

    /// The force \[N\] on the particle in a slot with that of its guide, if it has one.
    #[inline]
    pub fn constrain(&self, slot: usize, force: DVec3, motion: impl FnOnce() -> GuidedMotion) -> DVec3 {
        match self.places.binary_search_by_key(&(slot as u32), |place| place.slot) {
            Ok(at) => force + self.list[self.places[at].guide as usize].reaction(&motion(), force),
            Err(_) => force,
        }
    }

    /// Gives the particles of a guide a new velocity along the path \[m/s\], by an impulse or by the drive; returns the kinetic energy \[J\]
    /// that it took.
    pub fn set_velocity(&mut self, p: &mut Particles, name: &str, velocity: f64, time: f64) -> f64 {
        let Some(number) = self.list.iter().position(|guide| guide.name == name) else { return 0.0 };
        let guide = &mut self.list[number];
        if let Drive::Prescribed(speed) = &mut guide.drive {
            *speed = velocity;
        }
        let mut energy = ExactSum::ZERO;
        for place in self.places.iter().filter(|place| place.guide as usize == number) {
            let (slot, follower) = (place.slot as usize, &mut guide.followers[place.follower as usize]);
            let before = p.velocity[slot].length_squared();
            p.velocity[slot] = guide.path.nearest(p.position[slot]).tangent * velocity;
            follower.velocity = velocity;
            follower.phase = follower.coordinate - velocity * time;
            energy.add(0.5 * p.mass[slot] * (p.velocity[slot].length_squared() - before));
        }
        energy.value()
    }

    /// Puts the guided particles back on their paths at the end of a step, at `time` \[s\], books what the guides did and lets go of
    /// those that would have to be pulled. `others` is the force on a slot from everything but guides \[N\].
    pub fn settle(&mut self, p: &mut Particles, time: f64, others: impl Fn(&Particles, usize) -> DVec3) -> Settled {
        let mut settled = Settled::default();
        let (mut lets_go, mut driven) = (false, ExactSum::ZERO);
        for place in &self.places {
            let (slot, guide) = (place.slot as usize, &mut self.list[place.guide as usize]);
            let mut follower = guide.followers[place.follower as usize];
            let (reached, before) = (p.position[slot], follower);
            let frame = match guide.drive {
                Drive::Prescribed(speed) => {
                    follower.coordinate = follower.phase + speed * time;
                    follower.velocity = speed;
                    guide.path.onward(follower.origin, follower.coordinate)
                }
                Drive::Free => {
                    let frame = guide.path.nearest(reached);
                    let last = guide.path.onward(follower.origin, follower.coordinate).point;
                    follower.coordinate += guide.path.arc(last, frame.point);
                    follower.velocity = p.velocity[slot].dot(frame.tangent);
                    frame
                }
            };
            p.position[slot] = frame.point;
            p.velocity[slot] = frame.tangent * follower.velocity;
            settled.longest = settled.longest.max((frame.point - reached).length());
            let force = others(p, slot);
            let motion = |p: &Particles| GuidedMotion {
                mass: p.mass[slot],
                position: p.position[slot],
                velocity: p.velocity[slot],
            };
            if guide.friction > 0.0 && follower.velocity * before.velocity < 0.0 {
                // friction stops a motion, it does not reverse it
                let at_rest = GuidedMotion { velocity: DVec3::ZERO, ..motion(p) };
                if (force + guide.reaction(&at_rest, force)).dot(frame.tangent) == 0.0 {
                    follower.velocity = 0.0;
                    p.velocity[slot] = DVec3::ZERO;
                }
            }
            follower.reaction = guide.reaction(&motion(p), force);
            if guide.one_sided && follower.reaction.dot(frame.curvature) > 0.0 {
                follower.released = true;
                follower.reaction = DVec3::ZERO;
                lets_go = true;
            }
            p.force[slot] = force + follower.reaction;
            // trapezoidal rule, the one that velocity Verlet's kinetic energy obeys
            let moved = follower.coordinate - before.coordinate;
            let along = |reaction: DVec3, point: DVec3| reaction.dot(guide.path.nearest(point).tangent);
            let start = guide.path.onward(follower.origin, before.coordinate).point;
            let work = 0.5 * (along(before.reaction, start) + along(follower.reaction, frame.point)) * moved;
            match guide.drive {
                Drive::Prescribed(_) => driven.add(work),
                Drive::Free => p.field_dissipation[slot] -= work,
            }
            guide.followers[place.follower as usize] = follower;
        }
        if lets_go {
            let Self { list, places } = self;
            places.retain(|place| !list[place.guide as usize].followers[place.follower as usize].released);
        }
        settled.driven = driven.value();
        settled
    }

    /// Notes the forces of the guides on particles that have not moved yet.
    pub fn note_reactions(&mut self, p: &Particles, others: impl Fn(&Particles, usize) -> DVec3) {
        for place in &self.places {
            let slot = place.slot as usize;
            self.list[place.guide as usize].followers[place.follower as usize].reaction =
                p.force[slot] - others(p, slot);
        }
    }
}

/// What was done to the guided particles at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settled {
    /// The longest distance back to a path \[m\].
    pub longest: f64,
    /// Work of prescribed motions on their particles \[J\].
    pub driven: f64,
}
