//! Rigid bodies in SIMD lanes: what moves them and what places their members, written once for one body and for several.

use super::body::Body;
use super::free_rotation::free_rotation_in_lanes;
use crate::lanes::{Lanes, Vector};
use crate::rotation::{axes_of, rotate_in_lanes};

/// State of some bodies, one per lane.
#[derive(Clone, Copy, Debug)]
pub struct BodiesInLanes<R: Lanes> {
    /// Centres of mass \[m\].
    pub position: Vector<R>,
    /// Centres at the start of the step \[m\].
    pub previous_position: Vector<R>,
    /// Velocities of the centres \[m/s\].
    pub velocity: Vector<R>,
    /// Angular momenta in the space frame \[kg m²/s\].
    pub angular_momentum: Vector<R>,
    /// Rotations of the step as rescaled Rodrigues vectors.
    pub rotation_increment: Vector<R>,
    /// Forces of the last accepted evaluation \[N\].
    pub force: Vector<R>,
    /// Torques of the last accepted evaluation \[N m\].
    pub torque: Vector<R>,
    /// Principal moments of inertia \[kg m²\].
    pub moments: Vector<R>,
    /// Orientations: x, y, z, w.
    pub orientation: [R; 4],
    /// The principal axes in space.
    pub axes: [Vector<R>; 3],
    /// Masses \[kg\].
    pub mass: R,
    /// Sizes in proportion to the templates \[-\].
    pub scale: R,
    /// One for bodies of which any rotation is free, zero for others.
    pub turns: R,
    /// Whether any degree of freedom of any is suppressed.
    pub any_frozen: bool,
}

/// A body as rows of four numbers, of which the last holds none that are moved.
type Fours = [[f64; 4]; 9];

#[inline(always)]
fn fours(body: &Body) -> &Fours {
    bytemuck::cast_ref(body)
}

impl<R: Lanes> BodiesInLanes<R> {
    /// The first bodies, as many as there are lanes.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn load(bodies: &[Body]) -> Self {
        let bodies = &bodies[..R::LANES];
        let mut columns = [[R::zero(); 4]; 8];
        for k in 0..8 {
            columns[k] = R::columns(|lane| &fours(&bodies[lane])[k]);
        }
        let [
            [x, y, z, x0],
            [y0, z0, vx, vy],
            [vz, lx, ly, lz],
            [ax, ay, az, fx],
            [fy, fz, tx, ty],
            [tz, mx, my, mz],
            orientation,
            [mass, scale, ..],
        ] = columns;
        let any_frozen = bodies.iter().fold(0, |all, body| all | body.frozen) != 0;
        let turns = if any_frozen {
            R::from_lanes(|lane| if bodies[lane].can_turn() { 1.0 } else { 0.0 })
        } else {
            R::splat(1.0)
        };
        Self {
            position: Vector::new(x, y, z),
            previous_position: Vector::new(x0, y0, z0),
            velocity: Vector::new(vx, vy, vz),
            angular_momentum: Vector::new(lx, ly, lz),
            rotation_increment: Vector::new(ax, ay, az),
            force: Vector::new(fx, fy, fz),
            torque: Vector::new(tx, ty, tz),
            moments: Vector::new(mx, my, mz),
            orientation,
            axes: axes_of(orientation),
            mass,
            scale,
            turns,
            any_frozen,
        }
    }

    /// Writes all that is moved back to the bodies.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn store(&self, bodies: &mut [Body]) {
        let bodies = &mut bodies[..R::LANES];
        let Self { position: x, previous_position: x0, velocity: v, angular_momentum: l, .. } = self;
        let Self { rotation_increment: a, force: f, torque: t, moments: m, orientation, .. } = self;
        let columns = [
            [x.x, x.y, x.z, x0.x],
            [x0.y, x0.z, v.x, v.y],
            [v.z, l.x, l.y, l.z],
            [a.x, a.y, a.z, f.x],
            [f.y, f.z, t.x, t.y],
            [t.z, m.x, m.y, m.z],
            *orientation,
        ];
        for k in 0..7 {
            R::rows(&columns[k], |lane, row| bytemuck::cast_mut::<Body, Fours>(&mut bodies[lane])[k] = row);
        }
    }

    /// Vectors of the principal frames in space.
    #[inline(always)]
    pub fn to_space(&self, v: Vector<R>) -> Vector<R> {
        let [a, b, c] = self.axes;
        (a * v.x).plus_scaled(b, v.y).plus_scaled(c, v.z)
    }

    /// Vectors of space in the principal frames.
    #[inline(always)]
    pub fn to_principal(&self, v: Vector<R>) -> Vector<R> {
        let [a, b, c] = self.axes;
        Vector::new(a.dot(v), b.dot(v), c.dot(v))
    }

    /// Angular velocities in the space frame \[rad/s\].
    #[inline(always)]
    pub fn angular_velocity(&self) -> Vector<R> {
        let (l, moments) = (self.to_principal(self.angular_momentum), self.moments);
        let spin = self.to_space(Vector::new(l.x / moments.x, l.y / moments.y, l.z / moments.z));
        // the momentum of others has the direction of the spin to the bit
        let isotropic = moments.z.at_most(moments.x);
        Vector::select(isotropic, self.angular_momentum * (R::splat(1.0) / moments.y), spin)
    }

    /// Lets the bodies rotate freely with angular momenta \[kg m²/s\] for a time \[s\], given their products.
    #[inline(always)]
    pub fn rotate(&mut self, impulse: Vector<R>) {
        self.orientation = free_rotation_in_lanes(self.orientation, impulse, self.moments);
        self.axes = axes_of(self.orientation);
    }

    /// Orientations that the rotations of the step have begun at.
    #[inline(always)]
    pub fn orientation_before_step(&self) -> [R; 4] {
        rotate_in_lanes(self.orientation, -self.rotation_increment)
    }

    /// Rescaled Rodrigues vectors of the rotations from given orientations to the present ones.
    #[inline(always)]
    pub fn rotation_from(&self, [x, y, z, w]: [R; 4]) -> Vector<R> {
        let q = self.orientation;
        let (v, v0) = (Vector::from_slice(&q), Vector::new(x, y, z));
        // q times the conjugate of the first
        let u = (v * w).minus_scaled(v0, q[3]) - v.cross(v0);
        u * (R::splat(2.0) / (q[3] * w).plus_product(v.x, x).plus_product(v.y, y).plus_product(v.z, z))
    }

    /// Zeroes the components of vectors that bodies may not move along or turn about, by the bits of the components in [`frozen`](crate::frozen).
    #[inline(always)]
    pub fn release(&self, vector: Vector<R>, bodies: &[Body], bits: [u8; 3]) -> Vector<R> {
        if !self.any_frozen {
            return vector;
        }
        let free = |bit: u8| R::from_lanes(|lane| if bodies[lane].frozen as u8 & bit == 0 { 1.0 } else { 0.0 });
        let only = |bit: u8, component: R| R::select(R::zero().less(free(bit)), component, R::zero());
        Vector::new(only(bits[0], vector.x), only(bits[1], vector.y), only(bits[2], vector.z))
    }

    /// From the centres to those of members \[m\], and the mobilities of these against forces without that of the centres: rows of
    /// [`mobility`](super::table::Bodies::mobility). `position` is in the principal frames at scale 1.
    #[inline(always)]
    pub fn member_at(&self, position: Vector<R>) -> (Vector<R>, [R; 8]) {
        let s = position * self.scale;
        let [a, b, c] = self.axes;
        // the products of the axes with the arm, by which forces turn about them
        let levers = [(c * s.y).minus_scaled(b, s.z), (a * s.z).minus_scaled(c, s.x), (b * s.x).minus_scaled(a, s.y)];
        let Vector { x: i, y: j, z: k } = self.moments;
        let inverse = [self.turns / i, self.turns / j, self.turns / k];
        let mut rows = [R::zero(); 8];
        for (l, inverse) in levers.into_iter().zip(inverse) {
            let scaled = l * inverse;
            let of_axis =
                [(scaled.x, l.x), (scaled.y, l.y), (scaled.z, l.z), (scaled.y, l.z), (scaled.z, l.x), (scaled.x, l.y)];
            for (sum, (first, second)) in rows.iter_mut().zip(of_axis) {
                *sum = sum.plus_product(first, second);
            }
        }
        (self.to_space(s), rows)
    }
}
