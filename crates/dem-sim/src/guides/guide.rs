//! Guides, the particles that follow them, and the forces that hold these.

use std::collections::BTreeSet;
use std::ops::Range;

use dem_core::bodies::body::Body;
use dem_core::exact_sum::ExactSum;
use dem_core::particles::Particles;
use dem_core::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::follower::{Follower, Told, Turn};
use super::led::{GuidedMotion, Led};
use super::path::{Frame, Path};

/// What moves a guided particle along the path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Drive {
    /// The forces along the path.
    Free,
    /// Nothing resists this speed \[m/s\].
    Prescribed(f64),
}

/// Rotation by a spin \[rad/s\] in a time \[s\].
fn rotation(spin: DVec3, time: f64) -> DQuat {
    let speed = spin.length();
    if speed == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sine, cosine) = libm::sincos(0.5 * speed * time);
    let axis = spin * (sine / speed);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine)
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
    /// Angular velocity that they have whatever acts \[rad/s\]; without one they turn freely.
    #[serde(skip)]
    pub spin: Option<DVec3>,
}

/// A guided particle as the sums of forces treat it.
#[derive(Clone, Copy, Debug)]
struct Place {
    slot: u32,
    guide: u32,
    follower: u32,
}

/// All guides of a world. Every part of an assembly knows all of them and all followers; it moves those whose particles it owns.
#[derive(Clone, Debug, Default)]
pub struct Guides {
    list: Vec<Guide>,
    /// Particles of this part that are being guided, by slot.
    places: Vec<Place>,
    /// Whether any particle of any part is being guided, since slots are known.
    leads: bool,
}

impl Guide {
    /// A guide without particles or friction, two-sided, that leaves rotations alone.
    pub fn new(name: &str, path: Path, drive: Drive) -> Self {
        Self { name: name.to_owned(), path, drive, friction: 0.0, one_sided: false, followers: Vec::new(), spin: None }
    }

    /// Puts a particle, or the body of a member, on the path, where it is nearest, with a velocity along it \[m/s\]; of no account if the speed is
    /// prescribed.
    pub fn attach(&mut self, p: &mut Particles, slot: usize, velocity: f64, time: f64) {
        let led = Led::with(p, slot);
        let frame = self.path.nearest(led.motion(p).position);
        let velocity = match self.drive {
            Drive::Free => velocity,
            Drive::Prescribed(speed) => speed,
        };
        if let Led::Body(at) = led {
            p.give_motion(at, matches!(self.drive, Drive::Prescribed(_)), self.spin.is_some());
        }
        let orientation = led.orientation(p);
        led.put(p, frame.point, frame.tangent * velocity, self.spin.map(|spin| (orientation, spin)));
        let attitude = self.spin.map_or(DQuat::IDENTITY, |spin| rotation(spin, -time) * orientation);
        self.followers.push(Follower {
            particle: p.id[slot],
            origin: frame.point,
            coordinate: 0.0,
            velocity,
            reaction: DVec3::ZERO,
            released: false,
            phase: -velocity * time,
            turn: Turn { attitude: attitude.to_array(), ..Turn::default() },
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

    /// Torque of the guide \[N m\] on a particle that another torque acts on.
    fn torque(&self, motion: &GuidedMotion, torque: DVec3) -> DVec3 {
        // that of a body which turns steadily about an axis that is not a principal one keeps its angular momentum turning with it
        self.spin.map_or(DVec3::ZERO, |spin| spin.cross(motion.angular_momentum) - torque)
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
        self.leads = false;
    }

    /// Drops the followers of particles that are gone from all parts of an assembly.
    pub(crate) fn forget(&mut self, ids: &BTreeSet<u64>) {
        for guide in &mut self.list {
            guide.followers.retain(|follower| !ids.contains(&follower.particle));
        }
    }

    /// Finds the slots of the guided particles, given the ids of those that this part owns. If these `are_all`, those that are missing are gone, and are
    /// dropped; parts of an assembly are told of these.
    pub fn locate(&mut self, ids: &[u64], are_all: bool) {
        self.places.clear();
        if self.list.is_empty() {
            return;
        }
        let mut slots: Vec<(u64, u32)> = ids.iter().zip(0..).map(|(&id, slot)| (id, slot)).collect();
        slots.sort_unstable();
        let slot_of = |id: u64| slots.binary_search_by_key(&id, |entry| entry.0).ok().map(|at| slots[at].1);
        for (guide, number) in self.list.iter_mut().zip(0..) {
            if are_all {
                guide.followers.retain(|follower| slot_of(follower.particle).is_some());
            }
            for (follower, index) in guide.followers.iter().zip(0..) {
                if let Some(slot) = slot_of(follower.particle).filter(|_| !follower.released) {
                    self.places.push(Place { slot, guide: number, follower: index });
                }
            }
        }
        self.places.sort_unstable_by_key(|place| place.slot);
        self.leads = self.list.iter().flat_map(|guide| &guide.followers).any(|follower| !follower.released);
    }

    /// Whether no particle is being guided, in no part.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        !self.leads
    }

    /// What this part has to tell of the followers that it moves.
    pub(crate) fn told(&self) -> Vec<u64> {
        let told = |place: &Place| {
            let follower = &self.list[place.guide as usize].followers[place.follower as usize];
            Told::of(place.guide, place.follower, follower).to_words()
        };
        self.places.iter().flat_map(told).collect()
    }

    /// Takes in what all parts have told of the followers that they move, and lets go of those that are released.
    pub(crate) fn hear(&mut self, words: &[u64]) {
        for told in Told::all_of(words) {
            let guide = self.list.get_mut(told.guide as usize);
            if let Some(follower) = guide.and_then(|guide| guide.followers.get_mut(told.follower as usize)) {
                told.put(follower);
            }
        }
        self.let_go();
    }

    /// Guides those no longer that are released.
    fn let_go(&mut self) {
        let Self { list, places, leads } = self;
        places.retain(|place| !list[place.guide as usize].followers[place.follower as usize].released);
        *leads = list.iter().flat_map(|guide| &guide.followers).any(|follower| !follower.released);
    }

    /// Slots of the members of each body that a guide turns.
    pub fn turned_members<'a>(&'a self, p: &'a Particles) -> impl Iterator<Item = Range<usize>> + 'a {
        let turned = self.places.iter().filter(|place| self.list[place.guide as usize].spin.is_some());
        turned.filter_map(|place| p.body_of(place.slot as usize).map(Body::members))
    }

    /// The force \[N\] and the torque \[N m\] on the particle in a slot, or on the body whose first member it is, with those of its guide, if it has one.
    #[inline]
    pub fn constrain(
        &self,
        slot: usize,
        force: DVec3,
        torque: DVec3,
        motion: impl FnOnce() -> GuidedMotion,
    ) -> (DVec3, DVec3) {
        let Ok(at) = self.places.binary_search_by_key(&(slot as u32), |place| place.slot) else {
            return (force, torque);
        };
        let (guide, motion) = (&self.list[self.places[at].guide as usize], motion());
        (force + guide.reaction(&motion, force), torque + guide.torque(&motion, torque))
    }

    /// Gives the particles of a guide a new velocity along the path \[m/s\], by an impulse or by the drive, and those of one that gives a spin a new one
    /// \[rad/s\], if there is one; returns the kinetic energy \[J\] that it took here. Parts of an assembly tell each other of it afterwards, as after [`Self::settle`].
    pub fn set_velocity(
        &mut self,
        p: &mut Particles,
        name: &str,
        velocity: f64,
        spin: Option<DVec3>,
        time: f64,
    ) -> ExactSum {
        let Some(number) = self.list.iter().position(|guide| guide.name == name) else { return ExactSum::ZERO };
        let guide = &mut self.list[number];
        if let Drive::Prescribed(speed) = &mut guide.drive {
            *speed = velocity;
        }
        guide.spin = guide.spin.map(|old| spin.unwrap_or(old));
        let mut energy = ExactSum::ZERO;
        for place in self.places.iter().filter(|place| place.guide as usize == number) {
            let (slot, follower) = (place.slot as usize, &mut guide.followers[place.follower as usize]);
            let led = Led::with(p, slot);
            let before = led.kinetic_energy(p);
            let (position, orientation) = (led.motion(p).position, led.orientation(p));
            let velocity_in_space = guide.path.nearest(position).tangent * velocity;
            led.put(p, position, velocity_in_space, guide.spin.map(|spin| (orientation, spin)));
            follower.velocity = velocity;
            follower.phase = follower.coordinate - velocity * time;
            if let Some(spin) = guide.spin {
                follower.turn.attitude = (rotation(spin, -time) * orientation).to_array();
            }
            energy.add(led.kinetic_energy(p) - before);
        }
        energy
    }

    /// Puts the guided particles back on their paths at the end of a step, at `time` \[s\], books what the guides did and releases
    /// those that would have to be pulled. Parts of an assembly tell each other of it afterwards. `others` is the force \[N\]
    /// and the torque \[N m\] from everything but guides on the particle in a slot, or on the body of a member; the step was of a length \[s\].
    pub fn settle(
        &mut self,
        p: &mut Particles,
        time: f64,
        time_step: f64,
        others: impl Fn(&Particles, usize) -> (DVec3, DVec3),
    ) -> Settled {
        let mut settled = Settled::default();
        for place in &self.places {
            let (slot, guide) = (place.slot as usize, &mut self.list[place.guide as usize]);
            let mut follower = guide.followers[place.follower as usize];
            let led = Led::with(p, slot);
            let (reached, before) = (led.motion(p), follower);
            let frame = match guide.drive {
                Drive::Prescribed(speed) => {
                    follower.coordinate = follower.phase + speed * time;
                    follower.velocity = speed;
                    guide.path.onward(follower.origin, follower.coordinate)
                }
                Drive::Free => {
                    let frame = guide.path.nearest(reached.position);
                    let last = guide.path.onward(follower.origin, follower.coordinate).point;
                    follower.coordinate += guide.path.arc(last, frame.point);
                    follower.velocity = reached.velocity.dot(frame.tangent);
                    frame
                }
            };
            let turned = |follower: &Follower| {
                let attitude = DQuat::from_array(follower.turn.attitude);
                guide.spin.map(|spin| ((rotation(spin, time) * attitude).normalize(), spin))
            };
            let moved_back = led.put(p, frame.point, frame.tangent * follower.velocity, turned(&follower));
            settled.longest = settled.longest.max(moved_back);
            let (force, torque) = others(p, slot);
            if guide.friction > 0.0 && follower.velocity * before.velocity < 0.0 {
                // friction stops a motion, it does not reverse it
                let at_rest = GuidedMotion { velocity: DVec3::ZERO, ..led.motion(p) };
                if (force + guide.reaction(&at_rest, force)).dot(frame.tangent) == 0.0 {
                    follower.velocity = 0.0;
                    led.put(p, frame.point, DVec3::ZERO, turned(&follower));
                }
            }
            let motion = led.motion(p);
            follower.reaction = guide.reaction(&motion, force);
            follower.turn.reaction = guide.torque(&motion, torque);
            if guide.one_sided && follower.reaction.dot(frame.curvature) > 0.0 {
                follower.released = true;
                (follower.reaction, follower.turn.reaction) = (DVec3::ZERO, DVec3::ZERO);
            }
            led.load(p, force + follower.reaction, torque + follower.turn.reaction);
            // trapezoidal rule, the one that velocity Verlet's kinetic energy obeys
            let moved = follower.coordinate - before.coordinate;
            let along = |reaction: DVec3, point: DVec3| reaction.dot(guide.path.nearest(point).tangent);
            let start = guide.path.onward(follower.origin, before.coordinate).point;
            let work = 0.5 * (along(before.reaction, start) + along(follower.reaction, frame.point)) * moved;
            match guide.drive {
                Drive::Prescribed(_) => settled.driven.add(work),
                Drive::Free => *led.field_dissipation(p) -= work,
            }
            if let Some(spin) = guide.spin {
                settled.driven.add(0.5 * (before.turn.reaction + follower.turn.reaction).dot(spin) * time_step);
            }
            guide.followers[place.follower as usize] = follower;
        }
        settled
    }

    /// Notes the forces of the guides on particles that have not moved yet.
    pub fn note_reactions(&mut self, p: &Particles, others: impl Fn(&Particles, usize) -> (DVec3, DVec3)) {
        for place in &self.places {
            let slot = place.slot as usize;
            let follower = &mut self.list[place.guide as usize].followers[place.follower as usize];
            let ((force, torque), (of_others, torque_of_others)) = (Led::with(p, slot).loaded(p), others(p, slot));
            (follower.reaction, follower.turn.reaction) = (force - of_others, torque - torque_of_others);
        }
    }
}

/// What was done to the guided particles of a part at the end of a step.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// The longest distance back to a path \[m\].
    pub longest: f64,
    /// Work of prescribed motions on their particles \[J\].
    pub driven: ExactSum,
}
