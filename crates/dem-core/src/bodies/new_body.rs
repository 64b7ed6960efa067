//! Bodies among the particles: how they come, where their members are put, and the order of slots that they need.

use glam::{DQuat, DVec3};

use super::body::{Body, NO_BODY};
use super::in_lanes::BodiesInLanes;
use super::placing::{MemberColumns, MembersInLanes};
use super::table::Bodies;
use crate::cell::Cell;
use crate::frozen;
use crate::particles::{Particle, Particles, sphere_volume};
use crate::twist::Twist;

/// What the creator of a rigid body decides; the rest follows.
#[derive(Clone, Copy, Debug)]
pub struct NewBody {
    /// Index of the template.
    pub template: u32,
    /// Size in proportion to the template \[-\].
    pub scale: f64,
    /// Centre of mass \[m\].
    pub position: DVec3,
    /// Orientation of the principal frame in space.
    pub orientation: DQuat,
    /// Velocity of the centre \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity in the space frame \[rad/s\].
    pub angular_velocity: DVec3,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Index of the material of all members, in place of those of the template.
    pub material: Option<u16>,
    /// Groups as a bit mask.
    pub group: u32,
    /// Suppressed degrees of freedom, see [`frozen`].
    pub frozen: u8,
}

impl Particles {
    /// Adds a body with its members, which get the next ids, and returns its id. Members are to be [placed](Self::place_members) before they are read.
    pub fn push_body(&mut self, new: NewBody) -> u32 {
        debug_assert!(self.ghosts() == 0, "a body of one's own behind ghosts");
        let templates = self.bodies.templates.clone();
        let template = &templates[new.template as usize];
        let cube = new.scale * new.scale * new.scale;
        let mass = new.density * template.volume * cube;
        let mut body = Body {
            position: new.position,
            velocity: new.velocity,
            moments: template.moments * (new.density * cube * new.scale * new.scale),
            orientation: new.orientation.to_array(),
            mass,
            scale: new.scale,
            equivalent_radius: template.equivalent_radius() * new.scale,
            id: self.bodies.next_id,
            template: new.template,
            first: self.len() as u32,
            count: template.members.len() as u32,
            frozen: new.frozen.into(),
            ..bytemuck::Zeroable::zeroed()
        };
        body.angular_momentum = body.angular_momentum_of(new.angular_velocity);
        let released = body.released(Twist::new(body.velocity, body.angular_momentum));
        (body.velocity, body.angular_momentum) = (released.linear, released.angular);
        self.bodies.next_id += 1;
        for member in &template.members {
            let id = self.next_id;
            self.next_id += 1;
            self.push_record(Particle {
                id,
                position: new.position,
                image: [0; 3],
                previous_position: new.position,
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                rotation_increment: DVec3::ZERO,
                orientation: new.orientation,
                force: DVec3::ZERO,
                torque: DVec3::ZERO,
                radius: member.radius * new.scale,
                mass: mass * member.share,
                inverse_mass: body.inverse_mass(),
                field_dissipation: 0.0,
                material: new.material.unwrap_or(member.material),
                frozen: new.frozen,
                group: new.group,
                body: body.id,
            });
        }
        self.bodies.push(body);
        body.id
    }

    /// Places the members of the body at an index of the table, and gives them its velocities, as at the start of a step.
    pub fn place_members(&mut self, at: usize, cell: &Cell) {
        let first_member = self.bodies.member_in(self.bodies.all[at].first as usize);
        let Bodies { all, templates, arm, mobility, .. } = &mut self.bodies;
        let body = &mut all[at..=at];
        let (first, count) = (body[0].first as usize, body[0].count as usize);
        let (slots, of_all) = (first..first + count, first_member..first_member + count);
        let mut columns = MemberColumns {
            position: &mut self.position[slots.clone()],
            previous_position: &mut self.previous_position[slots.clone()],
            image: &mut self.image[slots.clone()],
            velocity: &mut self.velocity[slots.clone()],
            angular_velocity: &mut self.angular_velocity[slots.clone()],
            orientation: &mut self.orientation[slots.clone()],
            rotation_increment: &mut self.rotation_increment[slots],
            arm: &mut arm[of_all.clone()],
            mobility: &mut mobility[of_all],
        };
        let members = MembersInLanes::of::<f64>(body, templates);
        let mut state = BodiesInLanes::<f64>::load(body);
        columns.place(&state, body, &members, cell);
        columns.begin(&mut state, body, cell);
        columns.set_velocities(&state, &members, cell);
        columns.rotation_increment.fill(DVec3::ZERO);
        state.store(body);
    }

    /// Notes whether something gives the body at an index of the table its translation and its rotation. Contacts see what its members show once they are
    /// [placed](Self::place_members).
    pub fn give_motion(&mut self, at: usize, translation: bool, rotation: bool) {
        let body = &mut self.bodies.all[at];
        for (bit, is_given) in [(frozen::GIVEN_TRANSLATION, translation), (frozen::GIVEN_ROTATION, rotation)] {
            body.frozen = if is_given { body.frozen | bit } else { body.frozen & !bit };
        }
        let (slots, inverse) = (body.first as usize..(body.first + body.count) as usize, body.inverse_mass());
        self.inverse_mass[slots].fill(inverse);
    }

    /// The order of slots that bodies need: spheres by themselves, then members, then members among ghosts, then all other ghosts, each as they follow one
    /// another in `order`; the members of a body are where its first one is, in the order of their ids.
    pub fn order_of_bodies(&self, order: &[u32]) -> Vec<u32> {
        let owned = self.owned();
        let Bodies { all, ghosts, next_id, .. } = &self.bodies;
        let mut index = vec![u32::MAX; *next_id as usize];
        for (at, body) in all.iter().chain(ghosts).enumerate() {
            index[body.id as usize] = at as u32;
        }
        let mut sorted = Vec::with_capacity(order.len());
        // what stands between others is put behind those that must come first
        let [mut own_members, mut ghost_members, mut other_ghosts] = [const { Vec::new() }; 3];
        for &slot in order {
            let (is_ghost, body) = (slot as usize >= owned, self.body[slot as usize]);
            if body == NO_BODY {
                let list = if is_ghost { &mut other_ghosts } else { &mut sorted };
                list.push(slot);
                continue;
            }
            let at = std::mem::replace(&mut index[body as usize], u32::MAX);
            if at != u32::MAX {
                let list = if is_ghost { &mut ghost_members } else { &mut own_members };
                let Body { first, count, .. } = *self.bodies.at(at as usize);
                list.extend(first..first + count);
            }
        }
        for list in [own_members, ghost_members, other_ghosts] {
            sorted.extend(list);
        }
        sorted
    }

    /// Puts particles into the [order that bodies need](Self::order_of_bodies), unless they are in it.
    pub fn put_in_order(&mut self) {
        if self.bodies.are_out_of_order() {
            let order: Vec<u32> = (0..self.len() as u32).collect();
            self.rearrange(&self.order_of_bodies(&order));
        }
    }

    /// Volume of the sphere in a slot, of a member its share of that of the body \[m³\].
    pub fn solid_volume(&self, slot: usize) -> f64 {
        match self.body_of(slot) {
            None => sphere_volume(self.radius[slot]),
            Some(body) => self.bodies.volume_of(body) * (self.mass[slot] / body.mass),
        }
    }

    /// The body that the sphere in a slot belongs to, if it is a member of one. Of one of [ghosts](Bodies::ghosts) only what never changes can be read.
    pub fn body_of(&self, slot: usize) -> Option<&Body> {
        let is_member = self.body[slot] != NO_BODY;
        is_member.then(|| self.bodies.at(self.bodies.body_of[self.bodies.member_in(slot)] as usize))
    }

    /// From the centre of the body of a member to that of the sphere in its slot \[m\]; zero for spheres by themselves.
    pub fn arm(&self, slot: usize) -> DVec3 {
        match self.body_of(slot) {
            None => DVec3::ZERO,
            Some(_) => self.bodies.arm[self.bodies.member_in(slot)],
        }
    }

    /// The slot that stands for all that moves with the sphere in a slot: its own, of a member that of the first one of the body.
    pub fn grain(&self, slot: usize) -> usize {
        self.body_of(slot).map_or(slot, |body| body.first as usize)
    }

    /// Inverse of the mass that a force meets which acts on the surface of the sphere in a slot along a unit vector that points out of it \[1/kg\].
    pub fn inverse_mass_at(&self, slot: usize, direction: DVec3) -> f64 {
        match self.body_of(slot) {
            None => self.inverse_mass[slot],
            Some(body) => {
                let member = self.bodies.member_in(slot);
                let [xx, yy, zz, yz, zx, xy, ..] = self.bodies.mobility[member];
                let DVec3 { x, y, z } = direction;
                // what the lever along the direction adds to the arm has no moment
                let turning = xx * x * x + yy * y * y + zz * z * z + 2.0 * (yz * y * z + zx * z * x + xy * x * y);
                body.inverse_mass() + turning
            }
        }
    }
}
