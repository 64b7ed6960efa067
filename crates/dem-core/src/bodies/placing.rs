//! Where the members of a body are, and how they move: functions of the state of the body.
//!
//! One piece of code places members whenever their body has moved, been inserted or been read from a file, so that the bits of their places do
//! not depend on how a state was reached.

use glam::{DQuat, DVec3};

use super::body::Body;
use super::template::Template;
use crate::cell::Cell;
use crate::rotation::{compose_rodrigues, rodrigues_between};

/// The columns of the members of one body.
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
    /// Diagonal of the inverse tensor of inertia of the body in space \[1/(kg m²)\].
    pub inverse_diagonal: &'a mut [DVec3],
    /// Its components yz, zx and xy.
    pub inverse_products: &'a mut [DVec3],
}

impl<'a> MemberColumns<'a> {
    /// Takes the columns of the first `count` members off.
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
            inverse_diagonal: cut(&mut self.inverse_diagonal, count),
            inverse_products: cut(&mut self.inverse_products, count),
        }
    }

    /// Begins a step: moves the centre of the body, and every member for itself, into the cell. Where members are becomes where they were.
    #[inline(always)]
    pub fn begin(&mut self, body: &mut Body, cell: &Cell) {
        if cell.is_periodic() {
            let crossed = cell.wrap(&mut body.position);
            add(&mut body.image, crossed);
            for (position, image) in self.position.iter_mut().zip(self.image.iter_mut()) {
                let crossed = cell.wrap(position);
                add(image, crossed);
            }
        }
        body.previous_position = body.position;
        self.previous_position.copy_from_slice(self.position);
    }

    /// Puts the members where the body is: places, arms, orientations. Returns the square of the longest move of any \[m²\].
    #[inline(always)]
    pub fn place(&mut self, body: &Body, template: &Template, cell: &Cell) -> f64 {
        let [diagonal, products] = body.oriented_inverse_inertia();
        self.inverse_diagonal.fill(diagonal);
        self.inverse_products.fill(products);
        let orientation = body.orientation();
        let periodic = cell.is_periodic();
        let mut longest = 0.0f64;
        for (k, member) in template.members.iter().enumerate() {
            let arm = body.arm_of(member);
            let mut position = body.position + arm;
            if periodic {
                // the member may have another image than the centre
                let between: [i32; 3] = std::array::from_fn(|axis| self.image[k][axis] - body.image[axis]);
                if between != [0; 3] {
                    position = cell.unwrap(position, between.map(|n| -n));
                }
            }
            longest = longest.max((position - self.position[k]).length_squared());
            self.position[k] = position;
            self.arm[k] = arm;
            self.orientation[k] = orientation;
        }
        longest
    }

    /// Notes the rotation of the step, from an orientation at its start.
    #[inline(always)]
    pub fn note_rotation(&mut self, body: &mut Body, start: DQuat, cell: &Cell) {
        let mut increment = rodrigues_between(start, body.orientation());
        body.rotation_increment = increment;
        if let Some(motion) = &cell.motion {
            // contacts add the rotation of the cell, which bodies do not take part in
            increment = compose_rodrigues(-motion.rotation, increment);
        }
        self.rotation_increment.fill(increment);
    }

    /// Gives the members the velocities that the body has.
    #[inline(always)]
    pub fn set_velocities(&mut self, body: &Body, cell: &Cell) {
        let spin = body.angular_velocity();
        for ((velocity, angular_velocity), &arm) in
            self.velocity.iter_mut().zip(self.angular_velocity.iter_mut()).zip(self.arm.iter())
        {
            *velocity = body.velocity + spin.cross(arm);
            *angular_velocity = spin;
            if let Some(motion) = &cell.motion {
                // contacts add the velocity of the cell at the member, of which only that at the centre is the body's
                *velocity -= motion.velocity_gradient * arm;
                *angular_velocity -= motion.spin;
            }
        }
    }
}

/// Takes so many entries off the front.
pub fn cut<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, back) = std::mem::take(rest).split_at_mut(count);
    *rest = back;
    front
}

/// Adds cells that were crossed; so many that they no longer count are those of a simulation that has diverged.
fn add(image: &mut [i32; 3], crossed: [i32; 3]) {
    for (total, n) in image.iter_mut().zip(crossed) {
        *total = total.saturating_add(n);
    }
}
