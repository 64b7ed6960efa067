//! Where the members of bodies are, and how they move: functions of the state of the bodies.
//!
//! One piece of code places members whenever their body has moved, been inserted or been read from a file, so that the bits of their places do
//! not depend on how a state was reached, nor on which bodies are moved together.

use bytemuck::cast_slice_mut;
use glam::{DMat3, DQuat, DVec3};

use super::body::Body;
use super::in_lanes::BodiesInLanes;
use super::template::Template;
use crate::cell::Cell;
use crate::lanes::{Lanes, MOST_LANES, Mask, Places, Vector};
use crate::rotation::{Parameterization, RodriguesVector};

/// The columns of the members of some bodies.
pub struct MemberColumns<'a> {
    /// Centres \[m\].
    pub position: &'a mut [DVec3],
    /// Centres at the start of the step \[m\].
    pub previous_position: &'a mut [DVec3],
    /// Periodic cells crossed.
    pub image: &'a mut [[i32; 3]],
    /// Velocities \[m/s\].
    pub velocity: &'a mut [DVec3],
    /// Angular velocities \[rad/s\].
    pub angular_velocity: &'a mut [DVec3],
    /// Orientations.
    pub orientation: &'a mut [DQuat],
    /// Rotations of the step as rescaled Rodrigues vectors.
    pub rotation_increment: &'a mut [DVec3],
    /// From the centre of the body to the centres of the members \[m\].
    pub arm: &'a mut [DVec3],
    /// As in [`Bodies::mobility`](super::table::Bodies::mobility).
    pub mobility: &'a mut [[f64; 8]],
}

/// Which members the bodies in lanes have. Those with fewer than others have their last ones several times.
pub struct MembersInLanes<'a> {
    templates: [&'a Template; MOST_LANES],
    /// First member of each body in the columns.
    first: Places,
    count: [u32; MOST_LANES],
    most: u32,
    /// Members of all of them.
    pub all: usize,
}

impl<'a> MembersInLanes<'a> {
    /// The members of the first bodies, as many as R has lanes, from the start of the columns on.
    #[inline(always)]
    pub fn of<R: Lanes>(bodies: &[Body], templates: &'a [Template]) -> Self {
        let template = &templates[bodies[0].template as usize];
        let mut members =
            Self { templates: [template; MOST_LANES], first: [0; MOST_LANES], count: [1; MOST_LANES], most: 0, all: 0 };
        for (lane, body) in bodies[..R::LANES].iter().enumerate() {
            members.templates[lane] = &templates[body.template as usize];
            members.first[lane] = members.all as u32;
            members.count[lane] = body.count;
            members.most = members.most.max(body.count);
            members.all += body.count as usize;
        }
        members
    }

    /// Number `k` of each body, or its last one.
    #[inline(always)]
    fn number(&self, lane: usize, k: u32) -> u32 {
        k.min(self.count[lane] - 1)
    }

    /// Places in the columns of the members of number `k`.
    #[inline(always)]
    fn places<R: Lanes>(&self, k: u32) -> Places {
        let mut places = self.first;
        for lane in 0..R::LANES {
            places[lane] += self.number(lane, k);
        }
        places
    }

    /// Their centres in the principal frames at scale 1 \[m\].
    #[inline(always)]
    fn positions<R: Lanes>(&self, k: u32) -> Vector<R> {
        let [x, y, z] =
            R::columns(|lane| self.templates[lane].members[self.number(lane, k) as usize].position.as_ref());
        Vector::new(x, y, z)
    }
}

impl<'a> MemberColumns<'a> {
    /// Takes the columns of the first `count` members off.
    #[inline(always)]
    pub fn cut(&mut self, count: usize) -> MemberColumns<'a> {
        MemberColumns {
            position: cut(&mut self.position, count),
            previous_position: cut(&mut self.previous_position, count),
            image: cut(&mut self.image, count),
            velocity: cut(&mut self.velocity, count),
            angular_velocity: cut(&mut self.angular_velocity, count),
            orientation: cut(&mut self.orientation, count),
            rotation_increment: cut(&mut self.rotation_increment, count),
            arm: cut(&mut self.arm, count),
            mobility: cut(&mut self.mobility, count),
        }
    }

    /// Begins a step: moves the centres of the bodies, and every member for itself, into the cell. Where members are becomes where they were.
    #[inline(always)]
    pub fn begin<R: Lanes>(&mut self, state: &mut BodiesInLanes<R>, bodies: &mut [Body], cell: &Cell) {
        if cell.is_periodic() {
            if !cell.stays_in_lanes(state.position).all() {
                let mut position = [DVec3::ZERO; MOST_LANES];
                for (lane, body) in bodies[..R::LANES].iter_mut().enumerate() {
                    position[lane] = state.position.lane(lane);
                    wrap(&mut position[lane], &mut body.image, cell);
                }
                state.position = Vector::from_lanes(|lane| position[lane]);
            }
            for (position, image) in self.position.chunks_mut(R::LANES).zip(self.image.chunks_mut(R::LANES)) {
                let stay = position.len() == R::LANES && cell.stays_in_lanes(R::next_vectors(position, 0)).all();
                if !stay {
                    position.iter_mut().zip(image).for_each(|(position, image)| wrap(position, image, cell));
                }
            }
        }
        state.previous_position = state.position;
        self.previous_position.copy_from_slice(self.position);
    }

    /// Puts the members where the bodies are: places, arms, mobilities, orientations. Returns the squares of the longest moves \[m²\].
    #[inline(always)]
    pub fn place<R: Lanes>(
        &mut self,
        state: &BodiesInLanes<R>,
        bodies: &[Body],
        members: &MembersInLanes,
        cell: &Cell,
    ) -> R {
        let mut longest = R::zero();
        for k in 0..members.most {
            let places = members.places::<R>(k);
            let (arm, mobility) = state.member_at(members.positions(k));
            let mut position = state.position + arm;
            if cell.is_periodic() {
                position = self.image_of(position, bodies, &places, cell);
            }
            let before = R::pick_vectors(self.position[..].into(), &places);
            longest = (position - before).length_squared().maximum(longest);
            R::store_vectors(position, self.position, &places);
            R::store_vectors(arm, self.arm, &places);
            R::store_eights(&mobility, self.mobility, &places);
            R::store_fours(&state.orientation, cast_slice_mut(self.orientation), &places);
        }
        longest
    }

    /// The images that members are in, which the centres of their bodies may not be in.
    #[inline(always)]
    fn image_of<R: Lanes>(&self, position: Vector<R>, bodies: &[Body], places: &Places, cell: &Cell) -> Vector<R> {
        let mut apart = false;
        for lane in 0..R::LANES {
            apart |= self.image[places[lane] as usize] != bodies[lane].image;
        }
        if !apart {
            return position;
        }
        let mut positions = [DVec3::ZERO; MOST_LANES];
        for lane in 0..R::LANES {
            let (own, centre) = (self.image[places[lane] as usize], bodies[lane].image);
            positions[lane] = position.lane(lane);
            if own != centre {
                positions[lane] = cell.unwrap(positions[lane], std::array::from_fn(|axis| centre[axis] - own[axis]));
            }
        }
        Vector::from_lanes(|lane| positions[lane])
    }

    /// Notes the rotations of the step, from orientations at its start.
    #[inline(always)]
    pub fn note_rotation<R: Lanes>(
        &mut self,
        state: &mut BodiesInLanes<R>,
        start: [R; 4],
        members: &MembersInLanes,
        cell: &Cell,
    ) {
        let mut increment = state.rotation_from(start);
        state.rotation_increment = increment;
        if let Some(motion) = &cell.motion {
            // contacts add the rotation of the cell, which bodies do not take part in
            let back = Vector::<R>::splat(-motion.rotation);
            increment = Vector::from_slice(&RodriguesVector::compose([back.x, back.y, back.z], increment));
        }
        for k in 0..members.most {
            R::store_vectors(increment, self.rotation_increment, &members.places::<R>(k));
        }
    }

    /// Gives the members the velocities that the bodies have.
    #[inline(always)]
    pub fn set_velocities<R: Lanes>(&mut self, state: &BodiesInLanes<R>, members: &MembersInLanes, cell: &Cell) {
        let spin = state.angular_velocity();
        for k in 0..members.most {
            let places = members.places::<R>(k);
            let arm = state.to_space(members.positions(k) * state.scale);
            let (mut velocity, mut angular_velocity) = (state.velocity.plus_cross(spin, arm), spin);
            if let Some(motion) = &cell.motion {
                // contacts add the velocity of the cell at the member, of which only that at the centre is the body's
                velocity -= product(&motion.velocity_gradient, arm);
                angular_velocity -= Vector::splat(motion.spin);
            }
            R::store_vectors(velocity, self.velocity, &places);
            R::store_vectors(angular_velocity, self.angular_velocity, &places);
        }
    }
}

#[inline(always)]
fn product<R: Lanes>(matrix: &DMat3, v: Vector<R>) -> Vector<R> {
    let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vector::<R>::splat);
    (a * v.x).plus_scaled(b, v.y).plus_scaled(c, v.z)
}

/// Takes so many entries off the front.
#[inline(always)]
pub fn cut<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, back) = std::mem::take(rest).split_at_mut(count);
    *rest = back;
    front
}

/// Brings a place into the cell; so many crossings that they no longer count are those of a simulation that has diverged.
#[inline(never)]
fn wrap(position: &mut DVec3, image: &mut [i32; 3], cell: &Cell) {
    let crossed = cell.wrap(position);
    for (total, n) in image.iter_mut().zip(crossed) {
        *total = total.saturating_add(n);
    }
}
