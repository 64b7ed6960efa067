//! All bodies, in the order of the slots of their members.
//!
//! Slots hold first the spheres that are moved by themselves, then the members, those of a body side by side in the order of their ids, then
//! ghosts: those that are members of bodies before those that are not, so that all members lie side by side. What is inserted later may break
//! this order; it is restored before anything is moved.
//!
//! A body that is moved elsewhere, and is needed here because its members may be touched, stands in a list of its own: whoever goes through
//! [`all`](Bodies::all) meets what is moved here only.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::body::{Body, NO_BODY};
use super::in_lanes::BodiesInLanes;
use super::template::Template;

/// The bodies and what they are made of.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Bodies that are moved here, by the slots of their members.
    pub all: Vec<Body>,
    /// Bodies whose members are ghosts, likewise. They come as a whole. What moves of them is kept up to date in their members only, with arms and
    /// mobilities; what never changes, such as mass and size, can be read here.
    pub ghosts: Vec<Body>,
    /// Kinds of bodies.
    pub templates: Arc<Vec<Template>>,
    /// The id that the next body gets.
    pub next_id: u32,
    /// From the centres of bodies to those of their members, one per member \[m\].
    pub arm: Vec<DVec3>,
    /// How a force at the centre of a member moves it by turning the body, one per member: components xx, yy, zz, yz, zx and xy of the tensor that
    /// makes the velocity gained of the impulse, less the part of the centre of mass, and two zeros \[1/kg\]. Contacts read it: along a normal it
    /// is `(ρ × n)·I⁻¹(ρ × n)` with the arm ρ.
    pub mobility: Vec<[f64; 8]>,
    /// Index of the body of every member: of ghosts it goes on behind all others.
    pub body_of: Vec<u32>,
    ghost_members: usize,
    /// Whether slots are in another order than they are to be.
    out_of_order: bool,
}

impl Bodies {
    /// The table of bodies that were saved, in whatever order; `body` names the body of every slot of one's own. What follows from the state of
    /// bodies and the order of slots is made anew, with the bits that it had.
    ///
    /// # Errors
    /// A message about bodies and members that do not belong together.
    pub fn restored(
        saved: Vec<Body>,
        templates: Arc<Vec<Template>>,
        next_id: u32,
        body: &[u32],
    ) -> Result<Self, String> {
        let mut unplaced = BTreeMap::new();
        for body in saved {
            let id = body.id;
            if id >= next_id || unplaced.insert(id, body).is_some() {
                return Err(format!("body {id} is there twice, or its id has not been given yet"));
            }
        }
        let mut table = Self { templates: templates.clone(), next_id, ..Self::default() };
        let mut slot = 0;
        while slot < body.len() {
            let id = body[slot];
            if id == NO_BODY {
                table.disturb();
                slot += 1;
                continue;
            }
            let Some(mut of_members) = unplaced.remove(&id) else {
                return Err(format!("body {id} is not there, or its members are not side by side"));
            };
            let Some(template) = templates.get(of_members.template as usize) else {
                return Err(format!("body {id} is of template number {} of {}", of_members.template, templates.len()));
            };
            let count = body[slot..].iter().take_while(|&&other| other == id).count();
            if count != template.members.len() {
                let (expected, name) = (template.members.len(), &template.name);
                return Err(format!("body {id} has {count} members, its template {name} has {expected}"));
            }
            (of_members.first, of_members.count) = (slot as u32, count as u32);
            let first_member = table.members();
            table.push(of_members);
            let state = BodiesInLanes::<f64>::load(std::slice::from_ref(&of_members));
            for (member, at) in template.members.iter().zip(first_member..) {
                let (arm, mobility) = state.member_at(member.position.into());
                (table.arm[at], table.mobility[at]) = (arm.into(), mobility);
            }
            slot += count;
        }
        match unplaced.keys().next() {
            Some(id) => Err(format!("body {id} has no members")),
            None => Ok(table),
        }
    }

    /// Whether none is moved here.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Number of bodies that are moved here.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Number of their members.
    #[inline(always)]
    pub fn members(&self) -> usize {
        self.body_of.len() - self.ghost_members
    }

    /// Whether there are members of bodies, ghosts among them.
    #[inline(always)]
    pub fn have_members(&self) -> bool {
        !self.body_of.is_empty()
    }

    /// Whether a run may have bodies, wherever they are: what every part of an assembly answers alike.
    #[inline(always)]
    pub fn may_come(&self) -> bool {
        !self.templates.is_empty()
    }

    /// Whether slots have to be rearranged, by [`Particles::order_of_bodies`](crate::particles::Particles::order_of_bodies), before anything moves.
    pub fn are_out_of_order(&self) -> bool {
        self.out_of_order
    }

    /// A sphere has come behind members.
    pub(crate) fn disturb(&mut self) {
        self.out_of_order |= !self.is_empty();
    }

    /// Bodies in ascending order of ids: the order of files.
    pub fn by_id(&self) -> Vec<&Body> {
        let mut bodies: Vec<&Body> = self.all.iter().collect();
        bodies.sort_unstable_by_key(|body| body.id);
        bodies
    }

    /// Template of a body.
    pub fn template(&self, body: &Body) -> &Template {
        &self.templates[body.template as usize]
    }

    /// Volume of a body that has mass \[m³\].
    pub fn volume_of(&self, body: &Body) -> f64 {
        self.template(body).volume * body.scale * body.scale * body.scale
    }

    /// Slot of the first member of all; any if there are none.
    pub fn first_member(&self) -> usize {
        self.all.first().or(self.ghosts.first()).map_or(0, |body| body.first as usize)
    }

    /// The body at an index, of which those of ghosts go on behind all others.
    #[inline(always)]
    pub fn at(&self, index: usize) -> &Body {
        self.all.get(index).unwrap_or_else(|| &self.ghosts[index - self.all.len()])
    }

    /// The body that the member in a slot belongs to, given the slot of the first member of all.
    #[inline(always)]
    pub fn of_slot(&self, slot: usize, first: usize) -> &Body {
        self.at(self.body_of[slot - first] as usize)
    }

    /// Number among all members of the one in a slot, whatever order slots are in.
    pub fn member_in(&self, slot: usize) -> usize {
        if !self.out_of_order {
            return slot - self.first_member();
        }
        // bodies are in the order of their slots; only what stands between them is not
        let is_ghost = self.ghosts.first().is_some_and(|body| body.first as usize <= slot);
        let (before, bodies) = if is_ghost { (self.all.len(), &self.ghosts) } else { (0, &self.all) };
        let at = before + bodies.partition_point(|body| body.first as usize <= slot).saturating_sub(1);
        let first = self.body_of.partition_point(|&body| (body as usize) < at);
        first + slot - self.at(at).first as usize
    }

    /// Adds a body whose members follow those of all others.
    pub(crate) fn push(&mut self, body: Body) {
        debug_assert!(self.ghosts.is_empty(), "a body of one's own behind ghosts");
        self.body_of.extend(std::iter::repeat_n(self.all.len() as u32, body.count as usize));
        self.arm.resize(self.body_of.len(), DVec3::ZERO);
        self.mobility.resize(self.body_of.len(), [0.0; 8]);
        self.all.push(body);
    }

    /// Makes bodies whose members stand in the slots from `owned` on those of ghosts, and the others none.
    pub(crate) fn set_owned(&mut self, owned: usize) {
        self.all.append(&mut self.ghosts);
        let at = self.all.partition_point(|body| (body.first as usize) < owned);
        self.ghosts = self.all.split_off(at);
        self.ghost_members = self.ghosts.iter().map(|body| body.count as usize).sum();
    }

    /// Finds the members again: `body` names the body of every slot, of which those from `owned` on hold ghosts. Bodies without members are gone.
    pub(crate) fn locate(&mut self, body: &[u32], owned: usize) {
        if !self.have_members() {
            return;
        }
        let before: Vec<Body> = self.all.drain(..).chain(self.ghosts.drain(..)).collect();
        let mut old = vec![u32::MAX; self.next_id as usize];
        for (at, body) in before.iter().enumerate() {
            old[body.id as usize] = at as u32;
        }
        // arms go with their members, wherever these were
        let (arm, mobility) = (std::mem::take(&mut self.arm), std::mem::take(&mut self.mobility));
        let first_member: Vec<u32> =
            before.iter().scan(0, |next, body| Some(std::mem::replace(next, *next + body.count))).collect();
        self.body_of.clear();
        self.out_of_order = false;
        let mut slot = 0;
        // spheres by themselves come before the members of one's own, and behind those of ghosts
        let mut is_behind = false;
        while slot < body.len() {
            let is_ghost = slot >= owned;
            if body[slot] == NO_BODY {
                self.out_of_order |= !is_ghost && !self.all.is_empty();
                is_behind |= is_ghost;
                slot += 1;
                continue;
            }
            self.out_of_order |= is_behind;
            let from = old[body[slot] as usize] as usize;
            let count = body[slot..].iter().take_while(|&&id| id == body[slot]).count();
            debug_assert_eq!(count, before[from].count as usize, "a body comes and goes as a whole");
            self.body_of.extend(std::iter::repeat_n((self.all.len() + self.ghosts.len()) as u32, count));
            let members = first_member[from] as usize..first_member[from] as usize + count;
            self.arm.extend_from_slice(&arm[members.clone()]);
            self.mobility.extend_from_slice(&mobility[members]);
            let list = if is_ghost { &mut self.ghosts } else { &mut self.all };
            list.push(Body { first: slot as u32, ..before[from] });
            slot += count;
        }
        self.ghost_members = self.ghosts.iter().map(|body| body.count as usize).sum();
    }

    /// The bodies in blocks of up to `most`, with the range of members of each.
    pub fn blocks(&self, most: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + '_ {
        let mut next = 0;
        (0..self.all.len()).step_by(most.max(1)).map(move |start| {
            let bodies = start..(start + most).min(self.all.len());
            let members: usize = self.all[bodies.clone()].iter().map(|body| body.count as usize).sum();
            let range = next..next + members;
            next += members;
            (bodies, range)
        })
    }
}
